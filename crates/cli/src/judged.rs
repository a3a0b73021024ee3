//! Judges many games, and resumes from a journal.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anglerfish_arena::{
    Journal, Judging, LUCK, Name, ResultStore, UnitResult, Worked, now, read_games, run_units,
};
use anglerfish_engine::luck::Judge;
use anglerfish_lab::models;
use anglerfish_report::{counted, grouped};
use anglerfish_rules::Record;
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anyhow::{Context, anyhow, bail};
use serde_json::json;

use crate::cmd::replay::each_game;
use crate::input::{parse_pointing, read};
use crate::progress::{Progress, duration};
use crate::provenance;
use crate::terminal::note;

/// The finished games of some files, and the number of others.
#[derive(Default)]
pub(crate) struct Finished {
    pub(crate) games: Vec<Record<Banqi>>,
    /// Number of invalid games, each reported with its error.
    pub(crate) wrong: u64,
    pub(crate) unfinished: u64,
}

pub(crate) fn finished(files: &[PathBuf], rules: RuleSet) -> anyhow::Result<Finished> {
    let mut found = Finished::default();
    for path in files {
        each_game(&read(path)?, path, rules, &mut |name, checked| {
            match checked {
                Ok(record) if record.ending.is_some() => found.games.push(record),
                Ok(_) => found.unfinished += 1,
                Err((_, error)) => {
                    found.wrong += 1;
                    note!("{}: {name}: {error}", path.display());
                }
            }
            Ok(())
        })?;
    }
    Ok(found)
}

/// The unit of a game: the judge, and the game without annotations.
pub(crate) fn unit_of(judging: &Judging, game: &Record<Banqi>) -> String {
    let mut game = game.clone().without_annotations();
    game.tags.retain(|(name, _)| name != LUCK);
    format!("{judging}\n{game}")
}

/// Reads a unit of [`unit_of`].
pub(crate) fn read_unit(unit: &str) -> anyhow::Result<(Judging, Judge<Banqi>, Record<Banqi>)> {
    let (judging, game) = unit.split_once('\n').context("expected a judge and a game")?;
    let judging: Judging = parse_pointing(judging)?;
    let judge = judging.judge::<Banqi>()?;
    let game = read_games::<Banqi>(game)?.pop().context("expected a game")?;
    Ok((judging, judge, game))
}

/// The judging of many games.
pub(crate) struct Judgement<'a> {
    /// The name of the question: a journal is for one.
    pub(crate) what: &'a str,
    pub(crate) judge: &'a Judging,
    /// The folder of the journal.
    pub(crate) out: Option<&'a Path>,
    /// Number of games judged in parallel; by default as many as there are cores.
    pub(crate) threads: Option<usize>,
}

impl Judgement<'_> {
    /// The result of `work` for every unit, one per game. Units in the journal are skipped, and equal ones done once.
    pub(crate) fn of_all(
        &self,
        units: &[String],
        work: impl Fn(&str) -> Worked<String, anyhow::Error> + Sync,
    ) -> anyhow::Result<Vec<String>> {
        let mut journal = match self.out {
            Some(folder) => {
                std::fs::create_dir_all(folder)
                    .with_context(|| format!("cannot make {}", folder.display()))?;
                let run =
                    json!({ (self.what): self.judge, "engine": crate::folders::identity(models().models()) });
                let journal = Journal::open(&folder.join("journal"), &run.to_string())?;
                provenance::record(folder, &[], None)?;
                Some(journal)
            }
            None => None,
        };
        let mut results: Vec<Option<String>> = vec![None; units.len()];
        let mut left = Vec::new();
        for (n, unit) in units.iter().enumerate() {
            match kept(journal.as_mut(), unit)? {
                Some(result) => results[n] = Some(result),
                None => left.push((n, unit.clone())),
            }
        }
        let (all, had) = (units.len(), units.len() - left.len());
        if had > 0 {
            let are = if had == 1 { "is" } else { "are" };
            note!("going on: {} {are} in the journal", counted(had as u64, "game"));
        }
        let (began, mut progress, mut done) = (now(), Progress::new(), had);
        let cores = std::thread::available_parallelism().map_or(1, Into::into);
        let ledger = journal.as_mut().map(|journal| journal as &mut dyn ResultStore);
        run_units(left, self.threads.unwrap_or(cores), ledger, work, |_, n, result| {
            results[n] = Some(result.map_err(|why| anyhow!("game {}: {why}", n + 1))?);
            done += 1;
            let rest = began.elapsed().as_secs_f64() / (done - had) as f64 * (all - done) as f64;
            let [done, all] = [done, all].map(|n| grouped(n as u64));
            progress.stands(format!("game {done} of {all}, {} left", duration(rest)));
            Ok::<_, anyhow::Error>(ControlFlow::Continue(()))
        })?;
        progress.end();
        // A game that comes twice is judged once.
        let result = |(result, unit): (Option<String>, &String)| match result {
            Some(result) => Ok(result),
            None => match kept(journal.as_mut(), unit)? {
                Some(result) => Ok(result),
                None => bail!("expected the journal to have every game"),
            },
        };
        results.into_iter().zip(units).map(result).collect()
    }
}

/// The journal's result of a unit.
fn kept(journal: Option<&mut Journal>, unit: &str) -> anyhow::Result<Option<String>> {
    let done = journal.map(|journal| journal.get(&Name::of(unit))).transpose()?.flatten();
    Ok(match done {
        Some(UnitResult::Result(result)) => Some(result.trim_end().to_owned()),
        Some(UnitResult::Failed(_)) | None => None,
    })
}
