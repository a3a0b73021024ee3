//! A game at the terminal with all its participants: prompts, answers, and the commands other than advice.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anglerfish_arena::{Clocks, MoveRequest, Player, Refusal, SystemClock, Table};
use anglerfish_engine::luck::{GameLuck, Judge};
use anglerfish_engine::{Clock, Limits, Stop};
use anglerfish_report::lessons::topic;
use anglerfish_report::{columns, wrapped};
use anglerfish_report::{say, words};
use anglerfish_rules::banqi::{Action, Banqi, Event, Square};
use anglerfish_rules::{Forfeit, Game, Ply, Seat};
use anyhow::{Context, anyhow};

use super::advice::Advice;
use super::command::{COMMANDS, Command, Typed};
use super::lines::{Heard, Lines};
use super::view::View;
use crate::board::{Style, terminal};
use crate::keep::Keep;
use crate::legend::legend;
use crate::output::write_out;
use crate::progress::clocked;

/// The longest time that a person waits for the engine.
pub(super) const COMFORT: Duration = Duration::from_secs(3);

/// A game with its players and its place on the disk.
pub(super) struct Session<W> {
    pub(super) table: Table<Banqi>,
    pub(super) clock: SystemClock,
    /// The clocks at the start of the game, for undo.
    pub(super) start: Clocks,
    pub(super) timed: bool,
    pub(super) us: Seat,
    pub(super) opponent: String,
    /// The engine's level, if it is one.
    pub(super) level: Option<String>,
    pub(super) player: Box<dyn Player<Banqi>>,
    /// The analysis that `hint` and `why` show; made at the first request at a position.
    pub(super) advice: Option<Advice>,
    /// Judges moves: warnings before blunders, and reviews.
    pub(super) judge: Judge<Banqi>,
    /// Whether to warn before blunders.
    pub(super) teach: bool,
    /// The luck and the mistakes of the finished game, once they are judged.
    pub(super) judged: Option<GameLuck<Banqi>>,
    pub(super) style: Style,
    pub(super) seed: u64,
    pub(super) lines: Lines,
    /// A line that was typed instead of an answer to a question.
    pub(super) pending: Option<String>,
    /// The file of the game; `None` if it cannot be kept.
    pub(super) keep: Option<Keep>,
    /// The ply whose board is shown, if not the last.
    pub(super) looking: Option<usize>,
    pub(super) out: W,
}

/// Answers to a question.
const YES: [&str; 6] = ["y", "yes", "是", "好", "對", "对"];
const NO: [&str; 6] = ["n", "no", "否", "不", "不要", "不是"];

/// What follows a line.
pub(super) enum Next {
    /// The same person is asked again.
    MoveRequest,
    /// The board is shown first: it has changed.
    Show,
    Leave,
}

impl<W: Write> Session<W> {
    /// The words before the first game of a session.
    pub(super) fn greet(&mut self) -> anyhow::Result<()> {
        let lang = self.style.lang();
        let played = self.table.record().plies.len();
        if played > 0 {
            return self.tell(&say!(lang, "play.goes_on", n = played));
        }
        self.tell(lang.text("play.welcome"))?;
        if let Some(level) = &self.level {
            let key = format!("level.{level}");
            self.tell(&say!(lang, "play.opponent", name = self.opponent, about = lang.text(&key)))?;
        }
        if self.keep.as_ref().is_some_and(Keep::is_first) { self.legend() } else { Ok(()) }
    }

