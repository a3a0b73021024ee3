//! The subcommands. Each returns whether its check held: `false` is exit code 1.

pub(crate) mod analyse;
pub(crate) mod bench;
pub(crate) mod completions;
pub(crate) mod compliance;
pub(crate) mod deal;
pub(crate) mod lab;
pub(crate) mod luck;
pub(crate) mod man;
pub(crate) mod matches;
pub(crate) mod merge;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod profile;
pub(crate) mod replay;
pub(crate) mod review;
pub(crate) mod rules;
pub(crate) mod selfplay;
pub(crate) mod serve;
pub(crate) mod settings;
pub(crate) mod show;
pub(crate) mod siguo;
pub(crate) mod store;
pub(crate) mod tournament;
pub(crate) mod tune;
pub(crate) mod web;
