//! Functions whose bits differ between platforms, made of plain arithmetic that does not.

/// The natural logarithm of a count, to ten digits; 0 for 0.
///
/// Multiplication, division and addition round in the same way everywhere; the library's `ln` does not have to.
pub fn ln(n: u64) -> f64 {
    if n == 0 {
        return 0.0;
    }
    // n = m * 2^e with m between 3/4 and 3/2, and ln m = 2 artanh((m - 1) / (m + 1)), whose series converges fast.
    let e = n.ilog2();
    let m = n as f64 / (1u64 << e) as f64;
    let (m, e) = if m > 1.5 { (m / 2.0, e + 1) } else { (m, e) };
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let (mut power, mut sum) = (s, 0.0);
    for odd in [1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0] {
        sum += power / odd;
        power *= square;
    }
    f64::from(e) * std::f64::consts::LN_2 + 2.0 * sum
}

/// e to the power of `x`, to fourteen digits; what is beyond e^±700 is taken as that.
pub fn exp(x: f64) -> f64 {
    // x = k ln 2 + r with r within ln 2 / 2 of 0, and ln 2 in two parts, of which k times the first is exact.
    const LN_2_PARTS: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];
    let x = x.clamp(-700.0, 700.0);
    let k = (x / std::f64::consts::LN_2).round();
    let r = (x - k * LN_2_PARTS[0]) - k * LN_2_PARTS[1];
    let mut sum = 1.0;
    for n in (1..=14).rev() {
        sum = 1.0 + sum * r / f64::from(n);
    }
    // Two to the power of k, which is well within the range of exponents.
    sum * f64::from_bits(((k as i64 + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the library's is the yardstick")]
    fn it_is_the_logarithm() {
        for n in (1..5000).chain([1 << 20, (1 << 32) + 12_345, 1 << 50, u64::MAX]) {
            assert!((ln(n) - (n as f64).ln()).abs() < 1e-9, "{n}");
        }
        assert_eq!((ln(0), ln(1)), (0.0, 0.0));
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the library's is the yardstick")]
    fn it_is_the_exponential() {
        for n in -70_000..=70_000 {
            let x = f64::from(n) / 100.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-13, "{x}");
        }
        assert_eq!((exp(0.0), exp(-1e9), exp(1e9)), (1.0, exp(-700.0), exp(700.0)));
    }

    /// The same bits for ever: games depend on them.
    #[test]
    fn its_bits_are_frozen() {
        assert_eq!([2, 3, 1000, 123_456_789].map(|n| ln(n).to_bits()), FROZEN);
    }

    const FROZEN: [u64; 4] = [
        4_604_418_534_313_441_775,
        4_607_626_529_066_496_862,
        4_619_463_459_452_485_536,
        4_625_937_491_060_347_914,
    ];
}
