//! Moves in words: what happened, and what a value means, in the language of the board.

use anglerfish_engine::opponent::{Likeness, OpponentSummary, PlayerEstimate};
use anglerfish_engine::{Value, Wdl};
use anglerfish_rules::banqi::{Action, Banqi, Event, Piece, Square, WhyNot};
use anglerfish_rules::{Cause, Ending, Forfeit, Game, Outcome, Reason, Seat};

use crate::lang::Lang;
use crate::say;

/// A language, and how pieces are called in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Words {
    /// What is spoken.
    pub lang: Lang,
    /// Whether the name of a piece is followed by the character on it, where the name is not Chinese itself.
    pub glyphs: bool,
}

impl Words {
    /// What a piece is called in a sentence: `red king 帥`.
    pub fn title(self, piece: Piece) -> String {
        let name = self.lang.say(&format!("piece.{piece}"), &[]);
        if self.lang == Lang::En && self.glyphs { format!("{name} {}", self.lang.glyph(piece)) } else { name }
    }

    /// The same without its color: `king`.
    pub fn unit(self, piece: Piece) -> String {
        self.lang.text(&format!("unit.{piece}")).to_owned()
    }
}

/// What an action does: `b3-b4, the rook takes the pawn`.
pub fn describe(words: impl Into<Words>, game: &Banqi, action: Action) -> String {
    let words = words.into();
    let lang = words.lang;
    match action {
        Action::Flip(at) => say!(lang, "act.flip", at = at),
        Action::Move { from, to } => {
            let unit = |at: Square| game.position().piece_at(at).map_or(String::new(), |p| words.unit(p));
            match game.position().piece_at(to) {
                Some(_) => say!(lang, "act.take", act = action, mover = unit(from), victim = unit(to)),
                None => say!(lang, "act.move", act = action, mover = unit(from)),
            }
        }
    }
}

/// What happened: `The engine flips b3: a red king 帥.`, or the move as [`describe`] says it.
pub fn tell(words: impl Into<Words>, before: &Banqi, event: Event, ours: bool) -> String {
    let words = words.into();
    let lang = words.lang;
    match (event, ours) {
        (Event::Flip { at, piece }, true) => say!(lang, "told.you.flip", at = at, piece = words.title(piece)),
        (Event::Flip { at, piece }, false) => {
            say!(lang, "told.engine.flip", at = at, piece = words.title(piece))
        }
        (Event::Move { .. }, ours) => {
            let act = describe(words, before, Banqi::action_of(event));
            say!(lang, if ours { "told.you.move" } else { "told.engine.move" }, act = act)
        }
    }
}

/// Why an action is not allowed.
pub fn refuse(words: impl Into<Words>, why: WhyNot) -> String {
    let words = words.into();
    let lang = words.lang;
    let (title, unit) = (|piece: Piece| words.title(piece), |piece: Piece| words.unit(piece));
    match why {
        WhyNot::Over => lang.text("refused.over").to_owned(),
        WhyNot::Outside(at) => say!(lang, "refused.outside", at = at),
        WhyNot::Nothing(at) => say!(lang, "refused.nothing", at = at),
        WhyNot::FaceUp(piece, at, to) => {
            say!(lang, "refused.face_up", piece = title(piece), at = at, to = to)
        }
        WhyNot::FaceUpTheirs(piece, at) => {
            say!(lang, "refused.face_up_theirs", piece = title(piece), at = at)
        }
        WhyNot::FlipFirst => lang.text("refused.flip_first").to_owned(),
        WhyNot::FaceDown(at) => say!(lang, "refused.face_down", at = at),
        WhyNot::Theirs(piece, at) => {
            let color = lang.text(color_key(piece));
            say!(lang, "refused.theirs", piece = title(piece), at = at, color = color)
        }
        WhyNot::Stands(piece, at) => say!(lang, "refused.stands", mover = unit(piece), at = at),
        WhyNot::Unknown(at) => say!(lang, "refused.unknown", at = at),
        WhyNot::TooFar(piece) => say!(lang, "refused.too_far", mover = unit(piece)),
        WhyNot::Own(piece, at) => say!(lang, "refused.own", piece = title(piece), at = at),
        WhyNot::Jump => lang.text("refused.jump").to_owned(),
        WhyNot::TooFarToTake(piece) => say!(lang, "refused.too_far_to_take", mover = unit(piece)),
        WhyNot::KingTakesPawn => lang.text("refused.king_takes_pawn").to_owned(),
        WhyNot::Rank(piece, victim) => say!(lang, "refused.rank", mover = unit(piece), victim = unit(victim)),
    }
}

