//! The twelve kinds of men, and what happens when two of them meet.

/// A kind of man, the weakest first. Twenty-five men of these kinds make an army.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash, Ord, PartialOrd)]
pub enum Role {
    /// 军旗. Never moves; who loses it is out.
    Flag,
    /// 地雷. Never moves; kills all but engineers and bombs.
    Mine,
    /// 炸弹. Dies together with whatever it meets.
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
    /// 司令. Its death shows everybody where its flag stands.
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

    /// How many men of this role an army has.
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

    /// What comes of an attack on a man of another role.
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

/// What everybody sees of a fight.
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
