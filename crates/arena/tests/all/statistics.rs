//! The numbers of a match, compared with fastchess and with simulations.

#![expect(clippy::print_stderr, reason = "measured rates are worth reading, with --nocapture")]

use anglerfish_arena::stats::adjusted::Adjusted;
use anglerfish_arena::stats::elo::{
    Estimate, Pentanomial, elo, elo_of_score, los, normal_cdf, normalized_elo, score, score_of_elo,
    within_bounds,
};
use anglerfish_arena::stats::expected_score::{Class, Results, expected_score, expected_score_of};
use anglerfish_arena::stats::rating::{Crosstable, Zero, davidson, rate};
use anglerfish_arena::stats::sprt::{Model, Sprt, SprtError, Verdict};
use anglerfish_rules::Rng;

fn near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: expected {expected}, found {found}");
}

fn sprt(elo0: f64, elo1: f64, model: Model) -> Sprt {
    Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
}

/// Counts; then Elo, its error, nElo, its error and LOS as fastchess's code prints them (commit 74deac23).
const ELO_VECTORS: &[([u64; 5], [f64; 5])] = &[
    ([34, 54, 63, 64, 75], [55.579_78, 27.653_43, 57.935_6, 28.275_376, 0.999_970_393]),
    ([332, 433, 498, 333, 334], [-8.642_667, 10.334_194, -9.172_914, 10.960_459, 0.050_470_067]),
    ([7895, 8757, 5685, 568, 9999], [-21.043_521, 2.945_281, -19.012_834, 2.654_502, 0.0]),
    ([365, 16618, 36229, 16974, 390], [0.999_343, 0.923_077, 1.962_271, 1.812_504, 0.983_077_598]),
    ([127, 4883, 10712, 5150, 104], [1.830_282, 1.698_967, 3.581_711, 3.324_651, 0.982_635_636]),
    ([223, 9863, 21279, 10037, 246], [0.917_643, 1.206_37, 1.794_764, 2.359_447, 0.932_004_637]),
    ([871, 26175, 55983, 26678, 821], [0.633_399, 0.752_171, 1.219_646, 1.448_342, 0.950_577_795]),
    ([3, 20, 51, 28, 6], [22.550_587, 28.767_168, 36.507_214, 46.333_543, 0.938_741_989]),
    ([0, 4, 90, 6, 0], [3.474_472, 10.749_892, 15.568_961, 48.151_231, 0.736_869_602]),
    ([0, 0, 10, 11, 3], [128.620_665, 54.301_561, 257.531_494, 98.288_288, 0.999_999_859]),
    ([40, 10, 5, 2, 1], [-331.292_046, 97.026_738, -398.428_222, 63.225_663, 0.0]),
    ([12, 0, 0, 0, 20], [88.739_5, 131.406_1, 63.432_769, 85.120_154, 0.927_936_483]),
];

#[test]
fn elo_agrees_with_fastchess() {
    for &(counts, [value, error, nvalue, nerror, superiority]) in ELO_VECTORS {
        let results = Pentanomial(counts);
        let what = format!("{counts:?}");
        near(elo(&results).value, value, 2e-6, &what);
        // Our interval is Wilson's, with Student's t: near that of fastchess where pairs are many.
        if results.pairs() >= 100 {
            near(elo(&results).error(), error, 0.02 * error, &what);
        }
        near(normalized_elo(&results).value, nvalue, 2e-6, &what);
        near(normalized_elo(&results).error(), nerror, 2e-6, &what);
        near(los(&results), superiority, 2e-9, &what);
        let back = elo(&results.reversed());
        near(back.low, -elo(&results).high, 1e-9, &what);
        near(los(&results.reversed()), 1.0 - superiority, 2e-9, &what);
    }
}

/// The numbers in fastchess's own unit tests, which it states to within one percent.
#[test]
fn llr_agrees_with_fastchess_tests() {
    for (counts, elo0, elo1, model, llr) in [
        ([365, 16618, 36229, 16974, 390], 0.0, 2.0, Model::Normalized, 2.25),
        ([127, 4883, 10712, 5150, 104], -1.75, 0.25, Model::Normalized, 3.01),
        ([0, 0, 0, 0, 5550], 0.0, 5.0, Model::Normalized, 111.82),
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, Model::Logistic, -3.07),
        ([871, 26175, 55983, 26678, 821], 0.0, 2.0, Model::Logistic, -4.98),
    ] {
        let found = sprt(elo0, elo1, model).llr(&Pentanomial(counts));
        near(found, llr, 0.01 * f64::abs(llr), &format!("{counts:?}"));
    }
}

