//! The engine's words to the person at the board: hints, reasons, warnings, and its opinion of the person.

use std::io::Write;

use anglerfish_arena::{MoveRequest, Player, builtin};
use anglerfish_board::analysis::{fan, shares};
use anglerfish_engine::luck::{GAME, Millionths, Opinion};
use anglerfish_engine::{Info, Limits, Line, Stop};
use anglerfish_lab::assets;
use anglerfish_report::reason::reason;
use anglerfish_report::review::BLUNDER;
use anglerfish_report::{columns, wrapped};
use anglerfish_report::{say, words};
use anglerfish_rules::banqi::{Action, Banqi, Cell, Event};
use anglerfish_rules::{ChanceOutcome, Game};
use anyhow::anyhow;

use super::after::positive;
use super::command::action;
use super::session::{COMFORT, Session, width};
use crate::cmd::rules::{lesson, short};
use crate::pager::show;
use crate::progress::clocked;

/// Below this probability nothing is said about a person.
const KNOWN: f64 = 0.6;

/// Default number of choices with reasons.
const REASONS: usize = 3;

/// The adviser: full strength, and no model of the opponent.
const ADVISER: &str = "alphabeta,hash=16";

/// The analysis of a position by the adviser: every choice, the best first.
///
/// There is one for each position, so that `hint` and `why` agree whatever is asked, and however often.
pub(super) struct Advice {
    /// The events that lead to the position.
    events: Vec<Event>,
    info: Info<Banqi>,
}

impl<W: Write> Session<W> {
    /// `hint`: the engine's choice; `hint 3`: its three best choices.
    pub(super) fn hint(&mut self, rest: &str) -> anyhow::Result<()> {
        let lang = self.style.lang();
        let many = match rest.parse::<usize>() {
            _ if rest.is_empty() => 1,
            Ok(many) if many > 0 => many,
            _ => return self.tell(&say!(lang, "play.expected_number", found = format!("{rest:?}"))),
        };
        let game = self.table.game().clone();
        let info = self.advised(&game)?;
        let Some(best) = info.lines.first() else { return Ok(()) };
        if many == 1 {
            let act = words::describe(self.style, &game, best.actions[0]);
            let value = words::appraise(lang, shares(&game, best));
            return self.tell(&say!(lang, "hint.one", act = act, value = value));
        }
        for (n, line) in info.lines.iter().take(many).enumerate() {
            self.choice(&game, n + 1, line)?;
        }
        self.tell(lang.text("hint.legend"))
    }

    /// `why`: the best choices with their possible outcomes; `why b3`: that one, beside the best.
    pub(super) fn why(&mut self, rest: &str) -> anyhow::Result<()> {
        let lang = self.style.lang();
        let game = self.table.game().clone();
        let asked = if rest.is_empty() { None } else { action(rest) };
        if let Some(why) = asked.and_then(|asked| game.refusal(asked)) {
            let why = words::refuse(self.style, why);
            return self.tell(&say!(lang, "play.not_allowed", why = why));
        }
        if asked.is_none() && !rest.is_empty() {
            return self.tell(&say!(lang, "play.unknown", line = format!("{rest:?}")));
        }
        let info = self.advised(&game)?;
        let wanted = |(n, line): &(usize, &Line<Banqi>)| match asked {
            Some(asked) => *n == 0 || line.actions.first() == Some(&asked),
            None => *n < REASONS,
        };
        for (n, line) in info.lines.iter().enumerate().filter(wanted) {
            self.choice(&game, n + 1, line)?;
            self.reasons(&game, line)?;
        }
        self.tell(lang.text("hint.legend"))
    }

    /// One choice and its value.
    fn choice(&mut self, game: &Banqi, n: usize, line: &Line<Banqi>) -> anyhow::Result<()> {
        let lang = self.style.lang();
        let act = words::describe(self.style, game, line.actions[0]);
        let value = words::shared(lang, shares(game, line));
        self.entry(3, &say!(lang, "hint.choice", n = n, act = act, value = value))
    }

    /// The possible consequences of a choice: pieces for a flip, the likely answer for a move.
    fn reasons(&mut self, game: &Banqi, line: &Line<Banqi>) -> anyhow::Result<()> {
        let lang = self.style.lang();
        let mut fan = fan(game, line);
        if fan.is_empty() {
            let next: Vec<String> = line.actions[1..].iter().take(4).map(ToString::to_string).collect();
            return if next.is_empty() {
                Ok(())
            } else {
                self.indented(&say!(lang, "why.then", list = next.join(" ")))
            };
        }
        fan.sort_by(|a, b| b.1.value().0.total_cmp(&a.1.value().0));
        let total: u32 = fan.iter().map(|(chance, _)| chance.weight).sum();
        let mut lines = vec![lang.text("why.fan").to_owned()];
        let mut used = columns(&lines[0]);
        for (chance, shares) in fan {
            let (piece, wide) = match chance.event {
                Event::Flip { piece, .. } => {
                    (self.style.cell(Cell::Shown(piece)), if self.style.plain() { 1 } else { 2 })
                }
                Event::Move { .. } => (chance.event.to_string(), 5),
            };
            let odds = format!(" {} ({}/{total})", words::value(shares.value()), chance.weight);
            // Escape codes take no columns, so only the text is counted.
            used += 2 + wide + odds.len();
            if used > width() - 4 {
                used = wide + odds.len();
                lines.push(String::new());
            }
            let line = lines.last_mut().expect("there is one");
            let gap = if line.is_empty() { "" } else { "  " };
            *line += &format!("{gap}{piece}{odds}");
        }
        lines.iter().try_for_each(|line| Ok(writeln!(self.out, "    {line}")?))
    }

