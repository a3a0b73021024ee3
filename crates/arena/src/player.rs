//! Anything that can sit at a table: the engine in a chair, and a beginner to play against.

use std::sync::Arc;
use std::time::Duration;

use anglerfish_engine::{Config, ConfigError, Engine, EngineError, Kit, SearchKind, Stop};
use anglerfish_rules::banqi::{Action, Banqi, Role};
use anglerfish_rules::{Forfeit, Game, Ply, Rng, Seat};

use crate::clocks::{Budget, Clocks, SystemClock};

/// An engine, a child process, a browser, a test script.
pub trait Player<G: Game>: Send {
    /// Sit down. `seed` is all the randomness the player may use, `clocks` stand at the start of the game.
    ///
    /// # Errors
    /// When it cannot.
    fn start(&mut self, seat: Seat, seed: u64, clocks: &Clocks) -> Result<(), Forfeit>;

    /// Any seat's ply, this player's own included. `before` is what it saw when the ply was played, `clocks` what is left
    /// after it.
    ///
    /// # Errors
    /// When it does not go on.
    fn observe(&mut self, _before: &G::View, _ply: &Ply<G::Event>, _clocks: &Clocks) -> Result<(), Forfeit> {
        Ok(())
    }

    /// Choose an action. An illegal one forfeits the game.
    ///
    /// # Errors
    /// When it does not go on.
    fn choose(&mut self, view: &G::View, clocks: &Clocks) -> Result<G::Action, Forfeit>;

    /// After a forfeit: what went wrong, in one line that its author understands.
    fn complaint(&self) -> Option<String> {
        None
    }
}

/// Names of players besides the presets of the engine ([`PRESETS`](anglerfish_engine::PRESETS)).
pub const BUILTIN: [&str; 1] = ["greedy"];

/// One of our own players: a name of [`BUILTIN`], or the text of an engine's [`Config`] such as `alphabeta,threads=2`.
///
/// # Errors
/// When it is neither; the text says what was expected.
pub fn builtin(text: &str) -> Result<Box<dyn Player<Banqi>>, String> {
    if text == "greedy" {
        return Ok(Box::new(Greedy::default()));
    }
    let config: Config = text.parse().map_err(|e: ConfigError| e.to_string())?;
    Ok(Box::new(Thinker::<Banqi>::new(&config).map_err(|e| e.to_string())?))
}

/// An [`Engine`] in a chair.
pub struct Thinker<G: Kit> {
    engine: Engine<G>,
    seat: Seat,
}

impl<G: Kit> Thinker<G> {
    /// An engine with this configuration.
    ///
    /// # Errors
    /// When the game does not have what it asks for.
    pub fn new(config: &Config) -> Result<Thinker<G>, EngineError> {
        Ok(Thinker { engine: Engine::new(config, Arc::new(SystemClock::default()))?, seat: Seat(0) })
    }
}

/// The weakest player there is: any legal action, each equally likely.
pub fn random<G: Kit>() -> Thinker<G> {
    let config = Config { search: SearchKind::Random, hash_mib: 1, ..Config::default() };
    Thinker::new(&config).unwrap_or_else(|e| unreachable!("every game has it: {e}"))
}

/// What an answer may lose between our clock and the referee's.
const LAG: Duration = Duration::from_millis(30);

/// What a player may spend on its next move, as limits of a search; so many more moves are to be expected.
pub fn limits(clocks: &Clocks, seat: Seat, moves: u32) -> anglerfish_engine::Budget {
    use anglerfish_engine::Budget as Limits;
    match clocks.budget(seat) {
        Budget::Nodes(n) => Limits::nodes(n),
        Budget::Move(time) => Limits::time(time.saturating_sub((time / 20).min(LAG / 10))),
        Budget::Game { increment, .. } => Limits::share(clocks.left(seat), increment, moves, LAG),
    }
}

impl<G: Kit> Player<G> for Thinker<G> {
    fn start(&mut self, seat: Seat, seed: u64, _: &Clocks) -> Result<(), Forfeit> {
        self.seat = seat;
        self.engine.new_game(seat, seed);
        Ok(())
    }

    fn choose(&mut self, view: &G::View, clocks: &Clocks) -> Result<G::Action, Forfeit> {
        let limits = limits(clocks, self.seat, G::moves_left(view));
        Ok(self.engine.think(view, limits, &Stop::default(), &mut |_| {}).action)
    }
}

/// The stream of a player's dice: one a seat.
fn dice(seat: Seat, seed: u64) -> Rng {
    Rng::stream(seed, &format!("engine:{}", seat.0))
}

/// Takes the strongest piece it can, else saves its most valuable piece from capture, else plays at random.
///
/// A beginner's Banqi: it looks one ply ahead and never thinks about the answer.
#[derive(Clone, Debug)]
pub struct Greedy(Rng);

impl Default for Greedy {
    fn default() -> Greedy {
        Greedy(Rng::new(0))
    }
}

impl Greedy {
    /// What losing a piece of this role hurts: rank, but cannons take anything and count for more.
    const fn worth(role: Role) -> u32 {
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

    /// The most that the side to move can take at once.
    fn best_prey(game: &Banqi) -> u32 {
        let position = game.position();
        position.moves().iter().map(|action| Greedy::prey(game, action)).max().unwrap_or(0)
    }

    fn prey(game: &Banqi, action: Action) -> u32 {
        match action {
            Action::Flip(_) => 0,
            Action::Move { to, .. } => game.position().piece_at(to).map_or(0, |p| Greedy::worth(p.role())),
        }
    }
}

impl Player<Banqi> for Greedy {
    fn start(&mut self, seat: Seat, seed: u64, _: &Clocks) -> Result<(), Forfeit> {
        self.0 = dice(seat, seed);
        Ok(())
    }

    fn choose(&mut self, view: &Banqi, _: &Clocks) -> Result<Action, Forfeit> {
        let mut actions = Vec::new();
        view.actions(&mut actions);
        // What a move wins now, less what it lets the enemy win next. A flip is worth nothing either way: nobody
        // knows what comes up, and a loss that a flip leaves standing is counted like any other.
        let gain = |action: Action| {
            let mut next = view.clone();
            let lost = match action {
                Action::Flip(_) => {
                    let side = view.position().side();
                    side.map_or(0, |us| {
                        let theirs = view.position().moves_of(us.other());
                        theirs.iter().map(|a| Greedy::prey(view, a)).max().unwrap_or(0)
                    })
                }
                Action::Move { from, to } => {
                    next.apply(anglerfish_rules::banqi::Event::Move { from, to });
                    Greedy::best_prey(&next)
                }
            };
            i64::from(Greedy::prey(view, action)) - i64::from(lost)
        };
        let gains: Vec<i64> = actions.iter().map(|&a| gain(a)).collect();
        let best = gains.iter().max().copied().unwrap_or(0);
        let choice: Vec<Action> =
            actions.iter().zip(&gains).filter(|&(_, &g)| g == best).map(|(&a, _)| a).collect();
        Ok(self.0.pick(&choice))
    }
}
