//! The board of Siguo as a picture, with certain or probable roles, for a terminal and as SVG.

use std::fmt::Write as _;

use crate::{Arm, Role, Siguo, Station, StationKind, Table, View, lines, near};

/// The possible roles of a man with their probabilities, the likeliest first. A known man has one.
pub type Odds = Vec<(Role, f64)>;

/// A board with the roles of its men, as far as they are known.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The line below the board.
    caption: String,
    /// By station; `None` for a free one.
    men: Vec<Option<(Arm, Odds)>>,
}

impl Picture {
    /// With all roles shown.
    pub fn open(game: &Siguo) -> Picture {
        Picture::of(game.table(), |at| vec![(game.role_at(at).unwrap_or(Role::Flag), 1.0)])
    }

    /// A seat's knowledge, by worlds that fit it: the share of each role of a man among them.
    pub fn known(view: &View, worlds: &[Siguo]) -> Picture {
        let odds = |at: Station| {
            let mut counts = [0_u32; Role::ALL.len()];
            worlds.iter().filter_map(|world| world.role_at(at)).for_each(|role| counts[role as usize] += 1);
            let all = f64::from(counts.iter().sum::<u32>().max(1));
            let mut odds: Odds = Role::ALL
                .into_iter()
                .filter(|role| counts[*role as usize] > 0)
                .map(|role| (role, f64::from(counts[role as usize]) / all))
                .collect();
            odds.sort_by(|a, b| b.1.total_cmp(&a.1));
            odds
        };
        Picture::of(&view.table, odds)
    }

    /// The same picture with a line below it.
    #[must_use]
    pub fn saying(self, caption: String) -> Picture {
        Picture { caption, ..self }
    }

    fn of(table: &Table, odds: impl Fn(Station) -> Odds) -> Picture {
        let man = |at: Station| table.man(at).map(|man| (man.arm(), odds(at)));
        Picture { caption: String::new(), men: Station::all().map(man).collect() }
    }

    /// For a terminal: a man is its likeliest role with the probability in tenths, or `=` if certain. Camps
    /// are in round brackets and headquarters in square ones. With `ascii`, letters are those of records.
    pub fn text(&self, ascii: bool, colored: bool) -> String {
        let mut text = String::new();
        for y in 0..17 {
            let mut line = String::new();
            for x in 0..17 {
                match Station::all().find(|at| place(*at) == (x, y)) {
                    None => line += &" ".repeat(CELL),
                    Some(at) => line += &self.cell(at, ascii, colored),
                }
            }
            writeln!(text, "{}", line.trim_end()).unwrap_or_else(|e| unreachable!("text takes text: {e}"));
        }
        if self.caption.is_empty() { text } else { text + &self.caption + "\n" }
    }

    fn cell(&self, at: Station, ascii: bool, colored: bool) -> String {
        let [left, right] = match at.kind() {
            StationKind::Camp => ["(", ")"],
            StationKind::Headquarters => ["[", "]"],
            StationKind::Post => [" ", " "],
        };
        let Some((arm, odds)) = &self.men[at.index()] else {
            let dot = if at.kind() == StationKind::Post { "·" } else { " " };
            return format!("{left} {} {right}", if ascii && dot == "·" { "." } else { dot });
        };
        let (role, share) = odds.first().copied().unwrap_or((Role::Flag, 0.0));
        let share = if share > 0.999 { '=' } else { char::from(b'0' + (share * 10.0).min(9.0) as u8) };
        let man = if ascii { format!("{}:", role.letter()) } else { hanzi(role).to_string() };
        let man = format!("{man}{share}");
        if colored {
            format!("{left}\x1b[{}m{man}\x1b[0m{right}", COLORS[arm.index()])
        } else {
            format!("{left}{man}{right}")
        }
    }

