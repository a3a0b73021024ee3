//! A review as one HTML file that opens offline: the board ply by ply, the course of the game, what a flip could have brought, and the account.
//!
//! The board, the plot and the style are the report's. The script knows no rules: every board comes with the page.

use std::collections::BTreeMap;

use anglerfish_engine::luck::{GAME, Millionths};
use anglerfish_rules::banqi::{Action, Banqi, Event, Piece};
use anglerfish_rules::{Game, Record, Seat};
use askama::Template;
use serde::Serialize;

use super::shown::{Item, cost};
use super::text::{FLIPS, MISTAKES, brought};
use super::{BLUNDER, CLOSE, MISTAKE, Review, Step, Swing, signed};
use crate::board::{self, Orientation};
use crate::page::script_json;
use crate::{Lang, say};

#[derive(Template)]
#[template(path = "review/page.html", whitespace = "minimize")]
struct Page<'a> {
    lang: Lang,
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

impl Page<'_> {
    /// What is said below the values.
    fn notes(&self) -> Vec<String> {
        let (lang, review) = (self.lang, self.review);
        let calibrated =
            (!review.calibrated).then(|| say!(lang, "review.uncalibrated", rules = review.rules));
        let opened =
            (review.opened > 0).then(|| say!(lang, "review.opened", plies = review.counted(review.opened)));
        calibrated.into_iter().chain(opened).collect()
    }

    fn ruled(&self) -> String {
        say!(self.lang, "page.rules", rules = self.review.rules)
    }

    fn costing(&self, key: &str, least: usize) -> String {
        say!(self.lang, key, cost = self.least[least])
    }

    fn naming(&self, key: &str) -> String {
        say!(self.lang, key, name = self.review.players[self.review.side].name)
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates pass references")]
    fn going(&self, ply: &usize) -> String {
        say!(self.lang, "page.go", n = ply)
    }
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
    /// Whether it is told of without rows.
    empty: bool,
    columns: Vec<String>,
    rows: Vec<(usize, Vec<String>)>,
}

