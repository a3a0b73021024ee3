//! The options of fastchess and cutechess-cli in `match` and `tournament`: each is understood, or answered with our word.
//!
//! Only words are translated, before the command line is read: what an option means is decided where ours are. docs/fastchess.md
//! has the table for readers.

use std::collections::VecDeque;

/// What becomes of an option of theirs.
#[derive(Clone, Copy)]
enum Ours {
    /// The same option, with our two dashes.
    Same,
    /// The same option by another name.
    Named(&'static str),
    /// It says what is done here anyway.
    Always,
    /// There is no such option: this is the answer.
    Answer(&'static str),
}

const OPTIONS: [(&str, Ours); 56] = [
    ("engine", Ours::Same),
    ("each", Ours::Same),
    ("rounds", Ours::Same),
    ("concurrency", Ours::Same),
    ("sprt", Ours::Same),
    ("draw", Ours::Same),
    ("resign", Ours::Same),
    ("help", Ours::Same),
    ("version", Ours::Same),
    ("srand", Ours::Named("--seed")),
    ("repeat", Ours::Always),
    ("recover", Ours::Always),
    ("noswap", Ours::Answer("seats are always exchanged here: a pair is two games on one deal")),
    (
        "reverse",
        Ours::Answer(
            "seats are always exchanged here; the first --engine moves first in the first game of a pair",
        ),
    ),
    ("swiss", Ours::Answer("this is anglerfish tournament --format swiss:ROUNDS here")),
    (
        "pgnout",
        Ours::Answer(
            "this is --out FOLDER here: it keeps the games as FOLDER/match.games (or tournament.games), a report and the journal that resumes the run; games are in our own text, because PGN has no flips",
        ),
    ),
    (
        "epdout",
        Ours::Answer(
            "there are no EPD files here: --out FOLDER keeps the games, and `anglerfish replay` gives their positions",
        ),
    ),
    ("log", Ours::Answer("this is --log FOLDER here: one file for each program and game")),
    (
        "debug",
        Ours::Answer(
            "this is --log FOLDER here: every line between the referee and the programs, with milliseconds",
        ),
    ),
    (
        "config",
        Ours::Answer(
            "this is --config FILE here: a TOML file with the same options; --out FOLDER resumes a run by itself",
        ),
    ),
    (
        "autosaveinterval",
        Ours::Answer(
            "every game is saved as it ends with --out FOLDER, and the same command resumes the run",
        ),
    ),
    (
        "ratinginterval",
        Ours::Answer(
            "the score, Elo and LLR are told while the match is played; nothing has to be asked for",
        ),
    ),
    (
        "scoreinterval",
        Ours::Answer(
            "the score, Elo and LLR are told while the match is played; nothing has to be asked for",
        ),
    ),
    (
        "outcomeinterval",
        Ours::Answer(
            "the score, Elo and LLR are told while the match is played; nothing has to be asked for",
        ),
    ),
    ("output", Ours::Answer("there is one output for people, and --json for machines")),
    (
        "report",
        Ours::Answer(
            "pairs (the pentanomial counts) are always reported; --out FOLDER writes a report with charts",
        ),
    ),
    ("resultformat", Ours::Answer("there is one output for people, and --json for machines")),
    (
        "variant",
        Ours::Answer(
            "this is --game (banqi, siguo or tictactoe) and --rules here; see `anglerfish rules presets`",
        ),
    ),
    (
        "maxmoves",
        Ours::Answer(
            "the rules end long games: a draw after 60 quiet plies, or --rules with another number; see `anglerfish rules presets`",
        ),
    ),
    (
        "tb",
        Ours::Answer(
            "there are no tablebases here; --draw and --resign adjudicate by the values of both players",
        ),
    ),
    (
        "tbpieces",
        Ours::Answer(
            "there are no tablebases here; --draw and --resign adjudicate by the values of both players",
        ),
    ),
    (
        "tbignore50",
        Ours::Answer(
            "there are no tablebases here; --draw and --resign adjudicate by the values of both players",
        ),
    ),
    (
        "tbadjudicate",
        Ours::Answer(
            "there are no tablebases here; --draw and --resign adjudicate by the values of both players",
        ),
    ),
    ("book", Ours::Answer("this is --openings FILE here: one opening per line, a deal or moves or both")),
    ("bookmode", Ours::Answer("this is --openings FILE here: one opening per line, a deal or moves or both")),
    ("event", Ours::Answer("records have no name of an event; the folder of --out names the run")),
    (
        "site",
        Ours::Answer(
            "records have no name of a site; provenance.json in the folder of --out names the machine",
        ),
    ),
    ("wait", Ours::Answer("there is no pause between games; every game starts a new process")),
    (
        "quick",
        Ours::Answer(
            "write it out: --engine cmd=ONE proto=uci --engine cmd=OTHER proto=uci --each tc=10+0.1 --rounds 100",
        ),
    ),
    ("seeds", Ours::Answer("a gauntlet has one challenger here, the first --engine")),
    (
        "force-concurrency",
        Ours::Answer("this is --concurrency N here: N is not limited by the number of cores"),
    ),
    ("use-affinity", Ours::Answer("programs are not bound to cores here; `taskset` binds them all")),
    ("startup-ms", Ours::Answer("this is answer=SECONDS of an --engine here: for every answer but a move")),
    (
        "ucinewgame-ms",
        Ours::Answer("this is answer=SECONDS of an --engine here: for every answer but a move"),
    ),
    ("ping-ms", Ours::Answer("this is answer=SECONDS of an --engine here: for every answer but a move")),
    (
        "strict",
        Ours::Answer(
            "a fault costs a program its game, and the report names it; `anglerfish compliance` is strict",
        ),
    ),
    (
        "crc32",
        Ours::Answer("`anglerfish replay` checks every game of a file; sha256sum has the sum of a file"),
    ),
    ("check-mate-pvs", Ours::Answer("lines of moves are not checked here")),
    ("show-latency", Ours::Answer("--log FOLDER has the milliseconds of every line")),
    ("testEnv", Ours::Answer("there is no such mode here; --json is for machines")),
    ("compliance", Ours::Answer("this is anglerfish compliance PROGRAM here")),
    ("engines", Ours::Answer("there is no list of engines; --config FILE holds those of a match")),
    ("protocols", Ours::Answer("protocols are dctp, uci, misty and wakasagi")),
    (
        "variants",
        Ours::Answer("games are banqi, siguo and tictactoe; `anglerfish rules presets` lists their rules"),
    ),
    ("fcp", Ours::Answer("this is --engine here, once for each program")),
    ("scp", Ours::Answer("this is --engine here, once for each program")),
];

/// The words of a command line with the options of fastchess and cutechess-cli in ours. `own` says whether the command has an
/// option of this name, which then keeps its meaning behind two dashes.
///
/// # Errors
/// When one has no counterpart; the text says what to write instead.
pub(crate) fn translated(
    words: impl IntoIterator<Item = String>,
    own: impl Fn(&str) -> bool,
) -> Result<Vec<String>, String> {
    let mut words: VecDeque<String> = words.into_iter().collect();
    let mut ours = Vec::new();
    while let Some(word) = words.pop_front() {
        let Some(name) = theirs(&word, &own) else {
            ours.push(word);
            continue;
        };
        let mut values = Vec::new();
        while words.front().is_some_and(|word| !word.starts_with('-')) {
            values.extend(words.pop_front());
        }
        let answer = |text: &str| Err(format!("{word}: {text} (docs/fastchess.md has all options)"));
        match name {
            "games" => games(&values).map_err(|text| format!("{word}: {text}"))?,
            "openings" => ours.extend(openings(&values).map_err(|text| format!("{word}: {text}"))?),
            "tournament" => {
                let format = match &values.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                    ["roundrobin" | "round-robin"] | [] => "double-round-robin",
                    ["gauntlet"] => "gauntlet",
                    _ => {
                        return answer(
                            "this is --format here: round-robin, double-round-robin, gauntlet or swiss:ROUNDS",
                        );
                    }
                };
                if !own("format") {
                    return answer("this is the command `anglerfish tournament` here, with --format");
                }
                ours.extend(["--format".to_owned(), format.to_owned()]);
            }
            _ => match OPTIONS.iter().find(|(known, _)| *known == name).map(|(_, ours)| *ours) {
                Some(Ours::Same) => {
                    ours.push(format!("--{name}"));
                    ours.append(&mut values);
                }
                Some(Ours::Named(option)) => {
                    ours.push(option.to_owned());
                    ours.append(&mut values);
                }
                Some(Ours::Always) => {}
                Some(Ours::Answer(text)) => return answer(text),
                None => {
                    ours.push(word);
                    ours.append(&mut values);
                }
            },
        }
    }
    Ok(ours)
}

/// The name of an option of theirs: behind one dash any, behind two only those that are not ours.
fn theirs<'a>(word: &'a str, own: &impl Fn(&str) -> bool) -> Option<&'a str> {
    let known = |name: &str| {
        ["games", "openings", "tournament"].contains(&name) || OPTIONS.iter().any(|(known, _)| *known == name)
    };
    let name = match word.strip_prefix("--") {
        Some(name) => Some(name).filter(|name| !own(name)),
        None => word.strip_prefix('-'),
    };
    name.filter(|name| known(name))
}

