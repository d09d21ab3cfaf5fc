//! Any target of the crate `fuzz`, named by the environment variable `TARGET`, with inputs that libFuzzer makes up.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

static TARGET: LazyLock<&fuzz::Target> = LazyLock::new(|| {
    let name = std::env::var("TARGET").expect("TARGET names a target");
    fuzz::TARGETS.iter().find(|target| target.name == name).expect("TARGET is one of `cargo xtask fuzz --list`")
});

fuzz_target!(|input: &[u8]| {
    (TARGET.run)(input);
});
