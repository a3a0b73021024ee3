//! Where objects are: a folder or a bucket. Everything goes through `object_store`, but for creating files.
//!
//! An object is created once and never changed; that is the one thing that everything here stands on. In a bucket the
//! server sees to it (`If-None-Match: *`), in a folder [`Files`] does.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutPayload};
use tokio::runtime::Runtime;

use crate::error::StoreError;
use crate::files::{Files, RealDisk, make_folder};
use crate::patience::insist;

/// How often a create is tried again when nobody can tell whether it has succeeded.
const TRIES: u32 = 12;

/// Requests that are under way at the same time.
const AT_ONCE: usize = 16;

/// An object to be read.
pub(crate) struct Request {
    pub(crate) name: String,
    /// Only these of its bytes, each apart.
    pub(crate) parts: Option<Vec<Range<u64>>>,
}

/// A folder or a bucket with objects in it, by name: `units/….parquet`.
#[derive(Debug)]
pub struct Place {
    address: String,
    files: Option<Files>,
    objects: Arc<dyn ObjectStore>,
    /// Inside a bucket.
    prefix: ObjectPath,
    runtime: Runtime,
}

impl Place {
    /// A place on a disk that tests simulate.
    #[cfg(test)]
    pub(crate) fn simulated(disk: Arc<dyn crate::files::Disk>, objects: Arc<dyn ObjectStore>) -> Place {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let (folder, runtime) = (PathBuf::from("/store"), runtime.expect("a runtime"));
        let files = Some(Files::new(folder, disk));
        Place { address: "simulated".to_owned(), files, objects, prefix: ObjectPath::default(), runtime }
    }

