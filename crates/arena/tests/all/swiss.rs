//! Swiss tournaments played out with random results, and tables worked out by hand.

#![expect(clippy::print_stderr, reason = "measured rates are worth reading, with --nocapture")]

use std::collections::BTreeSet;

use anglerfish_arena::swiss::standings::{Standing, standings};
use anglerfish_arena::swiss::{Game, Pairing, Round, WIN, next_round};
use anglerfish_rules::{Rng, RngExt};

/// The rounds so far by player, in a plain count of its own.
struct Pairings {
    met: Vec<BTreeSet<usize>>,
    byes: Vec<u32>,
    points: Vec<u32>,
    /// +1 for a first move and -1 for a second.
    sides: Vec<Vec<i32>>,
}

impl Pairings {
    fn new(n: usize) -> Pairings {
        Pairings {
            met: vec![BTreeSet::new(); n],
            byes: vec![0; n],
            points: vec![0; n],
            sides: vec![vec![]; n],
        }
    }

    fn add(&mut self, round: &Round) {
        for game in &round.games {
            self.met[game.first].insert(game.second);
            self.met[game.second].insert(game.first);
            self.points[game.first] += game.points[0];
            self.points[game.second] += game.points[1];
            self.sides[game.first].push(1);
            self.sides[game.second].push(-1);
        }
        if let Some(player) = round.bye {
            self.byes[player] += 1;
            self.points[player] += WIN;
        }
    }

    /// Whether the players of `left` can be paired without a repeat or a second bye, by trying everything.
    fn pairable(&self, left: &[usize], bye: bool) -> bool {
        let Some((&first, rest)) = left.split_first() else { return true };
        let without = |other: usize| rest.iter().copied().filter(|&o| o != other).collect::<Vec<_>>();
        (bye && self.byes[first] == 0 && self.pairable(rest, false))
            || rest.iter().any(|&o| !self.met[first].contains(&o) && self.pairable(&without(o), bye))
    }
}

fn play(pairing: &Pairing, skill: &[f64], rng: &mut Rng) -> Round {
    let games = pairing.boards.iter().map(|&(first, second)| {
        let edge = (skill[first] - skill[second]) * 300.0;
        let x = f64::from(rng.below(1000));
        let points = if x < 350.0 + edge {
            [2, 0]
        } else if x < 650.0 + edge {
            [1, 1]
        } else {
            [0, 2]
        };
        Game { first, second, points }
    });
    Round { games: games.collect(), bye: pairing.bye }
}

#[derive(Debug, Default)]
struct Seen {
    fields: u32,
    repeats: u32,
    second_byes: u32,
    games: u32,
    apart: u32,
    far_apart: u32,
    thrice: u32,
    lead: [u32; 4],
}

