//! The players of the field as suspects: the measurements of `lab run identify`, for models that identify the
//! opponent.

use std::collections::BTreeMap;

use anglerfish_arena::Name;
use anglerfish_engine::Assets;

use crate::nets;

/// The name of the field's line-up as an asset: `opponent=adapt,lineup=field`.
pub const FIELD: &str = "field";

/// The text that `lab run identify` writes.
pub const TEXT: &str = include_str!("../lineups/field.txt");

/// The line-up of the field and the networks that it asks, by name.
pub fn assets() -> Assets {
    let mut assets = Assets::default();
    let mut insert =
        |name: &str, bytes: &'static [u8]| assets.insert(name, Name::of_bytes(bytes).to_string(), bytes);
    insert(FIELD, TEXT.as_bytes());
    for trained in nets::canonical() {
        insert(trained.setting, trained.bytes);
    }
    assets
}

/// The names of the assets with their digests in a unit.
pub(crate) fn digests() -> BTreeMap<String, String> {
    assets().iter().map(|(name, asset)| (name.to_owned(), asset.digest.clone())).collect()
}
