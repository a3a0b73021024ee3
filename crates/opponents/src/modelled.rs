//! The parts of the models that depend on the game.

use anglerfish_engine::{Assets, EngineError, Profile, SearchGame};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::tictactoe::TicTacToe;

use crate::ornn::{Net, Ranked};
use crate::source::{self, Source};
use crate::style::{self, Style};

/// A game whose players can be modelled. Every method has a default that works for any game.
pub trait Modelled: SearchGame {
    /// The styles that a model tells apart in this game: at least one.
    fn styles() -> Vec<Box<dyn Style<Self>>> {
        vec![Box::new(style::Uniform)]
    }

    /// The source of this name, as a question of a line-up names it.
    ///
    /// # Errors
    /// When neither the game nor the assets have what the question names.
    fn source(about: &str, assets: &Assets) -> Result<Box<dyn Source<Self>>, EngineError> {
        source::of_any_game(about, assets)
    }
}

impl Modelled for TicTacToe {
    fn styles() -> Vec<Box<dyn Style<TicTacToe>>> {
        style::looking_ahead()
    }
}

impl Modelled for Banqi {
    fn styles() -> Vec<Box<dyn Style<Banqi>>> {
        style::habits()
    }

    /// The network of Chang and others (2021) is asked here: `ornn ASSET` or `ornn ASSET canonical`.
    fn source(about: &str, assets: &Assets) -> Result<Box<dyn Source<Banqi>>, EngineError> {
        match about.split(' ').collect::<Vec<_>>()[..] {
            ["ornn", name] => Ok(Box::new(Ranked::new(assets.read(name, Net::read)?, false))),
            ["ornn", name, "canonical"] => Ok(Box::new(Ranked::new(assets.read(name, Net::read)?, true))),
            _ => source::of_any_game(about, assets),
        }
    }
}

/// The profile of a player that almost certainly plays in this style; the game's other styles share the rest.
///
/// # Panics
/// When the game has no such style.
pub fn certain<G: Modelled>(style: &str) -> Profile {
    const LEFT: f64 = 1e-4;
    let names: Vec<&str> = G::styles().iter().map(|style| style.name()).collect();
    assert!(names.contains(&style), "{style} is not among {names:?}");
    let others = names.iter().filter(|name| **name != style).count().max(1) as f64;
    let probability = |name| if name == style { 1.0 - LEFT } else { LEFT / others };
    let styles = names.into_iter().map(|name| (name.to_owned(), probability(name))).collect();
    Profile { game: G::NAME.to_owned(), games: 1, plies: 1, styles }
}
