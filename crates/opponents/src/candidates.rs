//! Candidates for the opponent: known players, and strangers that resemble them.
//!
//! A *source* asks a question about every move of the opponent (would this player have played it?) or once per game (how does the network
//! rank it?). A measured table has the frequency of each answer for each known player.
//! The model treats answers as independent. They are not, so each source's weights are tempered when the table is made.
//! Each known player has a stranger that resembles it. The player's own replica foresees the stranger's moves no better than other
//! replicas do, and the stranger's strength is less certain. All strangers together are *none of these*.
//!
//! Plain products, normalized after every ply, give the same bits everywhere. At every ply the opponent may become another candidate, with
//! a small probability, so that a change of play is noticed.

use std::fmt;
use std::sync::Arc;

use anglerfish_engine::ConfigError;
use anglerfish_engine::opponent::{Likeness, PlayerEstimate, Strength};

use crate::parameters;
use crate::replica::player;

/// A player that the opponent may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The known player.
    pub name: Box<str>,
    /// Whether it is only a stranger that is like that player.
    pub stranger: bool,
    /// Its strength in Elo, and the standard error of that.
    pub elo: (f64, f64),
    /// The tempered likelihood of each answer: by question, then by answer.
    weights: Vec<Vec<f64>>,
}

/// A question about the opponent's play.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Question {
    /// Its name.
    pub name: Box<str>,
    /// The number of its answers.
    pub answers: usize,
    /// The name of its source: `replica alphabeta/nodes=50`.
    pub about: Box<str>,
}

/// All candidates, and the questions that tell them apart.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateTable {
    /// The questions.
    pub questions: Vec<Question>,
    /// The candidates.
    pub candidates: Vec<Candidate>,
}

/// The first line of a line-up's text.
const TITLE: &str = "anglerfish lineup 1";
/// The most questions of a line-up: each may cost a search at every move.
const MOST_QUESTIONS: usize = 32;
/// The most answers of a question.
const MOST_ANSWERS: usize = 64;
/// Players whose Elo differs by less than this are equal: 40 to 60 points of a hundred.
pub const EQUAL_ELO: f64 = 70.44;

/// An estimate of an opponent.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The known players by probability, the likeliest first.
    pub known: Vec<(Box<str>, f64)>,
    /// The probability of none of these.
    pub none: f64,
    /// Its Elo relative to the player it is compared with: the lower end of a 95 % interval, the mean, and the upper end.
    pub elo: [f64; 3],
    /// The probabilities that it is weaker than, equal to and stronger than that player.
    pub classes: [f64; 3],
}

impl Candidate {
    /// A candidate whose answers have these weights, by question and answer.
    pub fn new(name: &str, stranger: bool, elo: (f64, f64), weights: Vec<Vec<f64>>) -> Candidate {
        Candidate { name: name.into(), stranger, elo, weights }
    }
}

impl CandidateTable {
    /// The line-up without questions that take a search of more nodes than this.
    #[must_use]
    pub fn asking_up_to(mut self, nodes: u64) -> CandidateTable {
        let cheap = |question: &Question| {
            let player = question.about.strip_prefix("replica ").and_then(player);
            player.is_none_or(|config| config.nodes.is_none_or(|own| own <= nodes))
        };
        let kept: Vec<bool> = self.questions.iter().map(cheap).collect();
        let mut places = kept.iter();
        self.questions.retain(|_| places.next() == Some(&true));
        for candidate in &mut self.candidates {
            let mut places = kept.iter();
            candidate.weights.retain(|_| places.next() == Some(&true));
        }
        self
    }

