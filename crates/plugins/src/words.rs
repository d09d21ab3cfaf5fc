//! What a plug-in says of itself, fit for our log: at most a screenful, and nothing that a terminal would obey.

/// Lines of a screenful.
const LINES: usize = 24;
/// Characters of one of its lines.
const LINE: usize = 200;

/// The beginning of a plug-in's own words.
pub(crate) fn screenful(words: &str) -> String {
    let mut lines = words.lines();
    let mut shown: Vec<String> = lines.by_ref().take(LINES).map(printable).collect();
    if lines.next().is_some() {
        shown.push("…".to_owned());
    }
    shown.join("\n")
}

fn printable(line: &str) -> String {
    let mut characters = line.chars();
    let mut shown: String =
        characters.by_ref().take(LINE).map(|c| if c.is_control() { '�' } else { c }).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_becomes_a_screenful() {
        let flood = format!("{}\n", "x".repeat(1 << 20)).repeat(50);
        let shown = screenful(&flood);
        assert_eq!(shown.lines().count(), LINES + 1);
        assert!(shown.lines().all(|line| line.chars().count() <= LINE + 1));
        assert!(shown.ends_with('…'));
    }

    #[test]
    fn short_words_stay_as_they_are_and_escape_sequences_do_nothing() {
        assert_eq!(screenful("no such piece"), "no such piece");
        assert_eq!(screenful("red \x1b[31m"), "red �[31m");
    }
}
