//! Drawn positions: how pieces move and take, when games end, and what text is refused.

use super::{Action, Banqi, Event, RuleSet};
use crate::game::{Game, Outcome, Reason, Team, Turn};
use crate::rng::{Rng, RngExt};

fn game(text: &str) -> Banqi {
    text.parse().unwrap_or_else(|e: crate::NotationError| panic!("{}", e.pointing_at(text)))
}

/// The legal moves from one square, as their targets.
fn targets(text: &str, from: &str) -> Vec<String> {
    let mut actions = Vec::new();
    game(text).actions(&mut actions);
    let mut to: Vec<String> = actions
        .iter()
        .filter_map(|action| match action {
            Action::Move { from: f, to } if f.to_string() == from => Some(to.to_string()),
            _ => None,
        })
        .collect();
    to.sort();
    to
}

/// The game after some plies.
fn played(text: &str, plies: &str) -> Banqi {
    let mut game = game(text);
    for word in plies.split_whitespace() {
        let event: Event = word.parse().expect("a ply");
        assert!(game.is_possible(event), "{word} in {game}");
        game.apply(event);
    }
    game
}

#[test]
fn cannons_jump_exactly_one_piece() {
    // In the file: a screen of either color or face down, then an enemy, at any distance.
    let board = "-Xc-/----/----/----/-p--/----/-C--/-N-k r p1 0 40 platform";
    assert_eq!(targets(board, "b2"), ["a2", "b3", "c2"], "b8 is face down, b4 has no screen");
    let board = "-k--/----/----/-X--/-p--/----/-C--/---- r p1 0 40 platform";
    assert_eq!(targets(board, "b2"), ["a2", "b1", "b3", "c2"], "two screens before the king");
    let board = "-k--/----/----/----/-P--/----/-C--/---- r - 0 40 platform";
    assert_eq!(targets(board, "b2"), ["a2", "b1", "b3", "b8", "c2"], "its own pawn is a screen");
    // In the rank, and never a neighbor.
    let board = "----/----/----/----/----/----/CpXk/---- r p1 0 40 platform";
    assert_eq!(targets(board, "a2"), ["a1", "a3"]);
    let board = "----/----/----/----/----/----/CX-k/---- r p1 0 40 platform";
    assert_eq!(targets(board, "a2"), ["a1", "a3", "d2"]);
}

#[test]
fn edges_do_not_wrap() {
    let board = "---K/n---/---g/----/----/----/----/n--- r - 0 40 platform";
    assert_eq!(targets(board, "d8"), ["c8", "d7"]);
    let board = "----/----/----/----/----/----/---K/n--- r - 0 40 platform";
    assert_eq!(targets(board, "d2"), ["c2", "d1", "d3"]);
}

#[test]
fn kings_and_pawns() {
    let board = "----/----/----/----/-p--/rKn-/-c--/---- r - 0 40 platform";
    assert_eq!(targets(board, "b3"), ["a3", "b2", "c3"], "everything but the pawn");
    let board = "----/----/----/----/-k--/cPp-/-n--/---- r - 0 40 platform";
    assert_eq!(targets(board, "b3"), ["b4", "c3"], "king and pawn, no cannon, no knight");
}

#[test]
fn the_first_flip_gives_the_color() {
    let start = Banqi::start(super::RuleSet::PLATFORM);
    let black = played(&start.to_string(), "c4(k)");
    assert_eq!(black.color_of(crate::Seat(0)), Some(super::Color::Black));
    assert_eq!(black.position().side(), Some(super::Color::Red), "the second player is red and to move");
    assert_eq!(black.seat_playing(super::Color::Red), Some(crate::Seat(1)));
    assert_eq!(start.color_of(crate::Seat(0)), None);
}

