//! `cargo xtask dist`: what a release consists of. A Debian package, an archive for every other Linux, and their sums; the
//! same source, compiler and folder give the same bytes.

pub mod licences;
mod trial;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use clap::Args;

use crate::run;

/// What to package.
#[derive(Debug, Args)]
pub struct Dist {
    /// Package this program instead of building a release.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Where the files go.
    #[arg(long, default_value = "target/dist")]
    folder: PathBuf,
    /// Afterwards package once more and compare, and run the packaged service for a moment as a user without rights.
    #[arg(long = "try")]
    try_it: bool,
}

/// Where things lie below `/`.
const UNIT: &str = "usr/lib/systemd/system/gamebot-arcade.service";
const PROFILE: &str = "etc/gamebot.toml";

/// Builds the release and writes all files.
pub fn dist(options: &Dist) -> anyhow::Result<()> {
    let program = match &options.program {
        Some(program) => program.clone(),
        None => build()?,
    };
    let made = package(&program, &options.folder)?;
    for file in &made {
        eprintln!("xtask: {} ({} kB)", file.display(), fs::metadata(file)?.len() / 1000);
    }
    if options.try_it { trial::try_package(&program, &made) } else { Ok(()) }
}

fn build() -> anyhow::Result<PathBuf> {
    let here = std::env::current_dir()?;
    // Paths of this machine have no place in the program.
    let flags = format!("--remap-path-prefix={}=/gamebot", here.display());
    let home =
        std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    let flags = match home {
        Ok(home) => format!("{flags} --remap-path-prefix={home}=/cargo"),
        Err(_) => flags,
    };
    let mut command = Command::new("cargo");
    // In a folder of its own: other flags would rebuild everything each time.
    command.args(["build", "--release", "--locked", "-p", "gamebot", "--target-dir", "target/dist-build"]);
    run::run_command(command.env("RUSTFLAGS", flags))?;
    Ok("target/dist-build/release/gamebot".into())
}

/// Writes the package, the archive and the sums; returns their paths.
fn package(program: &Path, folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let version = env!("CARGO_PKG_VERSION");
    let epoch = epoch()?;
    fs::create_dir_all(folder)?;
    let folder = folder.canonicalize()?;
    let root = folder.join("root");
    fresh(&root)?;
    furnish(program, &root)?;

    let architecture = run::capture("dpkg", &["--print-architecture"])?.trim().to_owned();
    let archive = folder.join(format!("gamebot-{version}-linux-{architecture}.tar.gz"));
    pack_archive(&root, &folder.join(format!("gamebot-{version}")), &archive, &epoch)?;

    control(program, &root, version, &architecture)?;
    let package = folder.join(format!("gamebot_{version}_{architecture}.deb"));
    run::run_command(
        Command::new("dpkg-deb")
            .args(["--root-owner-group", "-Zxz", "--build"])
            .args([&root, &package])
            .env("SOURCE_DATE_EPOCH", &epoch),
    )?;
    let sums = folder.join("SHA256SUMS");
    let listed = Command::new("sha256sum")
        .args([&archive, &package].map(|file| file.file_name().unwrap_or_default()))
        .current_dir(&folder)
        .output()
        .context("cannot start sha256sum")?;
    fs::write(&sums, listed.stdout)?;
    Ok(vec![archive, package, sums])
}

/// The time that files get: the one that the caller names, else that of the last commit.
fn epoch() -> anyhow::Result<String> {
    if let Ok(named) = std::env::var("SOURCE_DATE_EPOCH") {
        return Ok(named);
    }
    Ok(run::capture("git", &["log", "-1", "--format=%ct"])?.trim().to_owned())
}

fn fresh(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    Ok(fs::create_dir_all(folder)?)
}

/// Lays everything out as it will be below `/`.
fn furnish(program: &Path, root: &Path) -> anyhow::Result<()> {
    let put = |path: &str, content: &[u8]| -> anyhow::Result<()> {
        let path = root.join(path);
        fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
        fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))
    };
    put(
        "usr/bin/gamebot",
        &fs::read(program).with_context(|| format!("cannot read {}", program.display()))?,
    )?;
    set_mode(&root.join("usr/bin/gamebot"), 0o755)?;
    let shown = program.to_str().context("the program's path is not text")?;
    for (shell, path) in [
        ("bash", "usr/share/bash-completion/completions/gamebot"),
        ("zsh", "usr/share/zsh/vendor-completions/_gamebot"),
        ("fish", "usr/share/fish/vendor_completions.d/gamebot.fish"),
    ] {
        put(path, run::capture(shown, &["completions", shell])?.as_bytes())?;
    }
    let pages = root.join("usr/share/man/man1");
    fs::create_dir_all(&pages)?;
    run::run(shown, &["man-pages", pages.to_str().context("the folder's path is not text")?])?;
    for page in fs::read_dir(&pages)? {
        let page = page?.path();
        // -n: without the name and the time of the file.
        run::run_command(Command::new("gzip").args(["-9", "-n"]).arg(page))?;
    }
    put(PROFILE, run::capture(shown, &["config", "init"])?.as_bytes())?;
    let unit = fs::read_to_string("docs/gamebot-arcade.service")?;
    put(UNIT, unit.replace("/usr/local/bin/", "/usr/bin/").as_bytes())?;
    put("usr/share/doc/gamebot/copyright", &licences::of_the_program()?)?;
    for name in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        put(&format!("usr/share/doc/gamebot/{name}"), &fs::read(name)?)?;
    }
    Ok(())
}

