//! Tuning the evaluation's numbers by self-play: SPSA, one pair of games at a time.
//!
//! Every pair plays the numbers moved a little in a random direction against the numbers moved the other way, and the result
//! moves them toward the winner (Spall 1992, "Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation"). Pairs are played in batches that start from the same numbers, so the outcome does not depend on how many
//! run at a time, and each pair is a unit: a run that was interrupted goes on from its journal.
//!
//! If luck is judged, a share of it is subtracted from each pair; the earlier batches say how much. So the numbers follow the play
//! more, and the deal less.

use std::ops::ControlFlow;

use anglerfish_engine::luck::{Millionths, STAGES};
use anglerfish_engine::{Config, ConfigError, Tunables};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Rng, RngExt};
use serde::Serialize;

use super::contestant::Contestant;
use super::identity::Identity;
use super::matches::{Match, MatchError};
use super::result_store::{ResultStore, UnitResult};
use super::unit::Name;
use super::units::run_units;
use super::worker::{Worker, halves};
use crate::luck::{Judging, read_luck};
use crate::stats::adjusted::{Adjusted, points};

/// The settings of a tuning run.
#[derive(Clone, Debug, Serialize)]
pub struct Tune {
    /// The player whose numbers are tuned: the text of a [`Config`].
    pub player: String,
    /// Which numbers, by their names in [`Tunables::NAMES`]; all if there are none.
    pub names: Vec<String>,
    /// The rule set.
    pub rules: String,
    /// The budget of a player.
    pub budget: String,
    /// The seed of everything random.
    pub seed: u64,
    /// Pairs in all.
    #[serde(skip)]
    pub pairs: u64,
    /// Pairs that start from the same numbers.
    pub batch: u64,
    /// The first step by which a number is moved to try it, as a share of its size; at least one.
    pub step: f64,
    /// How many steps a won pair moves a number at first.
    pub rate: f64,
    /// After how many pairs moves are half as large; steps shrink with the square root of that.
    pub half_life: f64,
    /// The judge of luck; `None` if results are not adjusted for luck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub luck: Option<Judging>,
    /// The engine that plays.
    pub engine: Identity,
}

/// The progress of a run.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Pairs played.
    pub pairs: u64,
    /// The numbers, as real numbers.
    numbers: Vec<[f64; 2]>,
    /// The leads of the winners of the pairs, each as a share of its two points: how much the directions mattered.
    pub signal: f64,
    /// The pairs with their luck, if it is judged.
    pub adjusted: Adjusted,
}

impl Progress {
    /// The numbers, rounded.
    pub fn tunables(&self) -> Tunables {
        let mut tunables = Tunables::default();
        for (place, number) in self.numbers.iter().enumerate() {
            tunables.set_number(place, (number[0].round() as i32, number[1].round() as i32));
        }
        tunables
    }
}

impl Tune {
    /// Plays until enough pairs are played; `heard` is told of every batch.
    ///
    /// # Errors
    /// When the settings are invalid or the result store fails.
    pub fn run(
        &self,
        worker: &Worker,
        ledger: &mut dyn ResultStore,
        threads: usize,
        heard: &mut dyn FnMut(&Progress),
    ) -> Result<Progress, MatchError> {
        let config: Config =
            self.player.parse().map_err(|e: ConfigError| MatchError::Settings(e.to_string()))?;
        let real = |(early, late): (i32, i32)| [f64::from(early), f64::from(late)];
        let numbers: Vec<[f64; 2]> = config.eval.tunables.numbers().into_iter().map(real).collect();
        let sizes: Vec<[f64; 2]> =
            numbers.iter().map(|n| n.map(|x| (x.abs() * self.step).max(1.0))).collect();
        let tuned = self.tuned()?;
        let mut progress = Progress { pairs: 0, numbers, signal: 0.0, adjusted: Adjusted::default() };
        while progress.pairs < self.pairs {
            // Step 1. Cut the pairs of this batch, all from the same numbers.
            let shrink = 0.5f64.powf(progress.pairs as f64 / self.half_life);
            let trials: Vec<Trial> = (1..=self.batch)
                .map(|i| self.trial(progress.pairs + i, &progress.numbers, &sizes, &tuned, shrink.sqrt()))
                .collect();
            // Step 2. Play those that the result store does not have.
            let pairs = play(&trials, worker, ledger, threads)?;
            // Step 3. Move the numbers toward the winners.
            let weights = progress.adjusted.weights_for_others();
            for (trial, Pair { score, luck }) in trials.iter().zip(pairs) {
                let taken: f64 = weights.iter().zip(luck).map(|(weight, luck)| weight * luck).sum();
                let won = 2.0 * (score - taken) - 1.0;
                if self.luck.is_some() {
                    progress.adjusted.add(score, luck);
                }
                progress.signal += (2.0 * score - 1.0).abs();
                for (number, (direction, size)) in
                    progress.numbers.iter_mut().zip(trial.directions.iter().zip(&sizes))
                {
                    for i in 0..2 {
                        number[i] += won * self.rate * shrink * f64::from(direction[i]) * size[i];
                    }
                }
            }
            progress.pairs += self.batch;
            heard(&progress);
        }
        Ok(progress)
    }

