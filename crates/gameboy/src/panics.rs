//! Panics of the emulator become errors, and stay off standard error.
//!
//! The emulator panics where a real console would merely misbehave: illegal
//! instructions, writes to a cartridge that has nothing there. A user's image
//! may do any of that.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work`; a panic in it is returned as its message.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    install_quiet_hook();
    let before = QUIET.replace(true);
    // Callers discard the emulator after a panic, so no broken state is used again.
    let result = catch_unwind(AssertUnwindSafe(work));
    QUIET.set(before);
    result.map_err(|payload| message(payload.as_ref()))
}

fn install_quiet_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                usual(panic);
            }
        }));
    });
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no reason given".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message() {
        assert_eq!(caught(|| 3), Ok(3));
        assert_eq!(caught(|| panic!("illegal {}", 7)).unwrap_err(), "illegal 7");
    }
}
