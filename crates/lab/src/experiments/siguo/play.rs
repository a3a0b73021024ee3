//! Games of Siguo between agents who differ in their layouts, in their models of others, or in how they choose.

use std::sync::Arc;
use std::time::Duration;

use crate::LabError;

use anglerfish_engine::opponent::{Debt, OpponentModel, Opponents, Profile};
use anglerfish_engine::{Assets, Config, Engine, Limits, ManualClock, Stop};
use anglerfish_rules::{Game as _, Outcome, Ply, Rng, RngExt, Seat, Turn};
use anglerfish_siguo::arrangement::{is_next, worlds};
use anglerfish_siguo::{Arm, Event, Knowledge, Layout, Man, Rules, Siguo, Station, View};
use serde::{Deserialize, Serialize};

use super::archive::{Archive, Part};
use super::evidence::Evidence;
use super::measure::{Case, Score, stage};
use super::models::{ANYBODY, CLASSIFIED, GENERAL, Models};
use super::paper::Class;

/// The eight agents of the paper's Table 5: their layouts, and their models. `R` is any legal layout.
pub(super) const AGENTS: [(&str, Option<Class>, usize); 8] = [
    ("PRG", None, GENERAL),
    ("PRC", None, CLASSIFIED),
    ("PAG", Some(Class::Aggressive), GENERAL),
    ("PAC", Some(Class::Aggressive), CLASSIFIED),
    ("PBG", Some(Class::Balanced), GENERAL),
    ("PBC", Some(Class::Balanced), CLASSIFIED),
    ("PDG", Some(Class::Defensive), GENERAL),
    ("PDC", Some(Class::Defensive), CLASSIFIED),
];

/// Matches between two ways to play with people's armies: a name, and the players. `W` stands for the number
/// of worlds.
pub(super) const MATCHES: [(&str, [Chooser; 2]); 4] = [
    (
        "best model against general model, in the player of the paper",
        [Chooser { player: PAPER, model: ANYBODY }, Chooser { player: PAPER, model: GENERAL }],
    ),
    (
        "best model against general model, in our player",
        [Chooser { player: OURS, model: ANYBODY }, Chooser { player: OURS, model: GENERAL }],
    ),
    (
        "our player against the random player",
        [Chooser { player: OURS, model: ANYBODY }, Chooser { player: "random", model: GENERAL }],
    ),
    (
        "our player against the one-ply player",
        [Chooser { player: OURS, model: ANYBODY }, Chooser { player: ONE_PLY, model: GENERAL }],
    ),
];

/// Tries every choice in the same worlds, followed by four random plies and a count of men: the paper's
/// player as fixed in docs/siguo.md.
pub(super) const PAPER: &str = "pimc,plies=4,count=men";
/// Our own player.
pub(super) const OURS: &str = "pimc";
/// Takes the choice with the best mean gain over worlds; a random one among equals.
pub(super) const ONE_PLY: &str = "pimc,count=men";

/// The player in both seats of a team.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chooser {
    /// A configuration of the engine, except for the number of worlds.
    pub(super) player: &'static str,
    /// Its model of armies.
    pub(super) model: usize,
}

impl Chooser {
    fn engine(self, models: &Arc<Models>, worlds: u32) -> Result<Engine<Siguo>, LabError> {
        let mut config: Config = self.player.parse().map_err(|e| format!("{}: {e}", self.player))?;
        config.pimc.worlds = worlds;
        let model = |_| Box::new(Guesser::new(models, self.model)) as Box<dyn OpponentModel<Siguo>>;
        let opponents = Opponents::by((0..Siguo::SEATS).map(model).collect());
        let clock = Arc::new(ManualClock::default());
        Ok(Engine::with_models(&config, &Assets::default(), opponents, clock)?)
    }
}

/// One of the models of this experiment in a game.
struct Guesser {
    models: Arc<Models>,
    model: usize,
    them: Seat,
    known: Option<(Knowledge, Evidence)>,
}

impl Guesser {
    fn new(models: &Arc<Models>, model: usize) -> Guesser {
        Guesser { models: Arc::clone(models), model, them: Seat(0), known: None }
    }
}

