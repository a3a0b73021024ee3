//! Errors of library crates are types: a caller may act on the difference, and `?` carries them.
//!
//! Tests, `cli` and `xtask` are free.

use std::path::{Path, PathBuf};

use anyhow::Context;

/// Refuses `Result<…, String>` in library crates.
pub(crate) fn run(root: &Path, files: &[PathBuf], faults: &mut Vec<String>) -> anyhow::Result<()> {
    for path in files.iter().filter(|path| path.extension().is_some_and(|e| e == "rs")) {
        let name = path.display().to_string();
        let is_library = name.starts_with("crates/") && name.contains("/src/");
        if !is_library || name.starts_with("crates/cli/") || name.ends_with("tests.rs") {
            continue;
        }
        let text = std::fs::read_to_string(root.join(path)).with_context(|| name.clone())?;
        for line in texts_as_errors(&text) {
            faults.push(format!("{name}:{line}: an error is a type with a name, not a String"));
        }
    }
    Ok(())
}

/// The lines of code whose error is a `String`, counted from 1.
fn texts_as_errors(text: &str) -> Vec<usize> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let is_comment = |at: usize| {
        let line = code[..at].rfind('\n').map_or(0, |end| end + 1);
        code[line..at].contains("//")
    };
    let mut found: Vec<usize> = ["Result<", "Ok::<", "Err::<"]
        .iter()
        .flat_map(|word| code.match_indices(word).map(move |(at, _)| at + word.len()))
        .filter(|&from| last_argument(&code[from..]).is_some_and(|last| last == "String"))
        .chain(["Err = String;", "Error = String;"].iter().flat_map(|word| {
            code.match_indices(word).filter(|(at, _)| code[..*at].ends_with("type ")).map(|(at, _)| at)
        }))
        .filter(|&at| !is_comment(at))
        .map(|at| code[..at].lines().count())
        .collect();
    found.sort_unstable();
    found
}

/// The second or later argument that ends a list of generic arguments, whose `<` is before the text.
fn last_argument(text: &str) -> Option<&str> {
    let (mut depth, mut comma) = (0u32, None);
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            // The arrow of a function.
            '>' if text[..at].ends_with('-') => {}
            '>' if depth == 0 => {
                let last = text[comma?..at].trim();
                return Some(last.strip_suffix(',').unwrap_or(last).trim());
            }
            '>' | ')' | ']' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 && !text[at + 1..].trim_start().starts_with('>') => comma = Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_and_types_are_not() {
        let wrong = [
            "fn f() -> Result<(), String> {}",
            "fn f() -> Result<Option<[String; 2]>, String>;",
            "type Played<G> = Result<Vec<Record<G>>, String>;",
            "work: fn(&str) -> Result<fn() -> u8, String>,",
            "fn f() -> Result<\n    Vec<u8>,\n    String,\n> {}",
            "Ok::<_, String>(1)",
            "impl FromStr for A {\n    type Err = String;",
        ];
        for code in wrong {
            assert_eq!(texts_as_errors(code).len(), 1, "{code}");
        }
        assert_eq!(texts_as_errors("fn a() {}\nfn b() -> Result<(), String> {}"), [2]);
        let right = [
            "fn f() -> Result<String, Wrong> {}",
            "fn f() -> Result<BTreeMap<String, String>, Wrong> {}",
            "fn f() -> io::Result<String> {}",
            "// Result<(), String> would do",
            "struct Results(BTreeMap<String, String>);",
            "#[cfg(test)]\nmod tests {\n    fn f() -> Result<(), String> {}\n}",
        ];
        for code in right {
            assert_eq!(texts_as_errors(code), [0; 0], "{code}");
        }
    }
}
