//! Our fast steps beside those of `imageproc`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod oracle;
