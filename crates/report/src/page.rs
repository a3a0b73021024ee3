//! The page: the template with its tables, and the games packed for the viewer.

use std::collections::BTreeMap;

use anglerfish_rules::banqi::{Banqi, Board, Color, Event, Piece};
use anglerfish_rules::{Game, Outcome, Seat, Team};
use askama::Template;
use serde::Serialize;

use super::board::{self, Orientation};
use super::chart::{self, Chart};
use super::plot::{self, Axis, Tone};
use super::{Census, GameRow, RatingRow, Report, Score, grouped, ranking};

#[derive(Template)]
#[template(path = "page.html", whitespace = "minimize")]
struct Page<'a> {
    report: &'a Report,
    style: &'static str,
    script: &'static str,
    standings: Vec<(usize, &'a str, &'a [String])>,
    ratings: Vec<Rating<'a>>,
    rating_ends: [String; 2],
    cross: Option<Cross<'a>>,
    charts: Vec<Chart>,
    /// What the list of games leaves out.
    left_out: Vec<String>,
    boards: Option<[String; 2]>,
    data: String,
}

struct Rating<'a> {
    name: &'a str,
    elo: String,
    error: String,
    strip: String,
    games: u32,
    score: String,
    percent: String,
}

struct Cross<'a> {
    columns: Vec<(usize, &'a str)>,
    rows: Vec<CrossRow<'a>>,
    caption: String,
}

struct CrossRow<'a> {
    number: usize,
    name: &'a str,
    cells: Vec<CrossCell>,
    total: CrossCell,
}

/// A score; no text on the diagonal and between players who did not meet.
struct CrossCell {
    class: &'static str,
    points: String,
    detail: String,
}

pub(super) fn render(report: &Report) -> String {
    let name = |player: usize| report.players[player].as_str();
    let standings = report.standings.iter().flat_map(|s| &s.rows).enumerate();
    let axis = rating_axis(&report.ratings);
    let census = report.counted();
    assert!(census.players() <= report.players.len(), "every game is one of players with names");
    let pack = Pack::of(report, &census);
    let page = Page {
        report,
        style: include_str!("page.css"),
        script: include_str!("viewer.js"),
        standings: standings.map(|(i, (p, texts))| (i + 1, name(*p), texts.as_slice())).collect(),
        ratings: ranking::by_rating(report)
            .into_iter()
            .map(|i| rating(&report.ratings[i], name(report.ratings[i].player), &axis))
            .collect(),
        rating_ends: [axis.range.0, axis.range.1].map(signed),
        cross: cross(report, &census),
        charts: chart::charts(report, &census),
        left_out: left_out(report, &census, pack.picture.is_some()),
        boards: pack.picture.as_ref().map(|start| {
            [Orientation::Upright, Orientation::Lying].map(|orientation| board::svg(start, orientation))
        }),
        data: script_json(&pack),
    };
    page.render().expect("the template writes into a string and its values cannot fail")
}

fn rating_axis(ratings: &[RatingRow]) -> Axis {
    let low = ratings.iter().map(|r| r.low.min(r.elo)).fold(f64::INFINITY, f64::min);
    let high = ratings.iter().map(|r| r.high.max(r.elo)).fold(f64::NEG_INFINITY, f64::max);
    if low.is_finite() && high.is_finite() {
        Axis::numbers("Elo", low, high).exactly(low, high)
    } else {
        Axis::numbers("Elo", -1.0, 1.0)
    }
}

fn rating<'a>(row: &RatingRow, name: &'a str, axis: &Axis) -> Rating<'a> {
    let note = format!("{name}: {}, between {} and {}", signed(row.elo), signed(row.low), signed(row.high));
    Rating {
        name,
        elo: signed(row.elo),
        error: match [row.elo - row.low, row.high - row.elo].map(|half| format!("{half:.0}")) {
            [below, above] if below == above => format!("±{above}"),
            [below, above] => format!("−{below} +{above}"),
        },
        strip: plot::strip(axis, (row.low, row.elo, row.high), Tone::Series(0), &note),
        games: row.games,
        score: points_text(row.score),
        percent: percent(row.score, u64::from(row.games)),
    }
}

