//! What this server is: its version, what is connected, what it is made of.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::AppState;
use crate::hall::Message;

/// Crates with version, licence and whether they are inside the program; written by `cargo xtask licences`.
const LICENCES: &str = include_str!("licences.tsv");

pub(super) async fn about(State(state): State<AppState>) -> Response {
    let settings = state.hall.ask(|reply| Message::ListSettings { reply }).await.unwrap_or_default();
    let robot = settings.into_iter().find(|setting| setting.key == "robot.kind").map(|setting| setting.value);
    let shows = state.shows.bodies().into_iter().map(|(name, body)| (name, body.to_owned()));
    let connected = shows.chain(robot.map(|kind| ("connect-four", kind.trim_matches('"').to_owned())));
    let connected: Vec<_> =
        connected.map(|(cabinet, what)| json!({ "cabinet": cabinet, "what": what })).collect();
    Json(
        json!({ "version": env!("CARGO_PKG_VERSION"), "connected": connected, "licences": inside(LICENCES) }),
    )
    .into_response()
}

/// The crates inside the program, as `name version`, by their licence.
fn inside(list: &str) -> BTreeMap<&str, Vec<String>> {
    let mut licences: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for line in list.lines() {
        if let [name, version, licence, "inside"] = line.split('\t').collect::<Vec<_>>()[..] {
            licences.entry(licence).or_default().push(format!("{name} {version}"));
        }
    }
    licences
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const LOCK: &str = include_str!("../../../../Cargo.lock");

    /// `name version` of the packages of a lock file that come from elsewhere.
    fn foreign(lock: &str) -> BTreeSet<String> {
        let field = |package: &str, name: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
            line.map(|value| value.trim_matches('"').to_owned())
        };
        let package = |package: &str| {
            field(package, "source")?;
            Some(format!("{} {}", field(package, "name")?, field(package, "version")?))
        };
        lock.split("[[package]]").filter_map(package).collect()
    }

    #[test]
    fn every_crate_of_the_lock_file_has_its_licence_in_the_list() {
        let listed = |line: &str| line.split('\t').take(2).collect::<Vec<_>>().join(" ");
        let listed: BTreeSet<String> = LICENCES.lines().map(listed).collect();
        assert_eq!(foreign(LOCK), listed, "run `cargo xtask licences`");
        for line in LICENCES.lines() {
            assert!(line.split('\t').nth(2).is_some_and(|licence| licence.len() > 2), "{line}");
        }
    }

    #[test]
    fn what_only_builds_or_tests_is_not_called_built_in() {
        let list = "a\t1.0.0\tMIT\tinside\nb\t2.0.0\tMIT\ttools\nc\t3.0.0\tZlib\tinside\n";
        let expected =
            BTreeMap::from([("MIT", vec!["a 1.0.0".to_owned()]), ("Zlib", vec!["c 3.0.0".to_owned()])]);
        assert_eq!(inside(list), expected);
        assert!(inside(LICENCES).values().flatten().any(|name| name.starts_with("axum ")));
    }
}
