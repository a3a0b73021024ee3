//! Data that the caller hands over by name: the engine has no disk.
//!
//! Whoever fills an [`Assets`] reads the files and computes the digests; a setting such as `weights=NAME` names what is used
//! of them, and [`Engine::new`](crate::Engine::new) looks it up, once.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::engine::EngineError;

/// Named data. A clone shares it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Assets(Arc<BTreeMap<String, Asset>>);

/// One piece of data.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Asset {
    /// The SHA-256 of the bytes in lower-case hexadecimal, as the caller says: what a record calls the data by, as names may
    /// be used again.
    pub digest: String,
    /// The data itself.
    pub bytes: Arc<[u8]>,
}

impl Assets {
    /// Adds data under a name, in place of what had it.
    pub fn insert(
        &mut self,
        name: impl Into<String>,
        digest: impl Into<String>,
        bytes: impl Into<Arc<[u8]>>,
    ) {
        let asset = Asset { digest: digest.into(), bytes: bytes.into() };
        Arc::make_mut(&mut self.0).insert(name.into(), asset);
    }

    /// The data of this name.
    pub fn get(&self, name: &str) -> Option<&Asset> {
        self.0.get(name)
    }

    /// The data of this name, read as text.
    ///
    /// # Errors
    /// When there is no such asset, or `read` does not accept it.
    pub fn parsed<T, E: fmt::Display>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, EngineError> {
        self.read(name, |bytes| {
            let text = std::str::from_utf8(bytes).map_err(|e| e.to_string())?;
            read(text).map_err(|e| e.to_string())
        })
    }

    /// The data of this name as what `read` makes of its bytes.
    pub(crate) fn read<T, E: fmt::Display>(
        &self,
        name: &str,
        read: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> Result<T, EngineError> {
        let Some(asset) = self.get(name) else {
            let known = self.iter().map(|(name, _)| name.to_owned()).collect();
            return Err(EngineError::NoAsset { name: name.to_owned(), known });
        };
        let wrong = |why: String| EngineError::BadAsset { name: name.to_owned(), why };
        read(&asset.bytes).map_err(|e| wrong(e.to_string()))
    }

    /// Everything in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Asset)> {
        self.0.iter().map(|(name, asset)| (&**name, asset))
    }
}
