//! The TypeScript types of questions and answers, written from the Rust types.

use std::collections::BTreeMap;

use ts_rs::{Config, TS, TypeVisitor};

use crate::question::{Answer, Question};
use crate::review::Progress;

const COMMAND: &str = "UPDATE_GOLDEN=1 cargo test -p anglerfish-board --lib types";

/// Declarations by name.
struct Types(Config, BTreeMap<String, String>);

impl TypeVisitor for Types {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        let Types(config, written) = self;
        // Numbers, texts and lists have no declaration.
        if T::output_path().is_none() {
            return;
        }
        let declared = format!("{}export {}", T::docs().unwrap_or_default(), T::decl(config));
        if let Some(before) = written.insert(T::ident(config), declared.clone()) {
            assert_eq!(before, declared, "two types of one name");
            return;
        }
        T::visit_dependencies(self);
    }
}

#[test]
fn types_of_the_pages_are_these() {
    let mut types = Types(Config::new().with_large_int("number"), BTreeMap::new());
    types.visit::<Question>();
    types.visit::<Answer>();
    types.visit::<Progress>();
    let head = format!("// Generated from crates/board and crates/report. Do not edit: {COMMAND}\n");
    let text = types.1.values().fold(head, |text, part| text + "\n" + part + "\n");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/engine/types.ts");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &text).expect("a file");
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == text, "web/src/engine/types.ts is stale: {COMMAND}");
}
