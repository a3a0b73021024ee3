//! A curve of any length in a bounded number of points.

use serde::{Deserialize, Serialize};

/// The most points that a curve keeps, besides its last.
const POINTS: usize = 2000;

/// A curve with a point for each step, or every second, fourth, eighth … when there are many; the last one is always there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve<T = f64> {
    points: Vec<(u64, T)>,
    stride: u64,
    last: Option<(u64, T)>,
}

impl<T> Default for Curve<T> {
    fn default() -> Curve<T> {
        Curve { points: Vec::new(), stride: 1, last: None }
    }
}

impl<T: Copy> Curve<T> {
    /// The next point.
    pub fn push(&mut self, value: T) {
        let n = self.last.map_or(1, |(n, _)| n + 1);
        self.last = Some((n, value));
        if n.is_multiple_of(self.stride) {
            self.points.push((n, value));
        }
        if self.points.len() == POINTS {
            self.stride *= 2;
            let stride = self.stride;
            self.points.retain(|(n, _)| n.is_multiple_of(stride));
        }
    }

    /// The last value.
    pub fn last(&self) -> Option<T> {
        self.last.map(|(_, value)| value)
    }

    /// The points, each with how many steps led to it.
    pub fn points(&self) -> impl Iterator<Item = (u64, T)> + '_ {
        let kept = self.points.last().map(|(n, _)| *n);
        let last = self.last.filter(|(n, _)| Some(*n) != kept);
        self.points.iter().copied().chain(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_thinned_out_and_keeps_its_ends() {
        for n in [0u64, 1, 5, 1999, 2000, 2001, 100_003] {
            let mut curve = Curve::default();
            (1..=n).for_each(|i| curve.push(i as f64));
            let points: Vec<_> = curve.points().collect();
            assert!(points.len() <= POINTS + 1 && points.len() as u64 >= n.min(900));
            assert!(
                points.iter().all(|&(i, value)| value.to_bits() == (i as f64).to_bits())
                    && points.is_sorted_by(|a, b| a.0 < b.0)
            );
            assert_eq!(points.last().map(|p| p.0), (n > 0).then_some(n));
        }
    }
}
