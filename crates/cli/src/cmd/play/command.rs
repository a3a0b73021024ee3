//! The commands at the board, in English or in the chosen language.

use anglerfish_report::Lang;
use anglerfish_rules::banqi::Action;

/// A command, or a move.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Command {
    Flip,
    Moves,
    Hint,
    Why,
    Undo,
    Back,
    Forward,
    Board,
    Rules,
    Legend,
    Me,
    Save,
    Resign,
    Quit,
    Rematch,
    Review,
    Retry,
    Help,
}

/// Every command by its English word, in the order of the help.
pub(super) const COMMANDS: [(&str, Command); 18] = [
    ("flip", Command::Flip),
    ("moves", Command::Moves),
    ("hint", Command::Hint),
    ("why", Command::Why),
    ("undo", Command::Undo),
    ("back", Command::Back),
    ("forward", Command::Forward),
    ("board", Command::Board),
    ("rules", Command::Rules),
    ("legend", Command::Legend),
    ("me", Command::Me),
    ("save", Command::Save),
    ("resign", Command::Resign),
    ("quit", Command::Quit),
    ("rematch", Command::Rematch),
    ("review", Command::Review),
    ("retry", Command::Retry),
    ("help", Command::Help),
];

/// Other words for the same.
const ALSO: [(&str, Command); 10] = [
    ("?", Command::Help),
    ("exit", Command::Quit),
    ("q", Command::Quit),
    ("f", Command::Forward),
    ("b", Command::Back),
    ("move", Command::Moves),
    ("pieces", Command::Legend),
    ("1", Command::Rematch),
    ("2", Command::Review),
    ("3", Command::Retry),
];

/// What was typed.
#[derive(Debug, Eq, PartialEq)]
pub(super) enum Typed {
    Nothing,
    Play(Action),
    Command(Command, String),
    Unknown,
}

impl Typed {
    /// Reads a line: a move or flip in any usual way of writing it, or a command with what comes after it.
    pub(super) fn read(line: &str, lang: Lang) -> Typed {
        let line = plain(line);
        let line = line.trim();
        if line.is_empty() {
            return Typed::Nothing;
        }
        if let Some(action) = action(line) {
            return Typed::Play(action);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (word.to_lowercase(), rest.trim());
        let own = COMMANDS.iter().find(|(name, _)| lang.text(&format!("command.{name}")) == word);
        let found = own.or_else(|| COMMANDS.iter().chain(&ALSO).find(|(name, _)| *name == word));
        match found.map(|(_, command)| *command) {
            Some(Command::Flip) => match action(rest) {
                Some(action @ Action::Flip(_)) => Typed::Play(action),
                _ => Typed::Unknown,
            },
            Some(Command::Moves) if !rest.is_empty() => action(rest).map_or(Typed::Unknown, Typed::Play),
            Some(command) => Typed::Command(command, rest.to_owned()),
            None => Typed::Unknown,
        }
    }
}

/// Full-width letters as Chinese keyboards type them, as plain ones.
fn plain(line: &str) -> String {
    let narrow = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        c => c,
    };
    line.chars().map(narrow).collect()
}

/// Reads `b3`, `b3-b4`, `b3 b4`, `b3b4`, `b3xb4`, `b3 to b4` or `b3>b4`, in small or capital letters.
pub(super) fn action(text: &str) -> Option<Action> {
    let text = text.to_lowercase();
    let is_square = |text: &str| matches!(text.as_bytes(), [b'a'..=b'd', b'1'..=b'8']);
    let (from, rest) = text.split_at_checked(2).filter(|(from, _)| is_square(from))?;
    if rest.is_empty() {
        return from.parse().ok();
    }
    let (between, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
    let joins = ["", "-", "x", ">", "->", "to", "takes"].contains(&between.trim());
    if joins && is_square(to) { format!("{from}-{to}").parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_understood_however_they_are_written() {
        let play = |text: &str| Typed::Play(text.parse().expect("an action"));
        for text in ["b2", "B2", " flip b2 ", "FLIP B2", "ｂ２", "翻 b2"] {
            assert_eq!(Typed::read(text, Lang::ZhHant), play("b2"), "{text}");
        }
        for text in
            ["b2-b3", "b2 b3", "b2b3", "B2xB3", "b2 x b3", "b2 to b3", "b2 - b3", "b2->b3", "move b2 b3"]
        {
            assert_eq!(Typed::read(text, Lang::En), play("b2-b3"), "{text}");
        }
        for text in
            ["b9", "e2", "b2 b3 b4", "flip", "flip b2 b3", "castle", "b2?b3", "\u{fffd}", "b2\u{fffd}"]
        {
            assert_eq!(Typed::read(text, Lang::En), Typed::Unknown, "{text}");
        }
        assert_eq!(Typed::read("　", Lang::En), Typed::Nothing);
        assert_eq!(Typed::read("hint 3", Lang::ZhHans), Typed::Command(Command::Hint, "3".to_owned()));
    }

    /// Every command has a word in every language, and no word stands for two commands.
    #[test]
    fn commands_have_words_in_every_language() {
        for lang in Lang::ALL {
            for (name, command) in COMMANDS.into_iter().filter(|(_, c)| *c != Command::Flip) {
                for word in [name, lang.text(&format!("command.{name}"))] {
                    assert_eq!(Typed::read(word, lang), Typed::Command(command, String::new()), "{word}");
                }
                for part in ["usage", "help"] {
                    let key = format!("{part}.{name}");
                    assert_ne!(lang.text(&key), key, "{}", lang.tag());
                }
            }
        }
    }
}