#[test]
fn ways_to_lose() {
    let over = |text: &str, plies: &str| match played(text, plies).turn() {
        Turn::Over(outcome, reason) => Some((outcome, reason)),
        Turn::Seat(_) => None,
    };
    // Red takes the last black piece while a red one lies face down.
    let last = "----/----/----/----/----/Rn--/----/---X r P1 0 30";
    let a_wins = Outcome::Win(Team::A);
    assert_eq!(over(&format!("{last} platform"), "a3-b3"), Some((a_wins, Reason::NoPieces)));
    assert_eq!(over(&format!("{last} openspiel50"), "a3-b3"), None, "black may still flip");
    // Black is walled in: the pawn on a1 cannot take what stands next to it.
    let wall = "----/----/----/----/----/-N--/R---/pR-- r - 0 30";
    assert_eq!(over(&format!("{wall} platform"), "b3-c3"), Some((a_wins, Reason::NoMove)));
    // The 2025 course looks at both sides, with either to move.
    let stuck = "----/----/----/----/----/----/R---/pR-- r - 0 30 course2025";
    assert_eq!(over(stuck, ""), Some((a_wins, Reason::NoMove)));
    // A draw and a loss on one ply: the loss stands, except in the 2025 course.
    let both = "----/----/----/----/----/-N--/R---/pR-- r - 59 90 platform";
    assert_eq!(over(both, "b3-c3"), Some((a_wins, Reason::NoMove)));
    let both = "----/----/----/----/----/-N--/R---/pRk- r - 29 90 course2025";
    assert_eq!(over(both, "b3-c3"), Some((Outcome::Draw, Reason::Quiet)));
}

#[test]
fn quiet_games_are_drawn() {
    let draw = Turn::Over(Outcome::Draw, Reason::Quiet);
    let near = "K---/----/----/----/----/----/X--n/---- r p1 59 90 platform";
    assert_eq!(played(near, "a8-b8").turn(), draw);
    assert_eq!(played(near, "a2(p)").position().quiet(), 0, "a flip is progress");
    let course = "K---/----/----/----/----/----/X--n/---- r p1 28 90 course2025";
    let flipped = played(course, "a2(p)");
    assert_eq!(
        flipped.position().quiet(),
        28,
        "in the 2025 course a flip neither raises nor resets the counter"
    );
    assert_eq!(played(course, "a2(p) d2-d1 a8-b8").turn(), draw);
}

/// The platform counts plies that are one sequence three times running, not positions.
#[test]
fn cycles_and_positions() {
    let text = |rules: &str| format!("K---/----/----/----/----/----/---n/---- r - 0 40 {rules}");
    let there_and_back = "a8-b8 d2-d1 b8-a8 d1-d2 ";
    let draw = Turn::Over(Outcome::Draw, Reason::Repetition);
    let cycle = |n: usize, rules: &str| played(&text(rules), &there_and_back.repeat(n)).turn();
    assert!(!cycle(2, "platform").is_over(), "the position has stood three times, the cycle only twice");
    assert_eq!(cycle(3, "platform"), draw);
    assert_eq!(cycle(2, "olympiad"), draw);
    assert!(!cycle(4, "openspiel50").is_over());
    // A third visit by another road draws by position and not by cycle.
    let roads = "a8-b8 d2-d1 b8-a8 d1-d2 a8-a7 d2-d1 a7-a8 d1-d2";
    assert_eq!(played(&text("threefold60"), roads).turn(), draw);
    assert!(!played(&text("platform"), roads).turn().is_over());
}

/// The text of a game includes the plies since the last capture or flip, so a repetition is still seen.
#[test]
fn the_trail_survives_text() {
    let start = "K---/----/----/----/----/----/---n/---- r - 0 40 platform";
    let before = played(start, &"a8-b8 d2-d1 b8-a8 d1-d2 ".repeat(3)[..71 - 6]);
    let mut read = game(&before.to_string());
    assert_eq!(read, before);
    assert!(!read.turn().is_over());
    read.apply("d1-d2".parse().expect("a ply"));
    assert_eq!(read.turn(), Turn::Over(Outcome::Draw, Reason::Repetition));
}

