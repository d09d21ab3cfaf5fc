//! The functions of the WebAssembly module: a page writes a request into the buffer, calls, and reads the answer there.
//!
//! ```text
//!   reserve(length) → address      the page writes `length` bytes of JSON there
//!   answer() → length              the buffer now holds the answer
//!   address() → address            where the answer starts
//! ```
//!
//! A page without threads has one desk and one buffer, so nothing needs a name.

use std::cell::RefCell;

use crate::Desk;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static DESK: RefCell<Desk> = RefCell::new(Desk::default());
}

/// Makes room for a request of `length` bytes; returns where it belongs.
#[allow(unsafe_code, reason = "the page finds the function by its plain name")]
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

/// Answers the request in the buffer; returns the answer's length.
#[allow(unsafe_code, reason = "the page finds the function by its plain name")]
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    BUFFER.with_borrow_mut(|buffer| {
        let request = String::from_utf8_lossy(buffer);
        let answer = DESK.with_borrow_mut(|desk| desk.answer(&request));
        *buffer = answer.into_bytes();
        buffer.len()
    })
}

/// Where the answer starts.
#[allow(unsafe_code, reason = "the page finds the function by its plain name")]
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn address() -> *const u8 {
    BUFFER.with_borrow(Vec::as_ptr)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_takes_the_place_of_its_request() {
        reserve(2);
        let length = answer();
        assert!(!address().is_null());
        let text = BUFFER.with_borrow(|buffer| String::from_utf8(buffer.clone()).unwrap());
        assert_eq!(text.len(), length);
        assert!(text.starts_with(r#"{"error":"#), "{text}");
    }
}