/// The color that plays against this piece.
fn color_key(piece: Piece) -> &'static str {
    match piece.color().other() {
        anglerfish_rules::banqi::Color::Red => "color.red",
        anglerfish_rules::banqi::Color::Black => "color.black",
    }
}

/// What shares mean to the side to move.
pub fn appraise(lang: Lang, shares: Wdl) -> String {
    let value = shares.value().0;
    let key = match (value.abs(), value > 0.0) {
        (v, _) if v < 0.05 => "value.level",
        (v, true) if v < 0.2 => "value.slightly_better",
        (v, false) if v < 0.2 => "value.slightly_worse",
        (v, true) if v < 0.5 => "value.better",
        (v, false) if v < 0.5 => "value.worse",
        (v, true) if v < 0.85 => "value.much_better",
        (v, false) if v < 0.85 => "value.much_worse",
        (_, true) => "value.winning",
        (_, false) => "value.losing",
    };
    say!(lang, "value.said", verdict = lang.text(key), shares = shared(lang, shares))
}

/// `+0.32: won 50 %, drawn 32 %, lost 18 %`
pub fn shared(lang: Lang, shares: Wdl) -> String {
    let percent = |share: f64| format!("{:.0}", 100.0 * share);
    say!(
        lang,
        "value.shares",
        value = value(shares.value()),
        won = percent(shares.win),
        drawn = percent(shares.draw),
        lost = percent(shares.loss)
    )
}

/// `+0.32`, and no sign where nothing is left of it.
pub fn value(value: Value) -> String {
    let text = format!("{:+.2}", value.0);
    if text.ends_with("0.00") { "0.00".to_owned() } else { text }
}

/// How a game ended, as `us` sees it.
pub fn result(lang: Lang, ending: Ending, us: Seat) -> String {
    let won = ending.outcome == Outcome::Win(us.team());
    let key = match (ending.cause, won) {
        (Cause::Rules(Reason::NoPieces), true) => "ended.engine.no_pieces",
        (Cause::Rules(Reason::NoPieces), false) => "ended.you.no_pieces",
        (Cause::Rules(Reason::NoMove), true) => "ended.engine.no_move",
        (Cause::Rules(Reason::NoMove), false) => "ended.you.no_move",
        (Cause::Rules(Reason::Quiet), _) => "ended.quiet",
        (Cause::Rules(Reason::Repetition), _) => "ended.repetition",
        (Cause::Forfeit(Forfeit::Timeout), true) => "ended.engine.timeout",
        (Cause::Forfeit(Forfeit::Timeout), false) => "ended.you.timeout",
        // The engine does not resign, and nothing else happens at a board.
        _ => "ended.you.resigned",
    };
    let why = lang.text(key);
    match ending.outcome {
        Outcome::Draw => say!(lang, "result.draw", why = why),
        Outcome::Win(_) if won => say!(lang, "result.won", why = why),
        Outcome::Win(_) => say!(lang, "result.lost", why = why),
    }
}

/// What a player of this style does. Profiles may have styles that this version does not know.
pub fn habit(lang: Lang, name: &str) -> String {
    let key = format!("style.{name}");
    if name != "other" && Lang::En.keys().any(|known| known == key) {
        lang.text(&key).to_owned()
    } else {
        say!(lang, "style.other", name = name)
    }
}

