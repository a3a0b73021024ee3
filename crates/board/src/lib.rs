#![doc = include_str!("../README.md")]

pub mod analysis;
mod game;
mod lessons;
mod look;
mod question;
mod review;
mod thinking;

use std::sync::Arc;

use anglerfish_arena::games::each_game;
use anglerfish_engine::{Assets, Clock, Config, Engine, Limits, Stop};
use anglerfish_report::Lang;
use anglerfish_rules::Record;
use anglerfish_rules::banqi::{Banqi, RuleSet};
use serde_json::{Value, json};

use self::analysis::Analysis;
use self::game::{Refused, game_at, parse, read, set_up};
use self::lessons::Lessons;
use self::look::GameView;
use self::question::{Answer, Found, Question};
use self::thinking::{ANALYST, Seated};

/// The most nodes for any question.
const MOST_NODES: u64 = 100_000_000;

/// The longest text, in bytes: some five thousand games.
const LONGEST: usize = 4 << 20;

/// The longest question about one game, in bytes.
const LONGEST_GAME: usize = 1 << 20;

/// The most plies of all games that are listed. An answer says more of each than the question.
const MOST_LISTED: usize = 60_000;

/// The most games of a text that are listed.
const MOST_GAMES: usize = 500;

/// Answers the questions of one page.
pub struct Pages {
    clock: Arc<dyn Clock>,
    assets: Assets,
    /// The engine at the board, which remembers what it thought.
    seated: Option<Seated>,
}

impl Pages {
    /// Without any player at the board yet. Only the times that are shown depend on the clock.
    /// Players get their models from `assets`.
    pub fn new(clock: Arc<dyn Clock>, assets: Assets) -> Pages {
        Pages { clock, assets, seated: None }
    }

    /// Answers a question. `tell` hears how far it is, and searches end soon after a stop.
    /// A question that cannot be answered gets an object with `error`.
    pub fn ask(&mut self, question: &str, stop: &Stop, tell: &mut dyn FnMut(Value)) -> Value {
        let answer = if question.len() > LONGEST {
            Err(format!("expected a question of at most {LONGEST} bytes, found {}", question.len()).into())
        } else {
            serde_json::from_str(question).map_err(|e| format!("expected a question: {e}").into()).and_then(
                |asked| match asked {
                    Question::Read { .. } => self.answer(asked, stop, tell),
                    _ if question.len() > LONGEST_GAME => Err(format!(
                        "expected a question about a game of at most {LONGEST_GAME} bytes, found {}",
                        question.len()
                    )
                    .into()),
                    _ => self.answer(asked, stop, tell),
                },
            )
        };
        match answer {
            Ok(answer) => json!(answer)["answer"].take(),
            Err(Refused(error)) => json!({ "error": error }),
        }
    }

    fn answer(
        &mut self,
        question: Question,
        stop: &Stop,
        tell: &mut dyn FnMut(Value),
    ) -> Result<Answer, Refused> {
        Ok(match question {
            Question::Begin { rules, position, tags, lang } => {
                let start = match position {
                    Some(text) => parse(&text)?,
                    None => Banqi::start(parse::<RuleSet>(&rules)?),
                };
                Answer::Begin(look::begun(start, &tags, spoken(&lang))?)
            }
            Question::Look { record, ply, lang } => {
                Answer::Look(GameView::of(&read(&record)?, ply, spoken(&lang))?)
            }
            Question::Act { record, action, seed, took, lang } => {
                let action = action.as_deref().map(parse).transpose()?;
                Answer::Act(look::acted(read(&record)?, action, seed, took, spoken(&lang))?)
            }
            Question::Told { record, ply, event, lang } => {
                Answer::Told(look::told(read(&record)?, ply, parse(&event)?, spoken(&lang))?)
            }
            Question::Resign { record, seat, lang } => {
                Answer::Resign(look::resigned(read(&record)?, seat, spoken(&lang))?)
            }
            Question::Undo { record, plies, lang } => {
                let mut record = read(&record)?;
                record.truncate(plies);
                Answer::Undo(GameView::of(&record, None, spoken(&lang))?)
            }
            Question::Think { record, player, seed, study, profile, lang } => {
                let record = read(&record)?;
                let seated = Seated::at(
                    self.seated.take(),
                    &player,
                    seed,
                    study,
                    profile.as_deref(),
                    (&self.clock, &self.assets),
                )?;
                Answer::Think(self.seated.insert(seated).think(&record, stop, spoken(&lang))?)
            }
            Question::Analyse { record, ply, nodes } => {
                Answer::Analyse(self.analyse(&read(&record)?, ply, nodes, stop)?)
            }
            Question::Review { record, nodes, side, lang } => {
                Answer::Review(review::review(&read(&record)?, nodes, side, spoken(&lang), stop, tell)?)
            }
            Question::Read { text, lang } => Answer::Read(found(&text, spoken(&lang), stop)?),
            Question::Setup { cells, bag, side, rules, lang } => {
                let game = set_up(&cells, &bag, side.as_deref(), parse(&rules)?)?;
                Answer::Setup(look::begun(game, &[], spoken(&lang))?)
            }
            Question::Lessons { lang } => Answer::Lessons(Lessons::new(spoken(&lang))?),
        })
    }

    fn analyse(
        &self,
        record: &Record<Banqi>,
        ply: Option<usize>,
        nodes: u64,
        stop: &Stop,
    ) -> Result<Analysis, Refused> {
        let game = game_at(record, ply.unwrap_or(record.plies.len()));
        let seat = game.state().seat().ok_or("the game is over here: there is nothing to choose")?;
        let config: Config = ANALYST.parse()?;
        let limits = Limits::nodes(nodes.min(MOST_NODES));
        let engine = Engine::<Banqi>::new(&config, &self.assets, Arc::clone(&self.clock));
        let mut engine = engine?;
        engine.new_game(seat, 1, None);
        let info = analysis::analyse(&mut engine, &game, None, limits, stop);
        let calibrated = analysis::is_calibrated(&config, &game);
        Ok(Analysis::new(&game, seat, &info, calibrated, &info.lines))
    }
}

/// The games of a text, or a position.
fn found(text: &str, lang: Lang, stop: &Stop) -> Result<Found, Refused> {
    let text = text.trim();
    let is_position = !text.starts_with(['[', '{']) && text.contains('/') && !text.contains('\n');
    if is_position {
        let record = Record::new(parse::<Banqi>(text)?);
        return Ok(Found { games: vec![GameView::of(&record, None, lang)?], wrong: None, more: None });
    }
    let (mut games, mut wrong, mut more, mut listed) = (Vec::new(), Vec::new(), 0, 0);
    let read = each_game(text, RuleSet::PLATFORM, |name, checked| {
        match checked {
            _ if stop.is_set() => return Err(Refused::from("reading was stopped")),
            _ if games.len() + wrong.len() >= MOST_GAMES => more += 1,
            Ok(record) if listed + record.plies.len() > MOST_LISTED => more += 1,
            Ok(record) => {
                listed += record.plies.len();
                games.push(GameView::of(&record, None, lang)?);
            }
            Err((_, error)) => wrong.push(format!("{name}: {error}")),
        }
        Ok(())
    });
    match read {
        Err(why) if games.is_empty() => Err(why),
        read => {
            wrong.extend(read.err().map(|Refused(why)| why));
            match wrong.first() {
                Some(why) if games.is_empty() => Err(why.into()),
                _ => Ok(Found { games, wrong: Some(wrong), more: Some(more) }),
            }
        }
    }
}

fn spoken(tag: &str) -> Lang {
    Lang::of_locale(tag)
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod types;
