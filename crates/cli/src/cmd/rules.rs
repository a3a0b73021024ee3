//! `anglerfish rules`: teaches the game from the start, with boards.
//!
//! The rules themselves answer every question about a board, so the page cannot contradict them. docs/rules.md is this page as Markdown.

use anglerfish_report::lessons::{Diagram, Lesson, endings, explained, lessons, takes, topic};
use anglerfish_report::{Lang, say};
use anglerfish_report::{columns, wrapped};
use anglerfish_rules::banqi::{Cell, Color, Event, Piece, Role, RuleSet, Square};
use anyhow::bail;

use crate::board::{Style, terminal};
use crate::legend::pieces;
use crate::locale::Locale;
use crate::pager::show;
use crate::signals::guard;

/// Learn the game: how pieces move and take, and how games end
///
/// Without a topic, all topics are shown. A topic is the name of a piece in any language, such as pawn or 炮, or one of: board, flip, step, ranks, taking, king, cannon, win, quiet,
/// circle, circle-position, circle-none, elimination, flip-ignored, stuck-either, draw-first, presets.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish rules\n  anglerfish rules cannon\n  anglerfish rules 兵\n  anglerfish rules presets\n  anglerfish rules --lang zh-Hant"
)]
pub(crate) struct Args {
    /// The topic [default: everything]
    topic: Option<String>,
    /// Write Markdown, as in docs/rules.md
    #[arg(long)]
    markdown: bool,
    #[command(flatten)]
    locale: Locale,
    #[command(flatten)]
    style: Style,
}

/// A block of text.
enum Block {
    Title(usize, String),
    Paragraph(String),
    /// Preformatted lines.
    Board(Vec<String>),
    List(Vec<String>),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let style = args.locale.spoken(args.style);
    if args.markdown {
        let blocks = told(style, 80, args.topic.as_deref())?;
        return Ok(show(&markdown(&blocks)).map(|()| true)?);
    }
    let width = width();
    let text = plain(&told(style, width, args.topic.as_deref())?, width);
    // Ctrl-C is for the pager.
    guard()?;
    show(&text)?;
    Ok(true)
}

fn width() -> usize {
    terminal().unwrap_or(80).clamp(30, 100)
}

/// The text about one topic.
pub(crate) fn lesson(style: Style, topic: &str) -> anyhow::Result<String> {
    let width = width();
    Ok(plain(&told(style, width, Some(topic))?, width))
}

/// Everything, or one topic.
fn told(style: Style, width: usize, asked: Option<&str>) -> anyhow::Result<Vec<Block>> {
    let lang = style.lang();
    let mut blocks = Vec::new();
    let shown = if style.plain() { "rules.shown_ascii" } else { "rules.shown" };
    if asked.is_none() {
        blocks.push(Block::Title(1, lang.text("rules.title").to_owned()));
    }
    if asked.is_none_or(|asked| topic(asked).is_some()) {
        blocks.push(Block::Paragraph(lang.text(shown).to_owned()));
        blocks.push(Block::Paragraph(lang.text("legend.pieces").to_owned()));
        blocks.push(Block::Board(pieces(style)));
    }
    let known = blocks.len();
    let found = asked.map(|asked| topic(asked).unwrap_or(asked));
    let wanted = |key: &str| found.is_none_or(|found| found == key);
    for lesson in lessons() {
        if wanted(&lesson.key) {
            taught(style, width, lesson, &mut blocks);
        }
        if lesson.key == "ranks" && wanted("taking") {
            taking(style, &mut blocks);
        }
    }
    if wanted("presets") {
        presets(lang, &mut blocks);
    }
    if blocks.len() == known {
        let keys: Vec<&str> = lessons().iter().map(|lesson| lesson.key.as_str()).collect();
        let asked = format!("{:?}", asked.unwrap_or_default());
        bail!("{}", say!(lang, "rules.expected", list = keys.join(", "), found = asked));
    }
    Ok(blocks)
}

/// The basic lessons, without boards: for a player during a game.
pub(crate) fn short(lang: Lang) -> String {
    let needed = lessons().iter().take_while(|lesson| lesson.key != "circle-position");
    let told = needed.map(|lesson| {
        let part = |part: &str| lang.say(&format!("lesson.{}.{part}", lesson.key), &[]);
        say!(lang, "rules.short", title = part("title"), text = part("text"))
    });
    told.collect::<Vec<_>>().join("\n")
}

fn taught(style: Style, width: usize, lesson: &Lesson, blocks: &mut Vec<Block>) {
    let lang = style.lang();
    let part = |part: &str| lang.say(&format!("lesson.{}.{part}", lesson.key), &[]);
    blocks.push(Block::Title(2, part("title")));
    blocks.push(Block::Paragraph(part("text")));
    for diagram in &lesson.diagrams {
        shown(style, width, diagram, blocks);
    }
}

