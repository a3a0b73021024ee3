//! Speculative play: among the moves that look safe, the one after which an opponent of known weakness goes wrong most often.
//!
//! Kajihara, Sakuta, Iida, Uiterwijk and van den Herik (1999), "A Speculative Play against Semi-Random Self-Play", Definition 2. The
//! paper leaves open what is counted, so these choices are data here, with named presets; none of them gives all of the paper's Table 2.

use std::fmt;
use std::str::FromStr;

use anglerfish_rules::{Game, Outcome, Team, Turn};

use super::semirandom::{Fallback, Forced, Known, SemiRandom, after, forced};
use crate::search::chooser::Chooser;
use crate::setting::ConfigError;
use crate::setting::{Setting, number, word};

/// Below this, two ratios are the same: sums in another order differ in the last bits.
const SAME: f64 = 1e-9;

macro_rules! options {
    ($($(#[$doc:meta])+ $name:ident { $($(#[$vdoc:meta])+ $variant:ident = $text:literal,)+ })+) => {
        $($(#[$doc])+
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub enum $name { $($(#[$vdoc])+ $variant,)+ }

        impl $name {
            const ALL: &[(&str, $name)] = &[$(($text, $name::$variant),)+];

            fn text(self) -> &'static str {
                Self::ALL.iter().find(|(_, v)| *v == self).map_or("", |(text, _)| text)
            }
        })+
    };
}

options! {
    /// Which moves are compared at the root.
    Filter {
        /// Those that semi-random play allows: wins first, losses never.
        Safe = "safe",
        /// All: the ratio alone decides.
        Open = "open",
    }
    /// The supposed replies of the opponent.
    Replies {
        /// Those of its semi-random player.
        Model = "model",
        /// Anything.
        All = "all",
    }
    /// Our supposed moves after the first.
    Own {
        /// Those of semi-random play with the plies that are left.
        SemiRandom = "semirandom",
        /// Anything.
        All = "all",
    }
    /// How leaves are weighed.
    Weigh {
        /// Each leaf once, as the paper's figure counts them.
        Leaves = "leaves",
        /// Each by how likely play among equals leads to it: averages at every node.
        Nodes = "nodes",
    }
    /// Which leaves are counted.
    Count {
        /// All: ends, and positions where the look-ahead ends.
        All = "all",
        /// Ends only.
        Ends = "ends",
    }
    /// What is maximized.
    Aim {
        /// The share of wins.
        Win = "win",
        /// The share of wins less that of losses.
        Net = "net",
        /// The share of all but losses: the paper's future work.
        NonLoss = "nonloss",
    }
    /// What is done with equals.
    Ties {
        /// One of them, each equally likely.
        Random = "random",
        /// The first in the order of the rules: row by row.
        First = "first",
    }
}

/// Definition 2 with what it leaves open. Its text is the name of a preset, or the seven words joined by `+`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Speculation {
    /// Which moves are compared.
    pub filter: Filter,
    /// The supposed replies of the opponent.
    pub replies: Replies,
    /// Our supposed later moves.
    pub own: Own,
    /// How leaves are weighed.
    pub weigh: Weigh,
    /// Which leaves count.
    pub count: Count,
    /// What is maximized.
    pub aim: Aim,
    /// What is done with equals.
    pub ties: Ties,
}

impl Speculation {
    /// The words of Definition 2 and of its figure, nothing added.
    pub const DEFINITION: Speculation = Speculation {
        filter: Filter::Open,
        replies: Replies::Model,
        own: Own::All,
        weigh: Weigh::Leaves,
        count: Count::All,
        aim: Aim::Win,
        ties: Ties::Random,
    };
    /// The closest that was found for the paper's cells in which the speculative player moves first.
    pub const LEAD_W: Speculation = Speculation {
        filter: Filter::Safe,
        replies: Replies::Model,
        own: Own::SemiRandom,
        weigh: Weigh::Nodes,
        count: Count::All,
        aim: Aim::Net,
        ties: Ties::Random,
    };
    /// The closest that was found for the cells in which it moves second.
    pub const LEAD_B: Speculation = Speculation {
        filter: Filter::Safe,
        replies: Replies::Model,
        own: Own::All,
        weigh: Weigh::Leaves,
        count: Count::Ends,
        aim: Aim::Win,
        ties: Ties::First,
    };
    /// Wins against the model, as likely as they are: what the first of the two variants in the paper's future work aims at.
    pub const WINNER: Speculation = Speculation { aim: Aim::Win, ..Speculation::LEAD_W };
    /// Fewest losses: the second variant.
    pub const KEEPER: Speculation = Speculation { aim: Aim::NonLoss, ..Speculation::LEAD_W };

    /// The presets by name.
    pub const PRESETS: [(&'static str, Speculation); 5] = [
        ("definition", Speculation::DEFINITION),
        ("w", Speculation::LEAD_W),
        ("b", Speculation::LEAD_B),
        ("winner", Speculation::WINNER),
        ("keeper", Speculation::KEEPER),
    ];
}

impl fmt::Display for Speculation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = Speculation::PRESETS.iter().find(|(_, preset)| preset == self) {
            return f.write_str(name);
        }
        let words = [
            self.filter.text(),
            self.replies.text(),
            self.own.text(),
            self.weigh.text(),
            self.count.text(),
            self.aim.text(),
            self.ties.text(),
        ];
        f.write_str(&words.join("+"))
    }
}

impl FromStr for Speculation {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Speculation, ConfigError> {
        if let Some((_, preset)) = Speculation::PRESETS.iter().find(|(name, _)| *name == text) {
            return Ok(*preset);
        }
        let words: Vec<&str> = text.split('+').collect();
        let read = match words[..] {
            [filter, replies, own, weigh, count, aim, ties] => (|| {
                Some(Speculation {
                    filter: word(filter, Filter::ALL)?,
                    replies: word(replies, Replies::ALL)?,
                    own: word(own, Own::ALL)?,
                    weigh: word(weigh, Weigh::ALL)?,
                    count: word(count, Count::ALL)?,
                    aim: word(aim, Aim::ALL)?,
                    ties: word(ties, Ties::ALL)?,
                })
            })(),
            _ => None,
        };
        let expected = "definition, w, b, winner, keeper, or safe|open+model|all+semirandom|all+leaves|nodes+all|ends+win|net|nonloss+random|first";
        read.ok_or_else(|| ConfigError { expected: expected.to_owned(), found: text.to_owned() })
    }
}

/// The settings of the players of Kajihara and others (1999).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Settings {
    /// Plies that a semi-random or speculative player looks ahead.
    pub look: u32,
    /// Plies that a speculative player expects its opponent to look ahead.
    pub model: u32,
    /// The choice of those players when every move loses.
    pub fallback: Fallback,
    /// The preset of speculative play.
    pub speculation: Speculation,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { look: 2, model: 0, fallback: Fallback::Delay, speculation: Speculation::LEAD_W }
    }
}

impl Settings {
    pub(crate) const ALL: &[Setting] = &[
        Setting::new(
            "look",
            "0 to 20 plies",
            Some("2"),
            "for semirandom and speculative: the plies that the player looks ahead",
        ),
        Setting::new(
            "model",
            "0 to 20 plies",
            Some("0"),
            "for speculative: the plies that it assumes its opponent to look ahead",
        ),
        Setting::new(
            "fallback",
            "delay or any",
            Some("delay"),
            "for semirandom: its choice when every move loses: delay the loss, or any move",
        ),
        Setting::new(
            "speculate",
            "definition, w, b, winner, keeper, or seven words joined by +",
            Some("w"),
            "for speculative: the reading of the paper",
        ),
    ];

    pub(crate) fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "look" => self.look = number(value, 0..=20)?,
            "model" => self.model = number(value, 0..=20)?,
            "fallback" => {
                self.fallback = word(value, &[("delay", Fallback::Delay), ("any", Fallback::Any)])?;
            }
            "speculate" => self.speculation = value.parse().ok()?,
            _ => return None,
        }
        Some(())
    }
}

