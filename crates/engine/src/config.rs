//! The one namespace of settings: a word on the command line, a line of a config file, a protocol's option and a field of
//! a job all end in [`Config::set`].
//!
//! A configuration has a text: the name of a preset, then what differs from it (`alphabeta,threads=2,draw=-0.2`).

use std::fmt;
use std::str::FromStr;

use crate::assets::Assets;
use crate::engine::EngineError;
use crate::level::{LEVELS, Level};
use crate::score::Value;
use crate::search::habit::Habit;
use crate::search::mcts;
use crate::search::semirandom::Fallback;
use crate::search::speculative::Speculation;
use crate::stance::DrawScope;
use crate::tunables::{Tunables, TunablesError};

pub use crate::feature::{Feature, Without};

/// How a search treats going in circles.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Circles {
    /// As the rules say.
    Exact,
    /// The first position that comes back on a line counts as the draw: most rules need more plies than a search sees.
    #[default]
    First,
}

/// How chance nodes are pruned.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub enum Star {
    /// Every outcome with a full window.
    None,
    /// Windows from what the outcomes so far allow.
    Star1,
    /// And one answer to each outcome is looked at first.
    #[default]
    Star2,
}

/// Which search.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SearchKind {
    /// Any action, each equally likely.
    Random,
    /// Plain expectiminimax: the yardstick.
    Exact,
    /// Iterative deepening with everything that paid; Banqi only.
    #[default]
    AlphaBeta,
    /// By a habit, without thinking of more than pieces; Banqi only.
    Habit,
    /// Monte-Carlo tree search.
    Mcts,
    /// Paper 003's reference player: random while a piece is face down, then minimax; Banqi only.
    Reference,
    /// Random but for what is near: paper 002's players; games without chance only.
    SemiRandom,
    /// Paper 002's player against those.
    Speculative,
}

impl SearchKind {
    /// All of them, in the order of their words.
    pub const ALL: [SearchKind; 8] = [
        SearchKind::AlphaBeta,
        SearchKind::Exact,
        SearchKind::Habit,
        SearchKind::Mcts,
        SearchKind::Random,
        SearchKind::Reference,
        SearchKind::SemiRandom,
        SearchKind::Speculative,
    ];

    /// Whether it looks further the more nodes it may use.
    pub const fn takes_nodes(self) -> bool {
        matches!(self, SearchKind::AlphaBeta | SearchKind::Mcts)
    }

    /// The word for the setting `search`.
    pub const fn text(self) -> &'static str {
        match self {
            SearchKind::AlphaBeta => "alphabeta",
            SearchKind::Exact => "exact",
            SearchKind::Habit => "habit",
            SearchKind::Mcts => "mcts",
            SearchKind::Random => "random",
            SearchKind::Reference => "reference",
            SearchKind::SemiRandom => "semirandom",
            SearchKind::Speculative => "speculative",
        }
    }
}

/// How the others at the table are modelled.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum ModelKind {
    /// Not at all: the control.
    #[default]
    None,
    /// A posterior over the styles of the game.
    Bayes,
}

impl ModelKind {
    /// All of them, in the order of their words for the setting `opponent`.
    pub const ALL: [ModelKind; 2] = [ModelKind::None, ModelKind::Bayes];
}

/// Which evaluator.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum EvalKind {
    /// Paper 001's Tables I and IV.
    Course,
    /// The one we play with.
    #[default]
    Handmade,
}

