//! Models of opponents in players: an engine that watches its opponent over several games, with nothing but a text kept between
//! them, and the words for styles.

use anglerfish_arena::{Budget, Clocks, Draws, EnginePlayer, GameOptions, Player, Table, play};
use anglerfish_engine::{Config, Profile};
use anglerfish_opponents::Modelled;
use anglerfish_report::{Lang, words};
use anglerfish_rules::Rng;
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::tictactoe::TicTacToe;

fn thinker(text: &str) -> EnginePlayer<TicTacToe> {
    let config: Config = text.parse().expect(text);
    EnginePlayer::new(&config, &anglerfish_lab::models()).expect(text)
}

fn table() -> Table<TicTacToe> {
    Table::new(TicTacToe::default(), Draws(Rng::new(0)), Clocks::new([Budget::Nodes(1); 2]))
}

#[test]
fn an_opponent_is_recognized_from_game_to_game() {
    for look in 0..=6 {
        let mut unknown = thinker(&format!("semirandom,look={look}"));
        let mut known: Option<String> = None;
        for game in 0..80 {
            // A new engine every game: what it learned is only in the text.
            let mut watcher = thinker("random,opponent=bayes");
            watcher.expect(known.as_ref().map(|text| text.parse::<Profile>().expect("our own text")));
            let table = table();
            let seed = 100 * u64::from(look as u8) + game;
            if game % 2 == 0 {
                play(table, &mut [&mut watcher, &mut unknown], seed, GameOptions::default());
            } else {
                play(table, &mut [&mut unknown, &mut watcher], seed, GameOptions::default());
            }
            known = watcher.profile().map(|profile| profile.to_string());
        }
        let profile: Profile = known.expect("80 games").parse().expect("our own text");
        assert_eq!(profile.games, 80);
        let best = profile.styles.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("seven styles");
        assert_eq!(best.0, format!("P{look}"), "{profile}");
    }
}

#[test]
fn without_a_model_nothing_is_learned() {
    let mut watcher = thinker("random");
    let players = &mut [&mut watcher, &mut thinker("random")];
    let (a, b) = players.split_at_mut(1);
    play(table(), &mut [&mut *a[0], &mut *b[0]], 1, GameOptions::default());
    assert!(watcher.profile().expect("an engine has one").styles.is_empty());
}

#[test]
fn styles_have_words_in_every_language() {
    for lang in Lang::ALL {
        for style in Banqi::styles() {
            let said = words::habit(lang, style.name());
            assert!(!said.starts_with("style.") && !said.contains(style.name()), "{said}");
            if lang == Lang::En {
                assert_eq!(said, style.phrase());
            }
        }
    }
}
