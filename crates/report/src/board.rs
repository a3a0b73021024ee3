//! A Banqi board as SVG: hanzi on discs, backs for what is face down.
//!
//! Every square is drawn with a disc and a letter, whether something stands on it or not, and classes say which of
//! them shows. So the viewer of a page only changes a class and a text, and there is no second drawing of a board.
//! Red and black differ by line and lightness too: red is a light disc with two rings, black a dark disc without.

use anglerfish_rules::banqi::{Banqi, Cell, Color, Square};

/// Which way a board lies.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Orientation {
    /// 4 wide and 8 high, as the tournament platform shows it.
    Upright,
    /// 8 wide and 4 high, as most sites show it.
    Lying,
}

/// The edge of a square, and of the margin for the coordinates.
const SQUARE: u16 = 48;
const MARGIN: u16 = 18;

const STYLE: &str = "\
.bq rect{fill:#e6c58f;stroke:#7a5a2b}.bq .hl rect{fill:#f6ea76}\
.bq .hl .m{display:inline}.bq .m{display:none;fill:none;stroke:#1c4fb8;stroke-width:3}\
.bq .from .m{stroke-dasharray:5 4}.bq .xy{fill:#4a3516;font:11px system-ui,sans-serif}\
.bq .o,.bq .i,.bq .t{display:none}.bq .t{font:600 24px 'Noto Serif CJK TC','Songti TC','PMingLiU','Noto Sans CJK TC',\
'PingFang TC','Microsoft JhengHei','Noto Sans TC','Droid Sans Fallback',serif}\
.bq .red .o,.bq .red .i,.bq .red .t,.bq .black .o,.bq .black .t,.bq .back .o,.bq .back .i{display:inline}\
.bq .red .o{fill:#fff6e3;stroke:#b3121d;stroke-width:2}.bq .red .i{fill:none;stroke:#b3121d}.bq .red .t{fill:#b3121d}\
.bq .black .o{fill:#22262b;stroke:#000;stroke-width:2}.bq .black .t{fill:#fff}\
.bq .back .o{fill:#5c7f74;stroke:#2f4a42;stroke-width:2}.bq .back .i{fill:none;stroke:#a9c4bb;stroke-dasharray:3 3}";

/// The board of a position with its coordinates; it needs nothing around it.
pub fn svg(game: &Banqi, orientation: Orientation) -> String {
    let (files, ranks) = game.ruleset().board.size();
    let (columns, rows) = match orientation {
        Orientation::Upright => (files, ranks),
        Orientation::Lying => (ranks, files),
    };
    let (width, height) = (u16::from(columns) * SQUARE + MARGIN, u16::from(rows) * SQUARE + MARGIN);
    let text = game.to_string();
    let board = text.split(' ').next().unwrap_or_default();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"bq\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"Banqi board, highest rank first: {board}\"><style>{STYLE}</style>\
         <path d=\"M0 0h{width}v{height}H0z\" fill=\"#d9b679\"/>"
    );
    for row in 0..rows {
        for column in 0..columns {
            let at = match orientation {
                Orientation::Upright => Square::at(column, rows - 1 - row),
                Orientation::Lying => Square::at(rows - 1 - row, column),
            };
            svg += &square(game, at, (u16::from(column) * SQUARE + MARGIN, u16::from(row) * SQUARE));
        }
    }
    let name = |text: char, x: u16, y: u16| {
        format!(
            "<text class=\"xy\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" aria-hidden=\"true\">{text}</text>"
        )
    };
    let (across, down) = match orientation {
        Orientation::Upright => (b'a', b'1'),
        Orientation::Lying => (b'1', b'a'),
    };
    for row in 0..rows {
        let y = u16::from(row) * SQUARE + SQUARE / 2 + 4;
        svg += &name((down + rows - 1 - row) as char, MARGIN / 2, y);
    }
    for column in 0..columns {
        let x = u16::from(column) * SQUARE + SQUARE / 2 + MARGIN;
        svg += &name((across + column) as char, x, height - 5);
    }
    svg + "</svg>"
}

fn square(game: &Banqi, at: Square, (x, y): (u16, u16)) -> String {
    let (class, hanzi) = match game.position().cell(at) {
        Cell::Shown(piece) if piece.color() == Color::Red => ("red", piece.hanzi().to_string()),
        Cell::Shown(piece) => ("black", piece.hanzi().to_string()),
        Cell::Hidden => ("back", String::new()),
        Cell::Empty | Cell::Outside => ("", String::new()),
    };
    format!(
        "<g data-at=\"{at}\" class=\"{class}\" transform=\"translate({x} {y})\">\
         <rect width=\"48\" height=\"48\"/><path class=\"m\" d=\"M2 2h44v44h-44z\"/>\
         <circle class=\"o\" cx=\"24\" cy=\"24\" r=\"20\"/><circle class=\"i\" cx=\"24\" cy=\"24\" r=\"16.5\"/>\
         <text class=\"t\" x=\"24\" y=\"32.5\" text-anchor=\"middle\" lang=\"zh-Hant\">{hanzi}</text></g>"
    )
}