/// Everything that can be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Which search.
    pub search: SearchKind,
    /// Which evaluator.
    pub eval: EvalKind,
    /// How many threads search.
    pub threads: u32,
    /// The size of the transposition table.
    pub hash_mib: u32,
    /// What a draw is worth to us where no opponent model says otherwise.
    pub draw_value: Value,
    /// Which draws that is about.
    pub draw_scope: DrawScope,
    /// How going in circles is treated.
    pub circles: Circles,
    /// How chance nodes are pruned.
    pub star: Star,
    /// How many flips are searched below the root and at it; none means all that matter.
    pub flips: Option<u32>,
    /// What is left out.
    pub without: Without,
    /// Plies looked ahead at most.
    pub depth: Option<u32>,
    /// Nodes a move at most.
    pub nodes: Option<u64>,
    /// Milliseconds a move at most, whatever the clock says.
    pub movetime_ms: Option<u64>,
    /// How far a choice may be misjudged on purpose, in hundredths of a game: how the levels err.
    pub noise: u32,
    /// How many choices of a hundred are misjudged so. Somebody who errs a little at every move never finishes a won game.
    pub lapses: u32,
    /// The ratio of basic to attack value in `course`; none leaves the attack value out.
    pub ratio: Option<i32>,
    /// What a player by habit does.
    pub habit: Habit,
    /// Plies that a semi-random or speculative player looks ahead.
    pub look: u32,
    /// Plies that a speculative player expects its opponent to look ahead.
    pub model: u32,
    /// What those players do where everything loses.
    pub fallback: Fallback,
    /// What speculative play counts.
    pub speculation: Speculation,
    /// How the opponent is modelled.
    pub opponent: ModelKind,
    /// The most that a model's prediction is believed.
    pub trust: f32,
    /// Whether to think while the opponent does.
    pub ponder: bool,
    /// How Monte-Carlo tree search grows its tree.
    pub mcts: mcts::Settings,
    /// The numbers of the handmade evaluation.
    pub tunables: Tunables,
    /// The asset that has them instead.
    pub weights: Option<String>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            search: SearchKind::AlphaBeta,
            eval: EvalKind::Handmade,
            threads: 1,
            hash_mib: 64,
            draw_value: Value(0.0),
            draw_scope: DrawScope::All,
            circles: Circles::First,
            star: Star::Star2,
            flips: None,
            without: Without::default(),
            depth: None,
            nodes: None,
            movetime_ms: None,
            noise: 0,
            lapses: 100,
            ratio: Some(100),
            habit: Habit::Thinker(1),
            look: 2,
            model: 0,
            fallback: Fallback::Delay,
            speculation: Speculation::LEAD_W,
            opponent: ModelKind::None,
            trust: 1.0,
            ponder: false,
            mcts: mcts::Settings::default(),
            tunables: Tunables::default(),
            weights: None,
        }
    }
}

/// The names that a configuration may begin with, besides `level1` to `level10`.
pub const PRESETS: [(&str, &str); 16] = [
    ("alphabeta", "the strongest player: expectiminimax with the handmade evaluation"),
    ("course2019", "the player of paper 001: NegaScout, one flip, full windows at its outcomes"),
    ("exact", "plain expectiminimax, three plies deep unless depth= says otherwise"),
    ("mcts", "Monte-Carlo tree search: chance-nodes, short playouts, the handmade evaluation"),
    (
        "c2-cr-640",
        "paper 003's players: c1 (group-nodes) or c2 (chance-nodes), r, cr or car, h or not, playout size",
    ),
    ("reference", "paper 003's opponent: random while a piece is face down, then minimax, depth= plies"),
    ("random", "every legal action with equal probability"),
    ("greedy", "a beginner: wins the most at once, the answer included; thinker2 by another name"),
    ("capturer", "takes the best it can, else anything"),
    ("cautious", "leaves as little to be taken as it can"),
    ("flipper", "turns over a piece while there is one, then takes what it can"),
    ("thinker2", "wins the most pieces within two plies, else anything"),
    ("thinker3", "the same within three plies"),
    ("thinker4", "the same within four plies"),
    (
        "semirandom",
        "paper 002's P_i, look=i: random but for wins and losses within i plies; tic-tac-toe only",
    ),
    ("speculative", "paper 002's player with look= against P_i, model=i; tic-tac-toe only"),
];

/// The settings with what they take, for help texts and protocols.
pub const SETTINGS: [(&str, &str); 34] = [
    ("search", "alphabeta, exact, habit, mcts, random, reference, semirandom or speculative"),
    ("eval", "handmade or course"),
    ("weights", "an asset with the numbers of the handmade evaluation, or none"),
    ("threads", "1 to 256"),
    ("hash", "1 to 65536 MiB"),
    ("draw", "-1 to 1: what a draw is worth to us"),
    ("draw_scope", "all or repetition"),
    ("repetition", "exact or first"),
    ("star", "none, star1 or star2"),
    ("flips", "1 to 32, or all"),
    ("without", "features to leave out, joined by +"),
    ("depth", "1 to 100 plies"),
    ("nodes", "1 or more"),
    ("movetime", "1 to 1000000000 ms a move"),
    ("noise", "0 to 100 hundredths of a game"),
    ("lapses", "0 to 100 of a hundred choices that noise is for"),
    ("ratio", "1 to 1000, or none"),
    ("habit", "capturer, cautious, flipper, thinker2, thinker3 or thinker4"),
    ("look", "0 to 20 plies"),
    ("model", "0 to 20 plies"),
    ("fallback", "delay or any"),
    ("speculate", "definition, w, b, winner, keeper, or seven words joined by +"),
    ("opponent", "none or bayes"),
    ("trust", "0 to 1: the most that a model is believed"),
    ("ponder", "on or off"),
    mcts::Settings::NAMES[0],
    mcts::Settings::NAMES[1],
    mcts::Settings::NAMES[2],
    mcts::Settings::NAMES[3],
    mcts::Settings::NAMES[4],
    mcts::Settings::NAMES[5],
    mcts::Settings::NAMES[6],
    mcts::Settings::NAMES[7],
    mcts::Settings::NAMES[8],
];

