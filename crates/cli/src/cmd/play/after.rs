//! After a game: a rematch, the review, and another try at the person's mistakes.

use std::io::Write;

use anglerfish_arena::Judging;
use anglerfish_engine::luck::GameLuck;
use anglerfish_report::reason::{Reason, reason};
use anglerfish_report::review::{BLUNDER, CLOSE, Review, signed};
use anglerfish_report::{say, words};
use anglerfish_rules::banqi::{Action, Banqi};

use super::command::{Command, Typed};
use super::session::{Session, width};
use crate::cmd::review::judged;
use crate::progress::clocked;

/// A position at which the person made a mistake.
struct Mistake {
    /// The index of the ply.
    ply: usize,
    before: Banqi,
    played: Action,
    cost: i64,
    /// What the judge would have played.
    better: Action,
    why: Reason,
}

/// How the tries at one position end.
enum Tried {
    Next,
    /// Back to the choices after the game.
    Stop,
    /// The input has ended.
    End,
}

impl<W: Write> Session<W> {
    /// The choices after a game; whether the person wants a rematch.
    pub(super) fn after(&mut self) -> anyhow::Result<bool> {
        let lang = self.style.lang();
        self.tell(lang.text("after.choices"))?;
        while let Some(line) = self.read(lang.text("after.prompt"))? {
            match Typed::read(&line, lang) {
                Typed::Nothing => {}
                Typed::Command(Command::Rematch, _) => return Ok(true),
                Typed::Command(Command::Quit, _) => return Ok(false),
                Typed::Command(Command::Review, _) => self.review()?,
                Typed::Command(Command::Retry, _) => {
                    if !self.retry()? {
                        return Ok(false);
                    }
                    self.tell(lang.text("after.choices"))?;
                }
                Typed::Command(
                    command @ (Command::Board
                    | Command::Back
                    | Command::Forward
                    | Command::Rules
                    | Command::Legend
                    | Command::Help
                    | Command::Me
                    | Command::Save),
                    rest,
                ) => {
                    self.carry_out(command, &rest)?;
                }
                _ => self.tell(lang.text("after.choices"))?,
            }
        }
        Ok(false)
    }

    /// The luck and the mistakes of the game; judged once.
    fn account(&mut self) -> anyhow::Result<GameLuck<Banqi>> {
        if let Some(judged) = &self.judged {
            return Ok(judged.clone());
        }
        self.out.flush()?;
        let found = judged(&mut self.judge, self.table.record())?;
        // For `anglerfish games`.
        Judging::of_review().write_judged(&found, self.table.record_mut());
        self.save_game();
        Ok(self.judged.insert(found).clone())
    }

    /// `review`: where the result came from.
    fn review(&mut self) -> anyhow::Result<()> {
        let account = self.account()?;
        let judge = self.judge.text().to_owned();
        let record = self.table.record();
        let review = Review::new(&account, record, &judge, self.us.team()).explained(&account, record);
        let text = review.speaking(self.style.lang()).text_within(width());
        self.paged(&format!("\n{text}"))
    }

    /// `retry`: the positions at which the teacher would have warned, one by one; whether there is more input.
    fn retry(&mut self) -> anyhow::Result<bool> {
        let lang = self.style.lang();
        let account = self.account()?;
        let story: Vec<_> = self.table.story().collect();
        let mistake = |entry: &anglerfish_engine::luck::Entry<Banqi>| {
            let (before, ply) = story.get(entry.ply)?;
            let (played, better) = (ply.event.action(), *entry.line.first()?);
            let cost = entry.mistake;
            let why = reason(before, played, &entry.line, &entry.fan);
            Some(Mistake { ply: entry.ply, before: before.clone(), played, cost, better, why })
        };
        let ours = account.entries.iter().filter(|entry| entry.seat == self.us && entry.mistake >= BLUNDER);
        let mistakes: Vec<Mistake> = ours.filter_map(mistake).collect();
        let cost = signed(BLUNDER);
        let cost = cost.trim_start_matches('+');
        if mistakes.is_empty() {
            self.tell(&say!(lang, "retry.none", cost = cost))?;
            return Ok(true);
        }
        self.tell(&say!(lang, "retry.begin", n = mistakes.len(), cost = cost))?;
        for (n, mistake) in mistakes.iter().enumerate() {
            self.looking = Some(mistake.ply);
            self.show()?;
            let act = words::describe(self.style, &mistake.before, mistake.played);
            let cost = positive(mistake.cost);
            let place = format!("{}/{}", n + 1, mistakes.len());
            let why = mistake.why.said(self.style, mistake.played);
            self.tell(&say!(
                lang,
                "retry.played",
                place = place,
                ply = mistake.ply + 1,
                act = act,
                why = why,
                cost = cost
            ))?;
            let tried = self.tries(mistake)?;
            self.looking = None;
            match tried {
                Tried::Next => {}
                Tried::Stop => return Ok(true),
                Tried::End => return Ok(false),
            }
        }
        self.tell(lang.text("retry.end"))?;
        Ok(true)
    }

    /// Lets the person try other moves until one is good enough, or the person goes on.
    fn tries(&mut self, mistake: &Mistake) -> anyhow::Result<Tried> {
        let lang = self.style.lang();
        let game = &mistake.before;
        let better = words::describe(self.style, game, mistake.better);
        while let Some(line) = self.read(lang.text("retry.prompt"))? {
            let action = match Typed::read(&line, lang) {
                Typed::Nothing => continue,
                Typed::Command(Command::Quit, _) => return Ok(Tried::Stop),
                // Showing the answer ends the tries.
                Typed::Command(Command::Hint | Command::Why | Command::Forward, _) => {
                    self.tell(&say!(lang, "retry.answer", better = better))?;
                    return Ok(Tried::Next);
                }
                Typed::Command(Command::Board, _) => {
                    self.show()?;
                    continue;
                }
                Typed::Command(command @ (Command::Help | Command::Rules | Command::Legend), rest) => {
                    self.carry_out(command, &rest)?;
                    continue;
                }
                Typed::Play(action) => action,
                _ => {
                    self.tell(lang.text("retry.expected"))?;
                    continue;
                }
            };
            if let Some(why) = game.refusal(action) {
                let why = words::refuse(self.style, why);
                self.tell(&say!(lang, "play.not_allowed", why = why))?;
                continue;
            }
            if action == mistake.played {
                self.tell(lang.text("retry.same"))?;
                continue;
            }
            let looking = self.spelled(lang.text("play.looking_at_it"));
            let verdict = clocked(&looking, || self.judge.mistake(game, action));
            let cost = verdict.mistake;
            if cost < CLOSE {
                let act = words::describe(self.style, game, action);
                self.tell(&say!(lang, "retry.best", act = act))?;
            } else if cost < BLUNDER {
                self.tell(&say!(lang, "retry.good", act = action, cost = positive(cost), better = better))?;
            } else {
                let why = reason(game, action, &verdict.line, &verdict.fan).said(self.style, action);
                self.tell(&say!(lang, "retry.bad", act = action, cost = positive(cost), why = why))?;
                continue;
            }
            return Ok(Tried::Next);
        }
        Ok(Tried::End)
    }
}

/// A cost without its sign.
pub(super) fn positive(cost: i64) -> String {
    signed(cost).trim_start_matches('+').to_owned()
}
