//! Circles of files: files of one crate that use each other, directly or through others.
//!
//! A use is followed to the file that defines the name, through `pub use`. A parent that only re-exports its
//! children uses none of them. Tests may use anything.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Context;

/// Most files in a circle.
const LARGEST: usize = 4;

/// The path of a module from the root of its crate.
type Module = Vec<String>;

/// The modules that a file uses, and its re-exports.
#[derive(Default)]
struct Uses {
    paths: Vec<Module>,
    exports: BTreeMap<String, Module>,
}

/// Finds the circles of every crate.
pub(crate) fn run(root: &Path, files: &[PathBuf], faults: &mut Vec<String>) -> anyhow::Result<()> {
    let mut crates: BTreeMap<PathBuf, BTreeMap<Module, String>> = BTreeMap::new();
    for path in files.iter().filter(|path| path.extension().is_some_and(|e| e == "rs")) {
        let Some((folder, module)) = module_of(path) else { continue };
        let text = std::fs::read_to_string(root.join(path)).with_context(|| path.display().to_string())?;
        crates.entry(folder).or_default().insert(module, text);
    }
    for (folder, modules) in crates {
        for circle in circles(&modules) {
            let names: Vec<String> = circle.iter().map(|module| module.join("::")).collect();
            faults.push(format!(
                "{}: {} files use each other in a circle, over {LARGEST}: {}",
                folder.display(),
                circle.len(),
                names.join(", ")
            ));
        }
    }
    Ok(())
}

/// The source folder of a file's crate, and its module in it.
fn module_of(path: &Path) -> Option<(PathBuf, Module)> {
    let name = path.to_str()?;
    let (before, inside) =
        if let Some(rest) = name.strip_prefix("src/") { ("", rest) } else { name.split_once("/src/")? };
    let mut module: Module = inside.strip_suffix(".rs")?.split('/').map(str::to_owned).collect();
    match module.last().map(String::as_str) {
        Some("mod") => drop(module.pop()),
        Some("lib" | "main") if module.len() == 1 => drop(module.pop()),
        Some("tests") => return None,
        _ => {}
    }
    Some((Path::new(before).join("src"), module))
}

/// The circles of a crate that are too large.
fn circles(modules: &BTreeMap<Module, String>) -> Vec<Vec<Module>> {
    let uses: BTreeMap<&Module, Uses> =
        modules.iter().map(|(module, text)| (module, uses(module, text, modules))).collect();
    let next = |module: &Module| -> BTreeSet<Module> {
        let found = uses[module].paths.iter().filter_map(|path| file_of(path, &uses, 0));
        found.filter(|file| file != module).collect()
    };
    let graph: BTreeMap<Module, BTreeSet<Module>> =
        modules.keys().map(|module| (module.clone(), next(module))).collect();
    // Two files are in one circle if each reaches the other.
    let reached: BTreeMap<&Module, BTreeSet<&Module>> =
        graph.keys().map(|module| (module, reached(module, &graph))).collect();
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    for (module, others) in &reached {
        let circle: Vec<Module> = others
            .iter()
            .filter(|other| reached[**other].contains(*module))
            .map(|other| (*other).clone())
            .collect();
        if circle.len() > LARGEST && seen.insert(circle.clone()) {
            found.push(circle);
        }
    }
    found
}

fn reached<'a>(from: &Module, graph: &'a BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<&'a Module> {
    let (mut all, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        for next in &graph[module] {
            if all.insert(next) {
                open.push(next);
            }
        }
    }
    all
}

/// The file that defines the name of a path.
fn file_of(path: &[String], uses: &BTreeMap<&Module, Uses>, depth: usize) -> Option<Module> {
    let length = (0..=path.len()).rev().find(|n| uses.contains_key(&path[..*n].to_vec()))?;
    let file = path[..length].to_vec();
    if let Some(target) =
        path.get(length).and_then(|name| uses[&file].exports.get(name)).filter(|_| depth < 8)
    {
        let rest = path[length + 1..].iter().cloned();
        return file_of(&target.iter().cloned().chain(rest).collect::<Vec<_>>(), uses, depth + 1);
    }
    Some(file)
}

