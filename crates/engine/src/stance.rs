//! How we mean to play against this opponent: the only channel from opponent models to the searches.

use anglerfish_rules::{Reason, Team};

use crate::score::Score;

/// How we mean to play. Each part may come from another source, or be left open. The default leaves all open, and plays as against
/// a perfect opponent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stance {
    /// The value of a draw, and the seat it is meant for.
    pub draws: Option<Draws>,
    /// How far to believe what a model predicts of the opponent: 0 plays as against a perfect one, 1 as against the
    /// predicted one. The model sets it. Searches that do not ask a model do not read it.
    pub trust: Option<f32>,
}

impl Stance {
    /// This one, and `other` where it says nothing.
    #[must_use]
    pub fn or(self, other: Stance) -> Stance {
        Stance { draws: self.draws.or(other.draws), trust: self.trust.or(other.trust) }
    }
}

/// The value of a draw, and the seat it is meant for: the contempt factor of the ORNN paper, with its sign. 0.2 accepts a draw when only
/// slightly ahead, −0.6 refuses one until clearly behind. Chess engines use the opposite sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draws {
    /// The team that the value is meant for.
    pub us: Team,
    /// The value of a draw within the scope to it.
    pub value: Score,
    /// Which draws are meant.
    pub scope: DrawScope,
}

impl Draws {
    /// Draws that are worth nothing to either side.
    pub const NOTHING: Draws = Draws { us: Team::A, value: 0, scope: DrawScope::All };

    /// The value of a draw for this reason to a team.
    pub fn score(&self, team: Team, reason: Reason) -> Score {
        let meant = match self.scope {
            DrawScope::All => true,
            DrawScope::Repetition => reason == Reason::Repetition,
            DrawScope::Wdl => false,
        };
        match (meant, team == self.us) {
            (false, _) => 0,
            (true, true) => self.value,
            (true, false) => -self.value,
        }
    }

    /// Which estimate is as good as a draw to a team, if estimates lean.
    pub fn level(&self, team: Team) -> Score {
        match (self.scope, team == self.us) {
            (DrawScope::Wdl, true) => self.value,
            (DrawScope::Wdl, false) => -self.value,
            _ => 0,
        }
    }
}

/// Which draws are worth something to us; the others are worth nothing to either side.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum DrawScope {
    /// Every draw.
    #[default]
    All,
    /// Only those by repetition: what the ORNN paper means.
    Repetition,
    /// No draws. Instead every estimate is shifted, by its log-odds, so that a position of the value counts as a draw: the win-draw-loss form
    /// of Lc0. It differs from a value of all draws in averages over chance. Only `alphabeta` does it; for other searches draws are worth 0.
    Wdl,
}

impl DrawScope {
    /// All of them, in the order of their words for the setting `draw_scope`.
    pub const ALL: [DrawScope; 3] = [DrawScope::All, DrawScope::Repetition, DrawScope::Wdl];

    /// The word for the setting `draw_scope`.
    pub const fn text(self) -> &'static str {
        match self {
            DrawScope::All => "all",
            DrawScope::Repetition => "repetition",
            DrawScope::Wdl => "wdl",
        }
    }
}
