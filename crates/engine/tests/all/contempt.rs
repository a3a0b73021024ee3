//! Figures 1 and 6 of Chang and others (2021): a pawn that chases a king into a draw, and who accepts such a draw.
//!
//! The drawing of Figure 1 is not in the text that we have. These boards follow the text: a black pawn goes from b5 to c5, the red king on c4 can only escape to
//! b4, and from c5 the pawn goes on chasing by c4 or b5.

use std::sync::Arc;

use anglerfish_engine::{Assets, Config, Engine, Limits, ManualClock, Stop};
use anglerfish_rules::banqi::{Action, Banqi};
use anglerfish_rules::{Game, Outcome, Reason, Rng, Seat, Turn};

/// The chase once round, from a king on b4 and a pawn on b5.
const ROUND: [&str; 4] = ["b4-c4", "b5-c5", "c4-b4", "c5-b5"];

/// Black has these pieces besides, and two of Red's lie face down.
fn chase(black: &str, hidden: &str) -> Banqi {
    let text = format!("{black}/----/----/-p--/-K-X/--X-/----/---- r {hidden} 0 60 platform");
    text.parse().expect("a position")
}

fn play(game: &mut Banqi, plies: &[&str]) {
    for word in plies {
        let action: Action = word.parse().expect("an action");
        assert!(game.is_legal(action), "{word} in {game}");
        game.apply(game.resolve(action, &mut Rng::new(0)));
    }
}

fn actions(game: &Banqi) -> Vec<String> {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    actions.iter().map(ToString::to_string).collect()
}

/// After one ply, for each that there is.
fn after(game: &Banqi) -> impl Iterator<Item = (String, Banqi)> {
    actions(game).into_iter().map(|action| {
        let mut next = game.clone();
        play(&mut next, &[&action]);
        (action, next)
    })
}

/// Whether the mover can take the king.
fn takes_king(game: &Banqi) -> bool {
    after(game).any(|(_, next)| !next.to_string().contains('K'))
}

#[test]
fn the_king_of_figure_1_has_one_way_out_and_is_chased_on() {
    let mut game = chase("cc--", "P2");
    play(&mut game, &ROUND[..2]);
    // After any other move of Red, the pawn takes the king on c4.
    for (action, next) in after(&game) {
        assert_eq!(takes_king(&next), action != "c4-b4", "{action}");
    }
    play(&mut game, &ROUND[2..3]);
    for chases in ["c5-c4", "c5-b5"] {
        let mut next = game.clone();
        // Red turns a piece over: the king does not run.
        play(&mut next, &[chases, "d4"]);
        assert!(takes_king(&next), "{chases}");
    }
    play(&mut game, &ROUND[3..]);
    play(&mut game, &[ROUND, ROUND].concat());
    assert_eq!(game.turn(), Turn::Over(Outcome::Draw, Reason::Repetition), "the third time round");
}

/// Black may draw at once, and what else there is is worth a little less or a little more than nothing.
#[test]
fn who_accepts_the_draw_of_figure_6() {
    let choice = |game: &Banqi, draw: &str| {
        let config: Config =
            format!("alphabeta,hash=1,draw={draw},draw_scope=repetition").parse().expect("a player");
        let clock = Arc::new(ManualClock::default());
        let mut engine = Engine::<Banqi>::new(&config, &Assets::default(), clock).expect("an engine");
        engine.new_game(Seat(1), 1, None);
        let decision = engine.think(game, Limits::nodes(20_000), &Stop::default(), &mut |_| {});
        (decision.action.to_string() == ROUND[3], decision.info.lines[0].value.0)
    };
    for (black, hidden, worse) in [("cc--", "P2", true), ("ccn-", "N2", false)] {
        let mut game = chase(black, hidden);
        play(&mut game, &[&ROUND[..], &ROUND, &ROUND[..3]].concat());
        assert_eq!(choice(&game, "0").0, worse, "a draw is taken where nothing else is as good");
        let (accepted, value) = choice(&game, "0.2");
        assert!(accepted && (value - 0.2).abs() < 1e-3, "a small advantage is given up: {value}");
        let (accepted, value) = choice(&game, "-0.6");
        assert!(!accepted && (-0.2..0.2).contains(&value), "a small disadvantage is put up with: {value}");
    }
}
