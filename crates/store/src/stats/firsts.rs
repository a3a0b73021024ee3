//! First moves: the score of the side that played them, by move, by symmetry class, and by the flipped piece.

use std::collections::BTreeMap;

use anglerfish_arena::stats::clustered::Clustered;
use anglerfish_report::{Cell, Figure, Mood, Row, Table, grouped};
use serde_json::{Value, json};

use super::page::{Range, mood, percent, share, whiskers};
use super::{Stats, share as share_json};
use crate::stored_game::{Face, StoredGame};

/// Scores of the side that played them.
#[derive(Clone, Debug, Default)]
pub struct Firsts {
    /// By move.
    pub moves: BTreeMap<String, Clustered>,
    /// By symmetry class.
    pub classes: BTreeMap<String, Clustered>,
    /// By the flipped piece.
    pub faces: BTreeMap<Face, Clustered>,
    /// By class and flipped piece.
    pub crossed: BTreeMap<(String, Face), Clustered>,
}

impl Firsts {
    /// Adds the games of one pair, under one rule set: the first event of each, and the first mover's score.
    pub(super) fn add<G: StoredGame>(&mut self, rules: &G::Rules, pair: &[(G::Event, f64)]) {
        let class = |event| G::class(rules, G::action_of(event));
        sums(pair, &mut self.moves, |event| Some(G::action_of(event).to_string()));
        sums(pair, &mut self.classes, class);
        sums(pair, &mut self.faces, G::face);
        sums(pair, &mut self.crossed, |event| Some((class(event)?, G::face(event)?)));
    }

    pub(super) fn json(&self, by_chance: bool) -> Value {
        let shares = |all: &BTreeMap<String, Clustered>| -> BTreeMap<String, Value> {
            all.iter().map(|(name, mean)| (name.clone(), share_json(mean))).collect()
        };
        let faces: BTreeMap<&str, Value> =
            self.faces.iter().map(|((_, name), mean)| (*name, share_json(mean))).collect();
        let mut crossed: BTreeMap<&str, BTreeMap<&str, Value>> = BTreeMap::new();
        for ((class, (_, face)), mean) in &self.crossed {
            crossed.entry(class).or_default().insert(face, share_json(mean));
        }
        json!({
            "by_chance": by_chance, "moves": shares(&self.moves), "classes": shares(&self.classes), "faces": faces,
            "classes_and_faces": crossed,
        })
    }
}

/// Adds the scores of one pair, by name.
fn sums<E: Copy, K: Ord>(pair: &[(E, f64)], all: &mut BTreeMap<K, Clustered>, name: impl Fn(E) -> Option<K>) {
    let mut by_name: BTreeMap<K, (u64, f64)> = BTreeMap::new();
    for (event, score) in pair {
        if let Some(name) = name(*event) {
            let sum = by_name.entry(name).or_default();
            *sum = (sum.0 + 1, sum.1 + score);
        }
    }
    for (name, (games, sum)) in by_name {
        all.entry(name).or_default().add(games, sum);
    }
}

impl Stats {
    pub(super) fn first_tables(&self) -> Vec<Table> {
        let (word, Firsts { moves, classes, faces, .. }) = (self.word(), &self.firsts);
        let mut tables = Vec::new();
        tables.extend(self.board());
        if !classes.is_empty() {
            let title = format!("First {word}, mirror images taken together");
            tables.push(self.first_table(title, "squares", named(classes)));
        }
        if !faces.is_empty() {
            tables.push(self.first_table(format!("First {word}, by what came up"), "piece", faced(faces)));
        }
        tables.extend(self.crossed());
        if !moves.is_empty() {
            tables.push(self.first_table(format!("First {word}"), "move", named(moves)));
        }
        tables
    }

    /// The short figures, and the one with all moves.
    pub(super) fn first_figures(&self) -> (Vec<Figure>, Option<Figure>) {
        let figure = |how: &str, all: Vec<(String, &Clustered)>| {
            let rows: Vec<(String, Range)> =
                all.into_iter().map(|(name, mean)| (name, share(mean))).collect();
            let title = format!("First {}{how}", self.word());
            let unit = "score of the side that played it, %";
            (!rows.is_empty())
                .then(|| whiskers(&title, unit, &rows, self.which(), 100.0, Some(self.first_mean())))
        };
        let short = [
            figure(", mirror images taken together", named(&self.firsts.classes)),
            figure(" by what came up", faced(&self.firsts.faces)),
        ];
        (short.into_iter().flatten().collect(), figure("", named(&self.firsts.moves)))
    }

