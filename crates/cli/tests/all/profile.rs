//! Profiles of players by name: found in recorded games, kept, used and forgotten. Also pondering by nodes.

use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use anglerfish_rules::banqi::{Action, Banqi, Event, RuleSet};
use anglerfish_rules::{Game, Rng, RngExt, Seat};

use crate::fish::{FISH, folder, right, told, wrong};

/// A few games of a weak player, in `m/match.games`.
fn games(name: &str) -> std::path::PathBuf {
    let home = folder(name);
    let them = ["name=theirs", "player=course2019,hash=1", "nodes=500"];
    let us = ["name=ours", "player=alphabeta,hash=1", "nodes=500"];
    let words = [&["match", "--engine"], &us[..], &["--engine"], &them, &["--rounds", "2", "--out", "m"]];
    right(&home, &words.concat());
    home
}

#[test]
fn a_player_is_known_from_its_games() {
    let home = games("profile");
    let build = ["profile", "m/match.games", "--of", "theirs", "--most", "1000"];
    let found = told(&home, &build);
    let weaker = found["all"]["classes"][0].as_f64().expect("a probability");
    assert!(weaker > 0.9, "{found}");
    let [low, high] = [0, 2].map(|i| found["all"]["elo"][i].as_f64().expect("an Elo"));
    assert!(low < -487.0 && -487.0 < high, "its Elo of the list: {found}");
    assert_eq!(found["games"].as_array().map(Vec::len), Some(4), "what each game alone says");
    let list = right(&home, &["profile", "list"]);
    assert!(list.starts_with("theirs: plays like "), "{list}");
    let shown = right(&home, &["profile", "show", "theirs"]);
    assert!(shown.contains("in 4 games") && shown.contains("none of these"), "{shown}");
    // A position of these games is analyzed with the knowledge of the opponent up to there.
    let game = ["analyse", "m/match.games", "--ply", "31", "--nodes", "500", "--set", "hash=1"];
    let studies = [&game[..], &["--set", "candidates=field", "--set", "opponent=adapt"]].concat();
    let said = right(&home, &studies);
    assert!(said.contains("\nthe opponent: ") && said.contains(" Elo weaker ± "), "{said}");
    let object = told(&home, &studies);
    assert!(object["opponent"].as_str().is_some_and(|line| said.contains(line)), "{object}");
    assert!(!right(&home, &game).contains("the opponent: "), "it was not requested");
    // Repeating it adds the games to the profile again.
    right(&home, &build);
    assert!(right(&home, &["profile", "show", "theirs"]).contains("in 8 games"));
    right(&home, &["profile", "forget", "theirs"]);
    let error = wrong(&home, &["profile", "show", "theirs"]);
    assert!(error.contains("found \"theirs\": none is known"), "{error}");
    let error = wrong(&home, &["profile", "m/match.games"]);
    assert!(error.contains("--of NAME, since ours and theirs are in all games"), "{error}");
    let error = wrong(&home, &["profile", "show", "../theirs"]);
    assert!(error.contains("without slashes"), "{error}");
}

/// The program on the platform's side knows its opponent from earlier games, and updates the profile.
#[test]
fn a_known_opponent_is_known_better_after_every_game() {
    let home = folder("known");
    let cmd = format!("cmd={FISH}");
    let words =
        ["dctp", "--player", "alphabeta,hash=1,nodes=200", "--opponent", "them", "--profiles", "known"];
    let args: Vec<String> = words.iter().map(|word| format!("arg={word}")).collect();
    let mut command = vec!["match", "--engine", &cmd, "proto=dctp", "tc=60", "name=us"];
    command.extend(args.iter().map(String::as_str));
    command.extend(["--engine", "player=thinker2,hash=1", "nodes=1", "name=them", "--rounds", "1"]);
    right(&home, &command);
    let profile = std::fs::read_to_string(home.join("known/them.profile")).expect("a profile");
    assert!(profile.contains("\ngames 2\n") && profile.contains("style none-of-these "), "{profile}");
    // A folder that cannot be written is reported before the game, not after it.
    let error = wrong(&home, &["dctp", "--opponent", "them", "--profiles", "known/them.profile"]);
    assert!(error.contains("--profiles: cannot make"), "{error}");
}

/// The program on the platform's side, and a referee who plays random moves against it.
struct Served {
    child: Child,
    answers: Lines<BufReader<ChildStdout>>,
    game: Banqi,
    dice: Rng,
    plies: Vec<Event>,
}

impl Served {
    fn new(home: &Path, seed: u64) -> Served {
        let words = ["dctp", "--player", "alphabeta,hash=1,nodes=200", "--opponent", "them"];
        let mut child = Command::new(FISH)
            .current_dir(home)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let answers = BufReader::new(child.stdout.take().expect("its answers")).lines();
        let (game, dice) = (Banqi::start(RuleSet::PLATFORM), Rng::stream(seed, "dice"));
        let mut served = Served { child, answers, game, dice, plies: Vec::new() };
        served.ask("7 reset_board");
        served
    }

