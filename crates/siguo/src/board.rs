//! The roads and rails, and where they lead.
//!
//! Rails are eighteen lines. A man slides along one line as far as it is free; only an engineer turns from
//! one line into another. A curve is one line that joins the right side of an arm to the left side of the
//! next one, without the corner of the middle.

use std::sync::LazyLock;

use super::station::{Arm, Station, StationKind, Stations, slot_kind};

struct Board {
    /// One step along a road or a rail.
    near: Vec<Vec<Station>>,
    /// One step along a rail.
    rails: Vec<Vec<Station>>,
    /// The stations on a line in one direction, the nearest first.
    rays: Vec<Vec<Vec<Station>>>,
}

static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let mut board = Board {
        near: vec![Vec::new(); Station::COUNT],
        rails: vec![Vec::new(); Station::COUNT],
        rays: vec![Vec::new(); Station::COUNT],
    };
    let join = |edges: &mut Vec<Vec<Station>>, a: Station, b: Station| {
        if !edges[a.index()].contains(&b) {
            edges[a.index()].push(b);
            edges[b.index()].push(a);
        }
    };
    for line in lines() {
        for pair in line.windows(2) {
            join(&mut board.rails, pair[0], pair[1]);
            join(&mut board.near, pair[0], pair[1]);
        }
        for (i, at) in line.iter().enumerate() {
            let back: Vec<Station> = line[..i].iter().rev().copied().collect();
            for ray in [line[i + 1..].to_vec(), back] {
                if !ray.is_empty() {
                    board.rays[at.index()].push(ray);
                }
            }
        }
    }
    for arm in Arm::ALL {
        for (a, b) in steps() {
            join(&mut board.near, Station::of(arm, a), Station::of(arm, b));
        }
    }
    board
});

/// The pairs of slots of an arm that are one step apart: neighbors in a row or a column, and diagonals around camps.
fn steps() -> Vec<(usize, usize)> {
    let mut steps = Vec::new();
    for a in 0..30usize {
        for b in a + 1..30 {
            let (rows, columns) = (b / 5 - a / 5, (b % 5).abs_diff(a % 5));
            let diagonal = slot_kind(a) == StationKind::Camp || slot_kind(b) == StationKind::Camp;
            if rows + columns == 1 || rows == 1 && columns == 1 && diagonal {
                steps.push((a, b));
            }
        }
    }
    steps
}

/// The eighteen lines of rail, each from one end to the other.
pub fn lines() -> Vec<Vec<Station>> {
    let row = |arm, row: usize| (0..5).map(move |column| Station::of(arm, 5 * row + column));
    let column = |arm, column: usize| (0..5).map(move |row| Station::of(arm, 5 * row + column));
    let mut lines = Vec::new();
    for arm in Arm::ALL {
        lines.push(row(arm, 0).collect());
        lines.push(row(arm, 4).collect());
        lines.push(column(arm, 4).rev().chain(column(arm.after(1), 0)).collect());
    }
    for arm in [Arm::South, Arm::East] {
        for third in 0..3 {
            // The middle line ends at the front rows; the outer ones go on along the sides of both arms.
            let rows = if third == 1 { 1 } else { 5 };
            let here = column(arm, 2 * third).take(rows).collect::<Vec<_>>().into_iter().rev();
            let middle = (0..3).map(|depth| match arm {
                Arm::South => Station::center(2 - depth, third),
                _ => Station::center(2 - third, 2 - depth),
            });
            let there = column(arm.after(2), 4 - 2 * third).take(rows);
            lines.push(here.chain(middle).chain(there).collect());
        }
    }
    lines
}

/// The stations that a man can reach in one move, enemies included: one step, or along rails up to the first
/// station that is not free. Whether the man moves at all is not checked.
#[inline]
pub fn reach(from: Station, engineer: bool, is_free: impl Fn(Station) -> bool) -> Stations {
    let mut reached = Stations::default();
    for &at in &BOARD.near[from.index()] {
        reached.insert(at);
    }
    if engineer {
        let mut seen = Stations::default();
        seen.insert(from);
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            for &next in &BOARD.rails[at.index()] {
                if seen.insert(next) {
                    reached.insert(next);
                    if is_free(next) {
                        open.push(next);
                    }
                }
            }
        }
    } else {
        for ray in &BOARD.rays[from.index()] {
            for &at in ray {
                reached.insert(at);
                if !is_free(at) {
                    break;
                }
            }
        }
    }
    reached
}

/// The stations one step away, by road or rail.
#[inline]
pub fn near(from: Station) -> &'static [Station] {
    &BOARD.near[from.index()]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn edges(of: &[Vec<Station>]) -> usize {
        of.iter().map(Vec::len).sum::<usize>() / 2
    }

    #[test]
    fn roads_and_rails_are_counted() {
        assert_eq!((edges(&BOARD.near), edges(&BOARD.rails)), (288, 92));
        assert_eq!(BOARD.rails.iter().filter(|next| !next.is_empty()).count(), 73, "stations at a rail");
        let mut lengths: Vec<usize> = lines().iter().map(Vec::len).collect();
        lengths.sort_unstable();
        assert_eq!(lengths, [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 10, 10, 10, 10, 13, 13, 13, 13]);
        for at in Station::all().filter(|at| at.kind() == StationKind::Camp) {
            assert_eq!(near(at).len(), 8, "{at}");
        }
    }

    #[test]
    fn the_board_looks_alike_from_every_arm() {
        let turned = |of: &[Station]| of.iter().map(|at| at.turned()).collect::<BTreeSet<_>>();
        for at in Station::all() {
            let there = at.turned().index();
            assert_eq!(turned(&BOARD.near[at.index()]), BOARD.near[there].iter().copied().collect(), "{at}");
            assert_eq!(
                turned(&BOARD.rails[at.index()]),
                BOARD.rails[there].iter().copied().collect(),
                "{at}"
            );
            for engineer in [false, true] {
                let here = reach(at, engineer, |_| true).iter().map(Station::turned).collect::<BTreeSet<_>>();
                assert_eq!(here, reach(at.turned(), engineer, |_| true).iter().collect());
            }
        }
    }

    /// With an empty board, engineers from every station except headquarters.
    #[test]
    fn thinkable_moves_are_counted() {
        let from = || Station::all().filter(|at| at.kind() != StationKind::Headquarters);
        assert_eq!(from().map(|at| reach(at, true, |_| true).len()).sum::<usize>(), 5_624);
        // Slides along one line that are longer than a step.
        let slides = |at: Station| reach(at, false, |_| true).len() - near(at).len();
        assert_eq!(Station::all().map(slides).sum::<usize>(), 840);
    }

    #[test]
    fn curves_pass_the_corner_by() {
        let at = |text: &str| text.parse::<Station>().unwrap();
        let reached = |free: &dyn Fn(Station) -> bool| reach(at("s25"), false, free);
        assert!(reached(&|s| s != at("c33")).contains(at("e51")), "the corner is not on the curve");
        assert!(reached(&|s| s != at("e11")).contains(at("n51")), "nor the curve on the straight line");
        assert!(!reached(&|s| s != at("s15")).contains(at("e11")));
        assert!(!reached(&|_| true).contains(at("s11")), "no turn into the front row");
        assert!(reach(at("s25"), true, |_| true).contains(at("w53")), "but for engineers");
        assert!(!reach(at("s11"), true, |_| true).contains(at("s61")), "row six has no rail");
    }
}