    /// Plays until the game is over or the person leaves; whether a rematch is wanted.
    pub(super) fn play(&mut self) -> anyhow::Result<bool> {
        let them = Seat(1 - self.us.0);
        let started = self.player.start(them, self.seed, self.table.clocks());
        started.map_err(|forfeit| anyhow!("the engine {forfeit}"))?;
        let story: Vec<(Banqi, Ply<Event>)> = self.table.story().collect();
        for (before, ply) in &story {
            self.spread(before, ply)?;
        }
        let mut shown = false;
        while let Some(seat) = self.table.to_move() {
            if seat == them {
                self.answer()?;
                shown = false;
                continue;
            }
            if !std::mem::replace(&mut shown, true) {
                self.show()?;
            }
            match self.prompt()? {
                Next::MoveRequest => {}
                Next::Show => shown = false,
                Next::Leave => {
                    self.leave()?;
                    return Ok(false);
                }
            }
        }
        self.finish()?;
        self.after()
    }

    /// Prints a text, in lines that fit the terminal.
    pub(super) fn tell(&mut self, text: &str) -> anyhow::Result<()> {
        let text = self.spelled(text);
        for line in text.lines() {
            // Columns begin with spaces and stay unchanged.
            if line.starts_with(' ') {
                writeln!(self.out, "{line}")?;
            } else {
                writeln!(self.out, "{}", wrapped(line, width()))?;
            }
        }
        Ok(())
    }

    /// A text as the terminal can show it.
    pub(super) fn spelled(&self, text: &str) -> String {
        if self.style.plain() { text.replace('…', "...").replace('±', "+-") } else { text.to_owned() }
    }

    /// Plays an action of the seat to move and tells all participants; `false` if the board is unchanged.
    fn act(&mut self, action: Action, ours: bool) -> anyhow::Result<bool> {
        let before = self.table.game().clone();
        match self.table.act(action, self.clock.now()) {
            Ok(ply) => {
                self.spread(&before, &ply)?;
                self.save_game();
                self.tell(&words::tell(self.style, &before, ply.event, ours))?;
                Ok(true)
            }
            // The flag has fallen, and the game is over.
            Err(Refusal::Late(_)) => {
                self.save_game();
                Ok(true)
            }
            Err(Refusal::Illegal(illegal)) => {
                let why = before.refusal(action).map_or(illegal.why, |why| words::refuse(self.style, why));
                self.tell(&say!(self.style.lang(), "play.not_allowed", why = why))?;
                Ok(false)
            }
        }
    }

    /// Keeps the game as it stands. A game that cannot be kept goes on, and the player is told once.
    pub(super) fn save_game(&mut self) {
        let Some(keep) = &self.keep else { return };
        if let Err(error) = keep.write(self.table.record()) {
            self.keep = None;
            let lang = self.style.lang();
            // If this fails too, the terminal is gone.
            let _ = self.tell(&say!(lang, "play.cannot_keep", why = format!("{error:#}")));
        }
    }

    pub(super) fn show(&mut self) -> anyhow::Result<()> {
        let width = width();
        let ply = self.looking.unwrap_or(self.table.record().plies.len());
        let Session { table, us, opponent, timed, .. } = self;
        let text = View { table, us: *us, opponent, timed: *timed, ply }.draw(self.style, width);
        Ok(write!(self.out, "\n{text}")?)
    }

    /// Tells the engine what was played.
    fn spread(&mut self, before: &Banqi, ply: &Ply<Event>) -> anyhow::Result<()> {
        let heard = self.player.observe(before, ply, self.table.clocks());
        heard.map_err(|forfeit| anyhow!("the engine {forfeit}"))
    }

    /// Lets the engine move.
    fn answer(&mut self) -> anyhow::Result<()> {
        let clocks = self.timed.then_some(*self.table.clocks());
        let ask = MoveRequest { clocks, limits: Limits::time(COMFORT), lines: 1 };
        let thinking = self.spelled(self.style.lang().text("play.thinking"));
        let (player, game) = (&mut self.player, self.table.game());
        let choice = clocked(&thinking, || player.think(game, &ask, &Stop::default(), &mut |_| {}));
        let choice = choice.map_err(|forfeit| anyhow!("the engine {forfeit}"))?;
        self.act(choice.action, false).map(drop)
    }

