//! The worker that plays units: an engine of known identity, the files that players need, and bounds.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anglerfish_engine::Assets;
use anglerfish_rules::{Outcome, Record, Rng, RngExt, Team, read_records};

use super::identity::Identity;
use super::unit::{Bounds, Openings, Unit};
use crate::arena_game::{ArenaGame, Opened};
use crate::error::ArenaError;
use crate::luck::Judging;
use crate::program::Program;
use crate::table::{Clocks, GameOptions, Player, Table, play};

/// A player of units.
#[derive(Clone, Debug)]
pub struct Worker {
    /// The identity of this engine; if it is unknown, units that ask for a certain engine are refused.
    pub identity: Identity,
    /// The files that players refer to, and the models of opponents.
    pub assets: Assets,
    /// The bounds for its units.
    pub bounds: Bounds,
    /// The folder for the logs of programs, one file per program and game. Games do not depend on it.
    pub log: Option<PathBuf>,
    /// Whether programs run isolated from the rest of the machine. Games do not depend on it.
    pub isolate: bool,
    /// Programs that lie elsewhere than their units say, by the name of the contestant: the same files under other paths.
    pub moved: BTreeMap<String, Program>,
}

impl Default for Worker {
    /// A worker without bounds and files, for this machine's own user.
    fn default() -> Worker {
        Worker {
            identity: Identity::default(),
            assets: Assets::default(),
            bounds: Bounds::OURS,
            log: None,
            isolate: false,
            moved: BTreeMap::new(),
        }
    }
}

impl Worker {
    /// Plays the games of a unit, in the order of its pairs.
    ///
    /// # Errors
    /// When the text is not a unit, or this worker may not play it.
    pub fn play<G: ArenaGame>(&self, text: &str) -> Result<Vec<Record<G>>, ArenaError> {
        let unit = Unit::read(text, &self.bounds)?;
        let rules = unit.rules::<G>(&self.bounds)?;
        let ours = self.identity.digest();
        if !unit.engine.is_empty() && unit.engine != ours {
            let theirs = &unit.engine;
            let why = format!("the unit is for the engine {theirs:.12}, and this is {ours:.12}");
            return Err(ArenaError::Unfit(why));
        }
        for (name, digest) in &unit.assets {
            if self.assets.get(name).is_none_or(|asset| asset.digest != *digest) {
                let why = format!("{name} is not the file with the digest {digest:.12}");
                return Err(ArenaError::Unfit(why));
            }
        }
        // Players get only the files that their unit names, because games may depend on nothing else.
        let assets = self.assets.only(|name| unit.assets.contains_key(name));
        let mut judge = unit.luck.as_ref().map(Judging::judge::<G>).transpose()?;
        let mut records = Vec::with_capacity(unit.games());
        for n in 0..unit.pairs {
            let opening = match &unit.openings {
                Openings::List(list) => list.get(n as usize).map(String::as_str),
                Openings::None | Openings::Random(_) => None,
            };
            let games = if unit.single { 1 } else { 2 };
            for game in 1..=games {
                let pair = unit.first + u64::from(n);
                let mut record = self.game::<G>(&unit, &rules, &assets, opening, pair, game)?;
                if let (Some(judging), Some(judge)) = (&unit.luck, &mut judge) {
                    judging.write(judge, &mut record);
                }
                records.push(record);
            }
        }
        Ok(records)
    }

    /// Game 1 or 2 of a pair.
    fn game<G: ArenaGame>(
        &self,
        unit: &Unit,
        rules: &G::Rules,
        assets: &Assets,
        opening: Option<&str>,
        pair: u64,
        game: u32,
    ) -> Result<Record<G>, ArenaError> {
        let [a, b] = &unit.players;
        let teams = if game == 1 { [a, b] } else { [b, a] };
        let (pair_seed, seed) = (unit.pair_seed(pair), unit.game_seed(pair, game));
        let clocks = Clocks::of_teams([teams[0].clock()?, teams[1].clock()?]);
        let (mut table, deal) = open::<G>(rules, opening, pair_seed, &clocks)?;
        if let Openings::Random(plies) = unit.openings {
            wander(&mut table, plies, &mut Rng::stream(pair_seed, "opening"));
        }
        if let Some(plies) = unit.stop {
            table.stop_after(plies as usize);
        }
        let opened = table.record().plies.len();

        let mut players = Vec::new();
        for seat in 0..G::SEATS {
            let what = || format!("{}.{game}-{}", file_word(unit, pair), seat_word::<G>(seat));
            let contestant = teams[usize::from(seat) % 2].started(
                self.log.as_deref(),
                self.isolate,
                self.moved.get(&teams[usize::from(seat) % 2].name),
                what,
            );
            players.push(contestant.player::<G>(rules, assets)?);
        }
        let mut chairs: Vec<&mut dyn Player<G>> =
            players.iter_mut().map(|player| &mut **player as _).collect();
        let terms = GameOptions {
            lines: unit.annotate.map(|lines| lines as usize),
            ponder: unit.ponder,
            adjudication: unit.adjudication,
        };
        let mut record = play(table, &mut chairs, seed, terms);

        let tags = tags(unit, pair, game, deal, opened);
        let of_the_end = std::mem::take(&mut record.tags);
        for (name, value) in tags {
            record.set_tag(name, &value.replace(['\n', '\r'], " "));
        }
        record.tags.extend(of_the_end);
        Ok(record)
    }
}

