//! Siguo in the engine and the arena: its evaluation, its model of hidden armies, and the openings of a match.

use anglerfish_arena::{ArenaError, ArenaGame, Draws, Opened, read_actions};
use anglerfish_engine::opponent::{ModelSetting, Models, OpponentModel, Settings};
use anglerfish_engine::score::Score;
use anglerfish_engine::search::pimc::Count;
use anglerfish_engine::{Assets, Config, EngineError, SearchGame, Setting};
use anglerfish_opponents::Modelled;
use anglerfish_rules::{Game, Rng};

use crate::arrangement::{Arrangement, Kinds};
use crate::{Arm, Rules, SLOTS, Siguo, View, evaluation};

/// Adds the models of opponents that Siguo has, and the setting of its own.
pub fn install(models: &mut Models) {
    anglerfish_opponents::add::<Siguo>(models);
    models.add_setting(ModelSetting {
        setting: Setting::new("arrangement", "an asset: the kinds of armies that are expected, in Siguo", None, "in Siguo: the kinds of armies that others are expected to set up; without it, all are equally likely"),
        accepts: |value| !value.is_empty(),
    });
}

impl Modelled for Siguo {}

impl SearchGame for Siguo {
    /// A model that remembers what happened knows more of hidden men than the table shows.
    fn unmodelled(
        settings: &Settings,
        assets: &Assets,
    ) -> Result<Box<dyn OpponentModel<Siguo>>, EngineError> {
        let kinds = settings.word("arrangement").map(|name| assets.parsed(name, str::parse));
        Ok(Box::new(Arrangement::new(kinds.transpose()?.unwrap_or_else(Kinds::uniform))))
    }

    /// Recorded games end after 50 moves per seat on average.
    fn moves_left(_: &View) -> u32 {
        40
    }

    fn evaluation(config: &Config) -> Box<dyn FnMut(&Siguo) -> Score + Send> {
        Box::new(match config.pimc.count {
            Count::Men => evaluation::men,
            Count::Handmade => evaluation::handmade,
        })
    }
}

impl ArenaGame for Siguo {
    /// An opening is the layouts of all players, by arm from south on, or actions, or both. Both games of a
    /// pair have the same armies on the same arms, and the players swap sides. Without layouts every army is
    /// drawn from all legal ones.
    fn open(rules: &Rules, opening: Option<&str>, seed: u64) -> Result<Opened<Siguo>, ArenaError> {
        let mut words = opening.unwrap_or_default().split_whitespace().peekable();
        let mut start = Siguo::deal(rules, &mut Rng::stream(seed, "deal"));
        let is_layout = |word: &&str| word.len() == SLOTS && word.contains('.');
        if words.peek().is_some_and(is_layout) {
            let mut layouts = [None; 4];
            for arm in Arm::ALL.into_iter().filter(|&arm| start.layout(arm).is_some()) {
                let text = words
                    .next_if(is_layout)
                    .ok_or_else(|| ArenaError::Unfit("a layout for every army that plays".to_owned()))?;
                let layout = text.parse().map_err(|e| ArenaError::from(e).of(format!("layout {text}")))?;
                layouts[arm.index()] = Some(layout);
            }
            start = Siguo::start(*rules, layouts, Arm::South);
        }
        let actions = read_actions::<Siguo>(words)?;
        let dealer = Box::new(Draws(Rng::stream(seed, "chance")));
        Ok(Opened { start, dealer, deal: None, actions })
    }

    fn most_plies(rules: &Rules) -> u32 {
        rules.longest_game()
    }
}
