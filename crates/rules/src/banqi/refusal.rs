//! Why an action is not allowed, for people: at the terminal, and in the complaint about a program.

use std::fmt;

use super::{Action, Banqi, Cell, Color, Piece, Role, Square};

/// Why an action is not allowed. Its text is an English sentence; programs in other languages translate each variant.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum WhyNot {
    /// The game has ended.
    Over,
    /// This square is not on the board.
    Outside(Square),
    /// Nothing stands there.
    Nothing(Square),
    /// To be flipped, but face up: our own piece, and a square to move it to, as an example.
    FaceUp(Piece, Square, Square),
    /// To be flipped, but face up, and not ours.
    FaceUpTheirs(Piece, Square),
    /// A game begins with a flip.
    FlipFirst,
    /// To be moved, but face down.
    FaceDown(Square),
    /// To be moved, but not ours.
    Theirs(Piece, Square),
    /// It stands there already.
    Stands(Piece, Square),
    /// To be taken, but face down.
    Unknown(Square),
    /// A step goes to a neighboring square.
    TooFar(Piece),
    /// Our own piece stands there.
    Own(Piece, Square),
    /// A cannon takes over exactly one piece.
    Jump,
    /// All other pieces take only neighbors.
    TooFarToTake(Piece),
    /// The king does not take pawns.
    KingTakesPawn,
    /// The first ranks below the second.
    Rank(Piece, Piece),
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (title, name) = (Piece::title, |piece: &Piece| piece.role().name());
        match self {
            WhyNot::Over => write!(f, "the game has ended"),
            WhyNot::Outside(at) => write!(f, "{at} is not on this board"),
            WhyNot::Nothing(at) => write!(f, "there is nothing on {at}"),
            WhyNot::FaceUp(piece, at, to) => write!(
                f,
                "the {} on {at} lies face up already; to move it, name two squares, such as {at} {to}",
                title(*piece)
            ),
            WhyNot::FaceUpTheirs(piece, at) => {
                write!(f, "the {} on {at} lies face up already, and is not yours", title(*piece))
            }
            WhyNot::FlipFirst => write!(f, "the first move of a game is a flip: one square, such as b3"),
            WhyNot::FaceDown(at) => write!(f, "{at} lies face down; to flip it, name {at} alone"),
            WhyNot::Theirs(piece, at) => {
                write!(f, "the {} on {at} is not yours: you play {}", title(*piece), piece.color().other())
            }
            WhyNot::Stands(piece, at) => write!(f, "the {} stands on {at} already", name(piece)),
            WhyNot::Unknown(at) => write!(f, "{at} lies face down, and face-down pieces cannot be taken"),
            WhyNot::TooFar(piece) => {
                write!(f, "too far: the {} moves one square up, down, left or right", name(piece))
            }
            WhyNot::Own(piece, at) => write!(f, "your own {} stands on {at}", title(*piece)),
            WhyNot::Jump => {
                write!(
                    f,
                    "a cannon takes by jumping along a line over exactly one piece, face up or face down"
                )
            }
            WhyNot::TooFarToTake(piece) => write!(
                f,
                "too far: the {} takes what stands right beside it, up, down, left or right",
                name(piece)
            ),
            WhyNot::KingTakesPawn => write!(f, "the king cannot take a pawn (but a pawn takes the king)"),
            WhyNot::Rank(piece, victim) => write!(
                f,
                "the {} cannot take the {}, which ranks higher (king, guard, minister, rook, knight, cannon, pawn)",
                name(piece),
                name(victim)
            ),
        }
    }
}

/// Why the side to move may not do this; the action must not be legal.
pub(super) fn why_not(game: &Banqi, action: Action) -> WhyNot {
    if game.turn.is_over() {
        return WhyNot::Over;
    }
    let position = game.position();
    match action {
        Action::Flip(at) => match position.cell(at) {
            Cell::Outside => WhyNot::Outside(at),
            Cell::Empty => WhyNot::Nothing(at),
            Cell::Shown(piece) if Some(piece.color()) == position.side() => {
                WhyNot::FaceUp(piece, at, beside(at))
            }
            Cell::Shown(piece) => WhyNot::FaceUpTheirs(piece, at),
            Cell::Hidden => unreachable!("what lies face down may be flipped in every game that goes on"),
        },
        Action::Move { from, to } => match (position.side(), position.cell(from)) {
            (None, _) => WhyNot::FlipFirst,
            (_, Cell::Outside) => WhyNot::Outside(from),
            (_, Cell::Empty) => WhyNot::Nothing(from),
            (_, Cell::Hidden) => WhyNot::FaceDown(from),
            (Some(us), Cell::Shown(piece)) if piece.color() != us => WhyNot::Theirs(piece, from),
            (Some(us), Cell::Shown(piece)) => why_not_there(game, us, piece, from, to),
        },
    }
}

/// Why our piece on `from` may not go to `to`.
fn why_not_there(game: &Banqi, us: Color, piece: Piece, from: Square, to: Square) -> WhyNot {
    let near = from.file().abs_diff(to.file()) + from.rank().abs_diff(to.rank()) == 1;
    match game.position().cell(to) {
        _ if from == to => WhyNot::Stands(piece, from),
        Cell::Outside => WhyNot::Outside(to),
        Cell::Hidden => WhyNot::Unknown(to),
        Cell::Empty => WhyNot::TooFar(piece),
        Cell::Shown(own) if own.color() == us => WhyNot::Own(own, to),
        Cell::Shown(_) if piece.role() == Role::Cannon => WhyNot::Jump,
        Cell::Shown(_) if !near => WhyNot::TooFarToTake(piece),
        Cell::Shown(victim) if (piece.role(), victim.role()) == (Role::King, Role::Pawn) => {
            WhyNot::KingTakesPawn
        }
        Cell::Shown(victim) => WhyNot::Rank(piece, victim),
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
            let said = why_not(&game, action).to_string();
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
        assert!(why_not(&start, first).to_string().contains("a flip"));
    }

    #[test]
    fn ranks_are_explained() {
        let game: Banqi =
            "----/----/----/----/----/----/Pg--/---K r - 0 40 platform".parse().expect("a position");
        let said = why_not(&game, "a2-b2".parse().expect("an action")).to_string();
        assert!(said.starts_with("the pawn cannot take the guard"), "{said}");
    }
}