/// Two games in a round are a pair, which is what a round is here.
fn games(values: &[String]) -> Result<(), String> {
    match values {
        [n] if n == "2" => Ok(()),
        [n] if n.parse::<u64>().is_ok() => {
            let pairs = n.parse::<u64>().unwrap_or_default().div_ceil(2);
            Err(format!(
                "this is --rounds here: a round is a pair, two games on one deal with the seats exchanged; {n} games are --rounds {pairs}"
            ))
        }
        _ => Err("this is --rounds PAIRS here: a round is two games on one deal with the seats exchanged"
            .to_owned()),
    }
}

/// `file=NAME` of a file of ours.
fn openings(values: &[String]) -> Result<[String; 2], String> {
    let mut file = None;
    for value in values {
        match value.split_once('=') {
            Some(("file", name)) if matches!(name.rsplit_once('.'), Some((_, "epd" | "pgn"))) => {
                return Err(format!(
                    "{name} is a chess file; openings here are random:PLIES, or a file with one opening per line, a deal or moves or both"
                ));
            }
            Some(("file", name)) => file = Some(name.to_owned()),
            Some(("order", "sequential") | ("start", "1") | ("policy", "round")) => {}
            None if values.len() == 1 => file = Some(value.clone()),
            _ => {
                return Err(format!(
                    "{value}: openings are played in the order of their file, from the first, once in each pair; \
                     --openings FILE and --openings random:PLIES are all there is"
                ));
            }
        }
    }
    file.map(|file| ["--openings".to_owned(), file]).ok_or_else(|| "expected file=NAME".to_owned())
}