/// One tournament from beginning to end, checked after every pairing.
fn tournament(n: usize, rounds: u32, rng: &mut Rng, seen: &mut Seen) {
    let mut order: Vec<usize> = (0..n).collect();
    rng.shuffle(&mut order);
    let skill: Vec<f64> = (0..n).map(|_| f64::from(rng.below(1000)) / 1000.0).collect();
    let mut past: Vec<Round> = Vec::new();
    let mut ledger = Pairings::new(n);
    for done in 0..rounds as usize {
        let pairing = next_round(&past, &order);
        assert!(done != 2 || pairing == next_round(&past, &order), "equal input, equal pairing");

        // Every player once.
        let mut paired: Vec<usize> = pairing.boards.iter().flat_map(|&(a, b)| [a, b]).collect();
        paired.extend(pairing.bye);
        paired.sort_unstable();
        assert_eq!(paired, (0..n).collect::<Vec<_>>(), "every player has one place");
        assert_eq!(pairing.bye.is_some(), n % 2 == 1);

        // No repeats and second byes while there is a way.
        let repeats = pairing.boards.iter().filter(|&&(a, b)| ledger.met[a].contains(&b)).count() as u32;
        let second_bye = u32::from(pairing.bye.is_some_and(|p| ledger.byes[p] > 0));
        let vertices = n + n % 2;
        let by_dirac = vertices - 1 - done >= vertices / 2;
        if repeats + second_bye > 0 {
            assert!(!by_dirac, "{n} players, round {}: repeats {repeats}, bye {second_bye}", done + 1);
            assert!(n <= 12 && !ledger.pairable(&(0..n).collect::<Vec<_>>(), n % 2 == 1));
        }
        seen.repeats += repeats;
        seen.second_byes += second_bye;
        if let Some(player) = pairing.bye.filter(|_| by_dirac) {
            // Lower players without a bye may only have been passed over because the rest could not be paired.
            let lower = (0..n).filter(|&p| ledger.byes[p] == 0 && ledger.points[p] < ledger.points[player]);
            let rest = |p: usize| (0..n).filter(|&o| o != p).collect::<Vec<_>>();
            for p in lower {
                assert!(n > 12 || !ledger.pairable(&rest(p), false), "{p} should have had the bye");
                assert!(vertices < 2 * done + 4, "in a large field the lowest always can be left out");
            }
        }
        for &(a, b) in &pairing.boards {
            let apart = ledger.points[a].abs_diff(ledger.points[b]);
            seen.games += 1;
            seen.apart += apart;
            seen.far_apart += u32::from(apart > 2);
        }
        let round = play(&pairing, &skill, rng);
        ledger.add(&round);
        past.push(round);
    }
    for sides in &ledger.sides {
        let lead = sides.iter().sum::<i32>().unsigned_abs() as usize;
        seen.lead[lead.min(3)] += 1;
        let thrice = sides.windows(3).filter(|w| w[0] == w[1] && w[1] == w[2]).count() as u32;
        seen.thrice += thrice;
        assert!(n < 16 || (lead <= 2 && thrice == 0), "{n} players: {sides:?}");
    }
    check_table(&standings(&past, &order), &ledger);
    seen.fields += 1;
}

fn check_table(table: &[Standing], ledger: &Pairings) {
    assert_eq!(table.iter().map(|s| s.player).collect::<BTreeSet<_>>().len(), ledger.points.len());
    for standing in table {
        let player = standing.player;
        assert_eq!(standing.points, ledger.points[player]);
        let own = ledger.byes[player] * standing.points;
        let repeats = ledger.sides[player].len() != ledger.met[player].len();
        let sum: u32 = ledger.met[player].iter().map(|&o| ledger.points[o]).sum();
        assert!(repeats || standing.buchholz == sum + own, "{standing:?}");
    }
    let key = |s: &Standing| (s.points, s.buchholz, s.median_buchholz, s.sonneborn_berger, s.direct, s.wins);
    assert!(table.is_sorted_by(|a, b| key(a) >= key(b)));
}

/// Plays this many tournaments with fields of 5 to 64 players.
fn fields(count: u32) {
    let mut rng = Rng::stream(5, "swiss");
    let mut seen = Seen::default();
    for k in 0..count {
        let n = 5 + k as usize % 60;
        let least = (n as u32).next_power_of_two().ilog2() + 1;
        tournament(n, least + rng.below(3), &mut rng, &mut seen);
    }
    eprintln!("{seen:?}: {:.3} points apart a game", f64::from(seen.apart) / f64::from(seen.games));
    assert_eq!(seen.fields, count);
    assert!(f64::from(seen.apart) < 0.5 * f64::from(seen.games), "score groups are respected on average");
    assert!(f64::from(seen.far_apart) < 0.02 * f64::from(seen.games), "and seldom crossed by far");
    let players: u32 = seen.lead.iter().sum();
    assert!(f64::from(seen.lead[2]) < 0.1 * f64::from(players), "few end two first moves ahead or behind");
}

#[test]
fn a_hundred_fields() {
    fields(100);
}

#[test]
#[ignore = "full: 1,000 tournaments"]
fn a_thousand_fields() {
    fields(1000);
}

