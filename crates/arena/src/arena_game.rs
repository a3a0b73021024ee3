//! `ArenaGame`: what a game adds so that matches of it can be played, for each game of the arena.

use anglerfish_engine::{Assets, Config, SearchGame};
use anglerfish_rules::banqi::{Banqi, Layout, RuleSet};
#[cfg(feature = "testkit")]
use anglerfish_rules::testkit::heap::{self, Heap};
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Game, NotationError, Rng};

use crate::error::ArenaError;
use crate::fixed::Fixed;
use crate::program::Program;
use crate::protocol::Protocol;
use crate::table::{Dealer, Draws, EnginePlayer, Player};

/// A game with matches. A game without deals and protocols defines only its longest length.
pub trait ArenaGame: SearchGame {
    /// The start of both games of a pair, from a listed opening or from a seed; equal arguments give equal games.
    ///
    /// # Errors
    /// When the opening is not one of this game.
    fn open(rules: &Self::Rules, opening: Option<&str>, seed: u64) -> Result<Opened<Self>, ArenaError> {
        let start = Self::deal(rules, &mut Rng::stream(seed, "deal"));
        let dealer = Box::new(Draws(Rng::stream(seed, "chance")));
        let actions = read_actions::<Self>(opening.unwrap_or_default().split_whitespace())?;
        Ok(Opened { start, dealer, deal: None, actions })
    }

    /// The most plies that a game can have.
    fn most_plies(rules: &Self::Rules) -> u32;

    /// A player that is a program.
    ///
    /// # Errors
    /// When no protocol is known for this game, or none for these rules.
    fn client(_: &Self::Rules, _: &Program, protocol: Protocol) -> Result<Box<dyn Player<Self>>, ArenaError> {
        let name = Self::NAME;
        Err(ArenaError::Unfit(format!("{protocol} is not for {name}: programs play banqi only")))
    }
}

/// How a pair begins.
pub struct Opened<G: Game> {
    /// The game before its first ply.
    pub start: G,
    /// Its hidden layout.
    pub dealer: Box<dyn Dealer<G>>,
    /// The layout as text for the record, if there is one.
    pub deal: Option<String>,
    /// The actions that are played before the first choice.
    pub actions: Vec<G::Action>,
}

/// The actions of an opening.
///
/// # Errors
/// When a word is no action.
pub fn read_actions<'a, G: Game>(
    words: impl Iterator<Item = &'a str>,
) -> Result<Vec<G::Action>, NotationError> {
    words.map(G::parse_action).collect()
}

impl ArenaGame for TicTacToe {
    fn most_plies(_: &Self::Rules) -> u32 {
        9
    }
}

/// The four-seat game of `testkit`.
#[cfg(feature = "testkit")]
impl ArenaGame for Heap {
    fn most_plies(_: &Self::Rules) -> u32 {
        heap::LONGEST
    }
}

impl ArenaGame for Banqi {
    /// An opening is a layout, or actions, or both: `pN/PC/nc/kK a1 b2`.
    fn open(rules: &RuleSet, opening: Option<&str>, seed: u64) -> Result<Opened<Banqi>, ArenaError> {
        let mut words = opening.unwrap_or_default().split_whitespace().peekable();
        let layout = match words.next_if(|word| word.contains('/')) {
            Some(text) => text.parse().map_err(|e| ArenaError::from(e).of(format!("deal {text}")))?,
            None => Layout::shuffled(rules.board, &mut Rng::stream(seed, "deal")),
        };
        if layout.board() != rules.board {
            return Err(ArenaError::Unfit(format!("deal {layout} is for another board than {rules}")));
        }
        let actions = read_actions::<Banqi>(words)?;
        let deal = Some(layout.to_string());
        Ok(Opened { start: Banqi::start(*rules), dealer: Box::new(Fixed(layout)), deal, actions })
    }

    fn most_plies(rules: &RuleSet) -> u32 {
        rules.longest_game()
    }

    fn client(
        rules: &RuleSet,
        program: &Program,
        protocol: Protocol,
    ) -> Result<Box<dyn Player<Banqi>>, ArenaError> {
        if rules.board == RuleSet::PLATFORM.board {
            Ok(protocol.player(program))
        } else {
            Err(ArenaError::Unfit("programs play on the 4x8 board only".to_owned()))
        }
    }
}

/// A beginner's Banqi: takes the most material, less what the answer takes, and plays at random if nothing can be won.
pub fn greedy() -> EnginePlayer<Banqi> {
    let config = Config::preset("greedy").unwrap_or_else(|| unreachable!("it is one of the presets"));
    EnginePlayer::new(&config, &Assets::default()).unwrap_or_else(|e| unreachable!("Banqi has it: {e}"))
}
