//! Players that choose evenly among some of their actions, as styles: `P_i` of Kajihara and others (1999), and the habits of Banqi.

use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Game, Rng};

use super::{Strong, Style, Uniform};
use anglerfish_engine::papers::semirandom::{Fallback, SemiRandom};
use anglerfish_engine::search::chooser::Chooser;
use anglerfish_engine::search::habit::Habit;

const NAMES: [(&str, &str); 7] = [
    ("P0", "plays at random"),
    ("P1", "wins at once where it can"),
    ("P2", "sees the answer to a move"),
    ("P3", "sees three plies ahead"),
    ("P4", "sees four plies ahead"),
    ("P5", "sees five plies ahead"),
    ("P6", "sees six plies ahead"),
];

/// `P_0` to `P_6`, for games without secrets in which chance has no part.
pub fn looking_ahead<G: Game>() -> Vec<Box<dyn Style<G>>> {
    let style = |(look, &(name, phrase))| -> Box<dyn Style<G>> {
        Box::new(Chosen { name, phrase, player: SemiRandom::new(look, Fallback::Delay), nodes: 0 })
    };
    (0..).zip(&NAMES).map(style).collect()
}

/// The styles that tell Banqi players apart. The cost of each was measured by `anglerfish bench opponent`.
pub fn habits() -> Vec<Box<dyn Style<Banqi>>> {
    let style = |name, phrase, player: Habit, nodes| -> Box<dyn Style<Banqi>> {
        Box::new(Chosen { name, phrase, player, nodes })
    };
    vec![
        Box::new(Uniform),
        style("capturer", "takes whatever can be taken", Habit::Thinker(1), 3),
        style("cautious", "leaves as little to be taken as possible", Habit::Cautious, 7),
        style("flipper", "flips while there is something to flip", Habit::Flipper, 2),
        style("thinker2", "sees the answer to a move", Habit::Thinker(2), 4),
        style("thinker3", "sees three plies ahead", Habit::Thinker(3), 20),
        Box::new(Strong::default()),
    ]
}

/// Any [`Chooser`] as a style.
struct Chosen<C> {
    name: &'static str,
    phrase: &'static str,
    player: C,
    nodes: u64,
}

impl<G: Game, C: Chooser<G>> Style<G> for Chosen<C> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn phrase(&self) -> &'static str {
        self.phrase
    }

    fn likelihood(&mut self, theirs: &G::View, actions: &[G::Action], out: &mut [f32]) {
        let game = G::sample(theirs, &mut Rng::new(0));
        let choices = self.player.choices(&game);
        let share = 1.0 / choices.len() as f32;
        for (action, out) in actions.iter().zip(out) {
            *out = if choices.contains(action) { share } else { 0.0 };
        }
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