impl OpponentModel<Siguo> for Guesser {
    fn observe(&mut self, before: &View, ply: &Ply<Event>, _: &mut Debt) {
        if is_next(before, self.them) {
            let known = || (Knowledge::new(before), Evidence::new());
            let (knowledge, evidence) = self.known.get_or_insert_with(known);
            knowledge.follow(&before.table, ply.event);
            evidence.follow(&before.table, ply.event);
        }
    }

    fn begin(&mut self, seat: Seat, _: u64, _: Option<&Profile>) {
        (self.them, self.known) = (seat, None);
    }

    fn worlds(&mut self, view: &View, n: usize, rng: &mut Rng) -> Vec<Siguo> {
        let (knowledge, evidence) = self.known.get_or_insert_with(|| (Knowledge::new(view), Evidence::new()));
        let (models, model, table) = (&self.models, self.model, &view.table);
        let Some(observer) = table.arm_of(view.seat) else { return Vec::new() };
        let odds = |arm: Arm, known: &_| {
            let case = Case { ply: 0, arm, observer, known, evidence, table, hidden: Vec::new() };
            models.entries(model, &case)
        };
        worlds(view, knowledge, odds, n, rng)
    }
}

/// How a game ended for the first of two, and the guesses during it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Played {
    /// 100, 0 or -100.
    pub(super) points: i64,
    pub(super) plies: u32,
    /// By the player whose army is guessed, by stage, and by the general and the classified model.
    pub(super) guesses: [[[Score; 2]; 3]; 2],
}

/// A game. The first of `teams` has the first and the third layout, and sits in the south and the north, or
/// with `turned` one arm further. Every `every` plies the seat to move guesses; never if that is 0.
pub(super) fn played(
    models: &Arc<Models>,
    teams: [Chooser; 2],
    layouts: [Layout; 4],
    turned: bool,
    worlds: u32,
    seed: u64,
    every: u32,
) -> Result<Played, LabError> {
    let shift = usize::from(turned);
    let armies = Arm::ALL.map(|arm| Some(layouts[(arm.index() + 4 - shift) % 4]));
    let mut game = Siguo::start(Rules::default(), armies, Arm::South);
    let team = |seat: usize| (seat + shift) % 2;
    let mut engines: Vec<Engine<Siguo>> =
        (0..4).map(|seat| teams[team(seat)].engine(models, worlds)).collect::<Result<_, _>>()?;
    for (seat, engine) in engines.iter_mut().enumerate() {
        engine.new_game(Seat(seat as u8), seed, None);
    }
    let mut watched: Vec<(Knowledge, Evidence)> =
        (0..4).map(|seat| (Knowledge::new(&game.view(Seat(seat))), Evidence::new())).collect();
    let mut found = Played { points: 0, plies: 0, guesses: Default::default() };
    let mut dice = Rng::stream(seed, "dice");
    loop {
        let seat = match game.turn() {
            Turn::Over(Outcome::Draw, _) => return Ok(found),
            Turn::Over(Outcome::Win(winner), _) => {
                let first = Seat(shift as u8).team();
                found.points = if winner == first { 100 } else { -100 };
                return Ok(found);
            }
            Turn::Seat(seat) => usize::from(seat.0),
        };
        found.plies += 1;
        if every > 0 && found.plies.is_multiple_of(every) {
            let guesses = &mut found.guesses[1 - team(seat)][stage(found.plies)];
            guess(models, &game, &watched[seat], found.plies, guesses);
        }
        let view = game.view(Seat(seat as u8)).into_owned();
        let chosen = engines[seat].think(&view, Limits::default(), &Stop::default(), &mut |_| {});
        let event = game.draw(chosen.action, &mut dice);
        let ply = Ply { seat: Seat(seat as u8), event, took: Duration::ZERO };
        for (seat, engine) in engines.iter_mut().enumerate() {
            engine.observe(&game.view(Seat(seat as u8)), &ply);
        }
        for (knowledge, evidence) in watched.iter_mut().filter(|_| every > 0) {
            knowledge.follow(game.table(), event);
            evidence.follow(game.table(), event);
        }
        game.apply(event);
    }
}

