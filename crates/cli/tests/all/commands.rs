//! The commands in the fenced blocks of README.md and docs/guide.md.

/// The folder of the repository, in which these commands are meant to be run.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

pub(crate) const PAGES: [&str; 2] = ["README.md", "docs/guide.md"];

pub(crate) fn text(page: &str) -> String {
    std::fs::read_to_string(format!("{ROOT}/{page}")).expect(page)
}

/// The text of all pages, one after the other.
pub(crate) fn pages() -> String {
    PAGES.map(text).concat()
}

/// Every line of a fenced block that runs the program, with or without a `$` before it. A `\` at the end continues a line.
pub(crate) fn commands(pages: &str) -> Vec<String> {
    let fenced = pages.split("```").skip(1).step_by(2).collect::<String>().replace("\\\n", "");
    let lines = fenced.lines().map(|line| line.trim_start_matches("$ ").to_owned());
    lines.filter(|line| line.starts_with("anglerfish ")).collect()
}

/// The words of a command, without the program's name, comments and redirections. Quotes keep words together.
pub(crate) fn words(command: &str) -> Vec<String> {
    let command = command.split(" # ").next().and_then(|text| text.split(" > ").next()).unwrap_or_default();
    let parts = command.split('"').enumerate().flat_map(|(n, part)| match n % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    parts.skip(1).collect()
}
