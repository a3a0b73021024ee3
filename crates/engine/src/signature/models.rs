//! What models of the opponent believe and predict, and what a search makes of it.

use std::time::Duration;

use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Game, Ply, Rng, Seat};

use super::{Sum, banqi, positions, read};
use crate::assets::Assets;
use crate::config::Config;
use crate::kit::Kit;
use crate::limits::{Limits, Stop};
use crate::opponent::{ModelKind, Opponents, Profile, Settings};

/// What every model believes and predicts in the course of a game, ply by ply.
pub(super) fn opponents<G: Kit>() -> u32 {
    let mut sum = Sum::new();
    for model in ModelKind::ALL {
        let replica = Some(Box::new(read("random")));
        let opponent = Settings { model, replica, lineup: Some("lineup".into()), ..Settings::default() };
        let mut models = opponents_of::<G>(&Config { opponent, ..Config::default() });
        models.begin(Seat(0), 1, None);
        let mut rng = Rng::stream(1, "signature");
        let mut game = G::deal(&G::Rules::default(), &mut rng);
        let mut actions = Vec::new();
        while let Some(seat) = game.turn().seat() {
            game.actions(&mut actions);
            let mut shares = vec![0.0_f32; actions.len()];
            models.model(seat).predict(&game, &actions, &mut shares);
            for share in &shares {
                sum.add(share.to_bits());
            }
            let event = game.draw(rng.pick(&actions), &mut rng);
            models.observe(&game.view(Seat(0)), &Ply { seat, event, took: Duration::ZERO });
            for belief in models.posterior() {
                sum.add(belief.probability.to_bits());
            }
            game.apply(event);
        }
    }
    sum.0
}

/// Two players that every game has, and a stranger.
const LINEUP: &[u8] = b"anglerfish lineup 1
question random 2 replica random
question exact 2 replica exact/depth=1
suspect random known -100.0 10.0 0.900000 0.100000 0.800000 0.200000
suspect exact known 100.0 10.0 0.900000 0.100000 0.300000 0.700000
suspect exact stranger 100.0 200.0 0.900000 0.100000 0.600000 0.400000
";

fn opponents_of<G: Kit>(config: &Config) -> Opponents<G> {
    let mut assets = Assets::default();
    assets.insert("lineup", "", LINEUP);
    let models = Opponents::new(config, &assets);
    models.unwrap_or_else(|e| unreachable!("models of any game: {e}"))
}

/// The search that expects the answers of every style of Banqi that there is.
pub(super) fn foresight() -> u32 {
    let mut sum = Sum::new();
    let mut engine = banqi(&read("alphabeta,opponent=bayes"));
    for style in Banqi::styles() {
        let profile = Profile::certain::<Banqi>(style.name());
        for game in positions() {
            engine.new_game(game.turn().seat().unwrap_or(Seat(0)), 1, Some(&profile));
            sum.decision(&engine.think(&game, Limits::depth(3), &Stop::default(), &mut |_| {}));
        }
    }
    sum.0
}

/// What a model says and stakes when it is of two minds, and when it is nearly certain.
pub(super) fn beliefs() -> u32 {
    let mut sum = Sum::new();
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
                let model = models.model(Seat(1));
                model.predict(&game, &actions, &mut shares);
                sum.add(model.nodes());
                for share in shares {
                    sum.add(share.to_bits());
                }
            }
        }
    }
    sum.0
}

/// The same as [`foresight`] but deeper, and with hardly enough trust to look.
pub(super) fn foresight_deep() -> u32 {
    let mut sum = Sum::new();
    for (trust, depth) in [(1.0, 5), (0.1, 3)] {
        let mut engine = banqi(&read(&format!("alphabeta,opponent=bayes,trust={trust}")));
        for style in ["capturer", "thinker2"] {
            let profile = Profile::certain::<Banqi>(style);
            for game in positions().skip(1) {
                engine.new_game(game.turn().seat().unwrap_or(Seat(0)), 1, Some(&profile));
                sum.decision(&engine.think(&game, Limits::depth(depth), &Stop::default(), &mut |_| {}));
            }
        }
    }
    sum.0
}