/// A setting that does not exist, or a value that it does not take.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ConfigError {
    /// What would have been right.
    pub expected: String,
    /// What was there instead.
    pub found: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {:?}", self.expected, self.found)
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// A preset by its name.
    pub fn preset(name: &str) -> Option<Config> {
        let usual = Config::default();
        Some(match name {
            "alphabeta" => usual,
            "course2019" => {
                let order =
                    Without::SELECTIVITY.and(Feature::Table).and(Feature::Aspiration).and(Feature::Order);
                Config {
                    eval: EvalKind::Course,
                    star: Star::None,
                    flips: Some(1),
                    without: order,
                    hash_mib: 1,
                    ..usual
                }
            }
            "exact" => Config { search: SearchKind::Exact, depth: Some(3), hash_mib: 1, ..usual },
            "greedy" => Config { habit: Habit::Thinker(2), ..Config::by_habit() },
            "mcts" => Config { search: SearchKind::Mcts, ..usual },
            "reference" => Config { search: SearchKind::Reference, depth: Some(3), hash_mib: 1, ..usual },
            "random" => Config { search: SearchKind::Random, hash_mib: 1, ..usual },
            "semirandom" => Config { search: SearchKind::SemiRandom, hash_mib: 1, ..usual },
            "speculative" => Config { search: SearchKind::Speculative, hash_mib: 1, ..usual },
            _ => {
                if let Some(habit) = Habit::named(name) {
                    return Some(Config { habit, ..Config::by_habit() });
                }
                if let Some(mcts) = mcts::Settings::named(name) {
                    return Some(Config { search: SearchKind::Mcts, mcts, ..usual });
                }
                let number: usize = name.strip_prefix("level")?.parse().ok()?;
                let level = LEVELS.get(number.checked_sub(1)?)?;
                let Level { nodes, noise, lapses } = *level;
                Config { nodes: Some(nodes), noise, lapses, hash_mib: 16, ..usual }
            }
        })
    }

    /// The same with what its names of assets stand for.
    ///
    /// # Errors
    /// When an asset is not there, or is not what it should be.
    pub(crate) fn resolved(&self, assets: &Assets) -> Result<Config, EngineError> {
        let mut config = self.clone();
        if let Some(name) = &self.weights {
            let Some(asset) = assets.get(name) else {
                let known = assets.iter().map(|(name, _)| name.to_owned()).collect();
                return Err(EngineError::NoAsset { name: name.clone(), known });
            };
            let wrong = |why: String| EngineError::BadAsset { name: name.clone(), why };
            let text = std::str::from_utf8(&asset.bytes).map_err(|e| wrong(e.to_string()))?;
            config.tunables = text.parse().map_err(|e: TunablesError| wrong(e.to_string()))?;
        }
        Ok(config)
    }

    fn by_habit() -> Config {
        Config { search: SearchKind::Habit, hash_mib: 1, ..Config::default() }
    }

    /// Changes one setting.
    ///
    /// # Errors
    /// When there is no such setting, or it does not take that value; nothing has changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ConfigError> {
        let wrong = |expected: &str| ConfigError {
            expected: format!("{name}={expected}"),
            found: format!("{name}={value}"),
        };
        let number = |least: u64, most: u64, expected: &str| {
            value.parse::<u64>().ok().filter(|n| (least..=most).contains(n)).ok_or_else(|| wrong(expected))
        };
        let Some(&(_, expected)) = SETTINGS.iter().find(|(n, _)| *n == name) else {
            if Tunables::NAMES.iter().any(|(n, _)| *n == name) && self.weights.is_some() {
                return Err(wrong("NUMBERS without weights=, which has them all"));
            }
            if let Some(result) = self.tunables.set(name, value) {
                return result.map_err(|expected| wrong(&expected));
            }
            let names: Vec<&str> = SETTINGS.iter().map(|(n, _)| *n).collect();
            return Err(ConfigError {
                expected: format!("a setting: {}", names.join(", ")),
                found: name.to_owned(),
            });
        };
        let choice =
            |choices: &[&str]| choices.iter().position(|c| *c == value).ok_or_else(|| wrong(expected));
        match name {
            "search" => self.search = SearchKind::ALL[choice(&SearchKind::ALL.map(SearchKind::text))?],
            "eval" => self.eval = [EvalKind::Handmade, EvalKind::Course][choice(&["handmade", "course"])?],
            "weights" if value.is_empty() => return Err(wrong(expected)),
            "weights" if self.tunables != Tunables::default() => {
                return Err(wrong("NAME without numbers of its own: the asset has them all"));
            }
            "weights" => self.weights = (value != "none").then(|| value.to_owned()),
            "threads" => self.threads = number(1, 256, expected)? as u32,
            "hash" => self.hash_mib = number(1, 65_536, expected)? as u32,
            "draw" => {
                let value = value.parse::<f32>().ok().filter(|v| (-1.0..=1.0).contains(v));
                self.draw_value = Value(value.ok_or_else(|| wrong(expected))?);
            }
            "draw_scope" => {
                self.draw_scope = [DrawScope::All, DrawScope::Repetition][choice(&["all", "repetition"])?];
            }
            "repetition" => self.circles = [Circles::Exact, Circles::First][choice(&["exact", "first"])?],
            "star" => {
                self.star = [Star::None, Star::Star1, Star::Star2][choice(&["none", "star1", "star2"])?];
            }
            "flips" => {
                self.flips = if value == "all" { None } else { Some(number(1, 32, expected)? as u32) };
            }
            "without" => {
                let mut without = Without::default();
                for part in value.split('+').filter(|p| !p.is_empty()) {
                    let feature = Feature::ALL.iter().find(|f| f.text() == part);
                    let names: Vec<&str> = Feature::ALL.iter().map(|f| f.text()).collect();
                    without = without.and(*feature.ok_or_else(|| wrong(&names.join("+")))?);
                }
                self.without = without;
            }
            "depth" => self.depth = Some(number(1, 100, expected)? as u32),
            "nodes" => self.nodes = Some(number(1, u64::MAX, expected)?),
            "movetime" => self.movetime_ms = Some(number(1, 1_000_000_000, expected)?),
            "noise" => self.noise = number(0, 100, expected)? as u32,
            "lapses" => self.lapses = number(0, 100, expected)? as u32,
            "ratio" => {
                self.ratio = if value == "none" { None } else { Some(number(1, 1000, expected)? as i32) }
            }
            "habit" => self.habit = Habit::named(value).ok_or_else(|| wrong(expected))?,
            "look" => self.look = number(0, 20, expected)? as u32,
            "model" => self.model = number(0, 20, expected)? as u32,
            "fallback" => self.fallback = [Fallback::Delay, Fallback::Any][choice(&["delay", "any"])?],
            "speculate" => self.speculation = value.parse().map_err(|_| wrong(expected))?,
            "opponent" => self.opponent = ModelKind::ALL[choice(&["none", "bayes"])?],
            "trust" => {
                let trust = value.parse::<f32>().ok().filter(|v| (0.0..=1.0).contains(v));
                self.trust = trust.ok_or_else(|| wrong(expected))?;
            }
            "ponder" => self.ponder = choice(&["off", "on"])? == 1,
            _ => self.mcts.set(name, value).ok_or_else(|| wrong(expected))?,
        }
        Ok(())
    }
}

