//! Assets, which the caller hands over by name: data, because the engine has no disk, and models of opponents, which live in other crates.
//!
//! The caller reads the files and computes the digests; a setting such as `weights=NAME` names the data that is used, and
//! [`Engine::new`](crate::Engine::new) looks it up, once.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::error::EngineError;
use crate::opponent::Models;

/// Named data, and models of opponents. A clone shares them.
#[derive(Clone, Debug, Default)]
pub struct Assets {
    data: Arc<BTreeMap<String, Asset>>,
    models: Arc<Models>,
}

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
        Arc::make_mut(&mut self.data).insert(name.into(), asset);
    }

    /// The data of this name.
    pub fn get(&self, name: &str) -> Option<&Asset> {
        self.data.get(name)
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
    ///
    /// # Errors
    /// When there is no such asset, or `read` refuses it.
    pub fn read<T, E: fmt::Display>(
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

    /// The same models, and the data for whose names `keeps` returns true.
    #[must_use]
    pub fn only(&self, keeps: impl Fn(&str) -> bool) -> Assets {
        let data = self.data.iter().filter(|(name, _)| keeps(name));
        let data = data.map(|(name, asset)| (name.clone(), asset.clone())).collect();
        Assets { data: Arc::new(data), models: Arc::clone(&self.models) }
    }

    /// The models.
    pub fn models(&self) -> &Models {
        &self.models
    }

    /// The same, to add some.
    pub fn models_mut(&mut self) -> &mut Models {
        Arc::make_mut(&mut self.models)
    }

    /// All data in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Asset)> {
        self.data.iter().map(|(name, asset)| (&**name, asset))
    }
}
