//! The position that both players see: seven 32-bit boards, the bag and the counters, in 56 bytes that are copied, not undone.
//!
//! There is no field in which a hidden layout could be stored. Roles are bit planes of the rank (1 pawn to 7 king):
//! reading or moving a piece then costs three bits instead of a search through seven boards.

use super::action::{Action, Event};
use super::bag::Bag;
use super::key;
use super::piece::{Color, Piece, Role};
use super::ruleset::{RuleSet, Stuck};
use super::square::Square;
use super::squares::Squares;
use crate::game::Reason;

/// The public state of the board. [`Setup`](super::setup::Setup) is the only gate into it.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub struct Position {
    pub(super) planes: [u32; 3],
    pub(super) colors: [Squares; 2],
    pub(super) hidden: Squares,
    pub(super) empty: Squares,
    /// The color to move; `None` before the first flip.
    pub(super) side: Option<Color>,
    pub(super) quiet: u16,
    pub(super) ply: u32,
    pub(super) bag: Bag,
    pub(super) key: u64,
}

/// The visible content of a square.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum Cell {
    /// Not part of this board.
    Outside,
    /// Nothing.
    Empty,
    /// A piece face down.
    Hidden,
    /// A piece face up.
    Shown(Piece),
}

/// The kind of an event, for callers that keep a history.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum Change {
    /// A piece was turned over.
    Flip,
    /// A piece went to an empty square: the only kind that can be undone on the board.
    Step,
    /// A piece was taken.
    Capture,
}

/// The end of a game, by colors instead of seats.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum Terminal {
    /// This color has lost.
    Loss(Color, Reason),
    /// A draw.
    Draw(Reason),
}

impl Position {
    /// The squares that hold a face-up piece of this color.
    #[inline]
    pub const fn color(&self, color: Color) -> Squares {
        self.colors[color as usize]
    }

    /// The squares that hold a face-up piece of this role, in either color.
    #[inline]
    pub const fn role(&self, role: Role) -> Squares {
        let [c, b, a] = self.planes;
        Squares::from_bits(match role {
            Role::King => a & b & c,
            Role::Guard => a & b & !c,
            Role::Minister => a & !b & c,
            Role::Rook => a & !b & !c,
            Role::Knight => !a & b & c,
            Role::Cannon => !a & b & !c,
            Role::Pawn => !a & !b & c,
        })
    }

    /// The squares that hold this piece face up.
    #[inline]
    pub fn pieces(&self, piece: Piece) -> Squares {
        self.color(piece.color()) & self.role(piece.role())
    }

    /// The squares that hold a face-down piece.
    #[inline]
    pub const fn hidden(&self) -> Squares {
        self.hidden
    }

    /// The squares that hold nothing.
    #[inline]
    pub const fn empty(&self) -> Squares {
        self.empty
    }

    /// The squares that hold a piece, face up or face down.
    #[inline]
    pub fn occupied(&self) -> Squares {
        self.colors[0] | self.colors[1] | self.hidden
    }

    /// The pieces still face down.
    #[inline]
    pub const fn bag(&self) -> Bag {
        self.bag
    }

    /// The color to move; none before the first flip.
    #[inline]
    pub const fn side(&self) -> Option<Color> {
        self.side
    }

    /// Plies since the counter of the no-progress rule was last set to zero.
    #[inline]
    pub const fn quiet(&self) -> u16 {
        self.quiet
    }

    /// Plies played. Even when seat 0 is to move.
    #[inline]
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// Equal for positions with the same board, bag and side to move. Updated as events are played.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The number of pieces a color has left, face up and face down.
    pub const fn count(&self, color: Color) -> u32 {
        self.color(color).len() + self.bag.count_color(color)
    }

    /// The face-up piece on a square.
    #[inline]
    pub const fn piece_at(&self, at: Square) -> Option<Piece> {
        let color = if self.colors[1].contains(at) { Color::Black } else { Color::Red };
        match Role::from_rank(self.rank_at(at)) {
            Some(role) => Some(Piece::new(color, role)),
            None => None,
        }
    }

