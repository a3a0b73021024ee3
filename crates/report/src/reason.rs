//! Why a choice was a mistake, in the judge's own lines: what the other side takes after it, what was there to take, or how a won game ends in
//! a draw.
//!
//! A [`Reason`] names one capture that anyone can check on the board. Where the judge's lines have none, it does not make one up.

use std::collections::BTreeMap;

use anglerfish_engine::luck::{Judged, Opinion};
use anglerfish_rules::banqi::{Action, Banqi, Color, Event, Piece, Position, Role, Square, history};
use anglerfish_rules::{Game, Outcome, Reason as Ended, Turn};
use serde::Serialize;

use crate::say;
use crate::words::Words;

/// With so few plies left before a draw, a game is nearly drawn.
const LATE: u16 = 6;

/// What a pawn is worth, and the least that is told of.
const PAWN: i64 = 10;

/// A flip is risky from this mean loss on.
const RISK: i64 = PAWN / 2;

/// Why a choice was a mistake.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub enum Reason {
    /// The choice put a piece where it is taken, or uncovered it.
    Hanging {
        /// What follows.
        capture: Capture,
    },
    /// A piece could have been taken.
    MissedCapture {
        /// What could have been.
        capture: Capture,
    },
    /// What comes up may be taken, or may take.
    RiskyFlip {
        /// The worst of what may follow.
        capture: Capture,
        /// In so many of a hundred cases a piece is lost.
        percent: u32,
    },
    /// Nothing was taken or flipped, and a game in which this side has more is nearly drawn.
    QuietDraw {
        /// Plies that are left for a capture or a flip.
        left: u16,
    },
    /// The same position again, in a game in which this side has more.
    Repetition {
        /// Whether the judge sees the game drawn by it.
        drawn: bool,
    },
    /// A piece was in danger already, and still is.
    MissedEscape {
        /// What follows.
        capture: Capture,
        /// In so many of a hundred cases.
        percent: u32,
    },
    /// No single capture is to blame.
    Other {
        /// What the other side does then, where that is known.
        #[cfg_attr(feature = "types", ts(type = "string | null"))]
        reply: Option<Action>,
    },
}

/// A piece that takes another.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Capture {
    /// Who takes.
    #[cfg_attr(feature = "types", ts(type = "string"))]
    pub by: Piece,
    /// From where.
    #[cfg_attr(feature = "types", ts(type = "string"))]
    pub from: Square,
    /// What is taken.
    #[cfg_attr(feature = "types", ts(type = "string"))]
    pub piece: Piece,
    /// Where.
    #[cfg_attr(feature = "types", ts(type = "string"))]
    pub at: Square,
}

impl Capture {
    /// The capture that this action is, if it is one.
    fn of(p: &Position, action: Action) -> Option<Capture> {
        let Action::Move { from, to } = action else { return None };
        Some(Capture { by: p.piece_at(from)?, from, piece: p.piece_at(to)?, at: to })
    }
}

/// Why `choice` was a mistake: from the judge's `better` line, and from how the judge would go on after each outcome.
pub fn reason(game: &Banqi, choice: Action, better: &[Action], fan: &[Judged<Banqi>]) -> Reason {
    let blamed = |us| {
        nearly_drawn(game, us, choice, fan)
            .or_else(|| by_capture(game, us, choice, better, fan))
            .or_else(|| repeats(game, us, choice, fan))
    };
    let reply = || single(fan).and_then(|(_, opinion)| opinion.line.first().copied());
    game.position().side().and_then(blamed).unwrap_or_else(|| Reason::Other { reply: reply() })
}

