//! Reads typed lines: with an editor and a history on a terminal, and arbitrary bytes otherwise.

use std::borrow::Cow;
use std::io::{BufRead, IsTerminal, Read, Write};

use reedline::{FileBackedHistory, Prompt, PromptEditMode, PromptHistorySearch, Reedline, Signal};

use crate::folders::data;

/// Longer lines are cut: no command is this long.
const LONGEST: u64 = 1 << 12;

/// Number of remembered lines.
const HISTORY: usize = 500;

/// The source of lines.
pub(super) enum Lines {
    Edited(Box<Reedline>),
    Plain,
}

/// The result of reading a line.
pub(super) enum Heard {
    Line(String),
    /// There are no more lines: the end of the input, or Ctrl-C.
    End,
}

impl Lines {
    /// An editor if standard input and output are terminals, with or without colors.
    pub(super) fn new(colored: bool) -> Lines {
        let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if !terminal || dumb {
            return Lines::Plain;
        }
        let editor = Reedline::create().with_ansi_colors(colored);
        // A history that cannot be saved lasts for this game.
        let kept =
            data().ok().and_then(|folder| FileBackedHistory::with_file(HISTORY, folder.join("history")).ok());
        Lines::Edited(Box::new(match kept {
            Some(history) => editor.with_history(Box::new(history)),
            None => editor,
        }))
    }

    /// The next line, without spaces around it.
    pub(super) fn read(&mut self, prompt: &str) -> std::io::Result<Heard> {
        let line = match self {
            Lines::Edited(editor) => match editor.read_line(&Question(prompt)) {
                Ok(Signal::Success(line)) => line,
                Ok(_) => return Ok(Heard::End),
                // Invalid UTF-8 is an unknown command.
                Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                    char::REPLACEMENT_CHARACTER.to_string()
                }
                Err(error) => return Err(error),
            },
            Lines::Plain => {
                print(prompt)?;
                let mut line = Vec::new();
                let mut input = std::io::stdin().lock();
                if input.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
                    print("\n")?;
                    return Ok(Heard::End);
                }
                if line.len() as u64 == LONGEST && line.last() != Some(&b'\n') {
                    // The rest of an overlong line is skipped, not taken for another command.
                    input.skip_until(b'\n')?;
                }
                String::from_utf8_lossy(&line).into_owned()
            }
        };
        Ok(Heard::Line(line.trim().to_owned()))
    }
}

/// A prompt of fixed text.
struct Question<'a>(&'a str);

impl Prompt for Question<'_> {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.0)
    }

    fn render_prompt_right(&self) -> Cow<'_, str> {
        Cow::Borrowed("")
    }

    fn render_prompt_indicator(&self, _: PromptEditMode) -> Cow<'_, str> {
        Cow::Borrowed("")
    }

    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        Cow::Borrowed("")
    }

    fn render_prompt_history_search_indicator(&self, search: PromptHistorySearch) -> Cow<'_, str> {
        Cow::Owned(format!("({}) ", search.term))
    }
}

fn print(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
