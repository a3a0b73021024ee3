//! Reviews: the texts fit and the numbers add up, for every game and every player.

use anglerfish_arena::Judging;
use anglerfish_engine::luck::{GameLuck, Judge, Sums};
use anglerfish_report::Lang;
use anglerfish_report::review::{Review, Summaries, Summary, annotated, html};
use anglerfish_rules::banqi::{Banqi, Event};
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{
    Cause, Ending, Forfeit, Game, Outcome, Ply, Record, Rng, RngExt, Team, Turn, read_records,
};
use serde_json::Value;
use std::time::Duration;

const EVIL: &str = "<script>alert(1)</script>\" onload='x' <!-- & 暗棋";
const LONG: &str = "下暗棋的人工智慧程式名字非常非常非常非常非常非常非常非常非常非常長的棋手";

fn judging() -> Judging {
    Judging { nodes: 20, ..Judging::default() }
}

fn judge() -> Judge<Banqi> {
    judging().judge().expect("a judge")
}

fn examples() -> Vec<Record<Banqi>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/first.games");
    let text = std::fs::read_to_string(path).expect("the examples");
    read_records(&text).collect::<Result<_, _>>().expect("the examples")
}

/// So many plies of a game that begins here, by chance.
fn played(start: &str, plies: usize) -> Record<Banqi> {
    let mut record = Record::new(start.parse::<Banqi>().expect("a position"));
    let (mut game, mut actions, mut rng) = (record.start.clone(), Vec::new(), Rng::new(5));
    while let Turn::Seat(seat) = game.turn()
        && record.plies.len() < plies
    {
        game.actions(&mut actions);
        let event = game.draw(rng.pick(&actions), &mut rng);
        record.plies.push(Ply { seat, event, took: Duration::ZERO });
        game.apply(event);
    }
    record
}

/// Games of all kinds: whole, short, broken off, given up, opened by chance, and one in which nothing is face down.
fn games() -> Vec<Record<Banqi>> {
    let mut games: Vec<Record<Banqi>> = examples().into_iter().take(2).collect();
    for plies in [0, 1, 2, 3, 30] {
        let mut game = games[0].clone();
        game.truncate(plies);
        games.push(game.clone());
        let outcome = Outcome::Win(if plies % 2 == 0 { Team::A } else { Team::B });
        game.ending = Some(Ending { outcome, cause: Cause::Forfeit(Forfeit::Timeout) });
        games.push(game.clone());
        game.set_tag("Opening", &(plies / 2).to_string());
        games.push(game);
    }
    games.push(played("r--m/----/-P-r/---C/PcnR/-n-N/-g--/--m- r - 2 120 openspiel50", 12));
    games
}

fn accounted(judge: &mut Judge<Banqi>, record: &Record<Banqi>) -> GameLuck<Banqi> {
    GameLuck::new(judge, record, anglerfish_arena::opened(record))
}

/// The columns of a line, counted another way than the program does: whatever is not Latin, a box or a sign is wide.
fn columns(line: &str) -> usize {
    line.chars().map(|c| if c > '\u{2fff}' { 2 } else { 1 }).sum()
}

/// The account as it is shown: names and hundredths.
fn shown(text: &str) -> Vec<(String, i64)> {
    let lines = text.lines().skip_while(|line| !line.starts_with("Where the result came from")).skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    let number = |word: &str| word.replace('.', "").parse::<i64>().ok();
    lines
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let at = words.iter().position(|word| number(word).is_some()).expect("a number");
            (words[..at].join(" "), number(words[at]).expect("a number"))
        })
        .collect()
}

