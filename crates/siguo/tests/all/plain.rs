//! A second, deliberately plain implementation of Siguo: letters on a grid of 17 by 17, and links computed
//! from coordinates.
//!
//! It is the oracle of the tables of roads and rails. It shares with them only the words of the notation
//! (`Station`, `Action`); it has no lines, no sets and no clues, and is never optimized.

#![expect(clippy::unwrap_used, reason = "an oracle that tests compare with; a panic is its report")]

use std::collections::{BTreeMap, BTreeSet};

use anglerfish_rules::{Outcome, Reason, Seat, Team, Turn};
use anglerfish_siguo::{Action, Arm, Station};

/// Right and down, from 0 to 16.
type Place = (i8, i8);

/// A man: the arm it belongs to, 0 to 3, and its letter.
type Man = (usize, char);

/// A game of Siguo on a grid of letters.
#[derive(Clone, Debug)]
pub(crate) struct PlainSiguo {
    men: BTreeMap<Place, Man>,
    flags: [Place; 4],
    four: bool,
    most_quiet: u16,
    quiet: u16,
    missed: [u8; 4],
    out: [bool; 4],
    to_move: usize,
}

/// The direction in which an arm looks at the middle.
const AHEAD: [Place; 4] = [(0, -1), (-1, 0), (0, 1), (1, 0)];

fn place(at: Station) -> Place {
    let text = at.to_string();
    let digit = |i: usize| (text.as_bytes()[i] - b'1') as i8;
    let (row, column) = (digit(1), digit(2));
    match text.as_bytes()[0] {
        b's' => (6 + column, 11 + row),
        b'e' => (11 + row, 10 - column),
        b'n' => (10 - column, 5 - row),
        b'w' => (5 - row, 6 + column),
        _ => (6 + 2 * column, 6 + 2 * row),
    }
}

fn station(at: Place) -> Station {
    Station::all().find(|&station| place(station) == at).expect("a place that is a station")
}

/// The arm, the row from the front and the column from the left, both from 1; `None` in the middle and outside.
fn local((x, y): Place) -> Option<(usize, i8, i8)> {
    let (arm, row, column) = match (x, y) {
        (6..=10, 11..=16) => (0, y - 10, x - 5),
        (11..=16, 6..=10) => (1, x - 10, 11 - y),
        (6..=10, 0..=5) => (2, 6 - y, 11 - x),
        (0..=5, 6..=10) => (3, 6 - x, y - 5),
        _ => return None,
    };
    Some((arm, row, column))
}

fn is_middle((x, y): Place) -> bool {
    [6, 8, 10].contains(&x) && [6, 8, 10].contains(&y)
}

fn is_camp(at: Place) -> bool {
    local(at)
        .is_some_and(|(_, row, column)| [(2, 2), (2, 4), (3, 3), (4, 2), (4, 4)].contains(&(row, column)))
}

fn is_headquarters(at: Place) -> bool {
    local(at).is_some_and(|(_, row, column)| row == 6 && (column == 2 || column == 4))
}

fn everywhere() -> impl Iterator<Item = Place> {
    let all = (0..17).flat_map(|x| (0..17).map(move |y| (x, y)));
    all.filter(|&at| local(at).is_some() || is_middle(at))
}

fn has_rail(a: Place, b: Place) -> bool {
    let (dx, dy) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
    match (local(a), local(b)) {
        (Some((here, r1, c1)), Some((there, r2, c2))) if here == there => {
            let along_row = r1 == r2 && (r1 == 1 || r1 == 5);
            let along_side = c1 == c2 && (c1 == 1 || c1 == 5) && r1 <= 5 && r2 <= 5;
            dx + dy == 1 && (along_row || along_side)
        }
        // The curves: the corners of two arms that touch.
        (Some(_), Some(_)) => dx == 1 && dy == 1,
        (Some((_, row, column)), None) | (None, Some((_, row, column))) => {
            row == 1 && column % 2 == 1 && dx + dy == 1
        }
        (None, None) => dx + dy == 2 && (dx == 0 || dy == 0),
    }
}

