//! Shared by the tests of the store: folders, and units with games of every kind.
#![allow(dead_code, reason = "every test uses some of it")]

pub(crate) mod check;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anglerfish_arena::{Contestant, Match, Name, Openings, Worker, write_games};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::testkit::heap::Heap;
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Cause, Ending, Forfeit, Outcome, Record, Team};
use anglerfish_store::{Imported, Place, Store, StoredGame};

/// A temporary folder, removed when the test is over.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        // Two tests of one process may use the same name.
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let (process, n) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("anglerfish-store-{name}-{process}-{n}"));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn place(&self) -> Place {
        Place::open(self.0.to_str().expect("UTF-8"), &[]).expect("a place")
    }

    pub(crate) fn store<G: StoredGame>(&self) -> Store<G> {
        Store::open(self.place(), None).expect("a store")
    }

    /// The files in one of its folders, by name.
    pub(crate) fn files(&self, folder: &str) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.0.join(folder))
            .map(|files| files.map(|file| file.expect("an entry").path()).collect::<Vec<_>>());
        let mut files = files.unwrap_or_default();
        files.sort();
        files
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The text of a unit, and of its games.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) text: String,
    pub(crate) games: String,
}

impl Played {
    pub(crate) fn name(&self) -> Name {
        Name::of(&self.text)
    }
}

/// Plays units from `first` to `last` of a match.
pub(crate) fn played<G: StoredGame>(game: &Match, first: u64, last: u64) -> Vec<Played> {
    let play = |n| {
        let text = game.unit(n).text();
        let records = Worker::default().play::<G>(&text).expect("a unit");
        Played { text, games: write_games(&records) }
    };
    (first..=last).map(play).collect()
}

pub(crate) fn players(a: &str, b: &str) -> [Contestant; 2] {
    [("a", a), ("b, \"the second\"", b)].map(|(name, player)| Contestant::builtin(name, player, "nodes=10"))
}

/// Quick games of Banqi on a small board, in units of `pairs` pairs.
pub(crate) fn quick(seed: u64, pairs: u32) -> Match {
    let game = Match::new::<Banqi>(players("greedy", "random"), "platform,board=4x4", seed, 1_000_000);
    Match { batch: pairs, openings: Openings::Random(3), ..game }
}

/// Records as in foreign files: times, tags, complaints, and games that were forfeited or unfinished.
pub(crate) fn imported<G: StoredGame>(records: &[Record<G>], first: u64) -> Played {
    let mut records = records.to_vec();
    for (n, record) in records.iter_mut().enumerate() {
        for (i, ply) in record.plies.iter_mut().enumerate() {
            ply.took = Duration::from_millis(((i + n) % 4 * 1250) as u64);
        }
        record.set_tag("Event", "a club's \"open\" \\ tournament, 暗棋");
        if n % 3 > 0 {
            record.truncate(record.plies.len() / 2);
        }
        if n % 3 == 1 {
            let forfeit = Forfeit::ALL[n / 3 % Forfeit::ALL.len()];
            let outcome = Outcome::Win(if n % 2 == 0 { Team::A } else { Team::B });
            record.ending = Some(Ending { outcome, cause: Cause::Forfeit(forfeit) });
            record.set_tag("Complaint", "it said \"resign\" {twice}");
        }
    }
    let file = Name::of(&write_games(&records));
    let text = Imported::new::<G>(&file, first, records.len() as u32).text();
    Played { text, games: write_games(&records) }
}

