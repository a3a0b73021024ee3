//! `anglerfish store query`: SQL over the games of a store.

#[cfg(feature = "query")]
use anglerfish_store::{Place, StoredGame};

#[cfg(feature = "query")]
use crate::terminal::{answer, note};

/// Query a store in SQL
///
/// Tables: games (one row per game), units, and positions and `positions_by_key` once `anglerfish store positions`
/// has derived them. docs/store.md describes their columns. move(event) and moves(events) are the texts of events.
/// Queries need the features of a full build: cargo install --locked --path crates/cli --features full.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  anglerfish store query games \"SELECT reason, count(*) FROM games GROUP BY reason\"
  anglerfish store query games \"SELECT move(events[1]) AS flip, count(*) AS n, avg(result) FROM games GROUP BY 1 ORDER BY n DESC LIMIT 10\"
  anglerfish store query games \"SELECT unit, game, moves(events) FROM games WHERE plies < 60\" --csv")]
pub(super) struct Args {
    /// The store
    store: String,
    /// The query
    sql: String,
    /// One JSON object per row
    #[arg(long)]
    json: bool,
    /// Comma-separated values, the first line with the names of the columns
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

#[cfg(not(feature = "query"))]
pub(super) fn run(_: &Args) -> anyhow::Result<bool> {
    anyhow::bail!(
        "this build has no queries, and no move() and moves(); install one that has: {}\n\
         or give what `anglerfish store files STORE` prints to DuckDB, pandas or Polars",
        super::FULL_BUILD
    )
}

#[cfg(feature = "query")]
pub(super) fn run(args: &Args) -> anyhow::Result<bool> {
    use crate::games::with_game;

    let place = super::place(&args.store)?;
    super::with_store(&place, |game| with_game!(game, G => ask::<G>(args, super::place(&args.store))))
}

#[cfg(feature = "query")]
fn ask<G: StoredGame>(args: &Args, place: anyhow::Result<Place>) -> anyhow::Result<bool> {
    use anglerfish_report::{counted, grouped};
    use anglerfish_store::{Answer, Store, derived_positions, query};

    let mut store = Store::<G>::existing(place?, None)?;
    if args.sql.to_ascii_lowercase().contains("positions")
        && let Some(derived) = derived_positions(store.place())?
    {
        let units = store.units()?.len() as u64;
        if units != derived.units {
            note!(
                "positions are of {}, and the store has {}: `anglerfish store positions` derives them anew",
                counted(derived.units, "unit"),
                grouped(units)
            );
        }
    }
    let answer = match (args.json, args.csv) {
        (true, _) => Answer::Json,
        (_, true) => Answer::Csv,
        _ => Answer::Table,
    };
    query(&mut store, &args.sql, answer, &mut std::io::BufWriter::new(answer(args.json || args.csv)))?;
    Ok(true)
}
