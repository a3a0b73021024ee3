//! Semi-random play: random, but for wins and losses within the look-ahead.
//!
//! Kajihara, Sakuta, Iida, Uiterwijk and van den Herik (1999), "A Speculative Play against Semi-Random Self-Play", Definition 1. It is
//! for games without secrets in which chance has no part, and small ones: look-ahead is plain and full-width, and what was
//! found is remembered by the text of the position.

use std::collections::BTreeMap;

use anglerfish_rules::{ChanceOutcome, Game, Outcome, Team, Turn};

use crate::search::chooser::Chooser;

/// A cache of results. It is emptied at a size far larger than small games need.
#[derive(Clone)]
pub(super) struct Known<K, V>(BTreeMap<K, V>);

impl<K: Ord, V> Known<K, V> {
    const MOST: usize = 200_000;

    pub(super) fn new() -> Known<K, V> {
        Known(BTreeMap::new())
    }

    pub(super) fn get(&self, key: &K) -> Option<&V> {
        self.0.get(key)
    }

    pub(super) fn put(&mut self, key: K, value: V) {
        if self.0.len() == Self::MOST {
            self.0.clear();
        }
        self.0.insert(key, value);
    }
}

/// The choice when every move loses within the look-ahead.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Fallback {
    /// Look one ply less far, and so on: the loss is put off. Not in the paper's words, but in its Table 1.
    #[default]
    Delay,
    /// Any move: what Definition 1 says.
    Any,
}

/// The result that can be forced from a position, as far as a look-ahead sees. Draws and ends out of sight are both unclear: the
/// paper knows no draws here.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Forced {
    /// The other side can force its win.
    Loss,
    /// Neither can, as far as can be seen.
    Unclear,
    /// We can force ours.
    Win,
}

/// The result that `team` can force within `depth` plies.
pub fn forced<G: Game>(game: &G, team: Team, depth: u32) -> Forced {
    let ours = match game.turn() {
        Turn::Over(Outcome::Win(winner), _) if winner == team => return Forced::Win,
        Turn::Over(Outcome::Win(_), _) => return Forced::Loss,
        Turn::Over(Outcome::Draw, _) => return Forced::Unclear,
        Turn::Seat(_) if depth == 0 => return Forced::Unclear,
        Turn::Seat(seat) => seat.team() == team,
    };
    // The mover looks for its best; one move that cannot be bettered is enough.
    let (goal, mut best) = if ours { (Forced::Win, Forced::Loss) } else { (Forced::Loss, Forced::Win) };
    let mut actions = Vec::new();
    game.actions(&mut actions);
    for action in actions {
        let next = forced(&after(game, action), team, depth - 1);
        best = if ours { best.max(next) } else { best.min(next) };
        if best == goal {
            break;
        }
    }
    best
}

/// The position after a move that chance has no part in.
///
/// # Panics
/// When chance has one.
pub fn after<G: Game>(game: &G, action: G::Action) -> G {
    let mut chances: Vec<ChanceOutcome<G::Event>> = Vec::with_capacity(1);
    game.outcomes(action, &mut chances);
    let [certain] = chances[..] else { panic!("this player is for games without chance, not {}", G::NAME) };
    let mut next = game.clone();
    next.apply(certain.event);
    next
}

/// `P_i`: looks `i` plies ahead, takes a win, avoids a loss, and is random otherwise.
#[derive(Clone)]
pub struct SemiRandom<G: Game> {
    look: u32,
    fallback: Fallback,
    known: Known<String, Vec<G::Action>>,
}

impl<G: Game> SemiRandom<G> {
    /// The player that looks `look` plies ahead, its own move included: `P_1` sees the line it completes.
    pub fn new(look: u32, fallback: Fallback) -> SemiRandom<G> {
        SemiRandom { look, fallback, known: Known::new() }
    }

    /// Definition 1, with nothing remembered.
    fn decide(&self, game: &G) -> Vec<G::Action> {
        let mut all = Vec::new();
        game.actions(&mut all);
        let Turn::Seat(seat) = game.turn() else { return all };
        let next: Vec<G> = all.iter().map(|&action| after(game, action)).collect();
        let mut look = self.look;
        while look > 0 {
            let seen: Vec<Forced> = next.iter().map(|game| forced(game, seat.team(), look - 1)).collect();
            let those = |wanted: &dyn Fn(Forced) -> bool| -> Vec<G::Action> {
                all.iter().zip(&seen).filter(|&(_, &v)| wanted(v)).map(|(&action, _)| action).collect()
            };
            // R1. A winning move, if there is one.
            if seen.contains(&Forced::Win) {
                return those(&|v| v == Forced::Win);
            }
            // R2. Any that does not lose, if there is one.
            let safe = those(&|v| v != Forced::Loss);
            if !safe.is_empty() {
                return safe;
            }
            look = match self.fallback {
                Fallback::Delay => look - 1,
                Fallback::Any => 0,
            };
        }
        all
    }
}

impl<G: Game> Chooser<G> for SemiRandom<G> {
    fn choices(&mut self, game: &G) -> Vec<G::Action> {
        let text = game.to_string();
        if let Some(known) = self.known.get(&text) {
            return known.clone();
        }
        let choices = self.decide(game);
        self.known.put(text, choices.clone());
        choices
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anglerfish_rules::tictactoe::TicTacToe;

    /// The choices of `P_look`, where x and o have moved as shown.
    fn check(board: &str, look: u32, fallback: Fallback, expected: &str) {
        let game: TicTacToe = board.parse().expect(board);
        let found: Vec<String> =
            SemiRandom::new(look, fallback).choices(&game).iter().map(ToString::to_string).collect();
        assert_eq!(found.join(" "), expected, "P{look} in {board}");
    }

    #[test]
    fn wins_are_taken_and_losses_avoided_as_far_as_they_are_seen() {
        let all = "a1 b1 c1 a2 c2 c3";
        check("xo-/-x-/--o", 0, Fallback::Delay, "a1 b1 a2 c2 c3");
        check("xx-/-o-/--o", 0, Fallback::Delay, "a1 b1 a2 c2 c3");
        check("xx-/-o-/--o", 1, Fallback::Delay, "c3");
        // o to move must stop the line, and sees it with two plies, not with one.
        check("xx-/-o-/---", 1, Fallback::Delay, all);
        check("xx-/-o-/---", 2, Fallback::Delay, "c3");
    }

    #[test]
    fn a_loss_that_is_certain_is_put_off() {
        // Every move of o loses within four plies; only c1 parries the line that x completes at once.
        check("-ox/--x/---", 4, Fallback::Any, "a1 b1 c1 a2 b2 a3");
        check("-ox/--x/---", 4, Fallback::Delay, "c1");
        // Two lines at once: nothing puts it off.
        check("x-x/-o-/x-o", 2, Fallback::Delay, "b1 a2 c2 b3");
    }
}