/// The same files for people who unpack an archive somewhere.
fn pack_archive(root: &Path, staging: &Path, archive: &Path, epoch: &str) -> anyhow::Result<()> {
    fresh(staging)?;
    for (from, to) in [
        ("usr/bin/gamebot", "gamebot"),
        ("usr/share/bash-completion/completions/gamebot", "completions/gamebot.bash"),
        ("usr/share/zsh/vendor-completions/_gamebot", "completions/_gamebot"),
        ("usr/share/fish/vendor_completions.d/gamebot.fish", "completions/gamebot.fish"),
        ("usr/share/man/man1", "man"),
        (PROFILE, "gamebot.toml"),
        (UNIT, "gamebot-arcade.service"),
        ("usr/share/doc/gamebot/copyright", "LICENCES"),
        ("usr/share/doc/gamebot/README.md", "README.md"),
        ("usr/share/doc/gamebot/CHANGELOG.md", "CHANGELOG.md"),
    ] {
        let to = staging.join(to);
        fs::create_dir_all(to.parent().context("a file lies in a folder")?)?;
        run::run_command(Command::new("cp").arg("-r").arg(root.join(from)).arg(to))?;
    }
    let name = staging.file_name().context("the folder has a name")?;
    let above = staging.parent().context("the folder lies in another")?;
    run::run_command(
        Command::new("tar")
            .args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"])
            .arg(format!("--mtime=@{epoch}"))
            .args(["--use-compress-program", "gzip -9 -n", "-C"])
            .args([above.as_os_str(), "-cf".as_ref(), archive.as_os_str(), name]),
    )?;
    Ok(fs::remove_dir_all(staging)?)
}

/// What the package manager wants to know.
fn control(program: &Path, root: &Path, version: &str, architecture: &str) -> anyhow::Result<()> {
    let libc =
        newest_libc(&fs::read(program)?).context("the program does not say which C library it needs")?;
    let size = size(root)? / 1024;
    let description = fs::read_to_string("packaging/description")?;
    let text = format!(
        "Package: gamebot\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: the Gamebot authors <gamebot@localhost>\n\
         Installed-Size: {size}\nDepends: libc6 (>= {libc}), libgcc-s1\nSection: games\nPriority: optional\n\
         Description: plays real games by looking, thinking and pressing buttons\n{}\n",
        description.trim_end()
    );
    fs::create_dir_all(root.join("DEBIAN"))?;
    fs::write(root.join("DEBIAN/control"), text)?;
    fs::write(root.join("DEBIAN/conffiles"), format!("/{PROFILE}\n"))?;
    // Whatever mask the builder has: everybody may read.
    run::run_command(Command::new("chmod").args(["-R", "u=rwX,go=rX"]).arg(root))
}

/// The newest version of the C library that the program's symbols ask for.
fn newest_libc(program: &[u8]) -> Option<String> {
    const MARK: &[u8] = b"GLIBC_2.";
    let minor = |at: usize| {
        let digits = program[at + MARK.len()..].iter().take_while(|byte| byte.is_ascii_digit());
        str::from_utf8(&digits.copied().collect::<Vec<_>>()).ok()?.parse::<u32>().ok()
    };
    let marks = program.windows(MARK.len()).enumerate().filter(|(_, window)| *window == MARK);
    marks.filter_map(|(at, _)| minor(at)).max().map(|minor| format!("2.{minor}"))
}

fn size(folder: &Path) -> anyhow::Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        sum += if entry.file_type()?.is_dir() { size(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(sum)
}

fn set_mode(file: &Path, mode: u32) -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        let mode: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
        Ok(fs::set_permissions(file, mode)?)
    }
    #[cfg(not(unix))]
    anyhow::bail!("packages are made on Linux: {} cannot get the mode {mode:o}", file.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_library_counts() {
        assert_eq!(newest_libc(b"..GLIBC_2.17\0GLIBC_2.34\0GLIBC_2.4\0").as_deref(), Some("2.34"));
        assert_eq!(newest_libc(b"nothing"), None);
    }
}
