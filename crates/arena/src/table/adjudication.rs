//! Adjudication: a game that both players agree on may end before the rules end it.
//!
//! It is off unless a run asks for it. The values are those that the players report with their moves, so one player alone
//! decides nothing, and a player that reports no value is never adjudicated. The ending says `adjudicated`, and the tag
//! `Adjudication` says by which rule. The words are those of cutechess-cli and fastchess; the scale of values is ours.

use std::fmt;

use anglerfish_rules::{Outcome, Points, Team};
use serde::{Deserialize, Serialize};

/// When games end early. Without a rule, they are played to their end.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// When a game is a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// When a game is won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
}

/// A draw: all players see themselves near 0 for some moves each.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// The number of moves of each player before it applies, those of the opening included.
    #[serde(default)]
    pub movenumber: u32,
    /// For how many moves of each player in a row.
    pub movecount: u32,
    /// How far from 0, in hundredths of a game.
    pub score: u32,
}

/// A win: all players agree for some moves each on the team that is ahead.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// For how many moves of each player in a row.
    pub movecount: u32,
    /// How far ahead, in hundredths of a game.
    pub score: u32,
}

/// A rule that would end a game at once, or a score beyond a whole game.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct AdjudicationError(String);

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DrawRule { movenumber, movecount, score } = self;
        write!(f, "draw movenumber={movenumber} movecount={movecount} score={score}")
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ResignRule { movecount, score } = self;
        write!(f, "resign movecount={movecount} score={score}")
    }
}

impl Adjudication {
    /// Checks the numbers.
    ///
    /// # Errors
    /// When a rule would end a game at once, or its score is beyond a whole game; the text says so.
    pub fn check(&self) -> Result<(), AdjudicationError> {
        let draw = self.draw.map(|rule| ("draw", rule.movecount, rule.score, 0..=99));
        let resign = self.resign.map(|rule| ("resign", rule.movecount, rule.score, 1..=100));
        for (name, movecount, score, range) in draw.into_iter().chain(resign) {
            if movecount == 0 {
                return Err(AdjudicationError(format!("{name}: expected movecount= of at least 1, found 0")));
            }
            if !range.contains(&score) {
                return Err(AdjudicationError(format!(
                    "{name}: expected score={} to {}, in hundredths of a game (100 is a won game), found {score}",
                    range.start(),
                    range.end()
                )));
            }
        }
        Ok(())
    }
}

/// Listens to the values of one game.
pub(super) struct Watch {
    rules: Adjudication,
    seats: u32,
    /// Plies in a row whose value was near 0.
    level: u32,
    /// The team that is ahead by the last values, and for how many plies in a row.
    ahead: Option<(Team, u32)>,
}

impl Watch {
    pub(super) fn new(rules: Adjudication, seats: u8) -> Watch {
        Watch { rules, seats: u32::from(seats), level: 0, ahead: None }
    }

    /// Hears the value of a mover of `team`; `plies` are those of the game so far. Returns the result and the rule when a rule
    /// ends the game.
    pub(super) fn hear(
        &mut self,
        team: Team,
        value: Option<Points>,
        plies: usize,
    ) -> Option<(Outcome, String)> {
        let Some(value) = value.map(|value| i32::from(value.ten_thousandths())) else {
            (self.level, self.ahead) = (0, None);
            return None;
        };
        let beyond = |score: u32| value.unsigned_abs() >= score * 100;
        if let Some(rule) = self.rules.resign {
            let leader = if value > 0 { team } else { team.other() };
            let before = self.ahead.filter(|(team, _)| *team == leader).map_or(0, |(_, n)| n);
            self.ahead = beyond(rule.score).then_some((leader, before + 1));
            if before + 1 >= rule.movecount.saturating_mul(self.seats) && self.ahead.is_some() {
                return Some((Outcome::Win(leader), rule.to_string()));
            }
        }
        let rule = self.rules.draw?;
        self.level = if value.unsigned_abs() <= rule.score * 100 { self.level + 1 } else { 0 };
        let late = plies as u64 >= u64::from(rule.movenumber) * u64::from(self.seats);
        let ends = late && self.level >= rule.movecount.saturating_mul(self.seats);
        ends.then(|| (Outcome::Draw, rule.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the movers in turn, in hundredths from the mover's view; the result and the ply after which it came.
    fn heard(rules: Adjudication, values: &[Option<i16>]) -> Option<(usize, Outcome)> {
        let mut watch = Watch::new(rules, 2);
        values.iter().zip([Team::A, Team::B].iter().cycle()).zip(1..).find_map(|((value, team), plies)| {
            let value = value.and_then(|value| Points::new(value * 100));
            watch.hear(*team, value, plies).map(|(outcome, _)| (plies, outcome))
        })
    }

    #[test]
    fn both_players_have_to_agree() {
        let resign = Some(ResignRule { movecount: 2, score: 60 });
        let rules = Adjudication { resign, draw: None };
        let agreed = [Some(60), Some(-70), Some(61), Some(-100)];
        assert_eq!(heard(rules, &agreed), Some((4, Outcome::Win(Team::A))));
        assert_eq!(heard(rules, &agreed.map(|value| value.map(|v| -v))), Some((4, Outcome::Win(Team::B))));
        let both_ahead = [Some(90), Some(90), Some(90), Some(90), Some(90), Some(90)];
        assert_eq!(heard(rules, &both_ahead), None, "each sees itself ahead");
        assert_eq!(
            heard(rules, &[Some(90), Some(-59), Some(90), Some(-90), Some(90)]),
            None,
            "one hesitates"
        );
        assert_eq!(heard(rules, &[Some(90), None, Some(90), None, Some(90), None]), None, "one is silent");
    }

    #[test]
    fn a_draw_needs_its_move_number_and_all_its_moves() {
        let draw = |movenumber| Adjudication {
            draw: Some(DrawRule { movenumber, movecount: 2, score: 5 }),
            resign: None,
        };
        let level = [Some(5), Some(-5), Some(0), Some(3), Some(-1), Some(0)];
        assert_eq!(heard(draw(0), &level), Some((4, Outcome::Draw)));
        assert_eq!(heard(draw(3), &level), Some((6, Outcome::Draw)));
        assert_eq!(heard(draw(0), &[Some(5), Some(-5), Some(6), Some(3), Some(-1), Some(0)]), None);
    }

    #[test]
    fn numbers_without_sense_are_refused() {
        let wrong = |movecount, score| {
            let resign = Some(ResignRule { movecount, score });
            Adjudication { resign, draw: None }.check().expect_err("wrong")
        };
        assert!(wrong(3, 600).to_string().contains("100 is a won game"), "{}", wrong(3, 600));
        assert!(wrong(0, 60).to_string().contains("movecount= of at least 1"));
    }
}
