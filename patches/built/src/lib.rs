//! Stands in for `built`, which boytacean's build script names but does not use (patches/README.md).
