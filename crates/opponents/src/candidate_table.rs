//! The players of the field as candidates: what `lab run identify` has measured of them, for models that find out who the opponent is like.

use anglerfish_engine::Assets;

use crate::nets;

/// What the line-up of the field is called as an asset: `opponent=adapt,lineup=field`.
pub const FIELD: &str = "field";

/// As `lab run identify` writes it.
pub const TEXT: &str = include_str!("../lineups/field.txt");

/// Adds the line-up of the field and the networks that it asks, by name; `digest` makes the SHA-256 of bytes.
pub fn insert(assets: &mut Assets, digest: impl Fn(&[u8]) -> String) {
    let mut insert = |name: &str, bytes: &'static [u8]| assets.insert(name, digest(bytes), bytes);
    insert(FIELD, TEXT.as_bytes());
    for trained in nets::canonical() {
        insert(trained.setting, trained.bytes);
    }
}
