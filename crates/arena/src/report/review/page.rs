//! A review as one HTML file that opens offline: the board ply by ply, the course of the game, what a flip could have brought, and the account.
//!
//! The board, the plot and the style are the report's. The script knows no rules: every board comes with the page.

use anglerfish_engine::account::{GAME, Millionths};
use anglerfish_rules::banqi::{Action, Banqi, Event, Piece};
use anglerfish_rules::{Game, Record, Seat};
use askama::Template;
use serde::Serialize;

use super::super::board::{self, Orientation};
use super::super::page::script_json;
use super::shown::{Item, cost};
use super::text::{FLIPS, MISTAKES, brought};
use super::{CLOSE, MISTAKE, Review, Step, Swing, Why, signed};

/// A mistake of this size is marked twice.
const BLUNDER: Millionths = GAME / 5;

#[derive(Template)]
#[template(path = "review/page.html", whitespace = "minimize")]
struct Page<'a> {
    title: String,
    subtitle: String,
    sides: String,
    review: &'a Review,
    style: &'static str,
    script: &'static str,
    facts: Vec<(String, String)>,
    boards: [String; 2],
    graph: String,
    moves: Vec<Move>,
    items: Vec<Item>,
    lists: Vec<List>,
    length: usize,
    /// What is marked once, and twice.
    least: [String; 2],
    data: String,
}

/// A ply in the list of plies.
struct Move {
    /// The number of the round, where one begins.
    number: String,
    ply: usize,
    text: String,
    /// Marks for mistakes and for luck.
    marks: [(&'static str, &'static str); 2],
    /// The same in words.
    label: String,
}

/// Plies that are worth a look.
struct List {
    title: String,
    columns: &'static [&'static str],
    rows: Vec<(usize, Vec<String>)>,
}

/// What the script reads. Values are millionths.
#[derive(Serialize)]
struct Data<'a> {
    /// Letters, colors and hanzi.
    pieces: Vec<(char, &'static str, char)>,
    /// After every number of plies: the board and what is face down, as in the text of a position.
    boards: Vec<(String, String)>,
    /// What is said of every ply, and the squares it is on.
    plies: Vec<(String, Vec<String>)>,
    /// Plies before the first of the steps.
    opened: usize,
    start: Millionths,
    steps: Vec<Shown<'a>>,
    /// Where the plot has its field, and the ply at its right end.
    field: [f64; 4],
    last: f64,
    /// A choice that costs no more is as good; one that costs so much is marked.
    close: Millionths,
    mistake: Millionths,
    end: String,
}

#[derive(Serialize)]
struct Shown<'a> {
    after: Millionths,
    luck: Millionths,
    mistake: Millionths,
    /// The better line, and the squares of its first action.
    better: String,
    squares: Vec<String>,
    /// Letters, weights, values, and whether it came.
    fan: Vec<(&'a str, u32, Millionths, bool)>,
}

/// The whole page. The record must be that of the review.
///
/// # Panics
/// When it is not.
pub fn html(review: &Review, record: &Record<Banqi>) -> String {
    let [first, second] = [0, 1].map(|n| review.players[n].name.as_str());
    let plot = review.plot();
    let games = games(record);
    let data = Data {
        pieces: Piece::ALL.map(|p| (p.letter(), p.color().name(), p.hanzi())).to_vec(),
        boards: games.iter().map(pictured).collect(),
        plies: record
            .plies
            .iter()
            .zip(&games)
            .map(|(ply, before)| {
                let name = &review.players[usize::from(ply.seat.0 % 2)].name;
                (said(name, before, ply.event), squares(Banqi::action_of(ply.event)))
            })
            .collect(),
        opened: review.opened,
        start: review.sums.start,
        steps: review.plies.iter().map(shown).collect(),
        field: plot.field(),
        last: review.last(),
        close: CLOSE,
        mistake: MISTAKE,
        end: ending(review),
    };
    let colors = games.last().and_then(|game| game.color_of(Seat(0)));
    let page = Page {
        title: format!("{first} – {second}"),
        subtitle: format!("{}, seen by {}. Judged by {}.", ending(review), review.sides()[0], review.judge),
        sides: colors.map_or(String::new(), |color| {
            format!("{first} is {}, {second} is {}.", color.name(), color.other().name())
        }),
        review,
        style: concat!(include_str!("../page.css"), include_str!("page.css")),
        script: include_str!("page.js"),
        facts: facts(review),
        boards: [Orientation::Upright, Orientation::Lying].map(|way| board::svg(&record.start, way)),
        graph: plot.svg(),
        moves: moves(review, record),
        items: review.items(),
        lists: lists(review),
        length: record.plies.len(),
        least: [MISTAKE, BLUNDER].map(cost),
        data: script_json(&data),
    };
    page.render().expect("the template writes into a string and its values cannot fail")
}

/// The game before the first ply and after each.
fn games(record: &Record<Banqi>) -> Vec<Banqi> {
    let mut games = vec![record.start.clone()];
    for ply in &record.plies {
        let mut game = games[games.len() - 1].clone();
        game.apply(ply.event);
        games.push(game);
    }
    games
}

fn pictured(game: &Banqi) -> (String, String) {
    let text = game.to_string();
    let mut fields = text.split(' ').map(str::to_owned);
    (fields.next().unwrap_or_default(), fields.nth(1).unwrap_or_default())
}

fn squares(action: Action) -> Vec<String> {
    match action {
        Action::Flip(at) => vec![at.to_string()],
        Action::Move { from, to } => vec![from.to_string(), to.to_string()],
    }
}

