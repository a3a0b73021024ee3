//! The report page: nothing breaks out of it, nothing is fetched by it, and its numbers add up.

use anglerfish_arena::{Budget, Clocks, Draws, GameOptions, Table, play, random};
use anglerfish_report::board::{self, Orientation};
use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::{self as report, Figure, GameRow, Report, Row, SHOWN, html};
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Outcome, Rng, RngExt, Team};
use serde_json::Value;

/// The sections and plots that a page may have, by their ids.
const PARTS: [&str; 11] = [
    "facts",
    "standings",
    "ratings",
    "cross",
    "games",
    "chart-score",
    "chart-rounds",
    "chart-llr",
    "chart-lengths",
    "chart-reasons",
    "chart-times",
];

fn parts(page: &str) -> Vec<&'static str> {
    PARTS.into_iter().filter(|id| page.contains(&format!(" id=\"{id}\""))).collect()
}

/// What the viewer reads.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").expect("the data");
    let (json, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(json).expect("JSON")
}

#[test]
fn user_text_stays_text() {
    let evil = "<script>alert(1)</script>\" onload='x' <!-- & 暗棋";
    let mut report = crate::samples::swiss(4, 3);
    for text in [&mut report.title, &mut report.subtitle, &mut report.rules] {
        evil.clone_into(text);
    }
    report.players.iter_mut().for_each(|name| name.insert_str(0, evil));
    report.facts.push((evil.to_owned(), evil.to_owned()));
    for game in &mut report.games {
        evil.clone_into(&mut game.id);
        evil.clone_into(&mut game.reason);
    }
    let standings = report.standings.as_mut().expect("a Swiss has standings");
    evil.clone_into(&mut standings.columns[0]);
    evil.clone_into(&mut standings.rows[0].1[0]);

    let axis = Axis::numbers(evil, 0.0, 1.0);
    let marks = vec![Mark::Label { at: (0.0, 0.0), text: evil.to_owned() }];
    let legend = vec![(evil.to_owned(), Tone::Series(0))];
    let plot = Plot { label: evil.to_owned(), x: axis.clone(), y: axis, marks, legend, height: 50.0 };
    report.figures.push(Figure { title: evil.to_owned(), plot, caption: evil.to_owned() });
    report.tables.push(report::Table {
        title: evil.to_owned(),
        caption: evil.to_owned(),
        columns: vec![evil.to_owned(), evil.to_owned()],
        rows: vec![Row { head: evil.to_owned(), cells: vec![evil.into()] }],
    });

    let page = html(&report);
    assert!(!page.contains("<script>alert") && !page.contains("<!-- &"), "markup got through");
    let (markup, _) = page.split_once("<script type=").expect("the data at the end");
    assert!(!markup.contains("onload='"), "an attribute got through");
    assert_eq!(page.matches("<script").count(), 2, "the data and the viewer, nothing else");
    assert_eq!(page.matches("</script").count(), 2);
    let data = data(&page);
    assert_eq!(data["players"][0].as_str(), Some(report.players[0].as_str()), "and the data are unharmed");
    assert_eq!(data["games"][0][0].as_str(), Some(evil));
}

#[test]
fn nothing_is_fetched() {
    for report in [crate::samples::match_of(4), crate::samples::swiss(6, 3), Report::default()] {
        let page = html(&report).replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        for word in ["http:", "https:", "//www", "src=", "@import", "url(", "<link", "fetch(", "XMLHttp"] {
            assert!(!page.contains(word), "{word} is in the page");
        }
    }
}

#[test]
fn sections_follow_the_data() {
    let whole = crate::samples::match_of(4);
    let expected = [
        "facts",
        "cross",
        "games",
        "chart-score",
        "chart-llr",
        "chart-lengths",
        "chart-reasons",
        "chart-times",
    ];
    assert_eq!(parts(&html(&whole)), expected);

    let mut bare = whole.clone();
    bare.sprt = None;
    bare.facts.clear();
    bare.games.iter_mut().for_each(|game| game.took_ms.iter_mut().for_each(|ms| *ms = 0));
    assert_eq!(parts(&html(&bare)), ["cross", "games", "chart-score", "chart-lengths", "chart-reasons"]);
    bare.games.iter_mut().for_each(|game| game.plies.clear());
    assert_eq!(parts(&html(&bare)), ["cross", "games", "chart-score", "chart-reasons"]);
    bare.games.clear();
    assert!(parts(&html(&bare)).is_empty());
    assert!(parts(&html(&Report::default())).is_empty());

    let swiss = html(&crate::samples::swiss(8, 3));
    let expected = [
        "facts",
        "standings",
        "ratings",
        "cross",
        "games",
        "chart-rounds",
        "chart-lengths",
        "chart-reasons",
        "chart-times",
    ];
    assert_eq!(parts(&swiss), expected);
    assert!(html(&whole).contains("class=\"bq\"") && !html(&bare).contains("class=\"bq\""));
}

