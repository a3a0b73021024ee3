//! Every tuned number of the handmade evaluation, once: name, length, values.
//!
//! Units are such that 1,000 is a decisive advantage. Each number multiplies a count, and the evaluation is their sum, so
//! numbers can be fitted to results of games as well as tuned by matches. Roles are in the order of rank: `P C N R M G K`.

macro_rules! tunables {
    ($($(#[doc = $doc:literal])+ $name:ident: $n:literal = $values:expr;)+) => {
        /// The numbers, by name.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Tunables { $($(#[doc = $doc])+ pub $name: [i32; $n],)+ }

        impl Default for Tunables {
            fn default() -> Tunables {
                Tunables { $($name: $values,)+ }
            }
        }

        impl Tunables {
            /// The names, with how many numbers each has.
            pub const NAMES: &[(&'static str, usize)] = &[$((stringify!($name), $n),)+];

            /// Every number in the order of [`NAMES`](Tunables::NAMES).
            pub fn numbers(&self) -> impl Iterator<Item = i32> + '_ {
                let lists: Vec<&[i32]> = vec![$(&self.$name,)+];
                lists.into_iter().flatten().copied()
            }

            /// The number at this place of [`numbers`](Tunables::numbers), to be changed.
            pub fn number_mut(&mut self, place: usize) -> Option<&mut i32> {
                let lists: Vec<&mut [i32]> = vec![$(&mut self.$name,)+];
                lists.into_iter().flatten().nth(place)
            }

            fn list_mut(&mut self, name: &str) -> Option<&mut [i32]> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }
        }
    };
}

tunables! {
    /// How large an advantage must be to score about two thirds of a win.
    scale: 1 = [500];
    /// A piece, face up or face down.
    base: 7 = [20, 150, 40, 60, 100, 160, 250];
    /// A piece that is face up, on top of `base`.
    shown: 7 = [0, 0, 0, 0, 0, 0, 0];
    /// For each own piece (row) and each enemy piece it can take (column), face up or face down. Cannons can take all.
    prey: 49 = [
        2, 0, 0, 0, 0, 0, 25,
        1, 4, 2, 3, 5, 8, 10,
        2, 8, 2, 0, 0, 0, 0,
        2, 8, 2, 3, 0, 0, 0,
        2, 8, 2, 3, 5, 0, 0,
        2, 8, 2, 3, 5, 8, 0,
        0, 8, 2, 3, 5, 8, 12,
    ];
    /// An own piece that could be taken at once, with us to move.
    attacked: 7 = [-4, -30, -8, -12, -20, -30, -50];
    /// The same when it also has no safe square to go to.
    trapped: 7 = [-3, -30, -8, -12, -20, -30, -50];
    /// Each own piece after the first that could be taken, with us to move: only one can run.
    fork: 1 = [-20];
    /// An enemy piece that we could take at once.
    capture: 7 = [5, 30, 8, 12, 20, 30, 50];
    /// An enemy piece two steps from an own piece that takes it, with us to move.
    near_ours: 7 = [2, 6, 2, 3, 5, 8, 12];
    /// An own piece two steps from an enemy piece that takes it, with us to move.
    near_theirs: 7 = [-2, -6, -2, -3, -5, -8, -12];
    /// An enemy piece three steps from an own piece that takes it, with us to move.
    far_ours: 7 = [1, 3, 1, 2, 3, 4, 6];
    /// An own piece three steps from an enemy piece that takes it, with us to move.
    far_theirs: 7 = [-1, -3, -1, -2, -3, -4, -6];
    /// A safe empty square next to a piece, by the piece's role.
    room: 7 = [1, 3, 2, 2, 3, 4, 4];
    /// A face-up piece next to a face-down one, times the chance that it is an enemy that takes it.
    risk: 7 = [-3, -20, -6, -8, -12, -20, -40];
    /// Having the move.
    tempo: 1 = [10];
}

impl Tunables {
    /// Sets `name.3` (one number) or `name` (all of them, parted by `/`). None when there is no such name.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Option<Result<(), String>> {
        let (list, place) = match name.split_once('.') {
            Some((list, place)) => (list, Some(place.parse::<usize>().ok()?)),
            None => (name, None),
        };
        let list = self.list_mut(list)?;
        let numbers: Option<Vec<i32>> = value.split('/').map(|n| n.parse().ok()).collect();
        let target = match place {
            Some(place) => list.get_mut(place..=place)?,
            None => list,
        };
        Some(match numbers {
            Some(numbers) if numbers.len() == target.len() => {
                target.copy_from_slice(&numbers);
                Ok(())
            }
            _ => Err(format!("{} numbers parted by /", target.len())),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_set_by_name() {
        let mut tunables = Tunables::default();
        assert_eq!(tunables.set("base.6", "300"), Some(Ok(())));
        assert_eq!(tunables.base[6], 300);
        assert_eq!(tunables.set("tempo", "7"), Some(Ok(())));
        assert!(tunables.set("base", "1/2").is_some_and(|r| r.is_err()));
        assert_eq!(tunables.set("speed", "1"), None);
        let count: usize = Tunables::NAMES.iter().map(|(_, n)| n).sum();
        assert_eq!(tunables.numbers().count(), count);
        *tunables.number_mut(0).expect("the first number") = 9;
        assert_eq!(tunables.scale, [9]);
    }
}
