//! The results of games between agents, as tables, a figure and checks.

use anglerfish_arena::stats::clustered::Clustered;
use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::{Figure as Drawn, Row, Table};

use super::findings::points;
use super::measure::{STAGES, Score};
use super::paper::TABLE6;
use super::play::{AGENTS, Figure, MATCHES, Played};
use crate::stats::signed;
use crate::{Check, Size};

/// All games of agents.
pub(super) struct Agents {
    /// By round, the games of all agents.
    pub(super) rounds: Vec<Vec<Figure>>,
    /// By match, its pairs.
    pub(super) matches: Vec<Vec<[Played; 2]>>,
}

/// The rows of Table 6 in the paper's order: the layouts of the agents whose men are guessed.
const ROWS: [(&str, usize); 4] = [("aggressive", 2), ("balanced", 4), ("defensive", 6), ("random", 0)];

impl Agents {
    /// An agent's points in each round.
    fn points(&self, agent: usize) -> Vec<i64> {
        let of = |games: &Vec<Figure>| {
            let game = games.iter().find_map(|game| {
                let place = game.agents.iter().position(|&a| a == agent)?;
                Some(if place == 0 { game.played.points } else { -game.played.points })
            });
            game.unwrap_or(0)
        };
        self.rounds.iter().map(of).collect()
    }

    /// The mean of an agent's points, by pairs of rounds with the same armies.
    fn mean(&self, agents: &[usize]) -> Clustered {
        let mut mean = Clustered::default();
        for agent in agents {
            for pair in self.points(*agent).chunks(2) {
                mean.add(pair.len() as u64, pair.iter().sum::<i64>() as f64);
            }
        }
        mean
    }

    pub(super) fn tables(&self) -> Vec<Table> {
        if self.rounds.is_empty() && self.matches.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        vec![self.figure5(), self.table6(), self.against()]
    }

    fn figure5(&self) -> Table {
        let row = |(i, (name, _, _)): (usize, &(&str, _, _))| {
            let points = self.points(i);
            let count = |wanted: i64| points.iter().filter(|&&p| p == wanted).count();
            Row {
                head: (*name).to_owned(),
                cells: vec![
                    signed(points.iter().sum::<i64>() as f64, 0).into(),
                    format!("{} {} {}", count(100), count(0), count(-100)).into(),
                    interval(&self.mean(&[i])).into(),
                ],
            }
        };
        let mut rows: Vec<Row> = AGENTS.iter().enumerate().map(row).collect();
        for (head, agents) in
            [("all with classified models", [1, 3, 5, 7]), ("all with the general model", [0, 2, 4, 6])]
        {
            rows.push(Row {
                head: head.to_owned(),
                cells: vec!["".into(), "".into(), interval(&self.mean(&agents)).into()],
            });
        }
        let plies: u32 = self.rounds.iter().flatten().map(|game| game.played.plies).sum();
        let games = self.rounds.iter().map(Vec::len).sum::<usize>();
        Table {
            title: "Figure 5: points of the eight agents".to_owned(),
            caption: format!(
                "{} rounds, in each of which every agent plays one game for both seats of a team; 100, 0 or -100 points. Intervals of 95 % by pairs of rounds with the same armies. {:.0} plies a game on the average.",
                self.rounds.len(),
                f64::from(plies) / games.max(1) as f64
            ),
            columns: ["agent", "points", "won, drawn, lost", "a round"].map(str::to_owned).to_vec(),
            rows,
        }
    }

    /// The course of points, round by round.
    pub(super) fn figure(&self) -> Option<Drawn> {
        let course = |agent: usize| {
            let mut sum = 0.0;
            let mut points = vec![(0.0, 0.0)];
            for (round, gain) in self.points(agent).into_iter().enumerate() {
                sum += gain as f64;
                points.push((round as f64 + 1.0, sum));
            }
            points
        };
        if self.rounds.is_empty() {
            return None;
        }
        let courses: Vec<Vec<(f64, f64)>> = (0..AGENTS.len()).map(course).collect();
        let heights = courses.iter().flatten().map(|(_, y)| *y);
        let (low, high) = heights.fold((0.0, 0.0), |(low, high): (f64, f64), y| (low.min(y), high.max(y)));
        let last = self.rounds.len() as f64;
        let mut marks = vec![Mark::Level { y: 0.0, text: String::new(), tone: Tone::Muted }];
        for (i, points) in courses.iter().enumerate() {
            let end = points.last().copied().unwrap_or_default();
            marks.push(Mark::Line { points: points.clone(), tone: Tone::Series(i) });
            marks.push(Mark::Label { at: end, text: AGENTS[i].0.to_owned() });
        }
        let plot = Plot {
            label: "Points of the eight agents by round".to_owned(),
            x: Axis::numbers("round", 0.0, last * 1.12).exactly(0.0, last * 1.12),
            y: Axis::numbers("points", low, high),
            marks,
            legend: Vec::new(),
            height: 240.0,
        };
        let caption = "100, 0 or -100 points a round, added up.".to_owned();
        Some(Drawn { title: "Figure 5: points by round".to_owned(), plot, caption })
    }

