//! Siguo: whether classes of players help to guess hidden men (Zhang and others, 2014), and what helps more,
//! on recorded human games.
//!
//! The games have no license and are not part of this repository. Without them only two parts run: the
//! paper's own numbers, and its method on synthetic armies of three classes. docs/siguo.md fixes the details
//! that the paper leaves open.

mod agents;
mod alone;
mod archive;
mod deeds;
mod evidence;
mod findings;
mod measure;
mod mixture;
mod models;
mod paper;
mod play;
mod synthetic;
mod tables;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};

use anglerfish_siguo::Arm;

use self::archive::{Archive, Part};
use self::measure::{GameScore, Owner, Score, cases, stage};
use self::models::{Models, NAMES, Training};
use self::play::{Armies, MATCHES};
use crate::experiment::{number, read_unit, written};
use crate::{Experiment, Findings, LabError, Manifest, Results, Size};

/// The experiment without recorded games.
pub struct Siguo;

/// The experiment on recorded games.
struct Recorded {
    archive: Archive,
    /// The models made so far: units of a run share them.
    models: Mutex<Vec<(Training, Arc<Models>)>>,
}

impl Experiment for Siguo {
    fn name(&self) -> &'static str {
        "siguo"
    }

    fn about(&self) -> &'static str {
        "Siguo: guessing the men of people by tables, classes, kinds of armies and deeds; Zhang, Wang, Yao and Wu (2014), \"Building Opponent Model in Imperfect Information Board Games\", Table 6"
    }

    fn numbers(&self, size: Size) -> Vec<(&'static str, u64)> {
        let [armies, games, every, train, one_of, epochs, kinds] = match size {
            Size::Ci => [1_200, 60, 10, 200, 4, 2, 8],
            Size::Paper => [4_000, 100_000, 4, 100_000, 12, 5, 32],
            Size::Full => [4_000, 100_000, 1, 100_000, 6, 5, 32],
        };
        // About 11 ms of one core per move with 16 worlds in the player of the paper, and 26 ms with 96 in ours.
        let [rounds, pairs, worlds, strong] = match size {
            Size::Ci => [2, 1, 2, 2],
            Size::Paper => [100, 50, 16, 96],
            Size::Full => [1_000, 500, 16, 96],
        };
        vec![
            ("armies", armies),
            ("games", games),
            ("every", every),
            ("train", train),
            ("one-of", one_of),
            ("epochs", epochs),
            ("kinds", kinds),
            ("rounds", rounds),
            ("pairs", pairs),
            ("worlds", worlds),
            ("strong-worlds", strong),
        ]
    }

    fn data(&self) -> Option<&'static str> {
        Some(archive::FILE)
    }

    fn with_data(&self, text: &str) -> Result<Box<dyn Experiment>, LabError> {
        Ok(Box::new(Recorded { archive: Archive::read(text)?, models: Mutex::new(Vec::new()) }))
    }

    fn units(&self, manifest: &Manifest) -> Vec<String> {
        vec![format!("classes {} {}", manifest.number("armies"), manifest.seed)]
    }

    fn work(&self, unit: &str) -> Result<String, LabError> {
        let words: Vec<&str> = unit.split(' ').collect();
        let ["classes", armies, seed] = words[..] else {
            return Err("expected classes ARMIES SEED".into());
        };
        let found = synthetic::classes(number(armies)?, number(seed)?);
        written(&found)
    }

    fn findings(&self, manifest: &Manifest, results: &Results) -> Result<Findings, LabError> {
        findings::find(self, manifest, results, &self.units(manifest)[0], None)
    }
}

/// Number of units of the recorded games.
const BLOCKS: usize = 40;

impl Recorded {
    /// The numbers of the predicted games, evenly spread over all.
    fn games(&self, games: usize) -> Vec<usize> {
        let all = self.archive.games.len();
        let games = games.min(all);
        (0..games).map(|i| i * all / games).collect()
    }

    fn training(manifest: &Manifest) -> Training {
        Training {
            games: manifest.number("train") as usize,
            one_of: manifest.number("one-of") as u32,
            epochs: manifest.number("epochs") as u32,
            kinds: manifest.number("kinds") as usize,
            seed: manifest.seed,
        }
    }

    fn models(&self, training: Training) -> Arc<Models> {
        let mut made = self.models.lock().unwrap_or_else(PoisonError::into_inner);
        match made.iter().find(|(of, _)| *of == training) {
            Some((_, models)) => Arc::clone(models),
            None => {
                let models = Arc::new(Models::new(&self.archive, training));
                made.push((training, Arc::clone(&models)));
                models
            }
        }
    }

    /// The rounds of Figure 5. Their models are only tables, so nothing is learned for them.
    fn rounds(&self, manifest: &Manifest) -> impl Iterator<Item = String> {
        let (worlds, seed, digest) = (manifest.number("worlds"), manifest.seed, self.archive.digest);
        (0..manifest.number("rounds")).map(move |round| format!("round {round} {worlds} {seed} {digest}"))
    }

    /// The pairs of all matches, in turn.
    fn pairs(&self, manifest: &Manifest) -> impl Iterator<Item = String> {
        let Training { games: train, one_of, epochs, kinds, seed } = Recorded::training(manifest);
        let (worlds, strong) = (manifest.number("worlds"), manifest.number("strong-worlds"));
        let digest = self.archive.digest;
        let of = move |pair: u64, which: usize| {
            let worlds = if which == 0 { worlds } else { strong };
            format!("pair {which} {pair} {worlds} {train} {one_of} {epochs} {kinds} {seed} {digest}")
        };
        (0..manifest.number("pairs"))
            .flat_map(move |pair| (0..MATCHES.len()).map(move |which| of(pair, which)))
    }

