//! Random games in OpenSpiel's numbers: flip of cell i is action i, a move is 32 + 32 x from + to, and chance
//! outcomes count `G A E R H C S` red, then black. Its board is 8 wide and 4 high; ours is turned.

use std::fmt::Write as _;
use std::io::Write as _;

use anglerfish_rules::banqi::{Action, Banqi, Cell, Color, Event, Piece, RuleSet, Square};
use anglerfish_rules::{Game, Outcome, Rng, RngExt, Team, Turn};

pub(crate) fn run(plies: u64, seed: u64) -> anyhow::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut rng = Rng::stream(seed, "openspiel");
    let (mut actions, mut chances) = (Vec::new(), Vec::new());
    let (mut played, mut games) = (0, 0);
    let mut line = String::new();
    while played < plies {
        let mut game = Banqi::start(RuleSet::OPENSPIEL50);
        // Every other game prefers captures, so that sides lose all their pieces early.
        let captures = games % 2 == 1;
        games += 1;
        while !game.turn().is_over() {
            game.actions(&mut actions);
            actions.sort_by_key(|&action| action_id(action));
            let prey: Vec<Action> = actions.iter().copied().filter(|&a| is_capture(&game, a)).collect();
            let eager = captures && !prey.is_empty() && rng.below(4) > 0;
            let action = rng.pick(if eager { &prey } else { &actions });
            let event = game.draw(action, &mut rng);

            line.clear();
            for (i, &action) in actions.iter().enumerate() {
                write!(line, "{}{}", if i == 0 { "" } else { "," }, action_id(action))?;
            }
            write!(line, ";{};", action_id(action))?;
            if let Event::Flip { piece, .. } = event {
                game.outcomes(action, &mut chances);
                for (i, chance) in chances.iter().enumerate() {
                    let Event::Flip { piece, .. } = chance.event else { continue };
                    let parting = if i == 0 { "" } else { "," };
                    write!(line, "{parting}{}:{}", piece_id(piece), chance.weight)?;
                }
                write!(line, ";{}", piece_id(piece))?;
            } else {
                line.push(';');
            }
            writeln!(out, "{line}")?;
            game.apply(event);
            played += 1;
        }
        writeln!(out, "={};{}", returns(&game), board(&game))?;
    }
    out.flush()?;
    Ok(())
}

/// OpenSpiel's cell of a square: its rows are our files, its columns our ranks.
fn cell(square: Square) -> u32 {
    u32::from(square.file()) * 8 + u32::from(square.rank())
}

fn action_id(action: Action) -> u32 {
    match action {
        Action::Flip(at) => cell(at),
        Action::Move { from, to } => 32 + 32 * cell(from) + cell(to),
    }
}

/// The notation's order is OpenSpiel's: king to pawn, red first.
fn piece_id(piece: Piece) -> usize {
    Piece::ALL.iter().position(|&p| p == piece).expect("ALL lists every piece")
}

fn is_capture(game: &Banqi, action: Action) -> bool {
    matches!(action, Action::Move { to, .. } if !game.position().empty().contains(to))
}

fn returns(game: &Banqi) -> &'static str {
    match game.turn() {
        Turn::Over(Outcome::Win(Team::A), _) => "1,-1",
        Turn::Over(Outcome::Win(Team::B), _) => "-1,1",
        _ => "0,0",
    }
}

fn board(game: &Banqi) -> String {
    let letter = |piece: Piece| {
        let letter = b"GAERHCS"[piece_id(piece) % 7] as char;
        if piece.color() == Color::Red { letter } else { letter.to_ascii_lowercase() }
    };
    let show = |i: u8| match game.position().cell(Square::at(i / 8, i % 8)) {
        Cell::Shown(piece) => letter(piece),
        Cell::Hidden => '?',
        Cell::Empty | Cell::Outside => '.',
    };
    (0..32).map(show).collect()
}
