//! `anglerfish profile`: what recorded games reveal about a player, kept by name.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anglerfish_arena::protocol::Begun;
use anglerfish_engine::opponent::OpponentSummary;
use anglerfish_engine::{Assets, Profile, ProfileError};
use anglerfish_lab::assets;
use anglerfish_opponents::{CandidateTable, Estimate, Posterior, Question, Watch, candidate_table};
use anglerfish_report::counted;
use anglerfish_report::{Lang, words};
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::{Game, NotationError, Record, Seat};
use anyhow::{Context, anyhow, bail, ensure};
use serde_json::json;

use crate::input::{parse_pointing, read};
use crate::judged::{Finished, finished};
use crate::output::{writable, write_out};
use crate::progress::Progress;
use crate::terminal::{answer, people};

/// Estimate a player's style and strength from recorded games, and keep the estimate
///
/// Players of the field search every move of the games in parallel, and how often each of them finds the move
/// shows which one the player is like (docs/opponents.md). Elo is counted from alphabeta at 5,000 nodes. Give
/// the name to `dctp --opponent` to use the profile in play.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:
  anglerfish profile match/match.games --of theirs
  anglerfish profile games.jsonl.gz --of theirs --profiles known --json
  anglerfish profile list
  anglerfish profile show theirs
  anglerfish profile forget theirs")]
pub(crate) struct Args {
    #[command(subcommand)]
    kept: Option<StoredProfile>,
    /// Files of records; - is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The player, as the games name it [default: the only player in all of them]
    #[arg(long, value_name = "NAME")]
    of: Option<String>,
    /// The folder of profiles
    #[arg(long, value_name = "FOLDER", default_value = "profiles")]
    profiles: PathBuf,
    /// Ask only players that search at most this many nodes per move: it is faster, and less accurate about
    /// the strongest
    #[arg(long, value_name = "NODES", default_value_t = MOST)]
    most: u64,
    /// The rules of platform files, which do not name them
    #[arg(long, default_value = "platform")]
    rules: String,
    /// One JSON object, with the estimate from each game
    #[arg(long)]
    json: bool,
}

/// By default, players with more nodes per move are not asked.
const MOST: u64 = 10_000;

/// The commands on stored profiles.
#[derive(clap::Subcommand)]
enum StoredProfile {
    /// List the players with a profile
    #[command(after_help = "Examples:\n  anglerfish profile list --profiles known")]
    List(Folder),
    /// Show the profile of a player
    #[command(after_help = "Examples:\n  anglerfish profile show theirs")]
    Show(Named),
    /// Delete the profile of a player
    #[command(after_help = "Examples:\n  anglerfish profile forget theirs")]
    Forget(Named),
}

#[derive(clap::Args)]
struct Folder {
    /// The folder of profiles
    #[arg(long, value_name = "FOLDER", default_value = "profiles")]
    profiles: PathBuf,
}

#[derive(clap::Args)]
struct Named {
    /// The player
    name: String,
    #[command(flatten)]
    folder: Folder,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let mut out = people();
    match &args.kept {
        None => return build(args),
        Some(StoredProfile::List(folder)) => {
            for name in names(&folder.profiles)? {
                let profile = known(&folder.profiles, &name)?.context("a profile has gone")?;
                writeln!(out, "{name}: {}", told(&posterior(&profile)?))?;
            }
        }
        Some(StoredProfile::Show(Named { name, folder })) => {
            let profile = known(&folder.profiles, name)?;
            let profile = profile.with_context(|| unknown(&folder.profiles, name))?;
            writeln!(out, "{}", shown(name, &profile, &posterior(&profile)?))?;
        }
        Some(StoredProfile::Forget(Named { name, folder })) => {
            let path = path(&folder.profiles, name)?;
            ensure!(path.exists(), unknown(&folder.profiles, name));
            for path in [path.with_extension("before"), path].iter().filter(|path| path.exists()) {
                std::fs::remove_file(path).with_context(|| format!("cannot delete {}", path.display()))?;
            }
            writeln!(out, "Forgotten: {name}")?;
        }
    }
    Ok(true)
}

/// The profile of a player by name, if there is one.
pub(crate) fn known(folder: &Path, name: &str) -> anyhow::Result<Option<Profile>> {
    let path = path(folder, name)?;
    if !path.exists() {
        return Ok(None);
    }
    let text = read(&path)?;
    text.parse().map(Some).map_err(|e: ProfileError| anyhow!("{}, {e}", path.display()))
}

/// Creates the folder of a profile first: an error must not come only after a long game.
pub(crate) fn room(folder: &Path, name: &str) -> anyhow::Result<()> {
    let path = path(folder, name)?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    writable(&path)
}

