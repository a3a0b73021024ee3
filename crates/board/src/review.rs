//! A game reviewed, with how far the review is.

use std::collections::BTreeMap;

use anglerfish_arena::{Judging, opened};
use anglerfish_engine::Stop;
use anglerfish_engine::luck::GameLuck;
use anglerfish_report::Lang;
use anglerfish_report::review::{Review, Whole};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Record, Team};
use serde::Serialize;
use serde_json::{Value, json};

use crate::game::{Refused, fits};

/// A review thinks about every position and all that could have come up: less about each.
const MOST_JUDGED: u64 = 100_000;

/// How far a review is, sent before its answer.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Progress {
    ply: usize,
    of: usize,
}

/// The object of `anglerfish review --json`, and its text.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Review"))]
pub(crate) struct Reviewed {
    #[serde(flatten)]
    whole: Whole,
    /// The same for people.
    text: String,
    /// By ply, why a choice was a mistake, in words.
    whys: BTreeMap<usize, String>,
}

/// What `anglerfish review` says, with how far it is.
pub(crate) fn review(
    record: &Record<Banqi>,
    nodes: u64,
    side: usize,
    lang: Lang,
    stop: &Stop,
    tell: &mut dyn FnMut(Value),
) -> Result<Reviewed, Refused> {
    fits(record)?;
    let judging = Judging { nodes: nodes.clamp(1, MOST_JUDGED), ..Judging::of_review() };
    let (mut judge, of) = (judging.judge::<Banqi>()?, record.plies.len());
    let account = GameLuck::watched(&mut judge, record, opened(record), stop, &mut |ply| {
        tell(json!(Progress { ply, of }));
    });
    let account = account.ok_or("the review was stopped")?;
    let team = if side == 0 { Team::A } else { Team::B };
    let review =
        Review::new(&account, record, &judging.to_string(), team).explained(&account, record).speaking(lang);
    let whys = review.plies.iter().filter_map(|step| Some((step.ply, step.why(lang)?))).collect();
    Ok(Reviewed { text: review.text(), whys, whole: review.into() })
}