    /// Reads what [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    /// When the text is not a line-up.
    pub fn read(text: &str) -> Result<CandidateTable, ConfigError> {
        let mut lines = text.lines();
        let wrong = |expected: &str, found: &str| ConfigError {
            expected: expected.to_owned(),
            found: found.chars().take(60).collect(),
        };
        let title = lines.next().unwrap_or_default();
        if title != TITLE {
            return Err(wrong(TITLE, title));
        }
        let mut lineup = CandidateTable { questions: Vec::new(), candidates: Vec::new() };
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["question", name, answers, ref about @ ..]
                    if lineup.candidates.is_empty() && lineup.questions.len() < MOST_QUESTIONS =>
                {
                    let answers = answers.parse().ok().filter(|n| (2..=MOST_ANSWERS).contains(n));
                    let answers = answers.ok_or_else(|| wrong("question NAME ANSWERS WORDS", line))?;
                    lineup.questions.push(Question {
                        name: name.into(),
                        answers,
                        about: about.join(" ").into(),
                    });
                }
                [
                    "candidate" | "suspect",
                    name,
                    kind @ ("known" | "stranger"),
                    elo,
                    error,
                    ref weights @ ..,
                ] => {
                    let candidate =
                        candidate(&lineup.questions, name, kind == "stranger", [elo, error], weights);
                    let expected = "candidate NAME known ELO ERROR and a weight over 0 for every answer";
                    lineup.candidates.push(candidate.ok_or_else(|| wrong(expected, line))?);
                }
                _ => {
                    let expected = format!("up to {MOST_QUESTIONS} questions, then candidates");
                    return Err(wrong(&expected, line));
                }
            }
        }
        if lineup.candidates.is_empty() || lineup.questions.is_empty() {
            return Err(wrong("questions and candidates", text));
        }
        Ok(lineup)
    }
}

/// A line of the text.
fn candidate(
    questions: &[Question],
    name: &str,
    stranger: bool,
    elo: [&str; 2],
    weights: &[&str],
) -> Option<Candidate> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite());
    let (elo, error) = (number(elo[0])?, number(elo[1]).filter(|e| *e > 0.0)?);
    let mut numbers = weights.iter().map(|text| number(text).filter(|w| *w > 0.0));
    let weights: Option<Vec<Vec<f64>>> =
        questions.iter().map(|question| (0..question.answers).map(|_| numbers.next()?).collect()).collect();
    let name = name.into();
    numbers.next().is_none().then_some(Candidate { name, stranger, elo: (elo, error), weights: weights? })
}

