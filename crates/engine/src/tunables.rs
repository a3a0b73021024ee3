//! Every tuned number of the handmade evaluation, once: what it multiplies, and its two values.
//!
//! Each number multiplies a count, and the evaluation is the sum, so the numbers can be fitted to results of games as well as
//! tuned by matches. The first value counts while eight or more pieces are face down, the second when none is; between them
//! they are blended. A thousand is a decisive advantage. Roles are in the order of rank: `P C N R M G K`.

use std::fmt;
use std::str::FromStr;

macro_rules! tunables {
    ($($(#[doc = $doc:literal])+ $name:ident: $n:literal = $values:expr;)+) => {
        /// The numbers, by name.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Tunables { $($(#[doc = $doc])+ pub $name: [(i32, i32); $n],)+ }

        impl Default for Tunables {
            fn default() -> Tunables {
                Tunables { $($name: $values,)+ }
            }
        }

        impl Tunables {
            /// The names, with how many numbers each has.
            pub const NAMES: &[(&'static str, usize)] = &[$((stringify!($name), $n),)+];

            /// How many numbers there are.
            pub const COUNT: usize = 0 $(+ $n)+;

            /// The numbers of each name.
            fn lists(&self) -> [(&'static str, &[(i32, i32)]); Tunables::NAMES.len()] {
                [$((stringify!($name), &self.$name),)+]
            }

            /// Every number in the order of [`NAMES`](Tunables::NAMES).
            pub fn numbers(&self) -> Vec<(i32, i32)> {
                self.lists().map(|(_, list)| list).concat()
            }

            fn list_mut(&mut self, name: &str) -> Option<&mut [(i32, i32)]> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }
        }

        /// Where the numbers of each name begin among all of them.
        #[allow(non_upper_case_globals, reason = "the names are those of the fields")]
        pub(crate) mod place {
            tunables!(@places 0usize; $($name: $n,)+);
        }
    };
    (@places $at:expr; $name:ident: $n:literal, $($rest:tt)*) => {
        pub(crate) const $name: usize = $at;
        tunables!(@places $at + $n; $($rest)*);
    };
    (@places $at:expr;) => {};
}

// Fitted 2026-11-15 to 3,200 games of self-play at 4,000 nodes a move (378,000 positions): least squares between the squashed
// sum and 0.7 x result + 0.3 x search value, with a pull toward numbers set by hand. docs/strength.md has the matches.
tunables! {
    /// A piece, face up or face down, by how many living enemies of another rank can step onto it: six numbers a role, the
    /// last for five or more. For the king these are the enemy pawns.
    piece: 42 = [
        (286, 1092), (328, 337), (183, 192), (96, 113), (79, 93), (60, 48),
        (155, 244), (171, 697), (256, 585), (395, 591), (409, 528), (409, 416),
        (347, 687), (286, 422), (128, 127), (10, 40), (3, 63), (28, 18),
        (394, 1982), (127, 299), (129, 144), (55, 146), (24, 69), (24, 17),
        (618, 1410), (180, 375), (83, 146), (44, 70), (29, 29), (18, 18),
        (764, 1021), (508, 504), (89, 89), (46, 46), (24, 24), (13, 13),
        (1126, 1159), (936, 444), (637, 232), (453, 167), (291, 76), (171, 237),
    ];
    /// A face-down piece, on top of `piece`.
    hidden: 7 = [
        (-5, -6), (-75, -6), (22, 1), (6, 2), (-13, -6), (-16, -9), (-1, -4),
    ];
    /// For each own piece (row) and each enemy piece that it can take (column). Cannons can take all.
    prey: 49 = [
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (-10, -3),
        (12, 19), (0, 0), (-11, 7), (-5, 16), (-16, -6), (-1, 6), (2, -4),
        (3, -5), (11, -7), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (15, 6), (5, -16), (6, 18), (0, 0), (0, 0), (0, 0), (0, 0),
        (17, -14), (16, 6), (8, -18), (-4, 8), (0, 0), (0, 0), (0, 0),
        (5, -22), (1, -6), (-15, -49), (3, -5), (-7, -19), (0, 0), (0, 0),
        (0, 0), (-2, 4), (9, 27), (-8, -28), (4, 13), (-1, -1), (0, 0),
    ];
    /// A piece that can take nothing that is left.
    idle: 7 = [
        (0, 17), (0, 0), (-5, 11), (-10, 11), (-15, 19), (-30, 120), (-60, -24),
    ];
    /// An own piece that could be taken at once, with us to move.
    attacked: 7 = [
        (-8, -12), (-61, -52), (-2, -4), (-12, -7), (-16, -20), (-93, -58), (-224, -117),
    ];
    /// An enemy piece that we could take at once.
    capture: 7 = [
        (22, 13), (138, 76), (10, 9), (27, 14), (33, 41), (124, 30), (386, 71),
    ];
    /// An own piece that could be taken and has no safe square to go to, with us to move.
    trapped_ours: 7 = [
        (-9, -8), (-120, -87), (-3, -8), (-16, -11), (-29, -32), (-182, -39), (-363, -155),
    ];
    /// The same for an enemy piece.
    trapped_theirs: 7 = [
        (10, 4), (28, 22), (4, 4), (12, 5), (9, 9), (22, 13), (39, 20),
    ];
    /// Each own piece after the first that could be taken: only one can run.
    fork: 1 = [
        (-42, -53),
    ];
    /// An enemy piece two, three, four and five steps from a piece of ours that takes it, by role; the last two are counted
    /// only when few pieces are face down.
    hunt: 28 = [
        (10, 26), (24, 47), (5, 3), (9, 7), (11, 15), (21, 19), (22, 49),
        (2, 1), (4, 10), (4, -1), (1, 4), (6, 7), (3, 14), (6, 20),
        (0, -3), (3, 3), (0, -1), (1, 0), (1, -2), (3, 3), (4, 5),
        (-1, -6), (2, 0), (0, 1), (0, -3), (1, 0), (2, 5), (2, 3),
    ];
    /// The same for our pieces and their hunters.
    flee: 28 = [
        (-7, -20), (-13, -21), (-2, -2), (-6, -5), (-9, -14), (-10, -27), (-10, -59),
        (-2, 2), (-3, -7), (-4, 1), (-1, -3), (-5, -4), (-1, -1), (-3, -6),
        (0, -1), (-2, -2), (0, 1), (-1, -1), (-1, 1), (-2, -4), (-3, -5),
        (1, 6), (-2, 1), (0, -2), (0, 2), (-1, 2), (-1, -4), (-2, -2),
    ];
    /// A piece that could be taken, or that a hunter reaches in two or three steps, with no, one and two safe squares to go to.
    pinned: 21 = [
        (-40, -20), (2, -17), (10, 1),
        (-20, -143), (-1, -12), (9, 2),
        (-7, -9), (-13, -6), (4, 0),
        (-14, -11), (0, -10), (3, 0),
        (-18, -24), (-5, -18), (1, -9),
        (-41, -62), (-11, -25), (7, 1),
        (-98, -231), (-11, -47), (9, -1),
    ];
    /// A piece that could be taken, next to a friend that is not weaker.
    guarded: 7 = [
        (-1, -1), (3, 3), (2, 2), (1, 0), (4, 2), (1, 2), (2, 2),
    ];
    /// A piece next to a face-down piece.
    covered: 7 = [
        (-2, 1), (4, 5), (-12, -2), (-3, -2), (3, 4), (-5, 9), (-13, 0),
    ];
    /// A piece next to a face-down piece, times the sixteenths of a chance that it is an enemy that takes it.
    risk: 7 = [
        (-1, -3), (-11, -6), (6, -8), (2, 2), (-1, -1), (4, 6), (-8, -9),
    ];
    /// Having the move.
    tempo: 1 = [
        (6, 0),
    ];
}

impl Tunables {
    /// Changes the number at this place of [`numbers`](Tunables::numbers).
    pub fn set_number(&mut self, place: usize, value: (i32, i32)) {
        let mut at = place;
        for (name, n) in Tunables::NAMES {
            if at < *n {
                if let Some(list) = self.list_mut(name) {
                    list[at] = value;
                }
                return;
            }
            at -= n;
        }
    }

    /// The numbers of each name as [`set`](Tunables::set) takes them.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&'static str, String)> {
        let text = |list: &[(i32, i32)]| {
            let numbers: Vec<String> = list.iter().map(|(early, late)| format!("{early}:{late}")).collect();
            numbers.join("/")
        };
        self.lists().into_iter().map(move |(name, list)| (name, text(list)))
    }

    /// Sets `name` to numbers parted by `/`, each one value or two parted by `:`. None when there is no such name.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Option<Result<(), WrongCount>> {
        let list = self.list_mut(name)?;
        let number = |text: &str| {
            let (early, late) = text.split_once(':').unwrap_or((text, text));
            Some((early.parse().ok()?, late.parse().ok()?))
        };
        let numbers: Option<Vec<(i32, i32)>> = value.split('/').map(number).collect();
        Some(match numbers {
            Some(numbers) if numbers.len() == list.len() => {
                list.copy_from_slice(&numbers);
                Ok(())
            }
            _ => Err(WrongCount(list.len())),
        })
    }
}

/// A name takes so many numbers, and the value is something else.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct WrongCount(usize);

impl fmt::Display for WrongCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} numbers parted by /", self.0)
    }
}

