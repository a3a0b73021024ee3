//! The one namespace of settings: a word on the command line, a line of a config file, a protocol's option and a field of
//! a job all end in [`Config::set`].
//!
//! A configuration has a text: the name of a preset, then what differs from it (`alphabeta,threads=2,draw=-0.2`).

use std::str::FromStr;

use crate::eval::{self, EvalKind};
use crate::level::{BEGINNERS, LEVELS, Level};
use crate::opponent;
use crate::papers::speculative;
use crate::playout;
use crate::search::Resources;
use crate::search::alphabeta::{self, Feature, Star, Without};
use crate::search::glance;
use crate::search::habit::Habit;
use crate::search::mcts;
use crate::search::pimc;
use crate::setting::ConfigError;
use crate::setting::{Setting, number, word};

/// Which search.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SearchKind {
    /// Any action, each equally likely.
    Random,
    /// Plain expectiminimax: the yardstick.
    Exact,
    /// At a glance, with captures overlooked; Banqi only.
    Glance,
    /// Iterative deepening with everything that paid; Banqi only.
    #[default]
    AlphaBeta,
    /// By a habit, without thinking of more than pieces; Banqi only.
    Habit,
    /// Monte-Carlo tree search.
    Mcts,
    /// Perfect-information Monte Carlo: all choices in the same worlds.
    Pimc,
    /// The reference player of Jouandeau and Cazenave (2014): random while a piece is face down, then minimax; Banqi only.
    Reference,
    /// Semi-random players of Kajihara and others (1999), who look a few plies ahead; games without chance only.
    SemiRandom,
    /// The player of Kajihara and others (1999) against those.
    Speculative,
}

impl SearchKind {
    /// All of them, in the order of their words.
    pub const ALL: [SearchKind; 10] = [
        SearchKind::AlphaBeta,
        SearchKind::Exact,
        SearchKind::Glance,
        SearchKind::Habit,
        SearchKind::Mcts,
        SearchKind::Pimc,
        SearchKind::Random,
        SearchKind::Reference,
        SearchKind::SemiRandom,
        SearchKind::Speculative,
    ];

    /// Whether it looks further the more nodes it may use.
    pub const fn takes_nodes(self) -> bool {
        matches!(self, SearchKind::AlphaBeta | SearchKind::Mcts | SearchKind::Pimc)
    }

    /// The word for the setting `search`.
    pub const fn text(self) -> &'static str {
        match self {
            SearchKind::AlphaBeta => "alphabeta",
            SearchKind::Exact => "exact",
            SearchKind::Glance => "glance",
            SearchKind::Habit => "habit",
            SearchKind::Mcts => "mcts",
            SearchKind::Pimc => "pimc",
            SearchKind::Random => "random",
            SearchKind::Reference => "reference",
            SearchKind::SemiRandom => "semirandom",
            SearchKind::Speculative => "speculative",
        }
    }
}

/// What has this number in a list that counts from 1.
fn nth<'a, T>(list: &'a [T], number: &str) -> Option<&'a T> {
    list.get(number.parse::<usize>().ok()?.checked_sub(1)?)
}

/// Words as a sentence lists them: `one, two or three`.
pub(crate) fn listed(words: &[&str]) -> String {
    match words {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        _ => words.concat(),
    }
}

/// Kibibytes in a mebibyte.
const MIB: u32 = 1 << 10;

/// Everything that can be set: what concerns every search, and the settings of each part.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Which search.
    pub search: SearchKind,
    /// The number of search threads.
    pub threads: u32,
    /// The size of the transposition table, in KiB.
    pub hash_kib: u32,
    /// Plies looked ahead at most.
    pub depth: Option<u32>,
    /// Nodes per move at most.
    pub nodes: Option<u64>,
    /// The most milliseconds a move may take, besides the clock.
    pub movetime_ms: Option<u64>,
    /// Whether to think while the opponent does.
    pub ponder: bool,
    /// Which evaluator, and with which numbers.
    pub eval: eval::Settings,
    /// The model of the opponent, and the values of draws.
    pub opponent: opponent::Settings,
    /// Settings of `alphabeta`.
    pub alphabeta: alphabeta::Settings,
    /// Settings of Monte-Carlo tree search.
    pub mcts: mcts::Settings,
    /// Settings of perfect-information Monte Carlo.
    pub pimc: pimc::Settings,
    /// Settings of `glance`.
    pub glance: glance::Settings,
    /// The habit of a player by habit.
    pub habit: Habit,
    /// Settings of the players of Kajihara and others (1999).
    pub speculative: speculative::Settings,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            search: SearchKind::AlphaBeta,
            threads: 1,
            hash_kib: 64 * MIB,
            depth: None,
            nodes: None,
            movetime_ms: None,
            ponder: false,
            eval: eval::Settings::default(),
            opponent: opponent::Settings::default(),
            alphabeta: alphabeta::Settings::default(),
            mcts: mcts::Settings::default(),
            pimc: pimc::Settings::default(),
            glance: glance::Settings::default(),
            habit: Habit::Thinker(1),
            speculative: speculative::Settings::default(),
        }
    }
}

