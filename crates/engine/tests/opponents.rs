//! What every style and every model obeys.

use std::time::Duration;

use anglerfish_engine::opponent::{Bayes, OpponentModel, Opponents, Unmodelled};
use anglerfish_engine::papers::speculative::Speculation;
use anglerfish_engine::{Belief, Kit, Profile, Stance, Value};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Game, Ply, Rng, Seat};

/// Positions of random games, each with the action played there.
fn positions<G: Game>(seed: u64, most: usize) -> Vec<(G, Ply<G::Event>)> {
    let mut rng = Rng::stream(seed, "positions");
    let mut game = G::deal(&G::Rules::default(), &mut rng);
    let (mut list, mut actions) = (Vec::new(), Vec::new());
    while let Some(seat) = game.turn().seat().filter(|_| list.len() < most) {
        game.actions(&mut actions);
        let event = game.draw(rng.pick(&actions), &mut rng);
        list.push((game.clone(), Ply { seat, event, took: Duration::ZERO }));
        game.apply(event);
    }
    list
}

fn sums_to_one(shares: &[f32], what: &str) {
    let sum: f32 = shares.iter().sum();
    assert!((sum - 1.0).abs() < 1e-5 && shares.iter().all(|s| (0.0..=1.0).contains(s)), "{what}: {shares:?}");
}

fn laws_of_styles<G: Kit>(games: u64) {
    for (game, ply) in (1..=games).flat_map(|seed| positions::<G>(seed, 60)) {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let mut shares = vec![0.0; actions.len()];
        for style in &mut G::styles() {
            style.likelihood(&game.view(ply.seat), &actions, &mut shares);
            sums_to_one(&shares, style.name());
            assert!(!style.name().contains(char::is_whitespace), "names are words");
            let phrase = style.phrase();
            assert!(
                phrase.chars().next().is_some_and(char::is_lowercase) && !phrase.ends_with('.'),
                "{}: {phrase:?} goes on from \"somebody who\"",
                style.name()
            );
        }
    }
    let mut names: Vec<&str> = G::styles().iter().map(|style| style.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), G::styles().len(), "names differ");
}

fn laws_of_models<G: Kit>(make: impl Fn() -> Box<dyn OpponentModel<G>>) {
    let mut model = make();
    model.begin(None);
    for (game, ply) in (1..=5).flat_map(|seed| positions::<G>(seed, 60)) {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let mut shares = vec![0.0; actions.len()];
        model.predict(&game, &actions, &mut shares);
        let sum: f32 = shares.iter().sum();
        assert!(sum < 1.0 + 1e-5 && shares.iter().all(|s| (0.0..=1.0).contains(s)), "{shares:?}");
        model.observe(&game.view(ply.seat), &ply);
        let sum: f64 = model.posterior().iter().map(|b| b.probability).sum();
        assert!(model.posterior().is_empty() || (sum - 1.0).abs() < 1e-9, "a posterior sums to 1, not {sum}");
        assert!((0.0..=1.0).contains(&model.stance(Stance::default()).trust));
    }
}

#[test]
fn likelihoods_sum_to_one() {
    laws_of_styles::<TicTacToe>(20);
    laws_of_styles::<Banqi>(2);
}

#[test]
fn models_keep_their_laws() {
    laws_of_models::<TicTacToe>(|| Box::new(Unmodelled));
    laws_of_models::<TicTacToe>(|| Box::new(Bayes::new(TicTacToe::styles(), 0.02, 1.0)));
    laws_of_models::<Banqi>(|| Box::new(Bayes::new(Banqi::styles(), 0.02, 1.0)));
}

