//! The manufacturer's own Python bindings (PyPI `tinkerforge`) on our simulated daemon.

use std::net::SocketAddr;
use std::path::Path;

use engine::{Cancel, RealClock};
use simulators::brickd::{RelayKind, RigConfig, Server, StackConfig};
use tokio::process::Command;

/// One first version and one 2.0 on the same stack.
fn mixed() -> StackConfig {
    let mut stack = StackConfig::default();
    stack.relays[1].1 = RelayKind::V2;
    stack
}

async fn serve(secret: Option<&str>) -> Server {
    let config = RigConfig { stack: mixed(), secret: secret.map(str::to_owned), ..RigConfig::default() };
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    Server::start(any, config, RealClock::start(Cancel::new()), drop).await.unwrap()
}

/// Runs `bindings.py WHAT PORT…`; it exits with an error if anything is not as it should be.
async fn bindings(what: &str, servers: &[&Server]) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let prepared = here.join("../../target/python/bin/python3");
    let python = std::env::var_os("GAMEBOT_TEST_PYTHON").unwrap_or(prepared.into());
    let output = Command::new(python)
        .arg(here.join("tests/it/bindings.py"))
        .arg(what)
        .args(servers.iter().map(|server| server.address().port().to_string()))
        .kill_on_drop(true)
        .output()
        .await
        .expect("`cargo xtask test` installs the interpreter");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[tokio::test]
async fn the_official_bindings_find_and_switch_both_relays() {
    bindings("relays", &[&serve(None).await]).await;
}

#[tokio::test]
async fn the_official_bindings_authenticate_or_are_turned_away() {
    let (guarded, open) = (serve(Some("open sesame")).await, serve(None).await);
    bindings("authentication", &[&guarded, &open]).await;
}