    /// The visible content of a square.
    pub const fn cell(&self, at: Square) -> Cell {
        if self.empty.contains(at) {
            Cell::Empty
        } else if self.hidden.contains(at) {
            Cell::Hidden
        } else if let Some(piece) = self.piece_at(at) {
            Cell::Shown(piece)
        } else {
            Cell::Outside
        }
    }

    /// The key computed from nothing: the plain version that the incremental one is tested against.
    pub fn recomputed_key(&self) -> u64 {
        let shown = Piece::ALL.into_iter().flat_map(|p| self.pieces(p).iter().map(move |s| (p, s)));
        let board = shown.fold(0, |k, (p, s)| k ^ key::piece(p.index(), s));
        let board = self.hidden.iter().fold(board, |k, s| k ^ key::hidden(s));
        let board = self.bag.iter().fold(board, |k, (p, n)| k ^ key::bag(p, n));
        board ^ self.side.map_or(0, key::side)
    }

    /// Draws the event of a legal action.
    #[inline]
    pub fn resolve(&self, action: Action, rng: &mut (impl rand_core::Rng + ?Sized)) -> Event {
        match action {
            Action::Flip(at) => Event::Flip { at, piece: self.bag.draw(rng) },
            Action::Move { from, to } => Event::Move { from, to },
        }
    }

    /// Plays an event that is possible here and says what kind it was.
    #[expect(clippy::inline_always, reason = "the hot path of playouts and searches, measured")]
    #[inline(always)]
    pub fn play(&mut self, event: Event, rules: &RuleSet) -> Change {
        self.played::<true>(event, rules)
    }

    /// Plays without updating the key, which is invalid from then on: for playouts, which never read it.
    #[expect(clippy::inline_always, reason = "the hot path of playouts, measured")]
    #[inline(always)]
    pub fn play_unkeyed(&mut self, event: Event, rules: &RuleSet) -> Change {
        self.played::<false>(event, rules)
    }

    #[expect(clippy::inline_always, reason = "the hot path of playouts and searches, measured")]
    #[inline(always)]
    fn played<const KEYED: bool>(&mut self, event: Event, rules: &RuleSet) -> Change {
        self.ply += 1;
        let change = match event {
            Event::Flip { at, piece } => {
                self.turn_over::<KEYED>(at, piece);
                Change::Flip
            }
            Event::Move { from, to } => self.carry::<KEYED>(from, to),
        };
        match change {
            Change::Step => self.quiet += 1,
            Change::Capture => self.quiet = 0,
            Change::Flip if rules.flip_resets => self.quiet = 0,
            Change::Flip => {}
        }
        change
    }

    /// The same board with the other side to move and the quiet counter at zero. Searches use it as an approximation of a
    /// flip far from all other pieces. Before the first flip nothing changes.
    #[must_use]
    pub fn passed(&self) -> Position {
        let mut next = *self;
        if let Some(us) = self.side {
            next.side = Some(us.other());
            next.key ^= key::side_to_move();
            next.quiet = 0;
            next.ply += 1;
        }
        next
    }

    /// The end of the game, if this position ends it; `repeated` says whether it is drawn by repetition.
    #[inline]
    pub fn terminal(&self, rules: &RuleSet, repeated: bool) -> Option<Terminal> {
        if !repeated && self.surely_goes_on(rules) {
            None
        } else {
            self.terminal_by_every_rule(rules, repeated)
        }
    }

    /// The plies of which most games are made, settled without asking every rule.
    #[expect(clippy::inline_always, reason = "the hot path of playouts and searches, measured")]
    #[inline(always)]
    fn surely_goes_on(&self, rules: &RuleSet) -> bool {
        let safe = |color: Color| {
            let free = if self.hidden.is_empty() { self.empty.neighbors() } else { Squares::FULL };
            !(free & self.color(color)).is_empty()
        };
        let Some(us) = self.side else { return false };
        self.quiet < rules.quiet && safe(us) && (rules.stuck == Stuck::OnTurn || safe(us.other()))
    }

