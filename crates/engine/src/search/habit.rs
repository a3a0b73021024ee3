//! Habits of Banqi players: what a beginner, a timid player or a short look ahead would choose from.
//!
//! They count pieces and nothing else, so that each can be said in a sentence, played as an opponent, and recognized as a
//! style of a model of opponents. Where several choices come to the same they are all equally likely.

use anglerfish_rules::Game;
use anglerfish_rules::banqi::{Action, Banqi, Event, Position, Role, RuleSet};

use super::chooser::Chooser;
use crate::setting::{Setting, word};

/// How a player chooses.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Habit {
    /// Never leaves more to be taken than it must, and takes nothing but by accident.
    Cautious,
    /// Turns over a piece while there is one, then takes what it can.
    Flipper,
    /// Wins the most within so many plies; one of them is a player that takes the best it can and never thinks of the answer.
    Thinker(u8),
}

impl Habit {
    /// Every habit with its name.
    pub const ALL: [(&'static str, Habit); 6] = [
        ("capturer", Habit::Thinker(1)),
        ("cautious", Habit::Cautious),
        ("flipper", Habit::Flipper),
        ("thinker2", Habit::Thinker(2)),
        ("thinker3", Habit::Thinker(3)),
        ("thinker4", Habit::Thinker(4)),
    ];

    pub(crate) const SETTINGS: &[Setting] = &[Setting::new(
        "habit",
        "capturer, cautious, flipper, thinker2, thinker3 or thinker4",
        Some("capturer"),
        "for search=habit: the habit of the player",
    )];

    pub(crate) fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "habit" => *self = Habit::named(value)?,
            _ => return None,
        }
        Some(())
    }

    /// The habit of this name.
    pub fn named(name: &str) -> Option<Habit> {
        word(name, &Habit::ALL)
    }
}

impl Chooser<Banqi> for Habit {
    fn choices(&mut self, game: &Banqi) -> Vec<Action> {
        let (p, rules) = (game.position(), game.ruleset());
        let mut actions = Vec::new();
        game.actions(&mut actions);
        match *self {
            Habit::Flipper if !p.hidden().is_empty() => {
                actions.retain(|a| matches!(a, Action::Flip(_)));
                actions
            }
            Habit::Flipper => most(&actions, |action, _| i32::from(prey(p, action))),
            Habit::Cautious => {
                most(&actions, |action, _| -gain(&after(p, action, rules), 1, -LOST, LOST, rules))
            }
            Habit::Thinker(plies) => most(&actions, |action, best| {
                // Every choice that equals the best has to be known exactly, and no worse one.
                let (won, floor) = (i32::from(prey(p, action)), best.saturating_sub(1).max(-LOST));
                won - gain(&after(p, action, rules), plies - 1, -LOST, won - floor, rules)
            }),
        }
    }
}

/// The actions of the highest score; `score` is told the highest so far.
fn most(actions: &[Action], score: impl Fn(Action, i32) -> i32) -> Vec<Action> {
    let (mut best, mut choices) = (i32::MIN, Vec::new());
    for &action in actions {
        let score = score(action, best);
        if score > best {
            choices.clear();
        }
        if score >= best {
            best = score;
            choices.push(action);
        }
    }
    choices
}

/// What losing the game counts: more than all pieces together.
const LOST: i32 = 1000;

/// What losing a piece of this role hurts: rank, but cannons take anything and count for more.
const fn worth(role: Role) -> u8 {
    match role {
        Role::Pawn => 1,
        Role::Knight => 2,
        Role::Rook => 3,
        Role::Cannon => 4,
        Role::Minister => 5,
        Role::Guard => 8,
        Role::King => 10,
    }
}

/// What an action takes.
fn prey(p: &Position, action: Action) -> u8 {
    match action {
        Action::Flip(_) => 0,
        Action::Move { to, .. } => p.piece_at(to).map_or(0, |piece| worth(piece.role())),
    }
}

