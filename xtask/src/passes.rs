//! `.ci/full.log`: which stage of `.ci/run` has passed, when, and on which commit. The gate picks its long
//! stage by it, `tidy` checks the age of the last full run, and `dist` whether this tree may be released.
//!
//! A line is `date size stage seconds commit digest seal`. The digest is of the stage's output and test
//! reports. The seal is of the rest of the line, so that a line written or changed by hand is noticed.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use clap::{Subcommand, ValueEnum};

use crate::dist::sha256;

const LOG: &str = ".ci/full.log";
const STAGES: &str = ".ci/stages";

/// A full run is old after this many commits.
const OLD: usize = 100;

#[derive(Subcommand)]
pub(crate) enum Args {
    /// Add a stage that has passed on a commit
    Add {
        /// The commit that was checked out when the stage began
        #[arg(long)]
        commit: String,
        /// The time, in UTC
        #[arg(long)]
        date: String,
        #[arg(long)]
        size: Size,
        #[arg(long)]
        stage: String,
        #[arg(long)]
        seconds: u64,
        /// The stage's output and test reports
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Print the long stages in the order in which the gate tries them, each with the commit of its last pass
    Next,
    /// Fail unless every stage has passed at full size on this tree
    Check,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Size {
    Gate,
    Full,
}

/// One line of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Pass {
    date: String,
    size: Size,
    stage: String,
    seconds: u64,
    commit: String,
    digest: String,
}

/// One line of `.ci/stages`.
struct Stage {
    name: String,
    /// Empty for a stage that only the full run has.
    paths: Vec<String>,
}

pub(crate) fn run(root: &Path, args: &Args) -> anyhow::Result<()> {
    match args {
        Args::Add { commit, date, size, stage, seconds, files } => {
            ensure!(stages(root)?.iter().any(|known| known.name == *stage), "{STAGES} has no stage {stage}");
            if !is_checked_out(root, commit)? {
                println!(
                    "{LOG}: no line for {stage}, because the files are not those of the commit {commit}"
                );
                return Ok(());
            }
            let mut reports = Vec::new();
            for file in files {
                reports.extend(fs::read(file).with_context(|| file.display().to_string())?);
            }
            let (date, stage, commit) = (date.clone(), stage.clone(), commit.clone());
            let digest = sha256(&reports);
            let pass = Pass { date, size: *size, stage, seconds: *seconds, commit, digest };
            let log = read(root)? + &format!("{pass}\n");
            fs::write(root.join(LOG), log).context(LOG)
        }
        Args::Next => {
            let since = |commit: &str, paths: &[String]| differs(root, commit, paths);
            for (stage, commit) in next(&stages(root)?, &parse(&read(root)?)?, since) {
                println!("{stage} {commit}");
            }
            Ok(())
        }
        Args::Check => {
            released(root)?;
            println!("the full run has passed on this tree");
            Ok(())
        }
    }
}

/// Refuses a tree on which a stage of the full run has not passed.
pub(crate) fn released(root: &Path) -> anyhow::Result<()> {
    let passes = parse(&read(root)?)?;
    let missing: Vec<String> = stages(root)?
        .into_iter()
        .map(|stage| stage.name)
        .filter(|name| {
            last(&passes, name, Some(Size::Full)).is_none_or(|pass| differs(root, &pass.commit, &[]))
        })
        .collect();
    if !missing.is_empty() {
        bail!("`.ci/run full` has not passed on these files; missing in {LOG}: {}", missing.join(", "));
    }
    Ok(())
}

/// A warning if the last full run is old. An error if a line of the log is invalid, or if a path of a stage is gone.
pub(crate) fn age(root: &Path) -> anyhow::Result<Option<String>> {
    let passes = parse(&read(root)?)?;
    let mut oldest = 0;
    for stage in stages(root)? {
        let gone = stage.paths.iter().find(|path| !root.join(path).exists());
        ensure!(gone.is_none(), "{STAGES}: the stage {} has the path {gone:?}, which is gone", stage.name);
        let Some(pass) = last(&passes, &stage.name, Some(Size::Full)) else {
            return Ok(Some(format!("the stage {} of `.ci/run full` has never passed", stage.name)));
        };
        let count = git(root, &["rev-list", "--count", &format!("{}..HEAD", pass.commit)]);
        match count {
            Ok(count) => oldest = oldest.max(count.parse()?),
            Err(_) if git(root, &["rev-parse", "--is-shallow-repository"])? == "true" => {}
            Err(_) => return Ok(Some(format!("{LOG} names {}, which is no commit here", pass.commit))),
        }
    }
    Ok((oldest > OLD).then(|| format!("the last complete `.ci/run full` is {oldest} commits old")))
}

/// The long stages: first those with changes since their last pass, and in both parts the oldest pass first.
fn next<'a>(
    stages: &'a [Stage],
    passes: &'a [Pass],
    differs: impl Fn(&str, &[String]) -> bool,
) -> Vec<(&'a str, &'a str)> {
    let mut long: Vec<_> = stages
        .iter()
        .filter(|stage| !stage.paths.is_empty())
        .map(|stage| {
            let pass = last(passes, &stage.name, None);
            let changed = pass.is_none_or(|pass| differs(&pass.commit, &stage.paths));
            let place = passes.iter().rposition(|pass| pass.stage == stage.name);
            (!changed, place, stage.name.as_str(), pass.map_or("", |pass| pass.commit.as_str()))
        })
        .collect();
    long.sort_unstable();
    long.into_iter().map(|(_, _, stage, commit)| (stage, commit)).collect()
}