/// The uses of a file within its own crate, tests excluded.
fn uses(module: &Module, text: &str, modules: &BTreeMap<Module, String>) -> Uses {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: String =
        code.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect();
    let mut uses = Uses::default();
    let mut rest = String::new();
    for (n, statement) in code.split(';').enumerate() {
        let line = statement
            .rfind("use ")
            .filter(|at| statement[..*at].ends_with(['\n', ' ']) || (n == 0 && *at == 0));
        let Some(at) = line else {
            rest += statement;
            continue;
        };
        let line_start = statement[..at].rfind('\n').map_or(0, |end| end + 1);
        rest += &statement[..line_start];
        let is_export = statement[line_start..at].trim_start().starts_with("pub");
        for (path, name) in expanded(&statement[at + 4..], &[]) {
            let Some(path) = absolute(&path, module, modules) else { continue };
            if is_export {
                uses.exports.insert(name, path.clone());
                let is_child = path.len() > module.len()
                    && modules.contains_key(&path[..=module.len()])
                    && path.starts_with(module);
                if is_child {
                    continue;
                }
            }
            uses.paths.push(path);
        }
    }
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in rest.match_indices(start) {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            if rest[..at].ends_with(|c: char| is_word(c) || c == ':') {
                continue;
            }
            let end = rest[at..].find(|c: char| !is_word(c) && c != ':').map_or(rest.len(), |n| at + n);
            let path: Module =
                rest[at..end].split("::").filter(|word| !word.is_empty()).map(str::to_owned).collect();
            uses.paths.extend(absolute(&path, module, modules));
        }
    }
    uses
}

/// The paths in a tree of uses, each with its local name.
fn expanded(tree: &str, before: &[String]) -> Vec<(Module, String)> {
    let tree = tree.trim();
    let words = |text: &str| {
        text.split("::")
            .map(|word| word.trim().to_owned())
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
    };
    let Some((start, list)) = tree.split_once('{') else {
        let (path, name) = tree.split_once(" as ").map_or((tree, None), |(path, name)| (path, Some(name)));
        let mut path = [before, &words(path)].concat();
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = name.map(str::trim).or(path.last().map(String::as_str)).unwrap_or_default().to_owned();
        return vec![(path, name)];
    };
    let before = [before, &words(start)].concat();
    let (mut depth, mut parts) = (0_i32, vec![String::new()]);
    for c in list.strip_suffix('}').unwrap_or(list).chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            c => parts.last_mut().into_iter().for_each(|part| part.push(c)),
        }
    }
    parts.iter().filter(|part| !part.trim().is_empty()).flat_map(|part| expanded(part, &before)).collect()
}

/// A path from the root of the crate, or `None` for a path outside it.
fn absolute(path: &[String], module: &Module, modules: &BTreeMap<Module, String>) -> Option<Module> {
    let supers = path.iter().take_while(|word| *word == "super").count();
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([module, &path[1..]].concat()),
        "super" => Some([&module[..module.len().checked_sub(supers)?], &path[supers..]].concat()),
        first => {
            let child = [&module[..], &[first.to_owned()]].concat();
            modules.contains_key(&child).then(|| [module, path].concat())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<Vec<Module>> {
        let module =
            |name: &str| name.split("::").filter(|word| !word.is_empty()).map(str::to_owned).collect();
        circles(&files.iter().map(|(name, text)| (module(name), (*text).to_owned())).collect())
    }

    #[test]
    fn a_circle_of_five_is_found_and_one_of_four_is_not() {
        let five = [
            ("", "mod a;\nmod b;\n"),
            ("a", "use crate::b::B;\n"),
            ("b", "use super::c::{self, C};\n"),
            ("c", "use crate::{d::D, z::Z};\n"),
            ("d", "fn f() {\n    crate::e::g();\n}\n"),
            ("e", "pub(crate) use crate::a::A;\n"),
        ];
        assert_eq!(found(&five), [["a", "b", "c", "d", "e"].map(|name| vec![name.to_owned()])]);
        let four = [five[1], five[2], five[3], ("d", "use crate::a::A;\n")];
        assert!(found(&four).is_empty());
    }

    #[test]
    fn exports_are_followed_to_their_file() {
        // Children use the parent's exports, which come from one of them: no circle.
        let files = [
            ("p", "mod a;\npub use a::A;\npub use b::B;\npub use c::C;\npub use d::D;\n"),
            ("p::a", "struct A;\n"),
            ("p::b", "use super::A;\n"),
            ("p::c", "use super::{A, B};\n"),
            ("p::d", "use super::C;\n"),
        ];
        assert!(found(&files).is_empty());
        let mut round = files;
        round[1].1 = "use super::{D, Own};\n";
        assert_eq!(found(&round).len(), 0, "four files");
        let with_parent = [round[0], round[1], round[2], round[3], ("p::d", "use super::{C, Parent};\n")];
        assert_eq!(found(&with_parent).len(), 0, "a parent that only exports uses nothing");
        let all = [
            ("p", "mod a;\npub use d::D;\nuse self::a::A;\n"),
            ("p::a", "use super::b::B;\n"),
            ("p::b", "use super::c::C;\n"),
            ("p::c", "use super::D;\n"),
            ("p::d", "use super::Own;\n"),
        ];
        assert_eq!(found(&all).len(), 1);
    }
}
