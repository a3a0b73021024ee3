//! The twelve roles of men, and the result of a fight.

/// The role of a man, the weakest first. An army has twenty-five men.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash, Ord, PartialOrd)]
pub enum Role {
    /// 军旗. Never moves; a player who loses it is out.
    Flag,
    /// 地雷. Never moves; kills all but engineers and bombs.
    Mine,
    /// 炸弹. Dies together with any man it meets.
    Bomb,
    /// 工兵. Clears mines, and turns corners on rails.
    Engineer,
    /// 排长.
    Lieutenant,
    /// 连长.
    Captain,
    /// 营长.
    Major,
    /// 团长.
    Colonel,
    /// 旅长.
    Brigadier,
    /// 师长.
    MajorGeneral,
    /// 军长.
    General,
    /// 司令. Its death shows its flag to all players.
    Marshal,
}

impl Role {
    /// Every role, in the order of the enum.
    pub const ALL: [Role; 12] = [
        Role::Flag,
        Role::Mine,
        Role::Bomb,
        Role::Engineer,
        Role::Lieutenant,
        Role::Captain,
        Role::Major,
        Role::Colonel,
        Role::Brigadier,
        Role::MajorGeneral,
        Role::General,
        Role::Marshal,
    ];

    /// Number of men of this role in an army.
    pub const fn count(self) -> usize {
        match self {
            Role::Flag | Role::General | Role::Marshal => 1,
            Role::Bomb | Role::Major | Role::Colonel | Role::Brigadier | Role::MajorGeneral => 2,
            Role::Mine | Role::Engineer | Role::Lieutenant | Role::Captain => 3,
        }
    }

    /// `F` flag, `L` mine, `B` bomb, and `1` engineer to `9` marshal.
    pub const fn letter(self) -> char {
        b"FLB123456789"[self as usize] as char
    }

    /// The role of a letter.
    pub fn from_letter(letter: char) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.letter() == letter)
    }

    /// Whether men of this role ever move.
    pub const fn moves(self) -> bool {
        !matches!(self, Role::Flag | Role::Mine)
    }

    /// The result of an attack on a man of another role.
    pub fn attacks(self, defender: Role) -> Clash {
        match (self, defender) {
            (Role::Bomb, _) | (_, Role::Bomb) => Clash::Both,
            (_, Role::Flag) | (Role::Engineer, Role::Mine) => Clash::Wins,
            (_, Role::Mine) => Clash::Dies,
            (attacker, defender) if attacker == defender => Clash::Both,
            (attacker, defender) if attacker > defender => Clash::Wins,
            _ => Clash::Dies,
        }
    }
}

/// A set of roles.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Hash, Ord, PartialOrd)]
pub struct Roles(u16);

impl Roles {
    /// Every role.
    pub const ALL: Roles = Roles((1 << Role::ALL.len()) - 1);

    /// One role.
    #[inline]
    pub const fn only(role: Role) -> Roles {
        Roles(1 << role as u16)
    }

    /// Whether a role is in it.
    #[inline]
    pub const fn contains(self, role: Role) -> bool {
        self.0 >> role as u16 & 1 == 1
    }

    /// The roles that are in both.
    #[must_use]
    #[inline]
    pub const fn and(self, other: Roles) -> Roles {
        Roles(self.0 & other.0)
    }

    /// The roles that are in one of them.
    #[must_use]
    #[inline]
    pub const fn or(self, other: Roles) -> Roles {
        Roles(self.0 | other.0)
    }

    /// The roles that are in it and not in the other.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Roles) -> Roles {
        Roles(self.0 & !other.0)
    }

    /// Number of roles in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The role, if it is the only one.
    pub fn settled(self) -> Option<Role> {
        (self.len() == 1).then(|| Role::ALL[self.0.trailing_zeros() as usize])
    }

    /// The roles, the weakest first.
    pub fn iter(self) -> impl Iterator<Item = Role> {
        let rest = std::iter::successors(Some(self.0), |rest| Some(rest & rest.wrapping_sub(1)));
        rest.take_while(|&rest| rest != 0).map(|rest| Role::ALL[rest.trailing_zeros() as usize])
    }

    /// An index below 4,096, unique to this set.
    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set with this index.
    pub(super) const fn from_index(index: usize) -> Roles {
        Roles(index as u16 & Roles::ALL.0)
    }
}

impl FromIterator<Role> for Roles {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Roles {
        Roles(roles.into_iter().fold(0, |set, role| set | Roles::only(role).0))
    }
}

/// The public result of a fight.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash, Ord, PartialOrd)]
pub enum Clash {
    /// The attacker takes the place of the defender.
    Wins,
    /// The attacker dies and the defender stays.
    Dies,
    /// Both are gone.
    Both,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_army_has_twenty_five_men() {
        assert_eq!(Role::ALL.map(Role::count).iter().sum::<usize>(), 25);
        for role in Role::ALL {
            assert_eq!(Role::from_letter(role.letter()), Some(role));
        }
    }

    /// Attackers in rows and defenders in columns: `x` wins, `!` dies, `=` both die.
    #[test]
    fn fights_end_as_the_table_says() {
        let table = [
            ("B", "============"),
            ("1", "xx==!!!!!!!!"),
            ("2", "x!=x=!!!!!!!"),
            ("3", "x!=xx=!!!!!!"),
            ("4", "x!=xxx=!!!!!"),
            ("5", "x!=xxxx=!!!!"),
            ("6", "x!=xxxxx=!!!"),
            ("7", "x!=xxxxxx=!!"),
            ("8", "x!=xxxxxxx=!"),
            ("9", "x!=xxxxxxxx="),
        ];
        for (attacker, row) in table {
            let attacker = Role::from_letter(attacker.chars().next().unwrap()).unwrap();
            for (defender, expected) in Role::ALL.into_iter().zip(row.chars()) {
                let found = match attacker.attacks(defender) {
                    Clash::Wins => 'x',
                    Clash::Dies => '!',
                    Clash::Both => '=',
                };
                assert_eq!(found, expected, "{attacker:?} on {defender:?}");
            }
        }
    }
}