    /// The indices of the tuned numbers.
    fn tuned(&self) -> Result<Vec<bool>, MatchError> {
        let known = |name: &String| Tunables::NAMES.iter().any(|(n, _)| n == name);
        if let Some(unknown) = self.names.iter().find(|name| !known(name)) {
            let names: Vec<&str> = Tunables::NAMES.iter().map(|(n, _)| *n).collect();
            return Err(MatchError::Settings(format!(
                "expected a number of {}, found {unknown:?}",
                names.join(", ")
            )));
        }
        let chosen = |name: &str| self.names.is_empty() || self.names.iter().any(|n| n == name);
        Ok(Tunables::NAMES.iter().flat_map(|(name, n)| std::iter::repeat_n(chosen(name), *n)).collect())
    }

    /// Pair `n`: the numbers moved one way against the numbers moved the other way.
    fn trial(&self, n: u64, numbers: &[[f64; 2]], sizes: &[[f64; 2]], tuned: &[bool], shrink: f64) -> Trial {
        let mut dice = Rng::stream(self.seed, &format!("tune:{n}"));
        let mut direction = || if dice.below(2) == 0 { 1i8 } else { -1 };
        let directions: Vec<[i8; 2]> =
            tuned.iter().map(|&tuned| if tuned { [direction(), direction()] } else { [0, 0] }).collect();
        let player = |name: &str, sign: f64| {
            let moved = |i: usize, k: usize| {
                let step = (sizes[i][k] * shrink).max(1.0) * f64::from(directions[i][k]);
                (numbers[i][k] + sign * step).round() as i32
            };
            let (mut text, mut place) = (self.player.clone(), 0);
            for (name, count) in Tunables::NAMES {
                if tuned[place] {
                    let values = (place..place + count).map(|i| format!("{}:{}", moved(i, 0), moved(i, 1)));
                    text += &format!(",{name}={}", values.collect::<Vec<_>>().join("/"));
                }
                place += count;
            }
            Contestant::builtin(name, &text, &self.budget)
        };
        let players = [player("up", 1.0), player("down", -1.0)];
        let game = Match {
            engine: self.engine.clone(),
            luck: self.luck.clone(),
            ..Match::new::<Banqi>(players, &self.rules, self.seed, n)
        };
        Trial { unit: game.unit(n).text(), directions }
    }
}

/// The result of a pair of games.
struct Pair {
    /// The points a game of the first player.
    score: f64,
    /// Its luck by stage; zeros without a judge.
    luck: [f64; STAGES],
}

/// The pair of each trial. Its result is the half points of the first player and, if it was judged, the luck of both games.
fn play(
    trials: &[Trial],
    worker: &Worker,
    ledger: &mut dyn ResultStore,
    threads: usize,
) -> Result<Vec<Pair>, MatchError> {
    let units = trials.iter().map(|trial| ((), trial.unit.clone()));
    let work = |unit: &str| {
        let records = worker.play::<Banqi>(unit)?;
        let luck = records.iter().filter_map(|record| Some(read_luck(record)?.1)).flatten();
        let words = std::iter::once(halves(&records).to_string()).chain(luck.map(|luck| luck.to_string()));
        Ok(((), words.collect::<Vec<_>>().join(" ")))
    };
    run_units(units, threads, Some(&mut *ledger), work, |_, (), _| {
        Ok::<_, MatchError>(ControlFlow::Continue(()))
    })?;
    let wrong = |what: &str| MatchError::Settings(what.to_owned());
    let points = |trial: &Trial| match ledger.get(&Name::of(&trial.unit))? {
        Some(UnitResult::Result(text)) => {
            read(&text).ok_or_else(|| wrong("the journal holds something that is not points"))
        }
        Some(UnitResult::Failed(why)) => Err(wrong(&format!("a pair panicked: {why}"))),
        None => Err(wrong("a pair was not played")),
    };
    trials.iter().map(points).collect()
}

/// Reads what [`play`] writes.
fn read(text: &str) -> Option<Pair> {
    let mut words = text.split_whitespace();
    let halves: u8 = words.next()?.parse().ok()?;
    let luck: Vec<Millionths> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let (games, rest) = luck.as_chunks::<STAGES>();
    let luck = if games.is_empty() { [0.0; STAGES] } else { points(games) };
    rest.is_empty().then_some(Pair { score: f64::from(halves) / 4.0, luck })
}

/// One pair to be played and which way each number was moved.
struct Trial {
    unit: String,
    directions: Vec<[i8; 2]>,
}
