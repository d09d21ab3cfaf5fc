//! Stands in for `regex`, which boytacean's build script names but does not use (patches/README.md).