/// A board, legal and illegal actions there, and the results of the legal ones.
fn shown(style: Style, width: usize, diagram: &Diagram, blocks: &mut Vec<Block>) {
    let game = diagram.start();
    let (played, last) = diagram.played();
    let first = style.rows(&game, &[]);
    let board = match played.last() {
        None => first,
        Some((_, event)) => {
            let second = style.rows(&last, &squares(*event));
            let wide = columns(&first[0]);
            if 2 * wide + 4 > width { [first, second].concat() } else { beside(&first, &second, wide) }
        }
    };
    blocks.push(Block::Board(board));
    blocks.push(Block::List(explained(style, diagram)));
}

fn squares(event: Event) -> Vec<Square> {
    match event {
        Event::Flip { at, .. } => vec![at],
        Event::Move { from, to } => vec![from, to],
    }
}

/// Two boards side by side; `wide` is the width of the first.
fn beside(first: &[String], second: &[String], wide: usize) -> Vec<String> {
    let row = |(first, second): (&String, &String)| {
        format!("{first}{}    {second}", " ".repeat(wide.saturating_sub(columns(first))))
    };
    first.iter().zip(second).map(row).collect()
}

/// The table of which piece takes which, red against black.
fn taking(style: Style, blocks: &mut Vec<Block>) {
    let lang = style.lang();
    let cell = |color, role| style.cell(Cell::Shown(Piece::new(color, role)));
    let mut lines =
        vec![Role::ALL.iter().fold(" ".repeat(4), |line, role| line + &cell(Color::Black, *role) + "  ")];
    let wide = if style.plain() { 1 } else { 2 };
    for mover in Role::ALL {
        let marks =
            Role::ALL.iter().map(|victim| format!("{:<width$}", takes(mover, *victim), width = wide + 2));
        lines.push(format!(
            "{:indent$}{}{:gap$}{}",
            "",
            cell(Color::Red, mover),
            "",
            marks.collect::<String>(),
            indent = 1,
            gap = 3 - wide
        ));
    }
    blocks.push(Block::Title(2, lang.text("rules.taking.title").to_owned()));
    blocks.push(Block::Paragraph(lang.text("rules.taking.text").to_owned()));
    blocks.push(Block::Board(lines.iter().map(|line| line.trim_end().to_owned()).collect()));
}

/// How games end under every preset.
fn presets(lang: Lang, blocks: &mut Vec<Block>) {
    blocks.push(Block::Title(2, lang.text("rules.presets.title").to_owned()));
    blocks.push(Block::Paragraph(lang.text("rules.presets.text").to_owned()));
    for (name, rules) in RuleSet::PRESETS {
        let who = lang.say(&format!("preset.{name}"), &[]);
        blocks.push(Block::Title(3, format!("{name}: {who}")));
        blocks.push(Block::List(endings(lang, &rules)));
    }
}

fn plain(blocks: &[Block], width: usize) -> String {
    let mut text = String::new();
    for (n, block) in blocks.iter().enumerate() {
        let gap = if n == 0 || matches!(block, Block::List(_)) { "" } else { "\n" };
        text += gap;
        text += &match block {
            Block::Title(1, title) => format!("{title}\n{}\n", "=".repeat(columns(title))),
            Block::Title(2, title) => format!("{title}\n{}\n", "-".repeat(columns(title))),
            Block::Title(_, title) => wrapped(title, width) + "\n",
            Block::Paragraph(paragraph) => wrapped(paragraph, width) + "\n",
            Block::Board(lines) => lines.join("\n") + "\n",
            Block::List(items) => {
                let item =
                    |item: &String| format!("  {}\n", wrapped(item, width - 4).replace('\n', "\n    "));
                items.iter().map(item).collect()
            }
        };
    }
    text
}

fn markdown(blocks: &[Block]) -> String {
    let block = |block: &Block| match block {
        Block::Title(level, title) => format!("{} {title}\n", "#".repeat(*level)),
        Block::Paragraph(paragraph) => format!("{}\n", paragraph.replace(". ", ".\n")),
        Block::Board(lines) => format!("```text\n{}\n```\n", lines.join("\n")),
        Block::List(items) => items.iter().fold(String::new(), |list, item| list + "* " + item + "\n"),
    };
    blocks.iter().map(block).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The help names every topic.
    #[test]
    fn topics_are_known() {
        use clap::Args as _;
        let about = Args::augment_args(clap::Command::new("rules"))
            .get_long_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        for key in lessons().iter().map(|lesson| lesson.key.as_str()).chain(["taking", "presets"]) {
            assert!(about.contains(key), "{key} in {about}");
        }
    }
}
