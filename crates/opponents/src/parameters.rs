//! Every number of the models that was chosen and could be chosen otherwise, with what it decides: a part of the player's
//! [identity](anglerfish_engine::identity()).

anglerfish_engine::parameters! {
    /// The share of random plies in every style. Large enough that a single strange move does not decide.
    MODEL_SLIP: f32 = 0.02;
    /// Styles less probable than this are not asked for a prediction.
    MODEL_ASKED: f64 = 0.01;
    /// How probable a style must be before anything is staked on it. 2026-11-15, from the posteriors of 5,000 games: with 0.8
    /// habits were seen in one ply of twenty-five of our own engine's, with 0.99 in one of a hundred, and players of habit still
    /// exceed it within thirty plies of theirs. Confirmed on games of other seeds: -0.18 ± 1.15 points of a hundred against our
    /// own engine in 5,000 of them, -0.55 ± 0.60 against `course2019` in 1,000 (docs/lab.md); all of it before foresight was repaired.
    MODEL_SURE: f64 = 0.99;
    /// The least probability of a style.
    MODEL_FLOOR: f64 = 1e-9;
    /// How probable it is that the opponent becomes another one with its next move.
    SUSPECT_CHANGE: f64 = 0.002;
    /// Candidates that are less probable than this, strangers like them included, are not asked.
    SUSPECT_ASKED: f64 = 0.02;
    /// How many moves of the opponent are watched.
    SUSPECTS_WATCHED: u32 = 25;
    /// Candidates may search for one part of so many of the nodes of our own search while the opponent thinks: to ponder helps our
    /// next search, too, the last nodes least...
    SUSPECTS_PONDERED: u64 = 4;
    /// ...and where the opponent thinks for less than one part of so many of them, for as many of our own.
    SUSPECTS_OWED: u64 = 40;
    /// Our own strength goes in steps of so many Elo.
    OWN_ELO_STEP: f64 = 10.0;
    /// Adapting: what a draw is worth to us against the weaker, and against the stronger.
    ADAPT_DRAW: [f32; 2] = [-0.1, 0.2];
    /// There are so many steps from 0 to 1 in what it is worth: with every other value a search begins anew.
    ADAPT_STEPS: f32 = 20.0;
    /// The style `strong`: a difference that makes an action nearly three times less likely. The likelihood of alphabeta's own
    /// moves is greatest at about this.
    STRONG_TASTE: f32 = 250.0;
    /// How often it has plans that do not show in what is to be captured: then any action is as likely as another.
    STRONG_PLANS: f32 = 0.15;
    /// How many captures it follows.
    STRONG_CAPTURES: u32 = 4;
}
