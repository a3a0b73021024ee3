//! The record with the judge's values in place of what its players thought.

use anglerfish_engine::SearchGame;
use anglerfish_engine::luck::{GAME, GameLuck, Millionths};
use anglerfish_rules::{Annotation, Candidate, Points, Record, Team};

/// The tag that says whose thoughts a record has, as in PGN.
const ANNOTATOR: &str = "Annotator";

/// The record, annotated with the judge's evaluation before every chosen ply: the value of the position, its own choice and the one that
/// was made, each with its value one ply on. Earlier annotations are dropped.
pub fn annotated<G: SearchGame>(
    account: &GameLuck<G>,
    record: &Record<G>,
    judge: &str,
    nodes: u64,
) -> Record<G> {
    let mut record = record.clone().without_annotations();
    record.set_tag(ANNOTATOR, &judge.replace(['\n', '\r'], " "));
    for entry in &account.entries {
        let played = G::action_of(record.plies[entry.ply].event);
        let sign = if entry.seat.team() == Team::A { 1 } else { -1 };
        let mean = sign * (entry.after - entry.luck);
        let own = |action: &G::Action| Candidate {
            action: *action,
            // Of a choice that turned out to be no better, only that is known.
            value: (entry.mistake > 0).then(|| points(mean + entry.mistake)),
            visits: None,
        };
        let mut candidates: Vec<_> =
            entry.line.first().filter(|best| **best != played).map(own).into_iter().collect();
        candidates.push(Candidate { action: played, value: Some(points(mean)), visits: None });
        let value = Some(points(sign * entry.before));
        record.annotate(entry.ply, Annotation { value, nodes: Some(nodes), candidates });
    }
    record
}

fn points(value: Millionths) -> Points {
    Points::nearest(value as f64 / GAME as f64)
}