/// The answer to a key of an `--engine` of theirs that is none of ours.
pub(crate) fn engine_key(key: &str) -> Option<&'static str> {
    Some(match key {
        "conf" => "engines have no list of names here: --config FILE holds those of a match",
        "plies" | "depth" => {
            "for a player of ours it is player=alphabeta,depth=N; a program gets nodes=, st= or tc="
        }
        "timemargin" => "a program has 0.1 s beyond its clock, always",
        "restart" => "every game starts a new process, always",
        "ponder" => "for a player of ours it is --ponder nodes; a program may think when it likes",
        "initstr" | "whitepov" | "tscale" | "trust" | "book" | "bookdepth" => "there is no such key here",
        "stderr" => "--log FOLDER keeps standard error, and the record of a lost game its last lines",
        _ if key.starts_with("option.") => {
            "options of UCI are not set here: give them on the program's command line with arg=; \
             a player of ours takes them as player=alphabeta,hash=64,threads=2"
        }
        _ => return None,
    })
}

/// A clock of theirs in our seconds: `1:30+0.5` is `90+0.5`.
///
/// # Errors
/// When it is a clock that no game has here.
pub(crate) fn clock(text: &str) -> Result<String, String> {
    if text == "inf" {
        return Err("tc=inf: every game needs a clock here; nodes=N has none, and stall=SECONDS ends a program that hangs".to_owned());
    }
    if text.contains('/') {
        return Err(format!(
            "tc={text}: a clock is for the whole game here, tc=SECONDS[+INCREMENT], without a number of moves"
        ));
    }
    let (base, increment) = text.split_once('+').map_or((text, None), |(base, more)| (base, Some(more)));
    let Some((minutes, seconds)) = base.split_once(':') else { return Ok(text.to_owned()) };
    let time =
        minutes.parse::<u32>().ok().zip(seconds.parse::<f64>().ok().filter(|s| (0.0..60.0).contains(s)));
    let Some((minutes, seconds)) = time else {
        return Err(format!(
            "expected tc=SECONDS[+INCREMENT] or tc=MINUTES:SECONDS[+INCREMENT], found tc={text}"
        ));
    };
    let base = f64::from(minutes) * 60.0 + seconds;
    Ok(increment.map_or_else(|| base.to_string(), |increment| format!("{base}+{increment}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(text: &str) -> Result<String, String> {
        let own = |name: &str| {
            ["engine", "each", "rounds", "openings", "draw", "resign", "sprt", "log"].contains(&name)
        };
        translated(text.split(' ').map(str::to_owned), own).map(|words| words.join(" "))
    }

    /// The second example of the manual of fastchess, without its chess files.
    #[test]
    fn a_command_line_of_fastchess_is_understood() {
        let theirs = "-engine cmd=one name=1 -engine cmd=other -each tc=300+5 -resign movecount=3 score=60 \
                      -draw movenumber=34 movecount=8 score=5 -sprt elo0=0 elo1=2 -rounds 100 -games 2 -repeat \
                      -concurrency 3 -srand 7 -recover -openings file=mine.txt order=sequential";
        let expected = "--engine cmd=one name=1 --engine cmd=other --each tc=300+5 --resign movecount=3 score=60 \
                        --draw movenumber=34 movecount=8 score=5 --sprt elo0=0 elo1=2 --rounds 100 \
                        --concurrency 3 --seed 7 --openings mine.txt";
        assert_eq!(ours(theirs).as_deref(), Ok(expected));
        assert_eq!(ours(expected).as_deref(), Ok(expected), "ours stays as it is");
    }

    #[test]
    fn what_is_not_here_is_answered_with_our_word() {
        let answers = [
            ("-games 100", "100 games are --rounds 50"),
            ("--games 7", "7 games are --rounds 4"),
            ("-pgnout file=x.pgn", "--out FOLDER"),
            ("-openings file=x.epd format=epd", "a chess file"),
            ("-openings file=x order=random", "order=random: openings are played in the order of their file"),
            ("-tournament knockout", "--format"),
            ("-tournament gauntlet", "anglerfish tournament"),
            ("-maxmoves 40", "--rules"),
            ("--pgnout x.pgn", "--out FOLDER"),
        ];
        for (theirs, part) in answers {
            let answer = ours(theirs).expect_err(theirs);
            assert!(answer.contains(part) && answer.starts_with('-'), "{theirs}: {answer}");
        }
        assert_eq!(ours("-x --log FOLDER").as_deref(), Ok("-x --log FOLDER"), "clap answers the rest");
    }

    #[test]
    fn clocks_have_minutes() {
        let clocks = [("1:00", "60"), ("1:30.5+0.5", "90.5+0.5"), ("60+0.6", "60+0.6"), ("0:10", "10")];
        for (theirs, ours) in clocks {
            assert_eq!(clock(theirs).as_deref(), Ok(ours));
        }
        for wrong in ["40/60", "inf", "1:60", "a:00", "1:2:3"] {
            assert!(clock(wrong).is_err(), "{wrong}");
        }
    }
}