#[test]
fn texts_fit_and_add_up() {
    let (mut judge, mut flipless) = (judge(), 0);
    for (n, game) in games().into_iter().enumerate() {
        let account = accounted(&mut judge, &game);
        flipless += usize::from(account.entries.iter().all(|entry| entry.fan.len() < 2));
        for names in [["greedy", "random"], [LONG, EVIL], ["\x1b[2J\x07", ""], ["me", "me"]] {
            let mut game = game.clone();
            game.set_tag("First", names[0]);
            game.set_tag("Second", names[1]);
            for team in [Team::A, Team::B] {
                let judge = format!("{} {}", judging(), "x".repeat(100));
                let review = Review::new(&account, &game, &judge, team);
                for lang in Lang::ALL {
                    for line in review.clone().speaking(lang).text().lines() {
                        assert!(columns(line) <= 80, "game {n}: {line:?}");
                        assert!(!line.contains(char::is_control) && line.trim_end() == line, "{line:?}");
                        assert!(!line.contains("{n}") && !line.contains("{name}"), "{line:?}");
                    }
                }
                let text = review.text();
                let mut lines = shown(&text);
                let (result, last) = lines.pop().expect("a result");
                assert_eq!(result, "result");
                assert_eq!(last, lines.iter().map(|(_, value)| value).sum::<i64>(), "game {n}:\n{text}");
                let sums = account.sums(team);
                for (name, value) in lines {
                    let exact = match name.as_str() {
                        "start" => sums.start,
                        "luck" => sums.luck,
                        "own mistakes" => -sums.own,
                        "their mistakes" => sums.others,
                        "corrections" => sums.corrections,
                        "forfeit" => sums.forfeit,
                        _ => panic!("{name} is no part of an account"),
                    };
                    assert!((value * 10_000 - exact).abs() < 10_000, "{name}, game {n}:\n{text}");
                }
            }
        }
    }
    assert!(flipless >= 3, "chance never mattered in {flipless}");
}

#[test]
fn json_has_the_sums_of_the_account() {
    let mut judge = judge();
    for game in games() {
        let account = accounted(&mut judge, &game);
        for (team, other) in [(Team::A, 1), (Team::B, 0)] {
            let review = Review::new(&account, &game, "judge", team);
            let json: Value = serde_json::from_str(&review.json().to_string()).expect("JSON");
            assert_eq!(json["mistakes"].as_array().map(Vec::len), Some(review.mistakes().len()));
            let Sums { start, luck, own, others, corrections, forfeit, result } = account.sums(team);
            let sum = |name: &str| json["sums"][name].as_i64().expect("a number");
            let sums = ["start", "luck", "own", "others", "corrections", "forfeit", "result"].map(sum);
            assert_eq!(sums, [start, luck, own, others, corrections, forfeit, result]);
            let plies = json["plies"].as_array().expect("plies");
            let all = |name: &str| plies.iter().map(|ply| ply[name].as_i64().expect("a number")).sum::<i64>();
            assert_eq!([all("luck"), all("correction")], [luck, corrections]);
            assert_eq!(json["players"][other]["lost"], others);
            assert_eq!(plies.len() + review.opened, game.plies.len());
            let mut value = start;
            for step in &review.plies {
                let cost = if step.player == review.side { -step.mistake } else { step.mistake };
                assert_eq!(step.before, value);
                assert_eq!(step.after - step.before, step.luck + cost + step.correction);
                assert!(step.fan.is_empty() || step.fan.iter().filter(|outcome| outcome.came).count() == 1);
                value = step.after;
            }
            for part in &review.players {
                assert!(part.accurate <= part.choices, "{part:?}");
            }
        }
    }
}

