//! The game of Banqi taught from nothing, lesson by lesson, with boards that are played through (`lang/lessons.json`, shared by every front end).
//!
//! What a lesson says is in the files of texts under `lesson.KEY.title` and `lesson.KEY.text`. What may be played on its boards, what may not and
//! how games end there is asked of the rules, never written down, and a test holds every board to what its lesson needs it for.

use std::sync::LazyLock;

use anglerfish_rules::banqi::{Action, Banqi, Color, Event, Piece, Repetition, Role, RuleSet, Stuck};
use anglerfish_rules::{Game, NotationError, Outcome, Reason, Seat, Turn};
use serde::Deserialize;

use crate::words::{self, Words};
use crate::{Lang, say};

/// One thing to know.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// Its name, in keys of texts and on the command line.
    pub key: String,
    /// Boards that show it.
    pub diagrams: Vec<Diagram>,
}

/// A board, and what it shows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Diagram {
    position: String,
    #[serde(default)]
    legal: Vec<String>,
    #[serde(default)]
    refused: Vec<String>,
    #[serde(default)]
    plies: Vec<String>,
    /// How the game ends with the last of its plies, as in a record: `1-0 no-pieces`.
    #[serde(default)]
    pub ends: Option<String>,
}

static LESSONS: LazyLock<Vec<Lesson>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../lang/lessons.json")).expect("a test reads every lesson")
});

/// Every lesson, in the order in which one learns.
pub fn lessons() -> &'static [Lesson] {
    &LESSONS
}

/// Words for pieces besides those in the files of texts; the lesson of [`topic`] is that of the first piece.
const ALSO: [(Role, &[&str]); 7] = [
    (Role::King, &["general", "帥", "帅", "將", "将"]),
    (Role::Guard, &["advisor", "adviser", "mandarin", "仕", "士"]),
    (Role::Minister, &["elephant", "bishop", "相", "象"]),
    (Role::Rook, &["chariot", "car", "俥", "車", "车"]),
    (Role::Knight, &["horse", "傌", "馬", "马"]),
    (Role::Cannon, &["炮", "砲", "包"]),
    (Role::Pawn, &["soldier", "兵", "卒"]),
];

/// The lesson about a word: its own key or title, or the name of a piece (`pawn`, `red pawn`, `炮`), in any language.
pub fn topic(word: &str) -> Option<&'static str> {
    let word = word.trim().to_lowercase();
    let is = |text: &str| !word.is_empty() && text.to_lowercase() == word;
    let titled = |lesson: &&Lesson| {
        let title = format!("lesson.{}.title", lesson.key);
        is(&lesson.key) || Lang::ALL.into_iter().any(|lang| is(lang.text(&title)))
    };
    if let Some(lesson) = lessons().iter().find(titled) {
        return Some(&lesson.key);
    }
    let plural = word.strip_suffix('s').unwrap_or(&word);
    let named = |piece: &Piece| {
        let also = ALSO.iter().find(|(role, _)| *role == piece.role()).map_or(&[][..], |(_, words)| words);
        let texts = Lang::ALL.into_iter().flat_map(|lang| {
            ["piece", "unit"].map(|kind| lang.say(&format!("{kind}.{piece}"), &[]).to_lowercase())
        });
        also.contains(&plural) || texts.into_iter().any(|text| text == word || text == plural)
    };
    let lesson = match Piece::ALL.iter().find(|piece| named(piece))?.role() {
        Role::King | Role::Pawn => "king",
        Role::Cannon => "cannon",
        _ => "ranks",
    };
    Some(lesson)
}

impl Diagram {
    /// The game as it stands at first.
    ///
    /// # Panics
    /// Never: a test reads every lesson. So of the other questions here.
    pub fn start(&self) -> Banqi {
        read(&self.position)
    }

    /// What may be played there, as far as it is shown.
    pub fn legal(&self) -> Vec<Action> {
        self.legal.iter().map(|text| read(text)).collect()
    }

    /// What may not be played there, as far as it is shown.
    pub fn refused(&self) -> Vec<Action> {
        self.refused.iter().map(|text| read(text)).collect()
    }

    /// What is played there, each event with the game before it, and the game after the last.
    pub fn played(&self) -> (Vec<(Banqi, Event)>, Banqi) {
        let mut game = self.start();
        let mut played = Vec::new();
        for text in &self.plies {
            let event = read(text);
            played.push((game.clone(), event));
            game.apply(event);
        }
        (played, game)
    }
}