fn has_road(a: Place, b: Place) -> bool {
    let (dx, dy) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
    let same_arm = local(a).zip(local(b)).is_some_and(|(a, b)| a.0 == b.0);
    same_arm && (dx + dy == 1 || dx == 1 && dy == 1 && (is_camp(a) || is_camp(b)))
}

/// Whether a man that came in one direction may go on in another: straight on, from the side of an arm into a
/// curve, or out of a curve along the side of the next arm.
fn goes_on(at: Place, came: Place, goes: Place) -> bool {
    let is_curve = |(x, y): Place| x != 0 && y != 0;
    let ahead = |at: Place| local(at).map_or((0, 0), |(arm, _, _)| AHEAD[arm]);
    let back = |at: Place| (-ahead(at).0, -ahead(at).1);
    match (is_curve(came), is_curve(goes)) {
        (false, false) => came == goes,
        (false, true) => came == ahead(at),
        (true, false) => goes == back(at),
        (true, true) => false,
    }
}

impl PlainSiguo {
    /// The text of a game that has just begun.
    ///
    /// # Panics
    /// When the text is not one: this is a tool for tests.
    pub(crate) fn new(text: &str) -> PlainSiguo {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut men = BTreeMap::new();
        let mut flags = [(0, 0); 4];
        let layouts: Vec<&str> = fields[0].split('/').collect();
        for (arm, layout) in layouts.iter().enumerate().filter(|(_, layout)| layout.len() == 30) {
            for (slot, letter) in layout.chars().enumerate().filter(|(_, letter)| *letter != '.') {
                let at = place(Station::of(Arm::ALL[arm], slot));
                men.insert(at, (arm, letter));
                if letter == 'F' {
                    flags[arm] = at;
                }
            }
        }
        let quiet = fields[5].split(',').find_map(|word| word.strip_prefix("quiet="));
        PlainSiguo {
            men,
            flags,
            four: !fields[5].contains("players=2"),
            most_quiet: quiet.map_or(71, |n| n.parse().unwrap()),
            quiet: 0,
            missed: [0; 4],
            out: [0, 1, 2, 3].map(|arm: usize| layouts[arm] == "-"),
            to_move: "senw".find(fields[3]).unwrap(),
        }
    }

    fn are_enemies(&self, a: usize, b: usize) -> bool {
        if self.four { a % 2 != b % 2 } else { a != b }
    }

    /// The seat to move, or how the game ended.
    pub(crate) fn turn(&self) -> Turn {
        let teams = if self.four { [[0, 2], [1, 3]] } else { [[0, 0], [2, 2]] };
        for (team, other) in [(0, Team::B), (1, Team::A)] {
            if teams[team].iter().all(|&arm: &usize| self.out[arm]) {
                return Turn::Over(Outcome::Win(other), Reason::Eliminated);
            }
        }
        if self.quiet == self.most_quiet {
            return Turn::Over(Outcome::Draw, Reason::Quiet);
        }
        Turn::Seat(Seat(if self.four { self.to_move } else { self.to_move / 2 } as u8))
    }

    /// Every legal action.
    pub(crate) fn actions(&self) -> Vec<Action> {
        if matches!(self.turn(), Turn::Over(..)) {
            return Vec::new();
        }
        let mut actions = Vec::new();
        for (&from, &(arm, letter)) in &self.men {
            if arm == self.to_move && letter != 'F' && letter != 'L' && !is_headquarters(from) {
                for to in self.reached(from, letter == '1') {
                    let enemy = |&(other, _): &Man| self.are_enemies(arm, other) && !is_camp(to);
                    if self.men.get(&to).is_none_or(enemy) {
                        actions.push(Action::Move { from: station(from), to: station(to) });
                    }
                }
            }
        }
        if actions.is_empty() { vec![Action::Skip] } else { actions }
    }

