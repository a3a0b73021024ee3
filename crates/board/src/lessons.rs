//! The lessons as a page shows them: with their boards, tasks for learners, which role takes which, and how games end by rules.

use anglerfish_report::Lang;
use anglerfish_report::lessons::{Diagram, Lesson, endings, explained, lessons, takes};
use anglerfish_report::tasks::{Task, tasks};
use anglerfish_report::words::Words;
use anglerfish_rules::banqi::{Role, RuleSet};
use serde::Serialize;

use crate::game::Refused;
use crate::look::GameView;

/// All of it.
#[derive(Serialize)]
#[expect(clippy::struct_field_names, reason = "the name on the wire")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Lessons {
    lessons: Vec<ShownLesson>,
    tasks: Vec<ShownTask>,
    /// The letters of the roles, strongest first.
    roles: Vec<String>,
    /// By mover and victim: `x` by moving onto it, `j` by jumping over one piece, `-` not at all.
    takes: Vec<Vec<&'static str>>,
    presets: Vec<Preset>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ShownLesson {
    key: String,
    title: String,
    text: String,
    diagrams: Vec<ShownDiagram>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ShownDiagram {
    before: String,
    /// Where something is played.
    after: Option<String>,
    last: Option<String>,
    legal: Vec<String>,
    refused: Vec<String>,
    said: Vec<String>,
}

/// Something to do on a board.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ShownTask {
    key: String,
    /// Whether it belongs to the course of two minutes.
    course: bool,
    title: String,
    text: String,
    /// What is said when it is done.
    done: String,
    look: GameView,
    /// The actions that do it.
    accepts: Vec<String>,
}

/// A rule set by its name.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Preset {
    name: &'static str,
    /// Who plays by it.
    who: String,
    endings: Vec<String>,
}

impl Lessons {
    pub(crate) fn new(lang: Lang) -> Result<Lessons, Refused> {
        Ok(Lessons {
            lessons: lessons().iter().map(|lesson| ShownLesson::new(lesson, lang)).collect(),
            tasks: tasks().iter().map(|task| ShownTask::new(task, lang)).collect::<Result<_, _>>()?,
            roles: Role::ALL.map(|role| role.letter().to_string()).to_vec(),
            takes: Role::ALL.map(|mover| Role::ALL.map(|victim| takes(mover, victim)).to_vec()).to_vec(),
            presets: RuleSet::PRESETS
                .iter()
                .map(|(name, rules)| Preset {
                    name,
                    who: lang.say(&format!("preset.{name}"), &[]),
                    endings: endings(lang, rules),
                })
                .collect(),
        })
    }
}

impl ShownTask {
    fn new(task: &Task, lang: Lang) -> Result<ShownTask, Refused> {
        let part = |part: &str| lang.say(&format!("task.{}.{part}", task.key), &[]);
        Ok(ShownTask {
            key: task.key.clone(),
            course: task.course,
            title: part("title"),
            text: part("text"),
            done: part("done"),
            look: GameView::of(&task.record(), None, lang)?,
            accepts: task.accepts().iter().map(ToString::to_string).collect(),
        })
    }
}

impl ShownLesson {
    fn new(lesson: &Lesson, lang: Lang) -> ShownLesson {
        let part = |part: &str| lang.say(&format!("lesson.{}.{part}", lesson.key), &[]);
        ShownLesson {
            key: lesson.key.clone(),
            title: part("title"),
            text: part("text"),
            diagrams: lesson.diagrams.iter().map(|diagram| ShownDiagram::new(diagram, lang)).collect(),
        }
    }
}

impl ShownDiagram {
    fn new(diagram: &Diagram, lang: Lang) -> ShownDiagram {
        let (played, last) = diagram.played();
        ShownDiagram {
            before: diagram.start().to_string(),
            after: (!played.is_empty()).then(|| last.to_string()),
            last: played.last().map(|(_, event)| event.to_string()),
            legal: diagram.legal().iter().map(ToString::to_string).collect(),
            refused: diagram.refused().iter().map(ToString::to_string).collect(),
            said: explained(Words { lang, glyphs: true }, diagram),
        }
    }
}
