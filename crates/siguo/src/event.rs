//! The choices of players, and the public events that follow.

use std::fmt;
use std::str::FromStr;

use super::role::Clash;
use super::station::{Arm, Station};
use anglerfish_rules::Forfeit;
use anglerfish_rules::NotationError;

/// A choice. Only moves are ever listed, or the skip of a player who has no move; the other choices come from outside.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash, Ord, PartialOrd)]
pub enum Action {
    /// Moves to a station, and attacks the man on it.
    Move {
        /// The station of the man.
        from: Station,
        /// Its destination.
        to: Station,
    },
    /// Misses the turn.
    Skip,
    /// Leaves the game.
    Leave(Arm),
    /// Agrees on a draw.
    Agree,
}

/// An event as all players see it, without ranks.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum Event {
    /// The turn was missed, for lack of time or of moves. A player who misses a fifth turn is out.
    Move(Move),
    /// The turn was missed, for want of time or of moves. Who misses a fifth one is out.
    Skip,
    /// A player drops out, in or out of turn; its ally plays on.
    Out {
        /// The arm of the player.
        arm: Arm,
        /// Surrender is [`Forfeit::Resigned`], leaving [`Forfeit::Crashed`].
        why: Forfeit,
    },
    /// All players have agreed on a draw.
    Agree,
}

/// A move and the public facts that it revealed.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub struct Move {
    /// Its origin.
    pub from: Station,
    /// Its destination.
    pub to: Station,
    /// How the fight ended; `None` if the destination was free.
    pub clash: Option<Clash>,
    /// Whether the defender was a flag: its owner is out.
    pub taken: bool,
    /// The flags of the attacker and of the defender, for each that lost its marshal.
    pub shown: [Option<Station>; 2],
    /// Whether the attacker and the defender are out because they are walled in: no mobile man of theirs has
    /// a free station or an enemy beside it.
    pub walled: [bool; 2],
}

impl Event {
    /// The choice behind it.
    pub const fn action(self) -> Action {
        match self {
            Event::Move(Move { from, to, .. }) => Action::Move { from, to },
            Event::Skip => Action::Skip,
            Event::Out { arm, .. } => Action::Leave(arm),
            Event::Agree => Action::Agree,
        }
    }
}

const SIGNS: [(Option<Clash>, char); 4] =
    [(None, '-'), (Some(Clash::Wins), 'x'), (Some(Clash::Dies), '!'), (Some(Clash::Both), '=')];

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Move { from, to } => write!(f, "{from}-{to}"),
            Action::Skip => f.write_str("skip"),
            Action::Leave(arm) => write!(f, "out-{}", arm.letter()),
            Action::Agree => f.write_str("draw"),
        }
    }
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Action, NotationError> {
        let read = || match text {
            "skip" => Some(Action::Skip),
            "draw" => Some(Action::Agree),
            _ if text.starts_with("out-") => {
                Arm::from_letter(single(text.strip_prefix("out-")?)?).map(Action::Leave)
            }
            _ => {
                let (from, to) = text.split_once('-')?;
                Some(Action::Move { from: from.parse().ok()?, to: to.parse().ok()? })
            }
        };
        read().ok_or_else(|| NotationError::new("an action such as s11-c31 or skip", text, 0))
    }
}

/// After a move, `#` marks a captured flag, `^` with a station each shown flag (the attacker's first), and
/// `~a` or `~d` that the attacker or the defender is walled in.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let play = match self {
            Event::Move(play) => play,
            Event::Out { arm, why } => return write!(f, "out-{}:{why}", arm.letter()),
            Event::Skip | Event::Agree => return write!(f, "{}", self.action()),
        };
        let sign = SIGNS.iter().find(|(clash, _)| *clash == play.clash).map_or('-', |(_, sign)| *sign);
        write!(f, "{}{sign}{}", play.from, play.to)?;
        if play.taken {
            f.write_str("#")?;
        }
        for (mark, shown) in ["^a", "^d"].into_iter().zip(play.shown) {
            if let Some(flag) = shown {
                write!(f, "{mark}{flag}")?;
            }
        }
        for (mark, _) in ["~a", "~d"].into_iter().zip(play.walled).filter(|(_, walled)| *walled) {
            f.write_str(mark)?;
        }
        Ok(())
    }
}

impl FromStr for Event {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Event, NotationError> {
        let read = || match text {
            "skip" => Some(Event::Skip),
            "draw" => Some(Event::Agree),
            _ if text.starts_with("out-") => {
                let (arm, why) = text.strip_prefix("out-")?.split_once(':')?;
                let why = Forfeit::ALL.into_iter().find(|forfeit| forfeit.text() == why)?;
                Some(Event::Out { arm: Arm::from_letter(single(arm)?)?, why })
            }
            _ => read_move(text).map(Event::Move),
        };
        // Reads loosely, and accepts only the canonical spelling.
        let event = read().filter(|event| event.to_string() == text);
        event.ok_or_else(|| NotationError::new("a ply such as s11-c31, s11xn15^dn62 or skip", text, 0))
    }
}

fn read_move(text: &str) -> Option<Move> {
    let station = |text: &str, at: usize| text.get(at..at + 3)?.parse::<Station>().ok();
    let sign = single(text.get(3..4)?)?;
    let clash = SIGNS.iter().find(|(_, s)| *s == sign)?.0;
    let (from, to) = (station(text, 0)?, station(text, 4)?);
    let mut play = Move { from, to, clash, taken: false, shown: [None; 2], walled: [false; 2] };
    let mut rest = text.get(7..)?;
    while let Some(mark) = rest.chars().next() {
        let whose = usize::from(rest.get(1..2) == Some("d"));
        let length = match mark {
            '#' => {
                play.taken = true;
                1
            }
            '^' => {
                play.shown[whose] = Some(station(rest, 2)?);
                5
            }
            '~' => {
                play.walled[whose] = true;
                2
            }
            _ => return None,
        };
        rest = rest.get(length..)?;
    }
    Some(play)
}

fn single(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_go_round() {
        let events = [
            "s11-c31",
            "s11xn15",
            "s11!n15^as62",
            "s11=n15^as62^dn64",
            "e11xn62#",
            "e11=n62#~a",
            "s11xn15~d",
            "s11=n15~a~d",
            "skip",
            "draw",
            "out-w:resigned",
            "out-e:timeout",
        ];
        for text in events {
            assert_eq!(text.parse::<Event>().map(|event| event.to_string()).as_deref(), Ok(text));
        }
        let wrong = [
            "",
            "s11",
            "s11-",
            "s11-c41",
            "s11xn15^",
            "s11xn15^d",
            "s11xn15^dn6",
            "s11=n15^dn64^as62",
            "s11-c31~",
            "s11-c31##",
            "out-x:resigned",
            "out-w",
            "out-w:gone",
            "skip ",
            "s1é-c11",
            "s11xn15^dé6",
        ];
        for text in wrong {
            assert!(text.parse::<Event>().is_err(), "{text}");
        }
        for text in ["s11-c31", "skip", "draw", "out-s"] {
            assert_eq!(text.parse::<Action>().map(|action| action.to_string()).as_deref(), Ok(text));
        }
        for text in ["s11xc31", "out-", "out-ss", "s11-c3é"] {
            assert!(text.parse::<Action>().is_err(), "{text}");
        }
    }
}
