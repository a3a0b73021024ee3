//! All models that predict hidden men, made from the players for training.

use std::collections::{BTreeMap, BTreeSet};

use anglerfish_rules::{Rng, RngExt};
use anglerfish_siguo::{Arm, Layout, Role, SLOTS};

use super::archive::{Archive, Part};
use super::deeds::{Learner, Net, Sample, samples};
use super::measure::{Case, cases};
use super::mixture::{Mixture, memory};
use super::paper::{Class, Fights, Influence, positions, strengths, value};
use super::tables::{Classified, Odds, Table, balanced};

/// The models, in the order of every list of them.
pub(super) const NAMES: [&str; 11] = [
    "uniform",
    "general",
    "classified: equation 7",
    "classified: likeliest class",
    "classified: tables trained anew",
    "classified: men worth their values",
    "general, as many of each as there are",
    "kinds",
    "deeds",
    "kinds and deeds",
    "kinds, deeds and memory",
];
/// Only certain knowledge.
pub(super) const UNIFORM: usize = 0;
/// The baseline.
pub(super) const GENERAL: usize = 1;
/// The paper's model.
pub(super) const CLASSIFIED: usize = 2;
/// All evidence without knowing the player, and our best of that kind.
pub(super) const ANYBODY: usize = 9;
/// With the earlier armies of the same player.
pub(super) const BEST: usize = 10;

/// The parameters of training.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Training {
    /// Number of games to learn from.
    pub(super) games: usize,
    /// One of this many cases is learned from.
    pub(super) one_of: u32,
    pub(super) epochs: u32,
    pub(super) kinds: usize,
    pub(super) seed: u64,
}

impl Training {
    /// From the numbers of a unit.
    pub(super) fn of([games, one_of, epochs, kinds, seed]: [u64; 5]) -> Training {
        Training {
            games: games as usize,
            one_of: one_of as u32,
            epochs: epochs as u32,
            kinds: kinds as usize,
            seed,
        }
    }
}

/// The models.
pub(super) struct Models {
    pub(super) general: Table,
    pub(super) printed: Classified,
    pub(super) trained: Classified,
    pub(super) plain: Classified,
    pub(super) influence: Influence,
    pub(super) strengths: [f64; 12],
    kinds: Mixture,
    net: Net,
    /// By player, its armies with the numbers of the games.
    past: BTreeMap<String, Vec<(usize, Layout)>>,
    /// The texts of all layouts for training.
    texts: BTreeSet<String>,
}

impl Models {
    /// Trains on the armies of the players for training, and on their men's actions. Earlier armies are those
    /// of all players.
    pub(super) fn new(archive: &Archive, training: Training) -> Models {
        let mut rng = Rng::stream(training.seed, "siguo");
        // Step 1. Tables.
        let layouts = archive.layouts(Part::Training);
        let fights = Fights::of(archive, Part::Training);
        let strengths = strengths(&fights.meetings);
        let influence = Influence::trained(&fights, &layouts, &strengths);
        let mut past: BTreeMap<String, Vec<(usize, Layout)>> = BTreeMap::new();
        for (n, game) in archive.games.iter().enumerate() {
            for arm in Arm::ALL {
                let armies = past.entry(game.players[arm.index()].clone()).or_default();
                armies.extend(game.start.layout(arm).map(|layout| (n, *layout)));
            }
        }
        // Step 2. The actions of men of each role.
        let mut armies: Vec<Vec<(Sample, usize)>> = Vec::new();
        // A run that asks for no network has none to learn.
        let games = if training.epochs == 0 { 0 } else { training.games };
        for game in archive.games.iter().take(games) {
            let learned = |arm: Arm| Part::of(&game.players[arm.index()]) == Part::Training;
            cases(game, learned, |case| {
                if rng.below(training.one_of.max(1)) == 0
                    && let Some(layout) = game.start.layout(case.arm)
                {
                    let role = |slot: usize| layout.role(slot).map_or(0, |role| role as usize);
                    let men = samples(case).into_iter();
                    armies
                        .push(men.map(|man| (man.slot, man)).map(|(slot, man)| (man, role(slot))).collect());
                }
            });
        }
        let mut learner = Learner::new(&mut rng);
        for _ in 0..training.epochs {
            rng.shuffle(&mut armies);
            for army in &armies {
                learner.learn(army);
            }
        }
        Models {
            general: Table::of(&layouts),
            printed: Classified::of(&layouts, &Influence::PRINTED, &strengths),
            trained: Classified::of(&layouts, &influence, &strengths),
            plain: Classified::of(&layouts, &Influence::PRINTED, &Role::ALL.map(value)),
            kinds: Mixture::learned(&layouts, training.kinds, 15, &mut rng),
            influence,
            strengths,
            net: learner.net,
            past,
            texts: layouts.iter().map(Layout::to_string).collect(),
        }
    }

    /// Whether exactly this layout was there for training.
    pub(super) fn has_twin(&self, layout: &Layout) -> bool {
        self.texts.contains(&layout.to_string())
    }

    /// The earlier armies of a player, the last one first.
    pub(super) fn past(&self, player: &str, game: usize) -> Vec<&Layout> {
        let armies = self.past.get(player).into_iter().flatten();
        let mut past: Vec<&Layout> = armies.filter(|(n, _)| *n < game).map(|(_, layout)| layout).collect();
        past.reverse();
        past
    }

    /// The likelihood of each role from the actions of an army's men.
    fn seen(&self, case: &Case<'_>) -> Odds {
        let mut seen = self.net.predict(&samples(case));
        for slot in positions() {
            for role in case.known.roles(slot).iter() {
                let common = self.general.odds()[slot][role as usize].max(1e-4);
                let seen = &mut seen[slot][role as usize];
                *seen = if case.known.roles(slot).settled().is_some() { 1.0 } else { *seen / common };
            }
        }
        seen
    }

    /// The weights of roles for sampling worlds by one of [`NAMES`]: worlds have the right number of each
    /// role anyway, so tables are used unchanged.
    pub(super) fn entries(&self, model: usize, case: &Case<'_>) -> Odds {
        match model {
            UNIFORM => *Table::uniform().odds(),
            GENERAL => *self.general.odds(),
            CLASSIFIED => self.printed.mixed(case.known),
            _ => self.kinds.predict(&[], &self.seen(case)),
        }
    }

    /// The classes of the paper, by its own tables.
    pub(super) fn class(&self, layout: &Layout) -> Class {
        Influence::PRINTED.class(layout, &self.strengths)
    }

    /// The prediction of each of [`NAMES`] for an army, with its owner's earlier armies.
    pub(super) fn predict(&self, case: &Case<'_>, past: &[&Layout]) -> Vec<Odds> {
        let known = case.known;
        let general = self.general.predict(known);
        // The likelihood of each role from certain knowledge, and from actions.
        let mut certain = [[0.0; 12]; SLOTS];
        for slot in positions() {
            known.roles(slot).iter().for_each(|role| certain[slot][role as usize] = 1.0);
        }
        let seen = self.seen(case);
        let anybody = Mixture::single(&self.general);
        let memory = memory(past, &self.general);
        vec![
            Table::uniform().predict(known),
            general,
            self.printed.predict(known),
            self.printed.predict_likeliest(known),
            self.trained.predict(known),
            self.plain.predict(known),
            balanced(&general),
            balanced(&self.kinds.predict(&[], &certain)),
            balanced(&anybody.predict(&[], &seen)),
            balanced(&self.kinds.predict(&[], &seen)),
            balanced(&self.kinds.predict(&memory, &seen)),
        ]
    }
}
