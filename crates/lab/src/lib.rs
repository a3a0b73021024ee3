#![doc = include_str!("../README.md")]

pub mod calibration;
pub mod exact;
mod experiment;
pub mod experiments;
pub mod field;
pub mod lineup;
mod manifest;
pub mod nets;
mod paired;
pub mod ranking;
pub mod solve;
mod stats;
pub mod whole;

pub use experiment::{Check, Experiment, Findings, LabError, Results, run};
pub use experiments::{EXPERIMENTS, experiment};
pub use manifest::{Manifest, Size};
