//! What adapting gains: against each player of the field the engine plays the same deals without a model and with one, and nobody tells it who that is. Both ponder, for as many
//! nodes as the opponent searches, and whatever a model searches is paid from these or from our own.
//!
//! Beside it stand its parts (draws alone, replies alone), a model that was told who the opponent is and pays, and an oracle that knows every answer and does not.

mod tables;

use anglerfish_arena::{Contestant, Match, Worker};
use anglerfish_engine::{Config, Engine, ManualClock};
use anglerfish_rules::banqi::Banqi;

use crate::field::{CHAMPION, MEMBERS, Member};
use crate::paired::{Difference, Played, read};
use crate::{Experiment, Findings, Manifest, Results, Size, lineup};

/// What is known of the opponent, and what is made of it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Arm {
    /// Nothing.
    Plain,
    /// Who it is like is found out in play.
    Adapt,
    /// The same, and only draws are worth something else.
    Draws,
    /// The same, and only replies are foreseen.
    Replies,
    /// Who it is was told.
    Told,
    /// Every answer is known.
    Oracle,
}

impl Arm {
    const MODELS: [Arm; 5] = [Arm::Adapt, Arm::Draws, Arm::Replies, Arm::Told, Arm::Oracle];

    fn name(self) -> &'static str {
        match self {
            Arm::Plain => "plain",
            Arm::Adapt => "adapting",
            Arm::Draws => "draws alone",
            Arm::Replies => "replies alone",
            Arm::Told => "told who it is",
            Arm::Oracle => "oracle",
        }
    }

    /// The number of a run that says how many games are played so.
    fn games(self) -> &'static str {
        if matches!(self, Arm::Plain | Arm::Adapt) { "games" } else { "parts" }
    }

    /// The settings of the model against a member.
    fn model(self, them: &Member) -> String {
        let adapt = |part: &str| format!(",opponent=adapt,adapt={part},lineup={}", lineup::FIELD);
        let replica = || format!(",opponent=replica,replica={}", them.replica());
        match self {
            Arm::Plain => String::new(),
            Arm::Adapt => adapt("all"),
            Arm::Draws => adapt("draws"),
            Arm::Replies => adapt("replies"),
            Arm::Told => replica(),
            Arm::Oracle => format!("{},oracle=on", replica()),
        }
    }

    /// Whether there is such a model of a member: an oracle cannot be had of every search.
    fn is_of(self, them: &Member) -> bool {
        let known = |text: String| {
            let config: Config = text.parse().ok()?;
            Engine::<Banqi>::new(&config, &lineup::assets(), std::sync::Arc::new(ManualClock::default())).ok()
        };
        self != Arm::Oracle || known(format!("alphabeta{}", self.model(them))).is_some()
    }
}

/// What a model gains against a member.
struct Gain {
    member: Member,
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

    /// `games` of each player of the field without a model and adapting, `parts` with each of the other models. Nodes are divided by `fewer`, for a run that only shows
    /// that it works.
    fn numbers(&self, size: Size) -> Vec<(&'static str, u64)> {
        let [games, parts, fewer] = match size {
            Size::Ci => [4, 4, 50],
            Size::Paper => [600, 200, 1],
            Size::Full => [1_200, 400, 1],
        };
        vec![("games", games), ("parts", parts), ("fewer", fewer)]
    }

    fn units(&self, manifest: &Manifest) -> Vec<String> {
        let plain = (0..MEMBERS.len()).map(|place| (place, Arm::Plain));
        plain
            .chain(models(manifest))
            .flat_map(|(place, arm)| game(manifest, place, arm).units().collect::<Vec<_>>())
            .collect()
    }

    fn work(&self, unit: &str) -> Result<String, String> {
        let records = Worker { assets: lineup::assets(), ..Worker::default() }.play(unit)?;
        serde_json::to_string(&Played::new(&records)).map_err(|e| e.to_string())
    }

    fn findings(&self, manifest: &Manifest, results: &Results) -> Result<Findings, String> {
        let mut gains = Vec::new();
        for (place, arm) in models(manifest) {
            let with: Vec<Played> = read(&game(manifest, place, arm), results)?;
            let without: Vec<Played> = read(&game(manifest, place, Arm::Plain), results)?;
            let [with, without] = [&with, &without].map(|pairs| pairs.iter().collect::<Vec<_>>());
            let difference = Difference::new(&with, Some(&without[..with.len()]));
            gains.push(Gain { member: MEMBERS[place], arm, difference });
        }
        Ok(tables::findings(self, manifest, &gains))
    }
}

/// Every model against every member that it can be had of.
fn models(manifest: &Manifest) -> impl Iterator<Item = (usize, Arm)> {
    let games = |arm: &Arm| manifest.number(arm.games()) > 0;
    let arms: Vec<Arm> = Arm::MODELS.into_iter().filter(games).collect();
    let of = |arm: Arm| {
        (0..MEMBERS.len()).filter(move |place| arm.is_of(&MEMBERS[*place])).map(move |place| (place, arm))
    };
    arms.into_iter().flat_map(of)
}

/// The match of a member and a model. Its deals and seeds depend on the member alone.
fn game(manifest: &Manifest, place: usize, arm: Arm) -> Match {
    let fewer = manifest.number("fewer");
    let (member, champion) = (MEMBERS[place].with_fewer(fewer), Member::by_name(CHAMPION));
    let champion = champion.unwrap_or_else(|| unreachable!("the champion is a member")).with_fewer(fewer);
    let us = format!("{}{}", champion.player, arm.model(&member));
    let players = [
        Contestant::builtin("us", &us, &format!("nodes={}", champion.nodes)),
        Contestant { name: "them".to_owned(), ..member.contestant(1) },
    ];
    let pairs = manifest.number(arm.games()).div_ceil(2);
    Match {
        luck: manifest.luck.clone(),
        ponder: true,
        assets: lineup::digests(),
        ..Match::new::<Banqi>(players, "platform", 1_000 * manifest.seed + place as u64, pairs)
    }
}
