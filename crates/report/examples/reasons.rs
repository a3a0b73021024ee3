//! Compares the reasons that reviews give for mistakes with a plain rule that shares no code with them:
//! `cargo run -p anglerfish-report --example reasons -- MISTAKES SEED FILE...` draws so many mistakes from the games of the files, by a fixed seed,
//! and prints how often the two agree, by kind, and examples of each.

#![expect(clippy::print_stdout, reason = "an example that prints a table")]

use std::collections::BTreeMap;

use anglerfish_arena::{Judging, opened};
use anglerfish_engine::luck::GameLuck;
use anglerfish_report::Lang;
use anglerfish_report::review::{Review, Step, signed};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Game, Record, Rng, RngExt, Team, read_records};

#[path = "../tests/all/label.rs"]
mod label;

/// Examples of each kind.
const EXAMPLES: usize = 10;

struct Mistake {
    before: Banqi,
    step: Step,
    kind: &'static str,
    label: &'static str,
}

fn mistakes(record: &Record<Banqi>) -> Vec<Mistake> {
    let judging = Judging::of_review();
    let mut judge = judging.judge::<Banqi>().expect("a judge");
    let account = GameLuck::new(&mut judge, record, opened(record));
    let review = Review::new(&account, record, &judging.to_string(), Team::A).explained(&account, record);
    let (mut game, mut found, mut steps) =
        (record.start.clone(), Vec::new(), review.plies.into_iter().peekable());
    for (n, ply) in record.plies.iter().enumerate() {
        if let Some(step) = steps.next_if(|step| step.ply == n + 1)
            && let Some(reason) = &step.reason
            && let Some(better) = step.line.first().and_then(|action| action.parse().ok())
        {
            let (kind, label) = (reason.kind(), label::label(&game, ply.event.action(), better));
            found.push(Mistake { before: game.clone(), kind, label, step });
        }
        game.apply(ply.event);
    }
    found
}

fn main() {
    let mut args = std::env::args().skip(1);
    let mut number = || args.next().and_then(|word| word.parse::<u64>().ok()).expect("a number");
    let (wanted, seed) = (number() as usize, number());
    let read = |path: String| std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"));
    let games: Vec<Record<Banqi>> = args
        .map(read)
        .flat_map(|text| read_records(&text).collect::<Result<Vec<_>, _>>().expect("records"))
        .collect();
    let mut all: Vec<Mistake> = games.iter().flat_map(mistakes).collect();
    let (many, mut rng, mut order) = (all.len(), Rng::new(seed), Vec::new());
    while !all.is_empty() {
        let at = (0..all.len()).collect::<Vec<_>>();
        order.push(all.swap_remove(rng.pick(&at)));
    }
    let drawn = &order[..wanted.min(many)];
    let mut table: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for mistake in drawn {
        *table.entry((mistake.kind, mistake.label)).or_default() += 1;
    }
    let right = drawn.iter().filter(|mistake| mistake.kind == mistake.label).count();
    println!("games {}, mistakes {many}, drawn {} by seed {seed}", games.len(), drawn.len());
    println!("right {right} of {}: {:.1} %\n", drawn.len(), 100.0 * right as f64 / drawn.len() as f64);
    println!("| reason of the review | {} | all | right |", label::KINDS.join(" | "));
    println!("|---|{}", "---:|".repeat(label::KINDS.len() + 2));
    for kind in label::KINDS {
        let row = label::KINDS.map(|label| table.get(&(kind, label)).copied().unwrap_or_default());
        let (all, right) = (row.iter().sum::<usize>(), table.get(&(kind, kind)).copied().unwrap_or_default());
        let share =
            if all > 0 { format!("{:.0} %", 100.0 * right as f64 / all as f64) } else { "-".to_owned() };
        println!("| {kind} | {} | {all} | {share} |", row.map(|n| n.to_string()).join(" | "));
    }
    for kind in label::KINDS {
        println!("\n{kind}:");
        for Mistake { before, step, label, .. } in order.iter().filter(|one| one.kind == kind).take(EXAMPLES)
        {
            let why = step.why(Lang::En).unwrap_or_default();
            let line = step.line.join(" ");
            println!(
                "* `{before}` {} cost {}: {why} Better: {line} (the rule: {label})",
                step.played,
                signed(step.mistake)
            );
        }
    }
}