#[test]
fn a_thousand_games_fit_in_three_megabytes() {
    let mut report = crate::samples::match_of(20);
    for game in &mut report.games {
        let (plies, times) = (game.plies.clone(), game.took_ms.clone());
        game.plies = plies.into_iter().cycle().take(150).collect();
        game.took_ms = times.into_iter().map(|ms| ms + 10_000).cycle().take(150).collect();
    }
    let few = report.games.clone();
    report.games = few.into_iter().cycle().take(1000).collect();
    let size = html(&report).len();
    assert!(size < 3_000_000, "{size} bytes");
}

/// Whatever the number of games, the page counts all of them, shows the first, and says so.
#[test]
fn a_page_of_many_games_is_small_and_counts_them_all() {
    const GAMES: usize = 200_000;
    let few = crate::samples::match_of(20);
    let mut report = Report { games: Vec::new(), games_file: "match.games".to_owned(), ..few.clone() };
    let mut dice = Rng::stream(3, "many");
    let (mut score, mut reasons, mut lengths) = ([0_usize; 3], [0_usize; 3], Vec::new());
    let (mut times, mut half) = ([(0, 0); 2], 0);
    for n in 0..GAMES {
        let mut row = few.games[n % few.games.len()].clone();
        let place = dice.below(3) as usize;
        row.outcome = [Outcome::Win(Team::A), Outcome::Draw, Outcome::Win(Team::B)][place];
        score[if row.first == 0 { place } else { 2 - place }] += 1;
        let reason = usize::min(dice.below(7) as usize, 2);
        ["no-pieces", "quiet", "timeout"][reason].clone_into(&mut row.reason);
        reasons[reason] += 1;
        let length = 1 + dice.below(row.plies.len() as u32) as usize;
        row.plies.truncate(length);
        row.took_ms.truncate(length);
        lengths.push(length);
        for (ply, ms) in row.took_ms.iter().enumerate() {
            let mover = &mut times[[row.first, row.second][ply % 2]];
            *mover = (mover.0 + ms, mover.1 + 1);
        }
        report.add_game(row);
        if n + 1 == GAMES / 2 {
            half = census_size(&report);
        }
    }
    let page = html(&report);
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    assert!(census_size(&report) < half + half / 10, "the census grows with the games");
    assert_eq!(report.games.len(), SHOWN);
    assert_eq!(data(&page)["games"].as_array().map(Vec::len), Some(SHOWN));

    let [won, drawn, lost] = score;
    let share = |n: usize| format!("{n} ({:.1} %)", 100.0 * n as f64 / GAMES as f64);
    let mean = |(ms, plies): (u64, u64)| format!("{:.2} s", ms as f64 / 1000.0 / plies as f64);
    let plies: usize = lengths.iter().sum();
    lengths.sort_unstable();
    let percent = 100.0 * (won as f64 + drawn as f64 / 2.0) / GAMES as f64;
    for told in [
        format!("<small>{won}-{drawn}-{lost}</small>"),
        format!("<small>{lost}-{drawn}-{won}</small>"),
        format!("Greedy 0.1 against Random: {percent:.1} %"),
        format!("no-pieces: {}", share(reasons[0])),
        format!("quiet: {}", share(reasons[1])),
        format!("timeout: {}", share(reasons[2])),
        format!("{GAMES} games of 1 to {} plies", lengths[GAMES - 1]),
        format!("median {}, mean {:.1};", lengths[GAMES / 2], plies as f64 / GAMES as f64),
        format!("Mean: Greedy 0.1 {}, Random {};", mean(times[0]), mean(times[1])),
        "first 1,000 games of 200,000 (left out: 199,000); all of them are in match.games.".to_owned(),
    ] {
        assert!(page.contains(&told), "{told:?} is not in the page");
    }
}

/// About the memory of a census: its text, in which only digits grow.
fn census_size(report: &Report) -> usize {
    serde_json::to_string(&report.census).expect("JSON").len()
}

#[test]
fn up_to_a_thousand_games_nothing_is_left_out() {
    let listed = crate::samples::match_of(20);
    let mut added = Report { games: Vec::new(), ..listed.clone() };
    listed.games.iter().cycle().take(SHOWN).for_each(|game| added.add_game(game.clone()));
    assert!(!html(&added).contains("left out"));
    added.add_game(listed.games[0].clone());
    assert!(html(&added).contains("the first 1,000 games of 1,001 (left out: 1)."));

    let mut added = Report { games: Vec::new(), ..listed.clone() };
    listed.games.iter().for_each(|game| added.add_game(game.clone()));
    assert_eq!(html(&added), html(&listed), "games without a census are counted when they are drawn");
}

