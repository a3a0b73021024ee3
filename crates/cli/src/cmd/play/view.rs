//! How a game against a person looks: the board, both players beside it, and their clocks.

use std::time::Duration;

use anglerfish_arena::Table;
use anglerfish_rules::Seat;
use anglerfish_rules::banqi::{Banqi, Color, Event, Piece, Square};

use crate::board::{Style, taken};

/// What is shown of a table besides the game.
pub(super) struct View<'a> {
    pub(super) table: &'a Table<Banqi>,
    pub(super) us: Seat,
    pub(super) opponent: &'a str,
    /// Whether the game is played with clocks.
    pub(super) timed: bool,
}

impl View<'_> {
    /// The board with both players beside it, and the last ply in brackets.
    pub(super) fn draw(&self, style: Style) -> String {
        let game = self.table.game();
        let marked: Vec<Square> = match self.table.record().plies.last().map(|ply| ply.event) {
            Some(Event::Flip { at, .. }) => vec![at],
            Some(Event::Move { from, to }) => vec![from, to],
            None => Vec::new(),
        };
        let rows = style.rows(game, &marked);
        let beside = self.beside(style);
        let (width, mut text) = (rows[0].chars().count(), String::new());
        for i in 0..rows.len().max(beside.len() + 1) {
            let blank = " ".repeat(width);
            let row = rows.get(i).unwrap_or(&blank);
            let note = i.checked_sub(1).and_then(|i| beside.get(i)).map_or("", String::as_str);
            text += format!("{row}   {note}").trim_end();
            text.push('\n');
        }
        text
    }

    /// Who plays what, what they have lost and what of theirs is still face down.
    fn beside(&self, style: Style) -> Vec<String> {
        let game = self.table.game();
        let them = Seat(1 - self.us.0);
        let mut lines = Vec::new();
        for (seat, name) in [(them, self.opponent), (self.us, "you")] {
            let color = game.color_of(seat);
            let arrow = if self.table.to_move() == Some(seat) { ">" } else { " " };
            let who = color.map_or("no color yet".to_owned(), |color| painted(style, color));
            let clock = if self.timed {
                format!(", {} left", minutes(self.table.clocks().left(seat)))
            } else {
                String::new()
            };
            lines.push(format!("{arrow} {name}: {who}{clock}"));
            if let Some(color) = color {
                let of = |p: Piece| p.color() == color;
                let down = style.pieces(&|p| if of(p) { game.position().bag().count(p) } else { 0 });
                let lost = style.pieces(&|p| if of(p) { taken(game, p) } else { 0 });
                lines.push(format!("    face down  {down}"));
                lines.push(format!("    lost       {lost}"));
            }
            lines.push(String::new());
        }
        let position = game.position();
        if position.side().is_none() {
            lines.push("  The first flip decides the colors:".to_owned());
            lines.push("  whoever flips first plays that color.".to_owned());
        } else {
            let limit = game.ruleset().quiet;
            lines.push(format!(
                "  move {}; a draw after {limit} quiet moves, now {}",
                position.ply(),
                position.quiet()
            ));
        }
        lines
    }
}

fn painted(style: Style, color: Color) -> String {
    if style.colored() && color == Color::Red {
        format!("\x1b[31;1m{color}\x1b[0m")
    } else {
        color.to_string()
    }
}

fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