    /// The stations along all paths, up to the first man on each.
    fn reached(&self, from: Place, engineer: bool) -> BTreeSet<Place> {
        let mut reached: BTreeSet<Place> = everywhere().filter(|&to| has_road(from, to)).collect();
        let mut ways = vec![(from, None)];
        let mut seen = BTreeSet::new();
        while let Some((at, came)) = ways.pop() {
            for to in everywhere().filter(|&to| to != at && has_rail(at, to)) {
                let goes = ((to.0 - at.0).signum(), (to.1 - at.1).signum());
                if !engineer && came.is_some_and(|came| !goes_on(at, came, goes)) {
                    continue;
                }
                if to != from && seen.insert((to, goes)) {
                    reached.insert(to);
                    if !self.men.contains_key(&to) {
                        ways.push((to, Some(goes)));
                    }
                }
            }
        }
        reached
    }

    /// Plays a legal action or misses a turn; the text of the public event.
    ///
    /// # Panics
    /// When the game is over.
    pub(crate) fn play(&mut self, action: Action) -> String {
        let mover = self.to_move;
        let text = match action {
            Action::Move { from, to } => self.go(from, to),
            _ => {
                self.missed[mover] += 1;
                if self.missed[mover] == 5 {
                    self.eliminate(mover);
                }
                "skip".to_owned()
            }
        };
        self.pass_on(mover);
        text
    }

    /// A player leaves the game.
    pub(crate) fn leave(&mut self, arm: Arm) {
        self.eliminate(arm.index());
        if self.to_move == arm.index() {
            self.pass_on(arm.index());
        }
    }

    fn pass_on(&mut self, mover: usize) {
        for n in [3, 2, 1] {
            if !self.out[(mover + n) % 4] {
                self.to_move = (mover + n) % 4;
            }
        }
    }

    fn go(&mut self, from: Station, to: Station) -> String {
        let (start, end) = (place(from), place(to));
        let man = self.men.remove(&start).unwrap();
        let Some(other) = self.men.get(&end).copied() else {
            self.men.insert(end, man);
            self.quiet += 1;
            let walled = if self.is_walled_in(man.0) { "~a" } else { "" };
            self.eliminate_if(man.0, !walled.is_empty());
            return format!("{from}-{to}{walled}");
        };
        self.quiet = 0;
        let sign = match (man.1, other.1) {
            ('B', _) | (_, 'B') => '=',
            (_, 'F') | ('1', 'L') => 'x',
            (_, 'L') => '!',
            (a, b) if a == b => '=',
            (a, b) => {
                if a > b {
                    'x'
                } else {
                    '!'
                }
            }
        };
        if sign != '!' {
            self.men.remove(&end);
        }
        if sign == 'x' {
            self.men.insert(end, man);
        }
        let mut text = format!("{from}{sign}{to}");
        if other.1 == 'F' {
            text += "#";
            self.eliminate(other.0);
        }
        for (mark, (arm, letter), dies) in [("^a", man, sign != 'x'), ("^d", other, sign != '!')] {
            if letter == '9' && dies {
                text += &format!("{mark}{}", station(self.flags[arm]));
            }
        }
        // The defender goes first, and no player drops out of a finished game.
        let defender = !self.out[other.0] && self.is_walled_in(other.0);
        self.eliminate_if(other.0, defender);
        let attacker = !matches!(self.turn(), Turn::Over(..)) && self.is_walled_in(man.0);
        self.eliminate_if(man.0, attacker);
        text + if attacker { "~a" } else { "" } + if defender { "~d" } else { "" }
    }

    fn is_walled_in(&self, arm: usize) -> bool {
        !self.men.iter().any(|(&from, &(owner, letter))| {
            let beside = |to: &Place| has_road(from, *to) || has_rail(from, *to);
            let open = |to: Place| self.men.get(&to).is_none_or(|&(other, _)| self.are_enemies(arm, other));
            owner == arm
                && letter != 'F'
                && letter != 'L'
                && !is_headquarters(from)
                && everywhere().filter(|&to| to != from).filter(beside).any(open)
        })
    }

    fn eliminate_if(&mut self, arm: usize, holds: bool) {
        if holds {
            self.eliminate(arm);
        }
    }

    fn eliminate(&mut self, arm: usize) {
        self.out[arm] = true;
        self.men.retain(|_, man| man.0 != arm);
    }
}
