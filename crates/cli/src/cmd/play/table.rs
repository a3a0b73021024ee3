//! The table of a game against a person: what was played, how to take it back, and how it looks.
//!
//! Nothing lies under a face-down piece until it is flipped: the piece is drawn from the bag at that moment. So a flip
//! that is taken back goes back into the bag and may come up as something else, and nothing is learned by undoing.

use std::time::Duration;

use anglerfish_arena::{Budget, Clocks};
use anglerfish_rules::banqi::{Action, Banqi, Color, Event, Piece, Square};
use anglerfish_rules::{Cause, Ending, Forfeit, Game, Outcome, Ply, Record, Rng, Seat, Turn};

use crate::board::{Style, taken};

/// A game between a person and an engine.
pub(super) struct Table {
    /// The game before each ply, and as it stands.
    games: Vec<Banqi>,
    pub(super) record: Record<Banqi>,
    rng: Rng,
    pub(super) us: Seat,
    /// Clocks before each ply, and as they stand.
    clocks: Vec<Clocks>,
    timed: bool,
    opponent: String,
}

impl Table {
    pub(super) fn new(start: Banqi, us: Seat, opponent: &str, clock: Option<Budget>, seed: u64) -> Table {
        let mut record = Record::new(start.clone());
        let names = if us.0 == 0 { ["you", opponent] } else { [opponent, "you"] };
        record.set_tag("First", names[0]);
        record.set_tag("Second", names[1]);
        let clocks = vec![Clocks::new([clock.unwrap_or_default(); 2])];
        let rng = Rng::stream(seed, "deal");
        let opponent = opponent.to_owned();
        Table { games: vec![start], record, rng, us, clocks, timed: clock.is_some(), opponent }
    }

    pub(super) fn game(&self) -> &Banqi {
        &self.games[self.games.len() - 1]
    }

    /// The clocks, if the game is played with them.
    pub(super) fn clocks(&self) -> Option<&Clocks> {
        self.clocks.last().filter(|_| self.timed)
    }

    /// The seat to move, unless the game has ended.
    pub(super) fn turn(&self) -> Option<Seat> {
        self.game().turn().seat().filter(|_| self.record.ending.is_none())
    }

    /// Plays a legal action of the seat to move, which took so long, and returns what came of it; none if it came too
    /// late, and the game is lost.
    pub(super) fn play(&mut self, action: Action, took: Duration) -> Option<Ply<Event>> {
        let seat = self.turn()?;
        let mut clocks = self.clocks[self.clocks.len() - 1];
        if !clocks.charge(seat, took) && self.timed {
            self.forfeit(seat, Forfeit::Timeout);
            return None;
        }
        let mut game = self.game().clone();
        let ply = Ply { seat, event: game.draw(action, &mut self.rng), took };
        game.apply(ply.event);
        if let Turn::Over(outcome, reason) = game.turn() {
            self.record.ending = Some(Ending { outcome, cause: Cause::Rules(reason) });
        }
        self.record.plies.push(ply);
        self.games.push(game);
        self.clocks.push(clocks);
        Some(ply)
    }

    pub(super) fn forfeit(&mut self, seat: Seat, forfeit: Forfeit) {
        let outcome = Outcome::Win(seat.team().other());
        self.record.ending = Some(Ending { outcome, cause: Cause::Forfeit(forfeit) });
    }

    /// Takes back our last move and whatever came after it; whether that was a flip, none if there is nothing to take
    /// back.
    pub(super) fn undo(&mut self) -> Option<bool> {
        let ours = self.record.plies.iter().rposition(|ply| ply.seat == self.us)?;
        let flipped = self.record.plies[ours..].iter().any(|ply| matches!(ply.event, Event::Flip { .. }));
        self.record.plies.truncate(ours);
        self.record.ending = None;
        self.games.truncate(ours + 1);
        self.clocks.truncate(ours + 1);
        Some(flipped)
    }

    /// The board with both players beside it, and the last ply in brackets.
    pub(super) fn draw(&self, style: Style) -> String {
        let game = self.game();
        let marked: Vec<Square> = match self.record.plies.last().map(|ply| ply.event) {
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
        let game = self.game();
        let them = Seat(1 - self.us.0);
        let mut lines = Vec::new();
        for (seat, name) in [(them, &self.opponent[..]), (self.us, "you")] {
            let color = game.color_of(seat);
            let arrow = if self.turn() == Some(seat) { ">" } else { " " };
            let who = color.map_or("no color yet".to_owned(), |color| painted(style, color));
            let clock = self
                .clocks()
                .map_or(String::new(), |clocks| format!(", {} left", minutes(clocks.left(seat))));
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