/// `+12`, `−7`, `0`
fn signed(elo: f64) -> String {
    if elo.abs() < 0.5 { "0".to_owned() } else { format!("{elo:+.0}").replace('-', "−") }
}

fn percent(points: f64, games: u64) -> String {
    if games == 0 { String::new() } else { format!("{:.1} %", 100.0 * points / games as f64) }
}

/// `12`, `12.5`
fn points_text(points: f64) -> String {
    if points.fract() == 0.0 { format!("{points:.0}") } else { format!("{points:.1}") }
}

/// Sentences on what the census has counted and the list does not show, and where it is.
fn left_out(report: &Report, census: &Census, has_board: bool) -> Vec<String> {
    let place = match report.games_file.as_str() {
        "" => String::new(),
        file => format!("; all of them are in {file}"),
    };
    let mut sentences = Vec::new();
    let (shown, all) = (report.games.len() as u64, census.games());
    if shown < all {
        let [first, all, rest] = [shown, all, all - shown].map(grouped);
        sentences.push(format!("These are the first {first} games of {all} (left out: {rest}){place}."));
        sentences.push("Tables and plots count every game.".to_owned());
    }
    if !has_board && report.games.iter().any(|game| !game.plies.is_empty()) {
        sentences.push(format!("The moves are left out, for the board shows Banqi only{place}."));
    }
    sentences
}

/// The cross-table as lines of cells: points of the row's player, with wins-draws-losses.
pub(super) fn cross_rows(report: &Report, census: &Census) -> Option<Vec<Vec<String>>> {
    let cross = cross(report, census)?;
    let head =
        ["player".to_owned()].into_iter().chain(cross.columns.iter().map(|(_, name)| (*name).to_owned()));
    let text = |cell: &CrossCell| match cell.detail.as_str() {
        "" => String::new(),
        detail => format!("{} ({detail})", cell.points),
    };
    let row = |row: &CrossRow<'_>| {
        let cells = row.cells.iter().chain([&row.total]).map(text);
        std::iter::once(row.name.to_owned()).chain(cells).collect::<Vec<_>>()
    };
    Some(
        std::iter::once(head.chain(["total".to_owned()]).collect())
            .chain(cross.rows.iter().map(row))
            .collect(),
    )
}

fn cross<'a>(report: &'a Report, census: &Census) -> Option<Cross<'a>> {
    if report.players.len() < 2 || census.games() == 0 {
        return None;
    }
    let order = ranking::order(report);
    let name = |player: usize| report.players[player].as_str();
    let row = |(i, &player): (usize, &usize)| {
        let scores = || order.iter().map(|&other| (other, census.score(player, other)));
        let cells = scores().map(
            |(other, score)| {
                if other == player { cell("self", None) } else { cell("", Some(score)) }
            },
        );
        CrossRow {
            number: i + 1,
            name: name(player),
            cells: cells.collect(),
            total: cell("total", Some(scores().map(|(_, score)| score).sum())),
        }
    };
    let first = census.first_movers();
    Some(Cross {
        columns: order.iter().enumerate().map(|(i, &player)| (i + 1, name(player))).collect(),
        rows: order.iter().enumerate().map(row).collect(),
        caption: format!(
            "Row against column: points (a win is 1, a draw ½), and wins-draws-losses; green is ahead, red behind. First movers scored {}.",
            percent(first.points(), first.games())
        ),
    })
}

fn cell(class: &'static str, score: Option<Score>) -> CrossCell {
    match score.filter(|s| s.games() > 0) {
        None => CrossCell { class, points: String::new(), detail: String::new() },
        Some(score) => {
            let class = match score.points() * 2.0 - score.games() as f64 {
                _ if !class.is_empty() => class,
                lead if lead > 0.0 => "ahead",
                lead if lead < 0.0 => "behind",
                _ => "",
            };
            let Score { wins, draws, losses } = score;
            CrossCell {
                class,
                points: points_text(score.points()),
                detail: format!("{wins}-{draws}-{losses}"),
            }
        }
    }
}

/// One letter a square, none of them a piece: a ply is then two letters, `from to` or `square piece`.
const SQUARES: &[u8; 32] = b"0123456789ABDEFHIJLOQSTUVWXYZabd";

