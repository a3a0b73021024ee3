//! Plain English: five words that tracked text does not use, and a limit on prose lines of Markdown.

use std::path::{Path, PathBuf};

use anyhow::Context;

/// Words for an unnamed person, where a noun such as mover, spectator or caller is better. Split, so that this
/// file does not contain them.
const WORDS: [&str; 5] = [
    concat!("no", "body"),
    concat!("some", "body"),
    concat!("who", "ever"),
    concat!("who", "m"),
    concat!("every", "body"),
];

/// Most characters in a line of prose.
const LONGEST: usize = 200;

/// Licenses and translations.
const OTHERS: &[&str] = &["LICENSE", "licenses.txt", "zh-Han"];

/// Checks every tracked text.
pub(crate) fn run(root: &Path, files: &[PathBuf], faults: &mut Vec<String>) -> anyhow::Result<()> {
    let mut texts = 0;
    for path in files {
        let name = path.display().to_string();
        // Recorded output of programs stays unchanged.
        let is_printed = name.starts_with("docs/results/") && path.extension().is_none_or(|e| e != "md");
        if is_printed || OTHERS.iter().any(|other| name.contains(other)) {
            continue;
        }
        let bytes = std::fs::read(root.join(path)).with_context(|| name.clone())?;
        let Ok(text) = String::from_utf8(bytes) else { continue };
        texts += 1;
        faults.extend(faults_of(&name, &text));
    }
    if texts == 0 {
        faults.push("no text was found to read".to_owned());
    }
    Ok(())
}

fn faults_of(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let is_page = Path::new(name).extension().is_some_and(|e| e == "md");
    let mut in_code = false;
    for (n, line) in text.lines().enumerate() {
        let place = || format!("{name}:{}", n + 1);
        for word in line.split(|c: char| !c.is_alphanumeric() && c != '_') {
            if WORDS.contains(&word.to_lowercase().as_str()) {
                faults.push(format!("{}: {word:?}: say who, by the usual noun", place()));
            }
        }
        in_code ^= line.trim_start().starts_with("```");
        let length = line.chars().count();
        if is_page && !in_code && length > LONGEST && !line.trim_start().starts_with('|') {
            faults.push(format!(
                "{}: {length} characters in a line of prose, over {LONGEST}: one sentence per line",
                place()
            ));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_long_lines_are_found() {
        let word = WORDS[0];
        assert_eq!(faults_of("a.rs", &format!("// {word}.\n")).len(), 1);
        assert!(faults_of("a.rs", &format!("fn {word}_x() {{}}\n")).is_empty(), "a part of a name");
        let long = "x ".repeat(LONGEST);
        assert_eq!(faults_of("a.md", &long).len(), 1);
        assert!(faults_of("a.rs", &long).is_empty());
        assert!(faults_of("a.md", &format!("| {long} |")).is_empty(), "a table");
        assert!(faults_of("a.md", &format!("```\n{long}\n```\n")).is_empty(), "code");
    }
}
