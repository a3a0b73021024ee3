//! The sources of evidence about an opponent: candidates that search in parallel, habits, and the networks of
//! Chang and others (2021).

use anglerfish_opponents::{Modelled, Question};
use anglerfish_rules::banqi::Banqi;

use anglerfish_opponents::field::{MEMBERS, Member};
use anglerfish_opponents::nets;

/// The kinds of sources; each is left out in turn.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    Candidate,
    Habit,
    Network,
}

impl Kind {
    pub(super) const ALL: [Kind; 3] = [Kind::Candidate, Kind::Habit, Kind::Network];

    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Candidate => "candidates",
            Kind::Habit => "habits",
            Kind::Network => "networks",
        }
    }
}

/// A question, with its member if it is for a candidate.
#[derive(Clone)]
pub(super) struct Asked {
    pub(super) question: Question,
    pub(super) kind: Kind,
    pub(super) member: Option<usize>,
}

/// All questions; nodes are divided by `fewer`.
pub(super) fn asked(fewer: u64) -> Vec<Asked> {
    let question = |name: &str, answers: usize, about: String| Question {
        name: name.into(),
        answers,
        about: about.into(),
    };
    let candidate = |(place, member): (usize, Member)| Asked {
        question: question(member.name, 2, format!("replica {}", member.with_fewer(fewer).replica())),
        kind: Kind::Candidate,
        member: Some(place),
    };
    let habit = |name: &str| Asked {
        question: question(&format!("habit-{name}"), 4, format!("habit {name}")),
        kind: Kind::Habit,
        member: None,
    };
    let network = |name: &str| Asked {
        question: question(&format!("ornn-{name}"), 9, format!("ornn {name} canonical")),
        kind: Kind::Network,
        member: None,
    };
    let styles = Banqi::styles();
    let candidates = MEMBERS.into_iter().enumerate().map(candidate);
    let habits = styles.iter().map(|style| habit(style.name()));
    candidates.chain(habits).chain(nets::canonical().map(|trained| network(trained.setting))).collect()
}
