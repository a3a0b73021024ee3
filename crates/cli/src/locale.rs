//! The language of the output: by option, or by the locale.

use std::sync::OnceLock;

use anglerfish_report::Lang;

use crate::board::Style;

/// `--lang`, for the commands with several languages.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct Locale {
    #[arg(long, value_parser = read, help = said("option.lang"))]
    lang: Option<Lang>,
}

impl Locale {
    /// The language to use.
    pub(crate) fn lang(self) -> Lang {
        self.lang.unwrap_or_else(|| Lang::of_locale(&locale()))
    }

    /// The style in the language to use. With ASCII and no chosen language it is English.
    pub(crate) fn spoken(self, style: Style) -> Style {
        let lang = if style.plain() { self.lang.unwrap_or_default() } else { self.lang() };
        style.speaking(lang)
    }
}

/// A text of a help page or of an error of the command line, in the language of the command line.
pub(crate) fn said(key: &'static str) -> &'static str {
    spoken().text(key)
}

/// The language of `--lang` among the arguments, before anything has read them, or of the locale.
pub(crate) fn spoken() -> Lang {
    static SPOKEN: OnceLock<Lang> = OnceLock::new();
    *SPOKEN.get_or_init(|| {
        // Tests compare English.
        if cfg!(test) {
            return Lang::En;
        }
        let words: Vec<String> = std::env::args_os().filter_map(|word| word.into_string().ok()).collect();
        let apart = words.windows(2).find(|pair| pair[0] == "--lang").map(|pair| pair[1].as_str());
        let joined = words.iter().find_map(|word| word.strip_prefix("--lang="));
        let asked = apart.or(joined).and_then(|tag| read(tag).ok());
        asked.unwrap_or_else(|| Lang::of_locale(&locale()))
    })
}

fn locale() -> String {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(std::env::var_os);
    set.map(|value| value.to_string_lossy().into_owned()).find(|value| !value.is_empty()).unwrap_or_default()
}

fn read(text: &str) -> Result<Lang, String> {
    let known = Lang::ALL.into_iter().find(|lang| lang.tag().eq_ignore_ascii_case(text));
    known.ok_or_else(|| format!("expected {}", Lang::ALL.map(Lang::tag).join(", ")))
}
