//! Errors in the arguments of `anglerfish play`, in the language of the command line. Those of other commands, and all in
//! English, are clap's own.

use std::error::Error as _;

use anglerfish_report::{Lang, say};
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use crate::locale::spoken;
use crate::terminal::note;

/// Prints an error, or the help, and ends the program.
pub(crate) fn end(error: &Error) -> ! {
    let lang = spoken();
    let is_play = std::env::args_os().nth(1).is_some_and(|word| word == "play");
    match told(lang, error).filter(|_| is_play && lang != Lang::En) {
        Some(text) => {
            note!("error: {text}\n\n{}", lang.text("clap.help"));
            std::process::exit(2)
        }
        None => error.exit(),
    }
}

/// What is wrong; `None` for what is rare.
fn told(lang: Lang, error: &Error) -> Option<String> {
    let part = |kind| error.get(kind).map(ContextValue::to_string).filter(|text| !text.is_empty());
    let arg = part(ContextKind::InvalidArg)?;
    match error.kind() {
        ErrorKind::UnknownArgument => Some(say!(lang, "clap.unknown", found = arg)),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let Some(found) = part(ContextKind::InvalidValue) else {
                return Some(say!(lang, "clap.missing", arg = arg));
            };
            let choices = part(ContextKind::ValidValue).map(|list| say!(lang, "clap.choices", list = list));
            let why = error.source().map(|why| say!(lang, "clap.why", why = why));
            let why = choices.or(why).unwrap_or_default();
            Some(say!(lang, "clap.value", arg = arg, found = format!("{found:?}"), why = why))
        }
        ErrorKind::ArgumentConflict => {
            Some(say!(lang, "clap.conflict", arg = arg, other = part(ContextKind::PriorArg)?))
        }
        ErrorKind::MissingRequiredArgument => Some(say!(lang, "clap.requires", arg = arg)),
        _ => None,
    }
}