    fn ask(&mut self, line: &str) -> String {
        writeln!(self.child.stdin.as_mut().expect("its ear"), "{line}").expect("it listens");
        let answer = self.answers.next().expect("an answer").expect("text");
        assert!(answer.starts_with('='), "{line}: {answer}");
        answer
    }

    /// Reports an event on the board.
    fn tell(&mut self, event: Event) {
        self.game.apply(event);
        self.plies.push(event);
        let told = event.to_string().replace(['(', '-'], " ").replace(')', "");
        let code = if matches!(event, Event::Flip { .. }) { "11 flip" } else { "10 move" };
        self.ask(&format!("{code} {told}"));
    }

    /// Its choice.
    fn choice(&mut self) -> Action {
        let answer = self.ask("12 genmove unknown");
        let (from, to) = answer[4..].split_once(' ').expect("two squares");
        let text = if from == to { from.to_owned() } else { format!("{from}-{to}") };
        text.parse().expect("an action")
    }

    /// Plays on until the program has seen this many plies of its opponent, who moves second, and has
    /// answered the last of them; the number of plies.
    fn play(&mut self, most: usize) -> usize {
        let theirs = |served: &Served| served.plies.len() / 2;
        while let Some(seat) = self.game.turn().seat() {
            let action = if seat == Seat(0) {
                let action = self.choice();
                if theirs(self) == most {
                    break;
                }
                action
            } else {
                let mut actions = Vec::new();
                self.game.actions(&mut actions);
                actions[self.dice.below(actions.len() as u32) as usize]
            };
            let event = self.game.draw(action, &mut self.dice);
            self.tell(event);
        }
        // The work after an answer is done when the next one comes.
        self.ask("1 name");
        theirs(self)
    }

    /// Kills it as a power cut would; the plies played, and its standard error.
    fn kill(mut self) -> (Vec<Event>, String) {
        self.child.kill().expect("it dies");
        let mut said = String::new();
        self.child.stderr.take().expect("its notes").read_to_string(&mut said).expect("text");
        self.child.wait().expect("it is gone");
        (self.plies, said)
    }
}

/// The knowledge of an opponent survives any end of the program, and a resumed game counts once.
#[test]
fn a_profile_survives_a_kill() {
    let home = folder("killed");
    let kept = || {
        let text = std::fs::read_to_string(home.join("profiles/them.profile")).expect("a profile");
        let known = right(&home, &["profile", "show", "them"]);
        assert!(known.contains("Elo"), "{known}");
        let number = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)).expect("a number");
            line.trim().parse::<usize>().expect("a number")
        };
        (number("games "), number("plies "))
    };
    // In the middle of its first game: its knowledge up to the last time that it was kept.
    let mut served = Served::new(&home, 1);
    assert_eq!(served.play(20), 20);
    let (plies, said) = served.kill();
    assert!(said.lines().any(|line| line.starts_with("opponent: ")), "{said}");
    assert_eq!(kept(), (1, 16), "every eighth ply");
    // The same game resumed is still the same game.
    let mut served = Served::new(&home, 2);
    for ply in plies {
        served.tell(ply);
    }
    assert_eq!(served.play(24), 24);
    served.ask("5 quit");
    assert!(served.child.wait().expect("it leaves").success());
    assert_eq!(kept(), (1, 24));
    // A finished game, even if the program is killed after that.
    let mut served = Served::new(&home, 3);
    let seen = served.play(usize::MAX);
    assert!(served.game.turn().is_over());
    served.kill();
    assert_eq!(kept(), (2, 24 + seen));
    right(&home, &["profile", "forget", "them"]);
    assert_eq!(std::fs::read_dir(home.join("profiles")).expect("a folder").count(), 0, "nothing is left");
}

#[test]
fn pondering_in_nodes_depends_on_the_seed_alone() {
    let home = folder("ponder");
    let play = |out: &str, more: &[&str]| {
        let words = ["match", "--engine", "player=alphabeta,hash=1", "nodes=300", "name=a", "--engine"];
        let them = ["player=alphabeta,hash=1", "nodes=2000", "name=b", "--rounds", "1", "--out", out];
        right(&home, &[&words[..], &them, more].concat());
        std::fs::read_to_string(home.join(out).join("match.games")).expect("games")
    };
    let once = play("once", &["--ponder", "nodes"]);
    assert_eq!(once, play("again", &["--ponder", "nodes"]));
    assert_ne!(once, play("without", &[]), "who ponders plays otherwise");
}
