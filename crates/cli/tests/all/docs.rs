//! The generated pages of docs/ are up to date. `UPDATE_GOLDEN=1` rewrites them.

use crate::fish::{ROOT, right};

fn is_written_by(page: &str, words: &[&str]) {
    let path = format!("{ROOT}/docs/{page}");
    let found = right(ROOT, words);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &found).expect("a writable page");
    }
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(page == found, "{path} is stale: UPDATE_GOLDEN=1 writes it anew");
}

#[test]
fn settings_are_on_their_page() {
    is_written_by("settings.md", &["settings", "--markdown"]);
}

#[test]
fn rules_are_on_their_pages() {
    is_written_by("rules.md", &["rules", "--markdown", "--lang", "en"]);
    is_written_by("rules.zh-Hant.md", &["rules", "--markdown", "--lang", "zh-Hant"]);
    is_written_by("rules.zh-Hans.md", &["rules", "--markdown", "--lang", "zh-Hans"]);
}

/// Every topic is shown by its name, in lines that fit, and without hanzi on request.
#[test]
fn rules_are_told_by_topic() {
    let all = right(ROOT, &["rules", "--ascii"]);
    let odd: String = all.chars().filter(|c| !c.is_ascii()).collect();
    assert!(odd.is_empty(), "{odd}");
    assert!(all.lines().all(|line| line.len() <= 80), "{all}");
    let cannon = right(ROOT, &["rules", "cannon", "--lang", "en"]);
    assert!(
        cannon.contains("allowed: a3-d3, the cannon takes the king") && all.contains("The cannon"),
        "{cannon}"
    );
    let wrong = crate::fish::wrong(ROOT, &["rules", "castling"]);
    assert!(
        wrong.contains("expected one of board, flip, ") && wrong.contains("found \"castling\""),
        "{wrong}"
    );
    for (word, shown) in [
        ("pawn", "King and pawn"),
        ("卒", "King and pawn"),
        ("炮", "The cannon"),
        ("馬", "Which piece takes which"),
    ] {
        let text = right(ROOT, &["rules", word, "--lang", "en"]);
        assert!(text.contains(shown) && text.contains("On the boards: 〇 face down"), "{word}: {text}");
    }
    let setting = right(ROOT, &["settings", "threads"]);
    assert!(setting.contains("takes    1 to 256\n  default  1\n"), "{setting}");
    assert!(
        crate::fish::wrong(ROOT, &["settings", "speed"]).contains("expected a setting: search, threads,")
    );
    assert_eq!(crate::fish::told(ROOT, &["settings"])["settings"][1]["default"], "1");
}