/// Keeps the profile of a player, in the folder made by [`room`].
pub(crate) fn keep(folder: &Path, name: &str, profile: &Profile) -> anyhow::Result<()> {
    write_out(&path(folder, name)?, |out| Ok(write!(out, "{profile}")?))
}

/// The first line of a [`note`].
const BEGUN_FORMAT: &str = "anglerfish-begun 1";

/// Keeps the beginning of a game and the profile before it, beside the profile: if the program is killed and
/// the game resumed, the game counts once. docs/formats.md has the format.
pub(crate) fn note(folder: &Path, name: &str, game: &Begun) -> anyhow::Result<()> {
    let plies: Vec<String> = game.plies.iter().map(ToString::to_string).collect();
    let before = game.before.as_ref().map(ToString::to_string).unwrap_or_default();
    let path = path(folder, name)?.with_extension("before");
    write_out(&path, |out| Ok(write!(out, "{BEGUN_FORMAT}\n{}\n{before}", plies.join(" "))?))
}

/// The game kept by [`note`].
pub(crate) fn broken_off(folder: &Path, name: &str) -> anyhow::Result<Option<Begun>> {
    let path = path(folder, name)?.with_extension("before");
    if !path.exists() {
        return Ok(None);
    }
    let text = read(&path)?;
    let (title, rest) = text.split_once('\n').unwrap_or((&text, ""));
    ensure!(title == BEGUN_FORMAT, "{}: expected {BEGUN_FORMAT}, found {title:?}", path.display());
    let (plies, before) = rest.split_once('\n').unwrap_or((rest, ""));
    let plies = plies.split_whitespace().map(str::parse).collect::<Result<_, NotationError>>();
    let plies = plies.map_err(|e| anyhow!("{}, {e}", path.display()))?;
    let before = if before.is_empty() { None } else { Some(before.parse()) };
    let before = before.transpose().map_err(|e: ProfileError| anyhow!("{}, {e}", path.display()))?;
    Ok(Some(Begun { plies, before }))
}

/// The file of a player. Names must not be paths.
fn path(folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', ':', '\0']);
    ensure!(plain, "expected a name of a player without slashes and colons, found {name:?}");
    Ok(folder.join(format!("{name}.profile")))
}

fn names(folder: &Path) -> anyhow::Result<Vec<String>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(".profile").map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

fn unknown(folder: &Path, name: &str) -> String {
    let known = names(folder).unwrap_or_default().join(", ");
    let known = if known.is_empty() { "none is known".to_owned() } else { format!("known are {known}") };
    format!("expected a player that is known in {}, found {name:?}: {known}", folder.display())
}

/// The posterior of a profile, by the line-up of the field.
fn posterior(profile: &Profile) -> anyhow::Result<Posterior> {
    let mut posterior = Posterior::new(Arc::new(field()?));
    posterior.begin(|name| profile.probability(name));
    Ok(posterior)
}

fn field() -> anyhow::Result<CandidateTable> {
    Ok(CandidateTable::read(candidate_table::TEXT)?)
}

/// The player's style and strength in a line.
fn told(posterior: &Posterior) -> String {
    let estimate = Some(posterior.player_estimate_by(0.0));
    words::opponent(Lang::En, &OpponentSummary { estimate, ..OpponentSummary::default() }).unwrap_or_default()
}

/// The profile in full.
fn shown(name: &str, profile: &Profile, posterior: &Posterior) -> String {
    let estimate = posterior.estimate();
    let [weaker, equal, stronger] = estimate.classes.map(|share| 100.0 * share);
    let mut lines = vec![
        format!(
            "{name}: {} in {}",
            counted(u64::from(profile.plies), "move"),
            counted(u64::from(profile.games), "game")
        ),
        told(posterior),
        format!(
            "weaker {weaker:.0} %, equal {equal:.0} %, stronger {stronger:.0} % than alphabeta at 5,000 nodes"
        ),
    ];
    for (name, likely) in estimate.known.iter().take_while(|(_, likely)| *likely >= 0.01) {
        lines.push(format!("  {:>3.0} %  {name}", 100.0 * likely));
    }
    lines.push(format!("  {:>3.0} %  none of these", 100.0 * estimate.none));
    lines.join("\n")
}

/// The games of a player, by its name.
struct Own {
    name: String,
    /// Each with its seat.
    games: Vec<(Record<Banqi>, Seat)>,
}

