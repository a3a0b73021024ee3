//! The laws of every game, as a suite that tests each listed game; the four-seat game; and the plain second Banqi.
//!
//! Only with the feature `testkit`, which tests and fuzzers have: other crates test their fast versions against it too.

pub mod heap;
pub mod plain;

use std::collections::BTreeSet;

use crate::game::{ChanceOutcome, Forfeit, Game, Seat, Turn};
use crate::record::{Cause, Ending, Record};
use crate::rng::{Rng, RngExt};
use crate::{Ply, read_records};

/// Plays one random game and checks every law at every ply. Returns how many plies it had.
///
/// In games where the others play on after a forfeit, a seat leaves with a chance of one in eight at every ply.
///
/// `longest` is the stated bound on the length of a game; `extra` checks what only this game promises.
///
/// # Panics
/// When a law is broken; the message names the law, the seed and the position.
pub fn laws<G: Game>(rules: &G::Rules, seed: u64, longest: u32, mut extra: impl FnMut(&G)) -> u32 {
    let mut rng = Rng::stream(seed, "laws");
    let mut game = G::deal(rules, &mut rng);
    let mut record = Record::new(game.clone());
    record.set_tag("Seed", &seed.to_string());
    let (mut actions, mut chances) = (Vec::new(), Vec::new());
    let (mut plies, mut gone) = (0, BTreeSet::new());
    loop {
        let law = |holds: bool, law: &str| assert!(holds, "{law}; seed {seed}, ply {plies}, {game}");
        law(game.rules() == *rules, "a game keeps its rules");
        law(game.to_string().parse().as_ref() == Ok(&game), "positions survive a trip through text");
        extra(&game);
        game.actions(&mut actions);
        let Turn::Seat(seat) = game.turn() else {
            law(actions.is_empty(), "a game that is over has no action");
            break;
        };
        law(seat.0 < G::SEATS, "the seat to move exists");
        law(!gone.contains(&seat), "a seat that has left is never to move again");
        law(!actions.is_empty(), "a game not over has an action");
        law(actions.iter().collect::<BTreeSet<_>>().len() == actions.len(), "no action is listed twice");
        for &action in &actions {
            check_action(&game, action, &mut chances, law);
            law(game.is_legal(action), "listed actions are legal");
        }
        for other in (0..G::SEATS).map(Seat) {
            let view = game.view(other);
            let world = G::sample(&view, &mut rng);
            law(world.view(other) == view, "a sampled world looks like the view it was sampled from");
            if other == seat {
                let mut theirs = Vec::new();
                world.actions(&mut theirs);
                law(theirs == actions, "the mover's actions are the same in every world that fits its view");
            }
        }
        let leaves: Vec<_> = (0..G::SEATS).filter_map(|s| check_forfeits(&game, Seat(s), law)).collect();
        law(leaves.iter().all(|(seat, _)| !gone.contains(seat)), "no seat leaves twice");
        let (seat, event) = if !leaves.is_empty() && rng.below(8) == 0 {
            let leave = rng.pick(&leaves);
            gone.insert(leave.0);
            leave
        } else {
            let action = rng.pick(&actions);
            let mut twin = rng.clone();
            let event = game.draw(action, &mut rng);
            law(game.draw(action, &mut twin) == event, "equal dice give equal events");
            law(G::action_of(event) == action, "chance answers the action that was chosen");
            law(game.seat_of(event) == Some(seat), "what comes of an action is the mover's");
            (seat, event)
        };
        record.plies.push(Ply { seat, event, took: std::time::Duration::ZERO });
        game.apply(event);
        plies += 1;
        assert!(plies <= longest, "every game ends within {longest} plies; seed {seed}");
    }
    if let Turn::Over(outcome, reason) = game.turn() {
        record.ending = Some(Ending { outcome, cause: Cause::Rules(reason) });
    }
    check_record(&record, &game);
    plies
}

fn check_action<G: Game>(
    game: &G,
    action: G::Action,
    chances: &mut Vec<ChanceOutcome<G::Event>>,
    law: impl Fn(bool, &str),
) {
    law(action_survives::<G>(action), "actions survive a trip through text, as one word");
    game.outcomes(action, chances);
    law(!chances.is_empty(), "something comes of every action");
    for (i, chance) in chances.iter().enumerate() {
        law(chance.weight > 0, "weights are positive");
        law(G::action_of(chance.event) == action, "an outcome belongs to its action");
        law(game.is_possible(chance.event), "an outcome is possible");
        law(event_survives::<G>(chance.event), "events survive a trip through text, as one word");
        law(chances[..i].iter().all(|c| c.event != chance.event), "no outcome is listed twice");
    }
}

/// The event by which a seat forfeits, if the others play on.
fn check_forfeits<G: Game>(game: &G, seat: Seat, law: impl Fn(bool, &str)) -> Option<(Seat, G::Event)> {
    let [first, others @ ..] = Forfeit::ALL.map(|forfeit| game.forfeited(seat, forfeit));
    law(
        others.iter().all(|e| e.is_some() == first.is_some()),
        "whether the others play on is not a matter of how",
    );
    for event in others.into_iter().chain([first]).flatten() {
        law(game.is_possible(event), "what a forfeit leads to is possible");
        law(game.seat_of(event) == Some(seat), "a forfeit is the event of the seat that does not go on");
        law(event_survives::<G>(event), "forfeits survive a trip through text, as one word");
        law(action_survives::<G>(G::action_of(event)), "actions of forfeits do too");
    }
    first.map(|event| (seat, event))
}

/// Records part plies by spaces and put comments in braces.
fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == '{' || c == '}')
}

fn action_survives<G: Game>(action: G::Action) -> bool {
    let text = action.to_string();
    is_word(&text) && G::parse_action(&text) == Ok(action)
}

fn event_survives<G: Game>(event: G::Event) -> bool {
    let text = event.to_string();
    is_word(&text) && G::parse_event(&text) == Ok(event)
}

fn check_record<G: Game>(record: &Record<G>, last: &G) {
    assert_eq!(record.replay().as_ref(), Ok(last), "a record replays to where its game ended");
    let text = record.to_string();
    assert_eq!(text.parse().as_ref(), Ok(record), "records survive a trip through text");
    let twice = text.repeat(2);
    let read: Vec<_> = read_records::<G>(&twice).collect();
    assert_eq!(read, [Ok(record.clone()), Ok(record.clone())], "records can follow one another");
}
