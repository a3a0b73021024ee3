//! The gain of adapting: the engine plays the same deals against each player of the field with and without a
//! model, and is not told who the opponent is. Both players ponder, for as many nodes as the opponent
//! searches; a model's own searches are paid from these or from the engine's budget.
//!
//! Adapting is `opponent=adapt`: it estimates the opponent's strength, and values draws accordingly. It is
//! compared with an engine that is told the strength, with a model that is told who the opponent is and pays
//! for replies, and with an oracle that knows every reply for free. Strangers and games by the clock show that
//! adapting does no harm; Swiss events show its worth in tournaments.

mod opponents;
mod rank;
mod tables;

use anglerfish_arena::{Contestant, Match, Worker, halves};
use anglerfish_engine::{Config, Engine, ManualClock};
use anglerfish_opponents::{DRAW_VALUES, candidate_table};
use anglerfish_rules::Record;
use anglerfish_rules::banqi::Banqi;
use serde::{Deserialize, Serialize};

use self::opponents::{Opponent, Part, opponents};
use self::tables::Group;
use crate::assets::{assets, digests};
use crate::experiment::{read_unit, written};
use crate::field::contestant;
use crate::paired::{Difference, Played, read};
use crate::{Check, Experiment, Findings, LabError, Manifest, Results, Size};
use anglerfish_opponents::field::{CHAMPION, Member};

/// The engine's knowledge of the opponent, and its use.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Arm {
    /// No knowledge.
    Plain,
    /// The strength is estimated in play, and changes the value of draws.
    Adapt,
    /// The strength is told.
    Class,
    /// The identity is told, and replies are foreseen.
    Told,
    /// Every reply is known.
    Oracle,
}

impl Arm {
    const MODELS: [Arm; 4] = [Arm::Adapt, Arm::Class, Arm::Told, Arm::Oracle];

    fn name(self) -> &'static str {
        match self {
            Arm::Plain => "plain",
            Arm::Adapt => "adapting",
            Arm::Class => "told its class",
            Arm::Told => "told who it is",
            Arm::Oracle => "oracle",
        }
    }

    /// How many games are played in this way against an opponent. Without a model it is the most of any model.
    fn games(self, manifest: &Manifest, part: Part) -> u64 {
        let [games, parts] = ["games", "parts"].map(|name| manifest.number(name));
        match (part, self) {
            (Part::Timed, _) => manifest.number("timed"),
            (Part::Stranger, _) => manifest.number("strangers"),
            (Part::Field, Arm::Plain) => games.max(parts),
            (Part::Field, Arm::Adapt | Arm::Class) => games,
            (Part::Field, _) => parts,
        }
    }

    /// The settings of the model against a member; empty if it plays as without a model.
    fn model(self, them: &Member) -> String {
        let replica = || format!(",opponent=replica,replica={}", them.replica());
        match self {
            Arm::Plain => String::new(),
            Arm::Adapt => format!(",opponent=adapt,candidates={}", candidate_table::FIELD),
            Arm::Class => worth(them).map_or(String::new(), |worth| format!(",draw={worth}")),
            Arm::Told => replica(),
            Arm::Oracle => format!("{},oracle=on", replica()),
        }
    }

    /// Whether the model changes the play. Told that the opponent is an equal it does not, and those games
    /// are played once.
    fn differs(self, them: &Opponent) -> bool {
        !self.model(&them.member).is_empty()
    }

    /// Whether this model exists for an opponent. Oracles exist only for some searches, and only the field is
    /// asked everything. Opponents with long searches are not replicated: a told model could not pay for one
    /// reply, and an oracle would take hours.
    fn is_of(self, them: &Opponent) -> bool {
        let known = |text: String| {
            let config: Config = text.parse().ok()?;
            Engine::<Banqi>::new(&config, &assets(), std::sync::Arc::new(ManualClock::default())).ok()
        };
        match self {
            Arm::Plain | Arm::Adapt => true,
            _ if them.part != Part::Field => false,
            Arm::Told | Arm::Oracle if them.member.nodes > LONG => false,
            Arm::Oracle => known(format!("alphabeta{}", self.model(&them.member))).is_some(),
            _ => true,
        }
    }
}

/// The stored result of a pair of games.
#[derive(Serialize, Deserialize)]
struct KeptPair {
    #[serde(flatten)]
    played: Played,
    /// Half points of the first-named player in each game.
    halves: [u8; 2],
}

impl KeptPair {
    fn new(records: &[Record<Banqi>]) -> KeptPair {
        let [first, both] = [&records[..1], records].map(halves);
        KeptPair { played: Played::new(records), halves: [first, both - first] }
    }
}

/// The gain of a model against an opponent.
struct Gain {
    them: Opponent,
    arm: Arm,
    difference: Difference,
}

/// See the module.
pub struct Adapt;