/// The capture to blame.
fn by_capture(
    game: &Banqi,
    us: Color,
    choice: Action,
    better: &[Action],
    fan: &[Judged<Banqi>],
) -> Option<Reason> {
    let p = game.position();
    // What the choice and the better one take, and what they lose by it.
    let taken = Capture::of(p, choice).map_or(0, |capture| worth(capture.piece));
    let could = better.first().and_then(|action| Capture::of(p, *action));
    let missed = could.map_or(0, |capture| worth(capture.piece)) - taken;
    let spared = better_loss(game, better);
    let losses: Vec<Loss> = fan.iter().map(|outcome| Loss::after(game, outcome)).collect();
    let total: i64 = losses.iter().map(|loss| loss.weight).sum::<i64>().max(1);
    let mean = losses.iter().map(|loss| loss.weight * loss.net).sum::<i64>() / total;
    if let Some(capture) = could.filter(|_| missed >= PAWN && missed >= mean - spared) {
        return Some(Reason::MissedCapture { capture });
    }
    let (capture, weight) = worst(&losses)?;
    let share = |weight: i64| ((200 * weight + total) / (2 * total)) as u32;
    // A piece that moved was in danger where it came from.
    let stood = match choice {
        Action::Move { from, to } if to == capture.at => from,
        _ => capture.at,
    };
    if mean - spared >= PAWN && threatened(p, us, stood) && rescues(game, us, better, stood) {
        return Some(Reason::MissedEscape { capture, percent: share(weight) });
    }
    if matches!(choice, Action::Flip(_)) {
        // What was in danger before is not the fault of the flip.
        let brought = |loss: &Loss| loss.capture.is_some_and(|capture| !threatened(p, us, capture.at));
        let brought: Vec<Loss> = losses.into_iter().filter(brought).collect();
        let mean = brought.iter().map(|loss| loss.weight * loss.net).sum::<i64>() / total;
        let all = brought.iter().map(|loss| loss.weight).sum();
        let (capture, _) = worst(&brought).filter(|_| mean - spared >= RISK)?;
        return Some(Reason::RiskyFlip { capture, percent: share(all) });
    }
    (mean - spared >= PAWN).then_some(Reason::Hanging { capture })
}

/// What an outcome loses at once.
struct Loss {
    weight: i64,
    net: i64,
    capture: Option<Capture>,
}

impl Loss {
    fn after(game: &Banqi, (chance, opinion): &Judged<Banqi>) -> Loss {
        let mut after = game.clone();
        after.apply(chance.event);
        let (net, capture) = exchange(&after, &opinion.line);
        Loss { weight: i64::from(chance.weight), net, capture }
    }
}

/// What the first action of a line takes, less what the second takes back on the same square.
fn exchange(game: &Banqi, line: &[Action]) -> (i64, Option<Capture>) {
    let capture = line.first().and_then(|action| Capture::of(game.position(), *action));
    let Some(capture) = capture else { return (0, None) };
    let back = match line.get(1) {
        Some(Action::Move { to, .. }) if *to == capture.at => worth(capture.by),
        _ => 0,
    };
    let net = worth(capture.piece) - back;
    if net > 0 { (net, Some(capture)) } else { (0, None) }
}

/// What the judge's own choice loses at once.
fn better_loss(game: &Banqi, better: &[Action]) -> i64 {
    let [Action::Move { from, to }, rest @ ..] = better else { return 0 };
    let mut after = game.clone();
    after.apply(Event::Move { from: *from, to: *to });
    exchange(&after, rest).0
}

/// The capture that loses most over all outcomes, and their weight.
fn worst(losses: &[Loss]) -> Option<(Capture, i64)> {
    let mut sums: BTreeMap<usize, (i64, i64, Capture)> = BTreeMap::new();
    for loss in losses {
        if let Some(capture) = loss.capture {
            let sum = sums.entry(capture.at.index()).or_insert((0, 0, capture));
            sum.0 += loss.weight * loss.net;
            sum.1 += loss.weight;
        }
    }
    sums.into_values().max_by_key(|sum| sum.0).map(|(_, weight, capture)| (capture, weight))
}

/// Whether the other side could take the piece on this square if it were to move.
fn threatened(p: &Position, us: Color, at: Square) -> bool {
    let takes = |action: Action| matches!(action, Action::Move { to, .. } if to == at);
    p.piece_at(at).is_some_and(|piece| piece.color() == us) && p.moves_of(us.other()).iter().any(takes)
}

/// Whether the piece on this square cannot be taken after the better choice, or only be exchanged.
fn rescues(game: &Banqi, us: Color, better: &[Action], stood: Square) -> bool {
    let (after, at) = match better.first() {
        Some(&Action::Move { from, to }) => {
            let mut after = *game.position();
            after.play(Event::Move { from, to }, game.ruleset());
            (after, if from == stood { to } else { stood })
        }
        // Far from the piece, a flip changes nothing.
        _ => (game.position().passed(), stood),
    };
    let attacks = |p: &Position, side: Color| -> Vec<Action> {
        let takes = |action: &Action| matches!(action, Action::Move { to, .. } if *to == at);
        p.moves_of(side).iter().filter(takes).collect()
    };
    attacks(&after, us.other()).into_iter().all(|attack| {
        let Action::Move { from, to } = attack else { return true };
        let mut taken = after;
        taken.play(Event::Move { from, to }, game.ruleset());
        !attacks(&taken, us).is_empty()
    })
}

