//! Games of the champion with a member of the field, and the evidence of every source for each of that member's moves.
//!
//! Candidates need searches, so their answers are stored with the games. Habits and networks are asked when the tables
//! are made, so another network needs no new games.

use std::sync::Arc;

use anglerfish_engine::{Config, Engine, Limits, ManualClock, Stop};
use anglerfish_opponents::{Question, Watch};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Game, Ply, Record, Rng, Seat};
use serde::{Deserialize, Serialize};

use crate::LabError;
use crate::assets;
use anglerfish_opponents::field::Member;

/// The answers to a move, a character for each question: a digit, or a dash for no answer.
pub(super) type Move = String;

/// The stored result of a unit: its games.
#[derive(Deserialize, Serialize)]
pub(super) struct Watched(pub(super) Vec<Played>);

/// A game, and the candidates' answers for the opponent's moves.
#[derive(Deserialize, Serialize)]
pub(super) struct Played {
    record: String,
    them: u8,
    moves: Vec<Move>,
}

/// The answers for a move, by question.
pub(super) fn answers(said: &str) -> impl Iterator<Item = Option<usize>> {
    said.chars().map(|c| c.to_digit(10).map(|digit| digit as usize))
}

impl Played {
    /// Asks the candidates.
    pub(super) fn new(
        candidates: &[Question],
        record: &Record<Banqi>,
        them: Seat,
    ) -> Result<Played, LabError> {
        let moves = watch(candidates, record, them)?;
        Ok(Played { record: record.to_string(), them: them.0, moves })
    }

    /// All answers: the candidates', and then those to these questions.
    pub(super) fn moves(&self, others: &[Question]) -> Result<Vec<Move>, LabError> {
        let record: Record<Banqi> = self.record.parse()?;
        let said = watch(others, &record, Seat(self.them))?;
        Ok(self.moves.iter().zip(said).map(|(candidates, others)| format!("{candidates}{others}")).collect())
    }
}

/// Asks questions about the opponent of a game.
fn watch(questions: &[Question], record: &Record<Banqi>, them: Seat) -> Result<Vec<Move>, LabError> {
    let mut watch = Watch::<Banqi>::new(questions, &assets())?;
    let seed = record.tag("Seed").and_then(|seed| seed.parse().ok()).ok_or("expected a seed")?;
    watch.begin(them, seed);
    let (mut moves, mut game) = (Vec::new(), record.start.clone());
    for ply in &record.plies {
        let said = watch.hear(&game, ply);
        if ply.seat == them {
            let letter = |answer: Option<usize>| answer.map_or('-', |n| char::from(b'0' + n as u8));
            moves.push(said.into_iter().map(letter).collect());
        }
        game.apply(ply.event);
    }
    Ok(moves)
}

/// Continues an unfinished game with another member as the opponent, until this many plies were played.
pub(super) fn go_on(
    record: &mut Record<Banqi>,
    them: Seat,
    players: [Member; 2],
    plies: usize,
) -> Result<(), LabError> {
    let seed: u64 = record.tag("Seed").and_then(|seed| seed.parse().ok()).ok_or("expected a seed")?;
    let mut game = record.replay()?;
    let mut dice = Rng::stream(seed, "another player");
    let mut chairs = Vec::new();
    for (place, member) in players.iter().enumerate() {
        let text = format!("{},nodes={}", member.player, member.nodes);
        let config: Config = text.parse()?;
        let mut engine = Engine::<Banqi>::new(&config, &assets(), Arc::new(ManualClock::default()))?;
        let seat = if place == 1 { them } else { Seat(1 - them.0) };
        engine.new_game(seat, dice.next_u64(), None);
        chairs.push(engine);
    }
    while record.plies.len() < plies {
        let Some(seat) = game.turn().seat() else { break };
        let engine = &mut chairs[usize::from(seat == them)];
        let decision = engine.think(&game.view(seat), Limits::default(), &Stop::default(), &mut |_| {});
        let ply = Ply { seat, event: game.draw(decision.action, &mut dice), took: std::time::Duration::ZERO };
        game.apply(ply.event);
        record.plies.push(ply);
    }
    Ok(())
}