    /// A picture of its own: men in the colors of their arms, paler the less is known of them, with all roles
    /// on hover.
    pub fn svg(&self) -> String {
        const STEP: f64 = 44.0;
        let middle = |at: Station| {
            let (x, y) = place(at);
            (STEP * (f64::from(x) + 0.5), STEP * (f64::from(y) + 0.5))
        };
        let size = STEP * 17.0;
        let foot = if self.caption.is_empty() { 0.0 } else { 30.0 };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {}\" font-family=\"'Noto Sans CJK SC','PingFang SC','Microsoft YaHei',sans-serif\" role=\"img\" aria-label=\"a board of Siguo\"><rect width=\"100%\" height=\"100%\" fill=\"#f6f0e2\"/>",
            size + foot
        );
        let line = |svg: &mut String, a: Station, b: Station, style: &str| {
            let ((x1, y1), (x2, y2)) = (middle(a), middle(b));
            *svg += &format!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {style}/>");
        };
        // Step 1. Roads, then rails over them; a curve is drawn as a straight diagonal.
        for at in Station::all() {
            for &to in near(at).iter().filter(|to| to.index() > at.index()) {
                line(&mut svg, at, to, "stroke=\"#b9a98a\" stroke-width=\"1.5\"");
            }
        }
        for rail in lines() {
            for pair in rail.windows(2) {
                line(&mut svg, pair[0], pair[1], "stroke=\"#5b4a32\" stroke-width=\"4\"");
                line(
                    &mut svg,
                    pair[0],
                    pair[1],
                    "stroke=\"#f6f0e2\" stroke-width=\"1.6\" stroke-dasharray=\"5 5\"",
                );
            }
        }
        // Step 2. Stations and men.
        for at in Station::all() {
            let (x, y) = middle(at);
            let _ = match at.kind() {
                StationKind::Camp => write!(
                    svg,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"17\" fill=\"#fffdf6\" stroke=\"#8a7752\" stroke-width=\"1.5\"/>"
                ),
                StationKind::Headquarters => write!(
                    svg,
                    "<rect x=\"{}\" y=\"{}\" width=\"38\" height=\"30\" rx=\"12\" fill=\"#ead9b5\" stroke=\"#8a7752\" stroke-width=\"1.5\"/>",
                    x - 19.0,
                    y - 15.0
                ),
                StationKind::Post => write!(
                    svg,
                    "<rect x=\"{}\" y=\"{}\" width=\"34\" height=\"24\" rx=\"3\" fill=\"#fffdf6\" stroke=\"#8a7752\"/>",
                    x - 17.0,
                    y - 12.0
                ),
            };
            let Some((arm, odds)) = &self.men[at.index()] else { continue };
            let (role, share) = odds.first().copied().unwrap_or((Role::Flag, 0.0));
            let all: Vec<String> =
                odds.iter().map(|(role, share)| format!("{} {:.0}%", hanzi(*role), 100.0 * share)).collect();
            let certain = share > 0.999;
            let shade = 0.35 + 0.65 * share;
            let _ = write!(
                svg,
                "<g><title>{at}: {}</title><rect x=\"{}\" y=\"{}\" width=\"36\" height=\"28\" rx=\"4\" fill=\"#fff\"/><rect x=\"{}\" y=\"{}\" width=\"36\" height=\"28\" rx=\"4\" fill=\"{}\" fill-opacity=\"{shade:.2}\" stroke=\"{}\"/>",
                all.join(", "),
                x - 18.0,
                y - 14.0,
                x - 18.0,
                y - 14.0,
                FILLS[arm.index()],
                FILLS[arm.index()]
            );
            let ink = if shade > 0.75 { "#fff" } else { "#1c1c1c" };
            let _ = if certain {
                write!(
                    svg,
                    "<text x=\"{x}\" y=\"{}\" font-size=\"18\" text-anchor=\"middle\" fill=\"{ink}\">{}</text></g>",
                    y + 6.5,
                    hanzi(role)
                )
            } else {
                write!(
                    svg,
                    "<text x=\"{}\" y=\"{}\" font-size=\"15\" text-anchor=\"middle\" fill=\"{ink}\">{}</text><text x=\"{}\" y=\"{}\" font-size=\"11\" text-anchor=\"middle\" fill=\"{ink}\">{:.0}</text></g>",
                    x - 8.0,
                    y + 5.5,
                    hanzi(role),
                    x + 9.0,
                    y + 4.5,
                    100.0 * share
                )
            };
        }
        if !self.caption.is_empty() {
            let caption = anglerfish_report::escape(&self.caption);
            let _ = write!(
                svg,
                "<text x=\"{}\" y=\"{}\" font-size=\"15\" text-anchor=\"middle\" fill=\"#3b3020\">{caption}</text>",
                size / 2.0,
                size + 12.0
            );
        }
        svg + "</svg>\n"
    }
}

