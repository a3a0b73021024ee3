//! When a match may stop: the sequential probability ratio test on pairs.
//!
//! Two hypotheses say how strong the first-named player is; after each pair the likelihoods of the best distributions that
//! fit each are compared, and the match ends when their ratio passes a bound (Abraham Wald, "Sequential Tests of
//! Statistical Hypotheses", 1945; generalised to unknown distributions as fastchess and Fishtest do). A test stopped by it is not
//! followed by an unbiased estimate: the Elo of a stopped match leans away from zero, and this module does not mend that.

#![expect(clippy::disallowed_methods, reason = "statistics are reported, not played by")]

use serde::{Deserialize, Serialize};

use crate::stats::adjusted::Known;
use crate::stats::elo::{NELO_PER_SIGMA, PAIR_SCORES, Pentanomial, score_of_elo};

/// Weight of an outcome that was never seen, so that no likelihood is zero; fastchess uses the same.
const UNSEEN: f64 = 1e-3;

/// The furthest normalised hypothesis that [`Sprt::check`] lets pass.
///
/// The fit starts from the uniform distribution and has no way on from there beyond some 230 nElo. Of 7,500 random counts,
/// extreme ones included, all had a way on within 200, and all but three stood after 50 rounds (2026).
pub const MOST_NELO: f64 = 200.0;

/// A test on adjusted pairs decides only from this many pairs on.
pub const FEWEST: u64 = 20;

/// In which unit the two hypotheses are given.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Logistic Elo: the hypotheses fix the expected score.
    Logistic,
    /// Normalised Elo: the hypotheses fix the expected lead in standard deviations, so the length of a test does not
    /// depend on how many games are drawn.
    Normalized,
}

/// A test of "`elo0` stronger" (H0) against "`elo1` stronger" (H1).
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The strength under H0, in the unit of `model`.
    pub elo0: f64,
    /// The strength under H1; more than `elo0`.
    pub elo1: f64,
    /// How often H1 may be accepted though H0 is true.
    pub alpha: f64,
    /// How often H0 may be accepted though H1 is true.
    pub beta: f64,
    /// The unit of `elo0` and `elo1`.
    pub model: Model,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Neither bound is reached.
    Continue,
    /// The lower bound is reached: no improvement.
    AcceptH0,
    /// The upper bound is reached: an improvement.
    AcceptH1,
}

/// Why a test is invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// H0 must be the weaker claim, and both must be numbers.
    #[error("expected elo0 less than elo1, found {0} and {1}")]
    Hypotheses(f64, f64),
    /// Normalised hypotheses are within [`MOST_NELO`].
    #[error("expected normalised hypotheses from -200 to 200, found {0} and {1}")]
    TooFar(f64, f64),
    /// Error rates are above 0 and together below 1.
    #[error("expected alpha and beta above 0 and together below 1, found {0} and {1}")]
    Rates(f64, f64),
}

impl Sprt {
    /// Checks that the test is valid.
    ///
    /// # Errors
    /// When `elo0` is not below `elo1`, normalised hypotheses lie too far out, or the error rates are not positive
    /// with a sum below 1.
    pub fn check(&self) -> Result<(), SprtError> {
        if !(self.elo0.is_finite() && self.elo1.is_finite() && self.elo0 < self.elo1) {
            return Err(SprtError::Hypotheses(self.elo0, self.elo1));
        }
        if self.model == Model::Normalized && self.elo0.abs().max(self.elo1.abs()) > MOST_NELO {
            return Err(SprtError::TooFar(self.elo0, self.elo1));
        }
        let valid = self.alpha > 0.0 && self.beta > 0.0 && self.alpha + self.beta < 1.0;
        if valid { Ok(()) } else { Err(SprtError::Rates(self.alpha, self.beta)) }
    }

    /// The log likelihood ratios at which H0 and H1 are accepted: ln(β / (1 - α)) and ln((1 - β) / α) (Wald, 1945).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The generalised log likelihood ratio of H1 to H0; 0 when nothing was played.
    ///
    /// The likelihood of a hypothesis is that of the distribution which fits the counts best among all that obey it. Counts of
    /// zero are taken as a thousandth. Means nothing for a test that does not pass [`Sprt::check`].
    pub fn llr(&self, results: &Pentanomial) -> f64 {
        if results.pairs() == 0 {
            return 0.0;
        }
        let counts = results.0.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let thinned = |elo: f64| match self.model {
            Model::Logistic => fit_mean(&seen, score_of_elo(elo)),
            Model::Normalized => fit_lead(&seen, std::f64::consts::SQRT_2 * elo / NELO_PER_SIGMA),
        };
        let (h0, h1) = (thinned(self.elo0), thinned(self.elo1));
        // The seen frequencies cancel: ln(p1 / p0) is ln(divisor0 / divisor1).
        counts.iter().zip(h0).zip(h1).map(|((count, d0), d1)| count * (d0 / d1).ln()).sum()
    }

