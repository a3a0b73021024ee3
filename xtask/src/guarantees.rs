//! The promises of the docs and their tests: `docs/guarantees.md` lists every promise once, and names existing tests.
//!
//! A promise is marked in its page by `<a id="store-7"></a>`: the page's name and a number. Readers judge whether a
//! test really asserts its promise; this check finds forgotten, renamed and removed ones.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// The page that ties promises to tests.
const TABLE: &str = "docs/guarantees.md";

/// The crates whose tests can be named, with their folders.
const CRATES: &[(&str, &str)] = &[
    ("rules", "crates/rules"),
    ("engine", "crates/engine"),
    ("arena", "crates/arena"),
    ("report", "crates/report"),
    ("board", "crates/board"),
    ("store", "crates/store"),
    ("lab", "crates/lab"),
    ("cli", "crates/cli"),
    ("xtask", "xtask"),
];

/// Adds the faults of the table and of the identifiers in the pages.
pub(crate) fn run(root: &Path, files: &[PathBuf], faults: &mut Vec<String>) -> anyhow::Result<()> {
    let mut pages = Vec::new();
    for path in files.iter().filter(|path| is_page(path)) {
        let name = path.display().to_string();
        let text = fs::read_to_string(root.join(path)).with_context(|| name.clone())?;
        pages.push((name, text));
    }
    let table = fs::read_to_string(root.join(TABLE)).context(TABLE)?;
    faults.extend(check(&pages, &table, &|test| exists(root, test)));
    Ok(())
}

/// Whether a file may have promises: the README and the pages of `docs`, except for results.
fn is_page(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let in_docs = path.parent() == Some(Path::new("docs")) && name.ends_with(".md");
    (in_docs || name == "README.md") && name != TABLE
}

/// The faults of these pages, by path, and of this table.
fn check(pages: &[(String, String)], table: &str, exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut faults = Vec::new();
    // Step 1. The pages: each identifier once, with the name of its page.
    let mut marked = BTreeSet::new();
    for (path, text) in pages {
        let stem = Path::new(path).file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
        for id in text.split("<a id=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let number = id.strip_prefix(&format!("{stem}-"));
            if number.is_none_or(|number| number.parse::<u32>().is_err()) {
                faults
                    .push(format!("{path}: {id} is no identifier of a promise here: expected {stem}-NUMBER"));
            } else if !marked.insert((id.to_owned(), path.clone())) {
                faults.push(format!("{path}: {id} is there twice"));
            }
        }
    }

    // Step 2. The table: each row has an identifier of a page and tests that exist.
    let mut listed = BTreeSet::new();
    for (i, line) in table.lines().enumerate().filter(|(_, line)| line.starts_with("| [`")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let parts = cells[0].strip_prefix("[`").and_then(|cell| cell.strip_suffix(')')?.split_once("`]("));
        let (Some((id, link)), [_, promise, tests]) = (parts, &cells[..]) else {
            faults.push(format!("{TABLE}:{}: expected [`ID`](PAGE#ID), a promise and tests", i + 1));
            continue;
        };
        if promise.is_empty() {
            faults.push(format!("{TABLE}: {id} has no promise"));
        }
        if !listed.insert(id) {
            faults.push(format!("{TABLE}: {id} is there twice"));
        }
        match marked.iter().find(|(marked, _)| marked == id) {
            None => faults.push(format!("{TABLE}: {id} is on no page")),
            Some((_, path)) if link != format!("{}#{id}", from_docs(path)) => {
                faults.push(format!("{TABLE}: {id} links to {link}, and it is in {path}"));
            }
            Some(_) => {}
        }
        for test in tests.split("<br>").map(str::trim).filter(|test| !exists(test)) {
            faults.push(format!("{TABLE}: {id} names a test that does not exist: {test}"));
        }
    }
    let forgotten = marked.iter().filter(|(id, _)| !listed.contains(&id[..]));
    faults.extend(forgotten.map(|(id, path)| format!("{path}: {id} is missing in {TABLE}")));
    faults
}

/// How a page in `docs` links to a file.
fn from_docs(path: &str) -> String {
    path.strip_prefix("docs/").map_or_else(|| format!("../{path}"), str::to_owned)
}

/// Whether a test exists: `` `crate::path::name` ``, `` `.ci/run STAGE` ``, `` `.ci/services/FILE` `` or ``
/// `web/tests/FILE` TITLE ``.
fn exists(root: &Path, test: &str) -> bool {
    let Some((code, title)) = test.strip_prefix('`').and_then(|rest| rest.split_once('`')) else {
        return false;
    };
    let text = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    if let Some(stage) = code.strip_prefix(".ci/run ") {
        let scripts = [".ci/run", ".ci/services/stages"].map(|script| text(&root.join(script)));
        return title.is_empty() && scripts.concat().contains(&format!("\nstage_{stage}() {{"));
    }
    if code.starts_with(".ci/services/") {
        return title.is_empty() && root.join(code).is_file();
    }
    if code.starts_with("web/tests/") {
        return !title.trim().is_empty()
            && text(&root.join(code)).contains(&format!("test(\"{}\"", title.trim()));
    }
    let path: Vec<&str> = code.split("::").collect();
    let [krate, modules @ .., name] = &path[..] else { return false };
    let Some((_, folder)) = CRATES.iter().find(|(known, _)| known == krate) else { return false };
    let files =
        ["src", "tests/all"].into_iter().flat_map(|part| candidates(&root.join(folder).join(part), modules));
    let holds = |(file, inner): (PathBuf, &[&str])| {
        let text = text(&file);
        inner.iter().all(|module| text.contains(&format!("mod {module} {{"))) && has_test(&text, name)
    };
    title.is_empty() && files.into_iter().any(holds)
}