/// The names that a configuration may begin with, besides those of the levels: `beginner1` to `beginner3` and `level1` to `level10`.
pub const PRESETS: [(&str, &str); 17] = [
    ("alphabeta", "the strongest player: expectiminimax with the handmade evaluation"),
    (
        "course2019",
        "NegaScout, one flip, full windows at its outcomes: the player of 郭彥廷 (2019), \"Theory of Computer Games, 2019 Fall Final Project\"",
    ),
    ("exact", "plain expectiminimax, three plies deep unless depth= says otherwise"),
    ("mcts", "Monte-Carlo tree search: chance-nodes, short playouts, the handmade evaluation"),
    (
        "c2-cr-640",
        "c1 (group-nodes) or c2 (chance-nodes), r, cr or car, h or not, playout size: the players of Jouandeau and Cazenave (2014), \"Small and Large MCTS Playouts Applied to Chinese Dark Chess Stochastic Game\"",
    ),
    (
        "reference",
        "random while a piece is face down, then minimax, depth= plies: the opponent of Jouandeau and Cazenave (2014)",
    ),
    ("pimc", "perfect-information Monte Carlo: every choice in the same 16 worlds; for games with secrets"),
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
        "random but for wins and losses within look= plies; tic-tac-toe only: P_i of Kajihara and others (1999), \"A Speculative Play against Semi-Random Self-Play\"",
    ),
    (
        "speculative",
        "plays for the mistakes of semirandom,look=i (model=i); tic-tac-toe only: the player of Kajihara and others (1999)",
    ),
];

/// Earlier names of settings, which records, stores and configurations may still have: the first two are those of version 0.3.
const RENAMED: [(&str, &str); 3] =
    [("noise", "error_size"), ("lapses", "error_rate"), ("lineup", "candidates")];

/// Settings of version 0.3.0 that are no more.
const REMOVED: [&str; 2] = ["adapt", "feign"];

impl Config {
    /// A preset by its name.
    pub fn preset(name: &str) -> Option<Config> {
        let usual = Config::default();
        Some(match name {
            "alphabeta" => usual,
            "course2019" => {
                let without =
                    Without::SELECTIVITY.and(Feature::Table).and(Feature::Aspiration).and(Feature::Order);
                Config {
                    eval: eval::Settings { kind: EvalKind::Course, ..usual.eval },
                    alphabeta: alphabeta::Settings {
                        star: Star::None,
                        flips: Some(1),
                        without,
                        ..usual.alphabeta
                    },
                    hash_kib: MIB,
                    ..usual
                }
            }
            "exact" => Config { search: SearchKind::Exact, depth: Some(3), hash_kib: MIB, ..usual },
            "greedy" => Config { habit: Habit::Thinker(2), ..Config::by_habit() },
            "mcts" => Config { search: SearchKind::Mcts, ..usual },
            "reference" => Config { search: SearchKind::Reference, depth: Some(3), hash_kib: MIB, ..usual },
            "pimc" => Config { search: SearchKind::Pimc, hash_kib: MIB, ..usual },
            "random" => Config { search: SearchKind::Random, hash_kib: MIB, ..usual },
            "semirandom" => Config { search: SearchKind::SemiRandom, hash_kib: MIB, ..usual },
            "speculative" => Config { search: SearchKind::Speculative, hash_kib: MIB, ..usual },
            _ => {
                if let Some(habit) = Habit::named(name) {
                    return Some(Config { habit, ..Config::by_habit() });
                }
                if let Some(mcts) = mcts::Settings::named(name) {
                    return Some(Config { search: SearchKind::Mcts, mcts, ..usual });
                }
                if let Some(number) = name.strip_prefix("beginner") {
                    let overlook = *nth(&BEGINNERS, number)?;
                    let glance = glance::Settings { overlook };
                    return Some(Config { search: SearchKind::Glance, glance, hash_kib: MIB, ..usual });
                }
                let &Level { nodes, error_size, error_rate } = nth(&LEVELS, name.strip_prefix("level")?)?;
                let alphabeta = alphabeta::Settings { error_size, error_rate, ..usual.alphabeta };
                Config { nodes: Some(nodes), alphabeta, hash_kib: 16 * MIB, ..usual }
            }
        })
    }