    /// A round or a pair.
    fn play(&self, kind: &str, numbers: &[u64]) -> Result<String, LabError> {
        let digest = numbers.last().copied().unwrap_or(0);
        if digest != self.archive.digest {
            return Err(
                format!("expected games with the digest {digest}, found {}", self.archive.digest).into()
            );
        }
        match (kind, numbers) {
            ("round", &[round, worlds, seed, _]) => {
                let models = self.models(Training::of([0, 1, 0, 1, seed]));
                let armies = Armies::new(&self.archive, &models);
                let games = play::round(&models, &armies, round, worlds as u32, seed)?;
                written(&games)
            }
            ("pair", &[which, pair, worlds, train, one_of, epochs, kinds, seed, _]) => {
                let models = self.models(Training::of([train, one_of, epochs, kinds, seed]));
                let armies = Armies::new(&self.archive, &models);
                let games = play::pair(&models, &armies, which as usize, pair, worlds as u32, seed)?;
                written(&games)
            }
            _ => Err(format!("expected the numbers of a {kind}, found {numbers:?}").into()),
        }
    }

    /// Predicts the armies of the held-out players of a game.
    fn score(&self, models: &Models, n: usize, every: u32) -> GameScore {
        let game = &self.archive.games[n];
        let held_out = |arm: Arm| Part::of(&game.players[arm.index()]) == Part::HeldOut;
        let mut score = GameScore::default();
        cases(game, held_out, |case| {
            // Not the same plies in every game.
            if !(case.ply + n as u32).is_multiple_of(every.max(1)) {
                return;
            }
            let Some(layout) = game.start.layout(case.arm) else { return };
            let past = models.past(&game.players[case.arm.index()], n);
            let class = models.class(layout) as usize;
            let owner = Owner { met: !past.is_empty(), twin: models.has_twin(layout), class };
            let scores = score.of(stage(case.ply), owner, NAMES.len());
            for (score, odds) in scores.iter_mut().zip(models.predict(case, &past)) {
                Score::add(score, &odds, layout, &case.hidden);
            }
        });
        score
    }
}

impl Experiment for Recorded {
    fn name(&self) -> &'static str {
        Siguo.name()
    }

    fn about(&self) -> &'static str {
        Siguo.about()
    }

    fn numbers(&self, size: Size) -> Vec<(&'static str, u64)> {
        Siguo.numbers(size)
    }

    fn units(&self, manifest: &Manifest) -> Vec<String> {
        let games = self.games(manifest.number("games") as usize).len();
        let block = |i: usize| {
            let (from, to) = (i * games / BLOCKS, (i + 1) * games / BLOCKS);
            let Training { games: train, one_of, epochs, kinds, seed } = Recorded::training(manifest);
            let every = manifest.number("every");
            let digest = self.archive.digest;
            (from < to).then(|| {
                format!("games {from} {to} {games} {every} {train} {one_of} {epochs} {kinds} {seed} {digest}")
            })
        };
        let blocks = Siguo.units(manifest).into_iter().chain((0..BLOCKS).filter_map(block));
        blocks.chain(self.rounds(manifest)).chain(self.pairs(manifest)).collect()
    }

    fn work(&self, unit: &str) -> Result<String, LabError> {
        let (kind, numbers) = unit.split_once(' ').unwrap_or((unit, ""));
        if !["games", "round", "pair"].contains(&kind) {
            return Siguo.work(unit);
        }
        let numbers = numbers.split(' ').map(number);
        let numbers = numbers.collect::<Result<Vec<u64>, LabError>>()?;
        if kind != "games" {
            return self.play(kind, &numbers);
        }
        let &[from, to, games, every, train, one_of, epochs, kinds, seed, digest] = &numbers[..] else {
            return Err("expected games and ten numbers".into());
        };
        if digest != self.archive.digest {
            return Err(
                format!("expected games with the digest {digest}, found {}", self.archive.digest).into()
            );
        }
        let chosen = self.games(games as usize);
        let block = chosen.get(from as usize..to as usize).ok_or("expected a block of these games")?;
        let models = self.models(Training::of([train, one_of, epochs, kinds, seed]));
        let scores: Vec<GameScore> = block.iter().map(|&n| self.score(&models, n, every as u32)).collect();
        written(&scores)
    }

    fn findings(&self, manifest: &Manifest, results: &Results) -> Result<Findings, LabError> {
        let units = self.units(manifest);
        let mut games: Vec<GameScore> = Vec::new();
        for unit in units.iter().filter(|unit| unit.starts_with("games ")) {
            games.extend(read_unit::<Vec<GameScore>>(unit, results)?);
        }
        let (mut rounds, mut matches) = (Vec::new(), vec![Vec::new(); MATCHES.len()]);
        for unit in self.rounds(manifest) {
            rounds.push(read_unit(&unit, results)?);
        }
        for (i, unit) in self.pairs(manifest).enumerate() {
            matches[i % MATCHES.len()].push(read_unit(&unit, results)?);
        }
        let models = self.models(Recorded::training(manifest));
        let recorded = findings::Recorded { archive: &self.archive, models: &models, games: &games };
        let agents = agents::Agents { rounds, matches };
        findings::find(self, manifest, results, &units[0], Some((&recorded, &agents)))
    }
}
