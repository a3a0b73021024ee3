//! The statistics of results: pure functions of counts.

pub mod adjusted;
pub mod clustered;
pub mod curve;
pub mod elo;
pub mod expected_score;
pub mod linear;
pub mod rating;
pub mod sprt;
