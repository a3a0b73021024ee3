//! Siguo: the laws, how players and games end, and the view of each seat.

use std::collections::BTreeSet;

use crate::plain::PlainSiguo;
use anglerfish_rules::testkit::laws;
use anglerfish_rules::{Forfeit, Game, Outcome, Reason, Rng, RngExt, Seat, Team, Turn};
use anglerfish_siguo::{Action, Arm, Event, Layout, Role, Rules, Sight, Siguo, Station};

fn rules(text: &str) -> Rules {
    text.parse().expect("rules")
}

#[test]
fn siguo_obeys_the_laws() {
    for sight in Sight::ALL {
        for more in ["", ",players=2", ",quiet=9"] {
            let rules = rules(&format!("{}{more}", sight.text()));
            for seed in 0..3 {
                laws::<Siguo>(&rules, seed, rules.longest_game(), |_| {});
            }
        }
    }
}

const LAYOUT: &str = "973215.1.64B.3B4.8.3L5761LF22L";

fn game(armies: [&str; 4], to_move: char, more: &str) -> Siguo {
    game_of(LAYOUT, armies, to_move, more)
}

/// A game in which only some men of each army are left, each as a letter and its station, or `.` for its
/// start; armies without men are out.
fn game_of(text: &str, armies: [&str; 4], to_move: char, more: &str) -> Siguo {
    let layout: Layout = text.parse().expect("a layout");
    let men = armies.map(|army| {
        let mut left: Vec<&str> = army.split_whitespace().collect();
        let out = left.is_empty();
        let mut words: Vec<String> = Vec::new();
        for role in (0..30).filter_map(|slot| layout.role(slot)) {
            let i = left.iter().position(|man| man.starts_with(role.letter()));
            words.push(i.map_or("x".to_owned(), |i| left.remove(i)[1..].to_owned()));
            let flag = role == Role::Flag && !army.contains('9') && !out;
            words.last_mut().expect("a word").push_str(if flag { "^" } else { "" });
        }
        assert!(left.is_empty(), "men that stand somewhere: {left:?}");
        words.join(",")
    });
    let states: String = armies.iter().map(|army| if army.is_empty() { 'x' } else { '0' }).collect();
    let text = format!("{} {} {states} {to_move} {more}", [text; 4].join("/"), men.join("/"));
    text.parse().unwrap_or_else(|e: anglerfish_rules::NotationError| panic!("{}", e.pointing_at(&text)))
}

fn play(game: &mut Siguo, event: &str) {
    let event: Event = event.parse().expect("an event");
    let mut chances = Vec::new();
    game.outcomes(event.action(), &mut chances);
    assert!(
        game.is_possible(event),
        "{event} in {game}, not {:?}",
        chances.first().map(|c| c.event.to_string())
    );
    game.apply(event);
}

fn actions(game: &Siguo) -> Vec<String> {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    actions.iter().map(Action::to_string).collect()
}

const WON: Turn = Turn::Over(Outcome::Win(Team::A), Reason::Eliminated);

#[test]
fn a_flag_that_is_taken_takes_its_army_along() {
    let mut game = game(["F. 9e61 2s12", "F. 9c11 1c12", "F. 9c31", "F. 9c33"], 's', "5 four-dark");
    play(&mut game, "e61xe62#");
    assert_eq!(game.turn(), Turn::Seat(Seat(2)), "east is out and passed over");
    assert!(Station::all().all(|at| game.table().man(at).is_none_or(|man| man.arm() != Arm::East)));
    assert_eq!(game.table().quiet(), 0);
    play(&mut game, "c31-c32");
    assert_eq!(game.turn(), Turn::Seat(Seat(3)));
    play(&mut game, "c33-c23");
    assert_eq!(game.turn(), Turn::Seat(Seat(0)));
    assert!(
        actions(&game).iter().all(|action| action.starts_with("s12-")),
        "a man in a headquarters stays there"
    );
}

#[test]
fn a_bomb_takes_a_flag_and_dies() {
    let mut game = game(["F. 9s11 Be61", "F. 9c11", "F. 9c31", ""], 's', "5 four-dark");
    play(&mut game, "e61=e62#");
    assert_eq!(game.turn(), WON);
    assert!(actions(&game).is_empty());
}

#[test]
fn the_death_of_a_marshal_shows_its_flag() {
    let mut game = game(["F. 9c31 2s11", "F. 9c32 2e11", "F. 9c11", "F. 9c12"], 's', "5 four-dark");
    play(&mut game, "c31=c32^as62^de62");
    let flags = Arm::ALL.map(|arm| game.table().flag(arm).map(|at| at.to_string()));
    assert_eq!(flags.map(Option::unwrap_or_default), ["s62", "e62", "", ""]);
    for seat in 0..4 {
        let world = Siguo::sample(&game.view(Seat(seat)), &mut Rng::new(u64::from(seat)));
        for arm in [Arm::South, Arm::East] {
            assert_eq!(world.layout(arm).map(Layout::flag), Some(26), "it is public");
        }
    }
}

