//! The players of the field as candidates, as measured by `lab run identify`, for models that identify the opponent.

use anglerfish_engine::Assets;

use crate::nets;

/// The name of the field's line-up as an asset: `opponent=adapt,candidates=field`.
pub const FIELD: &str = "field";

/// The line-up as `lab run identify` writes it.
pub const TEXT: &str = include_str!("../lineups/field.txt");

/// Adds the line-up of the field and the networks that it asks, by name; `digest` makes the SHA-256 of bytes.
pub fn insert(assets: &mut Assets, digest: impl Fn(&[u8]) -> String) {
    let mut insert = |name: &str, bytes: &'static [u8]| assets.insert(name, digest(bytes), bytes);
    insert(FIELD, TEXT.as_bytes());
    for trained in nets::canonical() {
        insert(trained.setting, trained.bytes);
    }
}
