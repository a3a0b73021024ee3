#![doc = include_str!("../README.md")]

mod adapt;
mod bayes;
mod behavior_hash;
pub mod candidate_table;
mod candidates;
pub mod field;
mod fingerprint;
mod modelled;
pub mod nets;
pub mod ornn;
mod parameters;
mod replica;
mod scale;
mod simulated;
mod source;
pub mod style;

use anglerfish_engine::Setting;
use anglerfish_engine::opponent::{ModelSetting, Models};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::tictactoe::TicTacToe;

pub use adapt::{Adapt, DRAW_VALUES};
pub use bayes::Bayes;
pub use behavior_hash::{behavior_hashes, identity};
pub use candidates::{Candidate, CandidateTable, EQUAL_ELO, Estimate, Posterior, Question};
pub use fingerprint::{Fingerprint, Watch};
pub use modelled::{Modelled, certain};
pub use replica::Replica;
pub use scale::Scale;
pub use source::Source;
pub use style::Style;

/// Adds the models of this crate, for each of its games, with their settings.
pub fn install(models: &mut Models) {
    add::<Banqi>(models);
    add::<TicTacToe>(models);
    models.add_identity(identity);
    models.add_setting(ModelSetting {
        setting: Setting::new(
            "replica",
            "the player of a replica, with / for commas and up to 100000 nodes, such as alphabeta/nodes=500",
            None,
            "for opponent=replica: the built-in player that the engine assumes as its opponent",
        ),
        accepts: |value| replica::player(value).is_some(),
    });
    models.add_setting(ModelSetting {
        setting: Setting::new(
            "oracle",
            "on or off: a replica that knows dice and memory of the opponent, for measurements",
            Some("off"),
            "for opponent=replica: know the opponent's dice and memory, too; only for measurements",
        ),
        accepts: |value| matches!(value, "on" | "off"),
    });
    models.add_setting(ModelSetting {
        setting: Setting::new("candidates", "an asset: the players that fingerprints are known of", None, "for opponent=fingerprint and opponent=adapt: the table of players that it tells apart; field is ours"),
        accepts: |value| !value.is_empty(),
    });
}

/// Adds the models of this crate for one game.
pub fn add<G: Modelled>(models: &mut Models) {
    models.add::<G>("bayes", |config, _| Ok(Box::new(Bayes::<G>::of(config))));
    models.add::<G>("replica", |config, assets| Ok(Box::new(Replica::<G>::of(config, assets)?)));
    models.add::<G>("fingerprint", |config, assets| Ok(Box::new(Fingerprint::<G>::of(config, assets)?)));
    models
        .add::<G>("adapt", |config, assets| Ok(Box::new(Adapt::new(Fingerprint::<G>::of(config, assets)?))));
}