    /// The place of an address: a folder, `file:///folder` or, in builds that have it, `s3://bucket/prefix`. `options` are what
    /// the environment says of a bucket, by name: `aws_endpoint_url` and the like.
    ///
    /// # Errors
    /// When it is no such address, or there is no such folder.
    pub fn open(address: &str, options: &[(String, String)]) -> Result<Place, StoreError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|source| StoreError::File { file: "a runtime".to_owned(), source })?;
        let (folder, objects, prefix) = match address.split_once("://") {
            Some(("s3", rest)) => {
                let (objects, prefix) = bucket(address, rest, options)?;
                (None, objects, prefix)
            }
            Some(("file", path)) if path.starts_with('/') => open_folder(Path::new(path))?,
            None if !address.is_empty() => open_folder(Path::new(address))?,
            _ => return Err(no_address(address)),
        };
        let address = address.trim_end_matches('/').to_owned();
        Ok(Place {
            address,
            files: folder.map(|folder| Files::new(folder, Arc::new(RealDisk))),
            objects,
            prefix,
            runtime,
        })
    }

    /// The same, and makes the folder if there is none.
    ///
    /// # Errors
    /// When it is no such address, or the folder cannot be made.
    pub fn make(address: &str, options: &[(String, String)]) -> Result<Place, StoreError> {
        let folder = match address.split_once("://") {
            Some(("file", path)) => Some(Path::new(path)),
            None => Some(Path::new(address)),
            Some(_) => None,
        };
        if let Some(folder) = folder.filter(|folder| !folder.as_os_str().is_empty()) {
            make_folder(&RealDisk, folder)
                .map_err(|source| StoreError::File { file: folder.display().to_string(), source })?;
        }
        Place::open(address, options)
    }

    /// As it was given.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The folder, if it is one.
    pub fn folder(&self) -> Option<&Path> {
        self.files.as_ref().map(Files::folder)
    }

    /// Whether both are one place, by whatever names.
    pub(crate) fn is_same(&self, other: &Place) -> bool {
        match (&self.files, &other.files) {
            (Some(files), Some(others)) => files.is_same(others),
            (None, None) => self.address == other.address,
            _ => false,
        }
    }

    /// How other programs find an object: the path of a file, or an address in a bucket.
    pub fn locate(&self, name: &str) -> String {
        match self.folder() {
            Some(folder) => {
                name.split('/').fold(folder.to_owned(), |path, part| path.join(part)).display().to_string()
            }
            None => format!("{}/{name}", self.address),
        }
    }

    /// What is below, for whoever speaks to it directly, and where in it our objects are.
    pub fn objects(&self) -> (Arc<dyn ObjectStore>, &ObjectPath) {
        (Arc::clone(&self.objects), &self.prefix)
    }

    fn path(&self, name: &str) -> ObjectPath {
        name.split('/').fold(self.prefix.clone(), ObjectPath::join)
    }

    fn error(name: &str) -> impl FnOnce(object_store::Error) -> StoreError {
        let object = name.to_owned();
        |cause| StoreError::Object { object, cause }
    }

    /// Creates an object; whether it was we who did. When this returns the object is safe, whoever made it.
    ///
    /// # Errors
    /// When it is neither created nor there.
    pub fn create(&self, name: &str, bytes: &Bytes) -> Result<bool, StoreError> {
        match &self.files {
            Some(files) => files.create(name, bytes).map_err(|source| {
                let file = format!("cannot write {}/{name}", files.folder().display());
                StoreError::File { file, source }
            }),
            None => self.create_object(name, bytes),
        }
    }

    fn create_object(&self, name: &str, bytes: &Bytes) -> Result<bool, StoreError> {
        let path = self.path(name);
        let mut wait = Duration::from_millis(200);
        for left in (0..TRIES).rev() {
            let payload = PutPayload::from_bytes(bytes.clone());
            let put = self.runtime.block_on(self.objects.put_opts(&path, payload, PutMode::Create.into()));
            match put {
                Ok(_) => return Ok(true),
                // Some servers answer so while another create is under way, which may yet fail.
                Err(object_store::Error::AlreadyExists { .. }) if self.size(name)?.is_some() => {
                    return Ok(false);
                }
                Err(
                    object_store::Error::Generic { .. }
                    | object_store::Error::AlreadyExists { .. }
                    | object_store::Error::JoinError { .. },
                ) if left > 0 => {
                    // Inside, because a sleep is made by the clock of the runtime that it is made in.
                    self.runtime.block_on(async { tokio::time::sleep(wait).await });
                    wait = (wait * 2).min(Duration::from_secs(15));
                }
                Err(error) => return Err(Place::error(name)(error)),
            }
        }
        unreachable!("the last try returns")
    }

    /// A whole object; none if there is none.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(&self, name: &str) -> Result<Option<Bytes>, StoreError> {
        self.expect_file(name)?;
        let path = self.path(name);
        match self.runtime.block_on(insist(|| async { self.objects.get(&path).await?.bytes().await })) {
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            result => result.map(Some).map_err(Place::error(name)),
        }
    }

    /// Many objects, or ranges of them, several at the same time, in the order of the requests; none for those that are not there.
    ///
    /// # Errors
    /// When one cannot be read.
    pub(crate) fn fetch(&self, requests: &[Request]) -> Result<Vec<Option<Vec<Bytes>>>, StoreError> {
        requests.iter().try_for_each(|request| self.expect_file(&request.name))?;
        let get = |request: &Request| {
            let (path, object, parts) =
                (self.path(&request.name), request.name.clone(), request.parts.clone());
            let objects = Arc::clone(&self.objects);
            async move {
                let get = || async {
                    match &parts {
                        Some(parts) => objects.get_ranges(&path, parts).await,
                        None => Ok(vec![objects.get(&path).await?.bytes().await?]),
                    }
                };
                match insist(get).await {
                    Ok(bytes) => Ok(Some(bytes)),
                    Err(object_store::Error::NotFound { .. }) => Ok(None),
                    Err(cause) => Err(StoreError::Object { object, cause }),
                }
            }
        };
        let all = futures_util::stream::iter(requests.iter().map(get)).buffered(AT_ONCE);
        self.runtime.block_on(all.try_collect())
    }

    /// Some bytes of an object.
    ///
    /// # Errors
    /// When there are no such bytes.
    pub fn range(&self, name: &str, range: Range<u64>) -> Result<Bytes, StoreError> {
        let path = self.path(name);
        let get = || self.objects.get_range(&path, range.clone());
        self.runtime.block_on(insist(get)).map_err(Place::error(name))
    }

    /// How long an object is; none if there is none.
    ///
    /// # Errors
    /// When nobody can tell.
    pub fn size(&self, name: &str) -> Result<Option<u64>, StoreError> {
        self.expect_file(name)?;
        match self.runtime.block_on(self.objects.head(&self.path(name))) {
            Ok(meta) => Ok(Some(meta.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(Place::error(name)(error)),
        }
    }

    /// The names of all objects in a folder, in their order, and their sizes. What lies in folders of it is not among them.
    ///
    /// # Errors
    /// When they cannot be listed.
    pub fn list(&self, folder: &str) -> Result<Vec<(String, u64)>, StoreError> {
        let path = self.path(folder);
        let list = || self.objects.list(Some(&path)).try_collect::<Vec<_>>();
        let found = self.runtime.block_on(insist(list));
        let mut names: Vec<(String, u64)> = match found {
            Ok(found) => found
                .iter()
                .filter_map(|meta| {
                    let mut parts = meta.location.prefix_match(&path)?;
                    let file = parts.next()?;
                    // In a folder of this folder is something else, whatever it is called.
                    parts.next().is_none().then(|| (format!("{folder}/{}", file.as_ref()), meta.size))
                })
                .collect(),
            Err(object_store::Error::NotFound { .. }) => Vec::new(),
            Err(error) => return Err(Place::error(folder)(error)),
        };
        names.sort_unstable();
        Ok(names)
    }

    /// Deletes objects; those that are not there are none the worse for it.
    ///
    /// # Errors
    /// When one stays.
    pub fn delete(&self, names: &[String]) -> Result<(), StoreError> {
        let Some(first) = names.first() else { return Ok(()) };
        let delete = || async {
            let paths: Vec<_> = names.iter().map(|name| Ok(self.path(name))).collect();
            let mut gone = self.objects.delete_stream(futures_util::stream::iter(paths).boxed());
            // To the end, whatever happens on the way: one that stays keeps no other.
            let mut failed = Ok(());
            while let Some(result) = gone.next().await {
                match result {
                    Ok(_) | Err(object_store::Error::NotFound { .. }) => {}
                    Err(error) => failed = Err(error),
                }
            }
            failed
        };
        self.runtime.block_on(insist(delete)).map_err(Place::error(first))
    }

    /// In a folder an object is a file: opening a pipe would wait for a writer.
    fn expect_file(&self, name: &str) -> Result<(), StoreError> {
        match &self.files {
            Some(files) if files.is_special(name) => Err(StoreError::damaged(name, "expected a file")),
            _ => Ok(()),
        }
    }

    /// Something in a folder that no store has; none where it is empty, or a bucket.
    pub(crate) fn stranger(&self) -> Result<Option<String>, StoreError> {
        self.files.as_ref().map_or(Ok(None), Files::stranger)
    }

    /// Removes what killed processes have left aside.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn clear_staging(&self) -> Result<usize, StoreError> {
        self.files.as_ref().map_or(Ok(0), Files::clear_staging)
    }
}