/// The possible files of a path of modules, each with the modules inside it.
fn candidates<'a>(folder: &Path, modules: &'a [&'a str]) -> Vec<(PathBuf, &'a [&'a str])> {
    let mut files = Vec::new();
    for cut in 0..=modules.len() {
        let (outer, inner) = modules.split_at(cut);
        let path = outer.iter().fold(folder.to_owned(), |path, module| path.join(module));
        if outer.is_empty() {
            files.extend(["lib.rs", "main.rs"].map(|name| (path.join(name), inner)));
        } else {
            files.push((path.with_extension("rs"), inner));
            files.push((path.join("mod.rs"), inner));
        }
    }
    files
}

/// Whether a source has a test of this name.
fn has_test(text: &str, name: &str) -> bool {
    let mut is_test = false;
    for line in text.lines().map(str::trim_start) {
        if line.starts_with("#[test]") {
            is_test = true;
        } else if let Some(rest) = line.strip_prefix("fn ") {
            if is_test && rest.strip_prefix(name).is_some_and(|rest| rest.starts_with('(')) {
                return true;
            }
            is_test = false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str =
        "# Page\n\n<a id=\"page-1\"></a>Nothing is lost.\n<a id=\"page-2\"></a>Nothing is there twice.\n";
    const ROWS: &str = "| id | promise | held by |\n|---|---|---|\n\
        | [`page-1`](page.md#page-1) | no loss | `a`<br>`b` |\n| [`page-2`](page.md#page-2) | no duplicates | `a` |\n";

    fn faults(page: &str, table: &str) -> Vec<String> {
        let pages = [("docs/page.md".to_owned(), page.to_owned()), ("README.md".to_owned(), String::new())];
        check(&pages, table, &|test| ["`a`", "`b`"].contains(&test))
    }

    #[test]
    fn a_table_that_agrees_with_its_pages_has_no_fault() {
        assert_eq!(faults(PAGE, ROWS), Vec::<String>::new());
        let readme = [("README.md".to_owned(), "<a id=\"readme-1\"></a>It is fast.".to_owned())];
        let row = "| [`readme-1`](../README.md#readme-1) | speed | `a` |\n";
        assert_eq!(check(&readme, row, &|_| true), Vec::<String>::new());
    }

    #[test]
    fn what_is_missing_twice_or_misspelt_is_noticed() {
        let again = format!("{PAGE}<a id=\"page-2\"></a>Once more.\n");
        let row = "| [`page-2`](page.md#page-2) | once more | `a` |\n";
        for (page, table, fault) in [
            (
                PAGE,
                ROWS.replace("`page-2`", "`page-3`"),
                "docs/page.md: page-2 is missing in docs/guarantees.md",
            ),
            (PAGE, ROWS.replace("`page-2`", "`page-3`"), "docs/guarantees.md: page-3 is on no page"),
            (&again, ROWS.to_owned(), "docs/page.md: page-2 is there twice"),
            (PAGE, format!("{ROWS}{row}"), "docs/guarantees.md: page-2 is there twice"),
            (
                PAGE,
                ROWS.replace("`b`", "`c`"),
                "docs/guarantees.md: page-1 names a test that does not exist: `c`",
            ),
            (
                PAGE,
                ROWS.replace("| `a` |", "| |"),
                "docs/guarantees.md: page-2 names a test that does not exist",
            ),
            (
                PAGE,
                ROWS.replace(" | `a` |", " |"),
                "docs/guarantees.md:4: expected [`ID`](PAGE#ID), a promise and tests",
            ),
            (PAGE, ROWS.replace("page.md#page-2", "other.md#page-2"), "page-2 links to other.md#page-2"),
            (
                &PAGE.replace("page-2", "other-2"),
                ROWS.to_owned(),
                "other-2 is no identifier of a promise here",
            ),
            (
                &PAGE.replace("page-2", "page-two"),
                ROWS.to_owned(),
                "page-two is no identifier of a promise here",
            ),
        ] {
            let found = faults(page, &table);
            assert!(found.iter().any(|found| found.contains(fault)), "expected {fault}, found {found:?}");
        }
    }

    #[test]
    fn tests_are_found_where_they_are() {
        let root = crate::root();
        for test in [
            "`xtask::guarantees::tests::tests_are_found_where_they_are`",
            "`arena::cage::who_detaches_itself_is_found`",
            "`cli::store::queries::a_query_counts_what_verify_counts`",
            "`store::mutations::flips::a_flipped_bit_is_found`",
            "`store::simulated::no_game_is_lost_when_the_power_goes_off`",
            "`.ci/run store`",
            "`.ci/run s3`",
            "`.ci/services/seaweed`",
            "`web/tests/games.test.js` the second visit needs no network",
        ] {
            assert!(exists(&root, test), "{test}");
        }
        for test in [
            "",
            "arena::cage::who_detaches_itself_is_found",
            "`cage::who_detaches_itself_is_found`",
            "`arena::who_detaches_itself_is_found`",
            "`arena::cage::who_detaches_itself`",
            // It exists, but is no test.
            "`arena::cage::play`",
            "`.ci/run nothing`",
            "`.ci/services/nothing`",
            "`web/tests/games.test.js`",
            "`web/tests/games.test.js` the third visit needs no network",
        ] {
            assert!(!exists(&root, test), "{test}");
        }
    }
}
