//! Moves in words: what happened, why a move is not allowed, and what a value means.

use anglerfish_engine::{Value, Wdl};
use anglerfish_rules::banqi::{Action, Banqi, Cell, Color, Event, Piece, Role, Square};
use anglerfish_rules::{Cause, Ending, Forfeit, Game, Outcome, Reason, Seat};

/// The English name of a role.
const fn name(role: Role) -> &'static str {
    match role {
        Role::King => "king",
        Role::Guard => "guard",
        Role::Minister => "minister",
        Role::Rook => "rook",
        Role::Knight => "knight",
        Role::Cannon => "cannon",
        Role::Pawn => "pawn",
    }
}

/// `red king 帥`.
pub(super) fn full_name(piece: Piece) -> String {
    format!("{} {} {}", piece.color(), name(piece.role()), piece.hanzi())
}

/// What an action does: `b3-b4, the rook takes the pawn`.
pub(super) fn describe(game: &Banqi, action: Action) -> String {
    match action {
        Action::Flip(at) => format!("flip {at}"),
        Action::Move { from, to } => {
            let role = |at: Square| game.position().piece_at(at).map_or("piece", |p| name(p.role()));
            match game.position().cell(to) {
                Cell::Shown(_) => format!("{action}, the {} takes the {}", role(from), role(to)),
                _ => format!("{action}, the {} moves", role(from)),
            }
        }
    }
}

/// What happened: `The engine flips b3: a red king 帥.`, or the move as [`describe`] says it.
pub(super) fn tell(before: &Banqi, event: Event, ours: bool) -> String {
    let (who, s) = if ours { ("You", "") } else { ("The engine", "s") };
    match event {
        Event::Flip { at, piece } => format!("{who} flip{s} {at}: a {}.", full_name(piece)),
        Event::Move { .. } => format!("{who} play{s} {}.", describe(before, Banqi::action_of(event))),
    }
}

/// Why the side to move may not do this.
pub(super) fn why_not(game: &Banqi, action: Action) -> String {
    let position = game.position();
    match action {
        Action::Flip(at) => match position.cell(at) {
            Cell::Outside => format!("{at} is not on this board"),
            Cell::Empty => format!("there is nothing on {at}"),
            Cell::Shown(piece) if Some(piece.color()) == position.side() => {
                format!(
                    "the {} on {at} lies face up already; to move it, type where to, such as {at} {}",
                    full_name(piece),
                    beside(at)
                )
            }
            Cell::Shown(piece) => {
                format!("the {} on {at} lies face up already, and is not yours", full_name(piece))
            }
            Cell::Hidden => "this piece cannot be flipped now".to_owned(),
        },
        Action::Move { from, to } => match (position.side(), position.cell(from)) {
            (None, _) => "the first move of a game is a flip: type a square, such as b3".to_owned(),
            (_, Cell::Outside) => format!("{from} is not on this board"),
            (_, Cell::Empty) => format!("there is nothing on {from}"),
            (_, Cell::Hidden) => format!("{from} lies face down; type {from} to flip it"),
            (Some(us), Cell::Shown(piece)) if piece.color() != us => {
                format!("the {} on {from} is not yours: you play {us}", full_name(piece))
            }
            (Some(us), Cell::Shown(piece)) => why_not_there(game, us, piece.role(), from, to),
        },
    }
}

/// Why our piece on `from` may not go to `to`.
fn why_not_there(game: &Banqi, us: Color, role: Role, from: Square, to: Square) -> String {
    let mover = name(role);
    let near = from.file().abs_diff(to.file()) + from.rank().abs_diff(to.rank()) == 1;
    match game.position().cell(to) {
        _ if from == to => format!("the {mover} stands on {from} already"),
        Cell::Outside => format!("{to} is not on this board"),
        Cell::Hidden => format!("{to} lies face down, and face-down pieces cannot be taken"),
        Cell::Empty => format!("too far: the {mover} moves one square up, down, left or right"),
        Cell::Shown(own) if own.color() == us => format!("your own {} stands on {to}", full_name(own)),
        Cell::Shown(_) if role == Role::Cannon => {
            "a cannon takes by jumping along a line over exactly one piece, face up or face down".to_owned()
        }
        Cell::Shown(_) if !near => {
            format!("too far: the {mover} takes what stands right beside it, up, down, left or right")
        }
        Cell::Shown(victim) => match (role, victim.role()) {
            (Role::King, Role::Pawn) => "the king cannot take a pawn (but a pawn takes the king)".to_owned(),
            (_, victim) => format!(
                "the {mover} cannot take the {}, which ranks higher (king, guard, minister, rook, knight, cannon, pawn)",
                name(victim)
            ),
        },
    }
}