impl fmt::Display for CandidateTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}")?;
        for Question { name, answers, about } in &self.questions {
            writeln!(f, "question {name} {answers} {about}")?;
        }
        for candidate in &self.candidates {
            let kind = if candidate.stranger { "stranger" } else { "known" };
            let (elo, error) = candidate.elo;
            write!(f, "candidate {} {kind} {elo:.1} {error:.1}", candidate.name)?;
            for weight in candidate.weights.iter().flatten() {
                write!(f, " {weight:.6}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// A posterior over the candidates of a line-up.
#[derive(Clone, Debug)]
pub struct Posterior {
    lineup: Arc<CandidateTable>,
    first: Vec<f64>,
    now: Vec<f64>,
}

impl Posterior {
    /// The prior of the line-up: a half for all known players, and a half for all strangers.
    pub fn new(lineup: Arc<CandidateTable>) -> Posterior {
        let strangers = lineup.candidates.iter().filter(|candidate| candidate.stranger).count();
        let share = |of: usize| if of == 0 { 0.0 } else { 0.5 / of as f64 };
        let known = lineup.candidates.len() - strangers;
        let prior = |candidate: &Candidate| share(if candidate.stranger { strangers } else { known });
        let first: Vec<f64> = lineup.candidates.iter().map(prior).collect();
        let mut posterior = Posterior { lineup, now: first.clone(), first };
        posterior.normalize();
        posterior.first = posterior.now.clone();
        posterior
    }

    /// The name of all players outside the line-up: one word, like the names of styles in a profile.
    pub const NONE: &'static str = "none-of-these";

    /// Begins anew, with the given probabilities of known players and of [`NONE`](Posterior::NONE) of them.
    pub fn begin(&mut self, prior: impl Fn(&str) -> Option<f64>) {
        let strangers: f64 =
            self.each().filter(|(candidate, _)| candidate.stranger).map(|(_, first)| first).sum();
        let factor = prior(Posterior::NONE).map_or(1.0, |none| none / strangers.max(f64::MIN_POSITIVE));
        let begins = |(candidate, first): (&Candidate, f64)| {
            if candidate.stranger { first * factor } else { prior(&candidate.name).unwrap_or(first) }
        };
        self.now = self.each().map(begins).collect();
        self.normalize();
        // No candidate is ruled out, however unlikely it was before.
        self.moved();
    }

    /// All candidates, each with its prior probability.
    fn each(&self) -> impl Iterator<Item = (&Candidate, f64)> {
        self.lineup.candidates.iter().zip(self.first.iter().copied())
    }

    /// A move was made: the opponent may be another candidate now.
    pub fn moved(&mut self) {
        let change = parameters::SUSPECT_CHANGE;
        for (now, first) in self.now.iter_mut().zip(&self.first) {
            *now = (1.0 - change) * *now + change * first;
        }
    }

    /// Updates the posterior by the answers of all sources to a ply, by question.
    ///
    /// # Panics
    /// When there is no such question or answer.
    pub fn hear(&mut self, answers: &[Option<usize>]) {
        for (now, candidate) in self.now.iter_mut().zip(&self.lineup.candidates) {
            for (weights, answer) in candidate.weights.iter().zip(answers) {
                *now *= answer.map_or(1.0, |answer| weights[answer]);
            }
        }
        self.normalize();
    }

    fn normalize(&mut self) {
        let all: f64 = self.now.iter().sum();
        // Evidence that rules out every candidate is wrong: the prior is restored.
        if all < f64::MIN_POSITIVE {
            self.now.clone_from(&self.first);
            return;
        }
        for now in &mut self.now {
            *now /= all;
        }
    }

    /// The line-up.
    pub fn lineup(&self) -> &CandidateTable {
        &self.lineup
    }

    /// The probability of a known player now, or of a stranger like it.
    pub fn like(&self, name: &str) -> f64 {
        let like =
            self.lineup.candidates.iter().zip(&self.now).filter(|(candidate, _)| *candidate.name == *name);
        like.map(|(_, now)| now).sum()
    }

    /// The current estimate, compared with a player of 0 Elo.
    pub fn estimate(&self) -> Estimate {
        self.estimate_by(0.0)
    }

    /// The current estimate, compared with a player of `us` Elo.
    pub fn estimate_by(&self, us: f64) -> Estimate {
        let (known, none) = self.known();
        Estimate { known, none, elo: self.strength_by(us).interval(), classes: self.classes_by(us) }
    }

    /// The current estimate in the form that is shown to people.
    pub fn player_estimate_by(&self, us: f64) -> PlayerEstimate {
        let (known, none) = self.known();
        let like = known.first().map(|(name, probability)| likeness(&self.lineup, name, *probability));
        PlayerEstimate { like, none, strength: self.strength_by(us) }
    }

    /// Its strength, compared with a player of `us` Elo.
    fn strength_by(&self, us: f64) -> Strength {
        Strength { possible: self.all().map(|(s, p)| (p, s.elo.0, s.elo.1)).collect(), from: us }
    }

    /// The probability of each known player, the likeliest first, and of none of them.
    pub(crate) fn known(&self) -> (Vec<(Box<str>, f64)>, f64) {
        let known = self.all().filter(|(s, _)| !s.stranger).map(|(s, p)| (s.name.clone(), p));
        let mut known: Vec<(Box<str>, f64)> = known.collect();
        known.sort_by(|a, b| b.1.total_cmp(&a.1));
        (known, self.all().filter(|(s, _)| s.stranger).map(|(_, p)| p).sum())
    }

    /// The probabilities that it is weaker than a player of this strength, equal, and stronger. This takes a fortieth of the time of an estimate.
    pub(crate) fn classes_by(&self, us: f64) -> [f64; 3] {
        let strength = self.strength_by(us);
        let [low, high] = [-EQUAL_ELO, EQUAL_ELO].map(|elo| strength.below(elo));
        [low, high - low, 1.0 - high]
    }

    fn all(&self) -> impl Iterator<Item = (&Candidate, f64)> {
        self.lineup.candidates.iter().zip(self.now.iter().copied())
    }
}

/// A known player as it is shown to people: in a line-up `ab-200` is alphabeta at 200 nodes.
fn likeness(lineup: &CandidateTable, name: &str, probability: f64) -> Likeness {
    let question = lineup.questions.iter().find(|question| *question.name == *name);
    let Some(player) = question.and_then(|question| question.about.strip_prefix("replica ")) else {
        return Likeness { player: name.to_owned(), nodes: None, probability };
    };
    let nodes = player.split('/').find_map(|word| word.strip_prefix("nodes=")?.parse().ok());
    let is_said = |word: &&str| !word.starts_with("hash=") && !word.starts_with("nodes=");
    let player = player.split('/').filter(is_said).collect::<Vec<_>>().join(",");
    // Players that do not count nodes have a limit of one node, so that they end.
    Likeness { player, nodes: nodes.filter(|nodes| *nodes > 1), probability }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two known players and a stranger like the first: the first is foreseen by its own replica.
    const TEXT: &str = "anglerfish lineup 1
question first 2 replica alphabeta/nodes=50
question second 2 replica mcts/nodes=50
candidate first known 100.0 10.0 0.100000 0.900000 0.600000 0.400000
candidate second known -200.0 20.0 0.700000 0.300000 0.500000 0.500000
candidate first stranger 100.0 150.0 0.600000 0.400000 0.600000 0.400000
";

    fn posterior() -> Posterior {
        Posterior::new(Arc::new(CandidateTable::read(TEXT).expect("a line-up")))
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-6
    }

    #[test]
    fn texts_are_read_and_written() {
        let lineup = CandidateTable::read(TEXT).expect("a line-up");
        assert_eq!(lineup.to_string(), TEXT);
        let check = |from: &str, to: &str, expected: &str| {
            assert!(TEXT.contains(from), "{from}");
            let error = CandidateTable::read(&TEXT.replacen(from, to, 1)).expect_err(to).to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("lineup 1", "lineup 2", "anglerfish lineup 1");
        check("question first 2", "question first 1", "question NAME ANSWERS");
        check("known", "familiar", "questions, then candidates");
        check("100.0 10.0", "100.0 0", "a weight over 0");
        check("0.100000", "0", "a weight over 0");
        check(" 0.100000", "", "a weight over 0");
        check("0.100000", "inf", "a weight over 0");
        let questions = "question one 2 replica random\n".repeat(33);
        check("question first", &(questions + "question first"), "up to 32 questions");
        assert!(CandidateTable::read("anglerfish lineup 1\n").is_err(), "no candidate");
    }

    /// Bayes' rule, written plainly.
    #[test]
    fn a_posterior_is_a_product() {
        let mut posterior = posterior();
        let first = posterior.estimate();
        assert!(near(first.none, 0.5) && near(first.known[0].1, 0.25), "{first:?}");
        posterior.hear(&[Some(1), None]);
        posterior.hear(&[None, Some(0)]);
        let parts = [0.25 * 0.9 * 0.6, 0.25 * 0.3 * 0.5, 0.5 * 0.4 * 0.6];
        let all: f64 = parts.iter().sum();
        let Estimate { known, none, elo, classes } = posterior.estimate();
        assert_eq!(&*known[0].0, "first");
        assert!(
            near(known[0].1, parts[0] / all)
                && near(known[1].1, parts[1] / all)
                && near(none, parts[2] / all)
        );
        let mean = (100.0 * (parts[0] + parts[2]) - 200.0 * parts[1]) / all;
        assert!((elo[1] - mean).abs() < 1e-6 && elo[0] < mean && mean < elo[2], "{elo:?}");
        assert!(near(classes.iter().sum(), 1.0));
        posterior.begin(|name| (name == "second").then_some(1e6));
        let change = parameters::SUSPECT_CHANGE;
        let expected = (1.0 - change) * 1e6 / (1e6 + 0.75) + change * 0.25;
        assert!(near(posterior.estimate().known[0].1, expected), "what is known of it before");
        posterior.begin(|name| Some(if name == Posterior::NONE { 0.7 } else { 0.15 }));
        assert!(
            near(posterior.estimate().none, (1.0 - change) * 0.7 + change * 0.5),
            "and that it is none of them"
        );
        posterior.begin(|_| Some(0.0));
        assert!(
            near(posterior.estimate().none, 0.5),
            "a profile that rules out every candidate says nothing"
        );
    }

    #[test]
    fn intervals_hold_what_they_say() {
        let mut posterior = posterior();
        for _ in 0..40 {
            posterior.hear(&[Some(1), None]);
        }
        // If the first is certain, only its own error remains.
        let elo = posterior.estimate().elo;
        assert!((elo[0] - (100.0 - 19.6)).abs() < 0.1 && (elo[2] - (100.0 + 19.6)).abs() < 0.1, "{elo:?}");
    }

    /// A change of the opponent is noticed, because no candidate is ruled out.
    #[test]
    fn a_change_is_noticed() {
        let mut posterior = posterior();
        let mut play = |answer: usize, moves: usize| -> Vec<f64> {
            let probability = |_| {
                posterior.moved();
                posterior.hear(&[Some(answer), None]);
                let estimate = posterior.estimate();
                let first = estimate.known.iter().find(|(name, _)| **name == *"first");
                first.map_or(0.0, |(_, p)| *p)
            };
            (0..moves).map(probability).collect()
        };
        assert!(play(1, 60)[59] > 0.9);
        let after = play(0, 20);
        let noticed = after.iter().position(|p| *p < 0.5).expect("a change");
        assert!((2..8).contains(&noticed), "{after:?}");
    }
}
