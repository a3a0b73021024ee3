//! The game of Banqi taught from nothing, lesson by lesson, with boards that are played through (`lang/lessons.json`, shared by every front end).
//!
//! What a lesson says is in the files of texts under `lesson.KEY.title` and `lesson.KEY.text`. What may be played on its boards, what may not and
//! how games end there is asked of the rules, never written down, and a test holds every board to what its lesson needs it for.

use std::sync::LazyLock;

use anglerfish_rules::banqi::{Action, Banqi, Event};
use anglerfish_rules::{Game, NotationError};
use serde::Deserialize;

/// One thing to know.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// Its name, in keys of texts and on the command line.
    pub key: String,
    /// Boards that show it.
    pub diagrams: Vec<Diagram>,
}

/// A board, and what it shows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Diagram {
    position: String,
    #[serde(default)]
    legal: Vec<String>,
    #[serde(default)]
    refused: Vec<String>,
    #[serde(default)]
    plies: Vec<String>,
    /// How the game ends with the last of its plies, as in a record: `1-0 no-pieces`.
    #[serde(default)]
    pub ends: Option<String>,
}

static LESSONS: LazyLock<Vec<Lesson>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../lang/lessons.json")).expect("a test reads every lesson")
});

/// Every lesson, in the order in which one learns.
pub fn lessons() -> &'static [Lesson] {
    &LESSONS
}

impl Diagram {
    /// The game as it stands at first.
    ///
    /// # Panics
    /// Never: a test reads every lesson. So of the other questions here.
    pub fn start(&self) -> Banqi {
        read(&self.position)
    }

    /// What may be played there, as far as it is shown.
    pub fn legal(&self) -> Vec<Action> {
        self.legal.iter().map(|text| read(text)).collect()
    }

    /// What may not be played there, as far as it is shown.
    pub fn refused(&self) -> Vec<Action> {
        self.refused.iter().map(|text| read(text)).collect()
    }

    /// What is played there, each event with the game before it, and the game after the last.
    pub fn played(&self) -> (Vec<(Banqi, Event)>, Banqi) {
        let mut game = self.start();
        let mut played = Vec::new();
        for text in &self.plies {
            let event = read(text);
            played.push((game.clone(), event));
            game.apply(event);
        }
        (played, game)
    }
}

fn read<T: std::str::FromStr<Err = NotationError>>(text: &str) -> T {
    text.parse().unwrap_or_else(|e| panic!("a test reads every lesson: {e}"))
}

#[cfg(test)]
mod tests {
    use anglerfish_rules::Turn;
    use anglerfish_rules::banqi::{Role, RuleSet, WhyNot};

    use super::*;
    use crate::Lang;

    #[test]
    fn boards_show_what_lessons_say() {
        for lesson in lessons() {
            for diagram in &lesson.diagrams {
                let at = format!("{}: {}", lesson.key, diagram.position);
                let game = diagram.start();
                for action in diagram.legal() {
                    assert!(game.is_legal(action), "{at}: {action}");
                }
                for action in diagram.refused() {
                    assert!(game.refusal(action).is_some(), "{at}: {action}");
                }
                let (played, last) = diagram.played();
                for (before, event) in &played {
                    assert!(before.is_possible(*event), "{at}: {event}");
                }
                let ended = match last.turn() {
                    Turn::Over(outcome, reason) => Some(format!("{} {}", outcome.text(), reason.text())),
                    Turn::Seat(_) => None,
                };
                assert_eq!(ended, diagram.ends, "{at}");
            }
        }
    }

    /// Whatever the rules can refuse is refused on some board, every capture that ranks decide has its like, and every rule that presets
    /// disagree on ends, or does not end, a game both ways.
    #[test]
    fn no_rule_is_left_out() {
        let diagrams = || lessons().iter().flat_map(|lesson| &lesson.diagrams);
        let refusals: Vec<WhyNot> =
            diagrams().flat_map(|d| d.refused().into_iter().filter_map(|a| d.start().refusal(a))).collect();
        let refused = |name: &str| refusals.iter().any(|why| format!("{why:?}").starts_with(name));
        for name in [
            "FlipFirst",
            "FaceDown",
            "Theirs",
            "Unknown",
            "TooFar(",
            "TooFarToTake",
            "Own",
            "Jump",
            "KingTakesPawn",
            "Rank",
        ] {
            assert!(refused(name), "{name}");
        }
        let ranks = |piece: Role, victim: Role| {
            refusals
                .iter()
                .any(|why| matches!(why, WhyNot::Rank(p, v) if (p.role(), v.role()) == (piece, victim)))
        };
        assert!(ranks(Role::Pawn, Role::Cannon) && ranks(Role::Rook, Role::Minister));
        let ends: Vec<&str> = diagrams().filter_map(|d| d.ends.as_deref()).collect();
        for end in ["1-0 no-pieces", "1-0 no-move", "1/2-1/2 quiet", "1/2-1/2 repetition"] {
            assert!(ends.contains(&end), "{end}");
        }
        let shown =
            |rules: fn(&RuleSet) -> bool| diagrams().any(|d| d.ends.is_some() && rules(d.start().ruleset()));
        let platform = RuleSet::PLATFORM;
        assert!(shown(|r| r.repetition != RuleSet::PLATFORM.repetition) && shown(|r| !r.elimination));
        assert!(
            shown(|r| !r.flip_resets)
                && shown(|r| r.draw_first)
                && shown(|r| r.stuck != RuleSet::PLATFORM.stuck)
        );
        assert!(
            diagrams().any(|d| d.start().ruleset().repetition == platform.repetition && d.ends.is_some())
        );
        for (name, _) in RuleSet::PRESETS {
            for lang in Lang::ALL {
                let key = format!("preset.{name}");
                assert_ne!(lang.text(&key), key, "{}", lang.tag());
            }
        }
        for lesson in lessons() {
            for part in ["title", "text"] {
                let key = format!("lesson.{}.{part}", lesson.key);
                assert!(Lang::ALL.iter().all(|lang| lang.text(&key) != key), "{key}");
            }
        }
    }
}
