//! Means of clustered values, and their intervals.
//!
//! Two games of one deal are alike, so they are not independent. The independent unit is the cluster, such as a pair.

/// The mean of clustered values, in memory that does not depend on their number.
///
/// The interval is that of a ratio estimator: the sum of the values by their number, both by cluster. Cochran (1977), "Sampling
/// Techniques", section 6.3.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clustered {
    clusters: f64,
    values: f64,
    sum: f64,
    /// Sums over clusters of the products of their sum and number.
    sum_sum: f64,
    sum_values: f64,
    values_values: f64,
}

impl Clustered {
    /// Adds a cluster: the number of its values, and their sum.
    pub fn add(&mut self, values: u64, sum: f64) {
        self.weigh(values as f64, sum);
    }

    fn weigh(&mut self, values: f64, sum: f64) {
        self.clusters += 1.0;
        self.values += values;
        self.sum += sum;
        self.sum_sum += sum * sum;
        self.sum_values += sum * values;
        self.values_values += values * values;
    }

    /// The same sums over all clusters, including those without values here.
    #[must_use]
    pub fn among(&self, all: &Clustered) -> Clustered {
        Clustered {
            sum: self.sum,
            sum_sum: self.sum_sum,
            // Only clusters with values count here, and those know their number.
            sum_values: self.sum_values,
            ..*all
        }
    }

    /// How many values there are.
    pub fn values(&self) -> u64 {
        self.values as u64
    }

    /// How many clusters.
    pub fn clusters(&self) -> u64 {
        self.clusters as u64
    }

    /// The mean of all values; not a number if there are none.
    pub fn mean(&self) -> f64 {
        self.sum / self.values
    }

    /// The ends of the 95 % interval of the mean; infinite with fewer than two clusters.
    pub fn interval(&self) -> (f64, f64) {
        if self.clusters < 2.0 {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        let mean = self.mean();
        let squares = self.sum_sum - 2.0 * mean * self.sum_values + mean * mean * self.values_values;
        let variance = squares.max(0.0) * self.clusters / (self.clusters - 1.0);
        let half = t95(self.clusters - 1.0) * variance.sqrt() / self.values;
        (mean - half, mean + half)
    }

    /// The same for a share or a score between 0 and 1: two clusters are added, one with all points and one with none, so that the
    /// interval does not vanish if all clusters are alike (Agresti and Coull, 1998, section 3).
    pub fn share_interval(&self) -> (f64, f64) {
        let mut supposed = *self;
        let size = if self.clusters > 0.0 { self.values / self.clusters } else { 1.0 };
        supposed.weigh(size, size);
        supposed.weigh(size, 0.0);
        let (low, high) = supposed.interval();
        (low.max(0.0), high.min(1.0))
    }
}

/// The 97.5 % point of Student's t: an interval of this many standard errors either way holds 95 %, where the standard error is
/// known only from this many degrees of freedom.
///
/// By the expansion about the normal distribution (Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964, 26.7.5), which
/// is right to three decimals from six degrees on; below that, from the table (26.10).
pub fn t95(degrees: f64) -> f64 {
    const FEW: [f64; 5] = [12.706, 4.303, 3.182, 2.776, 2.571];
    // The terms of the expansion at the 97.5 % point of the normal distribution.
    const TERMS: [f64; 5] = [1.959_964, 2.372_271, 2.822_499, 2.555_850, 1.589_534];
    match FEW.get((degrees as usize).saturating_sub(1)) {
        Some(&t) => t,
        None => TERMS.iter().rev().fold(0.0, |sum, term| sum / degrees + term),
    }
}

#[cfg(test)]
mod tests {
    use anglerfish_rules::{Rng, RngExt};

    use super::*;

    #[test]
    fn clusters_of_one_are_a_plain_mean() {
        let mut mean = Clustered::default();
        for value in [1.0, 2.0, 3.0, 4.0] {
            mean.add(1, value);
        }
        let (low, high) = mean.interval();
        assert!((mean.mean() - 2.5).abs() < 1e-12);
        assert!((high - low - 2.0 * 3.182 * (5.0f64 / 3.0 / 4.0).sqrt()).abs() < 1e-9, "{low} {high}");
    }

    #[test]
    fn what_adds_nothing_counts_too() {
        let (mut all, mut some, mut plain) =
            (Clustered::default(), Clustered::default(), Clustered::default());
        for n in 0..50_u64 {
            let (values, sum) = (1 + n % 3, if n % 4 == 0 { 1.0 } else { 0.0 });
            all.add(values, values as f64);
            plain.add(values, sum);
            if sum > 0.0 {
                some.add(values, sum);
            }
        }
        assert_eq!(some.among(&all), plain);
    }

    /// Both values of a cluster are the same two times in three: as if there were far fewer of them.
    #[test]
    fn it_holds_the_truth_nineteen_times_in_twenty() {
        let mut rng = Rng::new(5);
        let (mut held, mut naive, trials) = (0, 0, 2000);
        for _ in 0..trials {
            let (mut mean, mut single) = (Clustered::default(), Clustered::default());
            for _ in 0..100 {
                let mut draw = || f64::from(u8::from(rng.below(10) < 3));
                let first = draw();
                let second = if rng.below(3) < 2 { first } else { f64::from(u8::from(rng.below(10) < 3)) };
                mean.add(2, first + second);
                single.add(1, first);
                single.add(1, second);
            }
            let holds = |(low, high): (f64, f64)| u32::from((low..=high).contains(&0.3));
            held += holds(mean.share_interval());
            naive += holds(single.share_interval());
        }
        assert!((trials * 94 / 100..trials * 97 / 100).contains(&held), "{held}");
        assert!(naive < trials * 90 / 100, "single games would hold it {naive} times");
    }
}
