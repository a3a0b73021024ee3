//! Reviews of many games: of each only its sums are kept, and of all what players did, with intervals by deal.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use anglerfish_engine::SearchGame;
use anglerfish_engine::luck::{GAME, GameLuck, Millionths, STAGES};
use anglerfish_rules::{Record, Team};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::shown::cost;
use super::text::WIDTH;
use super::{CLOSE, Part, Review, names};
use crate::scores::{Judged, Scores, estimate, percent, points_of_luck};
use crate::{Lang, say};
use crate::{Row, Table, grouped, plus_minus, wrapped};
use anglerfish_arena::halves;
use anglerfish_arena::stats::clustered::Clustered;
use anglerfish_arena::stats::elo::Estimate;

/// The sums of one game, as its first player sees them: what is kept of a review.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// The value before the first choice.
    pub start: Millionths,
    /// Luck by stage of the game.
    pub luck: [Millionths; STAGES],
    /// What the choices of the first and of the second player cost.
    pub lost: [Millionths; 2],
    /// How many choices of each count.
    pub choices: [u32; 2],
    /// How many of these were as good as the judge's own choice.
    pub accurate: [u32; 2],
    /// What the judge saw only later.
    pub corrections: Millionths,
    /// What was left when a player forfeited.
    pub forfeit: Millionths,
    /// The result.
    pub result: Millionths,
}

impl Summary {
    /// The sums of a game. The account must be that of the record.
    pub fn new<G: SearchGame>(account: &GameLuck<G>, record: &Record<G>) -> Summary {
        let sums = account.sums(Team::A);
        let Review { players, .. } = Review::new(account, record, "", Team::A);
        let (mut luck, mut game, mut entries) =
            ([0; STAGES], record.start.clone(), account.entries.iter().peekable());
        for (n, ply) in record.plies.iter().enumerate() {
            if let Some(entry) = entries.next_if(|entry| entry.ply == n) {
                luck[game.stage().min(STAGES - 1)] += entry.luck;
            }
            game.apply(ply.event);
        }
        let by = |number: fn(&Part) -> u32| [number(&players[0]), number(&players[1])];
        Summary {
            start: sums.start,
            luck,
            lost: [sums.own, sums.others],
            choices: by(|part| part.choices),
            accurate: by(|part| part.accurate),
            corrections: sums.corrections,
            forfeit: sums.forfeit,
            result: sums.result,
        }
    }

    /// Whether the account adds up, to the millionth.
    pub fn adds_up(&self) -> bool {
        let luck: Millionths = self.luck.iter().sum();
        self.start + luck - self.lost[0] + self.lost[1] + self.corrections + self.forfeit == self.result
    }
}

/// The account of a game does not add up.
#[derive(Clone, Debug)]
pub struct Imbalance {
    /// The game, counted from 1.
    pub game: usize,
    /// Its sums.
    pub summary: Summary,
}

impl fmt::Display for Imbalance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the account of game {} does not add up: {:?}", self.game, self.summary)
    }
}

impl Error for Imbalance {}

/// What many games say.
#[derive(Clone, Debug, Default)]
pub struct Summaries {
    scores: Scores,
    /// By name: how many games, shares of accurate choices, and what choices cost, in games.
    players: BTreeMap<String, (u64, [Clustered; 2])>,
    games: u64,
    luck: Millionths,
    corrections: Millionths,
    /// The sum of their sizes.
    corrected: Millionths,
}

impl Summaries {
    /// All games with their sums. The games are finished.
    ///
    /// # Errors
    /// When an account does not add up.
    pub fn new<G: anglerfish_arena::ArenaGame>(
        games: &[(&Record<G>, Summary)],
    ) -> Result<Summaries, Imbalance> {
        let mut all = Summaries::default();
        let names: Vec<[String; 2]> = games.iter().map(|(record, _)| names(record)).collect();
        let (mut judged, mut deals) = (Vec::new(), BTreeMap::new());
        for (n, ((record, summary), names)) in games.iter().zip(&names).enumerate() {
            if !summary.adds_up() {
                return Err(Imbalance { game: n + 1, summary: summary.clone() });
            }
            all.games += 1;
            all.luck += summary.luck.iter().sum::<Millionths>();
            all.corrections += summary.corrections;
            all.corrected += summary.corrections.abs();
            let deal = record.tag("Deal").map_or_else(|| format!("game {n}"), str::to_owned);
            deals.entry(deal).or_insert_with(Vec::new).push((names, summary));
            judged.push(Judged {
                players: [&names[0], &names[1]],
                deal: record.tag("Deal"),
                halves: halves(std::slice::from_ref(*record)),
                luck: summary.luck,
            });
        }
        all.scores = Scores::of(&judged);
        for games in deals.values() {
            all.add(games);
        }
        Ok(all)
    }