/// Leaves below a move: won, drawn, lost, and out of sight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Leaves {
    /// Ends that we win.
    pub won: f64,
    /// Drawn ends.
    pub drawn: f64,
    /// Ends that we lose.
    pub lost: f64,
    /// Positions where the look-ahead ends before the game.
    pub unclear: f64,
}

impl Leaves {
    fn worth(self, count: Count, aim: Aim) -> f64 {
        let ends = self.won + self.drawn + self.lost;
        let all = if count == Count::All { ends + self.unclear } else { ends };
        let good = match aim {
            Aim::Win => self.won,
            Aim::Net => self.won - self.lost,
            Aim::NonLoss => all - self.lost,
        };
        if all > 0.0 { good / all } else { 0.0 }
    }
}

/// A player that expects its opponent to be `P_model`.
#[derive(Clone)]
pub struct Speculative<G: Game> {
    rule: Speculation,
    look: u32,
    model: SemiRandom<G>,
    /// Semi-random players by how many plies are left to them.
    own: Vec<SemiRandom<G>>,
    /// Leaves by position and plies left.
    below: Known<(String, u32), Leaves>,
    known: Known<String, Vec<G::Action>>,
}

impl<G: Game> Speculative<G> {
    /// A player that looks `look` plies ahead against `P_model`. The paper wants `look` to be at least `model` + 2.
    pub fn new(look: u32, model: u32, fallback: Fallback, rule: Speculation) -> Speculative<G> {
        Speculative {
            rule,
            look,
            model: SemiRandom::new(model, fallback),
            own: (0..=look).map(|left| SemiRandom::new(left, fallback)).collect(),
            below: Known::new(),
            known: Known::new(),
        }
    }

