//! Text in pictures: escaped, measured and shortened, for SVG neither breaks lines nor clips them.

/// Text that cannot be taken for markup, between tags and in quoted attributes.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            c => safe.push(c),
        }
    }
    safe
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
