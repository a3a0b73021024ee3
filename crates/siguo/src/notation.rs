//! The text of a game, in one line of six fields. docs/formats.md has the grammar and tested examples.

use std::fmt;
use std::str::FromStr;

use super::Siguo;
use super::clues::Slots;
use super::layout::Layout;
use super::role::Role;
use super::rules::Rules;
use super::station::{Arm, Station, StationKind};
use super::table::{Man, Table, is_played, men};
use anglerfish_rules::NotationError;

/// The field of an army whose men have never moved.
const HOME: &str = "home";

impl fmt::Display for Siguo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parted = |of: &dyn Fn(Arm) -> String| Arm::ALL.map(of).join("/");
        let table = &self.table;
        let layouts = parted(&|arm| self.layout(arm).map_or("-".to_owned(), Layout::to_string));
        let armies = parted(&|arm| self.men_text(arm));
        let states: String = Arm::ALL
            .map(|arm| if table.is_out(arm) { 'x' } else { (b'0' + table.missed(arm)) as char })
            .iter()
            .collect();
        let agreed = if table.agreed { "=" } else { "" };
        let turn = table.to_move.letter();
        write!(f, "{layouts} {armies} {states} {turn}{agreed} {} {}", table.quiet, table.rules)
    }
}

impl Siguo {
    /// A word for every man, by slot: `.` for one that has never moved, else its station; `x` for a dead one, `xm`
    /// if it had moved; `e` after the station or the `x` of a proven engineer; `^` after a publicly known flag.
    fn men_text(&self, arm: Arm) -> String {
        if !is_played(self.table.rules, arm) {
            return "-".to_owned();
        }
        let words: Vec<String> = men()
            .map(|slot| {
                let man = Man::new(arm, slot);
                let at = Station::all().find(|&at| self.table.man(at) == Some(man));
                let (moved, engineer) = (self.table.has_moved(man), self.table.is_engineer(man));
                let mut word = match at {
                    None => "x".to_owned(),
                    Some(at) if moved => at.to_string(),
                    Some(_) => ".".to_owned(),
                };
                word += match (engineer, moved && at.is_none()) {
                    (true, _) => "e",
                    (false, true) => "m",
                    (false, false) => "",
                };
                word += if self.table.flag(arm) == Some(Station::of(arm, slot)) { "^" } else { "" };
                word
            })
            .collect();
        if words.iter().all(|word| word == ".") { HOME.to_owned() } else { words.join(",") }
    }
}

impl FromStr for Siguo {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Siguo, NotationError> {
        let mut fields = Vec::new();
        let mut at = 0;
        for field in text.split(' ') {
            fields.push((at, field));
            at += field.len() + 1;
        }
        let &[layouts, men, states, turn, quiet, rules] = fields.as_slice() else {
            return Err(NotationError::new("six fields: layouts men states turn quiet rules", text, 0));
        };
        let rules: Rules = rules.1.parse().map_err(|e: NotationError| e.offset(rules.0))?;
        let error = |expected: &'static str, at: usize| NotationError::new(expected, text, at);

        // Step 1. The armies, and the stations of their men.
        let mut game = Siguo { table: Table::start(rules, Arm::South), layouts: [None; 4] };
        game.table.board = [None; Station::COUNT];
        let (layouts, armies) = (parts(layouts), parts(men));
        if layouts.len() != 4 || armies.len() != 4 {
            return Err(error("four parts, parted by /", if layouts.len() == 4 { men.0 } else { 0 }));
        }
        for (arm, (&(at, layout), &(men_at, men))) in Arm::ALL.into_iter().zip(layouts.iter().zip(&armies)) {
            if !is_played(rules, arm) {
                if (layout, men) != ("-", "-") {
                    return Err(error("- for an empty arm", if layout == "-" { men_at } else { at }));
                }
                continue;
            }
            game.layouts[arm.index()] = Some(layout.parse().map_err(|e: NotationError| e.offset(at))?);
            game.read_men(arm, men).map_err(|e| e.offset(men_at))?;
        }

        // Step 2. The players, and the arm to move.
        for arm in Arm::ALL {
            match states.1.as_bytes().get(arm.index()) {
                Some(b'x') => game.table.out[arm.index()] = true,
                Some(&n @ b'0'..=b'4') if is_played(rules, arm) => game.table.missed[arm.index()] = n - b'0',
                _ => return Err(error("0 to 4 missed turns, or x for out, for each arm", states.0)),
            }
        }
        game.table.to_move =
            turn.1.chars().next().and_then(Arm::from_letter).ok_or_else(|| error("an arm", turn.0))?;
        game.table.agreed = turn.1.ends_with('=');
        game.table.quiet = quiet.1.parse().map_err(|_| error("moves since the last fight", quiet.0))?;

