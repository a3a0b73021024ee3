//! Searching: what every search is given, and what it gives back.

pub mod alphabeta;
pub mod chooser;
pub mod exact;
pub mod glance;
pub mod habit;
pub mod mcts;
pub mod pimc;
pub mod random;

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

use anglerfish_rules::{Game, Rng};

use crate::clock::Clock;
use crate::limits::{Limits, Stop};
use crate::opponent::Opponents;
use crate::report::{Decision, Info};
use crate::stance::{Draws, Stance};

/// The threads and the memory that a search may use.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// Threads that search.
    pub threads: u32,
    /// The size of its table or tree, in KiB.
    pub hash_kib: u32,
}

/// Chooses an action. Called on its own thread; returns soon after `ctx.stop` is set.
pub trait Searcher<G: Game>: Send {
    /// Chooses for the seat that holds `view`, which has to move.
    fn search(&mut self, view: &G::View, ctx: &mut Context<'_, G>) -> Decision<G>;

    /// The game moved on, by a ply of any seat. A searcher that keeps a tree keeps the part that is still true.
    fn advance(&mut self, _event: G::Event) {}

    /// A new game begins: forget the last one.
    fn new_game(&mut self, _seed: u64) {}

    /// A copy with the same memory, to find out what this one would do; `None` if the search cannot be copied.
    fn fork(&self) -> Option<Box<dyn Searcher<G>>> {
        None
    }
}

/// Everything a searcher may know about the world outside the board.
pub struct Context<'a, G: Game> {
    /// When to stop.
    pub limits: Limits,
    /// Our stance.
    pub stance: Stance,
    /// The models of the other seats.
    pub opponents: &'a mut Opponents<G>,
    /// The number of choices to compare exactly, with the fans of flips: 1 for a game, more for an analysis.
    pub lines: usize,
    /// The generator of its dice.
    pub rng: &'a mut Rng,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Set by the caller to end the search.
    pub stop: &'a Stop,
    /// Called after every iteration.
    pub report: &'a mut dyn FnMut(&Info<G>),
}

impl<G: Game> Context<'_, G> {
    /// The value of a draw and the seat it is meant for: as a rule our own, which is not the seat to move while we ponder.
    pub fn draws(&self) -> Draws {
        self.stance.draws.unwrap_or(Draws::NOTHING)
    }
}

/// Whether a game that goes on hides something from the seat to move: worlds that look alike to it differ.
pub fn has_secrets<G: Game>(game: &G) -> bool {
    // Where there are no secrets, a view is the game itself, borrowed.
    game.turn().seat().is_some_and(|seat| matches!(game.view(seat), Cow::Owned(_)))
}

/// Tells the other threads of a search that it is done when the thread that holds this panics. Without it a search without
/// limits would never end, and the panic would wait for ever.
struct DoneOnPanic<'a>(&'a AtomicBool);

impl Drop for DoneOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
