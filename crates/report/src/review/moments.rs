//! The plies of a game that are worth a look: mistakes, lucky and unlucky flips, and where it turned.

use std::cmp::Reverse;

use anglerfish_engine::luck::Millionths;
use serde::Serialize;

use super::{CLOSE, MISTAKE, Review, Step};

/// A side is ahead from this value on.
const AHEAD: Millionths = 100_000;

/// How many swings are told of where the lead never changed.
const SWINGS: usize = 3;

/// A ply that turned the game.
#[derive(Clone, Copy, Debug)]
pub struct Swing<'a> {
    /// The ply.
    pub step: &'a Step,
    /// What did it.
    pub why: Why,
}

/// What the most of a change was.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub enum Why {
    /// What came up.
    Luck,
    /// The choice of whose ply it was.
    Mistake,
    /// The judge saw more after it.
    Correction,
}

impl Why {
    /// The word for it.
    pub const fn text(self) -> &'static str {
        match self {
            Why::Luck => "luck",
            Why::Mistake => "mistake",
            Why::Correction => "correction",
        }
    }

    fn of(step: &Step, side: usize) -> Why {
        let change = step.after - step.before;
        let cost = if step.player == side { -step.mistake } else { step.mistake };
        let parts = [(Why::Correction, step.correction), (Why::Luck, step.luck), (Why::Mistake, cost)];
        let most = parts.into_iter().max_by_key(|(_, part)| part * change.signum());
        most.map_or(Why::Correction, |(why, _)| why)
    }
}

impl Review {
    /// The mistakes that cost [`MISTAKE`] or more, worst first.
    pub fn mistakes(&self) -> Vec<&Step> {
        let mut steps: Vec<&Step> = self.plies.iter().filter(|step| step.mistake >= MISTAKE).collect();
        steps.sort_by_key(|step| Reverse(step.mistake));
        steps
    }

    /// The flips that brought the side that looks more than could be expected, luckiest first; or with -1 less, unluckiest first.
    pub(super) fn flips(&self, sign: i64) -> Vec<&Step> {
        let mut steps: Vec<&Step> = self.plies.iter().filter(|step| sign * step.luck >= CLOSE).collect();
        steps.sort_by_key(|step| Reverse(sign * step.luck));
        steps
    }

    /// Where the lead went over from one side to the other, by the ply that did the most of it.
    pub fn turns(&self) -> Vec<Swing<'_>> {
        let ahead = |value: Millionths| if value.abs() < AHEAD { 0 } else { value.signum() };
        let (mut lead, mut since, mut turns) = (ahead(self.sums.start), 0, Vec::new());
        for (i, step) in self.plies.iter().enumerate() {
            let now = ahead(step.after);
            if now == 0 {
                continue;
            }
            if now == -lead {
                let most = self.plies[since..=i].iter().max_by_key(|step| now * (step.after - step.before));
                turns.extend(most);
            }
            (lead, since) = (now, i + 1);
        }
        self.largest(turns, usize::MAX)
    }

    /// The largest changes of the value.
    pub fn swings(&self) -> Vec<Swing<'_>> {
        let all = self.plies.iter().filter(|step| (step.after - step.before).abs() >= MISTAKE);
        self.largest(all.collect(), SWINGS)
    }

    /// The largest changes among some plies, in the order of plies.
    fn largest<'a>(&self, mut steps: Vec<&'a Step>, most: usize) -> Vec<Swing<'a>> {
        steps.sort_by_key(|step| Reverse((step.after - step.before).abs()));
        steps.truncate(most);
        steps.sort_by_key(|step| step.ply);
        steps.into_iter().map(|step| Swing { step, why: Why::of(step, self.side) }).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use anglerfish_engine::luck::{Entry, GAME, GameLuck};
    use anglerfish_rules::banqi::{Banqi, RuleSet};
    use anglerfish_rules::{Game, Ply, Record, Rng, Seat, Team};

    use super::*;

    /// A game whose plies do what is asked for, in hundredths as the first team sees them: luck, mistake and correction.
    fn game(plies: &[(i64, i64, i64)]) -> Review {
        let mut record = Record::new(Banqi::start(RuleSet::PLATFORM));
        let (mut game, mut rng) = (record.start.clone(), Rng::new(1));
        let (mut value, mut entries) = (0, Vec::new());
        for (n, parts) in plies.iter().enumerate() {
            let [luck, mistake, correction] = [parts.0, parts.1, parts.2].map(|part| part * GAME / 100);
            let seat = Seat(n as u8 % 2);
            let cost = if seat.team() == Team::A { -mistake } else { mistake };
            let (before, after) = (value, value + luck + cost + correction);
            entries.push(Entry {
                ply: n,
                seat,
                before,
                after,
                luck,
                mistake,
                stake: None,
                correction,
                line: Vec::new(),
                fan: Vec::new(),
            });
            let event = game.random_action(&mut rng).map(|action| game.resolve(action, &mut rng));
            let event = event.expect("it goes on");
            record.plies.push(Ply { seat, event, took: Duration::ZERO });
            game.apply(event);
            value = after;
        }
        let account = GameLuck { start: 0, entries, forfeit: 0, result: value };
        Review::new(&account, &record, "judge", Team::A)
    }

    fn found(swings: &[Swing<'_>]) -> Vec<(usize, Why)> {
        swings.iter().map(|swing| (swing.step.ply, swing.why)).collect()
    }

    #[test]
    fn the_lead_changes_by_what_did_the_most() {
        // Ahead by luck; nearer to even, which turns nothing; behind by a mistake, after a little bad luck; ahead again, because the
        // judge saw more; and further ahead.
        let review = game(&[(20, 0, 0), (-15, 0, 0), (-5, 30, 0), (0, 2, 3), (0, 0, 60), (30, 1, 0)]);
        assert_eq!(found(&review.turns()), [(3, Why::Mistake), (5, Why::Correction)]);
        assert_eq!(found(&review.swings()), [(3, Why::Mistake), (5, Why::Correction), (6, Why::Luck)]);
        assert_eq!(review.mistakes().iter().map(|step| step.ply).collect::<Vec<_>>(), [3]);
        assert_eq!(review.flips(1).iter().map(|step| step.ply).collect::<Vec<_>>(), [6, 1]);
        assert_eq!(review.flips(-1).iter().map(|step| step.ply).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn an_even_game_has_no_turns() {
        let review = game(&[(9, 0, 0), (-18, 0, 0), (18, 0, 0), (-9, 4, 0)]);
        assert!(review.turns().is_empty());
        assert_eq!(found(&review.swings()), [(1, Why::Luck), (2, Why::Luck), (3, Why::Luck)]);
        assert!(game(&[(0, 4, 4), (1, 0, -1)]).swings().is_empty());
    }
}
