//! The network's answers on examples that it is not trained on.
#![expect(clippy::disallowed_methods, reason = "statistics are reported, not played by")]

use burn::prelude::*;
use rayon::prelude::*;

use crate::data::{Example, LABELS};
use crate::net::{Ornn, View};
use crate::train::SHARD;

/// The network's answer for one example.
pub type Logits = [f32; LABELS];

/// The quality of answers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Score {
    /// The mean cross entropy, in nats.
    pub loss: f64,
    /// Number of examples by label (row) and by answer (column).
    pub confusion: [[usize; LABELS]; LABELS],
}

impl Score {
    /// Compares answers with the truth.
    pub fn new(examples: &[Example], answers: &[Logits]) -> Score {
        let mut score = Score::default();
        for (example, logits) in examples.iter().zip(answers) {
            let truth = usize::from(example.label);
            let said = (1..LABELS).fold(0, |best, i| if logits[i] > logits[best] { i } else { best });
            score.confusion[truth][said] += 1;
            score.loss -= probabilities(logits)[truth].ln() / examples.len() as f64;
        }
        score
    }

    /// The share of right answers.
    pub fn accuracy(&self) -> f64 {
        let right: usize = (0..LABELS).map(|i| self.confusion[i][i]).sum();
        right as f64 / self.confusion.iter().flatten().sum::<usize>() as f64
    }
}

/// The network's answers, with this many of the opponent's plies shown.
///
/// # Panics
/// When the network does not compute in f32, which all of ours do.
pub fn answers(net: &Ornn, examples: &[Example], plies: usize) -> Vec<Logits> {
    let net = net.valid();
    let shards = examples.par_chunks(SHARD).map(|shard| {
        let views: Vec<View> = shard.iter().map(|example| (example, plies)).collect();
        let logits = net.forward(&views, &Device::flex()).into_data();
        let (rows, _) = logits.as_slice::<f32>().expect("the network counts in f32").as_chunks();
        rows.to_vec()
    });
    shards.collect::<Vec<_>>().concat()
}

/// Softmax.
pub fn probabilities(logits: &Logits) -> [f64; LABELS] {
    let most = f64::from(logits.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let powers = logits.map(|logit| (f64::from(logit) - most).exp());
    powers.map(|power| power / powers.iter().sum::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores() {
        let example = |label| Example {
            game: String::new(),
            fold: 0,
            label,
            boards: [0; crate::planes::BITS],
            unrevealed: [0.0; crate::planes::VALUES],
        };
        let examples = [example(0), example(2), example(2), example(1)];
        let answers = [[1.0, 0.0, 0.0], [0.0; 3], [-9.0, -9.0, 900.0], [0.0, 0.0, 1.0]];
        let score = Score::new(&examples, &answers);
        assert_eq!(score.confusion, [[1, 0, 0], [0, 0, 1], [1, 0, 1]]);
        assert!((score.accuracy() - 0.5).abs() < 1e-12);
        let e = std::f64::consts::E;
        let expected = ((e + 2.0).ln() - 1.0 + 3f64.ln() + (e + 2.0).ln()) / 4.0;
        assert!((score.loss - expected).abs() < 1e-9, "{} is not {expected}", score.loss);
    }
}