/// A square beside this one, for examples.
fn beside(at: Square) -> Square {
    let rank = if at.rank() == 0 { 1 } else { at.rank() - 1 };
    Square::at(at.file(), rank)
}

/// What a value means to the side to move.
pub(super) fn judge(value: Value) -> String {
    let better = if value.0 > 0.0 { "better" } else { "worse" };
    let verdict = match value.0.abs() {
        v if v < 0.05 => "The game is level".to_owned(),
        v if v < 0.2 => format!("You are slightly {better}"),
        v if v < 0.5 => format!("You are clearly {better}"),
        v if v < 0.85 => format!("You are much {better}"),
        _ if value.0 > 0.0 => "You are winning".to_owned(),
        _ => "You are losing".to_owned(),
    };
    verdict + &shares(value)
}

fn shares(value: Value) -> String {
    let wdl = Wdl::new(value);
    format!(
        " ({value}: won {:.0} %, drawn {:.0} %, lost {:.0} %)",
        wdl.win * 100.0,
        wdl.draw * 100.0,
        wdl.loss * 100.0
    )
}

/// How a game ended, as `us` sees it.
pub(super) fn result(ending: Ending, us: Seat) -> String {
    let won = ending.outcome == Outcome::Win(us.team());
    let (loser, their) = if won { ("the engine", "its") } else { ("you", "your") };
    let has = if won { "has" } else { "have" };
    let why = match ending.cause {
        Cause::Rules(Reason::NoPieces) => format!("{loser} {has} no pieces left"),
        Cause::Rules(Reason::NoMove) => format!("{loser} {has} no legal move"),
        Cause::Rules(Reason::Quiet) => "too many moves without a capture or a flip".to_owned(),
        Cause::Rules(Reason::Repetition) => "the game was going in circles".to_owned(),
        Cause::Forfeit(Forfeit::Resigned) => format!("{loser} resigned"),
        Cause::Forfeit(Forfeit::Timeout) => format!("{loser} ran out of {their} time"),
        other => other.to_string(),
    };
    let what = match ending.outcome {
        Outcome::Draw => "It is a draw",
        Outcome::Win(_) if won => "You have won",
        Outcome::Win(_) => "The engine has won",
    };
    format!("{what}: {why}.")
}

/// What somebody of this style does.
pub(super) fn style(name: &str) -> &str {
    match name {
        "uniform" => "plays at random",
        "capturer" => "takes whatever can be taken",
        "cautious" => "leaves as little to be taken as possible",
        "flipper" => "flips while there is something to flip",
        "thinker2" => "sees the answer to a move",
        "thinker3" => "sees three plies ahead",
        "strong" => "plays well",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_says_why() {
        let text = "----/----/----/-C--/-X--/pG-k/KrX-/---- r P1p1 0 40 platform";
        let game: Banqi = text.parse().expect("a position");
        let check = |action: &str, why: &str| {
            let action: Action = action.parse().expect("an action");
            assert!(!game.is_legal(action), "{action}");
            let said = why_not(&game, action);
            assert!(said.contains(why), "{action}: {said}");
        };
        check("a2-a3", "the king cannot take a pawn");
        check("b3-d3", "too far: the guard takes");
        check("b3-a2", "your own red king 帥 stands on a2");
        check("b3-b4", "face-down pieces cannot be taken");
        check("b5-d5", "too far: the cannon moves one square");
        check("b5-b2", "over exactly one piece");
        check("a3-a4", "is not yours: you play red");
        check("c2-c3", "type c2 to flip it");
        check("a8-a7", "there is nothing on a8");
        check("a8", "there is nothing on a8");
        check("b3", "type where to, such as b3 b2");
        check("a3", "and is not yours");
        let start = Banqi::start(anglerfish_rules::banqi::RuleSet::PLATFORM);
        let first = Action::Move { from: Square::at(0, 0), to: Square::at(0, 1) };
        assert!(why_not(&start, first).contains("a flip"));
    }

    #[test]
    fn ranks_are_explained() {
        let game: Banqi =
            "----/----/----/----/----/----/Pg--/---K r - 0 40 platform".parse().expect("a position");
        let said = why_not(&game, "a2-b2".parse().expect("an action"));
        assert!(said.starts_with("the pawn cannot take the guard"), "{said}");
    }
}
