//! What several experiments say about samples.

use anglerfish_arena::report::plot::{Mark, Tone};

/// By how many standard deviations a sampled percentage lies from the true one.
///
/// A true share of nothing or everything would make any difference infinite; it counts as one in two thousand.
pub(crate) fn z_score(sampled: f64, truth: f64, games: u32) -> f64 {
    let share = (truth / 100.0).clamp(0.0005, 0.9995);
    let deviation = 100.0 * (share * (1.0 - share) / f64::from(games)).sqrt();
    (sampled - truth) / deviation
}

/// The 95 % interval of a share in a sample, which does not vanish where all are alike.
///
/// Agresti and Coull (1998), "Approximate is better than exact for interval estimation of binomial proportions", section 3.
pub(crate) fn interval(share: f64, n: u32) -> (f64, f64) {
    let n = f64::from(n) + 4.0;
    let center = (share * (n - 4.0) + 2.0) / n;
    let half = 1.96 * (center * (1.0 - center) / n).sqrt();
    ((center - half).max(0.0), (center + half).min(1.0))
}

/// The mean of a sample and half of its 95 % interval, which is endless where there is nothing to compare.
pub(crate) fn mean_and_error(sample: &[f64]) -> (f64, f64) {
    let n = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / n;
    if sample.len() < 2 {
        return (mean, f64::INFINITY);
    }
    let variance = sample.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, 1.96 * (variance / n).sqrt())
}

/// The entry of a list with the greatest size; 0 for none.
pub(crate) fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().map(f64::abs).fold(0.0, f64::max)
}

/// A number with a sign that is not a hyphen.
pub(crate) fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    // What rounds to nothing has no sign.
    if text.bytes().all(|b| !b.is_ascii_digit() || b == b'0') {
        format!("{:.decimals$}", 0.0)
    } else {
        text.replace('-', "−")
    }
}

/// Three percentages as `58.49 / 12.70 / 28.81`.
pub(crate) fn triple(percent: [f64; 3], decimals: usize) -> String {
    percent.map(|p| format!("{p:.decimals$}")).join(" / ")
}

/// A bar from nothing to `value` in the row of a list.
pub(crate) fn row_bar(row: usize, value: f64, tone: Tone, note: String) -> Mark {
    let at = row as f64;
    Mark::Bar { from: (0.0, at + 0.15), to: (value, at + 0.85), tone, note }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_read_them() {
        assert_eq!([signed(-0.001, 2), signed(-1.5, 2), signed(0.25, 1)], ["0.00", "−1.50", "+0.2"]);
        assert_eq!(triple([58.4921, 12.6984, 28.8095], 2), "58.49 / 12.70 / 28.81");
        assert!((z_score(59.06, 58.492, 10_000) - 1.15).abs() < 0.01);
        let (mean, error) = mean_and_error(&[1.0, 2.0, 3.0, 4.0]);
        assert!((mean - 2.5).abs() < 1e-12 && (error - 1.96 * (5.0f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
        assert_eq!(mean_and_error(&[1.5]), (1.5, f64::INFINITY));
        assert!((z_score(2.24, 0.0, 10_000) - 100.2).abs() < 0.1);
        let (low, high) = interval(1.0, 100);
        assert!(low > 0.95 && low < 1.0 && high > 0.999, "{low} {high}");
    }
}
