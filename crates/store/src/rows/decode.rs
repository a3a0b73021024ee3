//! Turns rows into games: read, checked and replayed.

use std::marker::PhantomData;
use std::time::Duration;

use anglerfish_rules::{Annotation, Ending, Game, NotationError, Outcome, Ply, Points, Record, Team};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ListArray, PrimitiveArray, RecordBatch, StringArray};

use super::columns::{Columns, Lists};
use super::{opening, usual_start};
use crate::error::Damage;
use crate::stored_game::StoredGame;
use crate::unit::Origin;

/// The games of rows that belong to one unit, in the order of the unit.
///
/// # Errors
/// When they are not the rows of that unit, or no legal games: each one is replayed.
pub fn decode<G: StoredGame>(
    unit: &str,
    origin: &Origin,
    batch: &RecordBatch,
) -> Result<Vec<Record<G>>, Damage> {
    decode_each(unit, origin, batch)?.collect()
}

/// The games one at a time: records take many times the memory of rows.
pub(crate) fn decode_each<'a, G: StoredGame>(
    unit: &'a str,
    origin: &'a Origin,
    batch: &'a RecordBatch,
) -> Result<impl Iterator<Item = Result<Record<G>, Damage>> + 'a, Damage> {
    let columns = Columns::new(batch);
    let units = columns.text("unit")?;
    let numbers = columns.numbers::<UInt32Type>("game")?;
    for field in super::schema().fields() {
        if !field.is_nullable() && columns.column(field.name())?.null_count() > 0 {
            return Err(format!("{}: expected a value in every row", field.name()).into());
        }
    }
    let parts = Parts::<G>::new(&columns)?;
    if batch.num_rows() != origin.games() {
        return Err(format!("expected {} games, found {}", origin.games(), batch.num_rows()).into());
    }
    Ok((0..batch.num_rows()).map(move |row| {
        let named = |what: Damage| Damage::from(format!("game {}: {what}", row + 1));
        if units.value(row) != unit || numbers.value(row) != row as u32 {
            return Err(named("expected the next game of the unit".into()));
        }
        parts.record(origin, row).map_err(named)
    }))
}

/// The columns that a record is made of.
struct Parts<'a, G: Game> {
    rules: &'a StringArray,
    starts: &'a StringArray,
    openings: &'a PrimitiveArray<UInt32Type>,
    plies: &'a PrimitiveArray<UInt32Type>,
    events: Lists<'a, UInt32Type>,
    results: &'a PrimitiveArray<Int8Type>,
    reasons: &'a StringArray,
    tags: &'a StringArray,
    named: [(&'static str, &'a StringArray); 3],
    took: Lists<'a, UInt32Type>,
    values: Lists<'a, Int16Type>,
    nodes: Lists<'a, UInt64Type>,
    candidates: &'a ListArray,
    game: PhantomData<G>,
}