/// The viewer knows Banqi only.
#[test]
fn another_game_has_a_list_and_no_board() {
    let clocks = Clocks::new([Budget::Nodes(1); 2]);
    let (mut first, mut second) = (random(), random());
    let table = Table::new(TicTacToe::default(), Draws(Rng::stream(1, "table")), clocks);
    let record = play(table, &mut [&mut first, &mut second], 1, GameOptions::default());
    let row = GameRow::of(&record, 0, [0, 1]).expect("a game that was played to its end");
    let mut report = Report { rules: "standard".to_owned(), ..crate::samples::match_of(0) };
    report.add_game(row);
    let page = html(&report);
    assert!(!page.contains("id=\"viewer\"") && !page.contains("class=\"bq\""));
    assert!(page.contains("The moves are left out, for the board shows Banqi only."));
    let game = &data(&page)["games"][0];
    assert!(game[7].is_null() && game[9] == "" && game[6] == record.plies.len(), "{game}");
}

#[test]
fn the_cross_table_adds_up() {
    let report = crate::samples::swiss(10, 5);
    let page = html(&report);
    let (_, table) = page.split_once("id=\"cross\"").expect("a cross-table");
    let (_, table) = table.split_once("<tbody>").expect("its rows");
    let (table, _) = table.split_once("</tbody>").expect("their end");
    let mut totals = [0, 0, 0];
    let mut points = 0.0;
    for row in table.split("<tr>").skip(1) {
        // A cell is `points<small>w-d-l</small>`, or empty; the last one is the total.
        let cells: Vec<(f64, [u32; 3])> = row
            .split("<td ")
            .skip(1)
            .map(|cell| {
                let (_, cell) = cell.split_once('>').expect("the end of the tag");
                let (points, rest) = cell.split_once('<').expect("a tag behind the points");
                let Some((_, detail)) = rest.split_once("small>") else { return (0.0, [0; 3]) };
                let numbers = detail.split('<').next().unwrap_or_default().split('-');
                let numbers: Vec<u32> = numbers.map(|n| n.parse().expect("a count")).collect();
                (points.parse().expect("points"), numbers.try_into().expect("three counts"))
            })
            .collect();
        let (&(total, counts), cells) = cells.split_last().expect("a total");
        assert_eq!(cells.len(), 10);
        assert!((cells.iter().map(|c| c.0).sum::<f64>() - total).abs() < 1e-9);
        assert!((f64::from(counts[0]) + f64::from(counts[1]) / 2.0 - total).abs() < 1e-9);
        for (i, sum) in totals.iter_mut().enumerate() {
            assert_eq!(cells.iter().map(|c| c.1[i]).sum::<u32>(), counts[i]);
            *sum += counts[i];
        }
        points += total;
    }
    assert!((points - report.games.len() as f64).abs() < 1e-9, "a point a game");
    assert_eq!(totals.iter().sum::<u32>() as usize, 2 * report.games.len());
    assert_eq!(totals[0], totals[2], "each win is a loss of the other side");
}

#[test]
fn packed_plies_are_the_plies() {
    let report = crate::samples::match_of(2);
    let data = data(&html(&report));
    let squares = data["squares"].as_str().expect("squares");
    let name = |c: char| {
        let i = squares.find(c).expect("a square");
        format!("{}{}", ["a", "b", "c", "d"][i % 4], i / 4 + 1)
    };
    for (game, packed) in report.games.iter().zip(data["games"].as_array().expect("games")) {
        let letters: Vec<char> = packed[9].as_str().expect("plies").chars().collect();
        let plies = letters.chunks(2).map(|ply| {
            if squares.contains(ply[1]) {
                format!("{}-{}", name(ply[0]), name(ply[1]))
            } else {
                format!("{}({})", name(ply[0]), ply[1])
            }
        });
        assert_eq!(plies.collect::<Vec<_>>(), game.plies);
        assert_eq!(packed[6], game.plies.len());
    }
    assert_eq!(data["starts"].as_array().map(Vec::len), Some(1), "equal starts are kept once");
}

