//! Every question and its answer, as they stand on the wire.
//!
//! `web/src/engine/types.ts` is written from these types. docs/web.md has every question in words.

use serde::{Deserialize, Serialize};

use crate::analysis::Analysis;
use crate::lessons::Lessons;
use crate::look::{Acted, GameView};
use crate::review::Reviewed;
use crate::thinking::Thought;

/// A question, by the name in `ask`.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase", deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Question {
    /// A new game, from a position if there is one.
    Begin {
        rules: String,
        #[cfg_attr(test, ts(optional))]
        #[serde(default)]
        position: Option<String>,
        tags: Vec<(String, String)>,
        lang: String,
    },
    /// The game after some plies, or after all of them.
    Look {
        record: String,
        #[cfg_attr(test, ts(optional))]
        #[serde(default)]
        ply: Option<usize>,
        lang: String,
    },
    /// An action of the mover after `took` milliseconds; without an action, whether the mover's time is up.
    Act {
        record: String,
        #[cfg_attr(test, ts(optional))]
        #[serde(default)]
        action: Option<String>,
        seed: u64,
        took: u64,
        lang: String,
    },
    /// An event after some plies; the rest of the game is left out.
    Told {
        record: String,
        ply: usize,
        event: String,
        lang: String,
    },
    Resign {
        record: String,
        seat: u8,
        lang: String,
    },
    /// Only the first plies.
    Undo {
        record: String,
        plies: usize,
        lang: String,
    },
    /// A player's choice, and its estimate of the opponent.
    Think {
        record: String,
        player: String,
        seed: u64,
        #[serde(default)]
        study: bool,
        #[cfg_attr(test, ts(optional))]
        #[serde(default)]
        profile: Option<String>,
        lang: String,
    },
    /// Every choice with its possible outcomes.
    Analyse {
        record: String,
        #[cfg_attr(test, ts(optional))]
        #[serde(default)]
        ply: Option<usize>,
        nodes: u64,
    },
    Review {
        record: String,
        nodes: u64,
        side: usize,
        lang: String,
    },
    /// Games of any kind, or a position.
    Read {
        text: String,
        lang: String,
    },
    /// A position, square by square.
    Setup {
        cells: String,
        bag: String,
        side: Option<String>,
        rules: String,
        lang: String,
    },
    /// The rules, taught.
    Lessons {
        lang: String,
    },
}

/// The answer to the question of the same name. Only `answer` is sent.
#[derive(Serialize)]
#[serde(tag = "ask", content = "answer", rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Answer {
    Begin(GameView),
    Look(GameView),
    Act(Acted),
    Told(GameView),
    Resign(GameView),
    Undo(GameView),
    Think(Thought),
    Analyse(Analysis),
    Review(Reviewed),
    Read(Found),
    Setup(GameView),
    Lessons(Lessons),
}

/// The games of a text, or the position.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Found {
    pub(crate) games: Vec<GameView>,
    /// What is wrong with other games of the text; left out for a position, like `more`.
    #[cfg_attr(test, ts(optional))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) wrong: Option<Vec<String>>,
    /// How many games are not listed.
    #[cfg_attr(test, ts(optional))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) more: Option<u32>,
}
