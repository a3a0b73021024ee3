//! The words about a match: progress, the summary, the page, and JSON.

use std::collections::BTreeMap;

use anglerfish_arena::stats::adjusted::Known;
use anglerfish_arena::stats::elo::{Estimate, elo, elo_of_scores, los, normalized_elo, score as scored};
use anglerfish_arena::stats::sprt::Verdict;
use anglerfish_arena::{Match, Tally};
use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::{Figure, Report, SprtCurve, bounded, counted, plus_minus};
use serde_json::json;

use crate::contest::Forfeits;

/// `+12.3 ± 8.1`, both ends where the interval is lopsided, or words if an end of it is infinite.
fn around(estimate: &Estimate) -> String {
    let Estimate { value, low, high } = *estimate;
    match (low.is_finite(), high.is_finite()) {
        (true, true) => {
            let lopsided = (high + low - 2.0 * value).abs() > estimate.error() / 5.0;
            if lopsided {
                format!("{value:+.1} ({low:+.0} to {high:+.0})")
            } else {
                format!("{value:+.1}{}", plus_minus(estimate.error(), 1))
            }
        }
        (true, false) if low > 0.0 => format!("above {low:+.1}"),
        (false, true) if high < 0.0 => format!("below {high:+.1}"),
        _ => FEW.to_owned(),
    }
}

/// Too few pairs for any number.
const FEW: &str = "unknown (too few pairs)";

/// A score from 0 to 1 in points of a hundred: `59.25 ± 4.31 %`.
fn score(estimate: &Estimate) -> String {
    let Estimate { value, low, high } = *estimate;
    bounded([value, low, high].map(|score| 100.0 * score), [0.0, 100.0], 2) + " %"
}

/// The progress of the match, and the score.
pub(super) fn line(game: &Match, tally: &Tally, pace: &str) -> String {
    let [won, drawn, lost] = tally.games;
    let llr = tally.llr.last().map_or(String::new(), |llr| match &game.sprt {
        Some(sprt) => format!("; LLR {llr:.2} ({:.2}, {:.2})", sprt.bounds().0, sprt.bounds().1),
        None => String::new(),
    });
    let left = 2 * game.pairs.saturating_sub(tally.pairs.pairs());
    format!(
        "pair {} of {}, {} left{pace}: {} +{won} ={drawn} -{lost} ({:.1} %), Elo {}{llr}",
        tally.pairs.pairs(),
        game.pairs,
        counted(left, "game"),
        game.players[0].name,
        100.0 * tally.pairs.score(),
        around(&elo(&tally.pairs)),
    )
}

/// The likelihood of superiority. Where the pairs are too few for an interval of Elo, they are too few for this.
fn superiority(tally: &Tally) -> String {
    match around(&elo(&tally.pairs)).as_str() {
        FEW => FEW.to_owned(),
        _ => format!("{:.1} %", 100.0 * los(&tally.pairs)),
    }
}

/// The result without luck, if it was judged.
fn known(tally: &Tally) -> Option<Known> {
    tally.adjusted.as_ref()?.known()
}

/// Points of a hundred: `+1.23 ± 4.56`.
fn percent(estimate: &Estimate) -> String {
    format!("{:.2}{}", 100.0 * estimate.value, plus_minus(100.0 * estimate.error(), 2))
}

/// What the removal of luck gains.
pub(crate) fn precision(known: &Known) -> String {
    match format!("{:.2}", known.ratio()).as_str() {
        "1.00" => "as precise as the score with luck".to_owned(),
        times => format!("as precise as the score with luck from {times} times as many games"),
    }
}

fn verdict(tally: &Tally) -> &'static str {
    match tally.verdict {
        Some(Verdict::AcceptH1) => "H1 accepted",
        Some(Verdict::AcceptH0) => "H0 accepted",
        Some(Verdict::Continue) => "not decided",
        None => "no test",
    }
}