    /// One entry of a list: text beyond its first line is indented below it.
    fn entry(&mut self, indent: usize, text: &str) -> anyhow::Result<()> {
        let text = self.spelled(text);
        let lines = wrapped(&text, width() - indent).replace('\n', &format!("\n{}", " ".repeat(indent)));
        Ok(writeln!(self.out, "{lines}")?)
    }

    fn indented(&mut self, text: &str) -> anyhow::Result<()> {
        let lines = wrapped(text, width() - 4);
        lines.lines().try_for_each(|line| Ok(writeln!(self.out, "    {line}")?))
    }

    /// The events that lead to the position.
    fn events(&self) -> Vec<Event> {
        self.table.record().plies.iter().map(|ply| ply.event).collect()
    }

    /// The full-strength analysis of the position, of every choice.
    fn advised(&mut self, game: &Banqi) -> anyhow::Result<Info<Banqi>> {
        let events = self.events();
        if let Some(advice) = self.advice.as_ref().filter(|advice| advice.events == events) {
            return Ok(advice.info.clone());
        }
        let thinking = self.spelled(self.style.lang().text("play.thinking"));
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let ask = MoveRequest { clocks: None, limits: Limits::time(COMFORT), lines: actions.len() };
        let mut adviser = made(ADVISER)?;
        let mut info = clocked(&thinking, || asked(&mut *adviser, game, &ask))?;
        // By the displayed value: in the search's own order a choice could stand above one with a higher value.
        let worth = |line: &Line<Banqi>| shares(game, line).value().0;
        info.lines.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        self.advice = Some(Advice { events, info: info.clone() });
        Ok(info)
    }

    /// Whether a person means a move that loses much; without a teacher, every move is meant.
    pub(super) fn is_meant(&mut self, chosen: Action) -> anyhow::Result<bool> {
        if !self.teach {
            return Ok(true);
        }
        let Some(warning) = self.warning(chosen)? else { return Ok(true) };
        self.tell(&warning)?;
        self.confirmed(self.style.lang().text("teach.sure"))
    }

    /// What the teacher says of a choice: what is wrong with it, what it costs, and what is better; `None` where it costs less than a
    /// blunder.
    ///
    /// The review's judge takes a quick look. A warning is the analysis that `hint` and `why` show, so that all three agree: the teacher is
    /// silent where that does not see a blunder.
    fn warning(&mut self, chosen: Action) -> anyhow::Result<Option<String>> {
        let lang = self.style.lang();
        let game = self.table.game().clone();
        let looking = self.spelled(lang.text("play.looking_at_it"));
        let verdict = clocked(&looking, || self.judge.mistake(&game, chosen));
        let shown = self.advice.as_ref().is_some_and(|advice| advice.events == self.events());
        if verdict.mistake < BLUNDER && !shown {
            return Ok(None);
        }
        let info = self.advised(&game)?;
        let line = info.lines.iter().find(|line| line.actions.first() == Some(&chosen));
        let (Some(best), Some(line)) = (info.lines.first(), line) else { return Ok(None) };
        let worth = |line: &Line<Banqi>| f64::from(shares(&game, line).value().0);
        let cost = ((worth(best) - worth(line)) * GAME as f64).round() as Millionths;
        if cost < BLUNDER {
            return Ok(None);
        }
        // The lines of an analysis end with a flip; the judge has one for every piece.
        let fan = match chosen {
            Action::Flip(_) => verdict.fan,
            Action::Move { from, to } => {
                let chance = ChanceOutcome { event: Event::Move { from, to }, weight: 1 };
                vec![(chance, Opinion { value: 0, line: line.actions[1..].to_vec() })]
            }
        };
        let why = reason(&game, chosen, &best.actions, &fan).said(self.style, chosen);
        let better = words::describe(self.style, &game, best.actions[0]);
        Ok(Some(say!(lang, "teach.warning", why = why, cost = positive(cost), better = better)))
    }