#[test]
fn first_round_folds_and_alternates() {
    let pairing = next_round(&[], &[10, 11, 12, 13, 14, 15, 16]);
    assert_eq!(pairing, Pairing { boards: vec![(10, 13), (14, 11), (12, 15)], bye: Some(16) });
    assert_eq!(next_round(&[], &[]), Pairing::default());
    assert_eq!(next_round(&[], &[7]), Pairing { boards: vec![], bye: Some(7) });
}

#[test]
fn winners_meet_and_sides_change() {
    let games = [(0, 2, [2, 0]), (3, 1, [0, 2])];
    let games = games.map(|(first, second, points)| Game { first, second, points }).to_vec();
    let pairing = next_round(&[Round { games, bye: None }], &[0, 1, 2, 3]);
    assert_eq!(pairing, Pairing { boards: vec![(1, 0), (2, 3)], bye: None });
}

#[test]
fn absent_players_are_left_out_and_repeats_come_last() {
    let game = |first, second, points| Game { first, second, points };
    let past = [Round { games: vec![game(0, 1, [2, 0]), game(2, 3, [2, 0])], bye: None }];
    // Only two are left, and they have met: better a repeat than no round.
    assert_eq!(next_round(&past, &[0, 1]).boards, vec![(1, 0)]);
    let three = next_round(&past, &[0, 1, 2]);
    assert_eq!((three.boards, three.bye), (vec![(0, 2)], Some(1)));
}

#[test]
fn tie_breaks_by_hand() {
    // Three rounds of five: a bye each round, worth a win.
    let round = |games: &[(usize, usize, [u32; 2])], bye| Round {
        games: games.iter().map(|&(first, second, points)| Game { first, second, points }).collect(),
        bye: Some(bye),
    };
    let past = [
        round(&[(0, 2, [2, 0]), (3, 1, [1, 1])], 4),
        round(&[(4, 0, [0, 2]), (1, 2, [2, 0])], 3),
        round(&[(0, 1, [1, 1]), (3, 4, [0, 2])], 2),
    ];
    let line = |player, points, buchholz, median_buchholz, sonneborn_berger, wins| Standing {
        player,
        points,
        buchholz,
        median_buchholz,
        sonneborn_berger,
        direct: 0,
        wins,
    };
    // Points: 0 has 5, 1 has 4, 2 has 2 (the bye), 3 has 3, 4 has 4. Opponents: 0 met 2, 4, 1; 1 met 3, 2, 0; 2 met 0, 1
    // and the bye (itself, 2); 3 met 1, the bye (3) and 4; 4 met the bye (4), 0 and 3.
    let expected = vec![
        line(0, 5, 10, 4, 2 * 2 + 2 * 4 + 4, 2),
        line(4, 4, 12, 4, 2 * 4 + 2 * 3, 1),
        line(1, 4, 10, 3, 3 + 2 * 2 + 5, 1),
        line(3, 3, 11, 4, 4 + 2 * 3, 0),
        line(2, 2, 11, 4, 2 * 2, 0),
    ];
    assert_eq!(standings(&past, &[0, 1, 2, 3, 4]), expected);

    // Two equal in everything but their game.
    let game = |first, second, points| Game { first, second, points };
    let past = [
        Round { games: vec![game(0, 1, [0, 2]), game(2, 3, [2, 0])], bye: None },
        Round { games: vec![game(0, 2, [2, 0]), game(1, 3, [0, 2])], bye: None },
    ];
    let table = standings(&past, &[0, 1, 2, 3]);
    assert!(table.iter().all(|s| (s.points, s.buchholz, s.sonneborn_berger) == (2, 4, 4)));
    assert_eq!(table.iter().map(|s| s.player).collect::<Vec<_>>(), [0, 1, 2, 3], "not all met: tie order");
    let mut past = past.to_vec();
    past.push(Round { games: vec![game(0, 3, [1, 1]), game(1, 2, [1, 1])], bye: None });
    let table = standings(&past, &[0, 1, 2, 3]);
    assert!(table.iter().all(|s| s.direct == 3), "all met, and all took three: {table:?}");
}
