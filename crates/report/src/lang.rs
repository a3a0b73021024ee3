//! What is said to people, in their language: one file of texts for each, shared by every front end (`lang/*.json`).
//!
//! Keys are words with dots, the same in all files; a text may have `{places}` for values, and every language uses the same ones. Nothing here
//! knows what is said when: the caller names a key and its values, with [`say!`](crate::say).

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::LazyLock;

use anglerfish_rules::banqi::Piece;

/// A language that we speak.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Chinese in traditional characters, as in Taiwan.
    ZhHant,
    /// Chinese in simplified characters.
    ZhHans,
}

type Texts = BTreeMap<String, String>;

static TEXTS: LazyLock<[Texts; 3]> = LazyLock::new(|| {
    let files = [
        include_str!("../lang/en.json"),
        include_str!("../lang/zh-Hant.json"),
        include_str!("../lang/zh-Hans.json"),
    ];
    files.map(|file| serde_json::from_str(file).expect("a test reads every file of texts"))
});

impl Lang {
    /// Every language, English first.
    pub const ALL: [Lang; 3] = [Lang::En, Lang::ZhHant, Lang::ZhHans];

    /// Its tag (RFC 5646).
    pub const fn tag(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::ZhHant => "zh-Hant",
            Lang::ZhHans => "zh-Hans",
        }
    }

    /// The language of a locale such as `zh_TW.UTF-8` or `zh-Hans-SG`; English where we do not speak it.
    pub fn of_locale(locale: &str) -> Lang {
        let locale = locale.split(['.', '@']).next().unwrap_or_default().to_lowercase();
        let mut parts = locale.split(['_', '-']);
        if parts.next() != Some("zh") {
            return Lang::En;
        }
        let traditional = |part| matches!(part, "hant" | "tw" | "hk" | "mo");
        let parts: Vec<&str> = parts.collect();
        let hant = !parts.contains(&"hans") && parts.into_iter().any(traditional);
        if hant { Lang::ZhHant } else { Lang::ZhHans }
    }

    /// A text without values. A missing text shows its key.
    pub fn text(self, key: &str) -> &str {
        TEXTS[self as usize].get(key).map_or(key, String::as_str)
    }

    /// A text with its values.
    pub fn say(self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        let mut said = String::new();
        let mut rest = self.text(key);
        while let Some((before, after)) = rest.split_once('{') {
            said += before;
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            match values.iter().find(|(known, _)| *known == name) {
                Some((_, value)) => said += &value.to_string(),
                None => said += &format!("{{{name}}}"),
            }
            rest = after;
        }
        said + rest
    }

    /// The character on a piece.
    pub fn glyph(self, piece: Piece) -> char {
        match (self, piece.letter()) {
            // Red has its own characters for rooks and knights, so that no two pieces look alike without color.
            (Lang::ZhHans, 'K') => '帅',
            (Lang::ZhHans, 'k') => '将',
            (Lang::ZhHans, 'r') => '车',
            (Lang::ZhHans, 'n') => '马',
            _ => piece.hanzi(),
        }
    }

    /// Every key.
    pub fn keys(self) -> impl Iterator<Item = &'static str> {
        TEXTS[self as usize].keys().map(String::as_str)
    }
}

/// A text in a language with its values: `say!(lang, "told.you.flip", at = square, piece = title)`.
#[macro_export]
macro_rules! say {
    ($lang:expr, $key:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $lang.say($key, &[$((stringify!($name), &$value)),*])
    };
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn places(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect()
    }

    #[test]
    fn all_languages_say_the_same() {
        let english: Vec<&str> = Lang::En.keys().collect();
        for lang in Lang::ALL {
            assert_eq!(lang.keys().collect::<Vec<_>>(), english, "{}: other keys", lang.tag());
            for key in &english {
                let text = lang.text(key);
                assert!(!text.trim().is_empty(), "{} has nothing for {key}", lang.tag());
                assert_eq!(places(text), places(Lang::En.text(key)), "{}: {key}", lang.tag());
            }
        }
    }

    /// A key twice in a file would hide one of its texts.
    #[test]
    fn no_key_is_there_twice() {
        for file in [
            include_str!("../lang/en.json"),
            include_str!("../lang/zh-Hant.json"),
            include_str!("../lang/zh-Hans.json"),
        ] {
            let keys: Vec<&str> =
                file.lines().filter_map(|line| line.trim().strip_prefix('"')?.split('"').next()).collect();
            let different: BTreeSet<&&str> = keys.iter().collect();
            assert_eq!(keys.len(), different.len());
            assert_eq!(keys.len(), Lang::En.keys().count());
        }
    }

    #[test]
    fn chinese_is_written_in_its_own_characters() {
        // A few that every longer text has, and that the two scripts write differently.
        for (lang, wrong) in [
            (Lang::ZhHant, "来这为对过时现动结让说红认输吗车马机设"),
            (Lang::ZhHans, "來這為對過時現動結讓說紅認輸嗎車馬機設"),
        ] {
            for key in lang.keys() {
                let found = lang.text(key).chars().find(|c| wrong.contains(*c));
                assert_eq!(found, None, "{}: {key}", lang.tag());
            }
        }
    }

    #[test]
    fn locales_have_languages() {
        for (locale, lang) in [
            ("zh_TW.UTF-8", Lang::ZhHant),
            ("zh_HK", Lang::ZhHant),
            ("zh-Hant", Lang::ZhHant),
            ("zh-Hans-HK", Lang::ZhHans),
            ("zh_CN.GB18030", Lang::ZhHans),
            ("zh", Lang::ZhHans),
            ("en_US.UTF-8", Lang::En),
            ("C", Lang::En),
            ("", Lang::En),
        ] {
            assert_eq!(Lang::of_locale(locale), lang, "{locale}");
        }
    }

    #[test]
    fn values_take_their_places() {
        assert_eq!(say!(Lang::En, "told.you.flip", at = "b3", piece = "{at}"), "You flip b3: a {at}.");
        let glyphs = |lang: Lang| Piece::ALL.map(|piece| lang.glyph(piece)).iter().collect::<String>();
        assert_eq!(glyphs(Lang::ZhHant), "帥仕相俥傌炮兵將士象車馬砲卒");
        assert_eq!(glyphs(Lang::ZhHans), "帅仕相俥傌炮兵将士象车马砲卒");
    }
}
