//! Contestants and tests from the command line (KEY=VALUE words) or from a TOML file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anglerfish_arena::protocol::Protocol;
use anglerfish_arena::stats::sprt::{Model, Sprt};
use anglerfish_arena::{
    ArenaGame, Budget, Caps, Contestant, ContestantKind, DrawRule, Identity, Journal, Judging, MatchError,
    Name, Program, ResignRule, Worker, can_isolate,
};
use anglerfish_engine::Assets;
use anglerfish_lab::assets as ours;
use anglerfish_report::{Row, Table};
use anglerfish_rules::{Cause, Game, NotationError, Outcome, Record, Team};
use anyhow::{Context, anyhow, bail};
use serde::Deserialize;

use crate::games::with_game;
use crate::habits;
use crate::input::{parse_pointing, read, read_asset};
use crate::signals;

/// The words of each `--engine`. Implemented by hand, because the derive macro joins the words of all of them.
pub(crate) struct Engines(pub(crate) Vec<Vec<String>>);

impl clap::FromArgMatches for Engines {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Engines, clap::Error> {
        let occurrences = matches.get_occurrences::<String>("engine").into_iter().flatten();
        Ok(Engines(occurrences.map(|words| words.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = <Engines as clap::FromArgMatches>::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Engines {
    fn augment_args(command: clap::Command) -> clap::Command {
        let engine = clap::Arg::new("engine").long("engine").num_args(1..).value_name("KEY=VALUE");
        let engine = engine.action(clap::ArgAction::Append);
        command
            .arg(engine.help("A contestant as KEY=VALUE words; once for each [default: those of --config]"))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        <Engines as clap::Args>::augment_args(command)
    }
}

/// A configuration file: the flags of `match` under their own names.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    engine: Vec<Entry>,
    each: Entry,
    pub(crate) rounds: Option<u64>,
    pub(crate) rules: Option<String>,
    pub(crate) seed: Option<u64>,
    pub(crate) deals: Option<PathBuf>,
    pub(crate) sprt: Option<SprtEntry>,
    pub(crate) game: Option<String>,
    pub(crate) openings: Option<String>,
    pub(crate) batch: Option<u32>,
    pub(crate) annotate: Option<u32>,
    pub(crate) luck: Option<String>,
    pub(crate) ponder: Option<Ponder>,
    pub(crate) draw: Option<DrawRule>,
    pub(crate) resign: Option<ResignRule>,
    pub(crate) asset: BTreeMap<String, PathBuf>,
}

/// The unit of pondering.
#[derive(Clone, Copy, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Ponder {
    /// As many nodes as the opponent searches, so that games depend only on the seed
    Nodes,
}

/// Reads a configuration file; without one, the configuration is empty.
pub(crate) fn read_config(path: Option<&Path>) -> anyhow::Result<Config> {
    let Some(path) = path else { return Ok(Config::default()) };
    toml::from_str(&read(path)?).with_context(|| format!("{} is not a configuration", path.display()))
}

/// The contestants of the flags, or else of the file, with the settings for all of them filled in.
pub(crate) fn contestants(
    engines: &Engines,
    each: &[String],
    file: &Config,
) -> anyhow::Result<Vec<Contestant>> {
    let each = words(each)?.over(&file.each);
    let entries = match &engines.0[..] {
        [] => file.engine.clone(),
        given => given.iter().map(|engine| words(engine)).collect::<anyhow::Result<_>>()?,
    };
    entries.iter().map(|entry| entry.over(&each).contestant()).collect()
}

/// The default rules of a game.
pub(crate) fn usual_rules(game: &str) -> String {
    fn usual<G: Game>() -> String {
        G::Rules::default().to_string()
    }
    with_game!(game, G => usual::<G>()).unwrap_or_default()
}

/// Prepares for starting programs: Ctrl-C must end them too, a log needs its folder, and isolation its tools. After Ctrl-C
/// `last_words` says how far the run came.
pub(crate) fn begin(
    worker: &Worker,
    last_words: impl Fn() -> Option<String> + Send + 'static,
) -> anyhow::Result<()> {
    if worker.isolate {
        isolates()?;
    }
    signals::guard_saying(last_words)?;
    match &worker.log {
        Some(folder) => {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
        }
        None => Ok(()),
    }
}

/// Refuses `--isolate` if programs cannot be isolated here.
pub(crate) fn isolates() -> anyhow::Result<()> {
    can_isolate().map_err(|why| anyhow!("--isolate: {why}"))
}

/// The files that players refer to, given as NAME=FILE, beside the models and data of the program.
pub(crate) fn assets(words: &[String], file: &BTreeMap<String, PathBuf>) -> anyhow::Result<Assets> {
    let mut assets = ours();
    let mut files: BTreeMap<String, PathBuf> = file.clone();
    for word in words {
        let (name, path) =
            word.split_once('=').with_context(|| format!("expected NAME=FILE, found {word:?}"))?;
        files.insert(name.to_owned(), path.into());
    }
    for (name, path) in files {
        let bytes = read_asset(&path)?;
        assets.insert(name, Name::of_bytes(&bytes).to_string(), bytes);
    }
    Ok(assets)
}

/// The worker for the units of a run: with the files that players refer to, a log if there is a folder, and
/// isolation or not.
pub(crate) fn worker(
    assets: &[String],
    file: &Config,
    log: Option<&Path>,
    isolate: bool,
) -> anyhow::Result<Worker> {
    let assets = self::assets(assets, &file.asset)?;
    Ok(Worker { assets, log: log.map(Path::to_owned), isolate, ..Worker::default() })
}

/// Names our engine in a run that is kept, unless only programs play.
pub(crate) fn name_engine(players: &[Contestant], worker: &mut Worker) -> Identity {
    if !players.iter().all(Contestant::is_program) {
        worker.identity = crate::folders::identity(worker.assets.models());
    }
    worker.identity.clone()
}

/// The judge of luck from the words of `--luck`; `None` for `off`.
pub(crate) fn judging(words: &str) -> anyhow::Result<Option<Judging>> {
    if words == "off" { Ok(None) } else { parse_pointing(words).map(Some) }
}

/// The SHA-256 of assets by name; the line-up of the field and its networks only if a player refers to them.
pub(crate) fn digests(assets: &Assets, players: &[Contestant]) -> BTreeMap<String, String> {
    let refers = |player: &Contestant| {
        let ContestantKind::Builtin(text) = &player.kind else { return false };
        text.parse::<anglerfish_engine::Config>()
            .is_ok_and(|config| config.opponent.word("candidates").is_some())
    };
    let (ours, meant) = (ours(), players.iter().any(refers));
    let named = assets.iter().filter(|(name, asset)| meant || ours.get(name) != Some(asset));
    named.map(|(name, asset)| (name.to_owned(), asset.digest.clone())).collect()
}

/// Shakes hands with the programs among the players, and notes their own names and the SHA-256 of their files.
pub(crate) fn identify<G: ArenaGame>(
    players: &mut [Contestant],
    rules: &str,
    worker: &Worker,
) -> anyhow::Result<()> {
    let rules: G::Rules = rules.parse().map_err(|e: NotationError| anyhow!("{e}"))?;
    for player in players {
        if let ContestantKind::Program { start, files, .. } = &mut player.kind {
            *files = program_files(start);
        }
        player.greet::<G>(&rules, worker.log.as_deref(), worker.isolate)?;
    }
    Ok(())
}

/// Takes programs for those of the run in a folder if their files are the same, wherever they lie now: what counts is the
/// content. The worker learns where they lie.
///
/// # Errors
/// When a file has changed since the run began.
pub(crate) fn recognize(
    folder: &Path,
    players: &mut [Contestant],
    worker: &mut Worker,
) -> anyhow::Result<()> {
    let journal = folder.join("journal");
    // Whatever else is wrong with the journal is said when it is opened.
    let run = if journal.is_file() { Journal::run_of(&journal).ok().flatten() } else { None };
    for (here, there) in players.iter_mut().zip(run.as_deref().map(players_of).unwrap_or_default()) {
        match moved(here, &there) {
            Moved::No => {}
            Moved::Changed(files) => bail!(
                "{files} changed since {} began; use another --out, or the file as it was",
                folder.display()
            ),
            Moved::From(place) => {
                if let ContestantKind::Program { start, .. } = &here.kind {
                    worker.moved.insert(here.name.clone(), start.clone());
                }
                *here = *place;
            }
        }
    }
    Ok(())
}

/// The contestants of the run that a journal names.
pub(crate) fn players_of(run: &str) -> Vec<Contestant> {
    #[derive(Deserialize)]
    struct Run {
        players: Vec<Contestant>,
    }
    serde_json::from_str::<Run>(run).map(|run| run.players).unwrap_or_default()
}

/// Whether a program is one that lay elsewhere.
pub(crate) enum Moved {
    /// It is not, or it has not moved.
    No,
    /// It has the same files: the contestant with its paths there.
    From(Box<Contestant>),
    /// These of its files have another content.
    Changed(String),
}

/// Compares a contestant with that of another run by the content of its files.
pub(crate) fn moved(here: &Contestant, there: &Contestant) -> Moved {
    let (
        ContestantKind::Program { start, files, .. },
        ContestantKind::Program { start: began, files: had, .. },
    ) = (&here.kind, &there.kind)
    else {
        return Moved::No;
    };
    if here.name != there.name || start.args.len() != began.args.len() {
        return Moved::No;
    }
    let words = std::iter::once((&start.cmd, &began.cmd)).chain(start.args.iter().zip(&began.args));
    let mut changed = Vec::new();
    for (word, before) in words {
        let file = |word: &str| Path::new(word).file_name().map(|file| file.to_string_lossy().into_owned());
        match (files.get(word), had.get(before)) {
            (Some(digest), Some(before)) if digest == before => {}
            (Some(_), Some(_)) if file(word) == file(before) => changed.extend(file(word)),
            (found, kept) if word == before && found.is_some() == kept.is_some() => {}
            _ => return Moved::No,
        }
    }
    if !changed.is_empty() {
        return Moved::Changed(changed.join(" and "));
    }
    if files == had && (files.is_empty() || start.dir == began.dir) {
        return Moved::No;
    }
    let mut place = here.clone();
    if let ContestantKind::Program { start, files, .. } = &mut place.kind {
        (start.cmd, start.args, start.dir) = (began.cmd.clone(), began.args.clone(), began.dir.clone());
        files.clone_from(had);
    }
    Moved::From(Box::new(place))
}

/// The games that were forfeited, with the reasons.
#[derive(Default)]
pub(crate) struct Forfeits {
    rows: Vec<Row>,
    more: usize,
}

/// The most forfeits that a report lists.
const LISTED: usize = 200;

impl Forfeits {
    /// Adds a game if it was forfeited, and returns the words about it.
    pub(crate) fn add<G: ArenaGame>(&mut self, record: &Record<G>) -> Option<String> {
        let ending = record.ending?;
        let Cause::Forfeit(_) = ending.cause else { return None };
        let loser = if ending.outcome == Outcome::Win(Team::A) { "Second" } else { "First" };
        let [game, loser, why] =
            ["Round", loser, "Complaint"].map(|tag| record.tag(tag).unwrap_or_default().to_owned());
        let cause = ending.cause.text();
        let colon = if why.is_empty() { "" } else { ": " };
        let words = format!("game {game}: {loser} loses by {cause}{colon}{why}");
        if self.rows.len() < LISTED {
            self.rows.push(Row { head: game, cells: vec![loser.into(), cause.into(), why.into()] });
        } else {
            self.more += 1;
        }
        Some(words)
    }

    /// The table of a report; `None` if no game was forfeited. `file` has all games.
    pub(crate) fn table(&self, file: &str) -> Option<Table> {
        let more = match self.more {
            0 => String::new(),
            more => format!(" {more} more are in {file}."),
        };
        (!self.rows.is_empty()).then(|| Table {
            title: "Forfeits".to_owned(),
            caption: format!(
                "Games that a player lost without playing them to their end: what the referee saw, and the last lines that the program wrote on standard error.{more}"
            ),
            columns: ["game", "loser", "by", "why"].map(str::to_owned).to_vec(),
            rows: self.rows.clone(),
        })
    }
}

/// The files on a command line: the program, by its path or in PATH, and arguments that are files.
fn program_files(program: &Program) -> BTreeMap<String, String> {
    let inside = |path: &Path| program.dir.as_ref().map(|dir| dir.join(path)).filter(|path| path.is_file());
    let found = |word: &str| {
        let path = Path::new(word);
        inside(path).or_else(|| path.is_file().then(|| path.to_owned()))
    };
    let on_path = |word: &str| {
        let folders = std::env::var_os("PATH")?;
        std::env::split_paths(&folders).map(|folder| folder.join(word)).find(|path| path.is_file())
    };
    // A bare name is searched in PATH.
    let is_bare = !program.cmd.contains(std::path::is_separator);
    let cmd = if is_bare { on_path(&program.cmd) } else { found(&program.cmd) };
    let args = program.args.iter().map(|arg| (arg, found(arg)));
    let named = |(word, path): (&String, Option<PathBuf>)| {
        Some((word.clone(), Name::of_bytes(&std::fs::read(path?).ok()?).to_string()))
    };
    std::iter::once((&program.cmd, cmd)).chain(args).filter_map(named).collect()
}

/// The outcome of a run. One that failed before its first game leaves no journal, so that a corrected command
/// can use the folder.
pub(crate) fn ended<T>(
    result: Result<T, MatchError>,
    out: Option<&Path>,
    journal: Option<&Journal>,
) -> Result<T, MatchError> {
    if let (Err(_), Some(folder), true) = (&result, out, journal.is_some_and(Journal::is_empty)) {
        for file in ["journal", "provenance.json", "match.games"] {
            let _ = std::fs::remove_file(folder.join(file));
        }
    }
    result
}

/// Default nodes per move of our players that have no number of their own, as levels do.
const USUAL_NODES: u64 = 20_000;

/// The settings of a contestant; all are optional.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Entry {
    name: Option<String>,
    player: Option<String>,
    cmd: Option<String>,
    #[serde(deserialize_with = "one_or_more")]
    arg: Vec<String>,
    #[serde(deserialize_with = "spaced")]
    args: Vec<String>,
    dir: Option<PathBuf>,
    #[serde(deserialize_with = "one_or_more")]
    env: Vec<String>,
    proto: Option<String>,
    mem: Option<u64>,
    answer: Option<u64>,
    stall: Option<u64>,
    nodes: Option<u64>,
    st: Option<f64>,
    tc: Option<String>,
}

/// A list of texts, or a text for a list of one.
#[derive(Deserialize)]
#[serde(untagged)]
enum Texts {
    One(String),
    More(Vec<String>),
}

fn one_or_more<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Vec<String>, D::Error> {
    Ok(match Texts::deserialize(input)? {
        Texts::One(text) => vec![text],
        Texts::More(texts) => texts,
    })
}

/// The same, with one text cut at its spaces, as other match runners do.
fn spaced<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Vec<String>, D::Error> {
    Ok(match Texts::deserialize(input)? {
        Texts::One(text) => text.split_whitespace().map(str::to_owned).collect(),
        Texts::More(texts) => texts,
    })
}

/// Reads KEY=VALUE words.
fn words(words: &[String]) -> anyhow::Result<Entry> {
    let mut entry = Entry::default();
    for word in words {
        let Some((key, value)) = word.split_once('=') else {
            bail!("expected KEY=VALUE, found {word:?}");
        };
        let number =
            || value.parse::<u64>().with_context(|| format!("expected {key}=NUMBER, found {word:?}"));
        let text = || Some(value.to_owned());
        match key {
            "name" => entry.name = text(),
            "player" => entry.player = text(),
            "cmd" => entry.cmd = text(),
            "arg" => entry.arg.push(value.to_owned()),
            "args" => entry.arg.extend(value.split_whitespace().map(str::to_owned)),
            "restart" if value == "on" => {}
            "dir" => entry.dir = Some(value.into()),
            "env" => entry.env.push(value.to_owned()),
            "proto" => entry.proto = text(),
            "mem" => entry.mem = Some(number()?),
            "answer" => entry.answer = Some(number()?),
            "stall" => entry.stall = Some(number()?),
            "nodes" => entry.nodes = Some(number()?),
            "st" => {
                let seconds = value.parse();
                entry.st = Some(seconds.with_context(|| format!("expected st=SECONDS, found {word:?}"))?);
            }
            "tc" => entry.tc = text(),
            _ if habits::engine_key(key).is_some() => {
                bail!("{key}=: {}", habits::engine_key(key).unwrap_or_default())
            }
            _ => bail!(
                "{key}= is not a key: name, player, cmd, arg, args, dir, env, proto, mem, answer, stall, nodes, st, tc"
            ),
        }
    }
    Ok(entry)
}

impl Entry {
    /// This entry, with missing settings taken from another. The three budgets count as one setting.
    pub(crate) fn over(&self, base: &Entry) -> Entry {
        let budget = if self.has_budget() { self } else { base };
        let pick = |own: &Option<String>, other: &Option<String>| own.clone().or_else(|| other.clone());
        Entry {
            name: pick(&self.name, &base.name),
            player: pick(&self.player, &base.player),
            cmd: pick(&self.cmd, &base.cmd),
            arg: match [self, base].map(|entry| [&entry.arg[..], &entry.args[..]].concat()) {
                [own, base] if own.is_empty() => base,
                [own, _] => own,
            },
            args: Vec::new(),
            dir: self.dir.clone().or_else(|| base.dir.clone()),
            env: if self.env.is_empty() { base.env.clone() } else { self.env.clone() },
            proto: pick(&self.proto, &base.proto),
            mem: self.mem.or(base.mem),
            answer: self.answer.or(base.answer),
            stall: self.stall.or(base.stall),
            nodes: budget.nodes,
            st: budget.st,
            tc: budget.tc.clone(),
        }
    }