/// Units of Banqi that together use every feature of units.
pub(crate) fn all_of_banqi() -> Vec<Played> {
    let think = players("alphabeta,hash=1", "mcts,hash=1");
    let plain = Match::new::<Banqi>(think, "platform,board=4x4", 3, 100);
    let list = vec!["pPgG/nNrR/mMcC/kKpP".to_owned(), "a1 b2".to_owned()];
    let timed = players("greedy", "random").map(|player| Contestant { budget: "tc=60".to_owned(), ..player });
    let mut all = played::<Banqi>(&plain, 1, 2);
    all.extend(played::<Banqi>(&Match { annotate: Some(1), batch: 2, ..plain.clone() }, 1, 2));
    all.extend(played::<Banqi>(&Match { stop: Some(9), ..plain.clone() }, 1, 1));
    let annotated =
        played::<Banqi>(&Match { annotate: Some(5), openings: Openings::Random(4), ..plain.clone() }, 3, 8);
    let records: Vec<Record<Banqi>> = annotated
        .iter()
        .flat_map(|unit| anglerfish_arena::read_games::<Banqi>(&unit.games).expect("games"))
        .collect();
    all.extend(annotated);
    all.extend(played::<Banqi>(&Match { openings: Openings::List(list), batch: 2, ..plain }, 1, 1));
    all.extend(played::<Banqi>(&Match::new::<Banqi>(timed, "olympiad,board=4x4", 3, 100), 1, 1));
    all.extend(played::<Banqi>(&quick(4, 3), 1, 12));

    // Games that begin in the middle.
    let mut later = Vec::new();
    for record in &records {
        let mut start = record.start.clone();
        let half = record.plies.len() / 2;
        for ply in &record.plies[..half] {
            anglerfish_rules::Game::apply(&mut start, ply.event);
        }
        let plies = record.plies[half..].to_vec();
        let mut other = Record::new(start);
        other.tags = record.tags.iter().filter(|(name, _)| name != "Opening").cloned().collect();
        (other.plies, other.ending) = (plies, record.ending);
        later.push(other);
    }
    all.push(imported(&later, 1));
    all.push(imported(&records, 1));
    all
}

/// Units of the other games.
pub(crate) fn all_of_tictactoe() -> Vec<Played> {
    let game = Match::new::<TicTacToe>(players("exact", "semirandom,look=2"), "standard", 1, 50);
    let mut all = played::<TicTacToe>(&Match { annotate: Some(9), ..game }, 1, 3);
    all.extend(played::<TicTacToe>(
        &Match::new::<TicTacToe>(players("random", "random"), "standard", 1, 50),
        1,
        9,
    ));
    let records: Vec<Record<TicTacToe>> =
        all.iter().flat_map(|unit| anglerfish_arena::read_games(&unit.games).expect("games")).collect();
    all.push(imported(&records, 7));
    all
}

/// The four-seat game, in which players leave and the others play on.
pub(crate) fn all_of_heap() -> Vec<Played> {
    let game = Match::new::<Heap>(players("random", "random"), "standard", 1, 50);
    let mut all = played::<Heap>(&Match { annotate: Some(2), batch: 4, ..game }, 1, 4);
    let mut records: Vec<Record<Heap>> =
        all.iter().flat_map(|unit| anglerfish_arena::read_games(&unit.games).expect("games")).collect();
    for record in &mut records {
        leave(record);
    }
    all.push(imported(&records, 1));
    all
}

/// A player leaves after the second ply, out of turn, and the others play on while their recorded moves are
/// still possible.
fn leave(record: &mut Record<Heap>) {
    use anglerfish_rules::testkit::heap::Event;
    use anglerfish_rules::{Game, Ply, Seat};

    let rest = record.plies.split_off(2.min(record.plies.len()));
    record.truncate(2);
    let mut game = record.start.clone();
    record.plies.iter().for_each(|ply| game.apply(ply.event));
    let gone = Event::Leave(Seat(1));
    for event in std::iter::once(gone).chain(rest.into_iter().map(|ply| ply.event)) {
        if let Some(seat) = game.seat_of(event).filter(|_| !game.turn().is_over() && game.is_possible(event))
        {
            game.apply(event);
            record.plies.push(Ply { seat, event, took: Duration::ZERO });
        }
    }
    if let anglerfish_rules::Turn::Over(outcome, reason) = game.turn() {
        record.ending = Some(Ending { outcome, cause: Cause::Rules(reason) });
    }
}