/// How probable it has to be that an opponent is none of those that are known, before that is said: as long as nothing is known it is a half.
const NONE_KNOWN: f64 = 0.6;

/// What is made of an opponent, in a line: `plays like alphabeta at 200 nodes (93 %); about 280 Elo weaker ± 60; draw -0.20`. What is not known is left out.
pub fn opponent(lang: Lang, summary: &OpponentSummary) -> Option<String> {
    let PlayerEstimate { like, none, strength } = summary.estimate.as_ref()?;
    let [low, elo, high] = strength.interval();
    let percent = |share: f64| format!("{:.0}", 100.0 * share);
    let like = like.as_ref().filter(|like| like.probability > *none);
    let like = match like {
        Some(Likeness { player, nodes: Some(nodes), probability }) => {
            let percent = percent(*probability);
            Some(say!(lang, "like.searcher", player = player, nodes = nodes, percent = percent))
        }
        Some(Likeness { player, probability, .. }) => {
            Some(say!(lang, "like.player", player = player, percent = percent(*probability)))
        }
        None => (*none > NONE_KNOWN).then(|| say!(lang, "like.none", percent = percent(*none))),
    };
    // The interval may lean to one side: its farther end is said.
    let (error, size) = (format!("{:.0}", (high - elo).max(elo - low)), format!("{:.0}", elo.abs()));
    let key = if elo < 0.0 { "like.weaker" } else { "like.stronger" };
    let strength = say!(lang, key, elo = size, error = error);
    // What is said has two digits.
    let draw = summary.stance.draws.map(|draws| Value::from_score(draws.value));
    let draw = draw.filter(|draw| draw.0.abs() >= 0.005);
    let draw = draw.map(|draw| say!(lang, "like.draw", value = value(draw)));
    let parts = [like, Some(strength), draw];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(lang.text("like.and")))
}

#[cfg(test)]
mod tests {
    use anglerfish_engine::opponent::Strength;
    use anglerfish_engine::{DrawScope, Draws, Stance};
    use anglerfish_rules::Team;
    use anglerfish_rules::banqi::Role;

    use super::*;

    /// The English file says what the rules say, and every language says something.
    #[test]
    fn refusals_are_translated() {
        let (king, pawn) = (Piece::ALL[0], Piece::ALL[13]);
        let (a1, b2) = (Square::at(0, 0), Square::at(1, 1));
        let all = [
            WhyNot::Over,
            WhyNot::Outside(a1),
            WhyNot::Nothing(a1),
            WhyNot::FaceUp(king, a1, b2),
            WhyNot::FaceUpTheirs(pawn, a1),
            WhyNot::FlipFirst,
            WhyNot::FaceDown(a1),
            WhyNot::Theirs(pawn, a1),
            WhyNot::Stands(king, a1),
            WhyNot::Unknown(a1),
            WhyNot::TooFar(king),
            WhyNot::Own(king, a1),
            WhyNot::Jump,
            WhyNot::TooFarToTake(king),
            WhyNot::KingTakesPawn,
            WhyNot::Rank(pawn, king),
        ];
        for why in all {
            let said = Lang::ALL.map(|lang| refuse(Words { lang, glyphs: true }, why));
            assert_eq!(said[0], why.to_string());
            assert!(
                said.iter().all(|said| !said.contains(['{', '}']) && !said.starts_with("refused.")),
                "{said:?}"
            );
            assert!(said[0] != said[1] && said[0] != said[2], "{said:?}");
        }
    }

    #[test]
    fn what_has_a_name_has_it_in_every_language() {
        for lang in Lang::ALL {
            for cause in Cause::all() {
                let key = format!("reason.{cause}");
                assert_ne!(lang.text(&key), key);
            }
            for piece in Piece::ALL {
                for family in ["piece", "unit"] {
                    let key = format!("{family}.{piece}");
                    assert_ne!(lang.text(&key), key);
                }
            }
        }
        assert_eq!(
            Words { lang: Lang::En, glyphs: true }
                .title(Piece::new(anglerfish_rules::banqi::Color::Red, Role::King)),
            "red king 帥"
        );
    }

