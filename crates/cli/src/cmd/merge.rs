//! `anglerfish merge`: merges the parts of a run that were played in several places.

use std::io::Write;
use std::path::{Path, PathBuf};

use anglerfish_arena::{Contestant, Journal, Name, ResultStore, Unit, UnitResult};
use anyhow::{Context, bail};
use serde_json::Value;

use super::matches::folder::{VERDICT_FILE, frozen};
use crate::contest::{Moved, moved, players_of};
use crate::terminal::people;

/// Merge the folders of one run into one
///
/// Every unit of the folders goes into the journal of OUT, once. They must be of one run: the same contestants,
/// rules, seed and engine. A program may lie elsewhere for each part if its files are the same. If two folders have the same reproducible unit, its games must be equal, or the merge
/// stops. Afterwards give the command of the whole run with --out OUT: it finds everything there. Its games, result
/// and report are those of one machine, to the last byte; the journal and provenance.json tell of the parts.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  anglerfish match --engine player=greedy --engine player=random --rounds 1000 --units 1..500 --out part1
  anglerfish match --engine player=greedy --engine player=random --rounds 1000 --units 501..1000 --out part2
  anglerfish merge --out whole part1 part2
  anglerfish match --engine player=greedy --engine player=random --rounds 1000 --out whole")]
pub(crate) struct Args {
    /// The folder that gets all units
    #[arg(long, value_name = "OUT")]
    out: PathBuf,
    /// The folders of the parts
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
}

/// Units that share a sync.
const GROUP: usize = 1000;

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    // Step 1. Find the run, and compare the parts with it: a part of another run stops the merge before it begins.
    let begun = Some(&args.out).filter(|out| journal(out).exists());
    let place = begun.unwrap_or(&args.folders[0]);
    let Some(run) = Journal::run_of(&journal(place))? else { bail!("{} holds no run yet", place.display()) };
    let parts = args.folders.iter().map(|folder| Part::of(folder, place, &run));
    let parts = parts.collect::<anyhow::Result<Vec<_>>>()?;
    // Step 2. Add their units.
    std::fs::create_dir_all(&args.out).with_context(|| format!("cannot make {}", args.out.display()))?;
    let mut whole = Journal::open(&journal(&args.out), &run)?;
    let target = journal(&args.out).canonicalize()?;
    let mut out = people();
    for (folder, Part { run, moved }) in args.folders.iter().zip(&parts) {
        let path = journal(folder);
        if path.canonicalize()? == target {
            bail!("{} is to be merged into itself: give --out a folder of its own", folder.display());
        }
        let verdicts = (frozen(folder)?, frozen(&args.out)?);
        match &verdicts {
            (Some(here), Some(there)) if here != there => {
                bail!("{} and {} hold different verdicts", folder.display(), args.out.display());
            }
            (Some(_), None) => drop(std::fs::copy(folder.join(VERDICT_FILE), args.out.join(VERDICT_FILE))?),
            _ => {}
        }
        let mut part = Journal::open(&path, run)?;
        add_sessions(folder, &args.out)?;
        let before = whole.len();
        let (units, twice) = merge(&mut part, moved, &mut whole)?;
        let again = if twice > 0 { format!(", {twice} of them there already") } else { String::new() };
        writeln!(out, "{}: {units} units{again}, {} new", folder.display(), whole.len() - before)?;
    }
    writeln!(out, "{}: {} units", args.out.display(), whole.len())?;
    Ok(true)
}

fn journal(folder: &Path) -> PathBuf {
    folder.join("journal")
}

/// The run of a part.
struct Part {
    /// Its text in the part's journal.
    run: String,
    /// Contestants that lay elsewhere for this part, each with itself as the whole run names it.
    moved: Vec<(Contestant, Contestant)>,
}

impl Part {
    /// Reads the run of a folder, and compares it with the whole run, which is that of `place`.
    fn of(folder: &Path, place: &Path, whole: &str) -> anyhow::Result<Part> {
        let path = journal(folder);
        if !path.exists() {
            bail!("{} is not there: expected the folder of a run", path.display());
        }
        let Some(run) = Journal::run_of(&path)? else { bail!("{} holds no run yet", folder.display()) };
        let mut part = Part { moved: Vec::new(), run };
        for (here, there) in players_of(&part.run).into_iter().zip(players_of(whole)) {
            match moved(&here, &there) {
                Moved::No => {}
                Moved::Changed(files) => bail!(
                    "{files} of {} is not that of {}: all parts of a run need the same programs",
                    folder.display(),
                    place.display()
                ),
                Moved::From(there) => part.moved.push((here, *there)),
            }
        }
        let differences = Journal::differences(whole, &part.placed()?);
        if let Some(differences) = differences {
            bail!(
                "{} belongs to another run than {}: {differences}; merge the parts of one run, or choose another --out",
                folder.display(),
                place.display()
            );
        }
        Ok(part)
    }