impl<'a, G: StoredGame> Parts<'a, G> {
    fn new(columns: &Columns<'a>) -> Result<Parts<'a, G>, Damage> {
        let candidates = columns.column("candidates")?.as_list_opt();
        Ok(Parts {
            rules: columns.text("rules")?,
            starts: columns.text("start")?,
            openings: columns.numbers("opening")?,
            plies: columns.numbers("plies")?,
            events: columns.lists("events")?,
            results: columns.numbers("result")?,
            reasons: columns.text("reason")?,
            tags: columns.text("tags")?,
            named: [
                ("First", columns.text("first")?),
                ("Second", columns.text("second")?),
                ("Budget", columns.text("budget")?),
            ],
            took: columns.lists("took")?,
            values: columns.lists("value")?,
            nodes: columns.lists("nodes")?,
            candidates: candidates.ok_or("candidates: expected lists")?,
            game: PhantomData,
        })
    }

    fn record(&self, origin: &Origin, row: usize) -> Result<Record<G>, Damage> {
        let mut record = self.opened(origin, row)?;
        for (name, column) in &self.named {
            if record.tag(name).unwrap_or_default() != column.value(row) {
                return Err(format!("{name} is {:?} and {:?}", record.tag(name), column.value(row)).into());
            }
        }
        if opening(&record) != self.openings.value(row) {
            return Err("the opening is of two lengths".into());
        }
        let last = self.play(&mut record, row)?;
        record.ending = self.ending(row)?;
        record.check_ending(&last).map_err(|e| e.to_string())?;
        self.think(&mut record, row)?;
        Ok(record)
    }

    /// A record before its first ply.
    fn opened(&self, origin: &Origin, row: usize) -> Result<Record<G>, Damage> {
        let rules = self.rules.value(row).parse().map_err(|e: NotationError| format!("rules: {e}"))?;
        let usual = origin.heading::<G>(&rules, row as u32, self.openings.value(row));
        let mut record = Record::new(read_start::<G>(&rules, self.starts, row)?);
        record.tags = match (self.tags.is_valid(row), usual) {
            (true, _) => read_tags(self.tags.value(row))?,
            (false, Some(usual)) => usual.tags,
            (false, None) => return Err("expected tags".into()),
        };
        Ok(record)
    }

    /// Replays the events, which checks that each one is possible and finds its player.
    fn play(&self, record: &mut Record<G>, row: usize) -> Result<G, Damage> {
        let codes = self.events.whole(row).ok_or("events: expected no gaps")?;
        if codes.len() != self.plies.value(row) as usize {
            return Err(format!("expected {} plies, found {}", self.plies.value(row), codes.len()).into());
        }
        if codes.len() > G::most_plies(&record.start.rules()) as usize {
            return Err(format!("a game of {} plies is too long", codes.len()).into());
        }
        if self.took.len(row).is_some_and(|n| n != codes.len()) {
            return Err("took: expected a number per ply".into());
        }
        let mut game = record.start.clone();
        for (i, &code) in codes.iter().enumerate() {
            let impossible = || format!("ply {}: the event {code} is not possible here", i + 1);
            let event = G::event(code).ok_or_else(impossible)?;
            let possible = !game.turn().is_over() && game.is_possible(event);
            let seat = game.seat_of(event).filter(|_| possible).ok_or_else(impossible)?;
            game.apply(event);
            let took = Duration::from_millis(u64::from(self.took.get(row, i).unwrap_or_default()));
            record.plies.push(Ply { seat, event, took });
        }
        Ok(game)
    }

    fn ending(&self, row: usize) -> Result<Option<Ending>, Damage> {
        if self.results.is_null(row) != self.reasons.is_null(row) {
            return Err("expected a result and a reason, or neither".into());
        }
        if self.results.is_null(row) {
            return Ok(None);
        }
        let outcome = match self.results.value(row) {
            1 => Outcome::Win(Team::A),
            0 => Outcome::Draw,
            -1 => Outcome::Win(Team::B),
            other => return Err(format!("expected a result of 1, 0 or -1, found {other}").into()),
        };
        let reason = self.reasons.value(row);
        let cause = reason.parse().map_err(|_| format!("{reason:?} is no reason"))?;
        Ok(Some(Ending { outcome, cause }))
    }

    fn think(&self, record: &mut Record<G>, row: usize) -> Result<(), Damage> {
        let candidates = self.candidates.is_valid(row).then(|| self.candidates.value(row));
        let words: Option<&StringArray> = candidates.as_ref().and_then(|list| list.as_string_opt());
        let lengths = [self.values.len(row), self.nodes.len(row), words.map(Array::len)];
        if lengths.into_iter().flatten().any(|n| n != record.plies.len()) {
            return Err("value, nodes and candidates: expected one per ply".into());
        }
        if candidates.is_some() && words.is_none() {
            return Err("candidates: expected lists of text".into());
        }
        if lengths.iter().all(Option::is_none) {
            return Ok(());
        }
        for ply in 0..record.plies.len() {
            let value =
                self.values.get(row, ply).map(|v| Points::new(v).ok_or("a value beyond a whole game"));
            let words = words.filter(|words| words.is_valid(ply)).map(|words| words.value(ply));
            let mut annotation = words.map_or(Ok(Annotation::default()), |words| {
                Annotation::read::<G>(words).map_err(|e| format!("candidates: {e}"))
            })?;
            annotation.value = value.transpose()?;
            annotation.nodes = self.nodes.get(row, ply);
            record.annotate(ply, annotation);
        }
        Ok(())
    }
}

/// The start of a row's game.
pub(crate) fn read_start<G: Game>(rules: &G::Rules, starts: &StringArray, row: usize) -> Result<G, Damage> {
    if starts.is_null(row) {
        return Ok(usual_start(rules));
    }
    let start: G = starts.value(row).parse().map_err(|e: NotationError| format!("start: {e}"))?;
    if start.rules() == *rules { Ok(start) } else { Err("the start is of other rules".into()) }
}

/// The stored tags, each checked to be valid in a record.
fn read_tags(text: &str) -> Result<Vec<(String, String)>, Damage> {
    let tags: Vec<(String, String)> = serde_json::from_str(text).map_err(|e| format!("tags: {e}"))?;
    for (i, (name, value)) in tags.iter().enumerate() {
        let twice = tags[..i].iter().any(|(other, _)| other == name);
        if twice || !anglerfish_rules::is_free_tag(name) || value.contains(['\n', '\r']) {
            return Err(format!("tags: {name} is not one that a record can have").into());
        }
    }
    Ok(tags)
}
