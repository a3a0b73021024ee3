//! Output for people: all access to standard output and standard error.
//!
//! Names, complaints, tags and last messages of programs come from strangers, and could control the terminal. So
//! control characters in output for people are shown as escapes such as `\u{1b}`. Output for machines is unchanged.
//!
//! Errors of standard error are ignored: a full disk behind `2>log`, or a reader that has gone, ends no run.

use std::borrow::Cow;
use std::io::{self, IsTerminal, StdoutLock, Write};

/// Prints a line on standard error, ignoring errors.
macro_rules! note {
    ($($words:tt)*) => { $crate::terminal::line(&format!($($words)*)) };
}
pub(crate) use note;

/// Prints a line; [`note!`] is the usual way.
pub(crate) fn line(line: &str) {
    let _ = writeln!(io::stderr(), "{}", visible(line));
}

/// Overwrites the progress line on the terminal.
pub(crate) fn overwrite(line: &str) {
    let _ = write!(io::stderr(), "\r\x1b[K{}", visible(line));
}

/// Whether standard error is a terminal, where lines can be overwritten.
pub(crate) fn is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Text with control characters shown as escapes, except line breaks and tabs, and including marks that
/// change the text direction or separate lines.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let obeyed = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    for c in text.chars() {
        if obeyed(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// Standard output.
pub(crate) struct Out {
    out: StdoutLock<'static>,
    escapes: bool,
}

/// Standard output for people.
pub(crate) fn people() -> Out {
    Out { out: io::stdout().lock(), escapes: true }
}

/// Standard output for machines: unchanged, unless a terminal reads it.
pub(crate) fn machines() -> Out {
    Out { out: io::stdout().lock(), escapes: io::stdout().is_terminal() }
}

/// Standard output for boards with our own colors. Strangers' words beside them have to be made [`visible`].
pub(crate) fn drawing() -> Out {
    Out { out: io::stdout().lock(), escapes: false }
}

/// Standard output for one of the two.
pub(crate) fn answer(json: bool) -> Out {
    if json { machines() } else { people() }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.escapes {
            return self.out.write(bytes);
        }
        for chunk in bytes.utf8_chunks() {
            self.out.write_all(visible(chunk.valid()).as_bytes())?;
            write!(self.out, "{}", chunk.invalid().escape_ascii())?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_a_terminal_obeys_is_shown() {
        assert_eq!(visible("\x1b]0;x\x07 \u{9b}31m \r\x7f"), "\\u{1b}]0;x\\u{7} \\u{9b}31m \\u{d}\\u{7f}");
        assert_eq!(visible("暗棋\tb3\n"), "暗棋\tb3\n");
        assert_eq!(visible("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(visible("\u{61c}a\u{2028}b\u{2029}"), "\\u{61c}a\\u{2028}b\\u{2029}");
    }
}
