//! Plain expectiminimax for any game: the yardstick that faster searches are measured against.
//!
//! No window, no table, no ordering. It is kept short and never optimised; where another search differs from it, this one
//! is right. A stop or a limit ends it at any node: the choices compared so far decide.

use anglerfish_rules::{ChanceOutcome, Game, Outcome, RngExt, Seat, Team, Turn};

use super::{Context, Searcher};
use crate::limits::Limits;
use crate::report::{Decision, Info, Line};
use crate::score::{Score, Value, WIN, ply_adjusted};
use crate::stance::Draws;

/// The static evaluation of a position, for the seat to move.
pub type Evaluation<'a, G> = &'a mut dyn FnMut(&G) -> Score;

/// The value of a position to a team, with `depth` plies searched.
pub fn value<G: Game>(
    game: &G,
    team: Team,
    depth: u32,
    draws: &Draws,
    evaluation: Evaluation<'_, G>,
) -> Score {
    endless(Plain { draws, evaluation, visit: &mut || true }.value(game, team, depth))
}

/// The value of an action to the seat to move: the average over its outcomes.
pub fn action_value<G: Game>(
    game: &G,
    action: G::Action,
    depth: u32,
    draws: &Draws,
    evaluation: Evaluation<'_, G>,
) -> Score {
    endless(Plain { draws, evaluation, visit: &mut || true }.action_value(game, action, depth))
}

fn endless(score: Option<Score>) -> Score {
    score.unwrap_or_else(|| unreachable!("nothing ends it"))
}

/// The state of a search.
struct Plain<'a, G> {
    draws: &'a Draws,
    evaluation: Evaluation<'a, G>,
    /// Called at every node; the search ends where it says no.
    visit: &'a mut dyn FnMut() -> bool,
}

impl<G: Game> Plain<'_, G> {
    /// See [`value`]; none if the search has ended.
    fn value(&mut self, game: &G, team: Team, depth: u32) -> Option<Score> {
        if !(self.visit)() {
            return None;
        }
        let mover = match game.turn() {
            Turn::Over(Outcome::Win(winner), _) => return Some(if winner == team { WIN } else { -WIN }),
            Turn::Over(Outcome::Draw, reason) => return Some(self.draws.score(team, reason)),
            Turn::Seat(seat) => seat.team(),
        };
        let best = if depth == 0 {
            (self.evaluation)(game)
        } else {
            let (mut actions, mut best) = (Vec::new(), -WIN);
            game.actions(&mut actions);
            for action in actions {
                best = best.max(self.action_value(game, action, depth)?);
            }
            best
        };
        Some(if mover == team { best } else { -best })
    }

    /// See [`action_value`]; none if the search has ended.
    fn action_value(&mut self, game: &G, action: G::Action, depth: u32) -> Option<Score> {
        let mut chances: Vec<ChanceOutcome<G::Event>> = Vec::new();
        game.outcomes(action, &mut chances);
        let total: i64 = chances.iter().map(|c| i64::from(c.weight)).sum();
        let mut sum = 0;
        for chance in &chances {
            let mut next = game.clone();
            next.apply(chance.event);
            let score = ply_adjusted(self.value(&next, team(game), depth - 1)?);
            sum += i64::from(chance.weight) * i64::from(score);
        }
        // Rust's division truncates toward zero, so the average of the negated scores is the negated average.
        Some((sum / total) as Score)
    }
}

/// The team whose turn it is, in a game that goes on.
fn team<G: Game>(game: &G) -> Team {
    game.turn().seat().map_or(Team::A, Seat::team)
}

/// The search behind the name `exact`.
pub struct Exact<G: Game> {
    depth: u32,
    evaluation: Box<dyn FnMut(&G) -> Score + Send>,
}

impl<G: Game> Exact<G> {
    /// Looks `config.depth` plies ahead and asks `evaluation` there.
    pub fn new(depth: u32, evaluation: Box<dyn FnMut(&G) -> Score + Send>) -> Exact<G> {
        Exact { depth, evaluation }
    }
}

impl<G: Game> Searcher<G> for Exact<G> {
    fn search(&mut self, view: &G::View, ctx: &mut Context<'_, G>) -> Decision<G> {
        let start = ctx.clock.now();
        let game = G::sample(view, ctx.rng);
        let draws = ctx.draws();
        let depth = ctx.limits.depth.map_or(self.depth, |d| d.min(self.depth));
        let (Limits { nodes: most, hard, .. }, stop, clock) = (ctx.limits, ctx.stop, ctx.clock);
        let mut visited = 0;
        let mut visit = || {
            visited += 1;
            let in_time = || hard.is_none_or(|hard| clock.now().saturating_sub(start) < hard);
            !stop.is_set() && most.is_none_or(|most| visited <= most) && (visited % 1024 != 0 || in_time())
        };
        let mut nodes = 0;
        let mut evaluation = |game: &G| {
            nodes += 1;
            (self.evaluation)(game)
        };
        let mut actions = Vec::new();
        game.actions(&mut actions);
        ctx.rng.shuffle(&mut actions);
        let mut plain = Plain { draws: &draws, evaluation: &mut evaluation, visit: &mut visit };
        let score = |&action: &G::Action| Some((plain.action_value(&game, action, depth)?, action));
        let mut scores: Vec<(Score, G::Action)> = actions.iter().map_while(score).collect();
        scores.sort_by_key(|&(score, _)| -score);
        let line = |&(score, action): &(Score, G::Action)| Line {
            actions: vec![action],
            value: Value::from_score(score),
            visits: None,
            fan: Vec::new(),
        };
        let lines: Vec<Line<G>> = scores.iter().take(ctx.lines.max(1)).map(line).collect();
        Decision {
            // Where it ended before the first was done, any is as good as another.
            action: scores.first().map_or(actions[0], |&(_, action)| action),
            info: Info { depth, nodes, time: ctx.clock.now().saturating_sub(start), lines },
        }
    }
}
