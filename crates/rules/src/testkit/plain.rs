//! Banqi a second time, deliberately plain: letters on a grid, a list of letters for the bag, loops over squares.
//!
//! The oracle of the bitboards. It shares with them only the words of the notation (`Square`, `Action`, `Event`) and the
//! rule set; it has no key, no counters beyond what the rules name, and it is never made faster.

#![expect(clippy::unwrap_used, reason = "an oracle that tests compare with; a panic is its report")]

use crate::banqi::{Action, Color, Event, Piece, Repetition, RuleSet, Square, Stuck};
use crate::game::{ChanceOutcome, Outcome, Reason, Seat, Turn};
use crate::perft::Perft;

const HIDDEN: char = 'X';
const EMPTY: char = '-';

/// A game of Banqi on a grid of letters.
#[derive(Clone, Debug)]
pub struct Plain {
    rules: RuleSet,
    /// `grid[rank][file]`
    grid: Vec<Vec<char>>,
    bag: Vec<char>,
    side: char,
    quiet: u16,
    ply: u32,
    /// Since the last capture or flip: every position that stood, the present one last, and the plies between them.
    stood: Vec<String>,
    played: Vec<String>,
}

impl Plain {
    /// A position text without a history.
    ///
    /// # Panics
    /// When the text is not one: this is a tool for tests.
    pub fn new(text: &str) -> Plain {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut grid: Vec<Vec<char>> = fields[0].split('/').map(|rank| rank.chars().collect()).collect();
        grid.reverse();
        let mut bag = Vec::new();
        let letters: Vec<char> = fields[2].chars().collect();
        for pair in letters.chunks(2).filter(|pair| pair.len() == 2) {
            for _ in 0..pair[1].to_digit(10).unwrap() {
                bag.push(pair[0]);
            }
        }
        let mut game = Plain {
            rules: fields[5].parse().unwrap(),
            grid,
            bag,
            side: fields[1].chars().next().unwrap(),
            quiet: fields[3].parse().unwrap(),
            ply: fields[4].parse().unwrap(),
            stood: Vec::new(),
            played: Vec::new(),
        };
        game.stood.push(game.picture());
        game
    }

    /// Board, side and bag: what makes two positions the same.
    fn picture(&self) -> String {
        let mut bag = self.bag.clone();
        bag.sort_unstable();
        format!("{:?} {} {:?}", self.grid, self.side, bag)
    }

    fn at(&self, square: Square) -> char {
        let row = self.grid.get(usize::from(square.rank()));
        row.and_then(|row| row.get(usize::from(square.file()))).copied().unwrap_or(' ')
    }

    fn put(&mut self, square: Square, letter: char) {
        self.grid[usize::from(square.rank())][usize::from(square.file())] = letter;
    }

    fn owner(letter: char) -> char {
        match letter {
            HIDDEN | EMPTY | ' ' => ' ',
            _ if letter.is_uppercase() => 'r',
            _ => 'b',
        }
    }

    fn can_take(attacker: char, victim: char) -> bool {
        let prey = match attacker.to_ascii_uppercase() {
            'K' => "KGMRNC",
            'G' => "GMRNCP",
            'M' => "MRNCP",
            'R' => "RNCP",
            'N' => "NCP",
            'P' => "PK",
            _ => "",
        };
        prey.contains(victim.to_ascii_uppercase())
    }

    /// Whether a piece of `side` may go from one square to the other.
    fn may_move(&self, side: char, from: Square, to: Square) -> bool {
        let (mover, target) = (self.at(from), self.at(to));
        if Plain::owner(mover) != side || target == ' ' || Plain::owner(target) == side {
            return false;
        }
        let (files, ranks) = (from.file().abs_diff(to.file()), from.rank().abs_diff(to.rank()));
        let adjacent = files + ranks == 1;
        if target == EMPTY {
            return adjacent;
        }
        if target == HIDDEN {
            return false;
        }
        if mover.eq_ignore_ascii_case(&'C') {
            // Exactly one piece on the squares between, in a straight line.
            let between = Square::all().filter(|s| {
                let inside = |a: u8, b: u8, x: u8| a.min(b) <= x && x <= a.max(b);
                *s != from
                    && *s != to
                    && inside(from.file(), to.file(), s.file())
                    && inside(from.rank(), to.rank(), s.rank())
            });
            return (files == 0 || ranks == 0) && between.filter(|s| self.at(*s) != EMPTY).count() == 1;
        }
        adjacent && Plain::can_take(mover, target)
    }

    fn actions_of(&self, side: char) -> Vec<Action> {
        let flips = Square::all().filter(|&s| self.at(s) == HIDDEN).map(Action::Flip);
        let pairs = Square::all().flat_map(|from| Square::all().map(move |to| (from, to)));
        let moves = pairs
            .filter(|&(from, to)| self.may_move(side, from, to))
            .map(|(from, to)| Action::Move { from, to });
        flips.chain(moves).collect()
    }