    /// Reads one line and carries it out.
    fn prompt(&mut self) -> anyhow::Result<Next> {
        let lang = self.style.lang();
        let Some(line) = self.read(lang.text("play.prompt"))? else { return Ok(Next::Leave) };
        if self.table.expire(self.clock.now()).is_some() {
            self.save_game();
            return Ok(Next::Show);
        }
        match Typed::read(&line, lang) {
            Typed::Nothing => Ok(Next::MoveRequest),
            Typed::Unknown => {
                // Control characters are not echoed.
                self.tell(&say!(lang, "play.unknown", line = format!("{line:?}")))?;
                Ok(Next::MoveRequest)
            }
            Typed::Play(action) => self.typed(action),
            Typed::Command(command, rest) => self.carry_out(command, &rest),
        }
    }

    /// A move was typed.
    fn typed(&mut self, action: Action) -> anyhow::Result<Next> {
        let lang = self.style.lang();
        if self.looking.take().is_some() {
            self.tell(lang.text("play.was_looking"))?;
            return Ok(Next::Show);
        }
        if self.table.game().is_legal(action) && !self.is_meant(action)? {
            return Ok(Next::MoveRequest);
        }
        Ok(if self.act(action, true)? { Next::Show } else { Next::MoveRequest })
    }

    pub(super) fn carry_out(&mut self, command: Command, rest: &str) -> anyhow::Result<Next> {
        let lang = self.style.lang();
        match command {
            Command::Help => self.help_with(rest)?,
            Command::Legend => self.legend()?,
            Command::Board => self.show()?,
            Command::Moves | Command::Flip => self.moves()?,
            Command::Hint => self.hint(rest)?,
            Command::Why => self.why(rest)?,
            Command::Me => self.me()?,
            Command::Rules => self.rules(rest)?,
            Command::Save => self.save(rest)?,
            Command::Back => return self.look(rest, true),
            Command::Forward => return self.look(rest, false),
            // A kept game is not lost, so there is nothing to ask.
            Command::Quit if self.is_kept() || self.confirmed(lang.text("play.sure_quit"))? => {
                return Ok(Next::Leave);
            }
            Command::Resign if self.confirmed(lang.text("play.sure_resign"))? => {
                self.table.forfeit(self.us, Forfeit::Resigned, self.clock.now());
                self.save_game();
                return Ok(Next::Show);
            }
            Command::Quit | Command::Resign => {}
            Command::Rematch | Command::Review | Command::Retry => self.tell(lang.text("after.not_yet"))?,
            Command::Undo => return self.undo(rest),
        }
        Ok(Next::MoveRequest)
    }

    /// Reads a line; `None` at the end of the input.
    pub(super) fn read(&mut self, prompt: &str) -> anyhow::Result<Option<String>> {
        if let Some(line) = self.pending.take() {
            return Ok(Some(line));
        }
        self.out.flush()?;
        match self.lines.read(prompt)? {
            Heard::Line(line) => Ok(Some(line)),
            Heard::End => Ok(None),
        }
    }

    /// Asks for a confirmation, which must be a yes. An answer that is neither yes nor no is no, and is read again
    /// as the next line, so that it is not lost.
    pub(super) fn confirmed(&mut self, question: &str) -> anyhow::Result<bool> {
        let lang = self.style.lang();
        let text = wrapped(&format!("{question}{}", lang.text("play.yes_no")), width() - 1);
        // An editor keeps its prompt on one line.
        let (above, last) = text.rsplit_once('\n').unwrap_or(("", &text));
        if !above.is_empty() {
            writeln!(self.out, "{above}")?;
        }
        let answer = self.read(&format!("{last} "))?.unwrap_or_default();
        let said = answer.to_lowercase();
        if YES.contains(&said.as_str()) {
            return Ok(true);
        }
        if !said.is_empty() && !NO.contains(&said.as_str()) {
            self.pending = Some(answer);
        }
        Ok(false)
    }

