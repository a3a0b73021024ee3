//! The games of the program, by name.

/// Runs a generic function for a game by name; `None` for a name that is not in [`GAMES`].
macro_rules! with_game {
    ($name:expr, $G:ident => $body:expr) => {
        match $name {
            "siguo" => {
                type $G = ::anglerfish_siguo::Siguo;
                Some($body)
            }
            name => ::anglerfish_rules::with_game!(name, $G => $body),
        }
    };
}
pub(crate) use with_game;

/// The names in [`with_game!`].
pub(crate) const GAMES: [&str; 3] = ["banqi", "siguo", "tictactoe"];

#[cfg(test)]
mod tests {
    use anglerfish_rules::Game;

    use super::GAMES;

    #[test]
    fn every_listed_game_has_its_name() {
        fn name<G: Game>() -> &'static str {
            G::NAME
        }
        for listed in GAMES {
            assert_eq!(with_game!(listed, G => name::<G>()), Some(listed));
        }
        assert_eq!(with_game!("chess", G => name::<G>()), None);
    }
}