    /// Guesses about agents with this kind of layout, by the general model and the classified one, and the
    /// latter's lead, by pairs of rounds.
    fn guessed(&self, row: usize, stage: usize) -> ([Score; 2], Clustered) {
        let (mut sums, mut ahead) = ([Score::default(); 2], Clustered::default());
        for pair in self.rounds.chunks(2) {
            let before = sums;
            for game in pair.iter().flatten() {
                for (agent, guesses) in game.agents.iter().zip(&game.played.guesses) {
                    if agent - agent % 2 == ROWS[row].1 {
                        for (sum, score) in sums.iter_mut().zip(guesses[stage]) {
                            sum.men += score.men;
                            sum.likeliest += score.likeliest;
                        }
                    }
                }
            }
            let right = |model: usize| (sums[model].likeliest - before[model].likeliest) as f64;
            ahead.add(sums[0].men - before[0].men, right(1) - right(0));
        }
        (sums, ahead)
    }

    fn table6(&self) -> Table {
        let mut rows = Vec::new();
        for (i, (name, _)) in ROWS.iter().enumerate() {
            for (model, which, printed) in [("classified", 1, 0), ("general", 0, 1)] {
                let cell = |stage: usize| {
                    let score = self.guessed(i, stage).0[which];
                    let share = 100.0 * score.likeliest as f64 / score.men.max(1) as f64;
                    format!("{share:.2} of {} (paper {:.2})", score.men, TABLE6[printed][i][stage]).into()
                };
                rows.push(Row { head: format!("{name}: {model}"), cells: (0..3).map(cell).collect() });
            }
            let cell = |stage: usize| {
                let claimed = TABLE6[0][i][stage] - TABLE6[1][i][stage];
                format!("{} (paper {})", points(&self.guessed(i, stage).1), signed(claimed, 2)).into()
            };
            rows.push(Row { head: format!("{name}: ahead"), cells: (0..3).map(cell).collect() });
        }
        Table {
            title: "Table 6 in games of agents".to_owned(),
            caption: "Men of agents that set up so, whose likeliest role is the true one, in per cent: what the seat to move would guess at every fourth ply of the rounds above. Ahead: points of the classified model, with 95 % intervals by pairs of rounds.".to_owned(),
            columns: std::iter::once("agents".to_owned())
                .chain(STAGES.map(|(plies, _)| format!("plies {plies}")))
                .collect(),
            rows,
        }
    }

    /// Won, drawn and lost games of a match, and its score by pairs.
    fn score(&self, which: usize) -> ([usize; 3], Clustered) {
        let (mut count, mut mean) = ([0; 3], Clustered::default());
        for pair in &self.matches[which] {
            for game in pair {
                count[usize::from(game.points <= 0) + usize::from(game.points < 0)] += 1;
            }
            mean.add(2, pair.iter().map(|game| (game.points + 100) as f64 / 200.0).sum());
        }
        (count, mean)
    }

    fn against(&self) -> Table {
        let row = |(i, (name, _)): (usize, &(&str, _))| {
            let (count, mean) = self.score(i);
            let (low, high) = mean.share_interval();
            let score = format!("{:.1} ({:.1}–{:.1})", 100.0 * mean.mean(), 100.0 * low, 100.0 * high);
            let count = count.map(|n| n.to_string()).join(" ");
            Row { head: (*name).to_owned(), cells: vec![count.into(), score.into()] }
        };
        Table {
            title: "Matches with people's armies".to_owned(),
            caption: "Both partners are the same player. Armies of held-out people; two games with the same armies and the seats turned are a pair. Per cent of the points, a draw is half, with 95 % intervals by pairs.".to_owned(),
            columns: ["match", "won, drawn, lost", "score"].map(str::to_owned).to_vec(),
            rows: MATCHES.iter().enumerate().map(row).collect(),
        }
    }

    pub(super) fn checks(&self, size: Size) -> Vec<Check> {
        let score = |which: usize| self.score(which).1.mean();
        if size == Size::Ci || self.matches.iter().any(|pairs| pairs.len() < 20) {
            return Vec::new();
        }
        vec![
            Check::new(
                "our player gets at least 95 per cent against the random player",
                score(2) >= 0.95,
                format!("{:.1} per cent", 100.0 * score(2)),
            ),
            Check::new(
                "our player gets at least 80 per cent against the one-ply player",
                score(3) >= 0.8,
                format!("{:.1} per cent", 100.0 * score(3)),
            ),
        ]
    }

    pub(super) fn data(&self) -> serde_json::Value {
        let agents: Vec<_> = AGENTS
            .iter()
            .enumerate()
            .map(|(i, (name, _, _))| serde_json::json!({ "agent": name, "points": self.points(i) }))
            .collect();
        let matches: Vec<_> = MATCHES
            .iter()
            .enumerate()
            .map(|(i, (name, _))| {
                let (count, mean) = self.score(i);
                serde_json::json!({ "match": name, "games": count, "score": mean.mean(), "interval": mean.share_interval() })
            })
            .collect();
        serde_json::json!({ "agents": agents, "matches": matches })
    }
}

fn interval(mean: &Clustered) -> String {
    let (low, high) = mean.interval();
    format!("{} ± {:.1}", signed(mean.mean(), 1), 0.5 * (high - low))
}
