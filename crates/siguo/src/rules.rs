//! The options of a table: visible armies, number of players, and when a game without fights is drawn.

use std::fmt;
use std::str::FromStr;

use anglerfish_rules::NotationError;

/// The armies that a player sees, besides its own.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Hash)]
pub enum Sight {
    /// 四暗: none.
    #[default]
    FourDark,
    /// 双明: its ally's.
    PartnerOpen,
    /// 全明: all.
    AllOpen,
}

impl Sight {
    /// Every kind of sight, in the order of the enum.
    pub const ALL: [Sight; 3] = [Sight::FourDark, Sight::PartnerOpen, Sight::AllOpen];

    /// The word used in rules.
    pub const fn text(self) -> &'static str {
        match self {
            Sight::FourDark => "four-dark",
            Sight::PartnerOpen => "partner-open",
            Sight::AllOpen => "all-open",
        }
    }
}

/// Number of players.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Hash)]
pub enum Players {
    /// Two against two; allies sit across.
    #[default]
    Four,
    /// South against north on the same board; east and west stay empty.
    Two,
}

/// The rules of one table. The text is the sight, then the differences from the default:
/// `four-dark,players=2,quiet=49`.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub struct Rules {
    /// The armies that a player sees.
    pub sight: Sight,
    /// Number of players.
    pub players: Players,
    /// A game is drawn after this many moves in a row without a fight; from 1 to 1000.
    pub quiet: u16,
}

/// As people play: of 3,327 recorded games none went further, and the 45 that reached 71 moves ended there.
const QUIET: u16 = 71;
const MOST_QUIET: u16 = 1000;

impl Default for Rules {
    fn default() -> Rules {
        Rules { sight: Sight::default(), players: Players::default(), quiet: QUIET }
    }
}

impl Rules {
    /// The greatest number of plies in a game.
    ///
    /// A fight kills at least one man, so there are at most 100, with fewer quiet moves than the limit before
    /// and after each. Every player may miss five turns, and two may leave.
    pub const fn longest_game(&self) -> u32 {
        101 * self.quiet as u32 + 4 * 5 + 2
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sight.text())?;
        if self.players == Players::Two {
            f.write_str(",players=2")?;
        }
        if self.quiet != QUIET {
            write!(f, ",quiet={}", self.quiet)?;
        }
        Ok(())
    }
}

impl FromStr for Rules {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Rules, NotationError> {
        let sight = text.split(',').next().unwrap_or_default();
        let expected = "four-dark, partner-open or all-open";
        let known = Sight::ALL.into_iter().find(|s| s.text() == sight);
        let mut rules =
            Rules { sight: known.ok_or_else(|| NotationError::new(expected, text, 0))?, ..Rules::default() };
        let mut at = sight.len();
        for word in text.split(',').skip(1) {
            let quiet = word.strip_prefix("quiet=").and_then(|n| n.parse().ok());
            match quiet.filter(|n| (1..=MOST_QUIET).contains(n)) {
                Some(quiet) => rules.quiet = quiet,
                None if word == "players=2" => rules.players = Players::Two,
                None => {
                    return Err(NotationError::new("players=2 or quiet=1 to quiet=1000", text, at + 1));
                }
            }
            at += 1 + word.len();
        }
        let shortest = rules.to_string();
        if shortest == text { Ok(rules) } else { Err(NotationError::new(format!("{shortest:?}"), text, 0)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_and_refused() {
        for text in
            ["four-dark", "partner-open,players=2", "all-open,quiet=49", "four-dark,players=2,quiet=1000"]
        {
            assert_eq!(text.parse::<Rules>().map(|rules| rules.to_string()).as_deref(), Ok(text));
        }
        let wrong = [
            ("", 0),
            ("dark", 0),
            ("four-dark,", 10),
            ("four-dark,quiet=0", 10),
            ("four-dark,quiet=1001", 10),
            ("four-dark,players=2,players=3", 20),
            ("four-dark,quiet=71", 0),
            ("four-dark,quiet=49,players=2", 0),
            ("four-dark,quiet=+9", 0),
        ];
        for (text, at) in wrong {
            assert_eq!(text.parse::<Rules>().map_err(|e| e.at), Err(at), "{text}");
        }
    }
}
