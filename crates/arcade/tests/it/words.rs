//! The words of the pages: German says whatever English says, and pages ask for nothing that is not there (X1).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Lists that are joined to one; a key that is in two of them would lose one of its texts.
const LISTS: [&str; 3] = ["", "hall-", "play-"];

fn web() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web")
}

/// The keys of a list, each with whether its text depends on values.
fn list(name: &str) -> BTreeMap<String, bool> {
    let text = fs::read_to_string(web().join(format!("js/words/{name}.js"))).unwrap();
    let entry = |line: &str| {
        let line = line.strip_prefix("  ").filter(|line| !line.starts_with([' ', '/']))?;
        let (key, value) = line.split_once(':')?;
        Some((key.trim_matches('"').to_owned(), value.trim_start().starts_with('(')))
    };
    text.lines().filter_map(entry).collect()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "html" || extension == "js") {
            found.push(path);
        }
    }
}

/// What stands in quotes after each of these beginnings.
fn quoted<'a>(text: &'a str, beginnings: &[&str]) -> Vec<&'a str> {
    let after = |beginning: &&str| {
        text.split(*beginning).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0)).collect::<Vec<_>>()
    };
    beginnings.iter().flat_map(after).collect()
}

#[test]
fn both_languages_have_the_same_keys() {
    let mut all = BTreeMap::new();
    for name in LISTS {
        let (english, german) = (list(&format!("{name}en")), list(&format!("{name}de")));
        assert!(english.len() > 100, "{name}en.js was not read: {} keys", english.len());
        assert_eq!(english, german, "{name}en.js and {name}de.js");
        for key in english.into_keys() {
            let other = all.insert(key.clone(), name);
            assert_eq!(other, None, "{key} is in two lists");
        }
    }
}

#[test]
fn pages_ask_for_words_that_are_there() {
    let known: BTreeMap<String, bool> = LISTS.iter().flat_map(|name| list(&format!("{name}en"))).collect();
    let mut sources = Vec::new();
    files(&web(), &mut sources);
    let mut asked = 0;
    for file in sources {
        let text = fs::read_to_string(&file).unwrap();
        let beginnings: &[&str] = match file.extension().and_then(|extension| extension.to_str()) {
            Some("html") => {
                &["data-t=\"", "data-t-label=\"", "data-t-alt=\"", "data-t-placeholder=\"", "data-title=\""]
            }
            _ => &[" t(\"", "(t(\"", "${t(\"", "\"data-t\": \""],
        };
        for key in quoted(&text, beginnings) {
            assert!(known.contains_key(key), "{} asks for {key}", file.display());
            asked += 1;
        }
    }
    assert!(asked > 400, "pages ask for {asked} texts only: they are not found");
}
