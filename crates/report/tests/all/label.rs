//! Why a choice was a mistake, by a small plain rule: material and attacks one ply on, without a search.
//!
//! It was written before the teacher of `anglerfish_report::reason`, and shares no code with it: the teacher is measured against it.
//! It reads the position, the choice and the better choice, and nothing else of what the judge saw.
//!
//! * A capture *nets* the value of its victim, less that of the capturer where that can be retaken at once.
//! * The *danger* of a position to a side is the most that one capture by the other side nets.
//! * The *gain* of a choice is what it takes; its *danger* is that of the position after it: of a flip, the mean over its outcomes.
//!
//! In this order:
//! 1. The choice takes and flips nothing, its side has more material, and at most [`LATE`] quiet plies are left: a quiet draw.
//! 2. The better choice gains more, by at least a pawn, and that is the larger part of the difference: a missed capture.
//! 3. The choice leaves at least a pawn more of danger than the better one. That is a missed escape if the piece in danger was in danger
//!    before the choice, too; else a hanging piece, or a risky flip if the choice was a flip.
//! 4. The choice was a flip that leaves more danger than there was before it, by half a pawn or more: a risky flip.
//! 5. As 1, but the position after it was there before: a repetition.
//! 6. Anything else.

use anglerfish_rules::banqi::{Action, Banqi, Color, Position, Role, RuleSet, Square};
use anglerfish_rules::{ChanceOutcome, Game};

/// The kinds of mistakes, by the words that a review has for them in JSON.
pub(crate) const KINDS: [&str; 7] =
    ["hanging", "missed-capture", "risky-flip", "quiet-draw", "repetition", "missed-escape", "other"];

/// With so few quiet plies left, a game is nearly drawn.
const LATE: u16 = 6;

const PAWN: f64 = 1.0;

fn value(role: Role) -> f64 {
    match role {
        Role::King => 8.0,
        Role::Guard => 7.0,
        Role::Minister | Role::Cannon => 4.0,
        Role::Rook => 3.0,
        Role::Knight => 2.0,
        Role::Pawn => PAWN,
    }
}

/// The material of a color, face-down pieces included.
fn material(p: &Position, color: Color) -> f64 {
    let shown = Square::all().filter_map(|at| p.piece_at(at));
    let shown: f64 = shown.filter(|piece| piece.color() == color).map(|piece| value(piece.role())).sum();
    let down = p.bag().iter().filter(|(piece, _)| piece.color() == color);
    shown + down.map(|(piece, n)| f64::from(n) * value(piece.role())).sum::<f64>()
}

/// The captures that a color could make if it were to move.
fn captures(p: &Position, color: Color) -> Vec<(Square, Square)> {
    let takes = |action: Action| match action {
        Action::Move { from, to } if p.piece_at(to).is_some() => Some((from, to)),
        _ => None,
    };
    p.moves_of(color).iter().filter_map(takes).collect()
}

/// What a capture nets.
fn net(p: &Position, color: Color, (from, to): (Square, Square), rules: &RuleSet) -> f64 {
    let (Some(mover), Some(victim)) = (p.piece_at(from), p.piece_at(to)) else { return 0.0 };
    let mut after = if p.side() == Some(color) { *p } else { p.passed() };
    after.play(anglerfish_rules::banqi::Event::Move { from, to }, rules);
    let retaken = captures(&after, color.other()).iter().any(|(_, target)| *target == to);
    value(victim.role()) - if retaken { value(mover.role()) } else { 0.0 }
}

/// The most that one capture of the other side nets, and the square where it does.
fn danger(p: &Position, us: Color, rules: &RuleSet) -> (f64, Option<Square>) {
    let them = us.other();
    let nets = captures(p, them).into_iter().map(|capture| (net(p, them, capture, rules), Some(capture.1)));
    nets.fold((0.0, None), |most, one| if one.0 > most.0 { one } else { most })
}

/// What a choice takes, and the danger after it: its mean, and the square of the largest.
struct Outlook {
    gain: f64,
    danger: f64,
    at: Option<Square>,
}

fn outlook(game: &Banqi, action: Action, us: Color) -> Outlook {
    let p = game.position();
    let gain = match action {
        Action::Move { to, .. } => p.piece_at(to).map_or(0.0, |victim| value(victim.role())),
        Action::Flip(_) => 0.0,
    };
    let mut chances: Vec<ChanceOutcome<_>> = Vec::new();
    game.outcomes(action, &mut chances);
    let (mut sum, mut total, mut most) = (0.0, 0.0, (0.0, None));
    for chance in chances {
        let mut after = *p;
        after.play(chance.event, game.ruleset());
        let (danger, at) = danger(&after, us, game.ruleset());
        sum += f64::from(chance.weight) * danger;
        total += f64::from(chance.weight);
        if danger > most.0 {
            most = (danger, at);
        }
    }
    Outlook { gain, danger: sum / total, at: most.1 }
}

