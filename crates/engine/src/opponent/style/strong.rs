//! Somebody who plays well: the better an action looks after the captures that follow it, the likelier it is.
//!
//! It fits whoever thinks, deep or not, better than any habit does, and predicts nothing: against those who play well one supposes the best answer.

use anglerfish_rules::banqi::{Action, Banqi, Position, RuleSet, Terminal};

use super::Style;
use crate::eval::{self, Evaluator};
use crate::score::{Score, WIN};
use crate::search::habit::after;

/// A difference that makes an action nearly three times less likely. The likelihood of alphabeta's own moves is greatest at about this.
const TASTE: f32 = 250.0;

/// How often it has plans that do not show in what is to be captured: then any action is as likely as another.
const PLANS: f32 = 0.15;

/// How many captures are followed.
const CAPTURES: u32 = 4;

/// Plays well.
pub struct Strong(Box<dyn Evaluator<Position>>);

impl Default for Strong {
    fn default() -> Strong {
        Strong(eval::evaluator(&eval::Settings::default()))
    }
}

impl Strong {
    /// What a position is worth to the side to move once captures are over.
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
            // Nobody loses by a move of his own.
            Some(Terminal::Loss(..)) => WIN,
            Some(Terminal::Draw(_)) => 0,
            None => -self.settled(&next, rules, -WIN, WIN, CAPTURES),
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
                // One flip is worth what another is.
                Action::Flip(_) => *flip.get_or_insert_with(|| self.worth(theirs, action)),
                Action::Move { .. } => self.worth(theirs, action),
            })
            .collect();
        let best = scores.iter().max().copied().unwrap_or(0);
        for ((out, &score), action) in out.iter_mut().zip(&scores).zip(actions) {
            let likely = falling((best - score) as f32 / TASTE);
            // All flips together count as one thing to do.
            *out = if matches!(action, Action::Flip(_)) { likely / flips as f32 } else { likely };
        }
        let sum: f32 = out.iter().sum();
        let even = PLANS / actions.len() as f32;
        for share in out {
            *share = even + (1.0 - PLANS) * *share / sum;
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
