//! Playouts of Banqi on bare positions: no history, no list of actions, one virtual call a playout.
//!
//! They do not look for repetitions: a playout ends by a loss or by its own limit, which need not be that of the game.
//! Jouandeau and Cazenave (2014) call the limit the playout size and the draw condition in turn; both readings are here.

mod policy;

use anglerfish_rules::banqi::{
    Action, Banqi, Change, Color, Piece, Position, Repetition, Role, RuleSet, Terminal,
};
use anglerfish_rules::{Outcome, Reason, Rng, Seat, Team};

use super::{Counts, DrawEval, Ending, Playout, Policy, Settings};
use crate::eval::Evaluator;
use crate::score::{Score, Value};

pub use self::policy::pick;

/// Plays on from `position`, which must not be over, and returns where and how it ended, and after how many plies.
pub fn play(
    settings: Settings,
    position: &Position,
    rules: &RuleSet,
    rng: &mut Rng,
) -> (Position, Terminal, u32) {
    let legal = Position::moves_of;
    match settings.policy {
        Policy::Random => {
            play_by(settings, position, rules, rng, |p, rng| pick(Policy::Random, p, legal, rng))
        }
        Policy::Capture => {
            play_by(settings, position, rules, rng, |p, rng| pick(Policy::Capture, p, legal, rng))
        }
        policy => play_by(settings, position, rules, rng, |p, rng| pick(policy, p, legal, rng)),
    }
}

/// The loop, once for each of the plainest policies, which must not pay for what the others look at.
#[inline]
fn play_by(
    settings: Settings,
    position: &Position,
    rules: &RuleSet,
    rng: &mut Rng,
    mut pick: impl FnMut(&Position, &mut Rng) -> Action,
) -> (Position, Terminal, u32) {
    let (quiet, most) = match (settings.counts, settings.size) {
        (_, None) => (rules.quiet, u32::MAX),
        (Counts::Quiet, Some(size)) => (size, u32::MAX),
        (Counts::Flips, Some(size)) => (u16::MAX, u32::from(size)),
        (Counts::Plies, Some(size)) => (rules.quiet, u32::from(size)),
    };
    let rules = RuleSet { quiet, repetition: Repetition::None, ..*rules };
    let by_flips = settings.counts == Counts::Flips;
    let mut p = *position;
    let (mut plies, mut counted) = (0, if by_flips { u32::from(p.quiet()) } else { 0 });
    while counted < most {
        let action = pick(&p, rng);
        let change = p.play_unkeyed(p.resolve(action, rng), &rules);
        plies += 1;
        counted = if by_flips && change == Change::Flip { 0 } else { counted + 1 };
        if let Some(terminal) = p.terminal(&rules, false) {
            return (p, terminal, plies);
        }
    }
    (p, Terminal::Draw(Reason::Quiet), plies)
}

/// Playouts with an evaluator at hand.
pub struct Simulator {
    settings: Settings,
    evaluator: Box<dyn Evaluator<Position>>,
}

impl Simulator {
    /// Playouts whose last positions `evaluator` evaluates.
    pub fn new(settings: Settings, evaluator: Box<dyn Evaluator<Position>>) -> Simulator {
        Simulator { settings, evaluator }
    }

    /// The value of a position to team A.
    fn for_team_a(&mut self, p: &Position) -> Score {
        let score = self.evaluator.evaluate(p);
        if mover(p) == Team::A { score } else { -score }
    }
}

impl Playout<Banqi> for Simulator {
    fn evaluate(&mut self, game: &Banqi) -> Option<Score> {
        Some(self.for_team_a(game.position()))
    }

    fn run(&mut self, game: &Banqi, rng: &mut Rng) -> Ending {
        let (p, terminal, _) = play(self.settings, game.position(), game.ruleset(), rng);
        let red = red_team(&p);
        let worth = |color: Color| if color == Color::Red { red } else { red.other() };
        match (terminal, self.settings.draws) {
            (Terminal::Loss(color, reason), _) => Ending::Over(Outcome::Win(worth(color).other()), reason),
            (Terminal::Draw(_), DrawEval::Eval) if p.terminal(game.ruleset(), false).is_none() => {
                Ending::Evaluated(Value::from_score(self.for_team_a(&p)))
            }
            (Terminal::Draw(reason), DrawEval::Off | DrawEval::Eval) => Ending::Over(Outcome::Draw, reason),
            (Terminal::Draw(reason), DrawEval::Win) => match material(&p) {
                0 => Ending::Over(Outcome::Draw, reason),
                ahead => Ending::Over(
                    Outcome::Win(worth(if ahead > 0 { Color::Red } else { Color::Black })),
                    reason,
                ),
            },
            (Terminal::Draw(_), DrawEval::Value) => {
                let for_red = material(&p) as f32 / 100.0;
                Ending::Evaluated(Value(if red == Team::A { for_red } else { -for_red }))
            }
        }
    }
}

/// The team that plays red; of no consequence before the first flip.
fn red_team(p: &Position) -> Team {
    if p.side() == Some(Color::Black) { mover(p).other() } else { mover(p) }
}

fn mover(p: &Position) -> Team {
    Seat((p.ply() & 1) as u8).team()
}

/// The material of red less that of black, face up and face down, in hundredths of all that a side begins with.
pub fn material(p: &Position) -> i32 {
    let shown = |color: Color| -> i32 {
        p.color(color).iter().filter_map(|s| p.piece_at(s)).map(|piece| weight(piece.role())).sum()
    };
    let hidden = |(piece, n): (Piece, u32)| {
        let worth = weight(piece.role()) * n as i32;
        if piece.color() == Color::Red { worth } else { -worth }
    };
    shown(Color::Red) - shown(Color::Black) + p.bag().iter().map(hidden).sum::<i32>()
}