    fn by_habit() -> Config {
        Config { search: SearchKind::Habit, hash_kib: MIB, ..Config::default() }
    }

    /// The threads and the memory that its search may use.
    pub const fn resources(&self) -> Resources {
        Resources { threads: self.threads, hash_kib: self.hash_kib }
    }

    /// Changes one setting. What is no setting of the engine is taken for one of a model: [`Models`](crate::opponent::Models) know
    /// whether it is one, and an engine is made of neither unless they do.
    ///
    /// # Errors
    /// When the setting does not take that value; nothing has changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ConfigError> {
        let name = RENAMED.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| *new);
        // `opponent=adapt` does this anyway.
        if (name, value) == ("adapt", "draws") {
            return Ok(());
        }
        if REMOVED.contains(&name) {
            let why = "was removed after version 0.3.0; docs/opponents.md has its figures";
            return Err(ConfigError {
                expected: format!("a setting of this version ({name} {why})"),
                found: format!("{name}={value}"),
            });
        }
        if let Some(result) = self.eval.set_numbers(name, value) {
            return result;
        }
        if name == "opponent" {
            self.opponent.model = value.into();
            return Ok(());
        }
        let own = Config::SECTIONS.iter().flat_map(|(_, parts)| parts.iter().copied().flatten());
        let Some(Setting { takes, .. }) = own.into_iter().find(|setting| setting.name == name) else {
            self.opponent.words.insert(name.into(), value.into());
            return Ok(());
        };
        self.set_own(name, value)
            .or_else(|| self.eval.set(name, value))
            .or_else(|| self.opponent.set(name, value))
            .or_else(|| self.alphabeta.set(name, value))
            .or_else(|| self.mcts.set(name, value))
            .or_else(|| self.pimc.set(name, value))
            .or_else(|| self.glance.set(name, value))
            .or_else(|| self.habit.set(name, value))
            .or_else(|| self.speculative.set(name, value))
            .ok_or_else(|| ConfigError::value(name, takes, value))
    }

    /// A player by its text within another one's: with `/` for commas, and a small table unless it says how large that is, because it
    /// empties it before every search.
    pub fn nested(text: &str) -> Option<Config> {
        let mut config: Config = text.replace('/', ",").parse().ok()?;
        if !text.contains("hash=") {
            config.hash_kib = 64;
        }
        Some(config)
    }

    /// The players that settings of models name: those that a model may search as.
    pub fn nested_players(&self) -> impl Iterator<Item = Config> {
        self.opponent.words.values().filter_map(|word| Config::nested(word))
    }

    /// The section of docs/settings.md that the settings of models belong to.
    pub(crate) const OPPONENTS: &str = "Models of the opponent, and draws";

    /// The engine's own settings by section, in the order of docs/settings.md.
    pub(crate) const SECTIONS: [(&str, &[&[Setting]]); 9] = [
        ("Every search", &[Config::OWN]),
        ("Evaluation of positions", &[eval::Settings::ALL]),
        (Config::OPPONENTS, &[opponent::Settings::ALL]),
        ("alphabeta: the search", &[alphabeta::Settings::ALL]),
        ("mcts: the tree", &[mcts::Settings::ALL]),
        ("mcts: the playouts", &[playout::Settings::ALL]),
        ("pimc: the worlds", &[pimc::Settings::ALL]),
        ("glance: the beginners among the levels", &[glance::Settings::ALL]),
        (
            "Simple players, and those of Kajihara and others (1999), \"A Speculative Play against Semi-Random Self-Play\"",
            &[Habit::SETTINGS, speculative::Settings::ALL],
        ),
    ];

    /// The most threads of a search.
    pub const MOST_THREADS: u32 = 256;

    /// The largest transposition table, in MiB.
    pub const MOST_HASH_MIB: u32 = 65_536;

    const OWN: &[Setting] = &[
        Setting::new(
            "search",
            "alphabeta, exact, glance, habit, mcts, pimc, random, reference, semirandom or speculative",
            Some("alphabeta"),
            "the search; the name of a player already implies it",
        ),
        Setting::new(
            "threads",
            "1 to 256",
            Some("1"),
            "threads of the search; with more than one, games are not reproducible",
        ),
        Setting::new(
            "hash",
            "1 to 65536 MiB, or from 64k in KiB",
            Some("64"),
            "the size of the transposition table, or of the tree",
        ),
        Setting::new("depth", "1 to 100 plies", None, "the greatest depth of the search"),
        Setting::new(
            "nodes",
            "1 or more",
            None,
            "the most positions searched per move; with one thread this makes games reproducible",
        ),
        Setting::new(
            "movetime",
            "1 to 1000000000 ms per move",
            None,
            "the longest time for a move, with or without a clock",
        ),
        Setting::new("ponder", "on or off", Some("off"), "think on the opponent's time; the protocols only"),
    ];

    fn set_own(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "search" => self.search = word(value, &SearchKind::ALL.map(|search| (search.text(), search)))?,
            "threads" => self.threads = number(value, 1..=Config::MOST_THREADS)?,
            "hash" => {
                self.hash_kib = match value.strip_suffix('k') {
                    Some(kib) => number(kib, 64..=Config::MOST_HASH_MIB * MIB)?,
                    None => MIB * number(value, 1..=Config::MOST_HASH_MIB)?,
                }
            }
            "depth" => self.depth = Some(number(value, 1..=100)?),
            "nodes" => self.nodes = Some(number(value, 1..=u64::MAX)?),
            "movetime" => self.movetime_ms = Some(number(value, 1..=1_000_000_000)?),
            "ponder" => self.ponder = word(value, &[("on", true), ("off", false)])?,
            _ => return None,
        }
        Some(())
    }
}