/// The guesses of the seat to move about its enemies, by the two models of the paper.
fn guess(
    models: &Models,
    game: &Siguo,
    (knowledge, evidence): &(Knowledge, Evidence),
    ply: u32,
    scores: &mut [Score; 2],
) {
    let table = game.table();
    let observer = table.to_move();
    for arm in Arm::ALL.into_iter().filter(|&arm| table.are_enemies(observer, arm) && !table.is_out(arm)) {
        let (Some(known), Some(layout)) = (knowledge.army(arm), game.layout(arm)) else { continue };
        let men = Station::all().filter_map(|at| table.man(at)).filter(|man| man.arm() == arm);
        let hidden: Vec<usize> =
            men.map(Man::slot).filter(|&slot| known.roles(slot).settled().is_none()).collect();
        let case = Case { ply, arm, observer, known, evidence, table, hidden };
        let odds = [models.general.predict(case.known), models.printed.predict(case.known)];
        for (score, odds) in scores.iter_mut().zip(odds) {
            score.add(&odds, layout, &case.hidden);
        }
    }
}

/// Layouts of people whose armies were used for no model.
pub(super) struct Armies {
    all: Vec<Layout>,
    classes: [Vec<Layout>; 3],
}

impl Armies {
    pub(super) fn new(archive: &Archive, models: &Models) -> Armies {
        let all = archive.layouts(Part::HeldOut);
        let of = |class: Class| all.iter().copied().filter(|layout| models.class(layout) == class).collect();
        Armies { classes: Class::ALL.map(of), all }
    }

    /// Any of them; any legal one if there is none.
    pub(super) fn any(&self, rng: &mut Rng) -> Layout {
        match self.all.len() {
            0 => Layout::random(rng),
            n => self.all[rng.below(n as u32) as usize],
        }
    }

    /// One of a class, or any legal one.
    fn of(&self, class: Option<Class>, rng: &mut Rng) -> Layout {
        let some = class.map(|class| &self.classes[class as usize]).filter(|some| !some.is_empty());
        match some {
            Some(some) => some[rng.below(some.len() as u32) as usize],
            None => Layout::random(rng),
        }
    }
}

/// A game of a round of Figure 5: the two agents, and how it ended for the first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Figure {
    pub(super) agents: [usize; 2],
    pub(super) played: Played,
}

/// One round of Figure 5: every agent plays one game. Pairings follow the circle method; two successive
/// rounds have the same pairings and armies with the seats turned.
pub(super) fn round(
    models: &Arc<Models>,
    armies: &Armies,
    round: u64,
    worlds: u32,
    seed: u64,
) -> Result<Vec<Figure>, LabError> {
    let (double, turned) = (round / 2, round % 2 == 1);
    let circle = |place: u64| if place == 0 { 0 } else { 1 + (place - 1 + double) % 7 };
    let mut games = Vec::new();
    for table in 0..4 {
        let agents = [circle(table) as usize, circle(7 - table) as usize];
        let mut rng = Rng::stream(seed, &format!("round:{double}:{table}"));
        let [first, second] = agents.map(|agent| AGENTS[agent].1);
        let layouts = [first, second, first, second].map(|class| armies.of(class, &mut rng));
        let teams = agents.map(|agent| Chooser { player: PAPER, model: AGENTS[agent].2 });
        let dice = Rng::stream(seed, &format!("game:{round}:{table}")).next_u64();
        let played = played(models, teams, layouts, turned, worlds, dice, 4)?;
        games.push(Figure { agents, played });
    }
    Ok(games)
}

/// A pair of games of one of [`MATCHES`]: the same armies, with the seats turned.
pub(super) fn pair(
    models: &Arc<Models>,
    armies: &Armies,
    which: usize,
    pair: u64,
    worlds: u32,
    seed: u64,
) -> Result<[Played; 2], LabError> {
    let (_, teams) = MATCHES.get(which).ok_or_else(|| format!("expected a match, found {which}"))?;
    let mut rng = Rng::stream(seed, &format!("pair:{which}:{pair}"));
    let layouts = [0; 4].map(|_| armies.any(&mut rng));
    let mut game = |turned| played(models, *teams, layouts, turned, worlds, rng.next_u64(), 0);
    Ok([game(false)?, game(true)?])
}
