//! A Banqi board as text: hanzi or letters, upright (4 x 8) or lying (8 x 4).

use std::io::IsTerminal;

use anglerfish_report::Lang;
use anglerfish_report::words::Words;
use anglerfish_rules::banqi::{Banqi, Cell, Color, Piece, Square};
use anglerfish_rules::{Seat, Turn};
use clap::ValueEnum;

use crate::locale::said;

/// How to draw a board.
#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct Style {
    #[arg(long, visible_alias = "letters", help = said("option.ascii"))]
    ascii: bool,
    #[arg(long, value_enum, default_value = "auto", help = said("option.orientation"))]
    orientation: Orientation,
    #[arg(long, value_enum, default_value = "auto", help = said("option.color"))]
    color: When,
    /// The language, which selects the characters on the pieces.
    #[arg(skip)]
    lang: Lang,
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
enum Orientation {
    /// Lying on a terminal of 80 columns or more, else upright
    #[default]
    Auto,
    /// 4 wide and 8 high, as the tournament platform shows it
    Upright,
    /// 8 wide and 4 high, as most sites show it
    Lying,
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
enum When {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    Always,
    Never,
}

impl From<Style> for Words {
    fn from(style: Style) -> Words {
        Words { lang: style.lang, glyphs: !style.ascii }
    }
}

impl Style {
    /// Whether to write escape codes.
    pub(crate) fn colored(self) -> bool {
        match self.color {
            When::Always => true,
            When::Never => false,
            When::Auto => std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        }
    }

    /// The same without colors, for errors: those show escape codes as text.
    pub(crate) fn uncolored(self) -> Style {
        Style { color: When::Never, ..self }
    }

    /// The same in another language.
    pub(crate) fn speaking(self, lang: Lang) -> Style {
        Style { lang, ..self }
    }

    /// The language.
    pub(crate) fn lang(self) -> Lang {
        self.lang
    }

    /// Whether the board lies: 8 wide and 4 high.
    fn lies(self) -> bool {
        match self.orientation {
            Orientation::Auto => terminal().is_some_and(|columns| columns >= 80),
            Orientation::Upright => false,
            Orientation::Lying => true,
        }
    }

    /// The name of a piece in a sentence: `red king 帥`.
    pub(crate) fn title(self, piece: Piece) -> String {
        Words::from(self).title(piece)
    }

    /// Whether to keep to ASCII.
    pub(crate) fn plain(self) -> bool {
        self.ascii
    }

    /// One square or one piece, two columns wide in hanzi and one in letters.
    pub(crate) fn cell(self, cell: Cell) -> String {
        let glyph = match cell {
            Cell::Shown(piece) if self.ascii => piece.letter(),
            Cell::Shown(piece) => self.lang.glyph(piece),
            Cell::Hidden if self.ascii => 'X',
            Cell::Hidden => '〇',
            Cell::Empty | Cell::Outside if self.ascii => '-',
            Cell::Empty | Cell::Outside => '　',
        };
        match cell {
            Cell::Shown(piece) if self.colored() && piece.color() == Color::Red => {
                format!("\x1b[31;1m{glyph}\x1b[0m")
            }
            _ => glyph.to_string(),
        }
    }

    /// The board with its coordinates, then the side to move, the counters, and the face-down and taken pieces.
    pub(crate) fn draw(self, game: &Banqi) -> String {
        self.rows(game, &[]).join("\n") + "\n" + &self.status(game)
    }