/// The games of a player, by default of the only one in all of them.
fn games_of(games: Vec<Record<Banqi>>, name: Option<&str>) -> anyhow::Result<Own> {
    let players =
        |game: &Record<Banqi>| ["First", "Second"].map(|seat| game.tag(seat).unwrap_or_default().to_owned());
    let name = match name {
        Some(name) => name.to_owned(),
        None => {
            let mut always = games.first().map_or(Vec::new(), |game| players(game).to_vec());
            always.retain(|name| !name.is_empty() && games.iter().all(|game| players(game).contains(name)));
            let [name] = &always[..] else {
                bail!(
                    "expected --of NAME, since {} in all games",
                    if always.is_empty() {
                        "no player is".to_owned()
                    } else {
                        format!("{} are", always.join(" and "))
                    }
                )
            };
            name.clone()
        }
    };
    let seat = |game: &Record<Banqi>| {
        players(game).iter().position(|player| *player == name).map(|seat| Seat(seat as u8))
    };
    let own: Vec<(Record<Banqi>, Seat)> =
        games.into_iter().filter_map(|game| seat(&game).map(|seat| (game, seat))).collect();
    ensure!(!own.is_empty(), "expected games of {name:?}, found none");
    Ok(Own { name, games: own })
}

/// Whether a ply was the player's, and the answers about it.
type Heard = (bool, Vec<Option<usize>>);

/// The answers of candidates, habits and networks for each ply of a game.
fn heard(
    questions: &[Question],
    assets: &Assets,
    record: &Record<Banqi>,
    them: Seat,
) -> anyhow::Result<Vec<Heard>> {
    let mut watch = Watch::<Banqi>::new(questions, assets)?;
    watch.begin(them, 1);
    let mut game = record.start.clone();
    let mut heard = Vec::new();
    for ply in &record.plies {
        heard.push((ply.seat == them, watch.hear(&game, ply)));
        game.apply(ply.event);
    }
    Ok(heard)
}

fn hear(posterior: &mut Posterior, heard: &[Heard]) {
    for (theirs, answers) in heard {
        if *theirs {
            posterior.moved();
        }
        posterior.hear(answers);
    }
}

/// The current estimate, in the form of a profile.
fn believed(posterior: &Posterior, games: u32, plies: u32) -> Profile {
    let Estimate { known, none, .. } = posterior.estimate();
    let mut styles: Vec<(String, f64)> =
        known.into_iter().map(|(name, likely)| (name.into(), likely)).collect();
    styles.push((Posterior::NONE.to_owned(), none));
    Profile { game: Banqi::NAME.to_owned(), games, plies, styles }
}

/// The answers about a player from a game that may go on.
pub(crate) fn of_game(record: &Record<Banqi>, them: Seat) -> anyhow::Result<Profile> {
    let mut posterior = Posterior::new(Arc::new(field()?.asking_up_to(MOST)));
    let heard = heard(&posterior.lineup().questions, &assets(), record, them)?;
    hear(&mut posterior, &heard);
    let plies = heard.iter().filter(|(theirs, _)| *theirs).count() as u32;
    Ok(believed(&posterior, 1, plies))
}

fn build(args: &Args) -> anyhow::Result<bool> {
    let rules: RuleSet = parse_pointing(&args.rules)?;
    let Finished { games, wrong, .. } = finished(&args.files, rules)?;
    let Own { name, games } = games_of(games, args.of.as_deref())?;
    let lineup = field()?.asking_up_to(args.most);
    let before = known(&args.profiles, &name)?;
    room(&args.profiles, &name)?;
    let mut posterior = Posterior::new(Arc::new(lineup));
    let fresh = posterior.clone();
    posterior.begin(|style| before.as_ref()?.probability(style));
    let (mut each, mut plies) = (Vec::new(), before.as_ref().map_or(0, |profile| profile.plies));
    let mut progress = Progress::new();
    for (place, (game, them)) in games.iter().enumerate() {
        let heard = heard(&posterior.lineup().questions, &assets(), game, *them)?;
        hear(&mut posterior, &heard);
        let mut alone = fresh.clone();
        hear(&mut alone, &heard);
        each.push(alone.estimate());
        plies += heard.iter().filter(|(theirs, _)| *theirs).count() as u32;
        progress.stands(format!("{} of {}", place + 1, counted(games.len() as u64, "game")));
    }
    progress.clear();
    let estimate = posterior.estimate();
    let games = before.map_or(0, |profile| profile.games) + games.len() as u32;
    let profile = believed(&posterior, games, plies);
    keep(&args.profiles, &name, &profile)?;
    let mut out = answer(args.json);
    if args.json {
        let object = |estimate: &Estimate| json!({ "known": estimate.known, "none": estimate.none, "elo": estimate.elo, "classes": estimate.classes });
        let each: Vec<_> = each.iter().map(object).collect();
        writeln!(
            out,
            "{}",
            json!({ "schema": 1, "name": name, "plies": plies, "all": object(&estimate), "games": each })
        )?;
    } else {
        writeln!(out, "{}", shown(&name, &profile, &posterior))?;
    }
    Ok(wrong == 0)
}
