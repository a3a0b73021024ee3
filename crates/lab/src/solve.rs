//! Solves small games of Banqi exactly, face-down pieces included: expected results when both sides play best.
//!
//! Every reachable position is listed. Flips and captures are irreversible, so positions fall into layers by the
//! remaining pieces, and a layer is solved after those below it. Within a layer there are only steps: with `n`
//! plies to go before a forced draw, a position has the best value of its successors with `n - 1`, until another
//! ply changes no value. Endless play is then a draw; no-progress and repetition rules are ignored.

use std::collections::BTreeMap;

use anglerfish_rules::banqi::{Action, Banqi, Event, Position, Repetition, RuleSet, Terminal};
use anglerfish_rules::{ChanceOutcome, Game};

/// One position with its actions, as ranges of outcomes.
struct Entry {
    layer: u32,
    /// The result for the side to move, where the game is over.
    over: Option<f64>,
    actions: Vec<Vec<(u32, f64)>>,
}

/// The values of all positions below a start.
pub struct Solved {
    rules: RuleSet,
    places: BTreeMap<u64, u32>,
    values: Vec<f64>,
}

impl Solved {
    /// Solves all positions reachable from `game`; `None` for more than `most` positions.
    pub fn new(game: &Banqi, most: usize) -> Option<Solved> {
        let rules = endless(game.ruleset());
        let (mut places, mut entries) = (BTreeMap::new(), Vec::new());
        let mut positions = vec![*game.position()];
        places.insert(game.position().key(), 0);
        let mut at = 0;
        while let Some(&p) = positions.get(at) {
            let mut place_of = |next: Position| {
                *places.entry(next.key()).or_insert_with(|| {
                    positions.push(next);
                    positions.len() as u32 - 1
                })
            };
            let over = result(&p, &rules);
            let expand = |action: Action| -> Vec<(u32, f64)> {
                let outcomes = outcomes(&p, action);
                let total: u32 = outcomes.iter().map(|o| o.weight).sum();
                let share = |weight: u32| f64::from(weight) / f64::from(total);
                outcomes.iter().map(|o| (place_of(after(&p, o.event, &rules)), share(o.weight))).collect()
            };
            let actions = if over.is_some() { Vec::new() } else { p.moves().iter().map(expand).collect() };
            let layer = p.hidden().len() + p.occupied().len();
            entries.push(Entry { layer, over, actions });
            if positions.len() > most {
                return None;
            }
            at += 1;
        }
        let mut values = vec![0.0; entries.len()];
        let mut layers: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (place, entry) in entries.iter().enumerate() {
            layers.entry(entry.layer).or_default().push(place);
        }
        for layer in layers.values() {
            settle(layer, &entries, &mut values);
        }
        Some(Solved { rules, places, values })
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether it is empty, which it never is.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of a position for the side to move, from -1 to 1; `None` if it is unreachable.
    pub fn value(&self, p: &Position) -> Option<f64> {
        self.places.get(&p.key()).map(|&place| self.values[place as usize])
    }

    /// The value of each action for the side to move.
    pub fn actions(&self, game: &Banqi) -> Vec<(Action, f64)> {
        worth(game, &self.rules, |p| self.value(p).unwrap_or(f64::NAN))
    }
}

/// Values of one layer, given those below it. Within it values are only compared and copied, so they settle exactly.
fn settle(layer: &[usize], entries: &[Entry], values: &mut [f64]) {
    let mut next = vec![0.0; layer.len()];
    loop {
        for (place, value) in layer.iter().zip(&mut next) {
            let entry = &entries[*place];
            let worth = |outcomes: &Vec<(u32, f64)>| -> f64 {
                outcomes.iter().map(|&(to, share)| -values[to as usize] * share).sum()
            };
            let best = entry.actions.iter().map(worth).fold(f64::NEG_INFINITY, f64::max);
            *value = entry.over.unwrap_or(best);
        }
        let mut changed = false;
        for (&place, value) in layer.iter().zip(&next) {
            changed |= (values[place] - *value).abs() > 0.0;
            values[place] = *value;
        }
        if !changed {
            return;
        }
    }
}

/// The value of each action for the side to move, given the values of positions.
pub(crate) fn worth(game: &Banqi, rules: &RuleSet, value: impl Fn(&Position) -> f64) -> Vec<(Action, f64)> {
    let (p, mut actions) = (game.position(), Vec::new());
    game.actions(&mut actions);
    actions.into_iter().map(|a| (a, mean(p, &outcomes(p, a), rules, &value))).collect()
}

/// The expected value of an action over its outcomes.
pub(crate) fn mean(
    p: &Position,
    outcomes: &[ChanceOutcome<Event>],
    rules: &RuleSet,
    value: impl Fn(&Position) -> f64,
) -> f64 {
    let total: u32 = outcomes.iter().map(|o| o.weight).sum();
    let worth = |o: &ChanceOutcome<Event>| -value(&after(p, o.event, rules)) * f64::from(o.weight);
    outcomes.iter().map(worth).sum::<f64>() / f64::from(total)
}

/// The rules without conditions on the history.
pub(crate) fn endless(rules: &RuleSet) -> RuleSet {
    RuleSet { quiet: u16::MAX, repetition: Repetition::None, ..*rules }
}

pub(crate) fn result(p: &Position, rules: &RuleSet) -> Option<f64> {
    match p.terminal(rules, false)? {
        Terminal::Loss(color, _) => Some(if p.side() == Some(color) { -1.0 } else { 1.0 }),
        Terminal::Draw(_) => Some(0.0),
    }
}

pub(crate) fn outcomes(p: &Position, action: Action) -> Vec<ChanceOutcome<Event>> {
    match action {
        Action::Move { from, to } => vec![ChanceOutcome { event: Event::Move { from, to }, weight: 1 }],
        Action::Flip(at) => {
            let kinds = p.bag().iter();
            kinds.map(|(piece, weight)| ChanceOutcome { event: Event::Flip { at, piece }, weight }).collect()
        }
    }
}

/// The position after an event, with any counters: keys do not contain them.
pub(crate) fn after(p: &Position, event: Event, rules: &RuleSet) -> Position {
    let mut next = *p;
    next.play(event, rules);
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use anglerfish_engine::search::exact::value;
    use anglerfish_engine::{DrawScope, Draws, score};
    use anglerfish_rules::{Rng, Team};

    /// If full look-ahead finds a certain end, the solution agrees, and it is consistent everywhere.
    #[test]
    fn solutions_are_what_look_ahead_sees() {
        let rules: RuleSet = "platform,board=2x4,quiet=180,repetition=none".parse().expect("rules");
        let draws = Draws { us: Team::A, value: 0, scope: DrawScope::All };
        let (mut rng, mut compared, mut certain) = (Rng::new(4), 0, 0);
        let mut game = Banqi::start(rules);
        while compared < 60 {
            let Some(action) = game.random_action(&mut rng) else {
                game = Banqi::start(rules);
                continue;
            };
            game.apply(game.resolve(action, &mut rng));
            let p = game.position();
            let Some(seat) = game.turn().seat().filter(|_| p.hidden().len() <= 1 && p.occupied().len() <= 4)
            else {
                continue;
            };
            compared += 1;
            let solved = Solved::new(&game, 100_000).expect("it is small");
            let found = solved.value(p).expect("the start");
            let best = solved.actions(&game).iter().map(|a| a.1).fold(f64::NEG_INFINITY, f64::max);
            assert!((found - best).abs() < 1e-12, "{game}: {found} and {best}");
            let seen = value(&game, seat.team(), 4, &draws, &mut |_| 0);
            if seen.abs() > score::MAX_EVAL && p.hidden().is_empty() {
                certain += 1;
                assert!((found - f64::from(seen.signum())).abs() < 1e-12, "{game}: {found}, not {seen}");
            }
        }
        assert!(certain > 5, "{certain} certain ends");
    }

    #[test]
    fn face_down_pieces_and_limits() {
        let game: Banqi =
            "K-/--/--/-X r n1 0 40 platform,board=2x4,quiet=180,repetition=none".parse().expect("one");
        let solved = Solved::new(&game, 100_000).expect("it is small");
        assert!(solved.value(game.position()).is_some_and(|v| v >= 0.0), "a king cannot lose to a knight");
        assert!(Solved::new(&game, 10).is_none(), "more than ten positions");
    }
}
