//! A line-up from games: how often each member gives each answer, how much that is to be trusted, and how strong strangers may be.
//!
//! Sources are not independent: two budgets of one program foresee the same moves. So the logarithms of each kind of source are multiplied by a number that is
//! chosen on the games of the fit, so that the truth is given the highest probability after ten moves.
#![expect(clippy::disallowed_methods, reason = "a fit is made once and written down to six digits")]

use anglerfish_engine::opponent::{Inquiry, Lineup, Suspect};

use super::sources::{Asked, Kind};
use super::watched::{Move, answers};
use crate::field::{MEMBERS, Member};

/// A game of a member, move by move.
pub(super) struct Game {
    pub(super) member: usize,
    /// Pairs of games share a deal, and are never on both sides of a split.
    pub(super) pair: usize,
    pub(super) moves: Vec<Move>,
}

/// How often each answer was given: by member, question and answer.
pub(super) struct Counts(Vec<Vec<Vec<f64>>>);

/// What every answer is taken to have been given before anything was counted.
const SMOOTHING: f64 = 0.5;
/// Numbers that the logarithms of a kind of sources are tried with.
const TEMPERS: [f64; 8] = [0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0];
/// The fit looks at what is thought after so many moves.
const AFTER: usize = 10;
/// What strangers differ by from the player they are like, before that is known.
const UNKNOWN_ELO: f64 = 150.0;

impl Counts {
    pub(super) fn new<'a>(asked: &[Asked], games: impl Iterator<Item = &'a Game>) -> Counts {
        let none: Vec<Vec<f64>> = asked.iter().map(|asked| vec![SMOOTHING; asked.question.answers]).collect();
        let mut counts = vec![none; MEMBERS.len()];
        for game in games {
            for said in &game.moves {
                for (question, answer) in answers(said).enumerate() {
                    if let Some(answer) = answer {
                        counts[game.member][question][answer] += 1.0;
                    }
                }
            }
        }
        Counts(counts)
    }

    /// How likely each answer of a member is.
    fn shares(&self, member: usize, question: usize) -> Vec<f64> {
        let counts = &self.0[member][question];
        let all: f64 = counts.iter().sum();
        counts.iter().map(|count| count / all).collect()
    }
}

/// A member of the field, or somebody unknown who is like one.
#[derive(Clone, Copy)]
struct Who {
    member: usize,
    stranger: bool,
}

/// What was said of a game.
struct Evidence {
    /// The place of who it was.
    truth: usize,
    /// By suspect, the logarithm of how likely that was, by kind of source.
    sums: Vec<[f64; 3]>,
}

/// The mean logarithm of the probability of who it was. Everybody is equally likely at first.
fn likelihood(evidence: &[Evidence], tempers: [f64; 3]) -> f64 {
    let one = |Evidence { truth, sums }: &Evidence| {
        let log = |sum: &[f64; 3]| sum.iter().zip(tempers).map(|(sum, temper)| sum * temper).sum::<f64>();
        let logs: Vec<f64> = sums.iter().map(log).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        logs[*truth] - most - logs.iter().map(|log| (log - most).exp()).sum::<f64>().ln()
    };
    evidence.iter().map(one).sum::<f64>() / evidence.len().max(1) as f64
}

/// What a line-up is made of.
pub(super) struct Fit<'a> {
    asked: &'a [Asked],
    counts: &'a Counts,
    /// Which questions are asked, and who is not known.
    sources: Vec<Kind>,
    left_out: Option<usize>,
    /// By kind of source.
    tempers: [f64; 3],
    /// The standard error of a stranger's Elo.
    pub(super) strange: f64,
}

