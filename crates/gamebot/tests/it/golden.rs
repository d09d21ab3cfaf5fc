//! Golden files: expected output that `UPDATE_GOLDEN=1` rewrites.

use std::fs;
use std::path::Path;

/// Fails unless the file holds exactly `actual`.
pub fn check(path: &Path, actual: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, actual).unwrap();
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    assert_eq!(actual, expected, "{} differs; UPDATE_GOLDEN=1 rewrites it", path.display());
}