#[test]
fn a_page_is_complete_and_user_text_stays_text() {
    let mut judge = judge();
    for mut game in games() {
        game.set_tag("First", EVIL);
        let account = accounted(&mut judge, &game);
        let review = Review::new(&account, &game, EVIL, Team::B);
        let chinese = html(&review.clone().speaking(Lang::ZhHant), &game);
        let [script, chinese_script] =
            [&html(&review, &game), &chinese].map(|page| page.rsplit("<script>").next().map(str::to_owned));
        assert!(chinese.contains("<html lang=\"zh-Hant\">") && chinese.contains("可能翻出的棋子"));
        assert_eq!(script, chinese_script, "one script for all languages");
        let page = html(&review, &game);
        let svg = "xmlns=\"http://www.w3.org/2000/svg\"";
        let rest = page.replace(svg, "");
        assert!(!rest.contains("http://") && !rest.contains("https://") && !rest.contains("@import"));
        assert!(!rest.contains("alert(1)</script") && !rest.contains("<!-- &"), "markup in a name");
        assert_eq!(rest.matches("<script").count(), 2);
        let (_, data) = page.split_once("id=\"data\">").expect("the data");
        let data: Value =
            serde_json::from_str(data.split_once("</script>").expect("its end").0).expect("JSON");
        assert_eq!(data["boards"].as_array().map(Vec::len), Some(game.plies.len() + 1));
        assert_eq!(data["steps"].as_array().map(Vec::len), Some(account.entries.len()));
        assert_eq!(page.matches("data-at=\"a1\"").count(), 2, "both boards");
        assert_eq!(page.matches(" data-ply=\"1\" aria-label").count() > 0, !game.plies.is_empty());
    }
}

#[test]
fn a_picture_stands_alone() {
    let mut judge = judge();
    for game in games() {
        let account = accounted(&mut judge, &game);
        let svg = Review::new(&account, &game, "judge", Team::A).plot().svg();
        assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>") && !svg.contains("NaN"), "{svg}");
    }
}

#[test]
fn a_record_is_annotated_anew() {
    let mut judge = judge();
    for game in games() {
        let account = accounted(&mut judge, &game);
        let once = annotated(&account, &game, "judge nodes=20", 20);
        assert_eq!(annotated(&account, &once, "judge nodes=20", 20), once, "old ones are replaced");
        let text = once.to_string();
        let read: Vec<Record<Banqi>> = read_records(&text).collect::<Result<_, _>>().expect("a record");
        assert_eq!(read, std::slice::from_ref(&once));
        once.replay().expect("it holds");
        for entry in &account.entries {
            let thought = once.annotation(entry.ply).expect("a thought");
            let sign = if entry.seat.team() == Team::A { 1 } else { -1 };
            let near =
                i64::from(thought.value.expect("a value").ten_thousandths()) * 100 - sign * entry.before;
            assert!(near.abs() <= 50, "{thought:?}");
            let played = thought.candidates.last().expect("what was played");
            assert_eq!(played.action, Banqi::action_of(game.plies[entry.ply].event));
            if let [own, played] = thought.candidates[..] {
                assert_eq!(entry.line.first(), Some(&own.action));
                assert!(own.value.is_none_or(|own| Some(own) >= played.value), "{thought:?}");
            }
        }
        for ply in 0..anglerfish_arena::opened(&game).min(game.plies.len()) {
            assert!(once.annotation(ply).is_none(), "no player chose it");
        }
    }
}

#[test]
fn many_games_are_summed_and_checked() {
    let mut judge = judge();
    let games: Vec<Record<Banqi>> = games().into_iter().filter(|game| game.ending.is_some()).collect();
    let mut all = Vec::new();
    for game in &games {
        let account = accounted(&mut judge, game);
        let summary = Summary::new(&account, game);
        assert!(summary.adds_up());
        assert_eq!(
            summary.luck,
            anglerfish_engine::luck::luck(&mut judge, game, anglerfish_arena::opened(game))
        );
        let text = serde_json::to_string(&summary).expect("JSON");
        assert_eq!(serde_json::from_str::<Summary>(&text).expect("JSON"), summary);
        all.push((game, summary));
    }
    let json = Summaries::new(&all).expect("they add up").json();
    assert_eq!(json["games"], all.len());
    let luck: i64 = all.iter().flat_map(|(_, summary)| summary.luck).sum();
    assert!((json["first_movers_luck"]["sum"].as_f64().expect("a number") - luck as f64 / 1e6).abs() < 1e-9);
    for (n, name) in ["greedy", "random"].into_iter().enumerate() {
        let sums = all.iter().map(|(_, summary)| (summary.choices[n], summary.accurate[n]));
        let (choices, accurate) = sums.fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
        assert_eq!(json["players"][name]["choices"], choices);
        let share = json["players"][name]["accuracy"]["value"].as_f64().expect("a share");
        assert!((share - f64::from(accurate) / f64::from(choices)).abs() < 1e-9);
    }
    // A deal is one witness: the same games once more tell no more of a player.
    let twice: Vec<_> = all.iter().chain(&all).cloned().collect();
    let accuracy = &Summaries::new(&twice).expect("they add up").json()["players"]["greedy"]["accuracy"];
    assert_eq!(*accuracy, json["players"]["greedy"]["accuracy"]);
    all[1].1.corrections += 1;
    assert!(Summaries::new(&all).expect_err("one is off").to_string().contains("game 2 does not add up"));
}

