//! Moves in words: what happened, and what a value means.

use anglerfish_engine::{Kit, Wdl};
use anglerfish_rules::banqi::{Action, Banqi, Cell, Event, Square};
use anglerfish_rules::{Cause, Ending, Forfeit, Game, Outcome, Reason, Seat};

/// What an action does: `b3-b4, the rook takes the pawn`.
pub(super) fn describe(game: &Banqi, action: Action) -> String {
    match action {
        Action::Flip(at) => format!("flip {at}"),
        Action::Move { from, to } => {
            let role = |at: Square| game.position().piece_at(at).map_or("piece", |p| p.role().name());
            match game.position().cell(to) {
                Cell::Shown(_) => format!("{action}, the {} takes the {}", role(from), role(to)),
                _ => format!("{action}, the {} moves", role(from)),
            }
        }
    }
}

/// What happened: `The engine flips b3: a red king 帥.`, or the move as [`describe`] says it.
pub(super) fn tell(before: &Banqi, event: Event, ours: bool) -> String {
    let (who, s) = if ours { ("You", "") } else { ("The engine", "s") };
    match event {
        Event::Flip { at, piece } => format!("{who} flip{s} {at}: a {}.", piece.title()),
        Event::Move { .. } => format!("{who} play{s} {}.", describe(before, Banqi::action_of(event))),
    }
}

/// What shares mean to the side to move.
pub(super) fn appraise(shares: Wdl) -> String {
    let value = shares.value();
    let better = if value.0 > 0.0 { "better" } else { "worse" };
    let verdict = match value.0.abs() {
        v if v < 0.05 => "The game is level".to_owned(),
        v if v < 0.2 => format!("You are slightly {better}"),
        v if v < 0.5 => format!("You are clearly {better}"),
        v if v < 0.85 => format!("You are much {better}"),
        _ if value.0 > 0.0 => "You are winning".to_owned(),
        _ => "You are losing".to_owned(),
    };
    let [win, draw, loss] = [shares.win, shares.draw, shares.loss].map(|share| share * 100.0);
    format!("{verdict} ({value}: won {win:.0} %, drawn {draw:.0} %, lost {loss:.0} %)")
}

/// How a game ended, as `us` sees it.
pub(super) fn result(ending: Ending, us: Seat) -> String {
    let won = ending.outcome == Outcome::Win(us.team());
    let (loser, their) = if won { ("the engine", "its") } else { ("you", "your") };
    let has = if won { "has" } else { "have" };
    let why = match ending.cause {
        Cause::Rules(Reason::NoPieces) => format!("{loser} {has} no pieces left"),
        Cause::Rules(Reason::NoMove) => format!("{loser} {has} no legal move"),
        Cause::Rules(Reason::Quiet) => "too many moves without a capture or a flip".to_owned(),
        Cause::Rules(Reason::Repetition) => "the game was going in circles".to_owned(),
        Cause::Forfeit(Forfeit::Resigned) => format!("{loser} resigned"),
        Cause::Forfeit(Forfeit::Timeout) => format!("{loser} ran out of {their} time"),
        other => other.to_string(),
    };
    let what = match ending.outcome {
        Outcome::Draw => "It is a draw",
        Outcome::Win(_) if won => "You have won",
        Outcome::Win(_) => "The engine has won",
    };
    format!("{what}: {why}.")
}

/// What somebody of this style does. Profiles may have styles that this version does not know.
pub(super) fn style(name: &str) -> String {
    let known = Banqi::styles().into_iter().find(|style| style.name() == name);
    known.map_or_else(|| format!("plays like {name:?}"), |style| style.phrase().to_owned())
}
