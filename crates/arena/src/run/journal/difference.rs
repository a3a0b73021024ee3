//! The difference of two runs: which settings differ, and how.

use std::collections::BTreeSet;

use serde_json::Value;

/// The most differences that are named; the rest are counted.
const NAMED: usize = 5;

/// The most characters of a value that are shown.
const SHOWN: usize = 60;

/// How many equal characters are shown before the first difference of two long texts.
const LEAD: usize = 10;

/// The settings that differ between the run of the journal and the run that is asked for, which is written otherwise.
pub(super) fn text(there: &str, here: &str) -> String {
    found(there, here).unwrap_or_else(|| "the same settings, written in another way".to_owned())
}

/// The same of any two runs; `None` if no setting differs.
pub(super) fn found(there: &str, here: &str) -> Option<String> {
    // The text of a run is an object, or else just a text.
    let value = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
    let mut found = Vec::new();
    walk("", Some(&value(there)), Some(&value(here)), &mut found);
    let more = found.len().saturating_sub(NAMED);
    found.truncate(NAMED);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    (!found.is_empty()).then(|| found.join("; ") + &more)
}

fn walk(path: &str, there: Option<&Value>, here: Option<&Value>, found: &mut Vec<String>) {
    match (there, here) {
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            for key in a.keys().chain(b.keys()).collect::<BTreeSet<_>>() {
                let dot = if path.is_empty() { "" } else { "." };
                walk(&format!("{path}{dot}{key}"), a.get(key), b.get(key), found);
            }
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) => {
            for i in 0..a.len().max(b.len()) {
                walk(&format!("{path}[{i}]"), a.get(i), b.get(i), found);
            }
        }
        _ if there == here => {}
        (Some(Value::String(a)), Some(Value::String(b))) => {
            // Of two long texts only the difference is shown.
            let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
            let skipped = if same > SHOWN / 2 { same - LEAD } else { 0 };
            let cut = |text: &str| {
                let rest: String = text.chars().skip(skipped).collect();
                Value::String(if skipped > 0 { format!("…{rest}") } else { rest })
            };
            found.push(changed(path, Some(&cut(a)), Some(&cut(b))));
        }
        _ => found.push(changed(path, there, here)),
    }
}

/// `seed was 3 and is now 4`; the run itself has no path.
fn changed(path: &str, there: Option<&Value>, here: Option<&Value>) -> String {
    let path = if path.is_empty() { "it" } else { path };
    format!("{path} was {} and is now {}", shown(there), shown(here))
}

fn shown(value: Option<&Value>) -> String {
    let text = value.map_or("nothing".to_owned(), Value::to_string);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
