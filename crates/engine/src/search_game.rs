//! The parts of the engine that depend on the game, by name.

use anglerfish_rules::Game;
use anglerfish_rules::banqi::{Banqi, RuleSet};
#[cfg(feature = "testkit")]
use anglerfish_rules::testkit::heap::Heap;
use anglerfish_rules::tictactoe::TicTacToe;

use crate::assets::Assets;
use crate::config::{Config, SearchKind};
use crate::error::EngineError;
use crate::eval::course::Course;
use crate::eval::handmade::Handmade;
use crate::eval::{self, EvalKind};
use crate::luck::STAGES;
use crate::opponent::{self, OpponentModel, Unmodelled};
use crate::papers::reference::Reference;
use crate::papers::semirandom::SemiRandom;
use crate::papers::speculative::{self, Speculative};
use crate::parameters;
use crate::playout::banqi::Simulator;
use crate::playout::{self, DrawEval, Playout, Uniform};
use crate::score::{Score, Value};
use crate::search::Searcher;
use crate::search::alphabeta::AlphaBeta;
use crate::search::chooser::Drawing;
use crate::search::exact::Exact;
use crate::search::glance::Glance;
use crate::search::mcts::Mcts;
use crate::search::pimc::Pimc;
use crate::search::random::Random;
use crate::wdl::{Calibration, Phase, Wdl};

/// A game that the engine can play. Every method has a default that works for any game, so `impl SearchGame for NewGame {}` is complete.
pub trait SearchGame: Game {
    /// The search that a configuration asks for.
    ///
    /// # Errors
    /// When this game has no such search.
    fn searcher(config: &Config) -> Result<Box<dyn Searcher<Self>>, EngineError> {
        any_game(config)
    }

    /// The model of another seat when the caller asks for none. In games with secrets it may remember what happened, and
    /// so draw better worlds than a view alone allows.
    ///
    /// # Errors
    /// When the assets do not have what the settings name.
    fn unmodelled(_: &opponent::Settings, _: &Assets) -> Result<Box<dyn OpponentModel<Self>>, EngineError> {
        Ok(Box::new(Unmodelled))
    }

    /// How many more moves the owner of this view should expect to make: its clock is shared out among them.
    fn moves_left(_: &Self::View) -> u32 {
        20
    }

    /// The value of a position to the seat to move, without search; 0 unless the game overrides this.
    fn evaluation(_: &Config) -> Box<dyn FnMut(&Self) -> Score + Send> {
        Box::new(|_| 0)
    }

    /// The stage of the game, from 0 to [`STAGES`] - 1: luck decides a different share of games at each.
    fn stage(&self) -> usize {
        0
    }

    /// The shares of wins, draws and losses from here, for a seat to which a search gives the value `value`.
    fn shares(&self, value: Value) -> Wdl {
        Wdl::plain(value)
    }

    /// Whether the shares were fitted to games under these rules, and tested on others.
    fn is_calibrated(&self) -> bool {
        false
    }

    /// How games are played on without thinking. Without an evaluator an unfinished game has no value, so it is
    /// played to its end.
    fn playout(config: &Config) -> Box<dyn Playout<Self>> {
        let playout::Settings { size, draws, .. } = config.mcts.playouts;
        let size = size.filter(|_| draws != DrawEval::Eval);
        Box::new(Uniform { plies: size.map_or(u32::MAX, u32::from) })
    }
}

/// The searches that every game has.
fn any_game<G: SearchGame>(config: &Config) -> Result<Box<dyn Searcher<G>>, EngineError> {
    match config.search {
        SearchKind::Random => Ok(Box::new(Random)),
        SearchKind::Exact => Ok(Box::new(Exact::new(depth(config), G::evaluation(config)))),
        SearchKind::Mcts => Ok(Box::new(Mcts::new(config.mcts, config.resources(), || G::playout(config)))),
        SearchKind::Pimc => Ok(Box::new(Pimc::new(config.pimc, G::evaluation(config)))),
        other => Err(EngineError::NoSearch { game: G::NAME, search: other.text() }),
    }
}

/// Plies that a plain search looks ahead.
fn depth(config: &Config) -> u32 {
    config.depth.unwrap_or(3)
}

/// With nothing of its own: what every game has.
#[cfg(feature = "testkit")]
impl SearchGame for Heap {}

impl SearchGame for TicTacToe {
    fn searcher(config: &Config) -> Result<Box<dyn Searcher<TicTacToe>>, EngineError> {
        let speculative::Settings { look, model, fallback, speculation } = config.speculative;
        match config.search {
            SearchKind::SemiRandom => Ok(Box::new(Drawing(SemiRandom::new(look, fallback)))),
            SearchKind::Speculative => {
                let player = Speculative::new(look, model, fallback, speculation);
                Ok(Box::new(Drawing(player)))
            }
            _ => any_game(config),
        }
    }
}

/// The phase that the shares of won, drawn and lost games of Banqi depend on.
pub fn phase(game: &Banqi) -> Phase {
    let (position, rules) = (game.position(), game.ruleset());
    let quiet = u32::from(position.quiet()) * 60 / u32::from(rules.quiet.max(1));
    Phase {
        pieces: position.occupied().len() as u8,
        hidden: position.hidden().len() as u8,
        quiet: quiet.min(60) as u8,
    }
}

/// The search `alphabeta` with the evaluator that the configuration asks for, which is compiled into it.
fn alphabeta(config: &Config) -> Box<dyn Searcher<Banqi>> {
    let (settings, resources, eval) = (config.alphabeta, config.resources(), &config.eval);
    match eval.kind {
        EvalKind::Course => Box::new(AlphaBeta::new(settings, resources, || Course::new(eval.ratio))),
        EvalKind::Handmade => Box::new(AlphaBeta::new(settings, resources, || Handmade::new(&eval.tunables))),
    }
}

impl SearchGame for Banqi {
    fn searcher(config: &Config) -> Result<Box<dyn Searcher<Banqi>>, EngineError> {
        match config.search {
            SearchKind::AlphaBeta => Ok(alphabeta(config)),
            SearchKind::Glance => Ok(Box::new(Glance::new(config.glance, &config.eval.tunables))),
            SearchKind::Habit => Ok(Box::new(Drawing(config.habit))),
            SearchKind::Reference => Ok(Box::new(Reference::new(depth(config)))),
            _ => any_game(config),
        }
    }

    /// Our own games end after 50 to 60 moves of each side, and half of the pieces are gone after 25. When few are left
    /// there may still be a long hunt.
    fn moves_left(view: &Banqi) -> u32 {
        let [bare, more] = parameters::MOVES_LEFT;
        bare + view.position().occupied().len() * more / 4
    }

    fn evaluation(config: &Config) -> Box<dyn FnMut(&Banqi) -> Score + Send> {
        let mut evaluator = eval::evaluator(&config.eval);
        Box::new(move |game| evaluator.evaluate(game.position()))
    }

    /// By pieces face down: over 24, over 16, over 8, and the rest.
    fn stage(&self) -> usize {
        let shown = 32 - self.position().hidden().len() as usize;
        (shown / 8).min(STAGES - 1)
    }

    fn shares(&self, value: Value) -> Wdl {
        Calibration::PLATFORM.shares(phase(self), value)
    }

    fn is_calibrated(&self) -> bool {
        *self.ruleset() == RuleSet::PLATFORM
    }

    fn playout(config: &Config) -> Box<dyn Playout<Banqi>> {
        Box::new(Simulator::new(config.mcts.playouts, eval::evaluator(&config.eval)))
    }
}