fn last<'a>(passes: &'a [Pass], stage: &str, size: Option<Size>) -> Option<&'a Pass> {
    passes.iter().rev().find(|pass| pass.stage == stage && size.is_none_or(|size| pass.size == size))
}

/// Whether files differ from a commit: those under some paths, or all but the log. Every file differs from an
/// unknown commit.
fn differs(root: &Path, commit: &str, paths: &[String]) -> bool {
    let mut args = vec!["diff", "--quiet", commit, "--"];
    if paths.is_empty() {
        args.extend([".", ":!.ci/full.log"]);
    }
    args.extend(paths.iter().map(String::as_str));
    git(root, &args).is_err()
}

/// Whether the files are those of a commit, except for the log. An untracked file counts as a difference.
fn is_checked_out(root: &Path, commit: &str) -> anyhow::Result<bool> {
    let status = git(root, &["status", "--porcelain", "--", ".", ":!.ci/full.log"])?;
    Ok(status.is_empty() && !differs(root, commit, &[]))
}

fn git(root: &Path, args: &[&str]) -> anyhow::Result<String> {
    let output = Command::new("git").args(args).current_dir(root).output().context("git")?;
    ensure!(output.status.success(), "git {}: {}", args.join(" "), String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

fn read(root: &Path) -> anyhow::Result<String> {
    fs::read_to_string(root.join(LOG)).context(LOG)
}

/// The lines of the log, each with its seal checked.
fn parse(log: &str) -> anyhow::Result<Vec<Pass>> {
    let lines = log.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines
        .map(|(i, line)| {
            let pass = Pass::parse(line).filter(|pass| pass.to_string() == line);
            pass.with_context(|| format!("{LOG}:{}: expected a line as `.ci/run` writes it", i + 1))
        })
        .collect()
}

fn stages(root: &Path) -> anyhow::Result<Vec<Stage>> {
    let text = fs::read_to_string(root.join(STAGES)).context(STAGES)?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let stages = lines.filter_map(|line| {
        let mut words = line.split_whitespace().map(str::to_owned);
        Some(Stage { name: words.next()?, paths: words.collect() })
    });
    Ok(stages.collect())
}

impl Pass {
    fn parse(line: &str) -> Option<Pass> {
        let [date, size, stage, seconds, commit, digest, _] =
            line.split(' ').collect::<Vec<_>>().try_into().ok()?;
        Some(Pass {
            date: date.to_owned(),
            size: Size::from_str(size, false).ok()?,
            stage: stage.to_owned(),
            seconds: seconds.parse().ok()?,
            commit: commit.to_owned(),
            digest: digest.to_owned(),
        })
    }
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Pass { date, size, stage, seconds, commit, digest } = self;
        let size = if *size == Size::Gate { "gate" } else { "full" };
        let line = format!("{date} {size} {stage} {seconds} {commit} {digest}");
        write!(f, "{line} {}", &sha256(line.as_bytes())[..16])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(size: Size, stage: &str, commit: &str) -> Pass {
        let text = |text: &str| text.to_owned();
        let (date, digest) = (text("2026-01-01T00:00:00Z"), text("d1"));
        Pass { date, size, stage: text(stage), seconds: 7, commit: text(commit), digest }
    }

    #[test]
    fn a_line_that_was_typed_by_hand_is_noticed() {
        let passes = vec![pass(Size::Full, "check", "c1"), pass(Size::Gate, "store", "c2")];
        let log = format!("{}\n{}\n", passes[0], passes[1]);
        assert_eq!(parse(&format!("# what it is\n{log}")).expect("a log"), passes);
        for changed in [
            log.replace(" 7 ", " 8 "),
            log.replace(" gate ", " full "),
            log.replace("c2", "c1"),
            format!("{log}2026-01-01T00:00:00Z full test 7 c1 d1 0123456789abcdef\n"),
            format!("{log}\n"),
        ] {
            assert!(parse(&changed).is_err(), "{changed}");
        }
    }

    #[test]
    fn the_gate_tries_what_changed_and_then_what_passed_longest_ago() {
        let stages: Vec<Stage> = ["check", "store crates/store", "web web", "lab crates/lab"]
            .map(|line| {
                let mut words = line.split(' ').map(str::to_owned);
                Stage { name: words.next().expect("a name"), paths: words.collect() }
            })
            .into();
        let passes =
            ["lab", "store", "web", "store"].map(|stage| pass(Size::Full, stage, &format!("of-{stage}")));
        let order = |changed: &str, passes: &[Pass]| {
            let differs = |commit: &str, _: &[String]| commit == format!("of-{changed}");
            next(&stages, passes, differs).into_iter().map(|(stage, _)| stage.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(order("nothing", &passes), ["lab", "web", "store"]);
        assert_eq!(order("store", &passes), ["store", "lab", "web"]);
        assert_eq!(order("web", &passes), ["web", "lab", "store"]);
        // A stage that has never passed counts as changed.
        assert_eq!(order("nothing", &passes[1..]), ["lab", "web", "store"]);
        assert_eq!(order("nothing", &passes[2..3]), ["lab", "store", "web"]);
    }

    #[test]
    fn a_tree_passes_when_every_stage_has_passed_on_its_files() {
        let root = std::env::temp_dir().join(format!("anglerfish-passes-{}", std::process::id()));
        fs::create_dir_all(root.join(".ci")).expect("a folder");
        let git = |args: &[&str]| {
            let who = ["-c", "user.name=test", "-c", "user.email=test@localhost"];
            super::git(&root, &[&who, args].concat()).expect("git")
        };
        fs::write(root.join(STAGES), "# stages\ncheck\nstore .ci\n").expect("a file");
        fs::write(root.join(LOG), "# passes\n").expect("a file");
        git(&["init", "--quiet"]);
        git(&["add", "."]);
        git(&["commit", "--quiet", "--message", "one"]);
        let add = |size, stage: &str| {
            let (date, stage) = ("2026-01-01".to_owned(), stage.to_owned());
            let commit = super::git(&root, &["rev-parse", "HEAD"])?;
            run(&root, &Args::Add { commit, date, size, stage, seconds: 1, files: vec![root.join(STAGES)] })
        };
        add(Size::Full, "check").expect("a line");
        add(Size::Gate, "store").expect("a line");
        let refused = released(&root).expect_err("the gate's size is not enough").to_string();
        assert!(refused.ends_with("missing in .ci/full.log: store"), "{refused}");
        assert!(add(Size::Full, "strore").is_err(), "a stage that does not exist");
        add(Size::Full, "store").expect("a line");
        released(&root).expect("both have passed");
        assert_eq!(age(&root).expect("a log"), None);
        // The log itself may be committed.
        git(&["commit", "--quiet", "--all", "--message", "two"]);
        released(&root).expect("the same files");
        // A changed file undoes it, committed or not, and no pass is recorded.
        fs::write(root.join(STAGES), "check\nstore crates\n").expect("a file");
        assert!(released(&root).is_err());
        let before = read(&root).expect("the log");
        add(Size::Full, "check").expect("no line");
        assert_eq!(read(&root).expect("the log"), before);
        git(&["commit", "--quiet", "--all", "--message", "three"]);
        assert!(released(&root).is_err());
        // A commit that lacks a file cannot pass either.
        fs::write(root.join("forgotten"), "").expect("a file");
        add(Size::Full, "check").expect("no line");
        assert_eq!(read(&root).expect("the log"), before);
        fs::remove_dir_all(root).expect("cleaned up");
    }
}