/// We solve for the fitted distributions to more digits than fastchess, whose θ is good to 1e-3 only in the logistic
/// model; with that set to 1e-7 it prints what we compute, to within its six decimals (tried once, 2026).
#[test]
fn llr_agrees_with_fastchess() {
    let bounds = [[0.0, 2.0], [-1.75, 0.25], [0.5, 2.5], [0.0, 5.0], [0.0, 20.0], [-10.0, 0.0]];
    let vectors = include_str!("../vectors/fastchess-llr.txt");
    let mut furthest = [0f64; 2];
    for line in vectors.lines().filter(|line| !line.starts_with('#')) {
        let (counts, llrs) = line.split_once(" : ").expect("counts : ratios");
        let counts: Vec<u64> = counts.split(' ').map(|word| word.parse().expect("a count")).collect();
        let results = Pentanomial(counts.try_into().expect("five counts"));
        let llrs: Vec<f64> = llrs.split(' ').map(|word| word.parse().expect("a ratio")).collect();
        assert_eq!(llrs.len(), 2 * bounds.len());
        for ([elo0, elo1], expected) in bounds.into_iter().zip(llrs.chunks(2)) {
            for (k, model) in [Model::Logistic, Model::Normalized].into_iter().enumerate() {
                let found = sprt(elo0, elo1, model).llr(&results);
                let scale = 1.0 + expected[k].abs();
                furthest[k] = furthest[k].max((found - expected[k]).abs() / scale);
                let tolerance = if model == Model::Logistic { 1e-3 } else { 2e-6 };
                near(found, expected[k], tolerance * scale, &format!("{model:?} {line} [{elo0}, {elo1}]"));
            }
        }
    }
    eprintln!("furthest from fastchess, relative to 1 + LLR: {furthest:?}");
}

#[test]
fn no_count_makes_nan() {
    let mut odd = vec![Pentanomial::default()];
    for k in 0..5 {
        for n in [1, 2, 1000] {
            let mut counts = [0; 5];
            counts[k] = n;
            odd.push(Pentanomial(counts));
            counts[4 - k] += 1;
            odd.push(Pentanomial(counts));
        }
    }
    for results in odd {
        for estimate in [elo(&results), normalized_elo(&results)] {
            let ordered = estimate.low <= estimate.value && estimate.value <= estimate.high;
            assert!(ordered, "{results:?}: {estimate:?}");
        }
        assert!((0.0..=1.0).contains(&los(&results)), "{results:?}");
        assert!(!results.pairs_ratio().is_nan() && !results.draw_ratio().is_nan());
        for model in [Model::Logistic, Model::Normalized] {
            assert!(sprt(0.0, 10.0, model).llr(&results).is_finite(), "{results:?}");
        }
    }
    let none = elo(&Pentanomial::default());
    assert_eq!((none.value, none.low, none.high), (0.0, f64::NEG_INFINITY, f64::INFINITY));
    let won = elo(&Pentanomial([0, 0, 0, 0, 1000]));
    assert_eq!((won.value, won.high), (f64::INFINITY, f64::INFINITY));
    near(won.low, 966.20, 0.01, "a thousand pairs won: n to z²");
    assert!(elo(&Pentanomial([0, 0, 0, 0, 1])).low < 0.0, "one pair says little");
}

#[test]
fn conversions() {
    for points in [-800.0, -3.0, 0.0, 12.5, 400.0] {
        near(elo_of_score(score_of_elo(points)), points, 1e-9, "Elo and back");
    }
    near(score_of_elo(400.0), 10.0 / 11.0, 1e-15, "400 Elo are ten to one");
    // Abramowitz and Stegun, table 26.1 and 26.2.
    for (x, p) in [
        (0.0, 0.5),
        (1.0, 0.841_344_746_068_543),
        (1.959_963_984_540_054, 0.975),
        (3.0, 0.998_650_101_968_370),
        (-3.0, 0.001_349_898_031_630),
        (-5.0, 2.866_515_718_791_9e-7),
        (5.0, 0.999_999_713_348_428),
    ] {
        near(normal_cdf(x), p, 1e-14, &format!("Phi({x})"));
    }
    let mut results = Pentanomial::default();
    for halves in [0, 1, 2, 3, 4, 4] {
        results.add(halves);
    }
    assert_eq!((results.pairs(), results.games()), (6, 12));
    near(results.score(), 14.0 / 24.0, 1e-15, "score");
    near(results.pairs_ratio(), 1.5, 1e-15, "pairs ratio");
}

