#![doc = include_str!("../README.md")]

mod assets;
mod bench;
mod budget;
mod clock;
mod config;
mod engine;
pub mod eval;
mod feature;
mod identity;
mod kit;
mod level;
pub mod opponent;
pub mod playout;
mod portable;
mod report;
pub mod score;
pub mod search;
mod signature;
mod stance;
mod tunables;
mod wdl;

pub use assets::{Asset, Assets};
pub use bench::{Bench, bench};
pub use budget::{Budget, Stop};
pub use clock::{Clock, ManualClock};
pub use config::{
    Circles, Config, ConfigError, EvalKind, Feature, ModelKind, PRESETS, SETTINGS, SearchKind, Star, Without,
};
pub use engine::{Engine, EngineError};
pub use identity::identity;
pub use kit::Kit;
pub use level::{LEVELS, Level};
pub use opponent::{Belief, Profile, ProfileError};
pub use report::{Decision, Info, Line};
pub use score::Value;
pub use signature::signatures;
pub use stance::{DrawScope, Stance};
pub use tunables::{Tunables, TunablesError};
pub use wdl::Wdl;
