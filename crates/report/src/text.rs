//! Text in pictures: escaped, measured and shortened, for SVG neither breaks lines nor clips them; and text in the columns of a terminal.

/// Text that cannot be taken for markup, between tags and in quoted attributes.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            c => safe.push(printed(c)),
        }
    }
    safe
}

/// A letter that moves no cursor, turns no line around and is allowed in XML.
fn printed(c: char) -> char {
    let hidden = c.is_control() && !matches!(c, '\n' | '\t');
    let turning =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if hidden || turning { '?' } else { c }
}

/// About how many letters wide a text is.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(letter_width).sum()
}

fn letter_width(c: char) -> f64 {
    if c >= '\u{2e80}' { 1.8 } else { 1.0 }
}

/// The text itself, or its beginning with `…` if it is wider than `most` letters.
pub(super) fn shortened(text: &str, most: f64) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut used = 1.0;
    let kept = text.chars().take_while(|&c| {
        used += letter_width(c);
        used <= most
    });
    kept.chain(['…']).collect()
}

/// An estimate that lies between `least` and `most`, such as a score from 0 to 100: `52.1 ± 3.4`, or `99.0 (93–100)` where the
/// interval is lopsided or an error would reach past an end.
pub fn bounded([value, low, high]: [f64; 3], [least, most]: [f64; 2], decimals: usize) -> String {
    let error = (high - low) / 2.0;
    let lopsided = (high + low - 2.0 * value).abs() > error / 5.0;
    if lopsided || value - error < least || value + error > most {
        let ends = decimals.saturating_sub(1);
        format!("{value:.decimals$} ({low:.ends$}–{high:.ends$})")
    } else {
        format!("{value:.decimals$}{}", plus_minus(error, decimals))
    }
}

/// The error behind an estimate: ` ± 0.12`. Nothing where it is endless, and nothing where it rounds to nothing: a sample in which all are alike shows that
/// nothing varied, not that nothing could.
pub fn plus_minus(error: f64, decimals: usize) -> String {
    let text = format!("{error:.decimals$}");
    if error.is_finite() && text.contains(|c| matches!(c, '1'..='9')) {
        format!(" ± {text}")
    } else {
        String::new()
    }
}

/// How many columns of a terminal a text takes: letters of East Asia and pictures take two.
pub fn columns(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

/// The blocks of wide letters (Unicode Standard Annex 11), a little generously.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}'
        | '\u{16fe0}'..='\u{18fff}' | '\u{1b000}'..='\u{1b2ff}' | '\u{1f000}'..='\u{1faff}' | '\u{20000}'..='\u{3ffff}')
}

/// The text without what moves a terminal's cursor, or its beginning with `…` if it takes more columns than `most`.
pub fn fitted(text: &str, most: usize) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { '?' } else { printed(c) }).collect();
    if columns(&plain) <= most {
        return plain;
    }
    let mut used = 1;
    let kept = plain.chars().take_while(|&c| {
        used += if is_wide(c) { 2 } else { 1 };
        used <= most
    });
    kept.chain(['…']).collect()
}

/// Lines of whole words, none wider than `most` columns but for a word that is wider alone: it stays whole, so that a path can still be copied. Chinese
/// may be broken between any two letters, but no line begins with what closes or ends with what opens, or breaks at a no-break space.
pub fn wrapped(text: &str, most: usize) -> String {
    lines(text, most, usize::MAX)
}

/// The same where nothing may be wider: such a word is cut.
pub(super) fn wrapped_and_cut(text: &str, most: usize) -> String {
    lines(text, most, most)
}