/// Games of a pair: win and draw probabilities of the first-named player in each of the two.
#[derive(Clone, Copy)]
struct Pairs([[f64; 2]; 2]);

impl Pairs {
    /// `bias` is what one side of the deal is worth: one game's expected score is above `score` by it, one's below.
    fn new(score: f64, draw: f64, bias: f64) -> Pairs {
        Pairs([score + bias, score - bias].map(|s| [s - draw / 2.0, draw]))
    }

    fn with_nelo(nelo: f64, draw: f64, bias: f64) -> Pairs {
        let (mut low, mut high) = (0.3, 0.7);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if Pairs::new(middle, draw, bias).nelo() < nelo { low = middle } else { high = middle }
        }
        Pairs::new(low, draw, bias)
    }

    fn nelo(self) -> f64 {
        let [(mean0, var0), (mean1, var1)] = self.0.map(|[win, draw]| {
            let mean = win + draw / 2.0;
            (mean, win + draw / 4.0 - mean * mean)
        });
        // Mean and variance of a game, were the two of a pair alike: the pair's lead over half its variance.
        let sigma = f64::midpoint(var0, var1).sqrt();
        (f64::midpoint(mean0, mean1) - 0.5) / sigma * 800.0 / std::f64::consts::LN_10
    }

    fn play(self, rng: &mut Rng) -> u8 {
        self.0.iter().map(|game| halves(game, rng)).sum()
    }
}

fn halves([win, draw]: &[f64; 2], rng: &mut Rng) -> u8 {
    let x = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    if x < *win { 2 } else { u8::from(x < win + draw) }
}

/// Plays `runs` tests out and returns how many accept H1, and the mean number of pairs.
fn accepted(test: &Sprt, pairs: Pairs, runs: u32, label: &str) -> (u32, f64) {
    let mut rng = Rng::stream(2026, label);
    let (mut accepted, mut played) = (0, 0);
    for _ in 0..runs {
        let mut results = Pentanomial::default();
        loop {
            for _ in 0..4 {
                results.add(pairs.play(&mut rng));
            }
            match test.verdict(&results) {
                Verdict::Continue => {}
                Verdict::AcceptH0 => break,
                Verdict::AcceptH1 => {
                    accepted += 1;
                    break;
                }
            }
        }
        played += results.pairs();
    }
    (accepted, played as f64 / f64::from(runs))
}

/// The expected count in `runs` at this rate, give or take some standard deviations.
fn around(rate: f64, runs: u32, deviations: f64) -> f64 {
    let runs = f64::from(runs);
    rate * runs + deviations * (rate * (1.0 - rate) * runs).sqrt()
}

/// Tests that are played out so often err in some 3 to 5 % of them: fewer errors would cost games.
fn error_rates(model: Model, at0: Pairs, at1: Pairs, test: &Sprt, runs: u32) {
    let (wrong0, length0) = accepted(test, at0, runs, "H0");
    let (right1, length1) = accepted(test, at1, runs, "H1");
    let wrong = [wrong0, runs - right1];
    eprintln!("{model:?}: {wrong:?} wrong of {runs} in {length0:.0} and {length1:.0} pairs");
    // For 10,000 that is 249 to 565.
    let usual = around(0.03, runs, -3.0)..=around(0.05, runs, 3.0);
    assert!(wrong.iter().all(|wrong| usual.contains(&f64::from(*wrong))), "{model:?}: {wrong:?} of {runs}");
}

fn logistic_error_rates(runs: u32) {
    let at = |points| Pairs::new(score_of_elo(points), 0.4, 0.05);
    error_rates(Model::Logistic, at(0.0), at(20.0), &sprt(0.0, 20.0, Model::Logistic), runs);
}

fn normalized_error_rates(runs: u32) {
    let at = |points| Pairs::with_nelo(points, 0.4, 0.05);
    error_rates(Model::Normalized, at(0.0), at(30.0), &sprt(0.0, 30.0, Model::Normalized), runs);
}

#[test]
fn logistic_sprt_keeps_its_error_rates() {
    logistic_error_rates(500);
}

#[test]
#[ignore = "full: 20,000 tests are played out"]
fn logistic_sprt_keeps_its_error_rates_in_many_tests() {
    logistic_error_rates(10_000);
}

