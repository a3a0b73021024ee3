//! Parts of the search that can be left out, each by its name, to measure what it is worth.

macro_rules! features {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal,)+) => {
        /// A part of the search that can be left out, to measure what it is worth.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub enum Feature { $($(#[doc = $doc])+ $name,)+ }

        impl Feature {
            /// Every feature.
            pub const ALL: &[Feature] = &[$(Feature::$name,)+];

            /// Its name in `without=`.
            pub const fn text(self) -> &'static str {
                match self { $(Feature::$name => $text,)+ }
            }
        }
    };
}

features! {
    /// The transposition table.
    Table = "table",
    /// Searching later choices with a null window first (`NegaScout`).
    Scout = "scout",
    /// Aspiration: a narrow window around the last iteration's score.
    Aspiration = "aspiration",
    /// Captures before the rest, and quiet moves by the killer heuristic and the history heuristic.
    Order = "order",
    /// Quiescence search: captures at the leaves.
    Quiesce = "quiesce",
    /// Late move reductions: quiet moves that come late in the queue are searched less deep.
    Reductions = "reductions",
    /// The null move: it stands for a flip far from everything; if it is good enough, so is the position.
    NullMove = "nullmove",
    /// Near the leaves, positions far above the window are not searched (reverse futility), and far below it no quiet moves
    /// (futility).
    Futility = "futility",
    /// Below the root only the flips that matter are searched.
    Selection = "selection",
    /// Flips less deep than moves.
    Shallow = "shallow",
}

/// Features that are left out.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Without(u32);

impl Without {
    /// Everything that makes a search differ from plain expectiminimax in what it finds.
    pub const SELECTIVITY: Without = Without(
        1 << Feature::Quiesce as u32
            | 1 << Feature::Reductions as u32
            | 1 << Feature::NullMove as u32
            | 1 << Feature::Futility as u32
            | 1 << Feature::Selection as u32
            | 1 << Feature::Shallow as u32,
    );

    /// Features by their names, joined by `+`.
    pub(crate) fn named(names: &str) -> Option<Without> {
        let mut without = Without::default();
        for name in names.split('+').filter(|name| !name.is_empty()) {
            without = without.and(*Feature::ALL.iter().find(|feature| feature.text() == name)?);
        }
        Some(without)
    }

    /// Whether this feature is left out.
    #[inline]
    pub const fn lacks(self, feature: Feature) -> bool {
        self.0 >> feature as u32 & 1 == 1
    }

    /// These and one more.
    #[must_use]
    pub const fn and(self, feature: Feature) -> Without {
        Without(self.0 | 1 << feature as u32)
    }
}
