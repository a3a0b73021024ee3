//! The display of a game against a person: the board, both players beside it or below it, and their clocks.

use std::time::Duration;

use anglerfish_arena::Table;
use anglerfish_report::say;
use anglerfish_report::{columns, wrapped};
use anglerfish_rules::banqi::{Banqi, Color, Event, Piece, Square};
use anglerfish_rules::{Game, Seat};

use crate::board::{Style, taken};

/// Width of the players' lines beside the board.
const BESIDE: usize = 44;

/// The displayed state of a table.
pub(super) struct View<'a> {
    pub(super) table: &'a Table<Banqi>,
    pub(super) us: Seat,
    pub(super) opponent: &'a str,
    /// Whether the game is played with clocks.
    pub(super) timed: bool,
    /// The number of plies played.
    pub(super) ply: usize,
}

impl View<'_> {
    /// The board with both players, and the last ply in brackets: beside it if there is room, else below it.
    pub(super) fn draw(&self, style: Style, width: usize) -> String {
        let mut game = self.table.record().start.clone();
        let plies = &self.table.record().plies[..self.ply];
        for ply in plies {
            game.apply(ply.event);
        }
        let marked: Vec<Square> = match plies.last().map(|ply| ply.event) {
            Some(Event::Flip { at, .. }) => vec![at],
            Some(Event::Move { from, to }) => vec![from, to],
            None => Vec::new(),
        };
        let rows = style.rows(&game, &marked);
        // Every line of the board is as wide as its first, which has no color in it.
        let board = columns(&rows[0]);
        let panel = self.panel(style, &game, width.min(BESIDE));
        let widest = panel.iter().map(|line| printed(line)).max().unwrap_or(0);
        if board + 3 + widest > width {
            // Below the board every line counts: the last plies have to stay in sight.
            let close = self.panel(style, &game, width).into_iter().filter(|line| !line.is_empty());
            return rows.into_iter().chain(close).map(|line| line + "\n").collect();
        }
        let mut text = String::new();
        for i in 0..rows.len().max(panel.len() + 1) {
            let blank = String::new();
            let row = rows.get(i).unwrap_or(&blank);
            let room = " ".repeat(board.saturating_sub(printed(row)));
            let note = i.checked_sub(1).and_then(|i| panel.get(i)).map_or("", String::as_str);
            text += format!("{row}{room}   {note}").trim_end();
            text.push('\n');
        }
        text + "\n"
    }

    /// Each player with its taken and face-down pieces.
    fn panel(&self, style: Style, game: &Banqi, width: usize) -> Vec<String> {
        let lang = style.lang();
        let them = Seat(1 - self.us.0);
        let mut lines = Vec::new();
        let [down, lost] = ["view.down", "view.lost"].map(|key| lang.text(key));
        let label = |name: &str| {
            format!("  {name}{}", " ".repeat(columns(down).max(columns(lost)) - columns(name) + 1))
        };
        for (seat, name) in [(them, self.opponent), (self.us, lang.text("play.you"))] {
            let color = game.color_of(seat);
            let arrow = if game.turn().seat() == Some(seat) { ">" } else { " " };
            let who =
                color.map_or_else(|| lang.text("view.no_color").to_owned(), |color| painted(style, color));
            let clock = if self.timed {
                say!(lang, "view.left", time = minutes(self.table.clocks().left(seat)))
            } else {
                String::new()
            };
            lines.push(say!(lang, "view.player", arrow = arrow, name = name, color = who, clock = clock));
            if let Some(color) = color {
                let of = |p: Piece| p.color() == color;
                let hidden = style.pieces(&|p| if of(p) { game.position().bag().count(p) } else { 0 });
                let gone = style.pieces(&|p| if of(p) { taken(game, p) } else { 0 });
                lines.push(label(down) + &hidden);
                lines.push(label(lost) + &gone);
            }
            lines.push(String::new());
        }
        let position = game.position();
        let last = if position.side().is_none() {
            lang.text("view.colors").to_owned()
        } else {
            let (quiet, limit) = (position.quiet(), game.ruleset().quiet);
            say!(lang, "view.counters", n = position.ply(), quiet = quiet, limit = limit)
        };
        lines.extend(wrapped(&last, width - 2).lines().map(|line| format!("  {line}")));
        lines
    }
}

/// The width of a line without its color codes.
fn printed(line: &str) -> usize {
    let mut parts = line.split("\x1b[");
    let first = parts.next().map_or(0, columns);
    first + parts.map(|part| part.split_once('m').map_or(0, |(_, rest)| columns(rest))).sum::<usize>()
}

fn painted(style: Style, color: Color) -> String {
    let lang = style.lang();
    match color {
        Color::Red if style.colored() => format!("\x1b[31;1m{}\x1b[0m", lang.text("color.red")),
        Color::Red => lang.text("color.red").to_owned(),
        Color::Black => lang.text("color.black").to_owned(),
    }
}

fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