#[test]
fn no_man_in_a_camp_and_no_ally_is_attacked() {
    let game = game(["F. 9s11 2s12", "F. 9s22 2e11", "F. 9s21", "F. 9c12"], 's', "5 four-dark");
    for wrong in ["s11-s22", "s11-s21", "s11-s12", "s12-s22"] {
        assert!(!game.is_legal(wrong.parse().expect("an action")), "{wrong}");
    }
    assert!(game.is_legal("s11-w55".parse().expect("an action")), "along the curve");
    assert!(game.is_legal("s12-s13".parse().expect("an action")));
}

#[test]
fn who_is_walled_in_after_a_fight_is_out_at_once() {
    // The last man of east that was free dies, and no other moves.
    let mut game = game(["F. 9c31", "F. 2c32 L.", "F. 9c11", "F. 9c13"], 's', "5 four-dark");
    play(&mut game, "c31xc32~d");
    assert!(game.table().is_out(Arm::East));
    assert_eq!(game.turn(), Turn::Seat(Seat(2)));
}

#[test]
fn the_defender_is_out_before_the_attacker() {
    let mut game = game(["F. 2c31", "F. 2c32", "", ""], 's', "5 four-dark");
    play(&mut game, "c31=c32~d");
    assert_eq!(game.turn(), WON, "both have no man left, and the attacker has won");
}

#[test]
fn an_enemy_in_a_camp_is_no_wall() {
    // East's last men stand between mines, its flag, and a camp that south has taken.
    let layout = "973215.1.64B.3B4.5.3L8L617F22L";
    let armies = ["F. 9e42 3c32", "F. L. L. 8. 2c31", "F. 9c11", "F. 9c13"];
    let mut game = game_of(layout, armies, 's', "5 four-dark");
    play(&mut game, "c32xc31");
    assert!(!game.can_move(Arm::East) && !game.is_walled_in(Arm::East));
    assert_eq!(actions(&game), ["skip"], "it has to wait");
    for event in ["skip", "c11-c12", "c13-c23", "e42-e32"] {
        play(&mut game, event);
    }
    assert_eq!(actions(&game), ["e52-e42"]);
}

#[test]
fn five_missed_turns_are_too_many() {
    let mut game = game(["F. 9c31", "F. 9c32", "F. 9c11", "F. 9c13"], 's', "5 four-dark");
    for round in 0..5 {
        assert_eq!(game.turn(), Turn::Seat(Seat(0)), "round {round}");
        play(&mut game, "skip");
        let others = ["c32-c22 c11-c12 c13-c23", "c22-c32 c12-c11 c23-c13"][round % 2];
        for event in others.split(' ') {
            play(&mut game, event);
        }
    }
    assert!(game.table().is_out(Arm::South));
    assert_eq!(game.table().quiet(), 5 + 15, "missed turns are not counted as moves");
    assert_eq!(game.turn(), Turn::Seat(Seat(1)));
}

#[test]
fn draws_are_counted_or_agreed_on() {
    let mut game = game(["F. 9c31", "F. 9c33", "F. 9c11", "F. 9c13"], 's', "69 four-dark");
    let mut agreed = game.clone();
    play(&mut game, "c31-c32");
    assert_eq!(game.turn(), Turn::Seat(Seat(1)));
    play(&mut game, "c33-c23");
    assert_eq!(game.turn(), Turn::Over(Outcome::Draw, Reason::Quiet), "the 71st move without a fight");
    play(&mut agreed, "draw");
    assert_eq!(agreed.turn(), Turn::Over(Outcome::Draw, Reason::Agreed));
    assert_eq!(agreed.to_string().parse(), Ok(agreed));
}

#[test]
fn an_ally_plays_on_and_the_second_to_leave_loses() {
    let mut game = game(["F. 9c31", "F. 9c33", "F. 9c11", "F. 9c13"], 's', "5 four-dark");
    let leave = game.forfeited(Seat(2), Forfeit::Resigned).expect("south plays on");
    assert_eq!(leave.to_string(), "out-n:resigned");
    game.apply(leave);
    assert_eq!(game.turn(), Turn::Seat(Seat(0)), "it was not its turn");
    assert_eq!(game.forfeited(Seat(0), Forfeit::Resigned), None, "no player of team A would be left");
    assert_eq!(game.forfeited(Seat(2), Forfeit::Resigned), None, "no player leaves twice");
    let two = Siguo::deal(&rules("four-dark,players=2"), &mut Rng::new(1));
    assert_eq!([0, 1, 2, 3].map(|seat| two.forfeited(Seat(seat), Forfeit::Timeout)), [None; 4]);
}

