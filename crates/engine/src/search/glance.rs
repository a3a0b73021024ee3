//! A player that looks at a board as a beginner does: the beginners among the levels.
//!
//! It takes what it sees and looks at what could be taken in answer, but overlooks captures: those of the opponent twice as often as its
//! own, and the more often the longer their way. So an error is as large as the capture that was overlooked, and small where nothing
//! can be taken.

use anglerfish_rules::banqi::{Action, Banqi, Position, RuleSet, Terminal};
use anglerfish_rules::{ChanceOutcome, Game, Rng, RngExt};

use super::habit::after;
use super::{Context, Searcher};
use crate::eval::Evaluator;
use crate::eval::handmade::Handmade;
use crate::report::{Decision, Info, Line};
use crate::score::{MAX_EVAL, Score, Value, WIN};
use crate::setting::{Setting, number};
use crate::tunables::Tunables;

/// The settings of the search.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Settings {
    /// How many of a hundred captures of the opponent it overlooks that go one step, and half as many of its own. A cannon's shot is as hard
    /// to see as all steps of its way.
    pub overlook: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { overlook: 50 }
    }
}

impl Settings {
    pub(crate) const ALL: &[Setting] = &[Setting::new(
        "overlook",
        "0 to 100 of a hundred captures",
        Some("50"),
        "how many captures of the opponent the player overlooks, and half as many of its own; a cannon's shot is as hard to see as all steps of its way",
    )];

    pub(crate) fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "overlook" => self.overlook = number(value, 0..=100)?,
            _ => return None,
        }
        Some(())
    }
}

/// The search behind the name `glance`.
#[derive(Clone)]
pub struct Glance {
    overlook: u32,
    evaluator: Handmade,
}

impl Glance {
    /// With these numbers of the evaluation, but for those that would tell it of captures that it overlooks.
    pub fn new(settings: Settings, tunables: &Tunables) -> Glance {
        let none = [(0, 0); 7];
        let blind = Tunables { capture: none, trapped_theirs: none, hunt: [(0, 0); 28], ..tunables.clone() };
        Glance { overlook: settings.overlook, evaluator: Handmade::new(&blind) }
    }
}

/// The captures that are seen in this move: the same ones after every choice, or the choice that hides a danger would always look best.
#[derive(Clone, Copy)]
struct Sight {
    overlook: u32,
    seed: u64,
}

impl Sight {
    fn sees(self, action: Action) -> bool {
        let Action::Move { from, to } = action else { return true };
        let way = from.rank().abs_diff(to.rank()) + from.file().abs_diff(to.file());
        let mut rng = Rng::new(self.seed ^ (from.index() << 5 | to.index()) as u64);
        (0..way).all(|_| rng.below(100) >= self.overlook)
    }
}

/// One move's look at the board.
struct Look<'a> {
    rules: &'a RuleSet,
    sight: Sight,
    evaluator: &'a mut Handmade,
    nodes: u64,
}

impl Look<'_> {
    /// What an action seems worth: the average over what may come up.
    fn worth(&mut self, view: &Banqi, action: Action) -> Score {
        let mut chances = Vec::new();
        view.outcomes(action, &mut chances);
        let (mut sum, mut total) = (0, 0);
        for ChanceOutcome { event, weight } in chances {
            let mut next = *view.position();
            next.play(event, self.rules);
            sum += i64::from(weight) * i64::from(-self.answered(&next));
            total += i64::from(weight);
        }
        (sum / total) as Score
    }

    /// What a position seems worth to the side to move: as it stands, or after the best capture that is seen.
    fn answered(&mut self, p: &Position) -> Score {
        let stands = self.evaluated(p);
        let Some(us) = p.side().filter(|_| stands.abs() <= MAX_EVAL) else { return stands };
        let captures = p.moves().onto(p.color(us.other()));
        let seen: Vec<Action> = captures.iter().filter(|&action| self.sight.sees(action)).collect();
        seen.into_iter().fold(stands, |best, action| best.max(-self.evaluated(&after(p, action, self.rules))))
    }

    /// The value of a position to the side to move.
    fn evaluated(&mut self, p: &Position) -> Score {
        self.nodes += 1;
        match p.terminal(self.rules, false) {
            Some(Terminal::Loss(loser, _)) if p.side() == Some(loser) => -WIN,
            Some(Terminal::Loss(..)) => WIN,
            Some(Terminal::Draw(_)) => 0,
            None => self.evaluator.evaluate(p),
        }
    }
}

impl Searcher<Banqi> for Glance {
    fn search(&mut self, view: &Banqi, ctx: &mut Context<'_, Banqi>) -> Decision<Banqi> {
        let start = ctx.clock.now();
        let (p, rules) = (view.position(), view.ruleset());
        let mut actions = Vec::new();
        view.actions(&mut actions);
        // The dice decide between equal choices.
        ctx.rng.shuffle(&mut actions);
        let sight = Sight { overlook: self.overlook, seed: ctx.rng.next_u64() };
        let own = Sight { overlook: self.overlook / 2, ..sight };
        let mut look = Look { rules, sight, evaluator: &mut self.evaluator, nodes: 0 };
        let mut choices: Vec<(Score, Action)> = actions
            .into_iter()
            .map(|action| {
                let taken = matches!(action, Action::Move { to, .. } if !p.empty().contains(to));
                let overlooked = taken && !own.sees(action);
                // A capture that is overlooked is chosen only where there is nothing else.
                (if overlooked { -WIN } else { look.worth(view, action) }, action)
            })
            .collect();
        choices.sort_by_key(|&(worth, _)| -worth);
        let line = |&(worth, action): &(Score, Action)| Line {
            actions: vec![action],
            value: Value::from_score(worth),
            visits: None,
            fan: Vec::new(),
        };
        let lines = choices.iter().take(ctx.lines.max(1)).map(line).collect();
        let time = ctx.clock.now().saturating_sub(start);
        let info = Info { depth: 2, nodes: look.nodes, time, lines };
        Decision { action: choices[0].1, info }
    }

    fn fork(&self) -> Option<Box<dyn Searcher<Banqi>>> {
        Some(Box::new(self.clone()))
    }
}
