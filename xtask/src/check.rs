//! `cargo xtask check`: everything but the tests.

use std::process::Command;

use crate::{deps, install, run};

/// Runs every check; stops at the first that fails.
pub fn check() -> anyhow::Result<()> {
    run::run("cargo", &["fmt", "--all", "--check"])?;
    deps::check_direction()?;
    run::run("cargo", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    run::run_command(
        Command::new("cargo")
            .args(["doc", "--workspace", "--no-deps", "--document-private-items", "--quiet"])
            // Private items are documented too, so links to them lead somewhere.
            .env("RUSTDOCFLAGS", "-D warnings -A rustdoc::private_intra_doc_links"),
    )?;
    install::cargo_tool("cargo-deny")?;
    // The licences of what other systems would need are judged, too; a build here has not brought them.
    run::run("cargo", &["fetch", "--quiet", "--locked"])?;
    run::run("cargo", &["deny", "--offline", "check", "bans", "licenses", "sources"])
}
