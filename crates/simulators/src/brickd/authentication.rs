//! How a client proves that it knows the daemon's secret: HMAC-SHA1 over two nonces.

use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;

use super::packet::{ErrorCode, Request};

/// What one client has proved so far.
#[derive(Clone, Debug, Default)]
pub struct Authentication {
    nonce: Option<[u8; 4]>,
    proved: bool,
}

/// What becomes of a request to the daemon itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// It is answered.
    Answer(Result<Vec<u8>, ErrorCode>),
    /// The daemon hangs up, without a word.
    HangUp(&'static str),
}

impl Authentication {
    /// Whether this client may talk to devices.
    pub fn admits(&self, secret: Option<&str>) -> bool {
        secret.is_none() || self.proved
    }

    /// Handles a request to the daemon; `nonce` is drawn for this call.
    pub fn handle(&mut self, request: &Request<'_>, secret: Option<&str>, nonce: [u8; 4]) -> Ruling {
        match (request.function, secret) {
            (1 | 2, None) => Ruling::HangUp("it wants to authenticate, but this daemon has no secret"),
            (1, Some(_)) => {
                self.nonce = Some(nonce);
                Ruling::Answer(Ok(nonce.to_vec()))
            }
            (2, Some(secret)) => self.check(request.payload, secret),
            _ => Ruling::Answer(Err(ErrorCode::NotSupported)),
        }
    }

    fn check(&mut self, payload: &[u8], secret: &str) -> Ruling {
        let Some(nonce) = self.nonce.take() else {
            return Ruling::HangUp("it did not ask for a nonce first");
        };
        let Some((client_nonce, digest)) = payload.split_first_chunk::<4>() else {
            return Ruling::HangUp("its proof is too short");
        };
        // A key of any length is fine for HMAC.
        let Ok(mut mac) = Hmac::<Sha1>::new_from_slice(secret.as_bytes()) else {
            return Ruling::HangUp("its proof cannot be checked");
        };
        mac.update(&nonce);
        mac.update(client_nonce);
        if mac.verify_slice(digest).is_err() {
            return Ruling::HangUp("it does not know the secret");
        }
        self.proved = true;
        Ruling::Answer(Ok(Vec::new()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(state: &mut Authentication, function: u8, payload: &[u8], secret: Option<&str>) -> Ruling {
        let mut bytes = vec![1, 0, 0, 0, 8 + payload.len() as u8, function, 0x18, 0];
        bytes.extend(payload);
        let (request, _) = Request::parse(&bytes).unwrap().unwrap();
        state.handle(&request, secret, *b"SRVR")
    }

    fn proof(secret: &str) -> Vec<u8> {
        let mut mac = Hmac::<Sha1>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(b"SRVRCLNT");
        [b"CLNT".as_slice(), mac.finalize().as_bytes()].concat()
    }

    #[test]
    fn only_the_right_proof_at_the_right_time_is_taken() {
        let secret = Some("open sesame");
        let mut state = Authentication::default();
        assert!(
            matches!(ask(&mut state, 2, &proof("open sesame"), secret), Ruling::HangUp(_)),
            "no nonce yet"
        );
        assert_eq!(ask(&mut state, 1, &[], secret), Ruling::Answer(Ok(b"SRVR".to_vec())));
        assert!(!state.admits(secret));
        assert_eq!(ask(&mut state, 2, &proof("open sesame"), secret), Ruling::Answer(Ok(Vec::new())));
        assert!(state.admits(secret));
        assert!(matches!(ask(&mut state, 2, &proof("open sesame"), secret), Ruling::HangUp(_)), "used up");
        for bad in [proof("sesame"), b"CLNT".to_vec(), Vec::new()] {
            let mut state = Authentication::default();
            ask(&mut state, 1, &[], secret);
            assert!(matches!(ask(&mut state, 2, &bad, secret), Ruling::HangUp(_)));
            assert!(!state.admits(secret));
        }
    }

    #[test]
    fn a_daemon_without_a_secret_hangs_up_on_proofs_and_admits_all() {
        let mut state = Authentication::default();
        assert!(state.admits(None));
        assert!(matches!(ask(&mut state, 1, &[], None), Ruling::HangUp(_)));
        assert_eq!(ask(&mut state, 9, &[], None), Ruling::Answer(Err(ErrorCode::NotSupported)));
    }
}
