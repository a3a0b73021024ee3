//! Profiles: the knowledge of an opponent from earlier games, as text. The caller keeps them, because the engine has no disk.
//!
//! ```text
//! anglerfish-profile 1
//! game tictactoe
//! games 12
//! plies 49
//! style P0 0.000000001
//! style P1 0.999999999
//! ```
//!
//! The first line names format and version. Styles are names without spaces, in any order; what a reader does not know it
//! ignores when it plays, and keeps nothing of.

use std::fmt;
use std::str::FromStr;

/// The first line of every profile.
pub const PROFILE_FORMAT: &str = "anglerfish-profile 1";

/// The knowledge of one opponent at one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The game it is about; a profile of another game is not used.
    pub game: String,
    /// Games begun, the last one included.
    pub games: u32,
    /// Plies of the opponent that were seen.
    pub plies: u32,
    /// Names of styles with their probabilities; empty without a model.
    pub styles: Vec<(String, f64)>,
}

impl Profile {
    /// The probability of a style; `None` if the profile does not name it.
    pub fn probability(&self, style: &str) -> Option<f64> {
        self.styles.iter().find(|(name, _)| name == style).map(|(_, p)| *p)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{PROFILE_FORMAT}\ngame {}\ngames {}\nplies {}", self.game, self.games, self.plies)?;
        for (name, probability) in &self.styles {
            // Rust writes the shortest decimal that reads back as the same number.
            writeln!(f, "style {name} {probability}")?;
        }
        Ok(())
    }
}

/// Text that is not a profile, or of a version that we do not know.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ProfileError {
    /// The line, from 1.
    pub line: usize,
    /// The text that was expected.
    pub expected: &'static str,
    /// The text that was found.
    pub found: String,
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}, found {:?}", self.line, self.expected, self.found)
    }
}

impl std::error::Error for ProfileError {}

impl FromStr for Profile {
    type Err = ProfileError;

    fn from_str(text: &str) -> Result<Profile, ProfileError> {
        let mut lines = (1..).zip(text.lines());
        let mut next = |prefix: &'static str, expected: &'static str| {
            let (line, found) = lines.next().unwrap_or((text.lines().count() + 1, ""));
            let wrong = || ProfileError { line, expected, found: found.to_owned() };
            found.strip_prefix(prefix).ok_or_else(wrong)
        };
        // Step 1. The four lines that every profile has.
        if !next(PROFILE_FORMAT, PROFILE_FORMAT)?.is_empty() {
            return Err(ProfileError { line: 1, expected: PROFILE_FORMAT, found: first_line(text) });
        }
        let game = next("game ", "game NAME")?.to_owned();
        if !is_word(&game) {
            return Err(ProfileError { line: 2, expected: "game NAME, one word", found: game });
        }
        let counts = [next("games ", "games NUMBER")?, next("plies ", "plies NUMBER")?];
        let [games, plies] = counts.map(str::parse::<u32>);
        let wrong = |line, expected, found: &str| ProfileError { line, expected, found: found.to_owned() };
        let games = games.map_err(|_| wrong(3, "games NUMBER", counts[0]))?;
        let plies = plies.map_err(|_| wrong(4, "plies NUMBER", counts[1]))?;
        // Step 2. The styles.
        let mut profile = Profile { game, games, plies, styles: Vec::new() };
        for (line, found) in lines {
            let expected = "style NAME PROBABILITY, each name once";
            let style = found.strip_prefix("style ").and_then(|rest| rest.rsplit_once(' '));
            let style = style.and_then(|(name, p)| Some((name, p.parse::<f64>().ok()?)));
            let fits = |&(name, p): &(&str, f64)| {
                is_word(name) && (0.0..=1.0).contains(&p) && profile.probability(name).is_none()
            };
            let (name, p) = style.filter(fits).ok_or_else(|| wrong(line, expected, found))?;
            profile.styles.push((name.to_owned(), p));
        }
        Ok(profile)
    }
}

/// Names are words: anything else would not come back from a line of text.
fn is_word(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control())
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_survive_a_trip_through_text() {
        let styles = vec![("P0".to_owned(), 1e-9), ("P1".to_owned(), 1.0 / 3.0), ("P2".to_owned(), 0.0)];
        for styles in [styles, Vec::new()] {
            let profile = Profile { game: "tictactoe".to_owned(), games: 12, plies: 49, styles };
            assert_eq!(profile.to_string().parse(), Ok(profile));
        }
    }

    #[test]
    fn what_is_no_profile_is_refused_with_its_line() {
        let head = "anglerfish-profile 1\ngame banqi\ngames 1\nplies 2\n";
        let check = |text: &str, line: usize| {
            assert_eq!(text.parse::<Profile>().expect_err(text).line, line, "{text}");
        };
        check("", 1);
        check("anglerfish-profile 2\ngame banqi\n", 1);
        check("anglerfish-profile 10\n", 1);
        check("anglerfish-profile 1\n", 2);
        check("anglerfish-profile 1\ngame \r\r\r\ngames 1\nplies 4", 2);
        check("anglerfish-profile 1\ngame banqi\ngames -1\nplies 2\n", 3);
        check(&format!("{head}style P0\n"), 5);
        check(&format!("{head}style P0 2\n"), 5);
        check(&format!("{head}style P0 NaN\n"), 5);
        check(&format!("{head}style P0 0.5\nstyle P0 0.5\n"), 6);
        check(&format!("{head}other\n"), 5);
        assert!(head.parse::<Profile>().is_ok());
    }
}
