//! Settings of models: what a registry makes of them before an engine is built.

use anglerfish_engine::opponent::Models;
use anglerfish_engine::{Assets, Config, Engine, ManualClock, Setting};
use anglerfish_opponents::install;
use anglerfish_rules::tictactoe::TicTacToe;
use std::sync::Arc;

fn models() -> Models {
    let mut models = Models::default();
    install(&mut models);
    models
}

/// What is wrong with a player.
fn wrong(models: &Models, player: &str) -> String {
    let config: Config = player.parse().expect("words");
    models.check(&config).expect_err(player).to_string()
}

#[test]
fn every_setting_says_what_it_takes() {
    let models = models();
    let names: Vec<&str> = models.settings().map(|setting| setting.name).collect();
    assert_eq!(names[10..17], ["opponent", "replica", "oracle", "candidates", "trust", "draw", "draw_scope"]);
    for Setting { name, takes, .. } in models.settings().skip(10).take(4) {
        let value = if name == "candidates" { "" } else { "?" };
        assert!(wrong(&models, &format!("alphabeta,{name}={value}")).contains(&*takes), "{name}");
    }
    let error = wrong(&models, "alphabeta,speed=9");
    assert!(error.contains(&names.join(", ")) && error.contains("speed"), "{error}");
    let good: Config = "alphabeta,opponent=replica,replica=thinker2,oracle=off".parse().expect("settings");
    assert_eq!(models.check(&good), Ok(()));
}

/// Without models there is only `none`, and no engine is made of settings that are unknown.
#[test]
fn the_engine_knows_only_what_it_is_given() {
    let none = Models::default();
    assert!(wrong(&none, "alphabeta,opponent=bayes").contains("opponent=none, found"));
    assert!(wrong(&none, "alphabeta,candidates=field").contains("a setting: search, "));
    let engine = |player: &str, assets: &Assets| {
        let config = player.parse().expect("words");
        let engine = Engine::<TicTacToe>::new(&config, assets, Arc::new(ManualClock::default()));
        engine.map(|engine| engine.summary().beliefs.len()).map_err(|e| e.to_string())
    };
    let mut assets = Assets::default();
    assert_eq!(engine("random", &assets), Ok(0));
    assert!(engine("random,opponent=bayes", &assets).is_err_and(|e| e.contains("opponent=none")));
    install(assets.models_mut());
    assert_eq!(engine("random,opponent=bayes", &assets), Ok(7), "a style for every number of plies");
}