pub(super) fn summary(game: &Match, tally: &Tally) -> String {
    let [a, b] = &game.players;
    let [won, drawn, lost] = tally.games;
    let endings: Vec<String> = tally.endings.iter().map(|(name, n)| format!("{name} {n}")).collect();
    let mut text =
        format!("{} ({}) against {} ({}), rules {}\n", a.name, a.budget, b.name, b.budget, game.rules);
    text += &format!(
        "Games  {}: +{won} ={drawn} -{lost}, score {}\n",
        won + drawn + lost,
        score(&scored(&tally.pairs))
    );
    text += &format!("Pairs  {:?} (0, 1/2, 1, 3/2, 2 points)\n", tally.pairs.0);
    text +=
        &format!("Elo    {}, nElo {}\n", around(&elo(&tally.pairs)), around(&normalized_elo(&tally.pairs)));
    text += &format!("LOS    {}\n", superiority(tally));
    if let Some(known) = known(tally) {
        text += &format!(
            "Luck   {} points of a hundred for {}; {:+.2} of them are removed below\n       without luck: score {}, Elo {}, {}\n",
            percent(&known.luck),
            a.name,
            100.0 * (known.raw.value - known.score.value),
            score(&known.scores_within_bounds()[0]),
            around(&elo_of_scores(&known.scores_within_bounds()[0])),
            precision(&known)
        );
    }
    if let (Some(sprt), Some(llr)) = (&game.sprt, tally.llr.last()) {
        let (lower, upper) = sprt.bounds();
        text += &format!(
            "SPRT   LLR {llr:.2} ({lower:.2}, {upper:.2}) for [{}, {}]: {}\n",
            sprt.elo0,
            sprt.elo1,
            verdict(tally)
        );
    }
    if let Some(after) = &tally.after {
        let [won, drawn, lost] = after.games;
        text += &format!(
            "After  {} games ended after the verdict and do not count: +{won} ={drawn} -{lost}, score {:.2} %\n",
            won + drawn + lost,
            100.0 * after.pairs.score()
        );
    }
    if let Some((unit, why)) = &tally.first_failure {
        text += &format!("Failed {} units; unit {unit}: {why}\n", tally.failed);
    }
    text += &format!("Ended  {}\n", endings.join(", "));
    if tally.forfeits != [0, 0] {
        text +=
            &format!("Forfeits  {} by {}, {} by {}\n", tally.forfeits[0], a.name, tally.forfeits[1], b.name);
    }
    text
}

/// The page for people, from a report that has counted the games.
pub(super) fn report(game: &Match, tally: &Tally, games: Report, forfeits: &Forfeits) -> Report {
    let [a, b] = &game.players;
    let [won, drawn, lost] = tally.games;
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let mut facts = vec![
        fact("Score", format!("{} (+{won} ={drawn} -{lost})", score(&scored(&tally.pairs)))),
        fact("Elo", around(&elo(&tally.pairs))),
        fact("nElo", around(&normalized_elo(&tally.pairs))),
        fact("LOS", superiority(tally)),
        fact("Pairs (0, 1/2, 1, 3/2, 2)", format!("{:?}", tally.pairs.0)),
        fact("Forfeits", format!("{} by {}, {} by {}", tally.forfeits[0], a.name, tally.forfeits[1], b.name)),
        fact("Seed", game.seed.to_string()),
    ];
    if let Some(known) = known(tally) {
        facts.insert(2, fact("Luck", format!("{} points of a hundred", percent(&known.luck))));
        facts.insert(
            3,
            fact(
                "Score without luck",
                format!("{}, {}", score(&known.scores_within_bounds()[0]), precision(&known)),
            ),
        );
        facts.insert(4, fact("Elo without luck", around(&elo_of_scores(&known.scores_within_bounds()[0]))));
        facts.extend(game.luck.as_ref().map(|judging| fact("Judge of luck", judging.to_string())));
    }
    if let Some((first, last)) = game.part {
        facts.push(fact("Units", format!("{first} to {last} of {}: a part", game.len())));
    }
    if tally.failed > 0 {
        facts.push(fact("Failed units", tally.failed.to_string()));
    }
    // The games under way at the verdict depend on the number of parallel games; those requested do not.
    if let Some(after) = tally.after.as_ref().filter(|_| game.play_on) {
        let [won, drawn, lost] = after.games;
        facts.push(fact("After the verdict (not counted)", format!("+{won} ={drawn} -{lost}")));
    }
    let sprt = game.sprt.as_ref().map(|sprt| {
        let (lower, upper) = sprt.bounds();
        facts.push(fact("SPRT", format!("[{}, {}]: {}", sprt.elo0, sprt.elo1, verdict(tally))));
        SprtCurve { lower, upper, points: tally.llr.points().collect() }
    });
    Report {
        title: format!("{} against {}", a.name, b.name),
        subtitle: format!(
            "{} pairs of games; {} {}, {} {}",
            tally.pairs.pairs(),
            a.name,
            a.budget,
            b.name,
            b.budget
        ),
        rules: game.rules.clone(),
        facts,
        players: vec![a.name.clone(), b.name.clone()],
        sprt,
        figures: luck_figure(&a.name, &tally.by_luck).into_iter().collect(),
        tables: forfeits.table(&games.games_file).into_iter().collect(),
        ..games
    }
}