    /// The games of one deal: each player is one witness, also one that plays against itself.
    fn add(&mut self, games: &[(&[String; 2], &Summary)]) {
        let mut parts: BTreeMap<&str, (u64, u32, u32, Millionths)> = BTreeMap::new();
        for (names, summary) in games {
            for (n, name) in names.iter().enumerate() {
                let (games, choices, accurate, lost) = parts.entry(name).or_default();
                *games += u64::from(n == 0 || names[0] != names[1]);
                *choices += summary.choices[n];
                *accurate += summary.accurate[n];
                *lost += summary.lost[n];
            }
        }
        for (name, (n, choices, accurate, lost)) in parts {
            let (games, [accuracy, loss]) = self.players.entry(name.to_owned()).or_default();
            *games += n;
            if choices > 0 {
                accuracy.add(u64::from(choices), f64::from(accurate));
                loss.add(u64::from(choices), lost as f64 / GAME as f64);
            }
        }
    }

    /// The luck of first movers in games: its sum, and its mean with a 95 % interval by deal.
    fn luck(&self) -> (f64, Estimate) {
        let (low, high) = self.scores.first_movers.interval();
        let value = self.scores.first_movers.mean();
        // Scores are from 0 to 1, values from -1 to 1.
        (self.luck as f64 / GAME as f64, Estimate { value: 2.0 * value, low: 2.0 * low, high: 2.0 * high })
    }

    /// Corrections of first movers per game: their mean, and the mean of their sizes.
    fn mean_corrections(&self) -> [f64; 2] {
        [self.corrections, self.corrected].map(|sum| sum as f64 / GAME as f64 / self.games.max(1) as f64)
    }

    /// The players as a table, best score first; then those without a score.
    pub fn table(&self, lang: Lang) -> Table {
        let known = self.scores.known();
        let named = |name: &str| known.iter().any(|(known, ..)| *known == name);
        let others = self.players.keys().map(String::as_str).filter(|name| !named(name));
        let names: Vec<&str> = known.iter().map(|(name, ..)| *name).chain(others).collect();
        let row = |name: &&str| {
            let score = known.iter().find(|(known, ..)| known == name);
            let cell = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned()).into();
            let (games, [accurate, lost]) = self.players.get(*name).copied().unwrap_or_default();
            let chose = accurate.values() > 0;
            Row {
                head: (*name).to_owned(),
                cells: vec![
                    grouped(games).into(),
                    cell(score.map(|(.., known)| percent(&known.scores_within_bounds()[1]))),
                    cell(chose.then(|| percent(&share(&accurate)))),
                    cell(chose.then(|| around(&mean(&lost)))),
                    cell(score.map(|(.., known)| points_of_luck(&known.luck))),
                    cell(score.map(|(.., known)| percent(&known.scores_within_bounds()[0]))),
                ],
            }
        };
        Table {
            title: lang.text("review.players").to_owned(),
            caption: wrapped(&say!(lang, "all.caption", cost = cost(CLOSE)), WIDTH).replace('\n', "\n  "),
            columns: ["player", "games", "score", "accurate", "lost", "luck", "without"]
                .map(|column| lang.say(&format!("all.column.{column}"), &[]))
                .to_vec(),
            rows: names.iter().map(row).collect(),
        }
    }

    /// What is said of all games together.
    pub fn totals(&self, lang: Lang) -> String {
        let (sum, mean) = self.luck();
        // One deal gives no estimate.
        let interval = if mean.error().is_finite() {
            let [low, high] = [mean.low, mean.high].map(|end| format!("{end:+.3}"));
            say!(lang, "all.interval", low = low, high = high)
        } else {
            String::new()
        };
        let (games, [mean_correction, size]) = (grouped(self.games), self.mean_corrections());
        let per_game = format!("{:+.3}", mean.value);
        let lines = [
            say!(lang, "all.adds_up", n = games),
            say!(lang, "all.luck", sum = format!("{sum:+.2}"), mean = per_game, interval = interval),
            say!(
                lang,
                "all.corrections",
                mean = format!("{mean_correction:+.3}"),
                size = format!("{size:.3}")
            ),
        ];
        lines.iter().map(|line| wrapped(line, WIDTH) + "\n").collect()
    }

    /// The same for machines.
    pub fn json(&self) -> Value {
        let scores = self.scores.json();
        let player = |(name, (games, [accurate, lost])): (&String, &(u64, [Clustered; 2]))| {
            let mut object = json!({
                "games": games,
                "choices": accurate.values(),
                "accuracy": estimate(&share(accurate)),
                "lost": estimate(&mean(lost)),
            });
            if let Some(score) = scores.get(name) {
                for key in ["score", "luck", "adjusted", "weights", "ratio"] {
                    object[key] = score[key].clone();
                }
            }
            (name.clone(), object)
        };
        let (sum, mean) = self.luck();
        json!({
            "schema": 2,
            "games": self.games,
            "added_up": self.games,
            "first_movers_luck": { "sum": sum, "value": mean.value, "low": mean.low, "high": mean.high },
            "corrections": self.mean_corrections()[0],
            "corrections_size": self.mean_corrections()[1],
            "players": self.players.iter().map(player).collect::<serde_json::Map<_, _>>(),
        })
    }
}

fn share(clustered: &Clustered) -> Estimate {
    let (low, high) = clustered.share_interval();
    Estimate { value: clustered.mean(), low, high }
}

fn mean(clustered: &Clustered) -> Estimate {
    let (low, high) = clustered.interval();
    Estimate { value: clustered.mean(), low, high }
}

/// `0.031 ± 0.004`
fn around(estimate: &Estimate) -> String {
    format!("{:.3}{}", estimate.value, plus_minus(estimate.error(), 3))
}
