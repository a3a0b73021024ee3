//! A game for a player who wants to learn from it: where its result came from, ply by ply, as one side sees it.
//!
//! A [`Review`] is plain data, made of a record and its [`GameLuck`]; [`text`](Review::text), [`plot`](Review::plot) and [`html`] show it, and as JSON
//! it is whole. Everything is in whole millionths of a game, so it adds up, and what is shown of the account in hundredths adds up, too.
//! Nothing is judged here, and nothing is read or written.

mod annotate;
mod graph;
mod moments;
#[cfg(not(target_family = "wasm"))]
mod page;
mod shown;
#[cfg(not(target_family = "wasm"))]
mod summary;
mod text;

use anglerfish_engine::SearchGame;
use anglerfish_engine::luck::{Entry, GAME, GameLuck, Millionths, Sums};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Game, Record, Team};
use serde::Serialize;
use serde_json::{Value, json};

use crate::count::grouped;
use crate::reason::{Reason, reason};
use crate::words::Words;
use crate::{Lang, say};

pub use annotate::annotated;
pub use moments::{Swing, Why};
#[cfg(not(target_family = "wasm"))]
pub use page::html;
pub use shown::signed;
#[cfg(not(target_family = "wasm"))]
pub use summary::{Imbalance, Summaries, Summary};

/// A choice that is this close to the judge's own is as good. Chosen, not measured, as the others here.
pub const CLOSE: Millionths = 20_000;

/// A mistake that costs less is not told of.
pub const MISTAKE: Millionths = 50_000;

/// A mistake of this size is marked twice, and warned of.
pub const BLUNDER: Millionths = GAME / 5;

/// A game, accounted for, as one side sees it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Review {
    /// What is spoken. Its JSON is the same in every language.
    #[serde(skip)]
    lang: Lang,
    /// The version of its JSON.
    pub schema: u32,
    /// Who judged.
    pub judge: String,
    /// The rules, as text.
    pub rules: String,
    /// Whether values were fitted to games under such rules.
    pub calibrated: bool,
    /// The first player and the second.
    pub players: [Part; 2],
    /// Who sees it: a place in `players`.
    #[serde(rename = "for")]
    pub side: usize,
    /// `1-0`, `0-1` or `1/2-1/2`; none in a game that was broken off.
    pub result: Option<&'static str>,
    /// The word of the record, such as `no-pieces`.
    pub reason: Option<&'static str>,
    /// Plies of the opening, which no player chose.
    pub opened: usize,
    /// The account.
    pub sums: Balance,
    /// Every ply that a player chose.
    pub plies: Vec<Step>,
}

/// What one player did.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Part {
    /// Its name; players of one name are told apart.
    pub name: String,
    /// How many of its choices count: those where something was at stake, which excludes the only legal ones.
    pub choices: u32,
    /// How many of these were as good as the judge's own choice: see [`CLOSE`].
    pub accurate: u32,
    /// What all its choices cost.
    pub lost: Millionths,
    /// The share of counted choices that were as good as the judge's own; none without such choices.
    pub accuracy: Option<f64>,
}

impl Part {
    /// What its choices cost for each that counts.
    pub fn lost_per_choice(&self) -> Option<Millionths> {
        (self.choices > 0).then(|| (self.lost + i64::from(self.choices) / 2) / i64::from(self.choices))
    }
}

/// The sums of an account as one side sees them: `result - start` is `luck - own + others + corrections + forfeit`, exactly.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Balance {
    /// The value before the first choice.
    pub start: Millionths,
    /// Luck.
    pub luck: Millionths,
    /// What its own choices cost.
    pub own: Millionths,
    /// What the other side's choices cost.
    pub others: Millionths,
    /// What the judge saw only later.
    pub corrections: Millionths,
    /// What was left when a player forfeited.
    pub forfeit: Millionths,
    /// The result.
    pub result: Millionths,
}

impl From<Sums> for Balance {
    fn from(sums: Sums) -> Balance {
        let Sums { start, luck, own, others, corrections, forfeit, result } = sums;
        Balance { start, luck, own, others, corrections, forfeit, result }
    }
}

