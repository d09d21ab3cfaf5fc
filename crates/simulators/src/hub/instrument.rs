//! Counts a program's work: a call at the beginning of every loop pass and function, on which an interpreter's time
//! depends. The same program always does the same work, on every computer.

/// A program with its counters.
#[derive(Debug)]
pub(super) struct Instrumented {
    pub(super) text: String,
    /// The line of the original for each line.
    lines: Vec<usize>,
}

/// Puts counters into a program. One-line bodies (`while x: y()`) stay as they are.
pub(super) fn instrument(program: &str) -> Instrumented {
    let mut text = String::new();
    let mut lines = Vec::new();
    let mut open = 0i32;
    let mut opener: Option<usize> = None;
    let mut in_text = false;
    for (index, line) in program.lines().enumerate() {
        text.push_str(line);
        text.push('\n');
        lines.push(index + 1);
        let quotes = line.matches("\"\"\"").count();
        let was_text = in_text;
        in_text ^= quotes % 2 == 1;
        if was_text || quotes > 0 {
            continue;
        }
        let code = line.split(" #").next().unwrap_or_default().trim_end();
        let word = code.trim_start();
        if open == 0 && ["def ", "async def ", "for ", "while "].iter().any(|start| word.starts_with(start)) {
            opener = Some(code.len() - word.len());
        }
        let count = |bracket: &[char]| code.matches(bracket).count() as i32;
        open += count(&['(', '[', '{']) - count(&[')', ']', '}']);
        if let Some(indent) = opener.filter(|_| open == 0) {
            opener = None;
            if code.ends_with(':') {
                text.extend(std::iter::repeat_n(' ', indent + 4));
                text.push_str("_work()\n");
                lines.push(index + 1);
            }
        }
    }
    Instrumented { text, lines }
}

impl Instrumented {
    /// A traceback with the line numbers of the original.
    pub(super) fn original_lines(&self, traceback: &str) -> String {
        let mut pieces = traceback.split("line ");
        let mut out = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let end = piece.find(|c: char| !c.is_ascii_digit()).unwrap_or(piece.len());
            out.push_str("line ");
            let line =
                piece[..end].parse::<usize>().ok().and_then(|line| self.lines.get(line.checked_sub(1)?));
            match line {
                Some(line) => out.push_str(&line.to_string()),
                None => out.push_str(&piece[..end]),
            }
            out.push_str(&piece[end..]);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_and_functions_count() {
        let program = "def f(a,\n      b):\n    while a:  # on\n        a -= 1\nx = [i for i in y]\nfor i in (1,\n          2):\n    f(i)\n";
        let counted = instrument(program);
        assert_eq!(
            counted.text,
            "def f(a,\n      b):\n    _work()\n    while a:  # on\n        _work()\n        a -= 1\nx = [i for i in y]\nfor i in (1,\n          2):\n    _work()\n    f(i)\n"
        );
        assert_eq!(counted.original_lines("File \"x\", line 6, in f"), "File \"x\", line 4, in f");
    }
}