    /// The leaves below `game` with `left` plies to go, for the team that speculates.
    pub fn leaves(&mut self, game: &G, us: Team, left: u32) -> Leaves {
        let seat = match game.turn() {
            Turn::Over(Outcome::Win(winner), _) if winner == us => {
                return Leaves { won: 1.0, ..Leaves::default() };
            }
            Turn::Over(Outcome::Win(_), _) => return Leaves { lost: 1.0, ..Leaves::default() },
            Turn::Over(Outcome::Draw, _) => return Leaves { drawn: 1.0, ..Leaves::default() },
            Turn::Seat(_) if left == 0 => return Leaves { unclear: 1.0, ..Leaves::default() },
            Turn::Seat(seat) => seat,
        };
        let key = (game.to_string(), left);
        if let Some(known) = self.below.get(&key) {
            return *known;
        }
        let mut actions = Vec::new();
        match (seat.team() == us, self.rule.own, self.rule.replies) {
            (true, Own::SemiRandom, _) => actions = self.own[left as usize].choices(game),
            (false, _, Replies::Model) => actions = self.model.choices(game),
            (true, Own::All, _) | (false, _, Replies::All) => game.actions(&mut actions),
        }
        let share = match self.rule.weigh {
            Weigh::Leaves => 1.0,
            Weigh::Nodes => 1.0 / actions.len() as f64,
        };
        let mut sum = Leaves::default();
        for action in actions {
            let below = self.leaves(&after(game, action), us, left - 1);
            sum.won += share * below.won;
            sum.drawn += share * below.drawn;
            sum.lost += share * below.lost;
            sum.unclear += share * below.unclear;
        }
        self.below.put(key, sum);
        sum
    }

    /// Definition 2, with the choices not remembered.
    fn decide(&mut self, game: &G) -> Vec<G::Action> {
        let Some(seat) = game.turn().seat() else { return Vec::new() };
        let us = seat.team();
        let mut actions = Vec::new();
        match self.rule.filter {
            Filter::Safe => actions = self.own[self.look as usize].choices(game),
            Filter::Open => game.actions(&mut actions),
        }
        // A certain win needs no speculation: all that R1 allows are as good.
        let left = self.look.saturating_sub(1);
        let wins = |game: &G| forced(game, us, left) == Forced::Win;
        if self.rule.filter == Filter::Safe && wins(&after(game, actions[0])) {
            return actions;
        }
        let worth = |action: &G::Action| {
            self.leaves(&after(game, *action), us, left).worth(self.rule.count, self.rule.aim)
        };
        let worths: Vec<f64> = actions.iter().map(worth).collect();
        let best = worths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let equals = actions.iter().zip(&worths).filter(|(_, w)| **w >= best - SAME).map(|(&a, _)| a);
        match self.rule.ties {
            Ties::Random => equals.collect(),
            Ties::First => equals.take(1).collect(),
        }
    }
}

impl<G: Game> Chooser<G> for Speculative<G> {
    fn choices(&mut self, game: &G) -> Vec<G::Action> {
        let text = game.to_string();
        if let Some(known) = self.known.get(&text) {
            return known.clone();
        }
        let choices = self.decide(game);
        self.known.put(text, choices.clone());
        choices
    }
}