/// Choices where nothing is at stake do not count, and one that costs something always does.
#[test]
fn accuracy_counts_what_is_at_stake() {
    let mut judge = judge();
    let (mut left_out, mut counted) = (0, 0);
    for game in games() {
        let account = accounted(&mut judge, &game);
        let review = Review::new(&account, &game, "judge", Team::A);
        for (n, part) in review.players.iter().enumerate() {
            let own = || review.plies.iter().zip(&account.entries).filter(|(step, _)| step.player == n);
            let choices = own().filter(|(step, _)| !step.forced);
            let (some, none): (Vec<_>, Vec<_>) = choices
                .partition(|(_, entry)| entry.stake.expect("a search") > 20_000 || entry.mistake > 20_000);
            assert_eq!(part.choices as usize, some.len());
            assert_eq!(
                part.accurate as usize,
                some.iter().filter(|(step, _)| step.mistake <= 20_000).count()
            );
            left_out += none.len();
            counted += some.len();
            for (step, entry) in own() {
                assert!(entry.stake >= Some(0) && (!step.forced || entry.stake == Some(0)), "{entry:?}");
            }
        }
    }
    assert!(left_out > 0 && counted > 0, "{left_out} and {counted}");
}

/// Nothing but the page is about Banqi.
#[test]
fn any_game_can_be_reviewed() {
    let mut judge = Judge::<TicTacToe>::new("mcts", 30).expect("a judge");
    let text = "[Format \"1\"]\n[Game \"tictactoe\"]\n[Rules \"standard\"]\n\n1. a1 b1 2. a2 b2 *\n";
    let game: Record<TicTacToe> = read_records(text).next().expect("a game").expect("a record");
    let account = GameLuck::new(&mut judge, &game, 0);
    let review = Review::new(&account, &game, judge.text(), Team::A);
    assert_eq!(shown(&review.text()).last().map(|(name, _)| name.as_str()), Some("result"));
    assert!(Summary::new(&account, &game).adds_up());
}

/// Flips are found where they are, and the lead changes where it does.
#[test]
fn moments_are_where_they_are() {
    let game = &examples()[0];
    let review = Review::new(&accounted(&mut judge(), game), game, "judge", Team::A);
    let mistakes = review.mistakes();
    assert!(!mistakes.is_empty() && mistakes.iter().all(|step| step.mistake >= 50_000));
    assert!(mistakes.windows(2).all(|pair| pair[0].mistake >= pair[1].mistake), "worst first");
    assert!(mistakes.iter().all(|step| step.better().is_some_and(|line| !line.is_empty())));
    for swing in review.turns().iter().chain(&review.swings()) {
        let ply = &game.plies[swing.step.ply - 1];
        assert_eq!(swing.step.played, ply.event.to_string());
        let flips = matches!(ply.event, Event::Flip { .. });
        assert!(flips || swing.why != anglerfish_report::review::Why::Luck);
    }
}
