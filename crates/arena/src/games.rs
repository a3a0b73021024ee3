//! Files of games: our own records, the tournament platform's text files and its compact form. The text shows which kind it is.

use anglerfish_rules::banqi::{Banqi, Event, Layout, RuleSet};
use anglerfish_rules::{Mismatch, NotationError, Record, ReplayError, read_records};
use thiserror::Error;

use crate::platform::{PlatformError, read_compact, read_text};

/// The plies of a game, and its record if the game is valid.
pub type Checked = Result<Record<Banqi>, (usize, ReplayError)>;

/// Why a text is not a file of games.
#[derive(Clone, Debug, Error, Eq, PartialEq)]
pub enum GamesError {
    /// An error at a place in the text.
    #[error(transparent)]
    Text(#[from] NotationError),
    /// An error in the plies of this line.
    #[error("line {0}: plies: {1}")]
    Plies(usize, NotationError),
    /// This line is not in the platform's format.
    #[error("line {0}: {1}")]
    Line(usize, PlatformError),
    /// Not one of the three kinds.
    #[error("expected a record: [Format …, {{\"id\":… or INITIAL")]
    Kind,
}

/// Calls `visit` with each game of a text, its name and whether it is valid, until `visit` fails.
///
/// # Errors
/// When the text cannot be read to its end, or the error of `visit`.
pub fn each_game<E: From<GamesError>>(
    text: &str,
    rules: RuleSet,
    mut visit: impl FnMut(&str, Checked) -> Result<(), E>,
) -> Result<(), E> {
    match text.trim_start().chars().next() {
        Some('[') => {
            for (n, record) in read_records::<Banqi>(text).enumerate() {
                let record = record.map_err(GamesError::Text)?;
                let checked = record.replay().map(drop).and_then(|()| check_deal(&record));
                let plies = record.plies.len();
                visit(&format!("game {}", n + 1), checked.map(|()| record).map_err(|e| (plies, e)))?;
            }
        }
        Some('{') => {
            for (n, line) in (1..).zip(text.lines()).filter(|(_, l)| !l.trim().is_empty()) {
                let game = read_compact(line).map_err(|e| match e {
                    PlatformError::Text(e) => GamesError::Plies(n, e),
                    e => GamesError::Line(n, e),
                })?;
                visit(&game.name, game.to_record(rules).map_err(|e| (game.events.len(), e)))?;
            }
        }
        Some('I') => {
            let game = read_text(text).map_err(|e| match e {
                PlatformError::Text(e) => GamesError::Text(e),
                e => GamesError::Line(1, e),
            })?;
            visit(&game.name, game.to_record(rules).map_err(|e| (game.events.len(), e)))?;
        }
        _ => return Err(GamesError::Kind.into()),
    }
    Ok(())
}

/// A record that names its deal shows, at every flip, what was dealt there.
fn check_deal(record: &Record<Banqi>) -> Result<(), ReplayError> {
    let Some(layout) = record.tag("Deal").and_then(|text| text.parse::<Layout>().ok()) else {
        return Ok(());
    };
    for (i, ply) in record.plies.iter().enumerate() {
        if let Event::Flip { at, piece } = ply.event
            && layout.piece(at) != Some(piece)
        {
            let event = ply.event.to_string();
            return Err(ReplayError { ply: i + 1, event, what: Mismatch::Impossible });
        }
    }
    Ok(())
}
