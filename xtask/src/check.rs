//! `cargo xtask check`: all checks except the tests.

use std::process::Command;

use crate::{advisories, deps, install, run};

/// Runs every check; stops at the first that fails.
pub fn check() -> anyhow::Result<()> {
    run::run("cargo", &["fmt", "--all", "--check"])?;
    deps::check_direction()?;
    run::run("cargo", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    run::run_command(
        Command::new("cargo")
            .args(["doc", "--workspace", "--no-deps", "--document-private-items", "--quiet"])
            // Private items are documented too, so links to them work.
            .env("RUSTDOCFLAGS", "-D warnings -A rustdoc::private_intra_doc_links"),
    )?;
    install::cargo_tool("cargo-deny")?;
    // Licences of dependencies on other systems are checked too; a build here has not fetched those.
    run::run("cargo", &["fetch", "--quiet", "--locked"])?;
    run::run("cargo", &["deny", "--offline", "check", "bans", "licenses", "sources"])?;
    advisories::check()
}