type Opened = (Option<PathBuf>, Arc<dyn ObjectStore>, ObjectPath);

fn open_folder(path: &Path) -> Result<Opened, StoreError> {
    let failed = |source| StoreError::File { file: path.display().to_string(), source };
    if !path.is_dir() {
        return Err(StoreError::NoStore(path.display().to_string()));
    }
    let path = path.canonicalize().map_err(failed)?;
    let objects = LocalFileSystem::new_with_prefix(&path)
        .map_err(|cause| StoreError::Object { object: path.display().to_string(), cause })?;
    Ok((Some(path), Arc::new(objects), ObjectPath::default()))
}

#[cfg(feature = "s3")]
fn bucket(
    address: &str,
    rest: &str,
    options: &[(String, String)],
) -> Result<(Arc<dyn ObjectStore>, ObjectPath), StoreError> {
    use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey, S3ConditionalPut};
    use object_store::{BackoffConfig, ClientConfigKey, RetryConfig};

    let failed = |cause| StoreError::Object { object: address.to_owned(), cause };
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    // A large object takes longer than the usual half minute on a slow line.
    let timeout = AmazonS3ConfigKey::Client(ClientConfigKey::Timeout);
    let mut builder = AmazonS3Builder::new().with_bucket_name(bucket).with_config(timeout, "2 minutes");
    for (name, value) in options {
        if let Ok(key) = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
            builder = builder.with_config(key, value);
        }
    }
    // A server that was killed is back within a minute or two.
    let retry = RetryConfig {
        backoff: BackoffConfig { max_backoff: Duration::from_secs(5), ..BackoffConfig::default() },
        max_retries: 100,
        retry_timeout: Duration::from_mins(3),
    };
    let builder = builder.with_conditional_put(S3ConditionalPut::ETagMatch).with_retry(retry);
    Ok((Arc::new(builder.build().map_err(failed)?), ObjectPath::from(prefix)))
}

#[cfg(not(feature = "s3"))]
fn bucket(
    address: &str,
    _: &str,
    _: &[(String, String)],
) -> Result<(Arc<dyn ObjectStore>, ObjectPath), StoreError> {
    Err(StoreError::Address(format!(
        "{address}: this build knows folders only; buckets need one with the feature s3 (cargo build --features full)"
    )))
}

fn no_address(address: &str) -> StoreError {
    StoreError::Address(format!("expected a folder, file:///FOLDER or s3://BUCKET/PREFIX, found {address:?}"))
}