/// What one ply did, as the side that looks sees it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Step {
    /// Which, counted from 1.
    pub ply: usize,
    /// Whose: a place in `players`.
    pub player: usize,
    /// What was played, as an event.
    pub played: String,
    /// The value before it.
    pub before: Millionths,
    /// The value after it.
    pub after: Millionths,
    /// What came up, less what could be expected.
    pub luck: Millionths,
    /// What the choice cost its player; never less than nothing.
    pub mistake: Millionths,
    /// What the judge saw only after it.
    pub correction: Millionths,
    /// Whether there was nothing else to play.
    pub forced: bool,
    /// What the judge would have played, and how it would have gone on.
    pub line: Vec<String>,
    /// What could have come of the choice; empty where that was certain.
    pub fan: Vec<Outcome>,
    /// Why the choice was a mistake; none where it was none that is told of, and in other games than Banqi.
    pub reason: Option<Reason>,
}

impl Step {
    /// The judge's own choice and how it goes on, where that was better.
    pub fn better(&self) -> Option<&[String]> {
        (self.mistake > 0).then_some(&self.line)
    }

    /// Why the choice was a mistake, in words.
    pub fn why(&self, lang: Lang) -> Option<String> {
        let choice = Banqi::action_of(self.played.parse().ok()?);
        Some(self.reason.as_ref()?.said(Words { lang, glyphs: false }, choice))
    }
}

/// What could have come up.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "JudgedOutcome"))]
pub struct Outcome {
    /// What, as an event.
    pub event: String,
    /// In how many of all cases.
    pub weight: u32,
    /// What it is worth to the side that looks.
    pub value: Millionths,
    /// Whether it came.
    pub came: bool,
}

/// The names of a game's players, first and second, as its record has them or as `first player` and `second player`.
pub fn names<G: Game>(record: &Record<G>) -> [String; 2] {
    let name = |tag: &str, otherwise: &str| {
        let name = record.tag(tag).filter(|name| !name.trim().is_empty());
        name.unwrap_or(otherwise).to_owned()
    };
    [name("First", "first player"), name("Second", "second player")]
}

/// The same, and players of one name are told apart: `fish (first)` and `fish (second)`.
pub fn told_apart<G: Game>(record: &Record<G>) -> [String; 2] {
    let names = names(record);
    if names[0] == names[1] {
        ["first", "second"].map(|seat| format!("{} ({seat})", names[0]))
    } else {
        names
    }
}

/// A review for machines, with the plies that are worth a look.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Whole {
    #[serde(flatten)]
    review: Review,
    mistakes: Vec<usize>,
    luckiest: Vec<usize>,
    unluckiest: Vec<usize>,
    turns: Vec<Turn>,
    swings: Vec<Turn>,
}

/// A ply that changed the game, and why.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
struct Turn {
    ply: usize,
    why: Why,
}

impl From<Review> for Whole {
    fn from(review: Review) -> Whole {
        let plies = |steps: Vec<&Step>| steps.iter().map(|step| step.ply).collect();
        let turns = |swings: Vec<Swing<'_>>| {
            swings.iter().map(|swing| Turn { ply: swing.step.ply, why: swing.why }).collect()
        };
        Whole {
            mistakes: plies(review.mistakes()),
            luckiest: plies(review.flips(1)),
            unluckiest: plies(review.flips(-1)),
            turns: turns(review.turns()),
            swings: turns(review.swings()),
            review,
        }
    }
}

