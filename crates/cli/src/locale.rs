//! The language of the output: by option, or by the locale.

use anglerfish_report::Lang;

use crate::board::Style;

/// `--lang`, for the commands with several languages.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct Locale {
    /// The language: en, zh-Hant or zh-Hans [default: that of the locale; English with --ascii]
    #[arg(long, value_parser = read)]
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

fn locale() -> String {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(std::env::var_os);
    set.map(|value| value.to_string_lossy().into_owned()).find(|value| !value.is_empty()).unwrap_or_default()
}

fn read(text: &str) -> Result<Lang, String> {
    let known = Lang::ALL.into_iter().find(|lang| lang.tag().eq_ignore_ascii_case(text));
    known.ok_or_else(|| format!("expected {}", Lang::ALL.map(Lang::tag).join(", ")))
}