    #[cold]
    fn terminal_by_every_rule(&self, rules: &RuleSet, repeated: bool) -> Option<Terminal> {
        if rules.draw_first {
            self.draw(rules, repeated).or_else(|| self.loss(rules))
        } else {
            self.loss(rules).or_else(|| self.draw(rules, repeated))
        }
    }

    fn loss(&self, rules: &RuleSet) -> Option<Terminal> {
        let us = self.side?;
        let gone = |color: Color| self.color(color).is_empty() && self.bag.lacks(color);
        let lost =
            |color: Color| Terminal::Loss(color, if gone(color) { Reason::NoPieces } else { Reason::NoMove });
        if rules.elimination && gone(us) {
            return Some(lost(us));
        }
        match rules.stuck {
            Stuck::OnTurn => (!self.can_move(us)).then_some(us).map(lost),
            Stuck::Either => {
                [Color::Black, Color::Red].into_iter().find(|&color| !self.can_move(color)).map(lost)
            }
        }
    }

    fn draw(&self, rules: &RuleSet, repeated: bool) -> Option<Terminal> {
        if self.quiet >= rules.quiet {
            return Some(Terminal::Draw(Reason::Quiet));
        }
        repeated.then_some(Terminal::Draw(Reason::Repetition))
    }

    #[expect(clippy::inline_always, reason = "the hot path of playouts and searches, measured")]
    #[inline(always)]
    fn turn_over<const KEYED: bool>(&mut self, at: Square, piece: Piece) {
        debug_assert!(self.hidden.contains(at) && self.bag.count(piece) > 0, "{piece} cannot lie on {at}");
        let count = self.bag.count(piece);
        self.hidden ^= at.into();
        self.colors[piece.color() as usize] |= at.into();
        let rank = piece.role() as u32;
        for (i, plane) in self.planes.iter_mut().enumerate() {
            *plane |= (rank >> i & 1) << at.index();
        }
        if KEYED {
            self.key ^= key::hidden(at)
                ^ key::piece(piece.index(), at)
                ^ key::bag(piece, count)
                ^ key::bag(piece, count - 1);
        }
        self.bag.remove(piece);
        if let Some(mover) = self.side {
            self.side = Some(mover.other());
            self.key ^= key::side_to_move();
        } else {
            // The first flip gives the flipper its color.
            self.side = Some(piece.color().other());
            self.key ^= key::side(piece.color().other());
        }
    }

    #[expect(clippy::inline_always, reason = "the hot path of playouts and searches, measured")]
    #[inline(always)]
    fn carry<const KEYED: bool>(&mut self, from: Square, to: Square) -> Change {
        let Some(us) = self.side else { unreachable!("before the first flip there is nothing to move") };
        debug_assert!(self.color(us).contains(from), "no {us} piece on {from}");
        let them = us.other();
        let (rank, taken) = (self.rank_at(from), self.rank_at(to));
        let index = |rank: u8, color: Color| usize::from(rank) * 2 + color as usize;
        if KEYED {
            self.key ^= key::side_to_move()
                ^ key::piece(index(rank, us), from)
                ^ key::piece(index(rank, us), to)
                ^ key::piece(index(taken, them), to);
        }
        for plane in &mut self.planes {
            let bit = *plane >> from.index() & 1;
            *plane = *plane & !(from.bit() | to.bit()) | bit << to.index();
        }
        self.colors[us as usize] ^= Squares::from(from).with(to);
        self.colors[them as usize] -= to.into();
        self.empty = self.empty.without(to).with(from);
        self.side = Some(them);
        if taken == 0 { Change::Step } else { Change::Capture }
    }

    /// The rank of the face-up piece on a square, zero for none.
    #[inline]
    pub const fn rank_at(&self, at: Square) -> u8 {
        let i = at.index();
        let [c, b, a] = self.planes;
        ((c >> i & 1) | (b >> i & 1) << 1 | (a >> i & 1) << 2) as u8
    }
}