/// How a choice that takes and flips nothing has a won game end as a draw.
fn nearly_drawn(game: &Banqi, us: Color, choice: Action, fan: &[Judged<Banqi>]) -> Option<Reason> {
    let (mut line, opinion) = idle(game, us, choice, fan)?;
    let left = game.ruleset().quiet.saturating_sub(line.position().quiet());
    if left <= LATE {
        return Some(Reason::QuietDraw { left });
    }
    // The judge's line, as far as nothing comes up.
    for action in &opinion.line {
        match (line.turn(), *action) {
            (Turn::Seat(_), Action::Move { from, to }) => line.apply(Event::Move { from, to }),
            _ => break,
        }
    }
    let drawn = matches!(line.turn(), Turn::Over(Outcome::Draw, Ended::Repetition));
    drawn.then_some(Reason::Repetition { drawn })
}

/// Where a position of the game comes again after a choice that takes and flips nothing, though its side has more.
fn repeats(game: &Banqi, us: Color, choice: Action, fan: &[Judged<Banqi>]) -> Option<Reason> {
    let (after, _) = idle(game, us, choice, fan)?;
    let (last, earlier) = after.history().split_last()?;
    let again = earlier.iter().any(|word| history::same_position(*word, *last));
    again.then_some(Reason::Repetition { drawn: false })
}

/// The game after a choice that takes and flips nothing, and the judge's opinion of it, where its side has more.
fn idle<'a>(
    game: &Banqi,
    us: Color,
    choice: Action,
    fan: &'a [Judged<Banqi>],
) -> Option<(Banqi, &'a Opinion<Action>)> {
    let p = game.position();
    if matches!(choice, Action::Flip(_)) || Capture::of(p, choice).is_some() || ahead(p, us) <= 0 {
        return None;
    }
    let (chance, opinion) = single(fan)?;
    let mut after = game.clone();
    after.apply(chance.event);
    Some((after, opinion))
}

/// The outcome of a choice without chance.
fn single(fan: &[Judged<Banqi>]) -> Option<&Judged<Banqi>> {
    if let [one] = fan { Some(one) } else { None }
}

/// How much more a side has, face down or not.
fn ahead(p: &Position, us: Color) -> i64 {
    let signed = |piece: Piece| if piece.color() == us { worth(piece) } else { -worth(piece) };
    Piece::ALL
        .iter()
        .map(|&piece| i64::from(p.pieces(piece).len() + p.bag().count(piece)) * signed(piece))
        .sum()
}

/// What a piece is worth where nothing more is known of it.
const fn worth(piece: Piece) -> i64 {
    match piece.role() {
        Role::King => 80,
        Role::Guard => 65,
        Role::Minister => 40,
        Role::Cannon => 45,
        Role::Rook => 30,
        Role::Knight => 20,
        Role::Pawn => PAWN,
    }
}

