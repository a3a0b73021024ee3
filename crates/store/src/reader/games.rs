//! Turns rows into positions: games are replayed, and every event is checked.

use anglerfish_rules::{NotationError, Outcome, Seat, Team, Turn};
use arrow_array::types::{Int8Type, Int16Type, UInt32Type};
use arrow_array::{Array, PrimitiveArray, StringArray};

use super::Sample;
use super::source::{Part, Source, Start};
use crate::error::{Damage, StoreError};
use crate::rows::{Columns, Lists, read_start, result};
use crate::stored_game::StoredGame;

/// The game that is read now, in the rows of some unit.
pub(super) struct Games<G> {
    part: Option<Part>,
    row: usize,
    /// The rules of the previous game as text, and the usual start under them: most games begin alike.
    usual: Option<(String, G)>,
}

impl<G> Default for Games<G> {
    fn default() -> Games<G> {
        Games { part: None, row: 0, usual: None }
    }
}

impl<G: StoredGame> Games<G> {
    /// Goes to the next game; `false` at the end.
    pub(super) fn next(&mut self, source: &mut Source<G>) -> Result<bool, StoreError> {
        self.row += 1;
        while self.part.as_ref().is_none_or(|part| self.row >= part.batch.num_rows()) {
            self.part = source.part()?;
            self.row = 0;
            if self.part.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn part(&self) -> &Part {
        self.part.as_ref().unwrap_or_else(|| unreachable!("next() said that there is a game"))
    }

    /// The place after this game.
    pub(super) fn after(&self) -> Start {
        let start = self.part().start;
        Start { row: start.row + self.row + 1, ..start }
    }

    /// Number of its positions.
    pub(super) fn count(&self, openings: bool) -> Result<u64, StoreError> {
        let columns = Columns::new(&self.part().batch);
        let read = || -> Result<u64, Damage> {
            if columns.numbers::<Int8Type>("result")?.is_null(self.row) {
                return Ok(0);
            }
            let plies = columns.numbers::<UInt32Type>("plies")?.value(self.row);
            let opening = columns.numbers::<UInt32Type>("opening")?.value(self.row);
            Ok(u64::from(if openings { plies } else { plies.saturating_sub(opening) }))
        };
        read().map_err(|what| self.damaged(what))
    }

    fn damaged(&self, what: Damage) -> StoreError {
        let (part, game) = (self.part(), self.part().start.row + self.row + 1);
        StoreError::damaged(format!("unit {}, game {game}", part.name), what)
    }

    /// Replays the game, and appends its positions.
    pub(super) fn play<T>(
        &mut self,
        openings: bool,
        position: &impl Fn(&G) -> T,
        out: &mut Vec<Sample<T>>,
    ) -> Result<(), StoreError> {
        self.try_play(openings, position, out).map_err(|what| self.damaged(what))
    }

    fn try_play<T>(
        &mut self,
        openings: bool,
        position: &impl Fn(&G) -> T,
        out: &mut Vec<Sample<T>>,
    ) -> Result<(), Damage> {
        let row = self.row;
        let batch = self.part().batch.clone();
        let columns = Columns::new(&batch);
        let results = columns.numbers::<Int8Type>("result")?;
        if results.is_null(row) {
            return Ok(());
        }
        let ended = results.value(row);
        let mut game = self.start(columns.text("rules")?, columns.text("start")?)?;
        let (plies, opening): (&PrimitiveArray<UInt32Type>, &PrimitiveArray<UInt32Type>) =
            (columns.numbers("plies")?, columns.numbers("opening")?);
        let codes = columns.lists::<UInt32Type>("events")?.whole(row).ok_or("events: expected no gaps")?;
        let values: Lists<Int16Type> = columns.lists("value")?;
        if codes.len() != plies.value(row) as usize || values.len(row).is_some_and(|n| n != codes.len()) {
            return Err(format!("expected {} plies, and a value per ply or none", plies.value(row)).into());
        }
        let first = if openings { 0 } else { opening.value(row) as usize };
        out.reserve(codes.len().saturating_sub(first));
        for (ply, &code) in codes.iter().enumerate() {
            let impossible =
                || Damage::from(format!("ply {}: the event {code} is not possible here", ply + 1));
            let event = G::event(code).ok_or_else(impossible)?;
            let Turn::Seat(seat) = game.turn() else { return Err(impossible()) };
            if !game.is_possible(event) {
                return Err(impossible());
            }
            if ply >= first {
                let value = values.get(row, ply).zip(game.seat_of(event));
                out.push(Sample {
                    position: position(&game),
                    seat,
                    result: if seat.team() == Team::A { ended } else { -ended },
                    value: value.map(|(value, of)| for_seat(value, of, seat)),
                    ply: ply as u32,
                });
            }
            game.apply(event);
        }
        let by_rules = match game.turn() {
            Turn::Over(outcome, _) => Some(result(outcome)),
            Turn::Seat(_) => None,
        };
        let possible = [Outcome::Win(Team::A), Outcome::Draw, Outcome::Win(Team::B)].map(result);
        if by_rules.is_some_and(|by_rules| by_rules != ended) || !possible.contains(&ended) {
            return Err(format!("the result is {ended}, and the rules say {by_rules:?}").into());
        }
        Ok(())
    }

    /// The start of the game.
    fn start(&mut self, rules: &StringArray, starts: &StringArray) -> Result<G, Damage> {
        let row = self.row;
        let text = rules.value(row);
        let usual = self.usual.as_ref().filter(|(rules, _)| starts.is_null(row) && rules == text);
        if let Some((_, usual)) = usual {
            return Ok(usual.clone());
        }
        let rules: G::Rules = text.parse().map_err(|e: NotationError| format!("rules: {e}"))?;
        let start: G = read_start(&rules, starts, row)?;
        if starts.is_null(row) {
            self.usual = Some((text.to_owned(), start.clone()));
        }
        Ok(start)
    }
}

/// The value for the seat `seat` of a position worth `value` to the seat `of`. A player may leave out of
/// turn, so the two can differ.
fn for_seat(value: i16, of: Seat, seat: Seat) -> i16 {
    if of.team() == seat.team() { value } else { value.saturating_neg() }
}
