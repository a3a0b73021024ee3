//! The quality of predictions of an opponent's class: weaker, equal or stronger, with a probability each.

use anglerfish_report::{Report, Row, Table};
use serde::Serialize;

use crate::LabError;
use crate::stats::interval;

/// The classes in the order of their labels.
pub const CLASSES: [&str; 3] = ["weaker", "equal", "stronger"];
/// Number of bins of the calibration.
const BINS: usize = 10;
/// The lower bound of a probability: no single error counts as infinite.
const LEAST: f64 = 1e-6;

/// The quality of some predictions.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Ranking {
    /// By truth, then by the likeliest class.
    pub confusion: [[u32; 3]; 3],
    /// The sum of the negative logarithms of the true classes' probabilities.
    log_loss: f64,
    /// Brier's score: the sum of all squared errors of probabilities.
    brier: f64,
    /// By the probability of the likeliest class: predictions, right ones, and the sum of the probabilities.
    calibration: [(u32, u32, f64); BINS],
}

impl Ranking {
    /// Adds a prediction with the truth.
    ///
    /// # Errors
    /// When these are no probabilities.
    #[expect(clippy::disallowed_methods, reason = "a score is printed to four digits")]
    pub fn add(&mut self, truth: usize, probabilities: [f64; 3]) -> Result<(), LabError> {
        let sum: f64 = probabilities.iter().sum();
        if (sum - 1.0).abs() > 0.001 || probabilities.iter().any(|p| !(0.0..=1.0).contains(p)) {
            return Err(format!("expected three probabilities that sum to 1, found {probabilities:?}").into());
        }
        let likeliest = (0..3).max_by(|a, b| probabilities[*a].total_cmp(&probabilities[*b])).unwrap_or(0);
        self.confusion[truth][likeliest] += 1;
        self.log_loss -= probabilities[truth].max(LEAST).ln();
        let wanted = |class: usize| f64::from(u8::from(class == truth));
        self.brier += (0..3).map(|class| (probabilities[class] - wanted(class)).powi(2)).sum::<f64>();
        let said = probabilities[likeliest];
        let (all, right, sum) = &mut self.calibration[((said * BINS as f64) as usize).min(BINS - 1)];
        *all += 1;
        *right += u32::from(likeliest == truth);
        *sum += said;
        Ok(())
    }

    /// Number of predictions.
    pub fn games(&self) -> u32 {
        self.confusion.as_flattened().iter().sum()
    }

    /// The share of right likeliest classes, and that share of each class.
    pub fn accuracy(&self) -> (f64, [f64; 3]) {
        let right: u32 = (0..3).map(|class| self.confusion[class][class]).sum();
        let share = |n: u32, of: u32| f64::from(n) / f64::from(of.max(1));
        let by_class = |class: usize| share(self.confusion[class][class], self.confusion[class].iter().sum());
        (share(right, self.games()), std::array::from_fn(by_class))
    }

    /// Its 95 % interval. Games count as independent, although pairs share a deal.
    pub fn accuracy_interval(&self) -> (f64, f64) {
        interval(self.accuracy().0, self.games())
    }

    /// The mean logarithmic loss; without knowledge it is 1.0986.
    pub fn log_loss(&self) -> f64 {
        self.log_loss / f64::from(self.games().max(1))
    }

    /// The mean Brier score; without knowledge it is 0.6667.
    pub fn brier(&self) -> f64 {
        self.brier / f64::from(self.games().max(1))
    }

    /// The mean distance between stated and actual frequencies: the expected calibration error.
    pub fn miscalibration(&self) -> f64 {
        let off = self.calibration.iter().map(|(_, right, sum)| (f64::from(*right) - sum).abs());
        off.sum::<f64>() / f64::from(self.games().max(1))
    }

    /// Adds its tables to a report.
    pub fn tables(&self, title: &str, report: &mut Report) {
        let (_, by_class) = self.accuracy();
        let row = |class: usize| {
            let all = f64::from(self.confusion[class].iter().sum::<u32>().max(1));
            let mut cells: Vec<_> =
                self.confusion[class].iter().map(|n| format!("{:.3}", f64::from(*n) / all).into()).collect();
            cells.push(format!("{:.1}", 100.0 * by_class[class]).into());
            cells.push(self.confusion[class].iter().sum::<u32>().to_string().into());
            Row { head: CLASSES[class].to_owned(), cells }
        };
        report.tables.push(Table {
            title: format!("{title}: what is said of each class"),
            caption: "Shares of the games of a row.".to_owned(),
            columns: ["is", "weaker", "equal", "stronger", "right, %", "games"].map(str::to_owned).to_vec(),
            rows: (0..3).map(row).collect(),
        });
        let bin = |(n, (all, right, sum)): (usize, &(u32, u32, f64))| {
            let of = f64::from((*all).max(1));
            Row {
                head: format!("{} to {}", 10 * n, 10 * (n + 1)),
                cells: vec![
                    format!("{:.1}", 100.0 * sum / of).into(),
                    format!("{:.1}", 100.0 * f64::from(*right) / of).into(),
                    all.to_string().into(),
                ],
            }
        };
        let bins = self.calibration.iter().enumerate().filter(|(_, (all, ..))| *all > 0);
        report.tables.push(Table {
            title: format!("{title}: calibration"),
            caption: "By how probable the likeliest class was said to be, in per cent.".to_owned(),
            columns: ["said", "on average", "came true", "games"].map(str::to_owned).to_vec(),
            rows: bins.map(bin).collect(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a score is printed to four digits")]
    fn numbers_are_those_of_the_book() {
        let mut ranking = Ranking::default();
        for (truth, probabilities) in
            [(0, [0.7, 0.2, 0.1]), (1, [0.6, 0.3, 0.1]), (2, [0.0, 0.0, 1.0]), (2, [0.1, 0.2, 0.7])]
        {
            ranking.add(truth, probabilities).expect("probabilities");
        }
        assert_eq!(ranking.confusion, [[1, 0, 0], [1, 0, 0], [0, 0, 2]]);
        let (all, [weaker, equal, stronger]) = ranking.accuracy();
        assert!([all - 0.75, weaker - 1.0, equal, stronger - 1.0].iter().all(|x| x.abs() < 1e-12));
        let log_loss = -(0.7_f64.ln() + 0.3_f64.ln() + 0.7_f64.ln()) / 4.0;
        assert!((ranking.log_loss() - log_loss).abs() < 1e-12);
        let brier = (0.09 + 0.04 + 0.01 + 0.36 + 0.49 + 0.01 + 0.0 + 0.01 + 0.04 + 0.09) / 4.0;
        assert!((ranking.brier() - brier).abs() < 1e-12);
        // Two have stated probability 0.7 and are right, one 0.6 and wrong, one certain and right.
        assert!((ranking.miscalibration() - (0.6 + 0.6) / 4.0).abs() < 1e-12, "{}", ranking.miscalibration());
        assert!(ranking.add(0, [0.5, 0.2, 0.1]).is_err());
        assert!(ranking.add(0, [1.5, -0.5, 0.0]).is_err());
        assert!(ranking.add(0, [f64::NAN, 0.5, 0.5]).is_err());
    }

    #[test]
    fn who_knows_nothing_scores_as_said() {
        let mut ranking = Ranking::default();
        for truth in 0..3 {
            ranking.add(truth, [1.0 / 3.0; 3]).expect("probabilities");
        }
        assert!((ranking.log_loss() - 1.0986).abs() < 1e-4 && (ranking.brier() - 0.6667).abs() < 1e-4);
        assert!(ranking.miscalibration() < 1e-12, "a third of them came true");
    }
}