/// Lines of words, none of which is longer than `longest`.
fn lines(text: &str, most: usize, longest: usize) -> String {
    let mut lines = vec![String::new()];
    for (spaced, word) in words(text).into_iter().map(|(spaced, word)| (spaced, fitted(&word, longest))) {
        let space = if spaced { " " } else { "" };
        let fits =
            |line: &&mut String| line.is_empty() || columns(line) + space.len() + columns(&word) <= most;
        match lines.last_mut().filter(fits) {
            Some(line) if line.is_empty() => *line = word,
            Some(line) => *line += &format!("{space}{word}"),
            None => lines.push(word),
        }
    }
    lines.join("\n").replace(NO_BREAK, " ")
}

/// Keeps a number and its unit on one line.
const NO_BREAK: char = '\u{a0}';

/// What stays together on a line, each with whether a space stands before it.
fn words(text: &str) -> Vec<(bool, String)> {
    let closes = |c: char| "，。：；！？、）」』》”％…\u{a0}".contains(c);
    let opens = |c: char| "（「『《“\u{a0}".contains(c);
    let mut words: Vec<(bool, String)> = Vec::new();
    let parts = text.split(|c: char| c.is_whitespace() && c != NO_BREAK);
    for word in parts.filter(|word| !word.is_empty()) {
        let mut last: Option<char> = None;
        for c in word.chars() {
            let apart = last.is_some_and(|last| (is_wide(c) || is_wide(last)) && !closes(c) && !opens(last));
            match words.last_mut() {
                Some((_, word)) if last.is_some() && !apart => word.push(c),
                _ => words.push((last.is_none(), c.to_string())),
            }
            last = Some(c);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No error reaches past the ends of a scale, and no lopsided interval looks even.
    #[test]
    fn intervals_stay_on_their_scale() {
        let percent = |value, low, high| bounded([value, low, high], [0.0, 100.0], 1);
        assert_eq!(percent(52.0, 48.5, 55.5), "52.0 ± 3.5");
        assert_eq!(percent(100.0, 72.2, 100.0), "100.0 (72–100)");
        assert_eq!(percent(99.0, 96.35, 99.73), "99.0 (96–100)");
        assert_eq!(percent(96.1, 92.1, 99.9), "96.1 ± 3.9");
        assert_eq!(percent(97.0, 93.0, 100.0), "97.0 (93–100)");
    }

    #[test]
    fn marks_that_turn_a_line_around_are_shown() {
        assert_eq!(escape("\u{61c}a\u{2028}b\u{202e}c\u{7}"), "?a?b?c?");
    }

    #[test]
    fn texts_fit_their_columns() {
        assert_eq!(columns("暗棋 a"), 6);
        assert_eq!(fitted("暗棋暗棋", 7), "暗棋暗…");
        assert_eq!(fitted("a\x1b[2Jb", 20), "a?[2Jb");
        assert_eq!(wrapped("one two three", 7), "one two\nthree");
        assert_eq!(
            [plus_minus(0.006, 2), plus_minus(0.004, 2), plus_minus(f64::INFINITY, 1)],
            [" ± 0.01", "", ""]
        );
        assert_eq!(wrapped("你翻開 b3：紅帥。輪到電腦。", 12), "你翻開 b3：\n紅帥。輪到電\n腦。");
        assert_eq!(wrapped("真的（要）走嗎？", 8), "真的\n（要）走\n嗎？");
        assert_eq!(wrapped("勝\u{a0}40%，和\u{a0}32%", 12), "勝 40%，\n和 32%");
        assert_eq!(wrapped("lost 28\u{a0}%", 8), "lost\n28 %");
        assert_eq!(wrapped("輸入“說明”", 9), "輸入“說\n明”");
        for most in 4..30 {
            let text = wrapped("a 暗棋的棋手 with-a-long-name, and words after it\x07 暗 棋", most);
            let whole = |line: &str| columns(line) <= most || !line.contains(' ');
            assert!(text.lines().all(|line| whole(line) && !line.contains('\x07')), "{text}");
            assert!(text.contains("with-a-long-name,"), "{text}");
            let cut = wrapped_and_cut(&text, most);
            assert!(cut.lines().all(|line| columns(line) <= most), "{cut}");
        }
    }
}