impl FromStr for Config {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Config, ConfigError> {
        let mut parts = text.split(',');
        let name = parts.next().unwrap_or_default();
        let Some(mut config) = Config::preset(name) else {
            let names: Vec<&str> = PRESETS.iter().map(|(n, _)| *n).collect();
            let (beginners, levels) = (BEGINNERS.len(), LEVELS.len());
            let expected = format!(
                "a player: {}, beginner1 to beginner{beginners}, level1 to level{levels}",
                names.join(", ")
            );
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
    use crate::score::Value;

    #[test]
    fn presets_and_settings_are_read() {
        for (name, _) in PRESETS {
            assert!(Config::preset(name).is_some(), "{name}");
        }
        let config: Config =
            "alphabeta,threads=2,draw=-0.25,without=reductions+nullmove".parse().expect("settings");
        assert_eq!((config.threads, config.opponent.draw_value), (2, Value(-0.25)));
        let without = config.alphabeta.without;
        assert!(without.lacks(Feature::NullMove) && !without.lacks(Feature::Quiesce));
    }

    #[test]
    fn earlier_names_are_read() {
        let read = |text: &str| text.parse::<Config>().expect("a player");
        assert_eq!(read("alphabeta,noise=20,lapses=50"), read("alphabeta,error_size=20,error_rate=50"));
        assert_eq!(read("alphabeta,lineup=field"), read("alphabeta,candidates=field"));
    }

    fn own() -> impl Iterator<Item = &'static Setting> {
        Config::SECTIONS.into_iter().flat_map(|(_, parts)| parts.iter().copied().flatten())
    }

    /// Both ends of a range are taken and nothing beyond them, and so is every word of a list.
    #[test]
    fn settings_take_what_they_say() {
        let takes = |name: &str, value: &str| Config::default().set(name, value).is_ok();
        let (mut ranges, mut lists) = (0, 0);
        for Setting { name, takes: said, .. } in own().filter(|own| !["nodes", "weights"].contains(&own.name))
        {
            let said = said.split(':').next().unwrap_or_default();
            let range = said.split_once(" to ").and_then(|(least, rest)| {
                let most = rest.split([' ', ',']).next()?;
                Some((least.parse::<i64>().ok()?, most.parse::<i64>().ok()?))
            });
            if let Some((least, most)) = range {
                let taken = [least - 1, least, most, most + 1].map(|n| takes(name, &n.to_string()));
                assert_eq!(taken, [false, true, true, false], "{name} takes {said}");
                ranges += 1;
                continue;
            }
            for word in
                said.split(", ").flat_map(|part| part.split(" or ")).flat_map(|part| part.split(" and "))
            {
                assert!(word.contains(' ') || takes(name, word), "{name} takes {said}, but not {word}");
                lists += 1;
            }
        }
        assert!(ranges > 10 && lists > 50, "{ranges} ranges, {lists} words");
    }

    #[test]
    fn every_setting_says_what_it_takes() {
        for Setting { name, takes, .. } in own() {
            let wrong = if *name == "weights" { "" } else { "?" };
            let error = Config::default().set(name, wrong).expect_err(name);
            assert!(error.expected.contains(&**takes), "{error}");
        }
        assert!("chess".parse::<Config>().is_err() && "level11".parse::<Config>().is_err());
        assert!("level0".parse::<Config>().is_err());
        for removed in ["adapt=replies", "adapt=all", "feign=thinker4"] {
            let error = format!("alphabeta,{removed}").parse::<Config>().expect_err(removed).to_string();
            assert!(error.contains("removed after version 0.3.0") && error.contains(removed), "{error}");
        }
        assert_eq!("alphabeta,adapt=draws".parse(), Ok(Config::default()));
    }
}