    /// The word for first moves.
    fn word(&self) -> &'static str {
        if self.game == "banqi" { "flips" } else { "moves" }
    }

    /// Which games the first moves are from.
    fn which(&self) -> String {
        let pairs = if self.is_paired() { " Both games of a pair begin with the same one." } else { "" };
        if self.by_chance {
            format!("Only games whose first ply was drawn by lot.{pairs}")
        } else {
            "All games: in none was the first ply drawn by lot, so it also tells who the players are."
                .to_owned()
        }
    }

    /// Whether games come in pairs.
    fn is_paired(&self) -> bool {
        self.draws.values() > self.draws.clusters()
    }

    /// The mean score of first moves.
    fn first_mean(&self) -> f64 {
        let (points, games) = self.firsts.moves.values().fold((0.0, 0.0), |(points, games), mean| {
            let n = mean.values() as f64;
            (points + mean.mean() * n, games + n)
        });
        points / games
    }

    fn first_table(&self, title: String, what: &str, all: Vec<(String, &Clustered)>) -> Table {
        let paired = self.is_paired();
        let rows = all.into_iter().map(|(head, mean)| {
            let pairs = paired.then(|| grouped(mean.clusters()).into());
            let cells = [Some(grouped(mean.values()).into()), pairs, Some(self.first_cell(mean))];
            Row { head, cells: cells.into_iter().flatten().collect() }
        });
        let columns = [what, "games", "pairs", "score"].into_iter().filter(|name| paired || *name != "pairs");
        Table {
            title,
            caption: format!(
                "The score of the side that played it. Shaded: the interval does not contain the mean of all, {:.2} %; by chance alone that happens to one in twenty. {}",
                100.0 * self.first_mean(),
                self.which()
            ),
            columns: columns.map(str::to_owned).collect(),
            rows: rows.collect(),
        }
    }

    fn first_cell(&self, mean: &Clustered) -> Cell {
        let tone: Mood = mood(share(mean), self.first_mean());
        Cell::new(percent(share(mean)), tone)
    }

    /// First moves on a board, where they are squares.
    fn board(&self) -> Option<Table> {
        let place = |name: &String| match name.as_bytes() {
            [file @ b'a'..=b'z', rank @ b'1'..=b'9'] => Some((*rank, *file)),
            _ => None,
        };
        let moves = &self.firsts.moves;
        let places: Vec<(u8, u8)> = moves.keys().map(place).collect::<Option<_>>()?;
        let (ranks, files) = (places.iter().map(|p| p.0).max()?, places.iter().map(|p| p.1).max()?);
        let cell = |rank: u8, file: u8| {
            let name: String = [file as char, rank as char].iter().collect();
            moves.get(&name).map_or_else(Cell::default, |mean| self.first_cell(mean))
        };
        let rows = (b'1'..=ranks).rev().map(|rank| Row {
            head: (rank as char).to_string(),
            cells: (b'a'..=files).map(|file| cell(rank, file)).collect(),
        });
        Some(Table {
            title: format!("First {} on the board", self.word()),
            caption: "The score of the side that played it, where the squares are; shaded as below."
                .to_owned(),
            columns: std::iter::once(String::new())
                .chain((b'a'..=files).map(|f| (f as char).to_string()))
                .collect(),
            rows: rows.collect(),
        })
    }

    /// Classes by the flipped piece.
    fn crossed(&self) -> Option<Table> {
        let Firsts { classes, faces, crossed, .. } = &self.firsts;
        let cell = |class: &String, face: &Face| {
            crossed.get(&(class.clone(), *face)).map_or_else(Cell::default, |mean| self.first_cell(mean))
        };
        let rows = classes.keys().map(|class| Row {
            head: class.clone(),
            cells: faces.keys().map(|face| cell(class, face)).collect(),
        });
        (!crossed.is_empty()).then(|| Table {
            title: format!("First {}, by squares and by what came up", self.word()),
            caption: "The score of the side that played it; shaded as above, which happens to two or three of these by chance alone."
                .to_owned(),
            columns: std::iter::once("squares".to_owned())
                .chain(faces.keys().map(|(_, name)| (*name).to_owned()))
                .collect(),
            rows: rows.collect(),
        })
    }
}

fn named(all: &BTreeMap<String, Clustered>) -> Vec<(String, &Clustered)> {
    all.iter().map(|(name, mean)| (name.clone(), mean)).collect()
}

fn faced(all: &BTreeMap<Face, Clustered>) -> Vec<(String, &Clustered)> {
    all.iter().map(|((_, name), mean)| ((*name).to_owned(), mean)).collect()
}
