//! The luck of the players of a game: its judge, and its tag in the record.

use std::fmt;
use std::str::FromStr;

use anglerfish_engine::luck::{GAME, GameLuck, Judge, Millionths, STAGES, luck};
use anglerfish_engine::{EngineError, SearchGame};
use anglerfish_rules::{Game, NotationError, Record};
use serde::{Deserialize, Serialize};

/// The tag of a record with the luck of its first team.
pub const LUCK: &str = "Luck";

/// The nodes that a review searches at every position. Readers look at its mistakes one by one, so it searches more than luck
/// alone needs: a game takes about a second.
pub const REVIEW_NODES: u64 = 2000;

/// The judge of luck.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Judging {
    /// One of our own players.
    pub player: String,
    /// How many nodes it searches at every position; with none it only evaluates.
    pub nodes: u64,
}

impl Default for Judging {
    /// The judge with which games and judging together take the least time (docs/luck.md).
    fn default() -> Judging {
        Judging { player: "alphabeta,flips=1,hash=64k".to_owned(), nodes: 100 }
    }
}

/// `alphabeta,flips=1,hash=64k nodes=100`
impl fmt::Display for Judging {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes={}", self.player, self.nodes)
    }
}

impl FromStr for Judging {
    type Err = NotationError;

    /// `nodes=N`, or a player, or a player and `nodes=N`.
    fn from_str(text: &str) -> Result<Judging, NotationError> {
        Judging::default().with(text)
    }
}

impl Judging {
    /// The judge for reviews: it searches more nodes than the default.
    pub fn of_review() -> Judging {
        Judging { nodes: REVIEW_NODES, ..Judging::default() }
    }

    /// This judge with changes: `nodes=N`, or a player, or a player and `nodes=N`.
    ///
    /// # Errors
    /// When the text is something else.
    pub fn with(self, text: &str) -> Result<Judging, NotationError> {
        let wrong = || NotationError::new("nodes=N, or a player, or a player and nodes=N", text, 0);
        let nodes =
            |word: &str| word.strip_prefix("nodes=").and_then(|nodes| nodes.parse().ok()).ok_or_else(wrong);
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            [] => Ok(self),
            [word] if word.starts_with("nodes=") => Ok(Judging { nodes: nodes(word)?, ..self }),
            [player] => Ok(Judging { player: player.to_owned(), ..self }),
            [player, word] => Ok(Judging { player: player.to_owned(), nodes: nodes(word)? }),
            _ => Err(wrong()),
        }
    }

    /// The judge.
    ///
    /// # Errors
    /// When there is no such player of this game.
    pub fn judge<G: SearchGame>(&self) -> Result<Judge<G>, EngineError> {
        Judge::new(&self.player, self.nodes)
    }

    /// Writes the luck of the first team by stage, as this judge sees it, into a valid record.
    pub fn write<G: SearchGame>(&self, judge: &mut Judge<G>, record: &mut Record<G>) {
        let found = luck(judge, record, opened(record)).map(text);
        record.set_tag(LUCK, &format!("{self} {}", found.join(" ")));
    }

    /// The same for a game that this judge has judged already.
    pub fn write_judged<G: SearchGame>(&self, judged: &GameLuck<G>, record: &mut Record<G>) {
        let (mut game, mut found, mut entries) =
            (record.start.clone(), [0; STAGES], judged.entries.iter().peekable());
        for (n, ply) in record.plies.iter().enumerate() {
            if let Some(entry) = entries.next_if(|entry| entry.ply == n) {
                found[game.stage().min(STAGES - 1)] += entry.luck;
            }
            game.apply(ply.event);
        }
        record.set_tag(LUCK, &format!("{self} {}", found.map(text).join(" ")));
    }

    /// Whether a record has luck by this judge.
    pub fn has_judged<G: Game>(&self, record: &Record<G>) -> bool {
        read_luck(record).is_some_and(|(judge, _)| judge == self.to_string())
    }
}

/// How many plies of the record belong to its opening.
pub fn opened<G: Game>(record: &Record<G>) -> usize {
    record.tag("Opening").and_then(|plies| plies.parse().ok()).unwrap_or(0)
}

/// Reads what [`Judging::write`] writes: the judge, and the luck of the first team by stage.
pub fn read_luck<G: Game>(record: &Record<G>) -> Option<(&str, [Millionths; STAGES])> {
    let (mut judge, mut luck) = (record.tag(LUCK)?, [0; STAGES]);
    for luck in luck.iter_mut().rev() {
        let (rest, word) = judge.rsplit_once(' ')?;
        (judge, *luck) = (rest, number(word)?);
    }
    Some((judge, luck))
}

/// `+0.012345`
fn text(millionths: Millionths) -> String {
    let (sign, n) = (if millionths < 0 { '-' } else { '+' }, millionths.abs());
    format!("{sign}{}.{:06}", n / GAME, n % GAME)
}

fn number(text: &str) -> Option<Millionths> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+')?),
    };
    // Some thirty flips, none worth more than from lost to won.
    let (ones, millionths) =
        rest.split_once('.').filter(|(ones, part)| ones.len() <= 2 && part.len() == 6)?;
    let [ones, millionths]: [u32; 2] = [ones.parse().ok()?, millionths.parse().ok()?];
    Some(sign * (i64::from(ones) * GAME + i64::from(millionths)))
}

#[cfg(test)]
mod tests {
    use anglerfish_rules::banqi::Banqi;

    use super::*;

    #[test]
    fn luck_survives_text() {
        let mut record = Record::new(Banqi::start(anglerfish_rules::banqi::RuleSet::PLATFORM));
        for luck in [[0, 1, -1, 999_999], [1_000_000, -1_234_567, 31, -2]] {
            let words = luck.map(text).join(" ");
            record.set_tag(LUCK, &format!("{} {words}", Judging::default()));
            let judge = Judging::default().to_string();
            assert_eq!(read_luck(&record), Some((judge.as_str(), luck)));
        }
        for wrong in [
            "",
            "x +100.000000 +0.000000 +0.000000 +0.000000",
            "0 0 0 0",
            "x +0.1 +0.000000 +0.000000 +0.000000",
            "+0.000000 +0.000000 +0.000000",
        ] {
            record.set_tag(LUCK, wrong);
            assert_eq!(read_luck(&record), None, "{wrong}");
        }
    }

    #[test]
    fn judges_survive_text() {
        for judging in [Judging::default(), Judging { player: "mcts,explore=2".to_owned(), nodes: 0 }] {
            assert_eq!(judging.to_string().parse(), Ok(judging));
        }
        assert_eq!("nodes=7".parse(), Ok(Judging { nodes: 7, ..Judging::default() }));
        assert_eq!(Judging::of_review().with("mcts").map(|judging| judging.nodes), Ok(REVIEW_NODES));
        assert_eq!("mcts".parse(), Ok(Judging { player: "mcts".to_owned(), ..Judging::default() }));
        for wrong in ["nodes=many", "nodes=1 mcts", "mcts alphabeta nodes=1", "mcts 7"] {
            assert!(wrong.parse::<Judging>().is_err(), "{wrong}");
        }
    }
}
