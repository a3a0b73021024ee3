//! Sources: questions about an opponent's play, each with a few possible answers.
//!
//! A source may answer at every move, like a replica, which searches beside the opponent, or once in a game, like a network, which needs a whole
//! opening. A [line-up](crate::CandidateTable) has the measured frequency of each answer for each known player.

use anglerfish_engine::{Assets, EngineError, SearchGame, Stop};
use anglerfish_rules::{Game, Ply, Seat};

use crate::replica::player;
use crate::simulated::SimulatedOpponent;
use crate::{Modelled, Style};

/// Answers one question about an opponent.
pub trait Source<G: Game>: Send {
    /// The number of possible answers.
    fn answers(&self) -> usize;

    /// A game begins in which the opponent has this seat; `seed` is for dice.
    fn begin(&mut self, _them: Seat, _seed: u64) {}

    /// The answer to a ply of any seat, played in `before`; `None` if this ply gives none.
    fn hear(&mut self, before: &G, ply: &Ply<G::Event>) -> Option<usize>;

    /// The action that the opponent would play in `game` if it were the player that this source supposes, and the nodes that the search
    /// took. `None` from sources that suppose no player, and when stopped.
    fn foresee(&mut self, _game: &G, _stop: &Stop) -> Option<(G::Action, u64)> {
        None
    }

    /// The node limit of the search that foreseeing or hearing a ply in `game` takes: 0 where the ply was foreseen before.
    fn price(&self, _game: &G) -> u64 {
        0
    }
}

/// The sources that every game has: `replica PLAYER` with `/` for commas, and `habit STYLE`.
pub(crate) fn of_any_game<G: Modelled>(
    about: &str,
    assets: &Assets,
) -> Result<Box<dyn Source<G>>, EngineError> {
    if let Some(config) = about.strip_prefix("replica ").and_then(player) {
        let double = SimulatedOpponent::new(&config, assets)?;
        return Ok(Box::new(PlayerSource { double, them: Seat(0) }));
    }
    let style =
        about.strip_prefix("habit ").and_then(|name| G::styles().into_iter().find(|s| s.name() == name));
    match style {
        Some(style) => Ok(Box::new(Habit { style, them: Seat(0), shares: Vec::new() })),
        None => Err(EngineError::Model(format!(
            "expected a question of a line-up: replica PLAYER with / for commas and up to 100000 nodes, habit STYLE or ornn ASSET; found {about:?}"
        ))),
    }
}

/// Asks: would this player have played that? No or yes.
struct PlayerSource<G: Game> {
    double: SimulatedOpponent<G>,
    them: Seat,
}

impl<G: SearchGame> Source<G> for PlayerSource<G> {
    fn answers(&self) -> usize {
        2
    }

    fn begin(&mut self, them: Seat, seed: u64) {
        self.them = them;
        self.double.begin(them, seed);
    }

    fn hear(&mut self, before: &G, ply: &Ply<G::Event>) -> Option<usize> {
        if ply.seat != self.them {
            return None;
        }
        let (action, _) = self.foresee(before, &Stop::default())?;
        Some(usize::from(action == G::action_of(ply.event)))
    }

    fn foresee(&mut self, game: &G, stop: &Stop) -> Option<(G::Action, u64)> {
        self.double.choice(&game.view(self.them), stop)
    }

    fn price(&self, game: &G) -> u64 {
        self.double.price(&game.view(self.them))
    }
}

/// Asks: how much likelier is the move in this style than at random? Not at all, hardly, more than twice, more than eight times.
struct Habit<G: Game> {
    style: Box<dyn Style<G>>,
    them: Seat,
    shares: Vec<f32>,
}

impl<G: SearchGame> Source<G> for Habit<G> {
    fn answers(&self) -> usize {
        4
    }

    fn begin(&mut self, them: Seat, _: u64) {
        self.them = them;
    }

    fn hear(&mut self, before: &G, ply: &Ply<G::Event>) -> Option<usize> {
        if ply.seat != self.them {
            return None;
        }
        let mut actions = Vec::new();
        before.actions(&mut actions);
        let played = actions.iter().position(|action| *action == G::action_of(ply.event))?;
        self.shares.resize(actions.len(), 0.0);
        self.style.likelihood(&before.view(self.them), &actions, &mut self.shares);
        let times = self.shares[played] * actions.len() as f32;
        Some(usize::from(times > 0.0) + usize::from(times > 2.0) + usize::from(times > 8.0))
    }
}