    /// The text of its run with the paths of the whole.
    fn placed(&self) -> anyhow::Result<String> {
        if self.moved.is_empty() {
            return Ok(self.run.clone());
        }
        let mut run: Value = serde_json::from_str(&self.run)?;
        for player in run["players"].as_array_mut().into_iter().flatten() {
            for (here, there) in &self.moved {
                if *player == serde_json::to_value(here)? {
                    *player = serde_json::to_value(there)?;
                }
            }
        }
        Ok(run.to_string())
    }
}

/// The text of a unit with the paths of the whole run.
fn placed(unit: String, moved: &[(Contestant, Contestant)]) -> anyhow::Result<String> {
    if moved.is_empty() {
        return Ok(unit);
    }
    let mut unit: Unit = serde_json::from_str(&unit)?;
    for player in &mut unit.players {
        if let Some((_, there)) = moved.iter().find(|(here, _)| here == player) {
            player.clone_from(there);
        }
    }
    Ok(unit.text())
}

/// Copies every unit; how many there are, and how many of them were there already.
fn merge(
    part: &mut Journal,
    moved: &[(Contestant, Contestant)],
    whole: &mut Journal,
) -> anyhow::Result<(usize, usize)> {
    let (mut units, mut twice) = (0, 0);
    let mut group = Vec::new();
    for entry in part.entries() {
        let (unit, done) = entry?;
        let unit = placed(unit, moved)?;
        units += 1;
        match whole.get(&Name::of(&unit))? {
            // A failed unit is replaced by a result.
            Some(UnitResult::Failed(_)) | None => group.push((unit, done)),
            Some(there) => {
                twice += 1;
                let differs = there != done && matches!(done, UnitResult::Result(_));
                if differs && is_reproducible(&unit) {
                    bail!(
                        "two results of one unit, which should come out the same: {:.200}",
                        said(&there, &done, &unit)
                    );
                }
            }
        }
        if group.len() == GROUP {
            whole.put_if_absent(std::mem::take(&mut group))?;
        }
    }
    whole.put_if_absent(group)?;
    Ok((units, twice))
}

/// Adds the provenance of a part to that of the whole.
fn add_sessions(part: &Path, whole: &Path) -> anyhow::Result<()> {
    let read = |folder: &Path| -> anyhow::Result<Option<Value>> {
        match std::fs::read_to_string(folder.join(PROVENANCE_FILE)) {
            // Version 0.3 wrote `sittings`.
            Ok(text) => {
                let mut value: Value = serde_json::from_str(&text)?;
                if let Some(old) = value.as_object_mut().and_then(|fields| fields.remove("sittings")) {
                    value["sessions"] = old;
                }
                Ok(Some(value))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    };
    let Some(part) =
        read(part).with_context(|| format!("cannot read {PROVENANCE_FILE} of {}", part.display()))?
    else {
        return Ok(());
    };
    let mut all =
        read(whole)?.unwrap_or_else(|| serde_json::json!({ "format": part["format"], "sessions": [] }));
    if let (Some(sessions), Some(more)) = (all["sessions"].as_array_mut(), part["sessions"].as_array()) {
        let new: Vec<Value> = more.iter().filter(|session| !sessions.contains(session)).cloned().collect();
        sessions.extend(new);
    }
    let new = whole.join("provenance.new");
    std::fs::write(&new, serde_json::to_string_pretty(&all)? + "\n")?;
    Ok(std::fs::rename(new, whole.join(PROVENANCE_FILE))?)
}

/// The file with the provenance of a run.
const PROVENANCE_FILE: &str = "provenance.json";

/// Whether playing a unit again gives the same games; true for units other than games.
fn is_reproducible(unit: &str) -> bool {
    serde_json::from_str::<Unit>(unit).map_or(true, |unit| unit.reproducible)
}

fn said(there: &UnitResult, here: &UnitResult, unit: &str) -> String {
    let digest = |done: &UnitResult| match done {
        UnitResult::Result(text) => format!("{:.12}", Name::of(text).to_string()),
        UnitResult::Failed(why) => format!("failed ({why})"),
    };
    format!("{} and {} of {unit}", digest(there), digest(here))
}