#[test]
fn normalized_sprt_keeps_its_error_rates() {
    normalized_error_rates(500);
}

#[test]
#[ignore = "full: 20,000 tests are played out"]
fn normalized_sprt_keeps_its_error_rates_in_many_tests() {
    normalized_error_rates(10_000);
}

/// A pair of which luck decides a good part: what a player with this lead gets, and its luck by stage as a judge sees it.
fn lucky(lead: f64, rng: &mut Rng) -> (f64, [f64; 4]) {
    let (mut points, mut all) = (0.0, [0.0; 4]);
    for _ in 0..2 {
        let mut noise =
            || (0..12).map(|_| (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64).sum::<f64>() - 6.0;
        let luck = [0.15, 0.17, 0.15, 0.1].map(|sd| sd * noise());
        // Early luck decides less than the judge believes.
        let weighed: f64 = luck.iter().zip([0.6, 0.9, 1.0, 1.0]).map(|(luck, weight)| luck * weight).sum();
        let balance = lead + weighed + 0.3 * noise();
        points += if balance.abs() < 0.12 { 0.25 } else { f64::from(u8::from(balance > 0.0)) / 2.0 };
        all.iter_mut().zip(luck).for_each(|(all, luck)| *all += luck / 2.0);
    }
    (points, all)
}

/// The test on adjusted pairs errs as seldom as that on results, and takes fewer pairs.
fn error_rates_without_luck(runs: u32) {
    // The value of a small lead, from many pairs.
    let (lead, many, mut rng) = (0.04, 400_000, Rng::stream(2026, "score"));
    let score = (0..many).map(|_| lucky(lead, &mut rng).0).sum::<f64>() / f64::from(many);
    let test = sprt(0.0, elo_of_score(score), Model::Logistic);
    for (lead, right) in [(0.0, Verdict::AcceptH0), (lead, Verdict::AcceptH1)] {
        let mut rng = Rng::stream(2026, "luck");
        let (mut wrong, mut played, mut raw_played) = (0, 0, 0);
        for _ in 0..runs {
            let (mut adjusted, mut results, mut raw) = (Adjusted::default(), Pentanomial::default(), None);
            let verdict = loop {
                for _ in 0..4 {
                    let (score, luck) = lucky(lead, &mut rng);
                    adjusted.add(score, luck);
                    results.add((4.0 * score).round() as u8);
                }
                if raw.is_none() && test.verdict(&results) != Verdict::Continue {
                    raw = Some(results.pairs());
                }
                match test.decide(adjusted.known().map_or(0.0, |known| test.adjusted_llr(&known, &results))) {
                    Verdict::Continue => {}
                    verdict => break verdict,
                }
            };
            wrong += u32::from(verdict != right);
            played += adjusted.pairs();
            while raw.is_none() {
                results.add((4.0 * lucky(lead, &mut rng).0).round() as u8);
                raw = Some(results.pairs()).filter(|_| test.verdict(&results) != Verdict::Continue);
            }
            raw_played += raw.unwrap_or_default();
        }
        let saved = raw_played as f64 / played as f64;
        eprintln!(
            "{right:?}, [0, {:.1}]: {wrong} wrong of {runs}, {} pairs on average, {saved:.2} times as many with luck",
            test.elo1,
            played / u64::from(runs)
        );
        assert!(f64::from(wrong) <= around(0.05, runs, 3.0), "{wrong} wrong of {runs}");
        assert!(saved > 1.25, "{saved}");
    }
}

#[test]
fn the_test_without_luck_keeps_its_error_rates() {
    error_rates_without_luck(100);
}

#[test]
#[ignore = "full: 2,000 tests are played out"]
fn the_test_without_luck_keeps_its_error_rates_in_many_tests() {
    error_rates_without_luck(1000);
}

#[test]
fn sprt_bounds_and_nonsense() {
    let test = sprt(0.0, 5.0, Model::Logistic);
    let (lower, upper) = test.bounds();
    near(lower, -2.944_438_979_166_44, 1e-12, "ln(1/19)");
    near(upper, 2.944_438_979_166_44, 1e-12, "ln 19");
    assert_eq!(test.check(), Ok(()));
    assert_eq!(sprt(5.0, 5.0, Model::Logistic).check(), Err(SprtError::Hypotheses(5.0, 5.0)));
    assert_eq!(sprt(0.0, 201.0, Model::Normalized).check(), Err(SprtError::TooFar(0.0, 201.0)));
    assert_eq!(sprt(0.0, 201.0, Model::Logistic).check(), Ok(()));
    assert_eq!(Sprt { alpha: 0.0, ..test }.check(), Err(SprtError::Rates(0.0, 0.05)));
    assert_eq!(test.verdict(&Pentanomial::default()), Verdict::Continue);
}

#[test]
fn elo_intervals_cover() {
    let mut rng = Rng::stream(7, "coverage");
    for (points, draw, n) in [(0.0, 0.4, 200), (35.0, 0.3, 200), (-120.0, 0.2, 300)] {
        let pairs = Pairs::new(score_of_elo(points), draw, 0.08);
        let (mut covered, mut ncovered, runs) = (0, 0, 5000);
        for _ in 0..runs {
            let mut results = Pentanomial::default();
            for _ in 0..n {
                results.add(pairs.play(&mut rng));
            }
            covered += u32::from(elo(&results).covers(points));
            ncovered += u32::from(normalized_elo(&results).covers(pairs.nelo()));
        }
        let share = |count: u32| f64::from(count) / f64::from(runs);
        eprintln!("{points} Elo: {:.4} covered, {:.4} normalised", share(covered), share(ncovered));
        assert!((0.93..=0.97).contains(&share(covered)), "{points} Elo: {}", share(covered));
        // Far from equality the normalised interval is known to be too narrow: it takes the variance as known.
        let least = if points.abs() < 50.0 { 0.93 } else { 0.89 };
        assert!((least..=0.97).contains(&share(ncovered)), "{points} Elo: nElo {}", share(ncovered));
    }
}

/// The interval of a score never passes 0 and 1, and holds the score. With few pairs it holds the truth in 96 to 99 of 100 matches;
/// near the ends, where a few pairs may show too little variance, in 90.
#[test]
fn scores_stay_within_their_bounds() {
    for n in 0..6u64.pow(5) {
        let counts = [0, 1, 2, 3, 4].map(|i| n / 6u64.pow(i) % 6);
        let Estimate { value, low, high } = score(&Pentanomial(counts));
        assert!(0.0 <= low && low <= value && value <= high && high <= 1.0, "{counts:?}");
        assert!(counts.iter().sum::<u64>() == 0 || high - low < 0.95, "{counts:?}");
    }
    let near_the_end = score(&Pentanomial([0, 0, 0, 2, 48]));
    assert!(near_the_end.high < 1.0 && near_the_end.low > 0.92, "{near_the_end:?}");
    assert!(within_bounds(0.99, 0.0422, 20.0).high <= 1.0, "it was printed as 99.00 ± 4.22 %");
    let mut rng = Rng::stream(8, "few pairs");
    for (points, n) in [(0.0, 5), (100.0, 5), (300.0, 10), (0.0, 20), (400.0, 20)] {
        let pairs = Pairs::new(score_of_elo(points), 0.2, 0.08);
        let (mut covered, runs) = (0, 4000);
        for _ in 0..runs {
            let mut results = Pentanomial::default();
            (0..n).for_each(|_| results.add(pairs.play(&mut rng)));
            covered += u32::from(score(&results).covers(score_of_elo(points)));
        }
        let share = f64::from(covered) / f64::from(runs);
        eprintln!("{n} pairs at {points} Elo: {share:.4} covered");
        assert!(share >= 0.89, "{n} pairs at {points} Elo: {share}");
    }
}

fn simulate(strengths: &[f64], draw: f64, games: u32, rng: &mut Rng) -> Crosstable {
    let mut table = Crosstable::new(strengths.len());
    for i in 0..strengths.len() {
        for j in i + 1..strengths.len() {
            let [win, draw, _] = davidson(strengths[i] - strengths[j], draw);
            let mut tally = Results::default();
            for _ in 0..games {
                match halves(&[win, draw], rng) {
                    2 => tally.wins += 1,
                    1 => tally.draws += 1,
                    _ => tally.losses += 1,
                }
            }
            table.add(i, j, tally);
        }
    }
    table
}

#[test]
fn ratings_are_recovered_and_covered() {
    let strengths = [-260.0, -140.0, -60.0, -10.0, 30.0, 90.0, 140.0, 210.0];
    let mut rng = Rng::stream(11, "ratings");
    let runs = 500;
    let (mut covered, mut anchored, mut superior) = (0, 0, 0.0);
    let mut sums = [0.0; 8];
    for _ in 0..runs {
        let table = simulate(&strengths, 0.35, 40, &mut rng);
        let list = rate(&table, Zero::Mean);
        near(list.ratings.iter().map(|r| r.value).sum(), 0.0, 1e-6, "mean 0");
        for ((rating, truth), sum) in list.ratings.iter().zip(strengths).zip(&mut sums) {
            covered += u32::from(rating.covers(truth));
            *sum += rating.value;
        }
        let fixed = rate(&table, Zero::Anchor(3, 1500.0));
        near(fixed.ratings[3].error(), 0.0, 1e-6, "an anchor has no error");
        for (rating, truth) in fixed.ratings.iter().zip(strengths) {
            anchored += u32::from(rating.covers(truth + 1510.0));
        }
        anchored -= u32::from(fixed.ratings[3].covers(1500.0));
        superior += list.los[4][3];
        near(list.los[4][3] + list.los[3][4], 1.0, 1e-9, "one of two is the stronger");
    }
    let share = f64::from(covered) / f64::from(8 * runs);
    let anchored = f64::from(anchored) / f64::from(7 * runs);
    eprintln!(
        "ratings: {share:.4} covered, {anchored:.4} anchored, mean LOS {:.3}",
        superior / f64::from(runs)
    );
    assert!((0.93..=0.97).contains(&share) && (0.93..=0.97).contains(&anchored), "{share} {anchored}");
    for (sum, truth) in sums.iter().zip(strengths) {
        near(sum / f64::from(runs), truth, 4.0, "mean of the estimates");
    }
}

#[test]
fn ratings_of_odd_tables() {
    // A player who won everything is first with a finite rating; one without games is in the middle and uncertain.
    let mut table = Crosstable::new(4);
    table.add(1, 0, Results { wins: 100, draws: 0, losses: 0 });
    table.add(2, 1, Results { wins: 100, draws: 0, losses: 0 });
    let list = rate(&table, Zero::Mean);
    let values: Vec<f64> = list.ratings.iter().map(|r| r.value).collect();
    assert!(
        values.iter().all(|v| v.is_finite()) && values[2] > values[1] && values[1] > values[0],
        "{values:?}"
    );
    assert!(list.ratings[3].error() > 1000.0, "{:?}", list.ratings[3]);
    assert!(list.los[2][0] > 0.99 && list.draw < 0.05, "{list:?}");
    let drawn = rate(&simulate(&[0.0, 0.0], 0.999_999, 50, &mut Rng::new(1)), Zero::Mean);
    assert!(drawn.ratings.iter().all(|r| r.value.abs() < 1e-6 && r.error().is_finite()), "{drawn:?}");
    assert!(rate(&Crosstable::new(0), Zero::Mean).ratings.is_empty());

    // Two players: the difference is the Elo of their match.
    let mut table = Crosstable::new(2);
    table.add(1, 0, Results { wins: 450, draws: 250, losses: 300 });
    assert_eq!(table.tally(0, 1), Results { wins: 300, draws: 250, losses: 450 });
    let list = rate(&table, Zero::Anchor(0, 0.0));
    near(list.ratings[1].value, elo_of_score(0.575), 0.5, "two players");
}

/// The paper's tables 5 and 6, and its equation (1).
#[test]
fn expected_scores() {
    let stronger = |wins, draws, losses| Results { wins, draws, losses };
    for (tally, score) in
        [(stronger(42, 21, 137), 105.0), (stronger(41, 37, 122), 119.0), (stronger(48, 62, 90), 158.0)]
    {
        near(expected_score(&[tally.class(200)]), score, 1e-9, "table 5");
    }
    let classes = [
        Class { opponents: 3, win: 0.25, draw: 0.25 },
        Class { opponents: 2, win: 0.5, draw: 0.25 },
        Class { opponents: 4, win: 0.75, draw: 0.125 },
    ];
    near(expected_score(&classes), 3.0 * 0.75 + 2.0 * 1.25 + 4.0 * 1.625, 1e-12, "equation (1)");
    let estimate = expected_score_of(&[(3, stronger(48, 62, 90)), (4, stronger(127, 49, 24))]);
    near(estimate.value, 3.0 * 0.79 + 4.0 * 1.515, 1e-12, "from counts");
    assert!(estimate.covers(8.0) && estimate.error() < 1.0, "{estimate:?}");
    let unknown = expected_score_of(&[(3, Results::default())]);
    assert_eq!((unknown.low, unknown.high), (0.0, 6.0));
}
