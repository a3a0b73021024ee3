//! Reports to look at and to test with: real games between the simple players, made-up times and tournaments.

use anglerfish_arena::{Budget, Clocks, Fixed, GameOptions, Player, Table, greedy, play, random};
use anglerfish_report::{GameRow, RatingRow, Report, SprtCurve, Standings};
use anglerfish_rules::banqi::{Banqi, Layout, RuleSet};
use anglerfish_rules::{Outcome, Rng, RngExt, Team};

/// A game of two simple players (0 is greedy, anything else random) on a dealt board.
pub(crate) fn game(n: usize, first: usize, second: usize, layout: Layout) -> GameRow {
    let mut chairs: [Box<dyn Player<Banqi>>; 2] = [first, second].map(|player| match player {
        0 => Box::new(greedy()) as Box<dyn Player<Banqi>>,
        _ => Box::new(random()),
    });
    let [a, b] = &mut chairs;
    let start = Banqi::start(RuleSet::PLATFORM);
    let clocks = Clocks::new([Budget::Nodes(1); 2]);
    let record = play(
        Table::new(start, Fixed(layout), clocks),
        &mut [a.as_mut(), b.as_mut()],
        n as u64,
        GameOptions::default(),
    );
    let ending = record.ending.expect("a game that was played to its end");
    let mut dice = Rng::stream(n as u64, "times");
    let time = |ply: usize| {
        let slow = [first, second][ply % 2] == 0;
        u64::from(dice.below(if slow { 900 } else { 60 })) + 4000 / (10 + ply as u64)
    };
    GameRow {
        id: format!("{}", n + 1),
        round: 0,
        first,
        second,
        outcome: ending.outcome,
        reason: ending.cause.text().to_owned(),
        start: record.start.to_string(),
        seats: Vec::new(),
        took_ms: (0..record.plies.len()).map(time).collect(),
        plies: record.plies.iter().map(|ply| ply.event.to_string()).collect(),
    }
}

/// Greedy against Random on paired deals, with an invented SPRT curve that goes where the points go.
pub(crate) fn match_of(games: usize) -> Report {
    let mut deals = Rng::stream(1, "deal");
    let mut rows = Vec::new();
    let mut llr = (0_u64, 0.0);
    let mut points = vec![llr];
    let mut total = 0.0;
    while rows.len() < games {
        let layout = Layout::shuffled(RuleSet::PLATFORM.board, &mut deals);
        let mut score = -1.0;
        for (first, second) in [(0, 1), (1, 0)] {
            let mut row = game(rows.len(), first, second, layout);
            if rows.len() % 33 == 20 {
                "timeout".clone_into(&mut row.reason);
                row.outcome = Outcome::Win(Team::A);
            }
            score += match row.outcome {
                Outcome::Draw => 0.5,
                Outcome::Win(team) => f64::from(u8::from((team == Team::A) == (first == 0))),
            };
            rows.push(row);
        }
        total += score + 1.0;
        if llr.1 < 2.94 {
            llr = (llr.0 + 1, llr.1 + score * 0.09 - 0.02 * f64::from(deals.below(5)));
            points.push(llr);
        }
    }
    let fact = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    Report {
        title: "Greedy against Random".to_owned(),
        subtitle: "A sample: paired deals, seed 1".to_owned(),
        rules: "platform".to_owned(),
        facts: vec![
            fact("Score", &format!("{total} of {}", rows.len())),
            fact("Games", &rows.len().to_string()),
            fact("Elo", "+12.3 ± 8.1 (invented)"),
            fact("SPRT", "undecided (invented)"),
        ],
        players: vec!["Greedy 0.1".to_owned(), "Random".to_owned()],
        games: rows,
        sprt: Some(SprtCurve { lower: -2.94, upper: 2.94, points }),
        ratings: Vec::new(),
        standings: None,
        ..Report::default()
    }
}

/// A tournament whose results are drawn by lot, weighted by invented strengths; few games have plies.
pub(crate) fn swiss(players: usize, rounds: u32) -> Report {
    let mut dice = Rng::stream(2, "swiss");
    let mut points = vec![0.0; players];
    let mut games: Vec<GameRow> = Vec::new();
    for round in 1..=rounds {
        let mut order: Vec<usize> = (0..players).collect();
        dice.shuffle(&mut order);
        order.sort_by(|&a: &usize, &b| f64::total_cmp(&points[b], &points[a]));
        for pair in order.chunks_exact(2) {
            let (first, second) = (pair[0], pair[1]);
            let layout = Layout::shuffled(RuleSet::PLATFORM.board, &mut dice);
            let mut row = game(games.len(), usize::from(first > second), usize::from(first < second), layout);
            (row.first, row.second, row.round) = (first, second, round);
            row.id = format!("{round}.{}", games.len() % (players / 2) + 1);
            let luck = i64::from(dice.below(40)) - 20;
            row.outcome = match luck + i64::from(second as u32) - i64::from(first as u32) {
                4.. => Outcome::Win(Team::A),
                -4..4 => Outcome::Draw,
                _ => Outcome::Win(Team::B),
            };
            let reason = match (row.outcome, dice.below(12)) {
                (Outcome::Draw, n) => ["repetition", "quiet"][n as usize % 2],
                (_, 0) => "crashed",
                (_, 1) => "illegal",
                _ => "no-pieces",
            };
            reason.clone_into(&mut row.reason);
            if !games.len().is_multiple_of(3) {
                row.plies.clear();
                row.took_ms.clear();
            }
            let won = match row.outcome {
                Outcome::Win(Team::A) => 1.0,
                Outcome::Draw => 0.5,
                Outcome::Win(Team::B) => 0.0,
            };
            points[first] += won;
            points[second] += 1.0 - won;
            games.push(row);
        }
    }
    let mut order: Vec<usize> = (0..players).collect();
    order.sort_by(|&a, &b| f64::total_cmp(&points[b], &points[a]));
    let names = ["暗棋大師", "Anglerfish 0.2", "Flipper", "A program with quite a long name, 64-bit"];
    let name = |i: usize| names.get(i).map_or_else(|| format!("Entrant {}", i + 1), |n| (*n).to_owned());
    let rating = |&player: &usize| {
        let elo = (points[player] / f64::from(rounds) - 0.5) * 700.0;
        let error = 90.0 + 7.0 * player as f64;
        RatingRow { player, elo, low: elo - error, high: elo + error, games: rounds, score: points[player] }
    };
    let row = |&p: &usize| (p, vec![format!("{:.1}", points[p]), format!("{:.1}", 20.0 + points[p] * 1.5)]);
    Report {
        title: "Open Swiss of Banqi programs".to_owned(),
        subtitle: "A sample with invented results".to_owned(),
        rules: "platform".to_owned(),
        facts: vec![
            ("Winner".to_owned(), name(order[0])),
            ("Players".to_owned(), players.to_string()),
            ("Rounds".to_owned(), rounds.to_string()),
            ("Games".to_owned(), games.len().to_string()),
        ],
        players: (0..players).map(name).collect(),
        ratings: order.iter().map(rating).collect(),
        standings: Some(Standings {
            columns: vec!["points".to_owned(), "Buchholz".to_owned()],
            rows: order.iter().map(row).collect(),
        }),
        games,
        sprt: None,
        ..Report::default()
    }
}
