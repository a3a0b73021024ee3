//! An opponent that is the same in every game: what was learned of it, when to store that, and interrupted games.

use anglerfish_engine::Profile;
use anglerfish_rules::banqi::Event;

/// What was learned of an opponent that is the same in every game.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// The knowledge of it, this game included.
    pub profile: Profile,
    /// This game.
    pub game: Begun,
}

/// A game that may be interrupted and resumed: it must not count twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Begun {
    /// The plies so far.
    pub plies: Vec<Event>,
    /// The knowledge of the opponent from before the game.
    pub before: Option<Profile>,
}

/// The knowledge of such an opponent.
pub(super) struct Met {
    /// Before this game.
    pub(super) before: Option<Profile>,
    /// A game that was interrupted earlier.
    broken: Option<Begun>,
    /// How many of its plies the last stored state includes.
    kept: u32,
}

/// After how many further plies of the opponent its state is stored during a game.
const KEPT_EVERY: u32 = 8;

impl Met {
    /// Starts from earlier knowledge, and perhaps an interrupted game.
    pub(super) fn new(known: Option<Profile>, broken: Option<Begun>) -> Met {
        let kept = known.as_ref().map_or(0, |known| known.plies);
        Met { before: known, broken, kept }
    }

    /// Whether these plies continue the interrupted game: then only the knowledge from before that game counts.
    pub(super) fn goes_on(&mut self, plies: impl Iterator<Item = Event>) -> bool {
        let Some(broken) = &self.broken else { return false };
        let same = plies.take(broken.plies.len()).eq(broken.plies.iter().copied());
        if same && !broken.plies.is_empty() {
            self.before.clone_from(&broken.before);
            return true;
        }
        false
    }

    /// Whether to store the state now: at the end of a game, and during one if enough is new.
    pub(super) fn is_worth_keeping(&mut self, learned: &Learned, over: bool) -> bool {
        let plies = learned.profile.plies;
        let worth = over || plies >= self.kept.saturating_add(KEPT_EVERY);
        if worth {
            self.kept = plies;
        }
        worth
    }
}
