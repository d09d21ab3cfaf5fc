//! Installs the programs that we compare with.

use std::path::Path;

use crate::run;

/// The Python interpreter of a virtual environment under `target/` with this release installed.
pub fn python(release: &str) -> anyhow::Result<String> {
    let folder = format!("target/peers/{}", release.replace("==", "-"));
    let python = format!("{folder}/bin/python");
    if !Path::new(&python).exists() {
        run::run("python3", &["-m", "venv", &folder])?;
    }
    run::run(&python, &["-m", "pip", "install", "--quiet", release])?;
    Ok(python)
}
