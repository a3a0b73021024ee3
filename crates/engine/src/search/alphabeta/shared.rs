//! The state that all threads of a search share, and the plan of its nodes.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::{Game, Reason, Rng, Seat, Team};

use super::feature::{Feature, Without};
use super::foresight::Foresight;
use super::settings::Settings;
use super::table::Table;
use crate::clock::Clock;
use crate::limits::{Limits, Stop};
use crate::parameters;
use crate::score::Score;
use crate::stance::Draws;

/// The state that all threads of a search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    pub(super) plan: Plan,
    pub(super) foresight: Option<Foresight<'a>>,
    pub(super) limits: Limits,
    pub(super) clock: &'a dyn Clock,
    pub(super) stop: &'a Stop,
    /// When the search began.
    pub(super) start: Duration,
    /// Set when the first thread is done, or any has panicked. The other threads only help; their results so far are compared.
    pub(super) done: AtomicBool,
    /// Nodes that the threads have reported.
    pub(super) nodes: AtomicU64,
}

impl Shared<'_> {
    /// The time since the search began.
    pub(super) fn time(&self) -> Duration {
        self.clock.now().saturating_sub(self.start)
    }

    /// Whether another iteration would probably not end in time: it takes some times as long as all before it.
    pub(super) fn is_late(&self) -> bool {
        self.limits.soft.is_some_and(|soft| self.time() >= soft * parameters::LATE / 10)
    }
}

/// The settings of a search in the form that its nodes read.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) settings: Settings,
    pub(super) rules: RuleSet,
    /// Whether nothing selective is on: then table entries must have exactly the right depth.
    pub(super) strict: bool,
    /// The values of draws to the side to move at the root: by repetition, and otherwise.
    pub(super) draws: [Score; 2],
    /// The estimate that counts as a draw for that side: 0, unless estimates are shifted.
    pub(super) level: Score,
    /// Mixed into the keys of the table: the rules, and the values of draws to the side to move at even and at odd plies.
    pub(super) salts: [u64; 2],
}

impl Plan {
    pub(super) fn new(settings: Settings, view: &Banqi, draws: Draws) -> Plan {
        let rules = view.rules();
        let mover = view.turn().seat().map_or(Team::A, Seat::team);
        let salt = |team: Team| {
            let worth = |reason| u64::from(draws.score(team, reason) as u32);
            let what = worth(Reason::Repetition) << 32 | worth(Reason::Quiet);
            Rng::stream(what, &rules.to_string()).next_u64() ^ u64::from(draws.level(team) as u32)
        };
        let all = Without::SELECTIVITY;
        let strict = Feature::ALL.iter().all(|&f| !all.lacks(f) || settings.without.lacks(f));
        Plan {
            settings,
            rules,
            strict,
            draws: [Reason::Repetition, Reason::Quiet].map(|reason| draws.score(mover, reason)),
            level: draws.level(mover),
            salts: [mover, mover.other()].map(salt),
        }
    }

    #[inline]
    pub(super) const fn has(&self, feature: Feature) -> bool {
        !self.settings.without.lacks(feature)
    }
}