/// A line a name, as settings are written: `tempo=6:0`.
impl fmt::Display for Tunables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.texts().try_for_each(|(name, numbers)| writeln!(f, "{name}={numbers}"))
    }
}

/// A line that sets no number.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TunablesError {
    /// The line, from 1.
    pub line: usize,
    /// What should have been there.
    pub expected: String,
    /// What was there instead.
    pub found: String,
}

impl fmt::Display for TunablesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}, found {:?}", self.line, self.expected, self.found)
    }
}

impl std::error::Error for TunablesError {}

/// The text that [`Display`](fmt::Display) writes. Names may be missing, and keep the numbers we play with; blank lines and
/// lines that begin with `#` say nothing.
impl FromStr for Tunables {
    type Err = TunablesError;

    fn from_str(text: &str) -> Result<Tunables, TunablesError> {
        let mut tunables = Tunables::default();
        let lines = (1..).zip(text.lines().map(str::trim));
        for (line, found) in lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#')) {
            let wrong = |expected: String| TunablesError { line, expected, found: found.to_owned() };
            let (name, value) = found.split_once('=').ok_or_else(|| wrong("NAME=NUMBERS".to_owned()))?;
            let set = tunables.set(name, value).ok_or_else(|| {
                let names: Vec<&str> = Tunables::NAMES.iter().map(|(n, _)| *n).collect();
                wrong(format!("a name: {}", names.join(", ")))
            })?;
            set.map_err(|takes| wrong(format!("{name}= and {takes}")))?;
        }
        Ok(tunables)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_set_by_name() {
        let mut tunables = Tunables::default();
        assert_eq!(tunables.set("tempo", "7:9"), Some(Ok(())));
        assert_eq!(tunables.tempo, [(7, 9)]);
        assert!(tunables.set("attacked", "1/2").is_some_and(|r| r.is_err()));
        assert_eq!(tunables.set("speed", "1"), None);
        assert_eq!(tunables.numbers().len(), Tunables::COUNT);
        assert_eq!(tunables.numbers()[place::tempo], (7, 9));
        tunables.set_number(place::tempo, (1, 2));
        assert_eq!(tunables.tempo, [(1, 2)]);
    }

    #[test]
    fn numbers_survive_a_trip_through_text() {
        let tunables = Tunables { tempo: [(-7, 9)], ..Tunables::default() };
        assert_eq!(tunables.to_string().parse(), Ok(tunables));
        assert_eq!("# none\n\n".parse(), Ok(Tunables::default()));
        for (text, line) in [("tempo=1\nspeed=1\n", 2), ("attacked=1/2", 1), ("#\n\ntempo", 3)] {
            assert_eq!(text.parse::<Tunables>().expect_err(text).line, line, "{text}");
        }
    }
}