/// The games as the viewer reads them. Short names and tuples: a page may hold thousands.
#[derive(Serialize)]
struct Pack<'a> {
    players: &'a [String],
    squares: String,
    /// Letters, colors and hanzi.
    pieces: Vec<(char, &'static str, char)>,
    /// Words, and whether they are forfeits.
    reasons: Vec<(&'a str, bool)>,
    /// Board, bag and ply number.
    starts: Vec<(String, String, u32)>,
    games: Vec<PackedGame<'a>>,
    /// What the board shows before a game is chosen.
    #[serde(skip)]
    picture: Option<Banqi>,
}

/// Id, round, first, second, result (`1`, `0` or `=` for the first), reason, plies, start (null: cannot be shown), whether
/// the first player is red (`r`), black (`b`) or neither yet, packed plies, times.
type PackedGame<'a> = (&'a str, u32, usize, usize, char, usize, usize, Option<usize>, char, String, String);

impl Pack<'_> {
    fn of<'a>(report: &'a Report, census: &'a Census) -> Pack<'a> {
        let mut pack = Pack {
            players: &report.players,
            squares: String::from_utf8_lossy(SQUARES).into_owned(),
            pieces: Piece::ALL.map(|p| (p.letter(), p.color().name(), p.hanzi())).to_vec(),
            reasons: census.reasons().into_iter().map(|(reason, _, forfeit)| (reason, forfeit)).collect(),
            starts: Vec::new(),
            games: Vec::with_capacity(report.games.len()),
            picture: None,
        };
        let default = report.rules.parse().map(Banqi::start).ok();
        let mut known: BTreeMap<&str, Option<(usize, Banqi)>> = BTreeMap::new();
        for game in &report.games {
            let start = known.entry(&game.start).or_insert_with(|| {
                let start = if game.start.is_empty() { default.clone() } else { game.start.parse().ok() }?;
                let shown = board_of(pack.picture.get_or_insert_with(|| start.clone()));
                (board_of(&start) == shown).then(|| {
                    let text = start.to_string();
                    let mut fields = text.split(' ').map(str::to_owned);
                    let (board, bag) = (fields.next().unwrap_or_default(), fields.nth(1).unwrap_or_default());
                    pack.starts.push((board, bag, start.position().ply()));
                    (pack.starts.len() - 1, start)
                })
            });
            let reason = pack.reasons.iter().position(|r| r.0 == game.reason).expect("it was counted above");
            pack.games.push(packed(game, reason, start.as_ref()));
        }
        pack
    }
}

fn board_of(game: &Banqi) -> Board {
    game.ruleset().board
}

fn packed<'a>(game: &'a GameRow, reason: usize, start: Option<&(usize, Banqi)>) -> PackedGame<'a> {
    let result = match game.outcome {
        Outcome::Win(Team::A) => '1',
        Outcome::Win(Team::B) => '0',
        Outcome::Draw => '=',
    };
    let events: Vec<Event> = game.plies.iter().map_while(|ply| ply.parse().ok()).collect();
    let plies = events.iter().flat_map(|event| match *event {
        Event::Flip { at, piece } => [SQUARES[at.index()] as char, piece.letter()],
        Event::Move { from, to } => [from, to].map(|square| SQUARES[square.index()] as char),
    });
    // Who is red is for the rules to say, so it is said here and not found out by the viewer.
    let red = start.and_then(|(_, start)| {
        let mut game = start.clone();
        if let Some(&first) = events.first().filter(|&&first| game.is_possible(first)) {
            game.apply(first);
        }
        game.color_of(Seat(0))
    });
    let times: Vec<String> = game.took_ms.iter().map(u64::to_string).collect();
    let measured = game.took_ms.iter().any(|&ms| ms > 0);
    (
        &game.id,
        game.round,
        game.first,
        game.second,
        result,
        reason,
        game.plies.len(),
        start.map(|(i, _)| *i),
        red.map_or('?', |color| if color == Color::Red { 'r' } else { 'b' }),
        plies.collect(),
        if measured { times.join(" ") } else { String::new() },
    )
}

/// JSON that cannot end the `script` element it stands in, nor open a comment there.
pub(super) fn script_json(data: &impl Serialize) -> String {
    let json = serde_json::to_string(data).expect("strings, numbers and lists have a JSON form");
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