impl<'a> Fit<'a> {
    /// With these kinds of sources, all members but one who may be left out, and tempers that were chosen on these games.
    pub(super) fn new(
        asked: &'a [Asked],
        counts: &'a Counts,
        sources: &[Kind],
        left_out: Option<usize>,
        games: &[&Game],
    ) -> Fit<'a> {
        let sources = sources.to_vec();
        let mut fit = Fit { asked, counts, sources, left_out, tempers: [0.3; 3], strange: UNKNOWN_ELO };
        let evidence = fit.evidence(games);
        for _ in 0..2 {
            for kind in fit.sources.clone() {
                let tried = TEMPERS.map(|temper| {
                    let mut tempers = fit.tempers;
                    tempers[kind as usize] = temper;
                    (likelihood(&evidence, tempers), temper)
                });
                let best = tried.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
                fit.tempers[kind as usize] = best.map_or(1.0, |(_, temper)| temper);
            }
        }
        fit
    }

    /// The same with another error of the Elo of strangers.
    pub(super) fn with_strange(self, strange: f64) -> Fit<'a> {
        Fit { strange, ..self }
    }

    /// Everybody whom it may be.
    fn suspects(&self) -> Vec<Who> {
        let members = || (0..MEMBERS.len()).filter(|member| Some(*member) != self.left_out);
        let like = |stranger: bool| members().map(move |member| Who { member, stranger });
        like(false).chain(like(true)).collect()
    }

    /// How likely each answer of somebody to a question is. A stranger is like a member, but its own candidate foresees no more of its moves than the next best does.
    fn shares(&self, who: Who, place: usize) -> Vec<f64> {
        let shares = self.counts.shares(who.member, place);
        if !who.stranger || self.asked[place].member != Some(who.member) {
            return shares;
        }
        let others = self.asked.iter().enumerate().filter(|(_, asked)| {
            asked.kind == Kind::Candidate && asked.member != Some(who.member) && self.is_asked(asked)
        });
        let next = others.map(|(place, _)| self.counts.shares(who.member, place)[1]).fold(0.0, f64::max);
        let yes = if next > 0.0 { shares[1].min(next) } else { shares[1] };
        vec![1.0 - yes, yes]
    }

    /// What the first moves of each game say, as if nobody ever became another.
    fn evidence(&self, games: &[&Game]) -> Vec<Evidence> {
        let suspects = self.suspects();
        let logs = |who: &Who| -> Vec<Vec<f64>> {
            let of = |place: usize| self.shares(*who, place).into_iter().map(f64::ln).collect();
            (0..self.asked.len()).map(of).collect()
        };
        let logs: Vec<Vec<Vec<f64>>> = suspects.iter().map(logs).collect();
        let one = |game: &&Game| {
            let mut sums = vec![[0.0; 3]; suspects.len()];
            for said in game.moves.iter().take(AFTER) {
                for (place, answer) in answers(said).enumerate() {
                    let Some(answer) = answer.filter(|_| self.is_asked(&self.asked[place])) else { continue };
                    for (sum, logs) in sums.iter_mut().zip(&logs) {
                        sum[self.asked[place].kind as usize] += logs[place][answer];
                    }
                }
            }
            let truth = suspects.iter().position(|who| who.member == game.member && !who.stranger);
            Evidence {
                truth: truth.unwrap_or_else(|| unreachable!("games are of members who are known")),
                sums,
            }
        };
        games.iter().map(one).collect()
    }

    /// Whether a question is asked: of its kind, and not of somebody who is left out.
    fn is_asked(&self, asked: &Asked) -> bool {
        self.sources.contains(&asked.kind) && (asked.member.is_none() || asked.member != self.left_out)
    }

    /// A move of the opponent, and what was said of it.
    pub(super) fn hear(&self, inquiry: &mut Inquiry, said: &str) {
        let said = answers(said).zip(self.asked).filter(|(_, asked)| self.is_asked(asked));
        inquiry.moved();
        inquiry.hear(&said.map(|(answer, _)| answer).collect::<Vec<_>>());
    }

    pub(super) fn lineup(&self) -> Lineup {
        let asked: Vec<(usize, &Asked)> =
            self.asked.iter().enumerate().filter(|(_, asked)| self.is_asked(asked)).collect();
        let suspect = |who: Who| {
            let weights = asked.iter().map(|(place, asked)| self.tempered(asked, self.shares(who, *place)));
            let Member { name, elo: (elo, error), .. } = MEMBERS[who.member];
            let error = if who.stranger { error.hypot(self.strange) } else { error.max(1.0) };
            Suspect::new(name, who.stranger, (elo, error), weights.collect())
        };
        Lineup {
            questions: asked.iter().map(|(_, asked)| asked.question.clone()).collect(),
            suspects: self.suspects().into_iter().map(suspect).collect(),
        }
    }

    fn tempered(&self, asked: &Asked, shares: Vec<f64>) -> Vec<f64> {
        let temper = self.tempers[asked.kind as usize];
        // A line-up is written with six digits.
        shares.into_iter().map(|share| share.powf(temper).max(1e-6)).collect()
    }

    /// The tempers by kind of source, for the report.
    pub(super) fn tempers(&self) -> impl Iterator<Item = (Kind, f64)> {
        self.sources.iter().map(|kind| (*kind, self.tempers[*kind as usize]))
    }
}