/// The tags of the record of game 1 or 2 of a pair.
fn tags(
    unit: &Unit,
    pair: u64,
    game: u32,
    deal: Option<String>,
    opened: usize,
) -> Vec<(&'static str, String)> {
    let [a, b] = &unit.players;
    let [first, second] = if game == 1 { [a, b] } else { [b, a] };
    let round = if unit.round.is_empty() { pair.to_string() } else { unit.round.clone() };
    let mut tags = vec![
        ("Round", format!("{round}.{game}")),
        ("First", first.name.clone()),
        ("Second", second.name.clone()),
        ("Budget", format!("{} {}", first.budget, second.budget)),
        ("Seed", unit.game_seed(pair, game).to_string()),
    ];
    tags.extend(deal.map(|deal| ("Deal", deal)));
    if opened > 0 {
        tags.push(("Opening", opened.to_string()));
    }
    tags
}

/// The head of the record of game `n` of a unit, counted from 0: its start and its tags. `opened` is the number of plies of its
/// opening.
///
/// # Errors
/// When the unit has no such game, or its opening is invalid.
pub fn heading<G: ArenaGame>(
    unit: &Unit,
    rules: &G::Rules,
    n: u32,
    opened: u32,
) -> Result<Record<G>, ArenaError> {
    let games = if unit.single { 1 } else { 2 };
    let (pair, game) = (n / games, n % games + 1);
    if pair >= unit.pairs {
        let why = format!("a unit of {} games has no game {}", unit.games(), n + 1);
        return Err(ArenaError::Unfit(why));
    }
    let opening = match &unit.openings {
        Openings::List(list) => list.get(pair as usize).map(String::as_str),
        Openings::None | Openings::Random(_) => None,
    };
    let pair = unit.first + u64::from(pair);
    let Opened { start, deal, .. } = G::open(rules, opening, unit.pair_seed(pair))?;
    let mut record = Record::new(start);
    for (name, value) in tags(unit, pair, game, deal, opened as usize) {
        record.set_tag(name, &value.replace(['\n', '\r'], " "));
    }
    Ok(record)
}

/// A table at which an opening has been played, and the text of the deal.
pub(super) fn open<G: ArenaGame>(
    rules: &G::Rules,
    opening: Option<&str>,
    pair_seed: u64,
    clocks: &Clocks,
) -> Result<(Table<G>, Option<String>), ArenaError> {
    let Opened { start, dealer, deal, actions } = G::open(rules, opening, pair_seed)?;
    let mut table = Table::new(start, dealer, *clocks);
    for action in actions {
        if !table.open(action).map_err(|illegal| ArenaError::Unfit(format!("opening: {illegal}")))? {
            return Err(ArenaError::Unfit(format!("opening: {action} ends the game")));
        }
    }
    Ok((table, deal))
}

/// Plays this many random plies, none of which ends the game.
fn wander<G: ArenaGame>(table: &mut Table<G>, plies: u32, dice: &mut Rng) {
    let mut actions = Vec::new();
    for _ in 0..plies {
        table.game().actions(&mut actions);
        if table.open(dice.pick(&actions)) != Ok(true) {
            return;
        }
    }
}

/// The name of a game in the names of log files.
fn file_word(unit: &Unit, pair: u64) -> String {
    match unit.round.split_once('.') {
        Some((round, board)) => format!("round-{round:0>2}.pair-{board:0>4}"),
        None => format!("pair-{pair:04}"),
    }
}

fn seat_word<G: ArenaGame>(seat: u8) -> String {
    match (G::SEATS, seat) {
        (2, 0) => "first".to_owned(),
        (2, _) => "second".to_owned(),
        _ => format!("seat-{seat}"),
    }
}

/// The games of a result's text.
///
/// # Errors
/// When it holds something else; the error points at it.
pub fn read_games<G: ArenaGame>(result: &str) -> Result<Vec<Record<G>>, ArenaError> {
    read_records(result).collect::<Result<_, _>>().map_err(|e| ArenaError::Games(e.pointing_at(result)))
}

/// The text of a unit's result.
pub fn write_games<G: ArenaGame>(records: &[Record<G>]) -> String {
    records.iter().map(|record| record.to_string() + "\n").collect()
}

/// The half points of the first-named player in the games of a pair: 0 to 2 per game.
pub fn halves<G: ArenaGame>(records: &[Record<G>]) -> u8 {
    let seats = [Team::A, Team::B];
    let points = records.iter().zip(seats.iter().cycle()).map(|(record, team)| {
        match record.ending.map(|e| e.outcome) {
            Some(Outcome::Win(winner)) => 2 * u8::from(winner == *team),
            Some(Outcome::Draw) | None => 1,
        }
    });
    points.sum()
}
