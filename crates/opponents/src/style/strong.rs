//! Plays well: the better an action looks after the captures that follow it, the likelier it is.
//!
//! It fits players that search, deep or not, better than any habit does, and predicts nothing: against a player that plays well one supposes the best reply.

use anglerfish_rules::banqi::{Action, Banqi, Position, RuleSet, Terminal};

use super::Style;
use anglerfish_engine::eval::{self, Evaluator};
use anglerfish_engine::score::{Score, WIN};
use anglerfish_engine::search::habit::after;

use crate::parameters::{STRONG_CAPTURES, STRONG_PLANS, STRONG_TASTE};

/// Plays well.
pub struct Strong(Box<dyn Evaluator<Position>>);

impl Default for Strong {
    fn default() -> Strong {
        Strong(eval::evaluator(&eval::Settings::default()))
    }
}

impl Strong {
    /// The value of a position to the side to move once captures are over.
    fn settled(
        &mut self,
        p: &Position,
        rules: &RuleSet,
        mut alpha: Score,
        beta: Score,
        captures: u32,
    ) -> Score {
        let mut best = self.0.evaluate(p);
        let Some(us) = p.side().filter(|_| best < beta && captures > 0) else { return best };
        for action in p.moves_of(us).onto(p.color(us.other())).iter() {
            let next = after(p, action, rules);
            alpha = alpha.max(best);
            best = best.max(-self.settled(&next, rules, -beta, -alpha, captures - 1));
            if best >= beta {
                break;
            }
        }
        best
    }

    fn worth(&mut self, game: &Banqi, action: Action) -> Score {
        let (p, rules) = (game.position(), game.ruleset());
        let next = after(p, action, rules);
        match next.terminal(rules, false) {
            // A move never loses for the side that makes it.
            Some(Terminal::Loss(..)) => WIN,
            Some(Terminal::Draw(_)) => 0,
            None => -self.settled(&next, rules, -WIN, WIN, STRONG_CAPTURES),
        }
    }
}

impl Style<Banqi> for Strong {
    fn name(&self) -> &'static str {
        "strong"
    }

    fn phrase(&self) -> &'static str {
        "plays well"
    }

    fn likelihood(&mut self, theirs: &Banqi, actions: &[Action], out: &mut [f32]) {
        let mut flip = None;
        let flips = actions.iter().filter(|a| matches!(a, Action::Flip(_))).count();
        let scores: Vec<Score> = actions
            .iter()
            .map(|&action| match action {
                // All flips have the same value.
                Action::Flip(_) => *flip.get_or_insert_with(|| self.worth(theirs, action)),
                Action::Move { .. } => self.worth(theirs, action),
            })
            .collect();
        let best = scores.iter().max().copied().unwrap_or(0);
        for ((out, &score), action) in out.iter_mut().zip(&scores).zip(actions) {
            let likely = falling((best - score) as f32 / STRONG_TASTE);
            // All flips together count as one action.
            *out = if matches!(action, Action::Flip(_)) { likely / flips as f32 } else { likely };
        }
        let sum: f32 = out.iter().sum();
        let even = STRONG_PLANS / actions.len() as f32;
        for share in out {
            *share = even + (1.0 - STRONG_PLANS) * *share / sum;
        }
    }

    fn nodes(&self) -> u64 {
        15
    }

    fn plays_best(&self) -> bool {
        true
    }
}

/// About `exp(-x)`, by arithmetic that gives the same bits everywhere.
fn falling(x: f32) -> f32 {
    1.0 / (1.0 + x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0))))
}