    /// The lines of the board with its coordinates; marked squares are in brackets. All lines but the last
    /// have the same width.
    pub(crate) fn rows(self, game: &Banqi, marked: &[Square]) -> Vec<String> {
        let (files, ranks) = game.ruleset().board.size();
        let file_name = |f: u8| ((b'a' + f) as char).to_string();
        let rank_name = |r: u8| (r + 1).to_string();
        let rows: Vec<(String, Vec<Square>)> = if self.lies() {
            let row = |f| (file_name(f), (0..ranks).map(|r| Square::at(f, r)).collect());
            (0..files).rev().map(row).collect()
        } else {
            let row = |r| (rank_name(r), (0..files).map(|f| Square::at(f, r)).collect());
            (0..ranks).rev().map(row).collect()
        };
        let columns: Vec<String> = if self.lies() {
            (0..ranks).map(rank_name).collect()
        } else {
            (0..files).map(file_name).collect()
        };
        let [dash, bar, tops, mids, ends] = if self.ascii {
            ["-", "|", "+++", "+++", "+++"]
        } else {
            ["─", "│", "┌┬┐", "├┼┤", "└┴┘"]
        };
        let width = if self.ascii { 3 } else { 4 };
        let rule = |corners: &str| {
            let [left, middle, right] = [0, 1, 2].map(|i| corners.chars().nth(i).unwrap_or('+'));
            let span = dash.repeat(width);
            let spans = vec![span; columns.len()].join(&middle.to_string());
            format!("   {left}{spans}{right}")
        };
        let (open, shut) =
            if self.colored() { ("\x1b[33;1m[\x1b[0m", "\x1b[33;1m]\x1b[0m") } else { ("[", "]") };
        let cell = |square: Square| {
            let cell = self.cell(game.position().cell(square));
            if marked.contains(&square) { format!("{open}{cell}{shut}") } else { format!(" {cell} ") }
        };
        let mut lines = vec![rule(tops)];
        for (i, (name, squares)) in rows.iter().enumerate() {
            let cells: Vec<String> = squares.iter().map(|&s| cell(s)).collect();
            lines.push(format!(" {name} {bar}{}{bar}", cells.join(bar)));
            lines.push(rule(if i + 1 < rows.len() { mids } else { ends }));
        }
        let names: Vec<String> = columns.iter().map(|c| format!("{c:^width$}")).collect();
        lines.push(format!("    {}", names.join(" ")).trim_end().to_owned());
        lines
    }

    /// The number of each piece, the strongest first.
    pub(crate) fn pieces(self, count: &dyn Fn(Piece) -> u32) -> String {
        let list: Vec<String> = Piece::ALL
            .into_iter()
            .filter(|&p| count(p) > 0)
            .map(|p| format!("{}{}", self.cell(Cell::Shown(p)), count(p)))
            .collect();
        if list.is_empty() { self.lang.text("none").to_owned() } else { list.join(" ") }
    }

    fn status(self, game: &Banqi) -> String {
        let position = game.position();
        let who = |seat: Seat| {
            let name = ["the first player", "the second player"][usize::from(seat.0 % 2)];
            game.color_of(seat).map_or(name.to_owned(), |color| format!("{color}, {name}"))
        };
        let turn = match game.state() {
            Turn::Seat(seat) => format!("to move: {}", who(seat)),
            Turn::Over(outcome, reason) => format!("over: {outcome} ({reason})"),
        };
        let quiet = format!("quiet {} of {}", position.quiet(), game.ruleset().quiet);
        let mut text = format!("{turn}; ply {}; {quiet}; rules {}\n", position.ply(), game.ruleset());
        text += &format!("face down: {}\n", self.pieces(&|p| position.bag().count(p)));
        text += &format!("taken:     {}\n", self.pieces(&|p| taken(game, p)));
        text
    }
}

/// The width of the terminal, or COLUMNS if standard output is none; `None` if both are unknown.
pub(crate) fn terminal() -> Option<usize> {
    let asked = terminal_size::terminal_size_of(std::io::stdout()).map(|(columns, _)| usize::from(columns.0));
    let said = || std::env::var_os("COLUMNS")?.to_str()?.parse().ok();
    // Some terminals report a width of 0.
    asked.or_else(said).filter(|columns| *columns > 0)
}

/// How many of these pieces have been taken.
pub(crate) fn taken(game: &Banqi, piece: Piece) -> u32 {
    let position = game.position();
    let left = position.bag().count(piece) + position.pieces(piece).len();
    game.ruleset().board.bag().count(piece).saturating_sub(left)
}
