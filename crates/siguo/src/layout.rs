//! A player's army before the game: twenty-five men on the thirty slots of an arm, five of which are camps.

use std::fmt;
use std::str::FromStr;

use super::clues::Clues;
use super::role::Role;
use super::station::{StationKind, slot_kind};
use anglerfish_rules::NotationError;
use anglerfish_rules::rand_core;

/// How many slots an arm has.
pub const SLOTS: usize = 30;

/// An army on its slots, as only its owner knows it.
///
/// The flag is in a headquarters, mines are in the last two rows, bombs not in the front row, and camps are
/// empty. The text is a letter for each slot, the front row first and each row from the left of its owner,
/// with `.` for camps.
///
/// ```
/// use anglerfish_siguo::{Layout, Role};
/// let layout: Layout = "973215.1.64B.3B4.8.3L5761LF22L".parse()?;
/// assert_eq!((layout.flag(), layout.role(0)), (26, Some(Role::Marshal)));
/// # Ok::<(), anglerfish_rules::NotationError>(())
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub struct Layout {
    roles: [Option<Role>; SLOTS],
}

impl Layout {
    /// A legal layout, each with equal probability.
    pub fn random(rng: &mut (impl rand_core::Rng + ?Sized)) -> Layout {
        Clues::NONE.draw(rng)
    }

    /// An army on these slots, if it is complete and all men stand on legal slots.
    pub fn new(roles: [Option<Role>; SLOTS]) -> Option<Layout> {
        let fits = |slot: usize| match roles[slot] {
            Some(role) => may_stand(role, slot),
            None => slot_kind(slot) == StationKind::Camp,
        };
        let complete = |role: Role| roles.iter().filter(|r| **r == Some(role)).count() == role.count();
        ((0..SLOTS).all(fits) && Role::ALL.into_iter().all(complete)).then_some(Layout { roles })
    }

    /// The role that starts on a slot; `None` for camps.
    #[inline]
    pub const fn role(&self, slot: usize) -> Option<Role> {
        self.roles[slot]
    }

    /// The slot of the flag.
    pub fn flag(&self) -> usize {
        if self.roles[26] == Some(Role::Flag) { 26 } else { 28 }
    }
}

/// Whether a man of this role may start on a slot.
pub const fn may_stand(role: Role, slot: usize) -> bool {
    match slot_kind(slot) {
        StationKind::Camp => false,
        StationKind::Headquarters => true,
        StationKind::Post => match role {
            Role::Flag => false,
            Role::Mine => slot >= 20,
            Role::Bomb => slot >= 5,
            _ => true,
        },
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.roles.iter().map(|role| role.map_or('.', Role::letter)).collect();
        f.write_str(&text)
    }
}

impl FromStr for Layout {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Layout, NotationError> {
        let mut roles = [None; SLOTS];
        for slot in 0..SLOTS {
            let found = text.as_bytes().get(slot).map(|&byte| byte as char);
            let camp = slot_kind(slot) == StationKind::Camp;
            roles[slot] = found.and_then(Role::from_letter);
            let good = if camp { found == Some('.') } else { roles[slot].is_some() };
            if !good {
                let expected = if camp { "a camp: ." } else { "one of F, L, B and 1 to 9" };
                return Err(NotationError::new(expected, text, slot));
            }
            if let Some(role) = roles[slot] {
                if !may_stand(role, slot) {
                    return Err(NotationError::new(format!("no {} here", role.letter()), text, slot));
                }
                if roles[..=slot].iter().filter(|r| **r == Some(role)).count() > role.count() {
                    let expected = format!("no further {}: an army has {}", role.letter(), role.count());
                    return Err(NotationError::new(expected, text, slot));
                }
            }
        }
        if text.len() > SLOTS {
            return Err(NotationError::new("a layout of thirty letters", text, SLOTS));
        }
        // Twenty-five men without an excess of any role: so none is missing.
        Ok(Layout { roles })
    }
}

#[cfg(test)]
mod tests {
    use anglerfish_rules::Rng;

    use super::*;

    #[test]
    fn layouts_are_read_and_refused() {
        let good = "973215.1.64B.3B4.8.3L5761LF22L";
        let check = |text: &str, at: Option<usize>| {
            let read = text.parse::<Layout>();
            assert_eq!(read.as_ref().err().map(|e| e.at), at, "{text}: {read:?}");
            if let Ok(layout) = read {
                assert_eq!(layout.to_string(), text);
                assert_eq!(Layout::new(std::array::from_fn(|slot| layout.role(slot))), Some(layout));
            }
        };
        let swapped = |a: usize, b: usize| {
            let mut bytes = good.as_bytes().to_vec();
            bytes.swap(a, b);
            String::from_utf8(bytes).unwrap()
        };
        check(good, None);
        check(&good[..29], Some(29));
        check(&format!("{good}L"), Some(30));
        check(&swapped(26, 28), None);
        check(&swapped(26, 27), Some(27));
        check(&swapped(0, 11), Some(0));
        check(&swapped(0, 20), Some(0));
        check(&swapped(5, 6), Some(5));
        check(&good.replace('9', "8"), Some(17));
        check("é", Some(0));
    }

    #[test]
    fn random_layouts_are_legal() {
        let mut rng = Rng::new(1);
        for _ in 0..1000 {
            let layout = Layout::random(&mut rng);
            assert_eq!(layout.to_string().parse(), Ok(layout));
            assert_eq!(layout.role(layout.flag()), Some(Role::Flag));
        }
    }
}
