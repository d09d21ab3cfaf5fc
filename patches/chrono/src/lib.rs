//! Stands in for `chrono`, which boytacean's build script names but does not use (patches/README.md).
