#![doc = include_str!("../README.md")]

mod assets;
pub mod calibration;
pub mod exact;
mod experiment;
pub mod experiments;
mod field;
mod manifest;
mod paired;
pub mod ranking;
pub mod solve;
mod stats;
pub mod whole;

pub use assets::{assets, models};
pub use experiment::{Check, Experiment, Findings, LabError, Results, run};
pub use experiments::{EXPERIMENTS, experiment};
pub use manifest::{Manifest, Size};