/// The weights of Jouandeau and Cazenave (2014), section 4.1, in hundredths; those of a side sum to one.
pub const fn weight(role: Role) -> i32 {
    match role {
        Role::King => 15,
        Role::Guard => 10,
        Role::Minister => 7,
        Role::Knight => 3,
        Role::Rook | Role::Cannon | Role::Pawn => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval;
    use anglerfish_rules::banqi::Bag;

    fn run(settings: Settings, game: &Banqi, rng: &mut Rng) -> Ending {
        Simulator::new(settings, eval::evaluator(&eval::Settings::default())).run(game, rng)
    }

    #[test]
    fn a_side_is_worth_one() {
        let whole: i32 = Role::ALL
            .map(|role| weight(role) * Bag::FULL.count(Piece::new(Color::Red, role)) as i32)
            .iter()
            .sum();
        assert_eq!(whole, 100);
        let game: Banqi = "K---/----/----/----/-g--/-R--/----/X--P r p1 0 40 platform".parse().expect("one");
        assert_eq!(material(game.position()), 15 + 5 + 5 - 10 - 5);
    }

    /// Captures do not make a playout longer: where nothing is face down all draws are as long, and from the start nearly all
    /// random playouts are drawn, as in Table 2.
    #[test]
    fn plies_without_flip_are_counted() {
        let settings =
            Settings { policy: Policy::Random, size: Some(40), counts: Counts::Flips, draws: DrawEval::Off };
        let mut rng = Rng::new(2);
        let mut lengths = |game: &Banqi| -> Vec<u32> {
            let played = (0..300).map(|_| play(settings, game.position(), game.ruleset(), &mut rng));
            let drawn = played.filter(|(_, terminal, _)| matches!(terminal, Terminal::Draw(_)));
            drawn.map(|(.., plies)| plies).collect()
        };
        let ending: Banqi =
            "n---/--G-/-M--/R--K/--R-/N---/---p/CPP- b - 7 100 paper40".parse().expect("a position");
        let drawn = lengths(&ending);
        assert!(drawn.len() > 30 && drawn.iter().all(|&plies| plies == 33), "{drawn:?}");
        assert!(lengths(&Banqi::start(RuleSet::PAPER40)).len() > 290);
    }

    /// With random players the bare loop plays the very games of the rules, under rules that do not look back.
    #[test]
    fn bare_playouts_are_games() {
        let rules: RuleSet = "openspiel50,quiet=40".parse().expect("rules");
        let start = Banqi::start(rules);
        let settings =
            Settings { policy: Policy::Random, size: Some(40), counts: Counts::Quiet, draws: DrawEval::Off };
        let mut rng = Rng::new(1);
        for _ in 0..200 {
            let (mut twin, mut game) = (rng.clone(), start.clone());
            let (outcome, reason, plies) = game.random_playout(&mut twin);
            let (p, _, length) = play(settings, start.position(), &rules, &mut rng.clone());
            assert_eq!(
                (p.occupied(), p.bag(), p.side(), length),
                (game.position().occupied(), game.position().bag(), game.position().side(), plies)
            );
            assert_eq!(run(settings, &start, &mut rng), Ending::Over(outcome, reason));
            assert_eq!(rng, twin);
        }
    }

    #[test]
    fn sizes_and_evaluations() {
        // Two kings far apart, one with a pawn: nothing happens in so few plies.
        let game: Banqi = "K--P/----/----/----/----/----/----/---k r - 0 40 platform".parse().expect("one");
        let played = |counts, size, draws| {
            let settings = Settings { policy: Policy::Random, size: Some(size), counts, draws };
            (
                play(settings, game.position(), game.ruleset(), &mut Rng::new(3)).2,
                run(settings, &game, &mut Rng::new(3)),
            )
        };
        let draw = Ending::Over(Outcome::Draw, Reason::Quiet);
        assert_eq!(played(Counts::Plies, 3, DrawEval::Off), (3, draw));
        assert_eq!(
            played(Counts::Quiet, 3, DrawEval::Win),
            (3, Ending::Over(Outcome::Win(Team::A), Reason::Quiet))
        );
        assert_eq!(played(Counts::Quiet, 4, DrawEval::Value), (4, Ending::Evaluated(Value(0.05))));
    }

    /// A playout of no plies is the evaluation, with either color to move; a draw by the rules is a draw, with either color ahead.
    #[test]
    fn the_evaluator_says_what_the_unfinished_is_worth() {
        let evaluated = |text: &str, size| {
            let game: Banqi = text.parse().expect("a position");
            let how = Settings {
                size: Some(size),
                counts: Counts::Plies,
                draws: DrawEval::Eval,
                ..Settings::default()
            };
            let score = eval::evaluator(&eval::Settings::default()).evaluate(game.position());
            (run(how, &game, &mut Rng::new(3)), score)
        };
        let (ending, score) = evaluated("K--P/----/----/----/----/----/----/---k r - 0 40 platform", 0);
        assert!(score > 0 && ending == Ending::Evaluated(Value::from_score(score)));
        let (ending, score) = evaluated("K--P/----/----/----/----/----/----/---k b - 0 41 platform", 0);
        assert!(score < 0 && ending == Ending::Evaluated(Value::from_score(-score)), "team B is to move");
        let (ending, _) = evaluated("K--P/----/----/----/----/----/----/---k r - 58 100 platform", 16);
        assert_eq!(ending, Ending::Over(Outcome::Draw, Reason::Quiet));
    }
}
