//! Anything that pages may send, one event a line: the server's parser and its table stand it.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|lines: &str| {
    visitors::send(lines);
});