impl Reason {
    /// The word for it: `hanging`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Reason::Hanging { .. } => "hanging",
            Reason::MissedCapture { .. } => "missed-capture",
            Reason::RiskyFlip { .. } => "risky-flip",
            Reason::QuietDraw { .. } => "quiet-draw",
            Reason::Repetition { .. } => "repetition",
            Reason::MissedEscape { .. } => "missed-escape",
            Reason::Other { .. } => "other",
        }
    }

    /// What was wrong with the choice, as a sentence.
    pub fn said(&self, words: impl Into<Words>, choice: Action) -> String {
        let words = words.into();
        let lang = words.lang;
        let named = |action: Action| match action {
            Action::Flip(at) => say!(lang, "mistake.flip", at = at),
            Action::Move { .. } => action.to_string(),
        };
        let act = named(choice);
        let say = |key: &str, capture: &Capture, percent: u32| {
            let Capture { by, from, piece, at } = capture;
            let (by, piece) = (words.title(*by), words.title(*piece));
            say!(lang, key, act = act, by = by, from = from, piece = piece, at = at, percent = percent)
        };
        match self {
            Reason::Hanging { capture } => say("mistake.hanging", capture, 100),
            Reason::MissedCapture { capture } => say("mistake.missed_capture", capture, 100),
            Reason::RiskyFlip { capture, percent } => say("mistake.risky_flip", capture, *percent),
            Reason::MissedEscape { capture, percent: 100 } => say("mistake.missed_escape", capture, 100),
            Reason::MissedEscape { capture, percent } => {
                say("mistake.missed_escape_often", capture, *percent)
            }
            Reason::QuietDraw { left: 0 } => say!(lang, "mistake.quiet_over", act = act),
            Reason::QuietDraw { left } => say!(lang, "mistake.quiet_draw", act = act, n = left),
            Reason::Repetition { drawn: true } => say!(lang, "mistake.repetition", act = act),
            Reason::Repetition { drawn: false } => say!(lang, "mistake.again", act = act),
            Reason::Other { reply: Some(reply) } => {
                say!(lang, "mistake.reply", act = act, reply = named(*reply))
            }
            Reason::Other { reply: None } => say!(lang, "mistake.other", act = act),
        }
    }
}

#[cfg(test)]
mod tests {
    use anglerfish_engine::luck::{Judge, Verdict};

    use super::*;
    use crate::Lang;

    /// The reason that a judge's look at a choice gives, and its words.
    fn explained(game: &Banqi, choice: &str) -> (Reason, String) {
        let choice = choice.parse().expect("an action");
        let mut judge = Judge::new("alphabeta,flips=1,hash=64k", 2_000).expect("a judge");
        let Verdict { line, fan, .. } = judge.mistake(game, choice);
        let reason = reason(game, choice, &line, &fan);
        let said = reason.said(Words { lang: Lang::En, glyphs: false }, choice);
        (reason, said)
    }

    fn position(text: &str) -> Banqi {
        text.parse().expect("a position")
    }

    #[test]
    fn reasons_name_what_is_on_the_board() {
        let cases = [
            (
                "K---/----/----/----/----/g---/-R--/---p r - 0 40 platform",
                "b2-a2",
                "After b2-a2 the black guard on a3 takes the red rook on a2.",
            ),
            (
                "K---/----/----/----/----/g---/R---/---p r - 0 40 platform",
                "a8-b8",
                "After a8-b8 the red rook on a2 is still in danger: the black guard on a3 takes it.",
            ),
            (
                "K---/----/----/----/----/r---/G---/---p r - 0 40 platform",
                "a8-b8",
                "After a8-b8 the black rook on a3 is still there: the red guard on a2 could have taken it.",
            ),
            (
                "K---/----/----/----/----/GX--/p---/---p r k1 0 40 platform",
                "b3",
                "After flipping b3 a piece is lost 100 % of the time, such as when the black king on b3 takes the red guard on a3.",
            ),
        ];
        for (start, choice, expected) in cases {
            assert_eq!(explained(&position(start), choice).1, expected, "{start}");
        }
    }

    #[test]
    fn won_games_are_drawn_by_doing_nothing() {
        let late = position("K---/----/----/----/---G/----/----/p--- r - 57 140 platform");
        let (reason, said) = explained(&late, "a8-b8");
        assert_eq!(reason, Reason::QuietDraw { left: 2 }, "{said}");
        let mut game = position("K---/----/----/----/---G/----/----/p--- r - 0 40 platform");
        for event in ["a8-b8", "a1-b1", "b8-a8", "b1-a1"] {
            game.apply(event.parse().expect("an event"));
        }
        assert_eq!(explained(&game, "a8-b8").0, Reason::Repetition { drawn: false });
    }

    /// Whatever is played, a reason can be told in every language, and a capture that it names is on the board.
    #[test]
    fn every_reason_has_words() {
        let mut game = position("-G--/--g-/-C--/p---/NG-M/--X-/-P--/-P-- b g1 2 93 platform");
        game.apply("c7-b7".parse().expect("an event"));
        let mut actions = Vec::new();
        game.actions(&mut actions);
        for choice in actions {
            let (reason, _) = explained(&game, &choice.to_string());
            for lang in Lang::ALL {
                let said = reason.said(Words { lang, glyphs: false }, choice);
                assert!(!said.contains(['{', '}']) && !said.contains("mistake."), "{said}");
            }
        }
    }
}
