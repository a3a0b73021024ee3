//! Numbers as people read them: hundredths of a game with their sign, and an account whose hundredths add up.

use anglerfish_engine::luck::Millionths;

use super::Review;
use crate::text::fitted;
use crate::{Lang, say};

/// Millionths in a hundredth of a game.
const HUNDREDTH: Millionths = 10_000;

/// `+0.42`, `-1.00`, `0.00`: to the nearest hundredth, and the same for both sides but for the sign.
pub fn signed(value: Millionths) -> String {
    hundredths(value.signum() * nearest(value.abs()))
}

/// `0.42`: what something cost.
pub(super) fn cost(value: Millionths) -> String {
    signed(value).trim_start_matches('+').to_owned()
}

fn nearest(value: Millionths) -> i64 {
    (value + HUNDREDTH / 2).div_euclid(HUNDREDTH)
}

fn hundredths(n: i64) -> String {
    let sign = match n.signum() {
        1 => "+",
        -1 => "-",
        _ => "",
    };
    format!("{sign}{}.{:02}", n.abs() / 100, n.abs() % 100)
}

/// Hundredths that are less than one off each part and add up to the nearest hundredth of their sum: those with the largest
/// remainders are rounded up.
fn rounded(parts: &[Millionths]) -> Vec<i64> {
    let mut rounded: Vec<i64> = parts.iter().map(|part| part.div_euclid(HUNDREDTH)).collect();
    let sum: Millionths = parts.iter().sum();
    let missing = sum.signum() * nearest(sum.abs()) - rounded.iter().sum::<i64>();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(parts[i].rem_euclid(HUNDREDTH)));
    for &i in order.iter().take(missing.max(0) as usize) {
        rounded[i] += 1;
    }
    rounded
}

/// A line of the account.
pub(super) struct Item {
    /// The end of its key.
    pub(super) key: &'static str,
    pub(super) name: String,
    /// In hundredths, with its sign.
    pub(super) value: String,
    /// What it is.
    pub(super) what: String,
}

impl Review {
    /// The account in hundredths: the last line is the sum of those before it.
    pub(super) fn items(&self) -> Vec<Item> {
        let [own, other] = self.sides().map(|name| fitted(name, 30));
        let sums = self.sums;
        let lang = self.lang;
        let mut lines = vec![
            ("start", sums.start, lang.text("item.start.what").to_owned()),
            ("luck", sums.luck, lang.text("item.luck.what").to_owned()),
            ("own", -sums.own, say!(lang, "item.own.what", name = own)),
            ("others", sums.others, say!(lang, "item.others.what", name = other)),
            ("corrections", sums.corrections, lang.text("item.corrections.what").to_owned()),
        ];
        if sums.forfeit != 0 {
            lines.push(("forfeit", sums.forfeit, lang.text("item.forfeit.what").to_owned()));
        }
        let values: Vec<Millionths> = lines.iter().map(|(_, value, _)| *value).collect();
        let values = rounded(&values);
        let result = values.iter().sum();
        let items = lines.into_iter().zip(values);
        let mut items: Vec<Item> =
            items.map(|((key, _, what), value)| item(lang, key, value, what)).collect();
        let what = match self.result {
            Some(_) => self.outcome(),
            None => lang.text("item.result.open"),
        };
        items.push(item(lang, "result", result, what.to_owned()));
        items
    }
}

fn item(lang: Lang, key: &'static str, value: i64, what: String) -> Item {
    Item { key, name: lang.say(&format!("item.{key}"), &[]), value: hundredths(value), what }
}

#[cfg(test)]
mod tests {
    use anglerfish_engine::luck::GAME;
    use anglerfish_rules::{Rng, RngExt};

    use super::*;

    #[test]
    fn what_is_shown_adds_up() {
        let mut rng = Rng::new(3);
        for _ in 0..2000 {
            let mut parts: Vec<Millionths> = (0..5).map(|_| i64::from(rng.below(2_000_001)) - GAME).collect();
            parts[rng.below(5) as usize] = 0;
            if rng.below(2) == 0 {
                parts.push([-GAME, 0, GAME][rng.below(3) as usize] - parts.iter().sum::<i64>());
            }
            let shown = rounded(&parts);
            let sum: i64 = parts.iter().sum();
            assert_eq!(hundredths(shown.iter().sum()), signed(sum));
            for (part, shown) in parts.iter().zip(&shown) {
                assert!((part - shown * HUNDREDTH).abs() < HUNDREDTH, "{parts:?} {shown}");
            }
        }
    }

    #[test]
    fn numbers_have_signs() {
        for (value, text) in [
            (0, "0.00"),
            (4999, "0.00"),
            (-4999, "0.00"),
            (5000, "+0.01"),
            (-5000, "-0.01"),
            (423_000, "+0.42"),
            (-1_000_000, "-1.00"),
            (12_345_678, "+12.35"),
        ] {
            assert_eq!(signed(value), text);
        }
    }
}