/// Width of a station in a terminal.
const CELL: usize = 5;
const COLORS: [&str; 4] = ["32", "33", "36", "35"];
const FILLS: [&str; 4] = ["#14795a", "#b4540a", "#0b62a4", "#a0407f"];

/// The character on a man.
const fn hanzi(role: Role) -> char {
    match role {
        Role::Flag => '旗',
        Role::Mine => '雷',
        Role::Bomb => '炸',
        Role::Engineer => '工',
        Role::Lieutenant => '排',
        Role::Captain => '连',
        Role::Major => '营',
        Role::Colonel => '团',
        Role::Brigadier => '旅',
        Role::MajorGeneral => '师',
        Role::General => '军',
        Role::Marshal => '司',
    }
}

/// Column and row on a grid of 17 by 17, with south at the bottom.
fn place(at: Station) -> (u8, u8) {
    match at.arm().zip(at.slot()) {
        Some((arm, slot)) => {
            let (row, column) = ((slot / 5) as u8, (slot % 5) as u8);
            match arm {
                Arm::South => (6 + column, 11 + row),
                Arm::East => (11 + row, 10 - column),
                Arm::North => (10 - column, 5 - row),
                Arm::West => (5 - row, 6 + column),
            }
        }
        None => {
            let n = (at.index() - 120) as u8;
            (6 + 2 * (n % 3), 6 + 2 * (n / 3))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::Rules;
    use anglerfish_rules::{Game, Rng, Seat};

    use super::*;

    /// One step on the board is one step in the picture, or two in the middle.
    #[test]
    fn stations_lie_where_their_neighbors_are() {
        let places: BTreeSet<(u8, u8)> = Station::all().map(place).collect();
        assert_eq!(places.len(), Station::COUNT);
        for at in Station::all() {
            for &to in near(at) {
                let ((x, y), (u, v)) = (place(at), place(to));
                assert!(x.abs_diff(u) <= 2 && y.abs_diff(v) <= 2, "{at} and {to}");
            }
        }
    }

    #[test]
    fn a_seat_sees_its_own_men_and_shares_of_the_others() {
        let mut rng = Rng::new(1);
        let game = Siguo::deal(&Rules::default(), &mut rng);
        let view = game.view(Seat(0)).into_owned();
        let worlds: Vec<Siguo> = (0..50).map(|_| Siguo::sample(&view, &mut rng)).collect();
        let picture = Picture::known(&view, &worlds);
        let certain = |picture: &Picture| {
            picture
                .men
                .iter()
                .flatten()
                .filter(|(_, odds)| odds.len() == 1)
                .map(|(arm, _)| *arm)
                .collect::<Vec<_>>()
        };
        assert_eq!(certain(&picture), vec![Arm::South; 25]);
        assert_eq!(certain(&Picture::open(&game)).len(), 100);
        let text = picture.text(true, false);
        assert_eq!((text.lines().count(), text.matches('=').count()), (17, 25));
        assert!(text.lines().all(|line| line.len() <= 17 * CELL));
        assert_eq!(picture.svg().matches("<title>").count(), 100);
    }
}
