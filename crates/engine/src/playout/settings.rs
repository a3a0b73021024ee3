//! The settings of playouts. A game without playouts of its own reads only their size.
//!
//! The policies, and what a size may count, are those of Jouandeau and Cazenave (2014), "Small and Large MCTS Playouts
//! Applied to Chinese Dark Chess Stochastic Game".

use crate::setting::{Setting, number, word};

/// The policy of a simulated player.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Policy {
    /// Anything.
    Random,
    /// A capture, else anything.
    #[default]
    Capture,
    /// Out of danger, else anything.
    Avoid,
    /// The action that leaves the enemy the fewest actions.
    Trap,
    /// A capture, else out of danger, else anything.
    CaptureAvoid,
    /// Out of danger, else a capture, else anything.
    AvoidCapture,
    /// A capture, else the action that leaves the enemy the fewest actions.
    CaptureTrap,
    /// A capture, else out of danger, else the action that leaves the enemy the fewest actions.
    CaptureAvoidTrap,
}

impl Policy {
    /// Every policy with its word, in the order of the paper's Table 1.
    pub const ALL: [(&'static str, Policy); 8] = [
        ("random", Policy::Random),
        ("capture", Policy::Capture),
        ("avoid", Policy::Avoid),
        ("capture-avoid", Policy::CaptureAvoid),
        ("avoid-capture", Policy::AvoidCapture),
        ("trap", Policy::Trap),
        ("capture-trap", Policy::CaptureTrap),
        ("capture-avoid-trap", Policy::CaptureAvoidTrap),
    ];
}

/// The plies that the size of a playout counts.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Counts {
    /// Plies without capture or flip, going on from the game's own counter: Table 2's "draw condition".
    #[default]
    Quiet,
    /// Plies without flip, captures among them: of the readings of Table 2, the closest to its numbers.
    Flips,
    /// All plies.
    Plies,
}

/// The evaluation of a playout that ends in a draw.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum DrawEval {
    /// Nothing: it is a draw, and only true wins count.
    #[default]
    Off,
    /// A win for the side with more material: the paper's `h`, as Table 1 counts it.
    Win,
    /// The difference of material itself.
    Value,
    /// What the evaluator says, unless the game's own rules call it a draw. With a size of a few plies these are the early
    /// playout terminations of Lorentz (2008), "Amazons Discover Monte-Carlo".
    Eval,
}

/// The settings of playouts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Settings {
    /// The policy of the players.
    pub policy: Policy,
    /// Their length; `None` for as long as the game's own rules allow.
    pub size: Option<u16>,
    /// The plies that the size counts.
    pub counts: Counts,
    /// The evaluation of draws.
    pub draws: DrawEval,
}

impl Default for Settings {
    fn default() -> Settings {
        // 2026-11-15, paired matches in about equal time, with `implicit=0.6`: four plies scored 82 +- 7 % against playouts to the
        // end; 57 +- 10 % against sixteen plies and 54 +- 8 % against none are within the error. docs/strength.md has more.
        Settings { policy: Policy::Capture, size: Some(4), counts: Counts::Plies, draws: DrawEval::Eval }
    }
}

impl Settings {
    pub(crate) const ALL: &[Setting] = &[
        Setting::new(
            "playout",
            "random, capture, avoid, capture-avoid, avoid-capture, trap, capture-trap or capture-avoid-trap",
            Some("capture"),
            "the preference of playouts: the eight policies of Jouandeau and Cazenave (2014), \"Small and Large MCTS Playouts Applied to Chinese Dark Chess Stochastic Game\"",
        ),
        Setting::new("playout_size", "0 to 60000 plies, or game", Some("4"), "the length of a playout"),
        Setting::new(
            "playout_counts",
            "quiet, flips or plies",
            Some("plies"),
            "the plies of a playout that count toward its length",
        ),
        Setting::new(
            "playout_eval",
            "off, win, value or eval",
            Some("eval"),
            "how an unfinished playout counts: as a draw, as a win of the side that is ahead, by pieces, or by the evaluation",
        ),
    ];

    pub(crate) fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "playout" => self.policy = word(value, &Policy::ALL)?,
            "playout_size" if value == "game" => self.size = None,
            "playout_size" => self.size = Some(number(value, 0..=60_000)?),
            "playout_counts" => {
                let words = [("quiet", Counts::Quiet), ("flips", Counts::Flips), ("plies", Counts::Plies)];
                self.counts = word(value, &words)?;
            }
            "playout_eval" => {
                let words = [
                    ("off", DrawEval::Off),
                    ("win", DrawEval::Win),
                    ("value", DrawEval::Value),
                    ("eval", DrawEval::Eval),
                ];
                self.draws = word(value, &words)?;
            }
            _ => return None,
        }
        Some(())
    }
}
