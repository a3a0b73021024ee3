//! Checksums that change exactly when the play of the models does: their beliefs, their predictions, and the searches that use
//! them.

use std::collections::BTreeMap;
use std::time::Duration;

use anglerfish_engine::behavior_hash::{Sum, engine, games, positions};
use anglerfish_engine::opponent::{Opponents, Settings};
use anglerfish_engine::{Assets, Config, Engine, Limits, Profile, Stop};
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Game, Ply, Rng, RngExt, Seat};

use crate::{Modelled, certain, install, parameters};

/// All checksums, by name.
pub fn behavior_hashes() -> Vec<(String, u32)> {
    let all = [
        ("opponents-banqi", opponents::<Banqi>()),
        ("opponents-tictactoe", opponents::<TicTacToe>()),
        ("foresight", foresight()),
        ("beliefs", beliefs()),
        ("foresight-deep", foresight_deep()),
        ("oracle", oracle()),
    ];
    all.map(|(name, number)| (name.to_owned(), number)).to_vec()
}

/// All that decides how the models play, by name.
pub fn identity() -> BTreeMap<String, String> {
    let hashes = behavior_hashes().into_iter();
    let hashes = hashes.map(|(name, number)| (format!("behavior_hash.{name}"), number.to_string()));
    hashes.chain(parameters::all().identity()).collect()
}

/// The beliefs and predictions of every model in the course of a game, ply by ply.
fn opponents<G: Modelled>() -> u32 {
    let mut sum = Sum::default();
    for model in ["none", "bayes", "replica", "fingerprint", "adapt"] {
        let mut models =
            opponents_of::<G>(&read(&format!("alphabeta,opponent={model},replica=random,candidates=lineup")));
        models.begin(Seat(0), 1, None);
        let mut rng = Rng::stream(1, "signature");
        let mut game = G::deal(&G::Rules::default(), &mut rng);
        let mut actions = Vec::new();
        while let Some(seat) = game.turn().seat() {
            game.actions(&mut actions);
            let mut shares = vec![0.0_f32; actions.len()];
            models.predict(seat, &game, &actions, &mut shares, u64::MAX);
            for share in &shares {
                sum.add(share.to_bits());
            }
            let event = game.draw(rng.pick(&actions), &mut rng);
            models.observe(&game.view(Seat(0)), &Ply { seat, event, took: Duration::ZERO });
            for belief in models.summary().beliefs {
                sum.add(belief.probability.to_bits());
            }
            game.apply(event);
        }
    }
    sum.0
}

/// A line-up of two players that every game has, and a stranger.
const LINEUP: &[u8] = b"anglerfish lineup 1
question random 2 replica random
question exact 2 replica exact/depth=1
candidate random known -100.0 10.0 0.900000 0.100000 0.800000 0.200000
candidate exact known 100.0 10.0 0.900000 0.100000 0.300000 0.700000
candidate exact stranger 100.0 200.0 0.900000 0.100000 0.600000 0.400000
";

fn assets() -> Assets {
    let mut assets = Assets::default();
    install(assets.models_mut());
    assets.insert("lineup", "", LINEUP);
    assets
}

fn read(text: &str) -> Config {
    text.parse().unwrap_or_else(|e| unreachable!("{text} is a configuration: {e}"))
}

fn banqi(text: &str) -> Engine<Banqi> {
    engine(&read(text), &assets()).unwrap_or_else(|e| unreachable!("{text} plays Banqi: {e}"))
}

fn opponents_of<G: Modelled>(config: &Config) -> Opponents<G> {
    let models = anglerfish_engine::opponents(config, &assets());
    models.unwrap_or_else(|e| unreachable!("models of any game: {e}"))
}

/// The search that expects the answers of each style of Banqi.
fn foresight() -> u32 {
    let mut sum = Sum::default();
    let mut engine = banqi("alphabeta,opponent=bayes");
    for style in Banqi::styles() {
        let profile = certain::<Banqi>(style.name());
        for game in positions() {
            engine.new_game(game.turn().seat().unwrap_or(Seat(0)), 1, Some(&profile));
            sum.decision(&engine.think(&game, Limits::depth(3), &Stop::default(), &mut |_| {}));
        }
    }
    sum.0
}

/// The beliefs and the trust of a model that is undecided, and of one that is nearly certain.
fn beliefs() -> u32 {
    let mut sum = Sum::default();
    let mut models = opponents_of::<Banqi>(&read("alphabeta,opponent=bayes,trust=0.9"));
    let names: Vec<&str> = Banqi::styles().iter().map(|style| style.name()).collect();
    for doubt in [0.3, 0.1, 0.08, 0.04, 0.02, 0.01, 0.005] {
        for likely in &names {
            let probability = |name: &&str| if name == likely { 1.0 - doubt } else { doubt / 6.0 };
            let styles = names.iter().map(|name| ((*name).to_owned(), probability(name))).collect();
            let profile = Profile { game: Banqi::NAME.to_owned(), games: 1, plies: 1, styles };
            models.begin(Seat(0), 1, Some(&profile));
            sum.add(models.stance(&Settings::default()).trust.map_or(0, f32::to_bits));
            for game in positions() {
                let mut actions = Vec::new();
                game.actions(&mut actions);
                let mut shares = vec![0.0_f32; actions.len()];
                let cost = models.predict(Seat(1), &game, &actions, &mut shares, u64::MAX);
                sum.add(cost.unwrap_or_default());
                for share in shares {
                    sum.add(share.to_bits());
                }
            }
        }
    }
    sum.0
}

/// Like [`foresight`], but deeper, and with hardly enough trust to use the predictions.
fn foresight_deep() -> u32 {
    let mut sum = Sum::default();
    for (trust, depth) in [(1.0, 5), (0.1, 3)] {
        let mut engine = banqi(&format!("alphabeta,opponent=bayes,trust={trust}"));
        for style in ["capturer", "thinker2"] {
            let profile = certain::<Banqi>(style);
            for game in positions().skip(1) {
                engine.new_game(game.turn().seat().unwrap_or(Seat(0)), 1, Some(&profile));
                sum.decision(&engine.think(&game, Limits::depth(depth), &Stop::default(), &mut |_| {}));
            }
        }
    }
    sum.0
}

/// A game in which every reply is foreseen.
fn oracle() -> u32 {
    let them = "alphabeta,hash=64k,nodes=60,depth=2";
    let us = format!("alphabeta,hash=64k,opponent=replica,oracle=on,replica={}", them.replace(',', "/"));
    let played = games([&read(&us), &read(them)], &assets(), &Banqi::start(RuleSet::PLATFORM));
    played.unwrap_or_else(|e| unreachable!("players of Banqi: {e}"))
}