/// A ply in words.
fn said(name: &str, before: &Banqi, event: Event) -> String {
    match event {
        Event::Flip { at, piece } => format!("{name} flips {at}: {}", piece.title()),
        Event::Move { from, to } => match before.position().piece_at(to) {
            Some(prey) => format!("{name} plays {from}-{to} and takes {}", prey.title()),
            None => format!("{name} plays {from}-{to}"),
        },
    }
}

fn shown(step: &Step) -> Shown<'_> {
    let better = step.better().unwrap_or_default();
    let first = better.first().and_then(|word| word.parse().ok());
    Shown {
        after: step.after,
        luck: step.luck,
        mistake: step.mistake,
        better: better.join(" "),
        squares: first.map_or(Vec::new(), squares),
        fan: step
            .fan
            .iter()
            .filter_map(|outcome| {
                let (_, piece) = outcome.event.split_once('(')?;
                Some((piece.trim_end_matches(')'), outcome.weight, outcome.value, outcome.came))
            })
            .collect(),
    }
}

/// `1-0 (no-pieces)`
fn ending(review: &Review) -> String {
    match (review.result, review.reason) {
        (Some(result), Some(reason)) => format!("{result} ({reason})"),
        _ => "not finished".to_owned(),
    }
}

fn facts(review: &Review) -> Vec<(String, String)> {
    let mut facts =
        vec![("Result".to_owned(), format!("{} {}", signed(review.sums.result), review.outcome()))];
    // As the table has it, whose lines add up.
    let luck = review.items().into_iter().find(|item| item.name == "luck");
    facts.extend(luck.map(|item| ("Luck".to_owned(), item.value)));
    for part in [review.side, 1 - review.side].map(|side| &review.players[side]) {
        if let (Some(share), Some(lost)) = (part.accuracy(), part.lost_per_choice()) {
            let (share, lost) = (100.0 * share, lost as f64 / GAME as f64);
            facts.push((
                format!("Accurate choices of {}", part.name),
                format!("{share:.0} % of {}", part.choices),
            ));
            facts.push((format!("Lost per choice of {}", part.name), format!("{lost:.3}")));
        }
    }
    facts
}

fn moves(review: &Review, record: &Record<Banqi>) -> Vec<Move> {
    let before = record.start.position().ply() as usize;
    let numbered = |n: usize| {
        let plies = before + n;
        if n == 0 || plies.is_multiple_of(2) { format!("{}.", plies / 2 + 1) } else { String::new() }
    };
    let shown = |(n, text): (usize, String)| {
        let step = n.checked_sub(review.opened).and_then(|n| review.plies.get(n));
        let (mut marks, mut label) = ([("", ""); 2], format!("ply {}, {text}", n + 1));
        if let Some(step) = step.filter(|step| step.mistake >= MISTAKE) {
            marks[0] = ("bad", if step.mistake >= BLUNDER { "??" } else { "?" });
            label += &format!(", a mistake that cost {}", cost(step.mistake));
        }
        if let Some(step) = step.filter(|step| step.luck.abs() >= MISTAKE) {
            marks[1] = ("luck", if step.luck > 0 { "▲" } else { "▼" });
            label += &format!(", luck {}", signed(step.luck));
        }
        Move { number: numbered(n), ply: n + 1, text, marks, label }
    };
    record.plies.iter().map(|ply| ply.event.to_string()).enumerate().map(shown).collect()
}

fn lists(review: &Review) -> Vec<List> {
    let name = |step: &Step| review.players[step.player].name.clone();
    let mistakes = review.mistakes();
    let (own, least) = (review.sides()[0], cost(MISTAKE));
    let mut lists = vec![List {
        title: match mistakes.len() {
            0 => format!("No choice cost {least} or more"),
            n if n > MISTAKES => format!("The worst {MISTAKES} of {n} choices that cost {least} or more"),
            _ => format!("Choices that cost {least} or more"),
        },
        columns: &["Ply", "Player", "Played", "Cost", "Better"],
        rows: mistakes
            .iter()
            .take(MISTAKES)
            .map(|step| {
                (step.ply, vec![name(step), step.played.clone(), cost(step.mistake), step.line.join(" ")])
            })
            .collect(),
    }];
    for (sign, word) in [(1, "Luckiest"), (-1, "Unluckiest")] {
        let row = |step: &&Step| {
            let mean = step.after - step.luck;
            (
                step.ply,
                vec![name(step), brought(&step.played), signed(step.luck), signed(step.after), signed(mean)],
            )
        };
        lists.push(List {
            title: format!("{word} flips for {own}"),
            columns: &["Ply", "Player", "Came up", "Luck", "Worth", "Mean"],
            rows: review.flips(sign).iter().take(FLIPS).map(row).collect(),
        });
    }
    let (turns, swings) = (review.turns(), review.swings());
    let row = |Swing { step, why }: &Swing<'_>| {
        let why = match why {
            Why::Correction => "the judge saw more later",
            why => why.text(),
        };
        let change = format!("{} to {}", signed(step.before), signed(step.after));
        (step.ply, vec![name(step), step.played.clone(), change, why.to_owned()])
    };
    lists.push(List {
        title: if turns.is_empty() { "The largest swings" } else { "Where the lead changed" }.to_owned(),
        columns: &["Ply", "Player", "Played", "Value", "Why"],
        rows: if turns.is_empty() { swings } else { turns }.iter().map(row).collect(),
    });
    lists.retain(|list| !list.rows.is_empty() || list.title.starts_with("No "));
    lists
}