    /// The legal actions; none when the game is over.
    pub fn actions(&self) -> Vec<Action> {
        if self.turn().is_over() { Vec::new() } else { self.actions_of(self.side) }
    }

    /// The possible outcomes of an action.
    ///
    /// # Panics
    /// When the bag holds a letter that is no piece, which cannot happen.
    pub fn outcomes(&self, action: Action) -> Vec<ChanceOutcome<Event>> {
        match action {
            Action::Move { from, to } => vec![ChanceOutcome { event: Event::Move { from, to }, weight: 1 }],
            Action::Flip(at) => {
                let mut chances: Vec<ChanceOutcome<Event>> = Vec::new();
                for letter in &self.bag {
                    let event = Event::Flip { at, piece: Piece::from_letter(*letter as u8).unwrap() };
                    match chances.iter_mut().find(|c| c.event == event) {
                        Some(chance) => chance.weight += 1,
                        None => chances.push(ChanceOutcome { event, weight: 1 }),
                    }
                }
                chances
            }
        }
    }

    /// Plays a possible event.
    ///
    /// # Panics
    /// When the piece that was flipped is not in the bag.
    pub fn apply(&mut self, event: Event) {
        self.ply += 1;
        let progress = match event {
            Event::Flip { at, piece } => {
                let place = self.bag.iter().position(|l| *l == piece.letter()).unwrap();
                self.bag.remove(place);
                self.put(at, piece.letter());
                if self.side == '?' {
                    self.side = if piece.color() == Color::Red { 'r' } else { 'b' };
                }
                if self.rules.flip_resets {
                    self.quiet = 0;
                }
                true
            }
            Event::Move { from, to } => {
                let capture = self.at(to) != EMPTY;
                let mover = self.at(from);
                self.put(from, EMPTY);
                self.put(to, mover);
                self.quiet = if capture { 0 } else { self.quiet + 1 };
                capture
            }
        };
        self.side = if self.side == 'r' { 'b' } else { 'r' };
        if progress {
            self.stood.clear();
            self.played.clear();
        } else {
            self.played.push(event.to_string());
        }
        self.stood.push(self.picture());
    }

    /// Whose turn it is, or how the game ended.
    pub fn turn(&self) -> Turn {
        let seat = Seat((self.ply % 2) as u8);
        let loss = self.loser().map(|(side, reason)| {
            let team = if side == self.side { seat.team() } else { seat.team().other() };
            Turn::Over(Outcome::Win(team.other()), reason)
        });
        let draw = if self.quiet >= self.rules.quiet {
            Some(Turn::Over(Outcome::Draw, Reason::Quiet))
        } else if self.repeated() {
            Some(Turn::Over(Outcome::Draw, Reason::Repetition))
        } else {
            None
        };
        let over = if self.rules.draw_first { draw.or(loss) } else { loss.or(draw) };
        over.unwrap_or(Turn::Seat(seat))
    }

    fn loser(&self) -> Option<(char, Reason)> {
        if self.side == '?' {
            return None;
        }
        let gone = |side: char| {
            !self.grid.iter().flatten().any(|&l| Plain::owner(l) == side)
                && !self.bag.iter().any(|&l| Plain::owner(l) == side)
        };
        let looked_at: &[char] = match self.rules.stuck {
            Stuck::OnTurn => &[self.side],
            Stuck::Either => &['b', 'r'],
        };
        if self.rules.elimination && gone(self.side) {
            return Some((self.side, Reason::NoPieces));
        }
        let stuck = looked_at.iter().copied().find(|&side| self.actions_of(side).is_empty())?;
        Some((stuck, if gone(stuck) { Reason::NoPieces } else { Reason::NoMove }))
    }

    fn repeated(&self) -> bool {
        match self.rules.repetition {
            Repetition::None => false,
            Repetition::Position(n) => {
                self.stood.iter().filter(|p| Some(*p) == self.stood.last()).count() >= usize::from(n)
            }
            Repetition::Cycle(n) => (1..=self.played.len()).any(|k| {
                let wanted = k * usize::from(n);
                let Some(start) = self.played.len().checked_sub(wanted) else { return false };
                let last = &self.played[start..];
                k % 2 == 0 && (0..wanted).all(|i| last[i] == last[i % k])
            }),
        }
    }

    /// [`perft`](crate::perft::perft) without any of its shortcuts.
    pub fn perft(&self, depth: u32) -> Perft {
        if depth == 0 {
            return Perft { count: 1, weight: 1 };
        }
        let mut total = Perft::default();
        for action in self.actions() {
            for chance in self.outcomes(action) {
                let mut next = self.clone();
                next.apply(chance.event);
                let below = next.perft(depth - 1);
                total.count += below.count;
                total.weight += u128::from(chance.weight) * below.weight;
            }
        }
        total
    }
}
