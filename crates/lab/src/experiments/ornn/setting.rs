//! The programs that the networks distinguish: a champion, a weaker and a stronger one. They were fixed
//! before any training.

use anglerfish_arena::{Contestant, Match, Openings};
use anglerfish_opponents::ornn::Class;
use anglerfish_rules::banqi::Banqi;

use crate::Manifest;
use anglerfish_opponents::nets::{NETS, Trained};

/// One of our players with a budget.
#[derive(Clone, Copy)]
pub(super) struct Program {
    pub(super) player: &'static str,
    pub(super) nodes: u64,
}

/// Three programs, whose games networks were trained on.
pub(super) struct Setting {
    pub(super) name: &'static str,
    /// Weaker, equal (the champion) and stronger.
    pub(super) programs: [Program; 3],
}

const fn program(player: &'static str, nodes: u64) -> Program {
    Program { player, nodes }
}

/// Programs of different kinds, and one program at three budgets.
pub(super) const SETTINGS: [Setting; 2] = [
    Setting {
        name: "kinds",
        programs: [
            program("thinker4,hash=1", 1),
            program("alphabeta,eval=course,hash=1", 50),
            program("mcts,hash=4", 800),
        ],
    },
    Setting {
        name: "budgets",
        programs: [
            program("alphabeta,hash=1", 50),
            program("alphabeta,hash=1", 500),
            program("alphabeta,hash=1", 2_500),
        ],
    },
];

/// Games stop after this many plies, the last that the networks look at.
const STOP: u32 = 18;
/// Offset of an experiment's seeds, away from those of the training games and from each other.
const SEEDS: u64 = 1_000_000;

impl Program {
    fn contestant(self, name: &str) -> Contestant {
        Contestant::builtin(name, self.player, &format!("nodes={}", self.nodes))
    }
}

impl Setting {
    pub(super) fn by_name(name: &str) -> Option<&'static Setting> {
        SETTINGS.iter().find(|setting| setting.name == name)
    }

    /// Its networks.
    pub(super) fn nets(&self) -> impl Iterator<Item = &'static Trained> {
        NETS.iter().filter(|trained| trained.setting == self.name)
    }

    /// Games of the champion with the program of a class, which is the second of the players.
    fn game(&self, manifest: &Manifest, class: Class, games: u64) -> Match {
        let champion = self.programs[Class::Equal as usize].contestant("champion");
        let them = self.programs[class as usize].contestant("opponent");
        let seed = SEEDS * (1 + manifest.seed) + class as u64;
        Match {
            openings: Openings::Random(1),
            ..Match::new::<Banqi>([champion, them], "platform", seed, games.div_ceil(2))
        }
    }

    /// Openings for the networks to classify.
    pub(super) fn openings(&self, manifest: &Manifest, class: Class) -> Match {
        Match { stop: Some(STOP), ..self.game(manifest, class, manifest.number("games")) }
    }

    /// Whole games, to measure the programs' strength.
    pub(super) fn strength(&self, manifest: &Manifest, class: Class) -> Match {
        Match { luck: manifest.luck.clone(), ..self.game(manifest, class, manifest.number("scored")) }
    }
}