/// What the script reads. Values are millionths.
#[derive(Serialize)]
struct Data<'a> {
    /// What the script says, by key.
    texts: BTreeMap<&'static str, &'static str>,
    /// Letters, colors, hanzi and names.
    pieces: Vec<(char, &'static str, char, String)>,
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
    /// Why the choice was a mistake.
    why: String,
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
    let (lang, [first, second]) = (review.lang, [0, 1].map(|n| review.players[n].name.as_str()));
    let plot = review.plot();
    let games = games(record);
    let data = Data {
        texts: lang.keys().filter_map(|key| Some((key.strip_prefix("script.")?, lang.text(key)))).collect(),
        pieces: Piece::ALL.map(|p| (p.letter(), p.color().name(), lang.glyph(p), titled(lang, p))).to_vec(),
        boards: games.iter().map(pictured).collect(),
        plies: record
            .plies
            .iter()
            .zip(&games)
            .map(|(ply, before)| {
                let name = &review.players[usize::from(ply.seat.0 % 2)].name;
                (said(lang, name, before, ply.event), squares(Banqi::action_of(ply.event)))
            })
            .collect(),
        opened: review.opened,
        start: review.sums.start,
        steps: review.plies.iter().map(|step| shown(lang, step)).collect(),
        field: plot.field(),
        last: review.last(),
        close: CLOSE,
        mistake: MISTAKE,
        end: review.ending(),
    };
    let colors = games.last().and_then(|game| game.color_of(Seat(0)));
    let page = Page {
        lang,
        title: format!("{first} – {second}"),
        subtitle: say!(
            lang,
            "page.subtitle",
            end = review.ending(),
            name = review.sides()[0],
            judge = review.judge
        ),
        sides: colors.map_or(String::new(), |color| {
            let [color, other] = [color, color.other()].map(|c| lang.say(&format!("color.{c}"), &[]));
            say!(lang, "page.sides", first = first, color = color, second = second, other = other)
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
fn said(lang: Lang, name: &str, before: &Banqi, event: Event) -> String {
    let act = Banqi::action_of(event);
    match event {
        Event::Flip { at, piece } => {
            say!(lang, "page.flips", name = name, at = at, piece = titled(lang, piece))
        }
        Event::Move { to, .. } => match before.position().piece_at(to) {
            Some(prey) => say!(lang, "page.takes", name = name, act = act, piece = titled(lang, prey)),
            None => say!(lang, "page.plays", name = name, act = act),
        },
    }
}

/// `red king 帥`; where the name has the character, only the name.
fn titled(lang: Lang, piece: Piece) -> String {
    let name = lang.say(&format!("piece.{piece}"), &[]);
    if lang == Lang::En { format!("{name} {}", lang.glyph(piece)) } else { name }
}

fn shown(lang: Lang, step: &Step) -> Shown<'_> {
    let better = step.better().unwrap_or_default();
    let first = better.first().and_then(|word| word.parse().ok());
    Shown {
        after: step.after,
        luck: step.luck,
        mistake: step.mistake,
        why: step.why(lang).unwrap_or_default(),
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

fn facts(review: &Review) -> Vec<(String, String)> {
    let lang = review.lang;
    let result = format!("{} {}", signed(review.sums.result), review.outcome());
    let mut facts = vec![(lang.text("page.fact.result").to_owned(), result)];
    // As the table has it, whose lines add up.
    let luck = review.items().into_iter().find(|item| item.key == "luck");
    facts.extend(luck.map(|item| (lang.text("page.fact.luck").to_owned(), item.value)));
    for part in [review.side, 1 - review.side].map(|side| &review.players[side]) {
        if let (Some(share), Some(lost)) = (part.accuracy, part.lost_per_choice()) {
            let (share, lost) = (100.0 * share, lost as f64 / GAME as f64);
            facts.push((
                say!(lang, "page.fact.accurate", name = part.name),
                say!(lang, "page.fact.share", share = format!("{share:.0}"), n = part.choices),
            ));
            facts.push((say!(lang, "page.fact.lost", name = part.name), format!("{lost:.3}")));
        }
    }
    facts
}

fn moves(review: &Review, record: &Record<Banqi>) -> Vec<Move> {
    let (lang, before) = (review.lang, record.start.position().ply() as usize);
    let numbered = |n: usize| {
        let plies = before + n;
        if n == 0 || plies.is_multiple_of(2) { format!("{}.", plies / 2 + 1) } else { String::new() }
    };
    let shown = |(n, text): (usize, String)| {
        let step = n.checked_sub(review.opened).and_then(|n| review.plies.get(n));
        let (mut marks, mut label) = ([("", ""); 2], say!(lang, "page.label", n = n + 1, played = text));
        if let Some(step) = step.filter(|step| step.mistake >= MISTAKE) {
            marks[0] = ("bad", if step.mistake >= BLUNDER { "??" } else { "?" });
            label += &say!(lang, "page.label_mistake", cost = cost(step.mistake));
        }
        if let Some(step) = step.filter(|step| step.luck.abs() >= MISTAKE) {
            marks[1] = ("luck", if step.luck > 0 { "▲" } else { "▼" });
            label += &say!(lang, "page.label_luck", luck = signed(step.luck));
        }
        Move { number: numbered(n), ply: n + 1, text, marks, label }
    };
    record.plies.iter().map(|ply| ply.event.to_string()).enumerate().map(shown).collect()
}

fn lists(review: &Review) -> Vec<List> {
    let name = |step: &Step| review.players[step.player].name.clone();
    let mistakes = review.mistakes();
    let (lang, own, least) = (review.lang, review.sides()[0], cost(MISTAKE));
    let columns = |keys: &[&str]| keys.iter().map(|key| lang.say(&format!("page.{key}"), &[])).collect();
    let mut lists = vec![List {
        title: match mistakes.len() {
            0 => say!(lang, "page.no_mistakes", cost = least),
            n if n > MISTAKES => say!(lang, "page.worst", shown = MISTAKES, n = n, cost = least),
            _ => say!(lang, "review.mistakes", cost = least),
        },
        empty: true,
        columns: columns(&["ply", "player", "played", "cost", "why", "better"]),
        rows: mistakes
            .iter()
            .take(MISTAKES)
            .map(|step| {
                let why = step.why(lang).unwrap_or_default();
                (
                    step.ply,
                    vec![name(step), step.played.clone(), cost(step.mistake), why, step.line.join(" ")],
                )
            })
            .collect(),
    }];
    for (sign, title) in [(1, "review.luckiest"), (-1, "review.unluckiest")] {
        let row = |step: &&Step| {
            let mean = step.after - step.luck;
            (
                step.ply,
                vec![
                    name(step),
                    brought(lang, &step.played),
                    signed(step.luck),
                    signed(step.after),
                    signed(mean),
                ],
            )
        };
        lists.push(List {
            title: say!(lang, title, name = own),
            empty: false,
            columns: columns(&["ply", "player", "came_up", "luck", "worth", "mean"]),
            rows: review.flips(sign).iter().take(FLIPS).map(row).collect(),
        });
    }
    let (turns, swings) = (review.turns(), review.swings());
    let row = |Swing { step, why }: &Swing<'_>| {
        let why = lang.say(&format!("page.why.{}", why.text()), &[]);
        let change = say!(lang, "review.change", before = signed(step.before), after = signed(step.after));
        (step.ply, vec![name(step), step.played.clone(), change, why])
    };
    lists.push(List {
        title: lang.text(if turns.is_empty() { "review.swings" } else { "review.turns" }).to_owned(),
        empty: false,
        columns: columns(&["ply", "player", "played", "value", "why"]),
        rows: if turns.is_empty() { swings } else { turns }.iter().map(row).collect(),
    });
    lists.retain(|list| !list.rows.is_empty() || list.empty);
    lists
}
