//! Exact results of games between two players: by recursion over positions, without sampling.
//!
//! For players that choose uniformly from a set of actions, in games without hidden information and chance,
//! small enough that every position fits into memory.

use std::collections::BTreeMap;

use anglerfish_engine::papers::semirandom::after;
use anglerfish_engine::search::chooser::Chooser;
use anglerfish_rules::{Game, Outcome, Team, Turn};
use serde::{Deserialize, Serialize};

/// Shares of games that the first mover wins, draws and loses; they sum to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shares(pub [f64; 3]);

impl Shares {
    /// In per cent.
    pub fn percent(self) -> [f64; 3] {
        self.0.map(|share| 100.0 * share)
    }
}

/// The shares of games from `start`, with these players in the seats.
pub fn shares<G: Game>(start: &G, players: [&mut dyn Chooser<G>; 2]) -> Shares {
    let [first, second] = players;
    Shares(below(start, first, second, &mut BTreeMap::new()))
}

fn below<G: Game>(
    game: &G,
    first: &mut dyn Chooser<G>,
    second: &mut dyn Chooser<G>,
    known: &mut BTreeMap<String, [f64; 3]>,
) -> [f64; 3] {
    let seat = match game.turn() {
        Turn::Over(Outcome::Win(Team::A), _) => return [1.0, 0.0, 0.0],
        Turn::Over(Outcome::Draw, _) => return [0.0, 1.0, 0.0],
        Turn::Over(Outcome::Win(Team::B), _) => return [0.0, 0.0, 1.0],
        Turn::Seat(seat) => seat,
    };
    let text = game.to_string();
    if let Some(shares) = known.get(&text) {
        return *shares;
    }
    let choices = if seat.team() == Team::A { first.choices(game) } else { second.choices(game) };
    let mut sum = [0.0; 3];
    for &action in &choices {
        let next = below(&after(game, action), first, second, known);
        sum.iter_mut().zip(next).for_each(|(sum, share)| *sum += share);
    }
    let shares = sum.map(|sum| sum / choices.len() as f64);
    known.insert(text, shares);
    shares
}