        // Step 3. Refuses impossible positions and other spellings.
        game.check()
            .map_err(|(expected, field)| error(expected, [men.0, states.0, turn.0, quiet.0][field]))?;
        if game.to_string() != text {
            return Err(error("fields in their shortest form", 0));
        }
        Ok(game)
    }
}

impl Siguo {
    fn read_men(&mut self, arm: Arm, text: &str) -> Result<(), NotationError> {
        let home = ["."; 25].join(",");
        let words: Vec<&str> = if text == HOME { home.split(',') } else { text.split(',') }.collect();
        if words.len() != 25 {
            return Err(NotationError::new("home, or a word for each of 25 men", text, 0));
        }
        let mut at = 0;
        for (slot, word) in men().zip(words) {
            let expected = "a man such as . or s11 or s11e or x or xm or xe, with ^ behind a shown flag";
            let error = || NotationError::new(expected, text, at);
            let (place, shown) = word.strip_suffix('^').map_or((word, false), |place| (place, true));
            let home = Station::of(arm, slot);
            let (station, moved, engineer) = match place {
                "." => (Some(home), false, false),
                "x" => (None, false, false),
                "xm" => (None, true, false),
                "xe" => (None, true, true),
                _ => {
                    let engineer = place.len() == 4 && place.ends_with('e');
                    let station = place.get(..3).filter(|_| place.len() == 3 || engineer);
                    (Some(station.ok_or_else(error)?.parse().map_err(|_| error())?), true, engineer)
                }
            };
            if let Some(station) = station {
                let place = &mut self.table.board[station.index()];
                if place.is_some() {
                    return Err(NotationError::new("a station for each man", text, at));
                }
                *place = Some(Man::new(arm, slot));
            }
            let bit: Slots = 1 << slot;
            self.table.moved[arm.index()] |= if moved { bit } else { 0 };
            self.table.engineers[arm.index()] |= if engineer { bit } else { 0 };
            if shown {
                self.table.flags[arm.index()] = Some(home);
            }
            at += word.len() + 1;
        }
        Ok(())
    }

    /// Conditions that the rules guarantee, each with its field: men, states, turn or quiet.
    fn check(&self) -> Result<(), (&'static str, usize)> {
        let table = &self.table;
        let ensure = |holds: bool, expected, field| if holds { Ok(()) } else { Err((expected, field)) };
        for arm in Arm::ALL {
            let Some(layout) = self.layout(arm) else { continue };
            let alive = |role: Role| {
                table
                    .board
                    .iter()
                    .flatten()
                    .filter(|man| man.arm() == arm && self.role(**man) == Some(role))
                    .count()
            };
            for slot in men() {
                let (man, role) = (Man::new(arm, slot), layout.role(slot));
                let home = Station::of(arm, slot);
                let mobile = role.is_some_and(Role::moves) && home.kind() != StationKind::Headquarters;
                ensure(mobile || !table.has_moved(man), "men that can move where men have moved", 0)?;
                ensure(!table.is_engineer(man) || role == Some(Role::Engineer), "engineers for e", 0)?;
            }
            let shown = table.flag(arm);
            ensure(shown.is_none_or(|at| at == Station::of(arm, layout.flag())), "^ behind the flag", 0)?;
            if table.is_out(arm) {
                ensure(
                    Role::ALL.into_iter().all(|role| alive(role) == 0),
                    "no men of players who are out",
                    0,
                )?;
            } else {
                ensure(alive(Role::Flag) == 1, "the flag of every player who is not out", 0)?;
                ensure(
                    shown.is_some() == (alive(Role::Marshal) == 0),
                    "^ exactly when the marshal is gone",
                    0,
                )?;
            }
        }
        ensure(Arm::ALL.into_iter().any(|arm| !table.is_out(arm)), "a player who is not out", 1)?;
        ensure(!table.is_out(table.to_move), "the turn of a player who is not out", 2)?;
        let over_without = Table { agreed: false, ..table.clone() }.turn().is_over();
        ensure(!table.agreed || !over_without, "a draw in a game that was not over", 2)?;
        ensure(table.quiet <= table.rules.quiet, "no more moves than the rules allow", 3)
    }
}

/// The parts of a field, with their columns.
fn parts((mut at, field): (usize, &str)) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    for part in field.split('/') {
        parts.push((at, part));
        at += part.len() + 1;
    }
    parts
}
