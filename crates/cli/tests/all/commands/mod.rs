//! The commands that README.md shows, as its fenced blocks have them.

/// Where README.md lies, and where its commands are meant to be run.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The whole page.
pub(crate) fn page() -> String {
    std::fs::read_to_string(format!("{ROOT}/README.md")).expect("README.md")
}

/// Every line of a fenced block that runs the program, with or without a `$` before it. Lines that end in `\` go on.
pub(crate) fn commands(page: &str) -> Vec<String> {
    let fenced = page.split("```").skip(1).step_by(2).collect::<String>().replace("\\\n", "");
    let lines = fenced.lines().map(|line| line.trim_start_matches("$ ").to_owned());
    lines.filter(|line| line.starts_with("anglerfish ")).collect()
}

/// A command's words without the program's name, comments and where its output goes; quotes keep words together.
pub(crate) fn words(command: &str) -> Vec<String> {
    let command = command.split(" # ").next().and_then(|text| text.split(" > ").next()).unwrap_or_default();
    let parts = command.split('"').enumerate().flat_map(|(n, part)| match n % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    parts.skip(1).collect()
}