/// Why a choice was worse than another one: one of [`KINDS`].
pub(crate) fn label(game: &Banqi, choice: Action, better: Action) -> &'static str {
    let (p, rules) = (game.position(), game.ruleset());
    // Before the first flip there is nothing to lose.
    let Some(us) = p.side() else { return "other" };
    let quiet = matches!(choice, Action::Move { to, .. } if p.piece_at(to).is_none());
    let idle = quiet && material(p, us) > material(p, us.other());
    if idle && p.quiet() + 1 + LATE >= rules.quiet {
        return "quiet-draw";
    }
    let (chosen, best) = (outlook(game, choice, us), outlook(game, better, us));
    let (missed, exposed) = (best.gain - chosen.gain, chosen.danger - best.danger);
    if missed >= PAWN && missed >= exposed {
        return "missed-capture";
    }
    let (threat, _) = danger(p, us, rules);
    if exposed >= PAWN {
        let attacked = |at: Square| {
            captures(p, us.other())
                .into_iter()
                .any(|capture| capture.1 == at && net(p, us.other(), capture, rules) >= PAWN)
        };
        // A piece that moved was in danger where it came from.
        let was = chosen.at.map(|at| match choice {
            Action::Move { from, to } if to == at => from,
            _ => at,
        });
        return match choice {
            _ if was.is_some_and(attacked) => "missed-escape",
            Action::Flip(_) => "risky-flip",
            Action::Move { .. } => "hanging",
        };
    }
    if matches!(choice, Action::Flip(_)) && chosen.danger - threat >= PAWN / 2.0 {
        return "risky-flip";
    }
    if idle && repeats(game, choice) { "repetition" } else { "other" }
}

/// Whether the position after a step was there before.
fn repeats(game: &Banqi, step: Action) -> bool {
    let (mut after, mut chances) = (game.clone(), Vec::new());
    game.outcomes(step, &mut chances);
    after.apply(chances[0].event);
    // The words of a history end with ten bits of the step.
    let [earlier @ .., last] = after.history() else { return false };
    earlier.iter().any(|word| word >> 10 == last >> 10)
}

#[test]
fn the_rule_names_plain_mistakes() {
    // A position, the choice, the better choice.
    let cases = [
        // The red rook steps next to the black guard.
        ("K---/----/----/----/----/g---/-R--/---p r - 0 40 platform", "b2-a2", "b2-b1", "hanging"),
        // It stands there already, and the king moves.
        ("K---/----/----/----/----/g---/R---/---p r - 0 40 platform", "a8-b8", "a2-a1", "missed-escape"),
        // The red guard could take the rook.
        ("K---/----/----/----/----/r---/G---/---p r - 0 40 platform", "a8-b8", "a2-a3", "missed-capture"),
        // Red is far ahead, and the game is nearly drawn.
        ("K---/----/----/----/---G/----/----/p--- r - 55 140 platform", "a8-b8", "d4-d3", "quiet-draw"),
        ("K---/----/----/----/---G/----/----/p--- r - 20 140 platform", "a8-b8", "d4-d3", "other"),
        // The piece on b3 is black's king: it threatens the guard beside it.
        ("K---/----/----/----/----/GX--/----/---p r k1 0 40 platform", "b3", "a3-a4", "risky-flip"),
        // Taking costs the king for a pawn.
        ("-g--/----/----/----/----/p---/pK--/r--- r - 0 40 platform", "b2-b1", "b2-c2", "other"),
    ];
    for (start, choice, better, kind) in cases {
        let game: Banqi = start.parse().expect("a position");
        let [choice, better] = [choice, better].map(|text| text.parse().expect("an action"));
        assert_eq!(label(&game, choice, better), kind, "{start} {choice}");
    }
}

#[test]
fn the_rule_knows_a_position_that_was_there_before() {
    let mut game: Banqi = "K---/----/----/----/---G/----/----/p--- r - 0 40 platform".parse().expect("one");
    for event in ["a8-b8", "a1-b1", "b8-a8", "b1-a1"] {
        game.apply(event.parse().expect("an event"));
    }
    let [choice, better] = ["a8-b8", "d4-d3"].map(|text| text.parse().expect("an action"));
    assert_eq!(label(&game, choice, better), "repetition");
    assert!(KINDS.contains(&"repetition"));
}