    /// Whether it has a budget.
    pub(crate) fn has_budget(&self) -> bool {
        self.nodes.is_some() || self.st.is_some() || self.tc.is_some()
    }

    /// The contestant it describes.
    pub(crate) fn contestant(&self) -> anyhow::Result<Contestant> {
        let config =
            self.player.as_deref().and_then(|player| player.parse::<anglerfish_engine::Config>().ok());
        let own = config.as_ref().and_then(|config| config.nodes);
        if let (Some(player), Some(own), Some(nodes)) = (&self.player, own, self.nodes)
            && player.split(',').any(|setting| setting.starts_with("nodes="))
            && own != nodes
        {
            bail!(
                "player={player} says {own} nodes per move, and nodes={nodes} says {nodes}: leave out one of the two"
            );
        }
        let budget = match (self.nodes, self.st, &self.tc) {
            (Some(n), None, None) => format!("nodes={n}"),
            (None, Some(st), None) => format!("st={st}"),
            (None, None, Some(tc)) => format!("tc={}", habits::clock(tc).map_err(|e| anyhow!(e))?),
            // Programs get the platform's clock, and our players a budget for quick, reproducible games.
            (None, None, None) if self.player.is_some() => {
                let searches = config.as_ref().is_none_or(|config| config.search.takes_nodes());
                let own = config.as_ref().and_then(|config| config.nodes);
                Budget::Nodes(if searches { own.unwrap_or(USUAL_NODES) } else { 1 }).to_string()
            }
            (None, None, None) => Budget::default().to_string(),
            _ => bail!("expected only one of nodes=, st= and tc="),
        };
        budget.parse::<Budget>().map_err(|e| anyhow!("{e}"))?;
        let kind = match (&self.player, &self.cmd) {
            (Some(player), None) => ContestantKind::Builtin(player.clone()),
            (None, Some(cmd)) => {
                let proto = self
                    .proto
                    .as_deref()
                    .context("expected proto= for a program: dctp, uci, misty or wakasagi")?;
                let proto: Protocol = proto.parse().map_err(|e: NotationError| anyhow!("{e}"))?;
                let usual = Caps::default();
                let caps = Caps {
                    memory_mb: self.mem,
                    answer_s: self.answer.unwrap_or(usual.answer_s),
                    stall_s: self.stall.unwrap_or(usual.stall_s),
                };
                let program = Program {
                    cmd: cmd.clone(),
                    args: [&self.arg[..], &self.args[..]].concat(),
                    dir: self.dir.clone(),
                    env: environment(&self.env)?,
                    caps,
                    ..Program::default()
                };
                ContestantKind::Program {
                    start: program,
                    proto,
                    files: BTreeMap::new(),
                    announced: String::new(),
                }
            }
            _ => bail!("expected player=NAME or cmd=PROGRAM for a contestant"),
        };
        let file_name = |cmd: &String| Path::new(cmd).file_name().map(|n| n.to_string_lossy().into_owned());
        let name = self
            .name
            .clone()
            .or_else(|| self.player.clone())
            .or_else(|| self.cmd.as_ref().and_then(file_name));
        let name = name.context("expected a name")?;
        if name.contains(char::is_control) {
            bail!("expected a name without line breaks and other control characters, found {name:?}");
        }
        Ok(Contestant { name, kind, budget })
    }
}

/// The variables that a program gets beyond the usual ones. A variable without a value has to exist.
pub(crate) fn environment(words: &[String]) -> anyhow::Result<Vec<String>> {
    for word in words {
        let (name, value) =
            word.split_once('=').map_or((&word[..], None), |(name, value)| (name, Some(value)));
        if name.is_empty() || word.contains('\0') {
            bail!("expected env=NAME or env=NAME=VALUE, found {word:?}");
        }
        if value.is_none() && std::env::var_os(name).is_none() {
            bail!("env={name}: the environment has no {name}; env={name}=VALUE sets it");
        }
    }
    Ok(words.to_vec())
}

/// A sequential test in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SprtEntry {
    elo0: f64,
    elo1: f64,
    #[serde(default = "five_percent")]
    alpha: f64,
    #[serde(default = "five_percent")]
    beta: f64,
    #[serde(default)]
    model: Option<String>,
}

fn five_percent() -> f64 {
    0.05
}

impl SprtEntry {
    pub(crate) fn test(&self) -> anyhow::Result<Sprt> {
        let model = match self.model.as_deref() {
            None | Some("logistic") => Model::Logistic,
            Some("normalized") => Model::Normalized,
            Some(other) => bail!("expected model=logistic or model=normalized, found {other:?}"),
        };
        let sprt = Sprt { elo0: self.elo0, elo1: self.elo1, alpha: self.alpha, beta: self.beta, model };
        sprt.check()?;
        Ok(sprt)
    }
}

/// Reads the words of `--sprt`.
pub(crate) fn sprt(words: &[String]) -> anyhow::Result<Option<Sprt>> {
    if words.is_empty() {
        return Ok(None);
    }
    let value = |key: &str| words.iter().find_map(|w| w.strip_prefix(key)?.strip_prefix('='));
    for word in words {
        let key = word.split('=').next().unwrap_or_default();
        if !["elo0", "elo1", "alpha", "beta", "model"].contains(&key) {
            bail!("{word:?}: expected elo0=, elo1=, alpha=, beta= or model=");
        }
    }
    let number = |key: &str, usual: Option<f64>| match value(key) {
        Some(text) => text.parse::<f64>().with_context(|| format!("expected {key}=NUMBER, found {text:?}")),
        None => usual.with_context(|| format!("expected {key}= in --sprt")),
    };
    let entry = SprtEntry {
        elo0: number("elo0", None)?,
        elo1: number("elo1", None)?,
        alpha: number("alpha", Some(0.05))?,
        beta: number("beta", Some(0.05))?,
        model: value("model").map(str::to_owned),
    };
    entry.test().map(Some)
}
