//! A gauntlet against the ten levels: the strength of a program on their scale, and its place among the published programs.
//!
//! Ratings are measurements of docs/strength.md, put together here: each is the sum of its steps from level 1, and so is its
//! error. The interval of the challenger comes from its own games alone, with the levels taken as exact.

use anglerfish_arena::stats::elo::{Estimate, Z95};
use anglerfish_arena::{ArenaGame, Contestant, Outcomes, Tournament};
use anglerfish_engine::LEVELS;
use anglerfish_report::{Cell, Row, Table, counted};
use serde_json::{Value, json};

use super::words::name;

/// A measured difference of two players in Elo, and half of its 95 % interval.
type Step = (f64, f64);

/// Level 2 over level 1, and so on: the table of the levels in docs/strength.md, 150 to 300 games each.
const STEPS: [Step; 9] = [
    (105.6, 40.4),
    (151.3, 31.5),
    (123.0, 33.1),
    (125.7, 35.5),
    (116.5, 30.6),
    (177.2, 41.7),
    (149.3, 44.1),
    (132.9, 43.3),
    (164.1, 52.8),
];

/// Our full strength over level 10: `alphabeta` with 400,000 nodes a move, what 200 ms were worth in the matches below. The last row of
/// the table of the levels in docs/strength.md.
const FULL: Step = (110.5, 142.5);

/// The published programs under our full strength, at 200 ms a move for both: docs/strength.md, "Against public programs".
const PUBLISHED: [(&str, Step); 4] = [
    ("jacob (JacobLinCool/banqi)", (65.0, 43.3)),
    ("misty60 (brianhliou/misty-banqi)", (269.4, 58.1)),
    ("course2019, on our move generator", (336.1, 43.2)),
    ("george (George0828Zhang/chinese-dark-chess-hw)", (676.1, 207.0)),
];

/// A player with a rating on the levels' scale: level 1 is 0.
struct Rated {
    name: String,
    elo: f64,
    error: f64,
}

/// All players with a rating, strongest first.
fn scale() -> Vec<Rated> {
    let rated = |name: String, elo: f64, squares: f64| Rated { name, elo, error: squares.sqrt() };
    let mut all = vec![rated("level1".to_owned(), 0.0, 0.0)];
    let (mut elo, mut squares) = (0.0, 0.0);
    for ((step, error), level) in STEPS.into_iter().zip(2..) {
        (elo, squares) = (elo + step, squares + error * error);
        all.push(rated(format!("level{level}"), elo, squares));
    }
    (elo, squares) = (elo + FULL.0, squares + FULL.1 * FULL.1);
    all.push(rated("Anglerfish 0.3 at 200 ms a move".to_owned(), elo, squares));
    let published = |(name, (under, error)): (&str, Step)| {
        rated(format!("{name} at 200 ms a move"), elo - under, squares + error * error)
    };
    all.extend(PUBLISHED.into_iter().map(published));
    all.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    all
}

/// The ten levels as contestants, with all the nodes that they may use.
pub(super) fn contestants() -> Vec<Contestant> {
    let level = |n: usize| Contestant::builtin(&format!("level{n}"), &format!("level{n}"), "nodes=1000000");
    (1..=LEVELS.len()).map(level).collect()
}

/// The result of the first contestant against the levels.
pub(super) struct Place {
    name: String,
    games: u64,
    elo: Estimate,
}

/// Reads the games of the first contestant against the levels.
pub(super) fn place<G: ArenaGame>(event: &Tournament, outcomes: &Outcomes<G>) -> Place {
    let scale = scale();
    let elo_of =
        |player: usize| scale.iter().find(|rated| rated.name == name(event, player)).map(|rated| rated.elo);
    let (mut halves, mut opponents) = (0, Vec::new());
    for game in outcomes.rounds.iter().flat_map(|round| &round.games) {
        let (other, own) = match (game.first, game.second) {
            (0, other) => (other, game.points[0]),
            (other, 0) => (other, game.points[1]),
            _ => continue,
        };
        if let Some(elo) = elo_of(other) {
            halves += own;
            opponents.push(elo);
        }
    }
    let elo = rating(&opponents, f64::from(halves) / 2.0);
    Place { name: name(event, 0).to_owned(), games: opponents.len() as u64, elo }
}

