//! The playout policies of Jouandeau and Cazenave in Banqi: what simulated players try first.
//!
//! Jouandeau and Cazenave (2014), "Small and Large MCTS Playouts Applied to Chinese Dark Chess Stochastic Game", section
//! 4.1, names the policies and does not define Avoid and Trap. Our definitions are below, at [`Aim`]. They follow the paper's
//! Table 1: a ply of "capture avoid and trap" takes two fifths of the time of a ply of "trap", so Avoid must often have
//! something to say, but not always; and in "avoid and capture" most pieces are taken, so it is not "any safe action".

use anglerfish_rules::banqi::{Action, Color, Event, Moves, Position, RuleSet};
use anglerfish_rules::{Rng, RngExt};
use arrayvec::ArrayVec;

use crate::playout::Policy;

/// One step of a policy. It picks evenly from a set of actions, or picks none.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Aim {
    /// Any capture.
    Capture,
    /// If a piece of ours could be taken at once: any action after which none can be.
    Avoid,
    /// Any of the actions that leave the enemy the fewest; a flip counts as if only the turn passed.
    Trap,
}

const fn aims(policy: Policy) -> &'static [Aim] {
    match policy {
        Policy::Random => &[],
        Policy::Capture => &[Aim::Capture],
        Policy::Avoid => &[Aim::Avoid],
        Policy::Trap => &[Aim::Trap],
        Policy::CaptureAvoid => &[Aim::Capture, Aim::Avoid],
        Policy::AvoidCapture => &[Aim::Avoid, Aim::Capture],
        Policy::CaptureTrap => &[Aim::Capture, Aim::Trap],
        Policy::CaptureAvoidTrap => &[Aim::Capture, Aim::Avoid, Aim::Trap],
    }
}

/// The action of a player with this policy, in a position in which it has one.
///
/// `legal` says what a color may do: [`Position::moves_of`], unless the caller tries out other rules.
#[inline]
pub fn pick(
    policy: Policy,
    p: &Position,
    legal: impl Fn(&Position, Color) -> Moves,
    rng: &mut Rng,
) -> Action {
    let Some(us) = p.side() else { return p.moves().pick(rng) };
    let moves = legal(p, us);
    for aim in aims(policy) {
        let picked = match aim {
            Aim::Capture => capture(p, us, moves, rng),
            Aim::Avoid => avoid(p, us, moves, &legal, rng),
            Aim::Trap => Some(trap(p, us, moves, &legal, rng)),
        };
        if let Some(action) = picked {
            return action;
        }
    }
    moves.pick(rng)
}

#[inline]
fn capture(p: &Position, us: Color, moves: Moves, rng: &mut Rng) -> Option<Action> {
    let captures = moves.onto(p.color(us.other()));
    if captures.is_empty() { None } else { Some(captures.pick(rng)) }
}

fn avoid(
    p: &Position,
    us: Color,
    moves: Moves,
    legal: impl Fn(&Position, Color) -> Moves,
    rng: &mut Rng,
) -> Option<Action> {
    let in_danger = |p: &Position| !legal(p, us.other()).onto(p.color(us)).is_empty();
    if !in_danger(p) {
        return None;
    }
    // The first safe one of a random order is any of the safe ones, each equally likely. No flip takes a piece out of danger.
    let mut left = moves.without_flips();
    while !left.is_empty() {
        let action = left.take(rng.below(left.len()));
        if !in_danger(&after(p, action)) {
            return Some(action);
        }
    }
    None
}

fn trap(
    p: &Position,
    us: Color,
    moves: Moves,
    legal: impl Fn(&Position, Color) -> Moves,
    rng: &mut Rng,
) -> Action {
    // A color has at most 104 actions: 32 flips, four steps of each of 16 pieces, four jumps of each of two cannons.
    let mut fewest: ArrayVec<Action, 104> = ArrayVec::new();
    // Flips all leave the same.
    let after_flip = (!moves.flips().is_empty()).then(|| legal(p, us.other()).len() - 1);
    let mut least = after_flip.unwrap_or(u32::MAX);
    for action in moves.without_flips().iter() {
        let replies = legal(&after(p, action), us.other()).len();
        if replies < least {
            fewest.clear();
            least = replies;
        }
        if replies == least {
            fewest.push(action);
        }
    }
    // They are among the choices unless a move was better.
    let flips = if after_flip == Some(least) { moves.flips().len() } else { 0 };
    let n = rng.below(flips + fewest.len() as u32);
    if n < flips { moves.nth(n) } else { fewest[(n - flips) as usize] }
}

