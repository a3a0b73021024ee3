//! An opponent who is the same in every game: what was learned of it, when that is worth keeping, and games that were broken off.

use anglerfish_engine::Profile;
use anglerfish_rules::banqi::Event;

/// What was learned of an opponent who is the same in every game.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// What is known of it by now, this game included.
    pub profile: Profile,
    /// This game.
    pub game: Begun,
}

/// A game that may be broken off and gone on with: it must not count twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Begun {
    /// What was played so far.
    pub plies: Vec<Event>,
    /// What was known of the opponent before.
    pub before: Option<Profile>,
}

/// What is known of such an opponent.
pub(super) struct Met {
    /// Before this game.
    pub(super) before: Option<Profile>,
    /// A game that was broken off earlier.
    broken: Option<Begun>,
    /// Plies of its that are in what was last given away to be kept.
    kept: u32,
}

/// After so many plies of the opponent what is learned of it is kept, while the game goes on.
const KEPT_EVERY: u32 = 8;

impl Met {
    /// This is known by now, and a game may have been broken off.
    pub(super) fn new(known: Option<Profile>, broken: Option<Begun>) -> Met {
        let kept = known.as_ref().map_or(0, |known| known.plies);
        Met { before: known, broken, kept }
    }

    /// Whether the game that was broken off goes on, with these plies so far: then only what was known before it counts.
    pub(super) fn goes_on(&mut self, plies: impl Iterator<Item = Event>) -> bool {
        let Some(broken) = &self.broken else { return false };
        let same = plies.take(broken.plies.len()).eq(broken.plies.iter().copied());
        if same && !broken.plies.is_empty() {
            self.before.clone_from(&broken.before);
            return true;
        }
        false
    }

    /// Whether this is to be kept now: when a game is over, and while it goes on if enough is new.
    pub(super) fn is_worth_keeping(&mut self, learned: &Learned, over: bool) -> bool {
        let plies = learned.profile.plies;
        let worth = over || plies >= self.kept.saturating_add(KEPT_EVERY);
        if worth {
            self.kept = plies;
        }
        worth
    }
}
