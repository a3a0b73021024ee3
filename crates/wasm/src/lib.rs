#![doc = include_str!("../README.md")]
//!
//! The caller asks for [`room`], writes its question there, calls [`ask`] and reads so many bytes at [`said`]. While it is answered, `tell` is
//! called with what is to be said meanwhile, and `now` is asked for the time in milliseconds.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use anglerfish_board::Pages;
use anglerfish_engine::{Assets, Clock, Stop};

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "page")]
unsafe extern "C" {
    safe fn now() -> f64;
    safe fn tell(at: *const u8, bytes: usize);
}

/// On other targets time stands still and progress is dropped: the crate is compiled and linted with the rest.
#[cfg(not(target_arch = "wasm32"))]
fn now() -> f64 {
    0.0
}

#[cfg(not(target_arch = "wasm32"))]
fn tell(_: *const u8, _: usize) {}

/// The clock of the page.
struct PageClock;

impl Clock for PageClock {
    fn now(&self) -> Duration {
        Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default()
    }
}

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static PAGES: RefCell<Pages> = RefCell::new(Pages::new(Arc::new(PageClock), models()));
}

/// The models that players of a page may have.
fn models() -> Assets {
    let mut assets = Assets::default();
    anglerfish_opponents::install(assets.models_mut());
    assets
}

/// Room for a question of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        *text = vec![0; bytes];
        text.as_mut_ptr()
    })
}

/// Answers the question in the room; how many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    let question = TEXT.with_borrow_mut(std::mem::take);
    let question = String::from_utf8_lossy(&question);
    let answer = PAGES.with_borrow_mut(|pages| {
        // A page that wants to stop ends the worker.
        pages.ask(&question, &Stop::default(), &mut |meanwhile| {
            let text = meanwhile.to_string();
            tell(text.as_ptr(), text.len());
        })
    });
    TEXT.with_borrow_mut(|text| {
        *text = answer.to_string().into_bytes();
        text.len()
    })
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn said() -> *const u8 {
    TEXT.with_borrow(Vec::as_ptr)
}