#[test]
fn a_game_that_cannot_be_shown_is_listed() {
    let mut report = crate::samples::match_of(4);
    "nonsense".clone_into(&mut report.games[0].start);
    "N-/--/--/-r b - 0 40 threefold60,board=2x4".clone_into(&mut report.games[1].start);
    report.games[2].start.clear();
    report.games[3].plies[5].clear();
    let data = data(&html(&report));
    let starts: Vec<&Value> = (0..4).map(|i| &data["games"][i][7]).collect();
    // The second game sets the size of the board, for the first has none.
    assert!(starts[0].is_null() && starts[1] == 0 && starts[2].is_null() && starts[3].is_null());
    report.games.remove(1);
    let data = self::data(&html(&report));
    assert_eq!(data["games"][1][7], 0, "an empty start is the one of the rules");
    assert_eq!(data["games"][2][9].as_str().map(str::len), Some(10), "plies up to the first that is none");
}

#[test]
fn reports_survive_json() {
    let report = crate::samples::swiss(4, 2);
    let text = serde_json::to_string(&report).expect("JSON");
    let again: Report = serde_json::from_str(&text).expect("a report");
    assert_eq!(html(&again), html(&report));

    let mut many = Report { games: Vec::new(), ..report.clone() };
    report.games.iter().cycle().take(SHOWN + 100).for_each(|game| many.add_game(game.clone()));
    let text = serde_json::to_string(&many).expect("JSON");
    let again: Report = serde_json::from_str(&text).expect("a report");
    assert_eq!(html(&again), html(&many), "with games that are counted and not shown");
}

#[test]
fn reports_from_before_the_census_can_be_read() {
    let report = crate::samples::match_of(4);
    let mut old = serde_json::to_value(&report).expect("JSON");
    let fields = old.as_object_mut().expect("an object");
    assert!(fields.remove("census").is_some() && fields.remove("games_file").is_some());
    let again: Report = serde_json::from_value(old).expect("a report");
    assert_eq!(html(&again), html(&report));
}

#[test]
fn a_board_is_drawn_both_ways() {
    let text = "cP-P/KMpk/R-GP/c-pX/-P-p/m-g-/X-PC/rrgm r R1C1 1 45 olympiad b5-c5";
    let game: Banqi = text.parse().expect("a position");
    for (orientation, size) in [(Orientation::Upright, "0 0 210 402"), (Orientation::Lying, "0 0 402 210")] {
        let svg = board::svg(&game, orientation);
        assert!(svg.contains(&format!("viewBox=\"{size}\"")) && svg.ends_with("</svg>"));
        assert_eq!(svg.matches("data-at=").count(), 32);
        let count = |class: &str| svg.matches(&format!("class=\"{class}\" transform")).count();
        assert_eq!((count("red"), count("black"), count("back"), count("")), (10, 12, 2, 8));
    }
    let small = RuleSet { board: anglerfish_rules::banqi::Board::Quarter, ..RuleSet::PLATFORM };
    assert_eq!(board::svg(&Banqi::start(small), Orientation::Upright).matches("data-at=").count(), 8);
}

#[test]
fn axes_are_round_and_plots_are_text() {
    let texts = |axis: &Axis| axis.ticks.iter().map(|(_, text)| text.clone()).collect::<Vec<_>>().join(" ");
    assert_eq!(texts(&Axis::numbers("", -2.9, 3.1)), "−4 −2 0 2 4");
    assert_eq!(texts(&Axis::numbers("", 0.0, 0.31)), "0.0 0.1 0.2 0.3 0.4");
    assert_eq!(
        texts(&Axis::numbers("", 7.0, 7.0)).split(' ').count(),
        2,
        "a range of nothing still has ends"
    );
    assert_eq!(texts(&Axis::numbers("", 1.0, 100.0).exactly(1.0, 100.0)), "20 40 60 80 100");
    let names = Axis::names(&["<b>", "暗棋暗棋暗棋暗棋暗棋暗棋"]);
    assert_eq!(texts(&names), "<b> 暗棋暗棋暗棋暗棋暗…");
    let note = "a & b".to_owned();
    let marks = vec![
        Mark::Whisker { y: 0.5, range: (-1.0, 0.0, 1.0), tone: Tone::Warning, note },
        Mark::Line { points: vec![(-1.0, 0.5), (1.0, 1.5)], tone: Tone::Series(7) },
    ];
    let x = Axis::numbers("Elo", -1.0, 1.0);
    let plot = Plot { label: "\"x\"".to_owned(), x, y: names, marks, legend: Vec::new(), height: 40.0 };
    let svg = plot.svg();
    assert!(svg.contains("&lt;b&gt;") && svg.contains("a &amp; b") && svg.contains("&quot;x&quot;"));
    assert!(svg.contains("var(--s1,") && !svg.contains("NaN") && !svg.contains("inf"));
}
