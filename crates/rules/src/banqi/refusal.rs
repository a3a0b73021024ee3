//! Why an action is not allowed, in words for people: at the terminal, and in the complaint about a program.

use super::{Action, Banqi, Cell, Color, Role, Square};

/// Why the side to move may not do this.
pub(super) fn why_not(game: &Banqi, action: Action) -> String {
    if game.turn.is_over() {
        return "the game has ended".to_owned();
    }
    let position = game.position();
    match action {
        Action::Flip(at) => match position.cell(at) {
            Cell::Outside => format!("{at} is not on this board"),
            Cell::Empty => format!("there is nothing on {at}"),
            Cell::Shown(piece) if Some(piece.color()) == position.side() => {
                format!(
                    "the {} on {at} lies face up already; to move it, name two squares, such as {at} {}",
                    piece.title(),
                    beside(at)
                )
            }
            Cell::Shown(piece) => {
                format!("the {} on {at} lies face up already, and is not yours", piece.title())
            }
            Cell::Hidden => "this piece cannot be flipped now".to_owned(),
        },
        Action::Move { from, to } => match (position.side(), position.cell(from)) {
            (None, _) => "the first move of a game is a flip: one square, such as b3".to_owned(),
            (_, Cell::Outside) => format!("{from} is not on this board"),
            (_, Cell::Empty) => format!("there is nothing on {from}"),
            (_, Cell::Hidden) => format!("{from} lies face down; to flip it, name {from} alone"),
            (Some(us), Cell::Shown(piece)) if piece.color() != us => {
                format!("the {} on {from} is not yours: you play {us}", piece.title())
            }
            (Some(us), Cell::Shown(piece)) => why_not_there(game, us, piece.role(), from, to),
        },
    }
}

/// Why our piece on `from` may not go to `to`.
fn why_not_there(game: &Banqi, us: Color, role: Role, from: Square, to: Square) -> String {
    let mover = role.name();
    let near = from.file().abs_diff(to.file()) + from.rank().abs_diff(to.rank()) == 1;
    match game.position().cell(to) {
        _ if from == to => format!("the {mover} stands on {from} already"),
        Cell::Outside => format!("{to} is not on this board"),
        Cell::Hidden => format!("{to} lies face down, and face-down pieces cannot be taken"),
        Cell::Empty => format!("too far: the {mover} moves one square up, down, left or right"),
        Cell::Shown(own) if own.color() == us => format!("your own {} stands on {to}", own.title()),
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
                victim.name()
            ),
        },
    }
}

/// A square beside this one, for examples.
fn beside(at: Square) -> Square {
    let rank = if at.rank() == 0 { 1 } else { at.rank() - 1 };
    Square::at(at.file(), rank)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

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
        check("c2-c3", "to flip it, name c2 alone");
        check("a8-a7", "there is nothing on a8");
        check("a8", "there is nothing on a8");
        check("b3", "name two squares, such as b3 b2");
        check("a3", "and is not yours");
        let start = Banqi::start(crate::banqi::RuleSet::PLATFORM);
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