/// How games ended by the luck that the first contestant had in them; `None` if luck was not judged.
fn luck_figure(name: &str, by_luck: &BTreeMap<i64, [u64; 3]>) -> Option<Figure> {
    let (first, last) = (*by_luck.first_key_value()?.0 as f64, *by_luck.last_key_value()?.0 as f64);
    let tones = [Tone::Series(0), Tone::Muted, Tone::Series(1)];
    let words = ["won", "drawn", "lost"];
    let most = by_luck.values().map(|games| games.iter().sum::<u64>()).max()?;
    let mut marks = Vec::new();
    for (tenths, games) in by_luck {
        let (x, mut y) = (*tenths as f64 / 10.0, 0);
        for ((n, tone), word) in games.iter().zip(tones).zip(words).filter(|((n, _), _)| **n > 0) {
            let note = format!("luck {x:+.1}: {word} {n}");
            marks.push(Mark::Bar {
                from: (x - 0.045, y as f64),
                to: (x + 0.045, (y + n) as f64),
                tone,
                note,
            });
            y += n;
        }
    }
    let plot = Plot {
        label: format!("Games by the luck of {name}, each bar won, drawn and lost"),
        x: Axis::numbers("luck, in games", (first - 1.0) / 10.0, (last + 1.0) / 10.0),
        y: Axis::numbers("games", 0.0, most as f64),
        marks,
        legend: words.into_iter().map(str::to_owned).zip(tones).collect(),
        height: 180.0,
    };
    let caption = "All flips of a game together: what came up, less the mean of what could have come up. A luck of 1 is worth as much as from a draw to a win.";
    Some(Figure { title: format!("Luck of {name}"), plot, caption: caption.to_owned() })
}

pub(super) fn describe(game: &Match, tally: &Tally) -> serde_json::Value {
    let number = |x: f64| if x.is_finite() { json!(x) } else { json!(null) };
    let estimate =
        |e: &Estimate| json!({ "value": number(e.value), "low": number(e.low), "high": number(e.high) });
    let [won, drawn, lost] = tally.games;
    let mut value = json!({
        "schema": 1,
        "players": [game.players[0].name, game.players[1].name],
        "rules": game.rules,
        "seed": game.seed,
        "pairs": tally.pairs.0,
        "games": { "won": won, "drawn": drawn, "lost": lost },
        "score": number(tally.pairs.score()),
        "score_interval": estimate(&scored(&tally.pairs)),
        "elo": estimate(&elo(&tally.pairs)),
        "nelo": estimate(&normalized_elo(&tally.pairs)),
        "los": number(los(&tally.pairs)),
        "llr": tally.llr.last(),
        "failed_units": tally.failed,
        "verdict": verdict(tally),
        "endings": tally.endings,
        "forfeits": tally.forfeits,
        "plies": tally.plies,
        "sprt": game.sprt,
    });
    if let Some(known) = known(tally) {
        let [adjusted, _] = known.scores_within_bounds();
        value["luck"] = json!({
            "judge": game.luck.as_ref().map(ToString::to_string),
            "luck": estimate(&known.luck),
            "score": estimate(&adjusted),
            "elo": estimate(&elo_of_scores(&adjusted)),
            "weights": known.weights,
            "variance": number(known.variance),
            "raw_variance": number(known.raw_variance),
            "ratio": number(known.ratio()),
        });
    }
    if let Some((first, last)) = game.part {
        value["units"] = json!({ "first": first, "last": last, "of": game.len() });
    }
    if let Some(after) = tally.after.as_ref().filter(|_| game.play_on) {
        let [won, drawn, lost] = after.games;
        value["after"] = json!({ "won": won, "drawn": drawn, "lost": lost });
    }
    value
}