    /// Whether the game is on the disk as it stands, or has nothing to lose.
    fn is_kept(&self) -> bool {
        self.keep.is_some() || self.table.record().plies.is_empty()
    }

    /// What the board and the pieces look like.
    fn legend(&mut self) -> anyhow::Result<()> {
        Ok(write!(self.out, "\n{}", legend(self.style, width()))?)
    }

    /// `help`: all commands; `help pieces`: the legend; `help cannon`: a lesson.
    fn help_with(&mut self, rest: &str) -> anyhow::Result<()> {
        let lang = self.style.lang();
        match Typed::read(rest, lang) {
            Typed::Command(Command::Legend, _) => self.legend(),
            _ if topic(rest).is_some() => self.rules(rest),
            _ => self.help(),
        }
    }

    fn help(&mut self) -> anyhow::Result<()> {
        let lang = self.style.lang();
        let rows = COMMANDS.map(|(name, _)| {
            (lang.text(&format!("usage.{name}")).to_owned(), lang.text(&format!("help.{name}")).to_owned())
        });
        let moves = ["usage.step", "help.step"].map(|key| lang.text(key).to_owned());
        let [first, second] = moves;
        let mut all = vec![rows[0].clone(), (first, second)];
        all.extend_from_slice(&rows[1..]);
        let left = all.iter().map(|(usage, _)| columns(usage)).max().unwrap_or(0) + 4;
        // On a terminal too narrow for two columns, the description stands below the command.
        let beside = width() >= left + 22;
        let indent = if beside { left } else { 4 };
        for (usage, help) in all {
            let help = wrapped(&help, width() - indent).replace('\n', &format!("\n{}", " ".repeat(indent)));
            let gap =
                if beside { " ".repeat(left - 2 - columns(&usage)) } else { format!("\n{}", " ".repeat(4)) };
            writeln!(self.out, "  {usage}{gap}{help}")?;
        }
        Ok(())
    }

    /// `undo`: takes back our last move and all later plies; `undo 3`: our last three.
    fn undo(&mut self, rest: &str) -> anyhow::Result<Next> {
        let lang = self.style.lang();
        let wanted = if rest.is_empty() { Some(1) } else { rest.parse().ok().filter(|n| *n > 0) };
        let Some(wanted) = wanted else {
            self.tell(&say!(lang, "play.expected_number", found = format!("{rest:?}")))?;
            return Ok(Next::MoveRequest);
        };
        let plies = &self.table.record().plies;
        let ours: Vec<usize> = (0..plies.len()).filter(|&n| plies[n].seat == self.us).collect();
        let Some(&to) = ours.len().checked_sub(wanted).and_then(|n| ours.get(n)) else {
            let n = ours.len();
            self.tell(&match n {
                0 => lang.text("play.nothing_to_undo").to_owned(),
                _ => say!(lang, "play.too_much_to_undo", n = n, wanted = wanted),
            })?;
            return Ok(Next::MoveRequest);
        };
        let flipped = plies[to..].iter().any(|ply| matches!(ply.event, Event::Flip { .. }));
        self.looking = None;
        self.table.take_back(to, self.start, self.clock.now());
        self.save_game();
        self.tell(&match wanted {
            1 => lang.text("play.undone").to_owned(),
            _ => say!(lang, "play.undone_more", n = wanted),
        })?;
        if flipped {
            self.tell(lang.text("play.undone_flip"))?;
        }
        Ok(Next::Show)
    }

