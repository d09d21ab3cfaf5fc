//! Hashing passwords, on one thread of its own.
//!
//! A hash needs 19 MiB on purpose. The allocator keeps what a thread has freed for that thread, so that guesses checked
//! on any of the server's threads would cost 19 MiB for each of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use std::sync::mpsc::{Sender, channel};

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use tokio::sync::oneshot;

type Work = Box<dyn FnOnce() + Send>;

static THREAD: LazyLock<Sender<Work>> = LazyLock::new(|| {
    let (sender, works) = channel::<Work>();
    let begun = std::thread::Builder::new().name("passwords".to_owned()).spawn(move || {
        for work in works {
            // Whoever waits for the answer learns of a panic; the next password is checked all the same.
            let _ = catch_unwind(AssertUnwindSafe(work));
        }
    });
    if let Err(error) = begun {
        tracing::error!(%error, "passwords cannot be checked");
    }
    sender
});

/// Hashes a password for storage.
pub(super) async fn hash(password: String) -> Option<String> {
    on_thread(move || {
        let hash: PasswordHash = Argon2::default().hash_password(password.as_bytes()).ok()?;
        Some(hash.to_string())
    })
    .await?
}

/// Whether a password is the one that was hashed.
pub(super) async fn matches(password: String, hash: String) -> bool {
    let right = on_thread(move || {
        PasswordHash::new(&hash)
            .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
    });
    right.await.unwrap_or(false)
}

async fn on_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (reply, answer) = oneshot::channel();
    let work = move || drop(reply.send(work()));
    THREAD.send(Box::new(work)).ok()?;
    answer.await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_matches_its_own_hash_and_a_panic_ends_nothing() {
        let stored = hash("correct horse".to_owned()).await.unwrap();
        assert_eq!(on_thread(|| -> u32 { panic!("a test") }).await, None);
        assert!(matches("correct horse".to_owned(), stored.clone()).await);
        assert!(!matches("wrong horse".to_owned(), stored).await);
        assert!(!matches("correct horse".to_owned(), "no hash".to_owned()).await);
    }
}