#[test]
fn seats_see_what_they_may() {
    let seen = |text: &str, seat: u8| {
        let game = Siguo::deal(&rules(text), &mut Rng::new(1));
        let view = game.view(Seat(seat)).into_owned();
        let own = Arm::ALL.map(|arm| view.layouts[arm.index()].is_some());
        for arm in Arm::ALL {
            assert!(view.layouts[arm.index()].is_none_or(|layout| game.layout(arm) == Some(&layout)));
        }
        own.map(u8::from)
    };
    assert_eq!(seen("four-dark", 1), [0, 1, 0, 0]);
    assert_eq!(seen("partner-open", 1), [0, 1, 0, 1]);
    assert_eq!(seen("all-open", 1), [1, 1, 1, 1]);
    assert_eq!(seen("partner-open,players=2", 1), [0, 0, 1, 0]);
    assert_eq!(seen("four-dark,players=2", 2), [0, 0, 0, 0]);
}

/// A table that follows only the events equals the game's own table, and the truth always fits the clues.
#[test]
fn tables_follow_games_by_events_alone() {
    let mut rng = Rng::new(5);
    for _ in 0..3 {
        let mut game = Siguo::deal(&Rules::default(), &mut rng);
        let mut table = game.table().clone();
        let mut actions = Vec::new();
        while !game.turn().is_over() {
            game.actions(&mut actions);
            let event = game.draw(rng.pick(&actions), &mut rng);
            game.apply(event);
            table.apply(event);
            assert_eq!(&table, game.table());
            for arm in Arm::ALL.into_iter().filter(|&arm| !table.is_out(arm)) {
                assert!(table.clues(arm).count() > 0, "{arm:?} in {game}");
            }
            for man in Station::all().filter_map(|at| table.man(at)) {
                let role = game.role(man).expect("a man on the board");
                assert!(!table.is_engineer(man) || role == Role::Engineer, "{game}");
                assert!(!table.has_moved(man) || role.moves(), "{game}");
            }
        }
    }
}

/// Legal actions, public events, the legality of every conceivable move, and the end, ply by ply.
#[test]
fn tables_of_roads_play_like_letters_on_a_grid() {
    let (mut seen, mut plies) = (BTreeSet::new(), 0);
    for (more, games) in [("", 8), (",players=2", 6), (",quiet=6", 4)] {
        for seed in 0..games {
            plies += play_both(rules(&format!("four-dark{more}")), seed, &mut seen);
        }
    }
    assert!(plies > 2_000, "{plies} plies");
    for sign in "-x!=#^~k".chars() {
        assert!(seen.contains(&sign), "{sign} is not among {seen:?}");
    }
}

/// Plays one game on both, preferring attacks; the number of its plies. Adds the signs of all events to `seen`.
fn play_both(rules: Rules, seed: u64, seen: &mut BTreeSet<char>) -> u32 {
    let mut rng = Rng::stream(seed, "plain");
    let mut fast = Siguo::deal(&rules, &mut rng);
    let mut plain = PlainSiguo::new(&fast.to_string());
    let mut listed = Vec::new();
    let mut plies = 0;
    loop {
        assert_eq!(fast.turn(), plain.turn(), "seed {seed}, {fast}");
        fast.actions(&mut listed);
        let mut expected = plain.actions();
        listed.sort_unstable();
        expected.sort_unstable();
        assert_eq!(listed, expected, "seed {seed}, {fast}");
        if fast.turn().is_over() {
            return plies;
        }
        for from in Station::all() {
            for to in Station::all() {
                let action = Action::Move { from, to };
                assert_eq!(
                    fast.is_legal(action),
                    listed.binary_search(&action).is_ok(),
                    "{action} in {fast}"
                );
            }
        }
        let attacks =
            |action: &Action| matches!(action, Action::Move { to, .. } if fast.table().man(*to).is_some());
        let some: Vec<Action> = listed.iter().copied().filter(attacks).collect();
        let leaves =
            fast.forfeited(Seat(rng.below(4) as u8), Forfeit::Resigned).filter(|_| rng.below(500) == 0);
        if let Some(event @ Event::Out { arm, .. }) = leaves {
            fast.apply(event);
            plain.leave(arm);
            continue;
        }
        let action = match rng.below(150) {
            0 => Action::Skip,
            1..120 if !some.is_empty() => rng.pick(&some),
            _ => rng.pick(&listed),
        };
        let told = plain.play(action);
        let event = fast.draw(action, &mut rng);
        assert_eq!(event.to_string(), told, "seed {seed}, {fast}");
        fast.apply(event);
        seen.extend(told.chars());
        plies += 1;
    }
}