impl Experiment for Adapt {
    fn name(&self) -> &'static str {
        "adapt"
    }

    fn about(&self) -> &'static str {
        "Banqi: what it gains to find out in play who the opponent is like, and to play accordingly"
    }

    fn takes_luck(&self) -> bool {
        true
    }

    /// `games` against each player of the field without a model, adapting and told its class, `parts` with each of
    /// the other models, `strangers` against each of the strangers, `timed` by the clock; `rivals` of every two
    /// others, for this many `events`. Nodes are divided by `fewer`, for a short run that only shows that it works.
    fn numbers(&self, size: Size) -> Vec<(&'static str, u64)> {
        let [games, parts, strangers, timed, rivals, events, fewer] = match size {
            // On a shared machine no player can promise to be in time.
            Size::Ci => [4, 4, 2, 0, 2, 20, 50],
            Size::Paper => [600, 200, 400, 100, 20, 200, 1],
            Size::Full => [1_200, 400, 1_000, 100, 20, 200, 1],
        };
        let named = [("games", games), ("parts", parts), ("strangers", strangers), ("timed", timed)];
        named.into_iter().chain([("rivals", rivals), ("events", events), ("fewer", fewer)]).collect()
    }

    fn units(&self, manifest: &Manifest) -> Vec<String> {
        let both = |them| std::iter::once(Arm::Plain).chain(Arm::MODELS).map(move |arm| (them, arm));
        let asked = |(them, arm): &(Opponent, Arm)| {
            arm.games(manifest, them.part) > 0 && arm.is_of(them) && (*arm == Arm::Plain || arm.differs(them))
        };
        let games = opponents().into_iter().flat_map(both).filter(asked);
        let units = games.flat_map(|(them, arm)| game(manifest, &them, arm).units().collect::<Vec<_>>());
        units.chain(rank::units(manifest)).collect()
    }

    fn work(&self, unit: &str) -> Result<String, LabError> {
        let records = Worker { assets: assets(), ..Worker::default() }.play(unit)?;
        written(&KeptPair::new(&records))
    }

    fn findings(&self, manifest: &Manifest, results: &Results) -> Result<Findings, LabError> {
        let difference = |them: &Opponent, arms: [Arm; 2]| -> Result<Difference, LabError> {
            let [with, without] = arms.map(|arm| read::<KeptPair>(&game(manifest, them, arm), results));
            let (with, without) = (with?, without?);
            let [with, without] =
                [&with, &without].map(|pairs| pairs.iter().map(|kept| &kept.played).collect::<Vec<_>>());
            Ok(Difference::new(&with, Some(&without[..with.len()])))
        };
        let (mut gains, mut found) = (Vec::new(), Vec::new());
        for them in opponents() {
            let is_asked = |arm: &Arm| arm.is_of(&them) && arm.games(manifest, them.part) > 0;
            for arm in Arm::MODELS.into_iter().filter(is_asked) {
                gains.push(Gain { them, arm, difference: difference(&them, [arm, Arm::Plain])? });
            }
            if is_asked(&Arm::Class) {
                let difference = difference(&them, [Arm::Adapt, Arm::Class])?;
                found.push(Gain { them, arm: Arm::Adapt, difference });
            }
        }
        let units = self.units(manifest);
        let played: Result<Vec<KeptPair>, LabError> =
            units.iter().map(|unit| read_unit(unit, results)).collect();
        let played = played?;
        let forfeits = played.iter().map(|kept| kept.played.forfeits).sum();
        let finished = Check::finished(2 * played.len() as u64, forfeits);
        let ranked = rank::ranked(manifest, results)?;
        Ok(tables::findings(self, manifest, finished, [&gains, &found], ranked.as_ref()))
    }
}

/// The draw value that adapting chooses against an opponent of known class, if not the default.
fn worth(them: &Member) -> Option<f32> {
    let [weaker, stronger] = DRAW_VALUES;
    match () {
        () if Group::Weaker.has(them) || Group::Beaten.has(them) => Some(weaker),
        () if Group::Stronger.has(them) => Some(stronger),
        () => None,
    }
}

/// Opponents that search more nodes than this are not asked for their replies.
const LONG: u64 = 1_000;

/// Our time per move in games by the clock.
const SECONDS: f64 = 0.05;

/// The match with an opponent, with a model. Its deals and seeds depend only on the opponent.
fn game(manifest: &Manifest, them: &Opponent, arm: Arm) -> Match {
    let fewer = manifest.number("fewer");
    let (member, champion) = (them.member.with_fewer(fewer), Member::by_name(CHAMPION));
    let champion = champion.unwrap_or_else(|| unreachable!("the champion is a member")).with_fewer(fewer);
    let us = format!("{}{}", champion.player, arm.model(&member));
    // Pondered nodes cannot be counted if a player has a clock.
    let timed = them.part == Part::Timed;
    let budget = if timed { format!("st={SECONDS}") } else { format!("nodes={}", champion.nodes) };
    let players = [
        Contestant::builtin("us", &us, &budget),
        Contestant { name: "them".to_owned(), ..contestant(&member, 1) },
    ];
    let pairs = arm.games(manifest, them.part).div_ceil(2);
    Match {
        luck: manifest.luck.clone(),
        ponder: !timed,
        assets: digests(),
        ..Match::new::<Banqi>(players, "platform", 1_000 * manifest.seed + them.place, pairs)
    }
}
