//! The identity of the engine: all that decides how this build plays, by name, so that an edited engine cannot resume an old run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anglerfish_engine::opponent::Models;
use serde::{Deserialize, Serialize};

use super::unit::Name;

/// The tuned numbers, parameters and levels of an engine, and what its searches do on fixed positions.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Identity(BTreeMap<String, String>);

impl Identity {
    /// The identity of this program with these models of opponents, found by running the searches, which takes some seconds. On Linux the result is kept in
    /// `cache`, a folder of the caller's, under the SHA-256 of the program: the same program always finds the same.
    pub fn of_this_build(models: &Models, cache: Option<&Path>) -> Identity {
        let find = || Identity(anglerfish_engine::identity(models));
        match cache {
            Some(cache) => Identity::kept(cache, Path::new(RUNNING), find),
            None => find(),
        }
    }

    /// The identity in the cache if it belongs to this program; else that of `find`, which is then cached. A fault of the cache
    /// costs only time.
    fn kept(cache: &Path, program: &Path, find: impl FnOnce() -> Identity) -> Identity {
        let Ok(bytes) = fs::read(program) else { return find() };
        let digest = Name::of_bytes(&bytes).to_string();
        let file = cache.join("identity.json");
        let kept =
            fs::read(&file).ok().and_then(|bytes| serde_json::from_slice::<CachedIdentity>(&bytes).ok());
        if let Some(kept) = kept.filter(|kept| kept.program == digest && kept.check == kept.identity.digest())
        {
            return kept.identity;
        }
        let identity = find();
        let kept = CachedIdentity { program: digest, check: identity.digest(), identity };
        let aside = cache.join(format!("identity.{}", std::process::id()));
        let text = serde_json::to_string(&kept).unwrap_or_else(|e| unreachable!("texts are JSON: {e}"));
        let written = fs::create_dir_all(cache).and_then(|()| fs::write(&aside, text));
        if written.and_then(|()| fs::rename(&aside, &file)).is_err() {
            let _ = fs::remove_file(&aside);
        }
        kept.identity
    }

    /// An identity with the given parts.
    pub fn of(parts: impl IntoIterator<Item = (String, String)>) -> Identity {
        Identity(parts.into_iter().collect())
    }

    /// Its parts by name; empty if they were never asked for.
    pub fn parts(&self) -> &BTreeMap<String, String> {
        &self.0
    }

    /// The SHA-256 over all parts; empty if there are none.
    pub fn digest(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let parts = serde_json::to_string(&self.0).unwrap_or_else(|e| unreachable!("texts are JSON: {e}"));
        Name::of(&parts).to_string()
    }
}

/// The running program, even if another file has replaced it since. Only Linux has this link; on other systems nothing is cached.
const RUNNING: &str = "/proc/self/exe";

/// The cached identity of a program.
#[derive(Deserialize, Serialize)]
struct CachedIdentity {
    /// The SHA-256 of its file.
    program: String,
    /// The digest of the identity.
    check: String,
    identity: Identity,
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// A cached identity counts only for the same file, and only if it is whole.
    #[test]
    fn the_same_program_is_asked_once() {
        let folder = std::env::temp_dir().join(format!("anglerfish-identity-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let (cache, program) = (folder.join("cache"), folder.join("program"));
        fs::create_dir_all(&folder).expect("a folder");
        let asked = Cell::new(0);
        let ask = |player: &str| {
            let find = || {
                asked.set(asked.get() + 1);
                Identity::of([("level.1".to_owned(), player.to_owned())])
            };
            Identity::kept(&cache, &program, find).parts()["level.1"].clone()
        };
        assert_eq!((&*ask("no file"), asked.take()), ("no file", 1), "without a program");
        fs::write(&program, "one").expect("a file");
        assert_eq!((&*ask("first"), asked.take()), ("first", 1));
        assert_eq!((&*ask("again"), asked.take()), ("first", 0), "the cache answers");
        fs::write(&program, "two").expect("a file");
        assert_eq!((&*ask("second"), asked.take()), ("second", 1), "another program");
        let file = cache.join("identity.json");
        let text = fs::read_to_string(&file).expect("what is kept");
        for damaged in [text.replace("second", "third"), text[..text.len() / 2].to_owned(), String::new()] {
            fs::write(&file, damaged).expect("a file");
            assert_eq!((&*ask("second"), asked.take()), ("second", 1), "damage");
            assert_eq!((&*ask("third"), asked.take()), ("second", 0), "and it is mended");
        }
        fs::remove_dir_all(&cache).expect("a folder");
        fs::write(&cache, "in the way").expect("a file");
        assert_eq!((&*ask("third"), asked.take()), ("third", 1), "no cache, no harm");
        fs::remove_dir_all(&folder).expect("a folder");
    }
}