/// What is said of a board: who is to move, what may be played there and what not, and what comes of what is.
pub fn explained(words: impl Into<Words>, diagram: &Diagram) -> Vec<String> {
    let words = words.into();
    let lang = words.lang;
    let game = diagram.start();
    let (played, last) = diagram.played();
    let side = match game.position().side() {
        Some(color) => say!(lang, "rules.to_move", color = lang.text(color_key(color))),
        None => lang.text("rules.first_move").to_owned(),
    };
    let preset = game.ruleset().to_string().split(',').next().unwrap_or_default().to_owned();
    let mut list = vec![format!("{side}; {}", say!(lang, "rules.under", rules = preset))];
    for action in diagram.legal() {
        list.push(say!(lang, "rules.allowed", act = words::describe(words, &game, action)));
    }
    for action in diagram.refused() {
        let why = game.refusal(action).map_or(String::new(), |why| words::refuse(words, why));
        list.push(say!(lang, "rules.not_allowed", act = action, why = why));
    }
    if played.len() > 4 {
        let all: Vec<String> = played.iter().map(|(_, event)| event.to_string()).collect();
        list.push(say!(lang, "rules.played", act = all.join(" ")));
    } else {
        for (before, event) in &played {
            list.push(match *event {
                Event::Flip { at, piece } => say!(lang, "rules.flipped", at = at, piece = words.title(piece)),
                Event::Move { .. } => {
                    say!(lang, "rules.played", act = words::describe(words, before, event.action()))
                }
            });
        }
    }
    if !played.is_empty() {
        list.push(ended(lang, &last));
    }
    list
}

/// How a game ended, or that it goes on.
pub fn ended(lang: Lang, game: &Banqi) -> String {
    let Turn::Over(outcome, reason) = game.turn() else { return lang.text("rules.goes_on").to_owned() };
    let loser = match outcome {
        Outcome::Win(team) => [Seat(0), Seat(1)].into_iter().find(|seat| seat.team() != team),
        Outcome::Draw => None,
    };
    let color = loser.and_then(|seat| game.color_of(seat)).map_or("", |color| lang.text(color_key(color)));
    match reason {
        Reason::NoPieces => say!(lang, "rules.ends.no_pieces", color = color),
        Reason::NoMove => say!(lang, "rules.ends.no_move", color = color),
        Reason::Quiet => lang.text("rules.ends.quiet").to_owned(),
        _ => lang.text("rules.ends.repetition").to_owned(),
    }
}

/// How games end under some rules.
pub fn endings(lang: Lang, rules: &RuleSet) -> Vec<String> {
    let quiet = if rules.flip_resets { "preset.quiet" } else { "preset.quiet_ignored" };
    let repetition = match rules.repetition {
        Repetition::None => lang.text("preset.no_repetition").to_owned(),
        Repetition::Position(n) => say!(lang, "preset.position", n = n),
        Repetition::Cycle(n) => say!(lang, "preset.cycle", n = n),
    };
    vec![
        say!(lang, quiet, n = rules.quiet),
        repetition,
        lang.text(if rules.elimination { "preset.eliminated" } else { "preset.not_eliminated" }).to_owned(),
        lang.text(if rules.stuck == Stuck::OnTurn { "preset.stuck" } else { "preset.stuck_either" })
            .to_owned(),
        lang.text(if rules.draw_first { "preset.draw_first" } else { "preset.win_first" }).to_owned(),
    ]
}

/// How a piece takes another: `x` by moving onto it, `j` by jumping over one piece, `-` not at all.
pub fn takes(mover: Role, victim: Role) -> &'static str {
    match mover {
        Role::Cannon => "j",
        _ if mover.takes(victim) => "x",
        _ => "-",
    }
}

fn color_key(color: Color) -> &'static str {
    match color {
        Color::Red => "color.red",
        Color::Black => "color.black",
    }
}

fn read<T: std::str::FromStr<Err = NotationError>>(text: &str) -> T {
    text.parse().unwrap_or_else(|e| panic!("a test reads every lesson: {e}"))
}

#[cfg(test)]
mod tests {
    use anglerfish_rules::banqi::WhyNot;

    use super::*;

