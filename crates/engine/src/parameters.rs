//! Every number that was chosen by hand and could be chosen otherwise, besides the evaluation's [`Tunables`](crate::Tunables),
//! the [`LEVELS`](crate::LEVELS) and what can be set: once, with what it decides.
//!
//! They are constants, so that they cost nothing where they are read, which is in every node; the [table](Parameters) of their names
//! is part of what [tells players apart](crate::identity()). A crate of models has such a table, too.

/// Constants with what they decide, and `all()`, the [table](Parameters) of them.
#[macro_export]
macro_rules! parameters {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:ty = $value:expr;)+) => {
        $($(#[doc = $doc])+ pub(crate) const $name: $type = $value;)+

        /// All of them.
        pub(crate) fn all() -> $crate::parameters::Parameters {
            $crate::parameters::Parameters(vec![$((stringify!($name), $crate::parameters::Numbers::numbers(&$name)),)+])
        }
    };
}

/// The numbers of each name.
pub struct Parameters(pub Vec<(&'static str, Vec<f64>)>);

impl Parameters {
    /// Each as a part of an [identity](crate::identity()): `parameters.` and its name in small letters, with its numbers as text.
    pub fn identity(&self) -> impl Iterator<Item = (String, String)> {
        self.0.iter().map(|(name, numbers)| {
            let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
            (format!("parameters.{}", name.to_lowercase()), numbers.join("/"))
        })
    }
}

/// One number or several.
pub trait Numbers {
    /// All of them.
    fn numbers(&self) -> Vec<f64>;
}

macro_rules! numbers {
    ($($type:ty)+) => {
        $(impl Numbers for $type {
            fn numbers(&self) -> Vec<f64> {
                // By way of its text, so that 0.02 is 0.02 and not the nearest number of 32 bits.
                vec![self.to_string().parse().unwrap_or(f64::NAN)]
            }
        })+
    };
}

numbers! { f32 f64 i32 i64 u32 u64 usize }

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    fn numbers(&self) -> Vec<f64> {
        self.iter().flat_map(Numbers::numbers).collect()
    }
}

// Scores are ten-thousandths of a game.
parameters! {
    /// Reverse futility: how far above the window a position must be, for each ply of depth, to be left alone.
    REVERSE_FUTILITY: i32 = 500;
    /// With no more than this depth.
    REVERSE_FUTILITY_DEPTH: i32 = 4;
    /// Futility: how far below the window a position must be, for each ply of depth and one more, for quiet moves to be left out.
    FUTILITY: i32 = 400;
    /// With no more than this depth.
    FUTILITY_DEPTH: i32 = 2;
    /// The null move is tried with at least this depth.
    NULL_MOVE_DEPTH: i32 = 3;
    /// And with at least so many pieces face down.
    NULL_MOVE_HIDDEN: u32 = 3;
    /// It is searched so much less deep,
    NULL_MOVE_REDUCTION: i32 = 3;
    /// and by a part of the depth more.
    NULL_MOVE_DIVISOR: i32 = 4;
    /// Where a null move stands for flips that were left out, it is searched so much less deep.
    NULL_MOVE_FLIP: i32 = 2;
    /// Late moves are reduced with at least this depth.
    LATE_MOVE_DEPTH: i32 = 3;
    /// From this one on.
    LATE_MOVE: usize = 4;
    /// By the product of the logarithms of depth and place, divided by this.
    LATE_MOVE_DIVISOR: u32 = 2;
    /// With more history than this by one less, with less than its negative by one more.
    LATE_MOVE_HISTORY: i32 = 4000;
    /// The depths from which on two numbers of flips are searched; below them only a flip that the table names.
    FLIPS_DEPTH: [i32; 2] = [4, 6];
    /// Those numbers.
    FLIPS: [usize; 2] = [2, 4];
    /// Flips come among quiet moves: no earlier and no later than a move with so much history.
    FLIPS_ORDER: i32 = 8000;
    /// At the root, so many of the flips that nothing distinguishes are looked at.
    FLIPS_ALIKE: usize = 2;
    /// Flips are searched one ply less deep where there is more depth than this.
    SHALLOW_DEPTH: i32 = 2;
    /// Half of the width of the first window of an iteration.
    ASPIRATION: i32 = 200;
    /// How many times wider each next one is.
    ASPIRATION_FACTOR: i32 = 3;
    /// The first iteration that has one.
    ASPIRATION_DEPTH: i32 = 4;
    /// The values of pieces in exchanges, by rank.
    EXCHANGE: [i32; 8] = [0, 20, 150, 45, 70, 110, 180, 300];
    /// The gain of history by a cutoff, times the square of the depth,
    HISTORY_BONUS: i32 = 8;
    /// and at most.
    HISTORY_BONUS_MOST: i32 = 1200;
    /// No history is larger than this.
    HISTORY_MOST: i32 = 16_384;
    /// From one move of a game to the next it shrinks to one part of so many.
    HISTORY_FADING: i32 = 4;
    /// An entry of the table counts as so much less deep for each search that it is old.
    TABLE_AGE: i32 = 8;
    /// Foresight: answers with less than one part of so many of the probability are not looked at.
    FORESIGHT_RARE: i64 = 100;
    /// Where less than one part of so many of the answer is foreseen, it is not worth the nodes.
    FORESIGHT_LITTLE: i64 = 16;
    /// An answer with at least so many hundredths of the probability is searched as if it were forced.
    FORESIGHT_CERTAIN: i64 = 90;
    /// A model that searches for its answers is asked about so many of the choices that were among the best, at most...
    FORESIGHT_ASKED: usize = 8;
    /// ...where at least so many plies are searched behind them...
    FORESIGHT_DEPTH: i32 = 2;
    /// ...and for one part of so many of the nodes.
    FORESIGHT_SHARE: u64 = 4;
    /// Tenths of the soft limit after which no new iteration is begun: it takes some times as long as all before it.
    LATE: u32 = 6;
    /// How many descents of tree search there are between looks at the clock.
    DESCENTS: u64 = 8;
    /// A move takes at most one part of so many of the time that is left.
    SHARE_MOST: u32 = 5;
    /// How many times the fair share a move takes at most.
    SHARE_HARD: u32 = 3;
    /// How many times the lag is kept back.
    SHARE_LAGS: u32 = 20;
    /// Moves of Banqi to expect: with an empty board, and more for each four pieces on it.
    MOVES_LEFT: [u32; 2] = [18, 3];
    /// The handmade evaluation: with so many pieces face down the early numbers count alone.
    EVAL_HIDDEN: u32 = 8;
    /// The sum of an advantage that counts as decisive.
    EVAL_DECISIVE: i32 = 1000;
    /// After so many quiet plies an advantage begins to fade;
    EVAL_PATIENCE: i32 = 10;
    /// after half of this more it has lost half of its size.
    EVAL_FADING: i32 = 110;
    /// Of the nodes that models owe, a search of ours pays no more than one part of so many of its own.
    OWED_PAID: u64 = 10;
    /// Shares of games: the weights of the terms of who is better, as `anglerfish store calibrate` writes them (docs/luck.md).
    WDL_LEAD: [f64; 21] = [-19.755, -10.1249, 25.959, -9.2556, -4.0262, -0.8249, 2.8184, 6.371, 3.1354, 4.7315, 0.2202, -1.0652, 0.507, -2.1331, -4.9686, -9.5284, -7.2129, 10.6539, -2.962, -3.3813, 2.4526];
    /// And of those of how much room draws have.
    WDL_DRAWS: [f64; 21] = [2.1683, -0.4128, 0.8124, -2.7796, 0.2629, 3.36, 1.1199, -0.887, 0.4383, -0.7871, -1.6228, -1.0004, 0.0536, 3.1928, 0.0193, 0.0705, 1.628, -1.5361, 2.7137, -9.1048, 8.1495];
}