    /// The verdict of the pairs so far.
    pub fn verdict(&self, results: &Pentanomial) -> Verdict {
        self.decide(self.llr(results))
    }

    /// The generalised log likelihood ratio of H1 to H0 where luck is known: that of normal distributions, each with the variance that fits the
    /// pairs best if its mean is right. With the variance that was seen, early pairs that happen to agree would decide too soon: of 10,000 tests on
    /// pairs drawn from 250 real ones 6.5 per cent were wrong where 5 may be.
    ///
    /// A normalised hypothesis is about the results themselves, luck included, so that it means the same with and without adjusting.
    /// Before there are [`FEWEST`] pairs their variance is not known well enough, and it is 0. Where all pairs score alike there is
    /// none, and results decide as they do without luck.
    pub fn adjusted_llr(&self, known: &Known, results: &Pentanomial) -> f64 {
        if known.pairs < FEWEST {
            return 0.0;
        }
        if known.variance <= 0.0 || known.raw_variance <= 0.0 {
            return self.llr(results);
        }
        let mean = |elo: f64| match self.model {
            Model::Logistic => score_of_elo(elo),
            Model::Normalized => {
                0.5 + std::f64::consts::SQRT_2 * elo / NELO_PER_SIGMA * known.raw_variance.sqrt()
            }
        };
        let (h0, h1) = (mean(self.elo0), mean(self.elo1));
        let n = known.pairs as f64;
        let seen = known.variance * (n - 1.0) / n;
        let spread = |mean: f64| seen + (known.score.value - mean) * (known.score.value - mean);
        n / 2.0 * (spread(h0) / spread(h1)).ln()
    }

    /// The verdict of a log likelihood ratio.
    pub fn decide(&self, llr: f64) -> Verdict {
        let (lower, upper) = self.bounds();
        match llr {
            llr if llr >= upper => Verdict::AcceptH1,
            llr if llr <= lower => Verdict::AcceptH0,
            _ => Verdict::Continue,
        }
    }
}

/// The likeliest distribution of mean `score`, as what each seen frequency has to be divided by.
///
/// Michel Van den Bergh, "Comparing the approximations for the generalized log likelihood ratio of a multinomial
/// distribution", proposition 1.1.
fn fit_mean(seen: &[f64; 5], score: f64) -> [f64; 5] {
    tilt(seen, &PAIR_SCORES.map(|x| x - score))
}

/// The likeliest distribution whose mean is `lead` of its standard deviations above one half, as in [`fit_mean`].
///
/// The condition is made linear about a guess, which is then improved until it stands (Michel Van den Bergh,
/// "Comments on normalized Elo", section 4.1). The first guess is the uniform distribution. A few rounds
/// suffice for counts of real matches, twenty or so for far hypotheses on counts of little variance (where fastchess,
/// which stops after ten, differs).
fn fit_lead(seen: &[f64; 5], lead: f64) -> [f64; 5] {
    let mut fitted = [0.2; 5];
    let mut divisors = [1.0; 5];
    for _ in 0..200 {
        let mean: f64 = fitted.iter().zip(PAIR_SCORES).map(|(p, x)| p * x).sum();
        let variance: f64 = fitted.iter().zip(PAIR_SCORES).map(|(p, x)| p * (x - mean) * (x - mean)).sum();
        let sigma = variance.sqrt();
        let slopes = PAIR_SCORES.map(|x| {
            let z = (x - mean) / sigma;
            x - 0.5 - 0.5 * lead * sigma * (1.0 + z * z)
        });
        divisors = tilt(seen, &slopes);
        let mut change = 0f64;
        for ((p, s), d) in fitted.iter_mut().zip(seen).zip(divisors) {
            change = change.max((s / d - *p).abs());
            *p = s / d;
        }
        if change < 1e-7 {
            break;
        }
    }
    divisors
}

/// The 1 + θ slope for which the frequencies seen / (1 + θ slope) have a mean slope of zero.
///
/// Their mean slope falls as θ grows, from +∞ to -∞ between the poles of the outermost slopes, so Newton's method
/// inside a shrinking bracket finds θ. When all slopes have one sign no distribution fits, and nothing is tilted.
fn tilt(seen: &[f64; 5], slopes: &[f64; 5]) -> [f64; 5] {
    let least = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    let most = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return [1.0; 5];
    }
    let (mut below, mut above) = (-1.0 / most, -1.0 / least);
    let mut theta = 0.0;
    for _ in 0..100 {
        let (mut value, mut fall) = (0.0, 0.0);
        for (p, slope) in seen.iter().zip(slopes) {
            let ratio = slope / (1.0 + theta * slope);
            value += p * ratio;
            fall += p * ratio * ratio;
        }
        *(if value > 0.0 { &mut below } else { &mut above }) = theta;
        let newton = theta + value / fall;
        let next = if newton > below && newton < above { newton } else { f64::midpoint(below, above) };
        let step = (next - theta).abs();
        theta = next;
        if step < 1e-10 {
            break;
        }
    }
    slopes.map(|slope| 1.0 + theta * slope)
}
