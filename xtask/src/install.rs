//! Installs what tests and benchmarks need besides Rust: Debian packages, Python
//! packages in a virtual environment, cargo tools.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use crate::run;

/// The virtual environment of tests and benchmarks.
const PYTHON_ENVIRONMENT: &str = "target/python";

/// Installs the Debian packages of programs that are not on the path.
pub fn debian(programs_and_packages: &[(&str, &str)]) -> anyhow::Result<()> {
    let missing: Vec<_> = programs_and_packages
        .iter()
        .filter(|(program, _)| !run::exists(program))
        .map(|(_, package)| *package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    if !run::exists("apt-get") {
        bail!("please install: {}", missing.join(", "));
    }
    let as_root = run::capture("id", &["-u"])?.trim() == "0";
    let apt = |arguments: &[&str]| {
        let mut command = if as_root { Command::new("apt-get") } else { Command::new("sudo") };
        if !as_root {
            command.arg("apt-get");
        }
        run::run_command(command.env("DEBIAN_FRONTEND", "noninteractive").args(arguments))
    };
    apt(&["update", "-q"])?;
    apt(&[["install", "-q", "-y", "--no-install-recommends"].as_slice(), &missing].concat())
}

/// A Python interpreter with these packages, each with its version (`mcap==1.3.0`).
pub fn python(packages: &[&str]) -> anyhow::Result<PathBuf> {
    python_in(PYTHON_ENVIRONMENT, packages)
}

/// The same in a virtual environment of its own.
pub fn python_in(environment: &str, packages: &[&str]) -> anyhow::Result<PathBuf> {
    let folder = Path::new(environment);
    let python = std::path::absolute(folder.join("bin/python3"))?;
    if !python.exists() {
        debian(&[("python3", "python3")])?;
        if run::run("python3", &["-m", "venv", environment]).is_err() {
            // Debian has venv in a separate package.
            std::fs::remove_dir_all(folder).ok();
            debian(&[("no-such-program", "python3-venv")])?;
            run::run("python3", &["-m", "venv", environment])?;
        }
    }
    let interpreter = python.to_str().context("the path of the workspace is not valid UTF-8")?;
    let installed = run::capture(interpreter, &["-m", "pip", "--disable-pip-version-check", "freeze"])?;
    let missing: Vec<_> =
        packages.iter().filter(|package| !installed.lines().any(|line| line == **package)).copied().collect();
    if !missing.is_empty() {
        let flags = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet"];
        run::run(interpreter, &[flags.as_slice(), &missing].concat())?;
    }
    Ok(python)
}

/// A folder whose `node_modules` has these packages, by name and version (`left-pad@1.3.0`).
pub fn npm(folder: &str, packages: &[&str]) -> anyhow::Result<PathBuf> {
    let folder = std::path::absolute(folder)?;
    let is_there = |package: &&str| {
        let name = package.rsplit_once('@').map_or(*package, |(name, _)| name);
        folder.join("node_modules").join(name).join("package.json").exists()
    };
    if !packages.iter().all(is_there) {
        let prefix = folder.to_str().context("the path of the workspace is not text")?;
        let flags = ["install", "--no-audit", "--no-fund", "--silent", "--prefix", prefix];
        std::fs::create_dir_all(&folder)?;
        run::run("npm", &[flags.as_slice(), packages].concat())?;
    }
    Ok(folder)
}

/// Installs a cargo tool if it is missing.
pub fn cargo_tool(program: &str) -> anyhow::Result<()> {
    if run::exists(program) {
        return Ok(());
    }
    // Unoptimised: it is built once and runs for a second.
    run::run("cargo", &["install", "--locked", "--debug", program])
}
