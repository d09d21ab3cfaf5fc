//! `cargo xtask site`: the pages that need no server as a folder for any static web host, also below a path of its own.
//!
//! Only the standard library: the arcade's browser tests include this file and open what it writes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Pages by their name on the site and their file in `web/`.
const PAGES: &[(&str, &str)] = &[
    ("index.html", "site.html"),
    ("tetris.html", "tetris.html"),
    ("samegame.html", "samegame.html"),
    ("connect-four.html", "connect-four.html"),
];
/// What pages name with `<!-- part: name -->`.
const PARTS: &[&str] = &["head", "top"];
/// Folders and files of `web/` that pages load.
const STATIC: &[&str] = &["css", "fonts", "js", "wasm", "favicon.svg"];

/// Writes the site into an empty or new folder; returns how many files it has.
pub fn write(web: &Path, site: &Path) -> io::Result<usize> {
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for (name, source) in PAGES {
        files.push((PathBuf::from(name), page(web, source)?.into_bytes()));
    }
    for name in STATIC {
        collect(web, Path::new(name), &mut files)?;
    }
    let worker = fs::read_to_string(web.join("sw.js"))?;
    files.push((PathBuf::from("sw.js"), with_files(&worker, &files).into_bytes()));
    write_all(&files, site)?;
    Ok(files.len())
}

/// Writes files with their folders.
pub fn write_all(files: &[(PathBuf, Vec<u8>)], folder: &Path) -> io::Result<()> {
    for (name, content) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, content)?;
    }
    Ok(())
}

/// A whole page with addresses relative to itself, which can be used without a network.
fn page(web: &Path, source: &str) -> io::Result<String> {
    let offline = "  <script type=\"module\" src=\"static/js/offline.js\"></script>\n  </head>";
    Ok(plain_page(web, source)?.replacen("</head>", offline, 1))
}

/// A whole page with addresses relative to itself.
pub fn plain_page(web: &Path, source: &str) -> io::Result<String> {
    let mut html = fs::read_to_string(web.join(source))?;
    for part in PARTS {
        let text = fs::read_to_string(web.join(format!("parts/{part}.html")))?;
        html = html.replace(&format!("<!-- part: {part} -->"), text.trim());
    }
    for (name, _) in PAGES {
        let page = name.trim_end_matches(".html");
        html = html.replace(&format!("href=\"/{page}\""), &format!("href=\"{name}\""));
    }
    Ok(html.replace("\"/static/", "\"static/").replacen("<html ", "<html data-site ", 1))
}

/// A file or folder of `web/` with everything in it, as the site has it.
pub fn collect(web: &Path, name: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) -> io::Result<()> {
    let path = web.join(name);
    if path.is_dir() {
        let mut entries: Vec<_> = fs::read_dir(&path)?.collect::<Result<_, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        return entries.iter().try_for_each(|entry| collect(web, &name.join(entry.file_name()), files));
    }
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let mut content = fs::read(&path).map_err(named)?;
    if path.extension().is_some_and(|extension| extension == "css") {
        content = String::from_utf8_lossy(&content).replace("/static/", "../").into_bytes();
    }
    files.push((Path::new("static").join(name), content));
    Ok(())
}

/// The service worker with its list of files and a version that changes with any of them.
fn with_files(worker: &str, files: &[(PathBuf, Vec<u8>)]) -> String {
    let mut version: u64 = 0xcbf2_9ce4_8422_2325;
    let mut names = vec!["./".to_owned()];
    for (name, content) in files {
        let name = name.to_string_lossy().replace('\\', "/");
        // FNV-1a: equal on every machine.
        for byte in name.bytes().chain(content.iter().copied()) {
            version = (version ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        names.push(name);
    }
    worker.replace("@version@", &format!("{version:016x}")).replace("@files@", &names.join("\", \""))
}