    /// `me`: the engine's beliefs about the person, and how they change its play.
    pub(super) fn me(&mut self) -> anyhow::Result<()> {
        let lang = self.style.lang();
        let profile = self.player.profile().filter(|profile| !profile.styles.is_empty());
        let Some(profile) = profile else { return self.tell(lang.text("me.not_studied")) };
        if let Some(estimate) = self.estimate() {
            return self.tell(&estimate);
        }
        self.tell(&say!(lang, "me.seen", plies = profile.plies, games = profile.games))?;
        let mut styles = profile.styles.clone();
        styles.sort_by(|a, b| b.1.total_cmp(&a.1));
        // A bar needs room that a narrow terminal does not have.
        let (full, blank) = if self.style.plain() { ("#", ".") } else { ("█", "░") };
        let bars = width() >= 60;
        for (name, probability) in &styles {
            let filled = (probability * 10.0).round() as usize;
            let bar = full.repeat(filled) + &blank.repeat(10 - filled.min(10)) + "  ";
            write!(self.out, "  {:>4.0} %  {}", 100.0 * probability, if bars { &bar } else { "" })?;
            self.entry(if bars { 22 } else { 10 }, &words::habit(lang, name))?;
        }
        if let Some(studied) = self.studied() {
            self.tell(&studied)?;
        }
        let trust = self.player.trust();
        if trust < 0.01 {
            return self.tell(lang.text("me.no_trust"));
        }
        self.tell(&say!(lang, "me.trust", percent = format!("{:.0}", 100.0 * trust)))?;
        self.changed(&profile)
    }

    /// A full-strength engine's choice at the engine's last move, with and without the model of this person.
    fn changed(&mut self, profile: &anglerfish_engine::Profile) -> anyhow::Result<()> {
        let lang = self.style.lang();
        let last = self.table.story().filter(|(_, ply)| ply.seat != self.us).last();
        let Some((game, ply)) = last else { return Ok(()) };
        let ask = MoveRequest { clocks: None, limits: Limits::time(COMFORT / 3), lines: 1 };
        let mut choices = Vec::new();
        for text in [ADVISER.to_owned(), format!("{ADVISER},opponent=bayes")] {
            let mut player = made(&text)?;
            player.expect(Some(profile.clone()));
            let started = player.start(ply.seat, self.seed, self.table.clocks());
            started.map_err(|forfeit| anyhow!("the engine {forfeit}"))?;
            let info =
                clocked(&self.spelled(lang.text("play.thinking")), || asked(&mut *player, &game, &ask))?;
            choices.extend(info.lines.first().map(|line| line.actions[0]));
        }
        let [usual, because] = choices[..] else { return Ok(()) };
        let usual_act = words::describe(self.style, &game, usual);
        if usual == because {
            return self.tell(&say!(lang, "me.same", act = usual_act));
        }
        let because = words::describe(self.style, &game, because);
        self.tell(&say!(lang, "me.changed", usual = usual_act, because = because))
    }

    /// `rules`: the game in short; `rules cannon`: a lesson with its boards.
    pub(super) fn rules(&mut self, rest: &str) -> anyhow::Result<()> {
        let lang = self.style.lang();
        if rest.is_empty() {
            self.tell(&short(lang))?;
            return self.tell(lang.text("rules.more"));
        }
        match lesson(self.style, rest) {
            Ok(text) => self.paged(&text),
            Err(why) => self.tell(&why.to_string()),
        }
    }

    /// A text that may be longer than the screen.
    pub(super) fn paged(&mut self, text: &str) -> anyhow::Result<()> {
        self.out.flush()?;
        Ok(show(&self.spelled(text))?)
    }

    /// The person's style and strength, and the engine's response, if its model reports them.
    fn estimate(&self) -> Option<String> {
        let lang = self.style.lang();
        let said = words::opponent(lang, &self.player.summary())?;
        Some(say!(lang, "me.like", said = said))
    }

    /// The engine's opinion of the person; `None` if it does not study its opponent.
    pub(super) fn studied(&self) -> Option<String> {
        let lang = self.style.lang();
        if let Some(estimate) = self.estimate() {
            return Some(estimate);
        }
        let styles = self.player.profile()?.styles;
        let (style, probability) = styles.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(if *probability < KNOWN {
            lang.text("me.unknown").to_owned()
        } else {
            let percent = format!("{:.0}", 100.0 * probability);
            say!(lang, "me.known", habit = words::habit(lang, style), percent = percent)
        })
    }
}

fn made(text: &str) -> anyhow::Result<Box<dyn Player<Banqi>>> {
    builtin(text, &assets()).map_err(|e| anyhow!("{e}"))
}

/// The analysis of a player before it chooses.
fn asked(player: &mut dyn Player<Banqi>, game: &Banqi, ask: &MoveRequest) -> anyhow::Result<Info<Banqi>> {
    // With one line a search does not compare choices, and has no outcomes of flips.
    let ask = MoveRequest { lines: ask.lines.max(2), ..*ask };
    let mut seen = None;
    let choice = player.think(game, &ask, &Stop::default(), &mut |info| seen = Some(info.clone()));
    choice.map_err(|forfeit| anyhow!("the engine {forfeit}"))?;
    seen.ok_or_else(|| anyhow!("expected the engine to say what it sees"))
}
