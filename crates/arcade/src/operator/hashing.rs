//! Hashing passwords, on one thread of its own.
//!
//! A hash needs 19 MiB on purpose. The thread keeps them from hash to hash: an allocator that is asked for them again and
//! again, on any of the server's threads, ends up with several times as much.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use std::sync::mpsc::{Sender, channel};

use argon2::password_hash::phc::{Output, PasswordHash};
use argon2::password_hash::{self, PasswordHasher};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use tokio::sync::oneshot;

/// Where a hash is computed.
type Memory = Vec<Block>;
type Work = Box<dyn FnOnce(&mut Memory) + Send>;

static THREAD: LazyLock<Sender<Work>> = LazyLock::new(|| {
    let (sender, works) = channel::<Work>();
    let begun = std::thread::Builder::new().name("passwords".to_owned()).spawn(move || {
        let mut memory = Memory::new();
        for work in works {
            // Whoever waits for the answer learns of a panic; the next password is checked all the same.
            let _ = catch_unwind(AssertUnwindSafe(|| work(&mut memory)));
        }
    });
    if let Err(error) = begun {
        tracing::error!(%error, "passwords cannot be checked");
    }
    sender
});

/// Hashes a password for storage.
pub(super) async fn hash(password: String) -> Option<String> {
    on_thread(move |_| {
        let hash: PasswordHash = Argon2::default().hash_password(password.as_bytes()).ok()?;
        Some(hash.to_string())
    })
    .await?
}

/// Whether a password is the one that was hashed.
pub(super) async fn matches(password: String, hash: String) -> bool {
    let right = on_thread(move |memory| is_right(password.as_bytes(), &hash, memory).unwrap_or(false));
    right.await.unwrap_or(false)
}

/// What the crate's own `verify_password` does, in memory that stays.
fn is_right(password: &[u8], hash: &str, memory: &mut Memory) -> password_hash::Result<bool> {
    let stored = PasswordHash::new(hash)?;
    let (Some(salt), Some(expected)) = (&stored.salt, &stored.hash) else { return Ok(false) };
    let params = Params::try_from(&stored)?;
    let blocks = params.block_count();
    if memory.len() < blocks {
        memory.resize(blocks, Block::new());
    }
    let version = stored.version.map(Version::try_from).transpose()?.unwrap_or_default();
    let argon2 = Argon2::new(Algorithm::try_from(stored.algorithm.as_str())?, version, params);
    let mut output = vec![0; expected.len()];
    argon2.hash_password_into_with_memory(password, salt, &mut output, &mut memory[..blocks])?;
    // Outputs are compared in constant time.
    Ok(Output::new(&output)? == *expected)
}

async fn on_thread<T: Send + 'static>(work: impl FnOnce(&mut Memory) -> T + Send + 'static) -> Option<T> {
    let (reply, answer) = oneshot::channel();
    let work = move |memory: &mut Memory| drop(reply.send(work(memory)));
    THREAD.send(Box::new(work)).ok()?;
    answer.await.ok()
}

#[cfg(test)]
mod tests {
    use argon2::password_hash::PasswordVerifier;

    use super::*;

    #[tokio::test]
    async fn a_password_matches_its_own_hash_and_a_panic_ends_nothing() {
        let stored = hash("correct horse".to_owned()).await.unwrap();
        assert_eq!(on_thread(|_| -> u32 { panic!("a test") }).await, None);
        assert!(matches("correct horse".to_owned(), stored.clone()).await);
        assert!(!matches("wrong horse".to_owned(), stored).await);
        assert!(!matches("correct horse".to_owned(), "no hash".to_owned()).await);
        assert!(
            !matches("correct horse".to_owned(), "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ".to_owned())
                .await
        );
    }

    /// The same verdict as the crate's own check, for hashes of other strengths one after the other.
    #[test]
    fn memory_that_was_used_before_changes_no_verdict() {
        let mut memory = Memory::new();
        for (kib, passes, lanes) in [(64, 1, 1), (8192, 2, 2), (32, 3, 4), (4096, 1, 1)] {
            let argon2 = Argon2::from(Params::new(kib, passes, lanes, None).unwrap());
            let stored: PasswordHash = argon2.hash_password(b"correct horse").unwrap();
            let stored = stored.to_string();
            assert!(argon2.verify_password(b"correct horse", &*stored).is_ok());
            assert_eq!(is_right(b"correct horse", &stored, &mut memory), Ok(true), "{stored}");
            assert_eq!(is_right(b"wrong horse", &stored, &mut memory), Ok(false), "{stored}");
        }
    }
}
