//! What experiments and the program hand to engines: every model of opponents, the line-up of the field, and the networks that it asks.

use std::collections::BTreeMap;

use anglerfish_arena::Name;
use anglerfish_engine::Assets;
use anglerfish_opponents::candidate_table;

/// The models alone.
pub fn models() -> Assets {
    let mut assets = Assets::default();
    anglerfish_opponents::install(assets.models_mut());
    anglerfish_siguo::install(assets.models_mut());
    assets
}

/// All of it.
pub fn assets() -> Assets {
    let mut assets = models();
    candidate_table::insert(&mut assets, |bytes| Name::of_bytes(bytes).to_string());
    assets
}

/// The names of the data with what they are called by in a unit.
pub(crate) fn digests() -> BTreeMap<String, String> {
    assets().iter().map(|(name, asset)| (name.to_owned(), asset.digest.clone())).collect()
}
