//! The gate: which requests are let in. Whoever asks too often waits; what other sites send in a visitor's name is
//! refused; nothing hangs.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::AppState;
use super::listener::Peer;
use crate::limits::Allowances;
use crate::settings::ArcadeSettings;

/// How long a request may take until its answer begins, its body included.
const ANSWER_WITHIN: Duration = Duration::from_secs(15);

/// The same for a visitor's recording.
const UPLOAD_WITHIN: Duration = Duration::from_mins(3);

/// Requests of all addresses.
#[derive(Clone, Debug, Default)]
pub struct Gate(Arc<Mutex<Allowances>>);

/// Who asks, and whether on an encrypted way; put into every request.
#[derive(Clone, Copy, Debug)]
pub struct Visitor {
    /// The visitor's address.
    pub address: IpAddr,
    /// Whether it is a program on this machine.
    pub is_local: bool,
    /// Whether the visitor's connection is encrypted.
    pub is_encrypted: bool,
}

/// Lets a request in, or says why not.
pub async fn gate(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<Peer>().map_or(IpAddr::from([127, 0, 0, 1]), |peer| peer.address);
    let visitor = visitor(&state.hall.settings(), peer, request.headers());
    request.extensions_mut().insert(visitor);
    let path = request.uri().path();
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    if (changes || path == "/ws")
        && let Err(why) = check_origin(&state.hall.settings(), request.headers())
    {
        return (StatusCode::FORBIDDEN, format!("{why}\n")).into_response();
    }
    if path.starts_with("/api/") && !path.starts_with("/api/admin/") {
        let per_second = f64::from(state.hall.settings().requests_per_second);
        let mut allowances = state.gate.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !allowances.take(visitor.address, per_second * 2.0, per_second) {
            drop(allowances);
            let headers = [(header::RETRY_AFTER, "1")];
            return (StatusCode::TOO_MANY_REQUESTS, headers, "too many requests\n").into_response();
        }
    }
    // A recording is large, and a phone's line slow.
    let patience = if changes && path == "/api/runs" { UPLOAD_WITHIN } else { ANSWER_WITHIN };
    match tokio::time::timeout(patience, next.run(request)).await {
        Ok(response) => response,
        Err(_) => (StatusCode::REQUEST_TIMEOUT, "the request took too long\n").into_response(),
    }
}

/// Who asks. Only a proxy on this machine is believed what it tells of others.
fn visitor(settings: &ArcadeSettings, peer: IpAddr, headers: &HeaderMap) -> Visitor {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let local = peer.to_canonical().is_loopback();
    if settings.behind_proxy && local {
        // The last one was added by our proxy; those before it may be anybody's invention.
        let forwarded = text("x-forwarded-for").and_then(|all| all.rsplit(',').next()?.trim().parse().ok());
        if let Some(address) = forwarded {
            let is_encrypted = text("x-forwarded-proto") == Some("https");
            return Visitor { address, is_local: false, is_encrypted };
        }
    }
    let is_encrypted = settings.address.starts_with("https://") && !local;
    Visitor { address: peer, is_local: local && !settings.behind_proxy, is_encrypted }
}

/// A page of ours was opened under a name of ours, and what it sends comes from there: against names that strangers
/// let point here, and against sockets that other sites open. Programs send no origin.
fn check_origin(settings: &ArcadeSettings, headers: &HeaderMap) -> Result<(), String> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if !is_our_host(settings, host) {
        return Err(format!(
            "this server is not called {}: set arcade.address, or arcade.hosts, if it is",
            printable(host)
        ));
    }
    let Some(origin) = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok()) else {
        return Ok(());
    };
    let origin_host = origin.split_once("://").map(|(_, host)| host).unwrap_or_default();
    if origin_host.eq_ignore_ascii_case(host) || same_place(&settings.address, origin) {
        Ok(())
    } else {
        Err(format!("a page of {} may not do this", printable(origin)))
    }
}