    #[test]
    fn every_name_of_a_piece_has_its_lesson() {
        for (word, lesson) in [
            ("pawn", "king"),
            ("Pawns", "king"),
            ("soldier", "king"),
            ("兵", "king"),
            ("卒", "king"),
            ("炮", "cannon"),
            ("砲", "cannon"),
            ("cannon", "cannon"),
            ("红炮", "cannon"),
            ("red rook", "ranks"),
            ("车", "ranks"),
            ("elephant", "ranks"),
            ("翻棋", "flip"),
            ("Winning", "win"),
        ] {
            assert_eq!(topic(word), Some(lesson), "{word}");
        }
        for piece in Piece::ALL {
            assert!(Lang::ALL.into_iter().all(|lang| topic(&lang.glyph(piece).to_string()).is_some()));
        }
        assert_eq!([topic("castling"), topic(""), topic("s")], [None; 3]);
    }

    #[test]
    fn boards_show_what_lessons_say() {
        for lesson in lessons() {
            for diagram in &lesson.diagrams {
                let at = format!("{}: {}", lesson.key, diagram.position);
                let game = diagram.start();
                for action in diagram.legal() {
                    assert!(game.is_legal(action), "{at}: {action}");
                }
                for action in diagram.refused() {
                    assert!(game.refusal(action).is_some(), "{at}: {action}");
                }
                let (played, last) = diagram.played();
                for (before, event) in &played {
                    assert!(before.is_possible(*event), "{at}: {event}");
                }
                let ended = match last.turn() {
                    Turn::Over(outcome, reason) => Some(format!("{} {}", outcome.text(), reason.text())),
                    Turn::Seat(_) => None,
                };
                assert_eq!(ended, diagram.ends, "{at}");
            }
        }
    }

    /// Whatever the rules can refuse is refused on some board, every capture that ranks decide has its like, and every rule that presets
    /// disagree on ends, or does not end, a game both ways.
    #[test]
    fn no_rule_is_left_out() {
        let diagrams = || lessons().iter().flat_map(|lesson| &lesson.diagrams);
        let refusals: Vec<WhyNot> =
            diagrams().flat_map(|d| d.refused().into_iter().filter_map(|a| d.start().refusal(a))).collect();
        let refused = |name: &str| refusals.iter().any(|why| format!("{why:?}").starts_with(name));
        for name in [
            "FlipFirst",
            "FaceDown",
            "Theirs",
            "Unknown",
            "TooFar(",
            "TooFarToTake",
            "Own",
            "Jump",
            "KingTakesPawn",
            "Rank",
        ] {
            assert!(refused(name), "{name}");
        }
        let ranks = |piece: Role, victim: Role| {
            refusals
                .iter()
                .any(|why| matches!(why, WhyNot::Rank(p, v) if (p.role(), v.role()) == (piece, victim)))
        };
        assert!(ranks(Role::Pawn, Role::Cannon) && ranks(Role::Rook, Role::Minister));
        let ends: Vec<&str> = diagrams().filter_map(|d| d.ends.as_deref()).collect();
        for end in ["1-0 no-pieces", "1-0 no-move", "1/2-1/2 quiet", "1/2-1/2 repetition"] {
            assert!(ends.contains(&end), "{end}");
        }
        let shown =
            |rules: fn(&RuleSet) -> bool| diagrams().any(|d| d.ends.is_some() && rules(d.start().ruleset()));
        let platform = RuleSet::PLATFORM;
        assert!(shown(|r| r.repetition != RuleSet::PLATFORM.repetition) && shown(|r| !r.elimination));
        assert!(
            shown(|r| !r.flip_resets)
                && shown(|r| r.draw_first)
                && shown(|r| r.stuck != RuleSet::PLATFORM.stuck)
        );
        assert!(
            diagrams().any(|d| d.start().ruleset().repetition == platform.repetition && d.ends.is_some())
        );
        for (name, _) in RuleSet::PRESETS {
            for lang in Lang::ALL {
                let key = format!("preset.{name}");
                assert_ne!(lang.text(&key), key, "{}", lang.tag());
            }
        }
        for lesson in lessons() {
            for part in ["title", "text"] {
                let key = format!("lesson.{}.{part}", lesson.key);
                assert!(Lang::ALL.iter().all(|lang| lang.text(&key) != key), "{key}");
            }
        }
    }
}
