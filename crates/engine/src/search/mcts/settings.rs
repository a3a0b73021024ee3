//! The settings of the tree: those that Jouandeau and Cazenave (2014) vary, and those that the paper leaves open.

use crate::playout::{self, Counts, DrawEval, Policy};
use crate::setting::{Setting, number, word};

/// The meaning of a node of the tree.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum TreeKind {
    /// A history: flips branch on what comes up. The paper's C2, Algorithms 3 and 4.
    #[default]
    Chance,
    /// A sequence of actions, with all outcomes of flips together: the paper's group-nodes, C1, Algorithms 1 and 2. Every descent rolls its own
    /// dice, and an action counts where it is legal; all new children of a node are played out at once.
    Group,
}

impl TreeKind {
    /// All of them, in the order of their words for the setting `tree`.
    pub const ALL: [TreeKind; 2] = [TreeKind::Chance, TreeKind::Group];
}

/// Whether positions that are won for certain are marked as such.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Solve {
    /// No.
    Off,
    /// Where the mark is sound.
    #[default]
    On,
    /// In a group below a flip as well, as in Algorithm 2: a win for one outcome then counts as a win for all.
    Paper,
}

/// Which child of the root is played in the end: the paper's `bestNext`, which it does not define.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Final {
    /// The most visited one.
    #[default]
    Visits,
    /// The one with the best mean.
    Mean,
}

/// The settings of the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The meaning of a node.
    pub tree: TreeKind,
    /// UCT's constant, for results from -1 to 1. The paper does not give one.
    pub explore: f32,
    /// How far a choice in the tree is made by evaluation and look-ahead instead of playouts, from 0 to 1: the alpha of implicit
    /// minimax backups. In trees of chance-nodes, where playouts can [`evaluate`](crate::playout::Playout::evaluate).
    pub implicit: f32,
    /// The nodes that are marked as won.
    pub solve: Solve,
    /// The choice that is played in the end.
    pub choose: Final,
    /// The settings of playouts.
    pub playouts: playout::Settings,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            tree: TreeKind::Chance,
            explore: 0.5,
            // 2026-11-15, 40 pairs each: 71 +- 7 % against 0 in equal time; 0.9 scored 43 +- 9 % against this.
            implicit: 0.6,
            solve: Solve::On,
            choose: Final::Visits,
            playouts: playout::Settings::default(),
        }
    }
}

impl Settings {
    pub(crate) const ALL: &[Setting] = &[
        Setting::new(
            "tree",
            "chance or group",
            Some("chance"),
            "a node of the tree: a history with the outcomes of flips, or a sequence of actions (group-nodes)",
        ),
        Setting::new(
            "explore",
            "0 to 10: the constant of UCT",
            Some("0.5"),
            "the constant of UCT: higher values explore more",
        ),
        Setting::new(
            "implicit",
            "0 to 1: the share of the evaluation in UCT",
            Some("0.6"),
            "how much the evaluation counts beside the playouts: implicit minimax backups (Lanctot and others, 2014)",
        ),
        Setting::new(
            "solve",
            "off, on or paper",
            Some("on"),
            "whether won positions are marked as such in the tree, fully, or as Jouandeau and Cazenave (2014) do",
        ),
        Setting::new(
            "final",
            "visits or mean",
            Some("visits"),
            "which choice is played: the one tried most often, or the one with the best mean",
        ),
    ];

    pub(crate) fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "tree" => self.tree = word(value, &[("chance", TreeKind::Chance), ("group", TreeKind::Group)])?,
            "explore" => self.explore = number(value, 0.0..=10.0)?,
            "implicit" => self.implicit = number(value, 0.0..=1.0)?,
            "solve" => {
                let words = [("off", Solve::Off), ("on", Solve::On), ("paper", Solve::Paper)];
                self.solve = word(value, &words)?;
            }
            "final" => self.choose = word(value, &[("visits", Final::Visits), ("mean", Final::Mean)])?,
            _ => return self.playouts.set(name, value),
        }
        Some(())
    }

    /// A player by the name that the paper's Tables 3 and 4 give it: `c2-cr-640`, `c1-car-h-160`.
    pub(crate) fn named(name: &str) -> Option<Settings> {
        let mut words = name.split('-');
        let tree = match words.next()? {
            "c1" => TreeKind::Group,
            "c2" => TreeKind::Chance,
            _ => return None,
        };
        let policy = match words.next()? {
            "r" => Policy::Random,
            "cr" => Policy::Capture,
            "car" => Policy::CaptureAvoid,
            _ => return None,
        };
        let (draws, size) = match (words.next()?, words.next()) {
            ("h", Some(size)) => (DrawEval::Win, size),
            (size, None) => (DrawEval::Off, size),
            _ => return None,
        };
        let size = Some(size.parse().ok().filter(|n| (1..=60_000).contains(n))?);
        let playouts = playout::Settings { policy, size, counts: Counts::Quiet, draws };
        words.next().is_none().then_some(Settings { tree, playouts, implicit: 0.0, ..Settings::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_the_paper_are_read() {
        let player = Settings::named("c1-cr-h-640").expect("a name");
        assert_eq!(
            (player.tree, player.playouts.size, player.playouts.draws),
            (TreeKind::Group, Some(640), DrawEval::Win)
        );
        assert_eq!(Settings::named("c2-car-40").expect("a name").playouts.policy, Policy::CaptureAvoid);
        assert_eq!(player.implicit.to_bits(), 0, "the paper knows no evaluation in the tree");
        for wrong in ["c3-r-40", "c1-x-40", "c1-r-h", "c1-r-40-h", "c1-r-0", "c1-r-h-40-1", "c1-r-game"] {
            assert!(Settings::named(wrong).is_none(), "{wrong}");
        }
    }
}
