//! One of our own players behind UCI: its options, the limits of `go`, and its lines while it thinks.

use std::fmt::Display;
use std::time::Duration;

use anglerfish_engine::{Config, DrawScope, Info, Limits, SearchGame, level_names};
use anglerfish_rules::banqi::{Action, Banqi, Event, RuleSet};
use anglerfish_rules::{Game, NotationError, Seat, Turn};

use super::super::{Answer, Describe, EngineSession, Refused, Tell, Then, Thought};
use crate::table::{Budget, Clocks};
use crate::table::{MoveRequest, Player};

/// An option of UCI, the engine's setting that it stands for, and its type.
type Choice = (&'static str, Option<&'static str>, fn(&Config) -> String);

/// All options. `DrawValue` is in hundredths.
const OPTIONS: [Choice; 7] = [
    ("Hash", Some("hash"), |config| spin(config.hash_kib.div_ceil(1 << 10), 1, Config::MOST_HASH_MIB)),
    ("Threads", Some("threads"), |config| spin(config.threads, 1, Config::MOST_THREADS)),
    ("MultiPV", None, |_| spin(1, 1, MOST_LINES)),
    ("Ponder", Some("ponder"), |config| format!("check default {}", config.ponder)),
    ("Level", Some("level"), |_| {
        level_names().fold("combo default 0 var 0".to_owned(), |text, level| text + " var " + &level)
    }),
    ("DrawValue", Some("draw"), |config| spin((config.opponent.draw_value.0 * 100.0).round(), -100.0, 100.0)),
    ("DrawScope", Some("draw_scope"), |config| {
        let words = DrawScope::ALL.map(|scope| format!(" var {}", scope.text()));
        format!("combo default {}{}", config.opponent.draw_scope.text(), words.concat())
    }),
];

fn spin<T: Display>(default: T, least: T, most: T) -> String {
    format!("spin default {default} min {least} max {most}")
}

/// The words of `go` that a number follows.
const NUMBERS: [&str; 7] = ["nodes", "depth", "movetime", "wtime", "btime", "winc", "binc"];

/// The most choices that can be compared; no position has more.
const MOST_LINES: usize = 64;

/// One of our own players behind UCI.
pub struct Session {
    engine: EngineSession,
    name: String,
    rules: RuleSet,
    /// The largest time on the clocks in this game, because UCI tells only the time left.
    most: [Duration; 2],
    /// How many choices to compare.
    lines: usize,
    /// Whether the search runs until it is stopped.
    endless: bool,
    /// The request for when the pondered move is played, and whether it was just played.
    ponder: Option<MoveRequest>,
    hit: bool,
    /// The answer of an endless search that ended by itself: it waits for `stop`.
    ripe: Vec<String>,
}

impl Session {
    /// A session for `player` under the name `name`.
    pub fn new(player: Box<dyn Player<Banqi>>, name: &str, rules: RuleSet, seed: u64) -> Session {
        Session {
            engine: EngineSession::new(player, Banqi::start(rules), seed),
            name: name.to_owned(),
            rules,
            most: [Duration::ZERO; 2],
            lines: 1,
            endless: false,
            ponder: None,
            hit: false,
            ripe: Vec::new(),
        }
    }
}

impl super::super::Session for Session {
    fn describe_opponent(&mut self, words: Describe) {
        self.engine.describe = Some(words);
    }