/// The rating of a player that scored so many points in a game against each of these: where the score is the expected one, and the
/// interval of those ratings whose expected score is at most 1.96 standard deviations away (Wilson's way, so that a score of
/// nothing or of everything has an end on one side). A draw counts as half a win and varies less, so the interval is
/// rather too wide.
fn rating(opponents: &[f64], points: f64) -> Estimate {
    let away = |elo: f64| {
        let expected = opponents.iter().map(|other| 1.0 / (1.0 + 10f64.powf((other - elo) / 400.0)));
        let (sum, variance) = expected.fold((0.0, 0.0), |(s, v), p| (s + p, v + p * (1.0 - p)));
        (points - sum) / variance.sqrt().max(1e-12)
    };
    // `away` falls as the rating grows.
    let crosses = |level: f64| {
        let (mut low, mut high) = (-4000.0, 6000.0);
        if away(low) < level {
            return f64::NEG_INFINITY;
        }
        if away(high) > level {
            return f64::INFINITY;
        }
        while high - low > 0.01 {
            let middle = f64::midpoint(low, high);
            if away(middle) > level { low = middle } else { high = middle }
        }
        low
    };
    let all = points >= opponents.len() as f64;
    let value = if points <= 0.0 {
        f64::NEG_INFINITY
    } else if all {
        f64::INFINITY
    } else {
        crosses(0.0)
    };
    let low = if points <= 0.0 { f64::NEG_INFINITY } else { crosses(Z95) };
    let high = if all { f64::INFINITY } else { crosses(-Z95) };
    Estimate { value, low, high }
}

impl Place {
    /// The rating in words: `+512 (+430 to +600)`, `above +1100`.
    fn worth(&self) -> String {
        let Estimate { value, low, high } = self.elo;
        match (low.is_finite(), high.is_finite()) {
            (true, true) => format!("{value:+.0} ({low:+.0} to {high:+.0})"),
            (true, false) => format!("above {low:+.0}"),
            (false, true) => format!("below {high:+.0}"),
            (false, false) => "open".to_owned(),
        }
    }

    /// The players of the scale with this one among them, strongest first.
    pub(super) fn table(&self) -> Table {
        let own = Row { head: self.name.clone(), cells: vec![self.worth().into(), "this tournament".into()] };
        let mut rows = Vec::new();
        let mut own = Some(own);
        // Of a rating without an end, the end that it has.
        let at = [self.elo.value, self.elo.low, self.elo.high].into_iter().find(|elo| elo.is_finite());
        for Rated { name, elo, error } in scale() {
            if at.unwrap_or_default() >= elo {
                rows.extend(own.take());
            }
            let cells: Vec<Cell> = vec![format!("{elo:+.0} ± {error:.0}").into(), "docs/strength.md".into()];
            rows.push(Row { head: name, cells });
        }
        rows.extend(own);
        Table {
            title: "Place on the levels' scale".to_owned(),
            caption: format!(
                "Elo over level 1, with 95 % intervals. That of {} is from its {} alone, with the levels taken as exact; the others' \
                 are summed from step to step. The published programs did not play here: they met Anglerfish in matches of docs/strength.md.",
                self.name,
                counted(self.games, "game")
            ),
            columns: ["player", "Elo", "from"].map(str::to_owned).to_vec(),
            rows,
        }
    }

    /// The same as JSON.
    pub(super) fn json(&self) -> Value {
        // An open end is null.
        let Estimate { value, low, high } = self.elo;
        let scale: Vec<Value> = scale()
            .iter()
            .map(|rated| json!({ "name": rated.name, "elo": rated.elo, "error": rated.error }))
            .collect();
        json!({ "name": self.name, "games": self.games, "elo": { "value": value, "low": low, "high": high }, "scale": scale })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers are those of the page.
    #[test]
    fn the_scale_is_that_of_the_strength_page() {
        let page = include_str!("../../../../../docs/strength.md").replace('−', "-");
        let row = |start: &str| {
            let line = page.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{start}"));
            let elo = line.trim_end_matches('|').rsplit('|').next().expect("a cell");
            let (elo, error) = elo.trim().split_once(" ± ").expect("an error");
            (elo.parse::<f64>().expect("Elo"), error.parse::<f64>().expect("an error"))
        };
        for (step, level) in STEPS.into_iter().zip(2..) {
            assert_eq!(step, row(&format!("| {level} |")));
        }
        assert_eq!(FULL, row("| full |"));
        for ((name, step), start) in
            PUBLISHED.into_iter().zip(["| jacob", "| misty60", "| `course2019`", "| george"])
        {
            assert_eq!(step, row(start), "{name}");
        }
    }

    #[test]
    fn ratings_are_right_where_they_are_known() {
        let even = rating(&[100.0; 200], 100.0);
        assert!((even.value - 100.0).abs() < 0.1 && even.covers(100.0), "{even:?}");
        assert!((40.0..60.0).contains(&even.error()), "200 games are worth about 48: {even:?}");
        let three_quarters = rating(&[0.0; 400], 300.0);
        assert!((three_quarters.value - 190.8).abs() < 0.1, "{three_quarters:?}");
        let (all, none) = (rating(&[0.0; 20], 20.0), rating(&[0.0; 20], 0.0));
        assert!(all.high.is_infinite() && all.low > 200.0, "{all:?}");
        assert!(none.low.is_infinite() && none.high < -200.0, "{none:?}");
        assert!((all.low + none.high).abs() < 0.1);
    }
}
