//! What a learner does on boards: a course of two minutes, then lessons of one task each (`lang/tasks.json`, shared by every front end).
//!
//! What a task says is in the files of texts: `task.KEY.title`, `task.KEY.text` before, and `task.KEY.done` after an action that it accepts.

use std::sync::LazyLock;
use std::time::Duration;

use anglerfish_rules::banqi::{Action, Banqi};
use anglerfish_rules::{Game, NotationError, Ply, Record, Turn};
use serde::Deserialize;

/// One thing to do.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Its name in the keys of texts.
    pub key: String,
    /// Whether it belongs to the course; the others are lessons for later.
    #[serde(default)]
    pub course: bool,
    position: String,
    #[serde(default)]
    plies: Vec<String>,
    #[serde(default)]
    accepts: Vec<String>,
    #[serde(default)]
    refuses: Vec<String>,
}

static TASKS: LazyLock<Vec<Task>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../lang/tasks.json")).expect("a test reads every task")
});

/// Every task, in the order in which one learns.
pub fn tasks() -> &'static [Task] {
    &TASKS
}

impl Task {
    /// The game that led to the task.
    ///
    /// # Panics
    /// Never: a test reads every task. So of the other question here.
    pub fn record(&self) -> Record<Banqi> {
        let start: Banqi = read(&self.position);
        let mut record = Record::new(start.clone());
        let mut game = start;
        for text in &self.plies {
            let Turn::Seat(seat) = game.turn() else { break };
            let event = read(text);
            record.plies.push(Ply { seat, event, took: Duration::ZERO });
            game.apply(event);
        }
        record
    }

    /// The actions that do the task: those that it lists, or all that it does not refuse.
    pub fn accepts(&self) -> Vec<Action> {
        if !self.accepts.is_empty() {
            return self.accepts.iter().map(|text| read(text)).collect();
        }
        let mut actions = self.legal();
        actions.retain(|action| !self.refuses.contains(&action.to_string()));
        actions
    }

    fn legal(&self) -> Vec<Action> {
        let record = self.record();
        let mut game = record.start;
        record.plies.iter().for_each(|ply| game.apply(ply.event));
        let mut actions = Vec::new();
        game.actions(&mut actions);
        actions
    }
}

fn read<T: std::str::FromStr<Err = NotationError>>(text: &str) -> T {
    text.parse().unwrap_or_else(|e| panic!("a test reads every task: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lang;

    #[test]
    fn tasks_can_be_done_and_missed() {
        for task in tasks() {
            let record = task.record();
            assert_eq!(record.plies.len(), task.plies.len(), "{}", task.key);
            record.replay().expect("a game");
            let (legal, accepted) = (task.legal(), task.accepts());
            assert!(
                !accepted.is_empty() && accepted.iter().all(|action| legal.contains(action)),
                "{}",
                task.key
            );
            for refused in &task.refuses {
                assert!(legal.contains(&read(refused)), "{}: {refused}", task.key);
            }
            // Only the first two tasks take every action.
            assert_eq!(accepted.len() == legal.len(), ["flip", "step"].contains(&&*task.key), "{}", task.key);
        }
        assert_eq!(tasks().iter().filter(|task| task.course).count(), 6);
        assert_eq!(tasks().iter().filter(|task| !task.course).count(), 10);
    }

    #[test]
    fn tasks_speak_every_language() {
        for task in tasks() {
            for part in ["title", "text", "done"] {
                let key = format!("task.{}.{part}", task.key);
                assert!(Lang::ALL.iter().all(|lang| lang.text(&key) != key), "{key}");
            }
        }
    }
}