    /// Shows the board some plies before or after the current one.
    pub(super) fn look(&mut self, rest: &str, back: bool) -> anyhow::Result<Next> {
        let lang = self.style.lang();
        let last = self.table.record().plies.len();
        let at = self.looking.unwrap_or(last);
        let by = rest.parse::<usize>().ok().filter(|_| !rest.is_empty());
        let Some(by) = by.or(rest.is_empty().then_some(1)) else {
            self.tell(&say!(lang, "play.expected_number", found = format!("{rest:?}")))?;
            return Ok(Next::MoveRequest);
        };
        let to = if back { at.saturating_sub(by) } else { at.saturating_add(by).min(last) };
        if to == at {
            self.tell(lang.text(if back { "play.at_start" } else { "play.at_end" }))?;
            return Ok(Next::MoveRequest);
        }
        self.looking = Some(to).filter(|to| *to < last);
        let story = to.checked_sub(1).and_then(|n| self.table.story().nth(n));
        if let Some((before, ply)) = story {
            self.tell(&words::tell(self.style, &before, ply.event, ply.seat == self.us))?;
        }
        self.show()?;
        if to < last {
            self.tell(&say!(lang, "play.looking", n = to, last = last))?;
        }
        Ok(Next::MoveRequest)
    }

    /// All legal actions: captures one by one, steps by piece, and flips.
    fn moves(&mut self) -> anyhow::Result<()> {
        let (lang, game) = (self.style.lang(), self.table.game().clone());
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let piece = |at: Square| game.position().piece_at(at);
        let mut steps: Vec<(Square, Vec<String>)> = Vec::new();
        let (mut takes, mut flips) = (Vec::new(), Vec::new());
        for action in actions {
            match action {
                Action::Flip(at) => flips.push(at.to_string()),
                Action::Move { to, .. } if piece(to).is_some() => {
                    takes.push(words::describe(self.style, &game, action));
                }
                Action::Move { from, to } => match steps.iter_mut().find(|(at, _)| *at == from) {
                    Some((_, list)) => list.push(to.to_string()),
                    None => steps.push((from, vec![to.to_string()])),
                },
            }
        }
        steps.sort();
        for take in &takes {
            self.tell(&say!(lang, "moves.take", act = take))?;
        }
        for (from, to) in steps {
            let mover = piece(from).map_or(String::new(), |p| self.style.title(p));
            self.tell(&say!(lang, "moves.step", mover = mover, from = from, to = to.join(" ")))?;
        }
        if !flips.is_empty() {
            self.tell(&say!(lang, "moves.flip", list = flips.join(" ")))?;
        }
        Ok(())
    }

    fn save(&mut self, path: &str) -> anyhow::Result<()> {
        let lang = self.style.lang();
        if path.is_empty() {
            return self.tell(lang.text("play.save_where"));
        }
        if Path::new(path).exists() && !self.confirmed(&say!(lang, "play.sure_overwrite", file = path))? {
            return Ok(());
        }
        let record = self.table.record().to_string();
        match write_out(Path::new(path), |out| Ok(write!(out, "{record}")?)) {
            Ok(()) => self.tell(&say!(lang, "play.saved", file = path)),
            Err(error) => self.tell(&say!(lang, "play.cannot_save", why = format!("{error:#}"))),
        }
    }

    /// The person leaves; the game is kept.
    fn leave(&mut self) -> anyhow::Result<()> {
        let kept = self.keep.is_some() && !self.table.record().plies.is_empty();
        if kept { self.tell(self.style.lang().text("play.kept")) } else { Ok(()) }
    }

    /// Shows the last board, the result, and where the game is.
    fn finish(&mut self) -> anyhow::Result<()> {
        self.looking = None;
        self.show()?;
        let lang = self.style.lang();
        let ending = self.table.ending().context("a game without a turn has ended")?;
        self.tell(&words::result(lang, ending, self.us))?;
        if let Some(studied) = self.studied() {
            self.tell(&studied)?;
        }
        match &self.keep {
            Some(keep) => {
                let n = keep.number();
                self.tell(&say!(lang, "play.finished", n = n))
            }
            None => Ok(()),
        }
    }
}

/// The width for text; unlimited if the output is no terminal.
pub(super) fn width() -> usize {
    terminal().map_or(1000, |columns| columns.clamp(20, 120))
}
