//! What the board and the pieces look like, in words.

use anglerfish_report::{Lang, say, wrapped};
use anglerfish_rules::banqi::{Board, Cell, Color, Piece, Role};

use crate::board::Style;

/// Every piece by rank, the highest first: what it looks like in red and in black, its name, and how many there are.
pub(crate) fn pieces(style: Style) -> Vec<String> {
    let lang = style.lang();
    let row = |(n, role): (usize, Role)| {
        let [red, black] = [Color::Red, Color::Black].map(|color| Piece::new(color, role));
        let [left, right] = [red, black].map(|piece| style.cell(Cell::Shown(piece)));
        // In Chinese, the character is the name.
        let name = lang.text(&format!("unit.{red}")).to_owned();
        let name = if lang == Lang::En || style.plain() { format!("{name}, ") } else { String::new() };
        let count = say!(lang, "legend.count", n = Board::Full.bag().count(red));
        format!("  {}. {left} {right}  {name}{count}", n + 1)
    };
    Role::ALL.into_iter().enumerate().map(row).collect()
}

/// How to read the board, the pieces and the lines beside the board.
pub(crate) fn legend(style: Style, width: usize) -> String {
    let lang = style.lang();
    let example = style.uncolored().pieces(&|piece| match (piece.color(), piece.role()) {
        (Color::Red, Role::King) => 1,
        (Color::Red, Role::Guard) => 2,
        _ => 0,
    });
    let [down, lost] = ["view.down", "view.lost"].map(|key| lang.text(key));
    let board = lang.text(if style.plain() { "legend.board_ascii" } else { "legend.board" });
    let bag = say!(lang, "legend.bag", down = down, lost = lost, example = example);
    let mut lines = vec![wrapped(board, width), wrapped(lang.text("legend.pieces"), width)];
    lines.extend(pieces(style));
    lines.extend(
        [bag.as_str(), lang.text("legend.takes"), lang.text("legend.again")].map(|text| wrapped(text, width)),
    );
    lines.join("\n") + "\n"
}
