//! Golden perft files, written by the plain implementation and checked against both.
//!
//! `UPDATE_GOLDEN=1 cargo test -p anglerfish-rules --test all perft` writes the counts anew, from the plain Banqi.

use std::fmt::Write as _;
use std::path::PathBuf;

use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::testkit::plain::Plain;
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Game, Perft, perft};

/// A case is a line `position TEXT`, then a line `DEPTH COUNT WEIGHT` for each depth.
struct Case {
    position: String,
    rows: Vec<(u32, Perft)>,
}

fn read(game: &str) -> (PathBuf, String, Vec<Case>) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(format!("{game}.perft"));
    let text = std::fs::read_to_string(&path).expect("a perft file");
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        if let Some(position) = line.strip_prefix("position ") {
            cases.push(Case { position: position.to_owned(), rows: Vec::new() });
            continue;
        }
        let numbers: Vec<u128> = line.split(' ').map(|n| n.parse().expect("a number")).collect();
        let row = (numbers[0] as u32, Perft { count: numbers[1] as u64, weight: numbers[2] });
        cases.last_mut().expect("a position first").rows.push(row);
    }
    assert!(
        !cases.is_empty() && cases.iter().all(|c| !c.rows.is_empty()),
        "cases with counts in {}",
        path.display()
    );
    (path, text, cases)
}

fn check<G: Game>(game: &str, plain: impl Fn(&str, u32) -> Perft) {
    let (path, text, cases) = read(game);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let mut new: String =
            text.lines().take_while(|l| l.starts_with('#')).fold(String::new(), |s, l| s + l + "\n");
        for case in &cases {
            writeln!(new, "\nposition {}", case.position).expect("memory");
            for &(depth, _) in &case.rows {
                let p = plain(&case.position, depth);
                writeln!(new, "{depth} {} {}", p.count, p.weight).expect("memory");
            }
        }
        std::fs::write(path, new).expect("a writable perft file");
        return;
    }
    for Case { position, rows } in cases {
        let start: G = position.parse().unwrap_or_else(|e| panic!("{position}: {e}"));
        assert_eq!(start.to_string(), position);
        for (depth, golden) in rows {
            assert_eq!(perft(&start, depth), golden, "fast, depth {depth} of {position}");
            // The plain version is slow: it confirms the shallow rows here and wrote the deep ones.
            if golden.count < 20_000 {
                assert_eq!(plain(&position, depth), golden, "plain, depth {depth} of {position}");
            }
        }
    }
}

#[test]
fn banqi() {
    check::<Banqi>("banqi", |position, depth| Plain::new(position).perft(depth));
}

#[test]
fn tictactoe() {
    check::<TicTacToe>("tictactoe", plain_tictactoe);
}

/// Tic-tac-toe on a list of letters.
fn plain_tictactoe(position: &str, depth: u32) -> Perft {
    fn count(cells: &mut Vec<char>, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let lines = ["012", "345", "678", "036", "147", "258", "048", "246"];
        let of = |line: &str, mark: char| line.bytes().all(|i| cells[usize::from(i - b'0')] == mark);
        if lines.iter().any(|line| of(line, 'x') || of(line, 'o')) {
            return 0;
        }
        let empty = cells.iter().filter(|c| **c == '-').count();
        let mark = if empty % 2 == 1 { 'x' } else { 'o' };
        let mut total = 0;
        for i in 0..9 {
            if cells[i] == '-' {
                cells[i] = mark;
                total += count(cells, depth - 1);
                cells[i] = '-';
            }
        }
        total
    }
    let count = count(&mut position.chars().filter(|c| *c != '/').collect(), depth);
    Perft { count, weight: u128::from(count) }
}
