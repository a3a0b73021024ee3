//! `anglerfish games`: the games that the user has played at the terminal.

use std::collections::BTreeMap;
use std::io::Write;

use anglerfish_arena::read_luck;
use anglerfish_report::review::signed;
use anglerfish_report::{Cell, Lang, Row, Table, say, wrapped};
use anglerfish_rules::banqi::{Banqi, Color};
use anglerfish_rules::{Game, Outcome, Record};
use serde_json::json;

use crate::board::terminal;
use crate::keep::{KeptGame, PLAYER, games, person};
use crate::locale::Locale;
use crate::terminal::{answer, note};

/// List the games that you have played with `anglerfish play`, and count them by opponent and color
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish games\n  anglerfish games --last 100 --lang zh-Hant\n  anglerfish games --json"
)]
pub(crate) struct Args {
    /// How many games to list; all are counted
    #[arg(long, value_name = "N", default_value_t = 20)]
    last: usize,
    /// One JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    locale: Locale,
}

/// A game as its player sees it.
struct Played {
    n: u32,
    file: String,
    opponent: String,
    color: Option<Color>,
    /// 1 for a win, 0 for a draw, -1 for a loss; `None` if it is not finished.
    result: Option<i8>,
    plies: usize,
    /// The player's luck, in millionths of a game; `None` until a review has found it.
    luck: Option<i64>,
}

impl Played {
    fn new(game: &KeptGame) -> Option<Played> {
        let KeptGame { n, path, record } = game;
        let us = person(record)?;
        let won = |outcome| match outcome {
            Outcome::Draw => 0,
            Outcome::Win(team) if team == us.team() => 1,
            Outcome::Win(_) => -1,
        };
        let sign = if us.0 == 0 { 1 } else { -1 };
        Some(Played {
            n: *n,
            file: path.display().to_string(),
            opponent: record.tag(PLAYER)?.to_owned(),
            color: last(record).color_of(us),
            result: record.ending.map(|ending| won(ending.outcome)),
            plies: record.plies.len(),
            luck: read_luck(record).map(|(_, luck)| sign * luck.iter().sum::<i64>()),
        })
    }

    fn row(&self, lang: Lang) -> Row {
        let result = match self.result {
            Some(1) => "outcome.won",
            Some(0) => "outcome.drawn",
            Some(_) => "outcome.lost",
            None => "games.open",
        };
        let color = self.color.map_or("–", |color| lang.text(color_key(color)));
        let luck = self.luck.map_or_else(|| "–".to_owned(), signed);
        let cells = [
            opponent(lang, &self.opponent),
            color.to_owned(),
            lang.text(result).to_owned(),
            self.plies.to_string(),
            luck,
        ];
        Row { head: self.n.to_string(), cells: cells.map(Cell::from).to_vec() }
    }
}

/// Sums over finished games.
#[derive(Clone, Copy, Default)]
struct Sum {
    won: u64,
    drawn: u64,
    lost: u64,
    luck: i64,
    /// How many games have luck.
    judged: u64,
}

impl Sum {
    fn add(&mut self, game: &Played) {
        match game.result {
            Some(1) => self.won += 1,
            Some(0) => self.drawn += 1,
            Some(_) => self.lost += 1,
            None => return,
        }
        self.judged += u64::from(game.luck.is_some());
        self.luck += game.luck.unwrap_or(0);
    }

    fn mean_luck(&self) -> Option<i64> {
        (self.judged > 0).then(|| self.luck / self.judged as i64)
    }

    fn row(&self, head: String) -> Row {
        let counts = [self.won + self.drawn + self.lost, self.won, self.drawn, self.lost];
        let mut cells: Vec<Cell> = counts.map(|n| Cell::from(n.to_string())).to_vec();
        cells.push(self.mean_luck().map_or_else(|| "–".to_owned(), signed).into());
        Row { head, cells }
    }