/// Whether two addresses have the same scheme, name and port.
fn same_place(address: &str, origin: &str) -> bool {
    let parts = |text: &str| {
        let uri: Uri = text.parse().ok()?;
        Some((uri.scheme_str()?.to_owned(), uri.authority()?.as_str().to_ascii_lowercase()))
    };
    parts(address).is_some_and(|ours| parts(origin) == Some(ours))
}

/// Addresses cannot be rebound; names must be ours.
fn is_our_host(settings: &ArcadeSettings, host: &str) -> bool {
    let Ok(authority) = host.parse::<axum::http::uri::Authority>() else { return false };
    let name = authority.host().trim_start_matches('[').trim_end_matches(']');
    if name.parse::<IpAddr>().is_ok() || name.eq_ignore_ascii_case("localhost") {
        return true;
    }
    let machine = rustix::system::uname();
    let machine = machine.nodename().to_string_lossy().into_owned();
    let configured: Option<Uri> = settings.address.parse().ok();
    let configured = configured.as_ref().and_then(Uri::host).map(str::to_owned);
    let listed = settings.hosts.split(',').map(|host| host.trim().to_owned());
    let ours = [machine.clone(), format!("{machine}.local")];
    ours.into_iter()
        .chain(configured)
        .chain(listed)
        .any(|ours| !ours.is_empty() && ours.eq_ignore_ascii_case(name))
}

/// A stranger's text, short and without anything that a terminal would obey.
fn printable(text: &str) -> String {
    text.chars().filter(char::is_ascii_graphic).take(60).collect()
}

/// Nothing from elsewhere, in no frame, no guessing of types.
pub async fn secure(request: Request, next: Next) -> Response {
    const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::LobbyAddress;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect::<Vec<(axum::http::HeaderName, HeaderValue)>>()
            .into_iter()
            .collect()
    }

    #[test]
    fn only_our_own_pages_under_our_own_names() {
        let settings = ArcadeSettings {
            address: LobbyAddress::for_tests("https://robot.example/"),
            hosts: "four.example, other".to_owned(),
            ..ArcadeSettings::default()
        };
        let check = |pairs: &[(&'static str, &str)]| check_origin(&settings, &headers(pairs)).is_ok();
        assert!(check(&[("host", "192.0.2.7:8080")]), "a program");
        assert!(check(&[("host", "[2001:db8::1]:8080"), ("origin", "http://[2001:db8::1]:8080")]));
        assert!(check(&[("host", "127.0.0.1:8080"), ("origin", "http://127.0.0.1:8080")]));
        assert!(check(&[("host", "four.example"), ("origin", "http://four.example")]));
        assert!(check(&[("host", "127.0.0.1:8080"), ("origin", "https://robot.example")]), "behind a proxy");
        assert!(!check(&[("host", "127.0.0.1:8080"), ("origin", "http://evil.example")]));
        assert!(!check(&[("host", "127.0.0.1:8080"), ("origin", "null")]));
        assert!(!check(&[("host", "evil.example"), ("origin", "http://evil.example")]), "rebound");
        assert!(!check(&[]), "no host at all");
    }

    #[test]
    fn only_a_proxy_on_this_machine_is_believed() {
        let mut settings = ArcadeSettings { behind_proxy: true, ..ArcadeSettings::default() };
        let forwarded =
            headers(&[("x-forwarded-for", "198.51.100.1, 203.0.113.9"), ("x-forwarded-proto", "https")]);
        let (here, stranger) = ("127.0.0.1".parse().unwrap(), "192.0.2.1".parse().unwrap());
        let through = visitor(&settings, here, &forwarded);
        assert_eq!(
            (through.address.to_string().as_str(), through.is_encrypted, through.is_local),
            ("203.0.113.9", true, false)
        );
        assert_eq!(visitor(&settings, stranger, &forwarded).address, stranger);
        settings.behind_proxy = false;
        assert!(visitor(&settings, here, &forwarded).is_local);
    }
}