    /// It answers an invalid line with `info string error: …` and nothing changes.
    fn receive(&mut self, line: &str) -> Answer {
        let (verb, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        if self.engine.work().is_some() {
            match verb {
                "stop" => return Answer::then(Then::Interrupt),
                "ponderhit" if self.ponder.is_some() => {
                    self.hit = true;
                    return Answer::then(Then::Interrupt);
                }
                "setoption" | "ucinewgame" | "position" | "go" if self.endless => {
                    return Answer::then(Then::Interrupt);
                }
                "setoption" | "ucinewgame" | "position" | "go" => return Answer::then(Then::Hold),
                _ => {}
            }
        }
        let said = match verb {
            "" => Ok(Vec::new()),
            "stop" => {
                self.ponder = None;
                Ok(std::mem::take(&mut self.ripe))
            }
            "uci" => Ok(self.introduction()),
            "isready" => Ok(vec!["readyok".to_owned()]),
            "setoption" => self.set_option(rest.trim()).map(|()| Vec::new()),
            "ucinewgame" => {
                self.engine.reset(Banqi::start(self.rules));
                self.most = [Duration::ZERO; 2];
                Ok(Vec::new())
            }
            "position" => self.position(rest.trim()).map(|()| Vec::new()),
            "d" => Ok(self.display()),
            "go" => return self.go(rest),
            "ponderhit" => match self.ponder.take() {
                Some(ask) => return self.think(&ask, false),
                None => Ok(Vec::new()),
            },
            "quit" => return Answer::then(Then::Quit),
            _ => Err(format!("unknown command {:?}", verb.chars().take(20).collect::<String>()).into()),
        };
        said.map_or_else(error, |lines| Answer { lines, ..Answer::default() })
    }

    fn thought(&mut self, thought: Thought) -> Answer {
        let (expected, stopped) = (thought.expected, thought.stopped);
        let choice = self.engine.back(thought);
        // The pondered move was played: the search begins again, with a table that knows the position.
        if std::mem::take(&mut self.hit) {
            return Answer::silence();
        }
        let best = match (choice, expected) {
            (None, _) => None,
            (Some(Ok(action)), Some(answer @ Action::Move { .. })) => {
                Some(format!("bestmove {action} ponder {answer}"))
            }
            (Some(Ok(action)), _) => Some(format!("bestmove {action}")),
            (Some(Err(why)), _) => return error(why),
        };
        let news = self.engine.news().map(|news| format!("info string {news}"));
        let lines = news.into_iter().chain(best).collect();
        if self.endless && !stopped {
            self.ripe = lines;
            return Answer::silence();
        }
        Answer { lines, ..Answer::default() }
    }
}

/// The number behind a word of `go`. A number that is too large is the largest, and a negative one is 0, because interfaces send it
/// for a clock that has run out; ignoring it would leave a search without a limit.
fn number(words: &[&str], name: &str) -> Option<Result<u64, Refused>> {
    let i = words.iter().position(|word| *word == name)?;
    let found = words.get(i + 1).copied().unwrap_or_default();
    let digits = found.strip_prefix('-').unwrap_or(found);
    Some(if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        Err(format!("expected a number behind {name}, found {found:?}").into())
    } else if digits.len() < found.len() {
        Ok(0)
    } else {
        Ok(digits.parse().unwrap_or(u64::MAX))
    })
}

fn error(Refused(why): Refused) -> Answer {
    Answer::line(format!("info string error: {why}"))
}

impl Session {
    fn introduction(&mut self) -> Vec<String> {
        let mut lines = vec![
            format!("id name {} {}", self.name, env!("CARGO_PKG_VERSION")),
            "id author the Anglerfish developers".to_owned(),
            format!("option name Rules type string default {}", self.rules),
            "option name UCI_Variant type combo default banqi var banqi".to_owned(),
        ];
        if let Some(config) = self.engine.player().and_then(|player| player.config().cloned()) {
            lines.extend(
                OPTIONS.iter().map(|(name, _, kind)| format!("option name {name} type {}", kind(&config))),
            );
        }
        lines.push("uciok".to_owned());
        lines
    }

    /// The position and its legal actions, as information, which a referee that reads along skips.
    fn display(&self) -> Vec<String> {
        let game = self.engine.game();
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let actions = actions.iter().fold(String::new(), |text, action| format!("{text} {action}"));
        let mut lines = vec![format!("info string position {game}"), format!("info string actions{actions}")];
        if let Turn::Over(outcome, reason) = game.turn() {
            lines.push(format!("info string over {} {}", outcome.text(), reason.text()));
        }
        lines
    }

    fn set_option(&mut self, rest: &str) -> Result<(), Refused> {
        let option = rest.strip_prefix("name ").and_then(|o| o.split_once(" value "));
        let (name, value) = option.ok_or("expected setoption name NAME value VALUE")?;
        let (name, value) = (name.trim(), value.trim());
        match name {
            "Rules" => {
                self.rules = value.parse::<RuleSet>()?;
                self.engine.reset(Banqi::start(self.rules));
            }
            "UCI_Variant" if value == "banqi" => {}
            "UCI_Variant" => return Err(format!("expected UCI_Variant banqi, found {value:?}").into()),
            "MultiPV" => {
                let lines = value.parse().ok().filter(|n| (1..=MOST_LINES).contains(n));
                self.lines = lines
                    .ok_or_else(|| format!("expected MultiPV from 1 to {MOST_LINES}, found {value:?}"))?;
            }
            _ => {
                let setting = OPTIONS.iter().find_map(|(option, own, _)| own.filter(|_| *option == name));
                let text = match (name, value) {
                    ("Ponder", "true") => "on".to_owned(),
                    ("Ponder", "false") => "off".to_owned(),
                    ("DrawValue", _) => {
                        let hundredths = value.parse::<i32>();
                        let hundredths =
                            hundredths.map_err(|_| format!("expected hundredths, found {value:?}"))?;
                        (f64::from(hundredths) / 100.0).to_string()
                    }
                    _ => value.to_owned(),
                };
                let Some(player) = self.engine.player() else { return Err("still thinking".into()) };
                // All other options have the names of the engine's settings.
                player.set(setting.unwrap_or(name), &text)?;
                self.engine.stand_up();
            }
        }
        Ok(())
    }