    fn json(&self) -> serde_json::Value {
        json!({ "won": self.won, "drawn": self.drawn, "lost": self.lost, "luck": self.mean_luck(), "judged": self.judged })
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let lang = args.locale.lang();
    let mut whole = true;
    let found = games(&mut |path| {
        whole = false;
        note!("{}", say!(lang, "games.damaged", file = path.display()));
    })?;
    let mut played: Vec<Played> = found.iter().filter_map(Played::new).collect();
    let (mut all, mut opponents, mut colors) = (Sum::default(), BTreeMap::new(), BTreeMap::new());
    for game in &played {
        all.add(game);
        opponents.entry((game.opponent.len(), game.opponent.clone())).or_insert_with(Sum::default).add(game);
        if let Some(color) = game.color {
            colors.entry(color.name()).or_insert_with(Sum::default).add(game);
        }
    }
    let mut out = answer(args.json);
    if args.json {
        let listed = |game: &Played| {
            json!({
                "n": game.n, "file": game.file, "player": game.opponent, "color": game.color.map(Color::name),
                "result": game.result, "plies": game.plies, "luck": game.luck,
            })
        };
        let opponents: BTreeMap<&str, _> =
            opponents.iter().map(|((_, name), sum)| (&**name, sum.json())).collect();
        let colors: BTreeMap<&str, _> = colors.iter().map(|(name, sum)| (*name, sum.json())).collect();
        let listed: Vec<_> = played.iter().map(listed).collect();
        let object = json!({
            "schema": 1, "games": listed, "all": all.json(), "by_player": opponents, "by_color": colors
        });
        writeln!(out, "{object}")?;
        return Ok(whole);
    }
    let n = played.len();
    if n == 0 {
        writeln!(out, "{}", lang.text("games.none"))?;
        return Ok(whole);
    }
    let luck = all.judged > 0;
    let unfinished = played.iter().any(|game| game.result.is_none());
    let finished = played.iter().rev().find(|game| game.result.is_some()).map(|game| game.n);
    played.drain(..n.saturating_sub(args.last));
    let title = match played.len() {
        shown if shown < n => say!(lang, "games.shown", n = n, shown = shown),
        _ => say!(lang, "games.title", n = n),
    };
    let keys = ["games.number", "games.opponent", "games.color", "games.result", "games.plies", "games.luck"];
    let rows = played.iter().map(|game| game.row(lang)).collect();
    writeln!(out, "{}", table(lang, title, keys, rows, luck))?;

    let heads = ["games.games", "outcome.won", "outcome.drawn", "outcome.lost", "games.luck"];
    let keys = |first| [first, heads[0], heads[1], heads[2], heads[3], heads[4]];
    let mut rows: Vec<Row> = opponents.iter().map(|((_, name), sum)| sum.row(opponent(lang, name))).collect();
    rows.push(all.row(lang.text("games.all").to_owned()));
    let title = lang.text("games.by_opponent").to_owned();
    writeln!(out, "{}", table(lang, title, keys("games.opponent"), rows, luck))?;
    let named = |color: Color| Some(colors.get(color.name())?.row(lang.text(color_key(color)).to_owned()));
    let rows = [Color::Red, Color::Black].into_iter().filter_map(named).collect();
    let title = lang.text("games.by_color").to_owned();
    writeln!(out, "{}", table(lang, title, keys("games.color"), rows, luck))?;

    let mut words = vec![lang.text(if luck { "games.luck_means" } else { "games.no_luck" }).to_owned()];
    words.extend(finished.map(|n| say!(lang, "games.review", n = n)));
    words.extend(unfinished.then(|| lang.text("games.continue").to_owned()));
    let width = terminal().unwrap_or(80).clamp(30, 100);
    for text in words {
        writeln!(out, "{}", wrapped(&text, width))?;
    }
    Ok(whole)
}

/// A table whose last column is luck; it is left out while no luck is known, to fit narrow terminals.
fn table(lang: Lang, title: String, keys: [&str; 6], mut rows: Vec<Row>, luck: bool) -> String {
    let mut columns = keys.map(|key| lang.text(key).to_owned()).to_vec();
    if !luck {
        columns.pop();
        for row in &mut rows {
            row.cells.truncate(columns.len() - 1);
        }
    }
    Table { title, columns, rows, ..Table::default() }.text()
}

/// The player against the person: `level 4`, `beginner 1`, or its configuration.
fn opponent(lang: Lang, player: &str) -> String {
    let number = |word| player.strip_prefix(word).filter(|number| number.parse::<u8>().is_ok());
    match (number("level"), number("beginner")) {
        (Some(level), _) => say!(lang, "games.level", level = level),
        (_, Some(n)) => say!(lang, "games.beginner", n = n),
        _ => player.to_owned(),
    }
}

fn color_key(color: Color) -> &'static str {
    match color {
        Color::Red => "color.red",
        Color::Black => "color.black",
    }
}

/// The game after its last ply.
fn last(record: &Record<Banqi>) -> Banqi {
    let mut game = record.start.clone();
    for ply in &record.plies {
        game.apply(ply.event);
    }
    game
}