/// The position after an action. A flip only passes the turn, because the piece is not yet known.
pub fn after(p: &Position, action: Action, rules: &RuleSet) -> Position {
    match action {
        Action::Flip(_) => p.passed(),
        Action::Move { from, to } => {
            let mut next = *p;
            next.play(Event::Move { from, to }, rules);
            next
        }
    }
}

/// The most that the side to move can win within so many plies, exactly if it is between `alpha` and `beta`.
fn gain(p: &Position, plies: u8, mut alpha: i32, beta: i32, rules: &RuleSet) -> i32 {
    let Some(us) = p.side() else { return 0 };
    if plies == 0 {
        return 0;
    }
    let moves = p.moves();
    if moves.is_empty() {
        return -LOST;
    }
    if plies == 1 {
        let captures = moves.onto(p.color(us.other()));
        return captures.iter().map(|action| i32::from(prey(p, action))).max().unwrap_or(0);
    }
    let mut best = -LOST;
    let mut look = |action: Action, best: &mut i32| {
        let won = i32::from(prey(p, action));
        let score = won - gain(&after(p, action, rules), plies - 1, won - beta, won - alpha, rules);
        *best = score.max(*best);
        alpha = alpha.max(score);
        alpha >= beta
    };
    // Captures first; then a flip, of which one stands for all; then the rest.
    let (captures, steps) = (moves.onto(p.color(us.other())), moves.onto(p.empty()));
    let flip = moves.flips().first().map(Action::Flip);
    for action in captures.iter().chain(flip).chain(steps.iter()) {
        if look(action, &mut best) {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use anglerfish_rules::{Rng, RngExt};

    fn check(habit: &str, position: &str, expected: &str) {
        let game: Banqi = position.parse().expect("a position");
        let found = Habit::named(habit).expect("a habit").choices(&game);
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found.join(" "), expected, "{habit} in {position}");
    }

    /// Red's rook stands beside a pawn that a guard protects; its horse stands beside nothing.
    #[test]
    fn each_sees_what_it_says() {
        let place = "----/----/----/----/-g--/-p--/-R--/---N r - 0 40 platform";
        check("capturer", place, "b2-b3");
        check("thinker2", place, "d1-d2 b2-c2 b2-b1 d1-c1 b2-a2");
        check("cautious", place, "d1-d2 b2-c2 b2-b1 d1-c1 b2-a2");
        check("flipper", place, "b2-b3");
        check("flipper", "----/----/----/----/-g--/-p--/-R--/X--N r r1 0 40 platform", "a1");
    }

    /// The most within so many plies, with no window.
    fn plain(p: &Position, plies: u8, rules: &RuleSet) -> i32 {
        if plies == 0 || p.side().is_none() {
            return 0;
        }
        let score = |action| i32::from(prey(p, action)) - plain(&after(p, action, rules), plies - 1, rules);
        p.moves().iter().map(score).max().unwrap_or(-LOST)
    }

    #[test]
    fn windows_change_nothing() {
        let mut rng = Rng::new(3);
        let mut game = Banqi::start(RuleSet::PLATFORM);
        let mut compared = 0;
        while compared < 60 {
            let Some(action) = game.random_action(&mut rng) else {
                game = Banqi::start(RuleSet::PLATFORM);
                continue;
            };
            game.apply(game.resolve(action, &mut rng));
            if game.turn().seat().is_none() || rng.below(4) > 0 {
                continue;
            }
            let (p, rules) = (game.position(), game.ruleset());
            let mut actions = Vec::new();
            game.actions(&mut actions);
            for plies in 1..=3 {
                let best = most(&actions, |a, _| {
                    i32::from(prey(p, a)) - plain(&after(p, a, rules), plies - 1, rules)
                });
                assert_eq!(Habit::Thinker(plies).choices(&game), best, "{plies} plies in {game}");
            }
            compared += 1;
        }
    }
}