#[test]
fn refused_with_the_place() {
    let check = |text: &str, column: usize, expected: &str| {
        let error = text.parse::<Banqi>().expect_err(text);
        assert_eq!(error.line_column(text), (1, column + 1), "{}", error.pointing_at(text));
        assert!(error.to_string().contains(expected), "{error}");
    };
    let board = "K---/----/----/----/----/----/---n/----";
    check("", 0, "the side to move");
    check("KK--", 4, "the side to move");
    check(&format!("{board} w - 0 40 platform"), 40, "r, b or ?");
    check(&format!("{board} r P1 0 40 platform"), 42, "a bag of 0 pieces");
    check(&format!("{board} r P1K1 0 40 platform"), 44, "KGMRNCP");
    check(&format!("{board} r - 61 40 platform"), 44, "at most 60");
    check(&format!("{board} r - 0 040 platform"), 46, "a number");
    check(&format!("{board} r - 5 3788 platform"), 46, "at most 3787 plies");
    check(&format!("{board} r - 0 40 chess"), 49, "a rule set");
    check(&format!("{board} r - 0 40 platform,quiet=60"), 49, "shortest form");
    check(&format!("{board} r - 0 40 platform a8-a6"), 58, "quiet ply");
    check(&format!("{board} r - 1 40 platform b3-b4"), 58, "lead to this board");
    check(&format!("{board} r - 0 40 platform d1-d2"), 58, "no more plies than the counters");
    check(&format!("{board} r - 3 1 platform a7-a8,d1-d2"), 57, "no more plies than the counters");
    check(&format!("{board} r - 0 40 openspiel50 a8-b8"), 61, "do not look back");
    check(&format!("{board} r - 0 40 platform "), 58, "quiet ply");
    check(&format!("{board} ? - 0 0 platform"), 40, "exactly at ply 0");
    check("KK--/----/----/----/----/----/---n/---- r - 0 40 platform", 0, "at most 1 of K");
    check("K---/----/----/----/----/----/---n r - 0 40 platform", 34, "\"/\" after 4");
    check("K---/----/----/----/----/----/---n/----/- r - 0 40 platform", 39, "the end of the board");
    check("K---/--帥-/----/----/----/----/---n/---- r - 0 40 platform", 7, "c7: one of");
}

/// A text that is accepted stays so while the game goes on, even from the longest game there is.
#[test]
fn every_game_from_a_position_can_be_written_and_read() {
    for text in
        ["N-/--/--/-r b - 0 854 threefold60,board=2x4", "XN/-r/XX/XX r K1P2g1r1 7 171 paper40,board=2x4"]
    {
        let mut game = game(text);
        assert!(text.replace("854", "855").replace("171", "172").parse::<Banqi>().is_err(), "{text}");
        game.random_playout(&mut crate::Rng::new(1));
        assert_eq!(game.to_string().parse(), Ok(game));
    }
}

/// Drawing without putting back empties a set in any order, and captures among equals are those that the letters show.
#[test]
fn sets_of_actions_shrink() {
    let mut rng = crate::Rng::new(9);
    let mut game = Banqi::start(super::RuleSet::PLATFORM);
    for _ in 0..3000 {
        let p = *game.position();
        let (mut left, mut taken) = (p.moves(), Vec::new());
        while !left.is_empty() {
            taken.push(left.take(rng.below(left.len())));
        }
        let mut all: Vec<Action> = p.moves().iter().collect();
        let equal = |action: &Action| match *action {
            Action::Flip(_) => false,
            Action::Move { from, to } => p.rank_at(from) == p.rank_at(to),
        };
        let unequal: Vec<Action> = all.iter().copied().filter(|a| !equal(a)).collect();
        assert_eq!(p.moves().without_equals(&p).iter().collect::<Vec<_>>(), unequal, "{game}");
        all.sort_unstable();
        taken.sort_unstable();
        assert_eq!(taken, all, "{game}");
        match game.random_action(&mut rng) {
            Some(action) => game.apply(game.resolve(action, &mut rng)),
            None => game = Banqi::start(super::RuleSet::PLATFORM),
        }
    }
}

/// A position with the history that led to it is the game again, in every reading of repetition.
#[test]
fn a_game_is_resumed_from_its_trail() {
    for (name, rules) in RuleSet::PRESETS {
        for seed in 0..20 {
            let (mut game, mut rng) = (Banqi::start(rules), Rng::stream(seed, name));
            while let Some(action) = game.random_action(&mut rng) {
                game.apply(game.resolve(action, &mut rng));
                assert_eq!(
                    Banqi::resumed(*game.position(), rules, game.history()),
                    game,
                    "{name}, seed {seed}"
                );
            }
        }
    }
}