impl FromStr for Config {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Config, ConfigError> {
        let mut parts = text.split(',');
        let name = parts.next().unwrap_or_default();
        let Some(mut config) = Config::preset(name) else {
            let names: Vec<&str> = PRESETS.iter().map(|(n, _)| *n).collect();
            let expected = format!("a player: {}, level1 to level{}", names.join(", "), LEVELS.len());
            return Err(ConfigError { expected, found: name.to_owned() });
        };
        for part in parts {
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| ConfigError { expected: "NAME=VALUE".to_owned(), found: part.to_owned() })?;
            config.set(name, value)?;
        }
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_and_settings_are_read() {
        for (name, _) in PRESETS {
            assert!(Config::preset(name).is_some(), "{name}");
        }
        let config: Config =
            "alphabeta,threads=2,draw=-0.25,without=reductions+pass".parse().expect("settings");
        assert_eq!((config.threads, config.draw_value), (2, Value(-0.25)));
        assert!(config.without.lacks(Feature::Pass) && !config.without.lacks(Feature::Quiesce));
    }

    #[test]
    fn every_setting_says_what_it_takes() {
        for (name, expected) in SETTINGS {
            let wrong = if name == "weights" { "" } else { "?" };
            let error = Config::default().set(name, wrong).expect_err(name);
            assert!(name == "without" || error.expected.contains(expected), "{error}");
        }
        assert!(
            "alphabeta,speed=9".parse::<Config>().expect_err("no such setting").expected.contains("threads")
        );
        assert!("chess".parse::<Config>().is_err() && "level11".parse::<Config>().is_err());
        assert!("level0".parse::<Config>().is_err());
    }
}
