//! The experiments, one folder each, and the list of them.
//!
//! A new one is a copy of `firstmove/` and a line here. The list feeds `anglerfish lab list` and `lab run`,
//! and a test runs every experiment at the size `ci`.

pub mod adapt;
pub mod contempt;
pub mod course;
pub mod exploit;
pub mod field;
pub mod firstmove;
pub mod identify;
pub mod luck;
pub mod mcts;
pub mod mistakes;
pub mod oracle;
pub mod ornn;
pub mod siguo;
pub mod speculative;

use crate::experiment::Experiment;

/// Every experiment, in the order shown to users.
pub const EXPERIMENTS: [&dyn Experiment; 14] = [
    &speculative::Speculation,
    &exploit::Exploit,
    &oracle::Oracle,
    &field::Field,
    &ornn::Ornn,
    &identify::Identify,
    &contempt::Contempt,
    &adapt::Adapt,
    &mcts::Mcts,
    &course::Course,
    &luck::Luck,
    &mistakes::Mistakes,
    &siguo::Siguo,
    &firstmove::FirstMove,
];

/// An experiment by its name.
pub fn experiment(name: &str) -> Option<&'static dyn Experiment> {
    EXPERIMENTS.into_iter().find(|experiment| experiment.name() == name)
}
