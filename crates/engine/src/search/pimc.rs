//! Perfect-information Monte Carlo: every choice is tried in the same worlds, as if all were open there, and the one that is best on
//! the average is played.
//!
//! Levy (1989), "The million pound bridge program"; Long, Sturtevant, Buro and Furtak (2010), "Understanding the success of perfect
//! information Monte Carlo sampling in game tree search", section 2. It needs no tree, because in games with secrets what others can
//! do differs from one world to the next; what it cannot see is that a secret is worth keeping, or finding out. Worlds come
//! from the model of the opponents, which remembers what happened.

use anglerfish_rules::{Game, Outcome, RngExt, Seat, Team, Turn};

use super::{Context, Searcher};
use crate::report::{Decision, Info, Line};
use crate::score::{Score, Value, WIN};
use crate::setting::{Setting, number, word};

/// The value of a world without further search.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Count {
    /// The values of the pieces on the board, and nothing else.
    Men,
    /// Everything that the evaluation of the game knows.
    #[default]
    Handmade,
}

/// The settings of the search.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Settings {
    /// The most worlds per move.
    pub worlds: u32,
    /// The number of random plies after every choice.
    pub plies: u32,
    /// The evaluation of worlds.
    pub count: Count,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { worlds: 16, plies: 0, count: Count::Handmade }
    }
}

impl Settings {
    pub(crate) const ALL: &[Setting] = &[
        Setting::new(
            "worlds",
            "1 to 100000: so many worlds a move at most, in pimc",
            Some("16"),
            "the number of worlds, drawn to fit the game so far, in which every choice is tried",
        ),
        Setting::new(
            "plies",
            "0 to 1000: so many random plies after every choice, in pimc",
            Some("0"),
            "the number of random plies after a choice, before the evaluation",
        ),
        Setting::new(
            "count",
            "men or handmade: what a world is worth, in pimc",
            Some("handmade"),
            "the evaluation of a world: by men alone, or by the full evaluation",
        ),
    ];

    pub(crate) fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "worlds" => self.worlds = number(value, 1..=100_000)?,
            "plies" => self.plies = number(value, 0..=1000)?,
            "count" => self.count = word(value, &[("men", Count::Men), ("handmade", Count::Handmade)])?,
            _ => return None,
        }
        Some(())
    }
}

/// Worlds are drawn so many at a time, so that a clock can stop it in between.
const BATCH: u32 = 32;

/// The search behind the name `pimc`.
pub struct Pimc<G: Game> {
    settings: Settings,
    /// The value of a position to the seat to move.
    evaluate: Box<dyn FnMut(&G) -> Score + Send>,
}

impl<G: Game> Pimc<G> {
    /// A search with this evaluation.
    pub fn new(settings: Settings, evaluate: Box<dyn FnMut(&G) -> Score + Send>) -> Pimc<G> {
        Pimc { settings, evaluate }
    }

    /// The value of a choice to team A in a world. `actions` is a buffer for the random plies.
    fn tried(
        &mut self,
        world: &G,
        action: G::Action,
        actions: &mut Vec<G::Action>,
        ctx: &mut Context<'_, G>,
    ) -> Score {
        let mut game = world.clone();
        let event = game.draw(action, ctx.rng);
        game.apply(event);
        for _ in 0..self.settings.plies {
            if game.turn().is_over() {
                break;
            }
            game.actions(actions);
            let event = game.draw(ctx.rng.pick(actions), ctx.rng);
            game.apply(event);
        }
        match game.turn() {
            Turn::Over(Outcome::Win(Team::A), _) => WIN,
            Turn::Over(Outcome::Win(Team::B), _) => -WIN,
            Turn::Over(Outcome::Draw, reason) => ctx.draws().score(Team::A, reason),
            Turn::Seat(seat) if seat.team() == Team::A => (self.evaluate)(&game),
            Turn::Seat(_) => -(self.evaluate)(&game),
        }
    }
}

impl<G: Game> Searcher<G> for Pimc<G> {
    fn search(&mut self, view: &G::View, ctx: &mut Context<'_, G>) -> Decision<G> {
        let start = ctx.clock.now();
        let mut choices = Vec::new();
        let world = G::sample(view, ctx.rng);
        world.actions(&mut choices);
        let mover = world.turn().seat().map_or(Team::A, Seat::team);
        let time = ctx.limits.soft.into_iter().chain(ctx.limits.hard).min();
        let mut sums = vec![0_i64; choices.len()];
        let (mut worlds, mut nodes, mut actions) = (0, 0, Vec::new());
        // Step 1. Every choice in every world, as long as there is time; in at least one world. A single choice is no choice.
        let most = if choices.len() == 1 { 1 } else { self.settings.worlds };
        'all: while worlds < most {
            let mut drawn = ctx.opponents.worlds(view, BATCH.min(most - worlds) as usize, ctx.rng);
            if drawn.is_empty() {
                // No world fits all that was observed: one that fits the view has to do.
                drawn.push(world.clone());
            }
            for world in drawn {
                let late = || time.is_some_and(|time| ctx.clock.now().saturating_sub(start) >= time);
                let enough = ctx.limits.nodes.is_some_and(|most| nodes >= most);
                if worlds > 0 && (enough || ctx.stop.is_set() || late()) {
                    break 'all;
                }
                for (sum, &choice) in sums.iter_mut().zip(&choices) {
                    *sum += i64::from(self.tried(&world, choice, &mut actions, ctx));
                }
                worlds += 1;
                nodes += choices.len() as u64;
            }
        }
        // Step 2. The best on the average; of equals any.
        let sign = if mover == Team::A { 1 } else { -1 };
        let mut order: Vec<usize> = (0..choices.len()).collect();
        ctx.rng.shuffle(&mut order);
        order.sort_by_key(|&i| -sign * sums[i]);
        let line = |&i: &usize| Line {
            actions: vec![choices[i]],
            value: Value((sign * sums[i]) as f32 / worlds.max(1) as f32 / WIN as f32),
            visits: Some(u64::from(worlds)),
            fan: Vec::new(),
        };
        let lines: Vec<Line<G>> = order.iter().take(ctx.lines.max(1)).map(line).collect();
        let time = ctx.clock.now().saturating_sub(start);
        let info = Info { depth: 1 + self.settings.plies, nodes, time, lines };
        (ctx.report)(&info);
        Decision { action: choices[order[0]], info }
    }
}