    /// `startpos` or `text <six or seven fields>`, then perhaps `moves` and events.
    fn position(&mut self, rest: &str) -> Result<(), Refused> {
        let (base, events) = match rest.split_once("moves") {
            Some((base, events)) => (base.trim(), events),
            None => (rest, ""),
        };
        let start = match base.strip_prefix("text ") {
            Some(text) => text.trim().parse::<Banqi>()?,
            None if base == "startpos" => Banqi::start(self.rules),
            None => return Err("expected position startpos or position text POSITION".into()),
        };
        let events = events.split_whitespace().map(str::parse);
        self.engine.place(start, &events.collect::<Result<Vec<Event>, NotationError>>()?)
    }

    fn go(&mut self, rest: &str) -> Answer {
        let words: Vec<&str> = rest.split_whitespace().take(32).collect();
        if let Some(why) = NUMBERS.iter().find_map(|name| number(&words, name)?.err()) {
            return error(why);
        }
        let value = |name: &str| number(&words, name)?.ok();
        let time = |name: &str| value(name).map(Duration::from_millis);
        let clocks = match (time("movetime"), time("wtime").zip(time("btime"))) {
            (Some(time), _) => Some(Clocks::new([Budget::Move(time); 2])),
            (None, Some((w, b))) => {
                let increments = ["winc", "binc"].map(|name| time(name).unwrap_or(Duration::ZERO));
                self.most = [self.most[0].max(w), self.most[1].max(b)];
                let budget = |i: usize| Budget::Game { base: self.most[i], increment: increments[i] };
                let mut clocks = Clocks::new([budget(0), budget(1)]);
                clocks.set_left(Seat(0), w);
                clocks.set_left(Seat(1), b);
                Some(clocks)
            }
            (None, None) => None,
        };
        let depth = value("depth").map(|depth| depth.min(100) as u32);
        let limits = Limits { nodes: value("nodes"), depth, ..Limits::default() };
        let endless = words.contains(&"infinite") || clocks.is_none() && limits == Limits::default();
        let ask = MoveRequest { clocks, limits, lines: self.lines };
        let freely = MoveRequest { clocks: None, limits: Limits::default(), lines: self.lines };
        if words.contains(&"ponder") {
            let answer = self.think(&freely, true);
            self.ponder = Some(ask);
            answer
        } else {
            self.think(if endless { &freely } else { &ask }, endless)
        }
    }

    fn think(&mut self, ask: &MoveRequest, endless: bool) -> Answer {
        self.ponder = None;
        self.ripe.clear();
        self.endless = endless;
        if let Some(clocks) = ask.clocks {
            *self.engine.clocks_mut() = clocks;
        }
        let tell: Tell = say;
        self.engine.choose(ask, endless, Some(tell)).map_or_else(error, Answer::then)
    }
}

/// The state of the search, one line per choice. A score of 100 is a won game: hundredths are the nearest thing to centipawns
/// that a game without a unit of material has.
fn say(game: &Banqi, info: &Info<Banqi>) -> Vec<String> {
    let ms = info.time.as_millis();
    let nps = info.nodes as f64 / info.time.as_secs_f64().max(1e-6);
    let many = info.lines.len() > 1;
    let line = |(i, line): (usize, &anglerfish_engine::Line<Banqi>)| {
        let shares = game.shares(line.value);
        let [win, draw, loss] = shares.permille();
        let multipv = if many { format!(" multipv {}", i + 1) } else { String::new() };
        let pv: Vec<String> = line.actions.iter().map(ToString::to_string).collect();
        format!(
            "info depth {}{multipv} score cp {:.0} wdl {win} {draw} {loss} nodes {} nps {nps:.0} time {ms} pv {}",
            info.depth,
            shares.value().0 * 100.0,
            info.nodes,
            pv.join(" ")
        )
    };
    info.lines.iter().enumerate().map(line).collect()
}
