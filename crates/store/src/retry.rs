//! Retries requests whose answers break off.
//!
//! `object_store` retries requests, but returns an answer that breaks off in its middle as an error. Reading,
//! listing and deleting are idempotent, so they are simply repeated.

use std::future::Future;
use std::time::Duration;

use object_store::{Error, Result};

/// Greatest number of tries. `object_store` retries within each of them, so a server that stays down ends this too.
const TRIES: u32 = 6;

/// Runs a request until it succeeds or fails permanently.
pub(crate) async fn insist<T, F: Future<Output = Result<T>>>(request: impl Fn() -> F) -> Result<T> {
    let mut wait = Duration::from_millis(50);
    for _ in 1..TRIES {
        match request().await {
            Err(Error::Generic { .. } | Error::JoinError { .. }) => {
                tokio::time::sleep(wait).await;
                wait *= 2;
            }
            result => return result,
        }
    }
    request().await
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// A request that fails this often and then succeeds: its result, and the number of tries.
    fn check(failures: u32, error: impl Fn() -> Error) -> (Result<&'static str>, u32) {
        let made = Cell::new(0);
        let request = || {
            made.set(made.get() + 1);
            let result = if made.get() <= failures { Err(error()) } else { Ok("whole") };
            async { result }
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let result = runtime.unwrap().block_on(insist(request));
        (result, made.get())
    }

    #[test]
    fn what_breaks_off_is_asked_for_again() {
        let broken = || Error::Generic { store: "S3", source: "the answer broke off".into() };
        assert!(matches!(check(0, broken), (Ok("whole"), 1)));
        assert!(matches!(check(2, broken), (Ok("whole"), 3)));
        assert!(matches!(check(TRIES, broken), (Err(Error::Generic { .. }), TRIES)));
    }

    #[test]
    fn what_is_not_there_is_not_asked_for_again() {
        let missing = || Error::NotFound { path: "units/a".to_owned(), source: "404".into() };
        assert!(matches!(check(1, missing), (Err(Error::NotFound { .. }), 1)));
    }
}
