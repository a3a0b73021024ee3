//! Systems of linear equations.

/// The solution of `a x = b`, where `a` is symmetric and positive definite: elimination needs no pivots.
pub fn solve<const N: usize>(mut a: [[f64; N]; N], mut b: [f64; N]) -> [f64; N] {
    for i in 0..N {
        for j in i + 1..N {
            let (factor, pivot) = (a[j][i] / a[i][i], a[i]);
            for (below, above) in a[j].iter_mut().zip(pivot).skip(i) {
                *below -= factor * above;
            }
            b[j] -= factor * b[i];
        }
    }
    let mut x = [0.0; N];
    for i in (0..N).rev() {
        let rest: f64 = (i + 1..N).map(|k| a[i][k] * x[k]).sum();
        x[i] = (b[i] - rest) / a[i][i];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_solves() {
        let (a, x) = ([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 2.0]], [1.0, -2.0, 3.0]);
        let b = a.map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum());
        assert!(solve(a, b).iter().zip(x).all(|(found, x)| (found - x).abs() < 1e-12));
        assert!((solve([[2.0]], [3.0])[0] - 1.5).abs() < 1e-12);
    }
}