/// The position after a move.
#[inline]
fn after(p: &Position, action: Action) -> Position {
    let mut next = *p;
    if let Action::Move { from, to } = action {
        // The caller reads neither the key nor the counters in which rule sets differ.
        next.play_unkeyed(Event::Move { from, to }, &RuleSet::PLATFORM);
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use anglerfish_rules::Game;
    use anglerfish_rules::banqi::Banqi;

    /// The set that an aim picks from, by lists: the plain version.
    fn plain(aim: Aim, game: &Banqi) -> Vec<Action> {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let Some(us) = game.position().side() else { return Vec::new() };
        let takes = |p: &Position, action: Action| matches!(action, Action::Move { to, .. } if p.piece_at(to).is_some());
        let passed = |action: Action| match action {
            Action::Flip(_) => game.position().passed(),
            Action::Move { .. } => after(game.position(), action),
        };
        let loses_one = |p: &Position| p.moves().iter().any(|reply| takes(p, reply));
        match aim {
            Aim::Capture => actions.retain(|&a| takes(game.position(), a)),
            Aim::Avoid if !loses_one(&game.position().passed()) => actions.clear(),
            Aim::Avoid => actions.retain(|&a| !loses_one(&passed(a))),
            Aim::Trap => {
                let replies = |&a: &Action| {
                    let flipped = matches!(a, Action::Flip(_));
                    passed(a).moves_of(us.other()).len() - u32::from(flipped)
                };
                let least = actions.iter().map(replies).min();
                actions.retain(|a| Some(replies(a)) == least);
            }
        }
        actions
    }

    /// The set that a policy picks from, by lists.
    fn choices(policy: Policy, game: &Banqi) -> Vec<Action> {
        let sets = aims(policy).iter().map(|&aim| plain(aim, game));
        sets.into_iter().find(|set| !set.is_empty()).unwrap_or_else(|| {
            let mut all = Vec::new();
            game.actions(&mut all);
            all
        })
    }

    /// Along random games every pick is one of the plain version's, and each of those is picked.
    #[test]
    fn picks_are_those_of_the_lists() {
        let mut rng = Rng::new(11);
        let mut seen = [0; 8];
        for (place, (name, policy)) in Policy::ALL.into_iter().enumerate() {
            let mut game = Banqi::start(RuleSet::PLATFORM);
            for _ in 0..250 {
                let expected = choices(policy, &game);
                let mut missing = expected.clone();
                for _ in 0..expected.len() * 20 {
                    let action = pick(policy, game.position(), Position::moves_of, &mut rng);
                    assert!(expected.contains(&action), "{name} picks {action} in {game}");
                    missing.retain(|&a| a != action);
                }
                assert!(missing.is_empty(), "{name} never picks {missing:?} in {game}");
                let mut all = Vec::new();
                game.actions(&mut all);
                seen[place] += u32::from(expected.len() < all.len());
                let action = rng.pick(&all);
                game.apply(game.resolve(action, &mut rng));
                if game.turn().is_over() {
                    game = Banqi::start(RuleSet::PLATFORM);
                }
            }
        }
        assert!(
            seen[0] == 0 && seen[1..].iter().all(|&n| n > 20),
            "how often there was something to say: {seen:?}"
        );
    }

    /// Each choice is as likely as the next: where a rook must leave, and where flips and moves come to the same.
    #[test]
    fn picks_are_even() {
        let place = "----/----/----/----/-g--/-R--/----/X--P r p1 0 40 platform";
        let game: Banqi = place.parse().expect("a position");
        for policy in [Policy::Avoid, Policy::Trap, Policy::CaptureAvoidTrap] {
            let expected = choices(policy, &game);
            let mut rng = Rng::new(5);
            let mut counts = vec![0_u32; expected.len()];
            for _ in 0..1000 * expected.len() {
                let action = pick(policy, game.position(), Position::moves_of, &mut rng);
                counts[expected.iter().position(|&a| a == action).expect("one of them")] += 1;
            }
            assert!(counts.iter().all(|n| (850..1150).contains(n)), "{policy:?}: {counts:?} of {expected:?}");
        }
    }
}