#[test]
fn a_profile_is_where_the_next_game_begins() {
    let text = "anglerfish-profile 1\ngame tictactoe\ngames 3\nplies 9\nstyle P3 0.75\nstyle P9 0.25\n";
    let profile: Profile = text.parse().expect("a profile");
    let mut model = Bayes::<TicTacToe>::new(TicTacToe::styles(), 0.02, 0.5);
    assert!(model.stance(Stance::default()).trust < 1e-6, "nobody knows anything yet");
    model.begin(Some(&profile));
    let known = model.posterior().iter().find(|b| &*b.style == "P3").expect("a style of this game");
    // P9 is not a style of ours; the six others start with a seventh each.
    assert!((known.probability - 0.75 / (0.75 + 6.0 / 7.0)).abs() < 1e-6, "{known:?}");
    assert!(model.stance(Stance::default()).trust < 1e-6, "not certain enough to stake anything on");
    let certain: Profile = text.replace("0.75", "0.998").parse().expect("a profile");
    let styles = || TicTacToe::styles().into_iter().filter(|s| ["P0", "P3"].contains(&s.name())).collect();
    let mut model = Bayes::<TicTacToe>::new(styles(), 0.02, 0.5);
    model.begin(Some(&Profile {
        styles: vec![("P0".to_owned(), 0.002), ("P3".to_owned(), 0.998)],
        ..certain
    }));
    assert!(model.stance(Stance::default()).trust > 0.3 && model.stance(Stance::default()).trust < 0.5);
}

/// Against somebody who plays well the search is the plain one, node for node.
#[test]
fn nothing_is_staked_on_those_who_play_well() {
    for style in Banqi::styles() {
        let mut model = Bayes::<Banqi>::new(Banqi::styles(), 0.02, 1.0);
        model.begin(Some(&Profile::certain::<Banqi>(style.name())));
        let trust = model.stance(Stance::default()).trust;
        if style.plays_best() {
            assert_eq!(trust.to_bits(), 0, "{}", style.name());
        } else {
            assert!(trust > 0.9, "{}: {trust}", style.name());
        }
    }
}

#[test]
fn speculations_survive_a_trip_through_text() {
    for (name, preset) in Speculation::PRESETS {
        assert_eq!(preset.to_string(), name);
        assert_eq!(name.parse(), Ok(preset));
    }
    let text = "open+all+all+nodes+ends+nonloss+first";
    assert_eq!(text.parse::<Speculation>().expect("seven words").to_string(), text);
    assert!("open+all".parse::<Speculation>().is_err() && "".parse::<Speculation>().is_err());
}

/// The test vector of docs/formats.md.
#[test]
fn the_profile_in_the_formats_page_goes_round() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    let page = std::fs::read_to_string(path).expect("docs/formats.md");
    let (_, rest) = page.split_once("```profile\n").expect("a profile");
    let (text, _) = rest.split_once("```").expect("its end");
    let profile: Profile = text.parse().expect("a profile");
    assert_eq!(profile.to_string(), text);
}

/// What a model says of draws replaces what was configured, and is not added to it.
#[test]
fn a_model_that_knows_better_replaces_the_draw_value() {
    struct Knows(Option<f32>);
    impl OpponentModel<TicTacToe> for Knows {
        fn observe(&mut self, _: &TicTacToe, _: &Ply<<TicTacToe as Game>::Event>) {}

        fn posterior(&self) -> &[Belief] {
            &[]
        }

        fn stance(&self, configured: Stance) -> Stance {
            self.0.map_or(configured, |draw| Stance { draw_value: Value(draw), ..configured })
        }

        fn predict(&mut self, _: &TicTacToe, _: &[<TicTacToe as Game>::Action], out: &mut [f32]) {
            out.fill(0.0);
        }
    }
    let configured = Stance { draw_value: Value(-0.4), ..Stance::default() };
    for (says, expected) in [(None, -0.4), (Some(0.2), 0.2), (Some(-0.9), -0.9)] {
        let mut opponents = Opponents::by(vec![Box::new(Knows(says)), Box::new(Knows(says))]);
        opponents.begin(Seat(1), None);
        assert!((opponents.stance(configured).draw_value.0 - expected).abs() < 1e-6, "{says:?}");
    }
}