impl Review {
    /// A game as a team sees it. The account must be that of the record.
    pub fn new<G: SearchGame>(account: &GameLuck<G>, record: &Record<G>, judge: &str, team: Team) -> Review {
        let sign = if team == Team::A { 1 } else { -1 };
        let mut players = told_apart(record).map(|name| Part { name, ..Part::default() });
        let forced = forced(record);
        for entry in &account.entries {
            let part = &mut players[place(entry.seat.team())];
            part.lost += entry.mistake;
            if !forced[entry.ply] && counts(entry) {
                part.choices += 1;
                part.accurate += u32::from(entry.mistake <= CLOSE);
                part.accuracy = Some(f64::from(part.accurate) / f64::from(part.choices));
            }
        }
        let step = |entry: &Entry<G>| {
            let played = record.plies[entry.ply].event;
            Step {
                ply: entry.ply + 1,
                player: place(entry.seat.team()),
                played: played.to_string(),
                before: sign * entry.before,
                after: sign * entry.after,
                luck: sign * entry.luck,
                mistake: entry.mistake,
                correction: sign * entry.correction,
                forced: forced[entry.ply],
                line: entry.line.iter().map(ToString::to_string).collect(),
                fan: entry
                    .fan
                    .iter()
                    .filter(|_| entry.fan.len() > 1)
                    .map(|(chance, opinion)| Outcome {
                        event: chance.event.to_string(),
                        weight: chance.weight,
                        value: sign * opinion.value,
                        came: chance.event == played,
                    })
                    .collect(),
                reason: None,
            }
        };
        Review {
            lang: Lang::En,
            schema: 2,
            judge: judge.to_owned(),
            rules: record.start.rules().to_string(),
            calibrated: record.start.is_calibrated(),
            players,
            side: place(team),
            result: record.ending.map(|ending| ending.outcome.text()),
            reason: record.ending.map(|ending| ending.cause.text()),
            opened: record.plies.len() - account.entries.len(),
            sums: account.sums(team).into(),
            plies: account.entries.iter().map(step).collect(),
        }
    }

    /// The same with the reasons of its mistakes. The account and the record must be those of the review.
    #[must_use]
    pub fn explained(mut self, account: &GameLuck<Banqi>, record: &Record<Banqi>) -> Review {
        let mut game = record.start.clone();
        record.plies.iter().take(self.opened).for_each(|ply| game.apply(ply.event));
        for (step, entry) in self.plies.iter_mut().zip(&account.entries) {
            let event = record.plies[entry.ply].event;
            if step.mistake >= MISTAKE {
                step.reason = Some(reason(&game, event.action(), &entry.line, &entry.fan));
            }
            game.apply(event);
        }
        self
    }

    /// The same in another language.
    #[must_use]
    pub fn speaking(mut self, lang: Lang) -> Review {
        self.lang = lang;
        self
    }

    /// All of it for machines.
    pub fn json(&self) -> Value {
        json!(Whole::from(self.clone()))
    }

    /// The name of the side that looks, and of the other.
    fn sides(&self) -> [&str; 2] {
        [self.side, 1 - self.side].map(|side| self.players[side].name.as_str())
    }

    /// The value before the first choice and after each, with the number of plies before it.
    fn values(&self) -> impl Iterator<Item = (usize, Millionths)> {
        let steps = self.plies.iter().map(|step| (step.ply, step.after));
        std::iter::once((self.opened, self.sums.start)).chain(steps)
    }

    /// How many plies the game had.
    fn length(&self) -> usize {
        self.opened + self.plies.len()
    }

    /// The result in words, as the side that looks sees it.
    fn outcome(&self) -> &'static str {
        self.lang.text(match (self.result, self.sums.result.signum()) {
            (None, _) => "outcome.open",
            (_, 1) => "outcome.won",
            (_, -1) => "outcome.lost",
            _ => "outcome.drawn",
        })
    }

    /// `1-0 (no-pieces)`
    fn ending(&self) -> String {
        match (self.result, self.reason) {
            (Some(result), Some(reason)) => {
                let reason = self.lang.say(&format!("reason.{reason}"), &[]);
                say!(self.lang, "review.result", result = result, reason = reason)
            }
            _ => self.lang.text("outcome.open").to_owned(),
        }
    }

    /// `12 plies`
    fn counted(&self, n: usize) -> String {
        say!(self.lang, if n == 1 { "review.one_ply" } else { "review.plies" }, n = grouped(n as u64))
    }
}

/// Whether a choice counts for accuracy: if a random one would have cost more than [`CLOSE`] on average, or if this one did.
/// Where the game is decided or all choices are worth nearly the same, neither is so.
fn counts<G: SearchGame>(entry: &Entry<G>) -> bool {
    entry.stake.is_none_or(|stake| stake > CLOSE) || entry.mistake > CLOSE
}

/// The place of a team's player in the list.
fn place(team: Team) -> usize {
    usize::from(team == Team::B)
}

/// By ply, whether there was nothing else to play.
fn forced<G: Game>(record: &Record<G>) -> Vec<bool> {
    let (mut game, mut actions) = (record.start.clone(), Vec::new());
    let forced = record.plies.iter().map(|ply| {
        game.actions(&mut actions);
        game.apply(ply.event);
        actions.len() < 2
    });
    forced.collect()
}
