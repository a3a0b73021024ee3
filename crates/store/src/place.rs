//! Where objects are: a folder or a bucket. All calls go through `object_store`, except for creating files.
//!
//! An object is created once and never changed; everything here relies on that. The server guarantees it for
//! a bucket (`If-None-Match: *`), and [`Files`] for a folder.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use object_store::local::LocalFileSystem;
use object_store::path::{Error as PathError, Path as ObjectPath};
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutPayload};
use tokio::runtime::Runtime;

use crate::error::StoreError;
use crate::files::{Files, RealDisk, make_folder};
use crate::retry::insist;

/// How often a create is retried when its success is unknown.
const TRIES: u32 = 12;

/// Greatest number of simultaneous requests.
const AT_ONCE: usize = 16;

/// A request to read an object.
pub(crate) struct Request {
    pub(crate) name: String,
    /// Only these byte ranges, each as a part.
    pub(crate) parts: Option<Vec<Range<u64>>>,
}

/// A folder or a bucket of objects with names such as `units/….parquet`.
#[derive(Debug)]
pub struct Place {
    address: String,
    files: Option<Files>,
    objects: Arc<dyn ObjectStore>,
    /// The prefix inside a bucket.
    prefix: ObjectPath,
    runtime: Runtime,
}

impl Place {
    /// A place on a simulated disk.
    #[cfg(test)]
    pub(crate) fn simulated(disk: Arc<dyn crate::files::Disk>, objects: Arc<dyn ObjectStore>) -> Place {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let (folder, runtime) = (PathBuf::from("/store"), runtime.expect("a runtime"));
        let files = Some(Files::new(folder, disk));
        Place { address: "simulated".to_owned(), files, objects, prefix: ObjectPath::default(), runtime }
    }

    /// Opens the place of an address: a folder, `file:///folder` or, in builds that have it, `s3://bucket/prefix`.
    /// `options` are the environment's settings of a bucket, by name, such as `aws_endpoint_url`.
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

    /// Opens a place as [`open`](Place::open) does, and makes a missing folder.
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

    /// The address as it was given.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The folder, if it is one.
    pub fn folder(&self) -> Option<&Path> {
        self.files.as_ref().map(Files::folder)
    }

    /// Whether both are the same place, under any names.
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

    /// The underlying object store, and the prefix of our objects in it.
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

    /// Creates an object; whether this call created it. On return the object is durable, created here or earlier.
    ///
    /// # Errors
    /// When it was not created and does not exist.
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
                    // Inside, because a sleep uses the clock of the runtime that creates it.
                    self.runtime.block_on(async { tokio::time::sleep(wait).await });
                    wait = (wait * 2).min(Duration::from_secs(15));
                }
                Err(error) => return Err(Place::error(name)(error)),
            }
        }
        unreachable!("the last try returns")
    }

    /// A whole object; `None` if it does not exist.
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

    /// Reads many objects or ranges of them, several at a time. The results are in the order of the requests;
    /// `None` where missing.
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

    /// The size of an object in bytes; `None` if it does not exist.
    ///
    /// # Errors
    /// When it cannot be determined.
    pub fn size(&self, name: &str) -> Result<Option<u64>, StoreError> {
        self.expect_file(name)?;
        match self.runtime.block_on(self.objects.head(&self.path(name))) {
            Ok(meta) => Ok(Some(meta.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(Place::error(name)(error)),
        }
    }

    /// The names of all objects in a folder, in order, and their sizes. Subfolders are left out.
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
                    // Files in a subfolder are no objects, under any name.
                    parts.next().is_none().then(|| (format!("{folder}/{}", file.as_ref()), meta.size))
                })
                .collect(),
            Err(object_store::Error::NotFound { .. }) => Vec::new(),
            Err(object_store::Error::InvalidPath { source: PathError::BadSegment { path, .. } }) => {
                let what = format!("the name of {path:?} is not one of a store: rename or remove that file");
                return Err(StoreError::damaged(folder, what));
            }
            Err(error) => return Err(Place::error(folder)(error)),
        };
        names.sort_unstable();
        Ok(names)
    }

    /// Deletes objects; missing ones are no error.
    ///
    /// # Errors
    /// When one cannot be deleted.
    pub fn delete(&self, names: &[String]) -> Result<(), StoreError> {
        let Some(first) = names.first() else { return Ok(()) };
        let delete = || async {
            let paths: Vec<_> = names.iter().map(|name| Ok(self.path(name))).collect();
            let mut gone = self.objects.delete_stream(futures_util::stream::iter(paths).boxed());
            // Goes on after an error, so that the other objects are still deleted.
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

    /// Refuses anything but a regular file: opening a pipe would wait for a writer.
    fn expect_file(&self, name: &str) -> Result<(), StoreError> {
        match &self.files {
            Some(files) if files.is_special(name) => Err(StoreError::damaged(name, "expected a file")),
            _ => Ok(()),
        }
    }

    /// An entry that belongs to no store; `None` in an empty folder and in a bucket.
    pub(crate) fn stranger(&self) -> Result<Option<String>, StoreError> {
        self.files.as_ref().map_or(Ok(None), Files::stranger)
    }

    /// Removes the staged files of killed processes.
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
    // A large object takes longer than the usual half minute over a slow connection.
    let timeout = AmazonS3ConfigKey::Client(ClientConfigKey::Timeout);
    let mut builder = AmazonS3Builder::new().with_bucket_name(bucket).with_config(timeout, "2 minutes");
    for (name, value) in options {
        if let Ok(key) = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
            builder = builder.with_config(key, value);
        }
    }
    // A killed server is back within a minute or two.
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
