//! The networks' answers about an opening, after more and more of the opponent's plies.

use anglerfish_opponents::ornn::{Net, Opening, PLIES};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Record, Seat};
use serde::{Deserialize, Serialize};

use crate::LabError;

use super::setting::Setting;

/// How many of the opponent's plies are shown, and the ply of the game by which they were played.
pub(super) const SHOWN: [(usize, u32); 4] = [(2, 7), (4, 11), (6, 15), (PLIES, 17)];

/// The probability of each class, after each number of [`SHOWN`].
type Answers = [[f32; 3]; SHOWN.len()];

/// The stored result of a unit: by game, then by network. Games that end before the first answer have none.
#[derive(Deserialize, Serialize)]
pub(super) struct Told(pub(super) Vec<Vec<Answers>>);

impl Told {
    /// The opponent is the second of the players, which sits second in the first game of a pair.
    pub(super) fn new(setting: &Setting, records: &[Record<Banqi>]) -> Result<Told, LabError> {
        let nets: Vec<(Net, bool)> = setting
            .nets()
            .map(|trained| Ok((Net::read(trained.bytes)?, trained.canonical)))
            .collect::<Result<_, LabError>>()?;
        let told = |(n, record): (usize, &Record<Banqi>)| {
            let opening = Opening::of(record, Seat(u8::from(n % 2 == 0)));
            let answered = |(net, canonical): &(Net, bool)| answers(net, *canonical, opening.as_ref()?);
            nets.iter().filter_map(answered).collect()
        };
        Ok(Told(records.iter().enumerate().map(told).collect()))
    }
}

fn answers(net: &Net, canonical: bool, opening: &Opening) -> Option<Answers> {
    let opening = if canonical { &opening.canonical() } else { opening };
    let features = opening.features()?;
    Some(SHOWN.map(|(plies, _)| net.probabilities(&features.first(plies).planes())))
}