    #[test]
    fn an_impression_is_a_line() {
        let say = |lang: Lang, estimate: &PlayerEstimate, draw: f32| {
            let draws = Draws { us: Team::A, value: Value(draw).to_score(), scope: DrawScope::All };
            let stance = Stance { draws: Some(draws), trust: None };
            let summary =
                OpponentSummary { stance, estimate: Some(estimate.clone()), ..OpponentSummary::default() };
            super::opponent(lang, &summary).expect("something is known")
        };
        let like = Likeness { player: "alphabeta".to_owned(), nodes: Some(200), probability: 0.93 };
        let strength = Strength { possible: vec![(1.0, -80.0, 30.6)], from: 200.0 };
        let mut seen = PlayerEstimate { like: Some(like.clone()), none: 0.05, strength };
        assert_eq!(
            say(Lang::En, &seen, -0.2),
            "plays like alphabeta at 200 nodes (93 %); about 280 Elo weaker ± 60; draw -0.20"
        );
        for lang in Lang::ALL {
            let said = say(lang, &seen, -0.2);
            for part in ["alphabeta", "200", "93", "280", "60", "-0.20"] {
                assert!(said.contains(part) && !said.contains('{'), "{said}");
            }
        }
        // What is not known is left out, and that it is none of them is said once it is likely. Of the interval the farther end is said.
        seen.strength = Strength { possible: vec![(0.9, 20.0, 10.0), (0.1, 120.0, 10.0)], from: 0.0 };
        seen.like = Some(Likeness { player: "thinker2".to_owned(), nodes: None, ..like.clone() });
        assert_eq!(say(Lang::En, &seen, -0.004), "plays like thinker2 (93 %); about 30 Elo stronger ± 97");
        (seen.like, seen.none) = (Some(Likeness { probability: 0.1, ..like }), 0.5);
        assert_eq!(say(Lang::En, &seen, 0.0), "about 30 Elo stronger ± 97");
        seen.none = 0.8;
        let said = say(Lang::En, &seen, 0.0);
        assert_eq!(said, "plays like none of those it knows (80 %); about 30 Elo stronger ± 97");
    }

    /// Every key that is named in the sources is there, and every key is named: by itself, or by how a family of them begins.
    #[test]
    fn texts_are_those_that_are_spoken() {
        fn sources(folder: &std::path::Path, all: &mut String) {
            for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    sources(&path, all);
                } else if path.extension().is_some_and(|e| {
                    ["rs", "html", "js", "ts", "svelte"].contains(&e.to_str().unwrap_or_default())
                }) {
                    *all += &std::fs::read_to_string(path).expect("a source");
                }
            }
        }
        let mut all = String::new();
        for folder in ["src", "../board/src", "../cli/src", "../../web/src"] {
            sources(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut all);
        }
        for key in Lang::En.keys() {
            let families = key
                .match_indices('.')
                .flat_map(|(dot, _)| [format!("\"{}.{{", &key[..dot]), format!("`{}.${{", &key[..dot])]);
            let scripted =
                key.strip_prefix("script.").is_some_and(|key| all.contains(&format!("say(\"{key}\"")));
            let named = all.contains(&format!("\"{key}\""))
                || families.into_iter().any(|family| all.contains(&family));
            assert!(named || scripted, "{key} is not used");
        }
        let said = all
            .split("text(\"")
            .chain(all.split("say!(lang, \""))
            .skip(1)
            .filter_map(|rest| rest.split('"').next());
        let known: Vec<&str> = Lang::En.keys().collect();
        let is_key = |key: &&str| {
            key.contains('.') && key.chars().all(|c| c.is_ascii_alphabetic() || "._-".contains(c))
        };
        for key in said.filter(is_key) {
            assert!(known.contains(&key), "{key} has no text");
        }
    }
}
