//! SQL over a store, by an embedded engine. Its tables list the objects of one moment, so a unit is never
//! counted twice.

mod answer;

use std::io::Write;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_schema::{DataType, Field, SchemaRef};
use datafusion::catalog::{MemTable, TableProvider};
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::DataFusionError;
use datafusion::execution::context::SQLOptions;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::{ColumnarValue, Volatility};
use datafusion::prelude::{SessionConfig, SessionContext, create_udf};
use datafusion::scalar::ScalarValue;
use futures_util::StreamExt;
use object_store::ObjectStore;

pub use self::answer::Answer;
use self::answer::Sheet;
use crate::error::StoreError;
use crate::index::{Listed, list_batch, list_schema};
use crate::positions::{Positions, derived_positions, positions_schema};
use crate::rows::schema;
use crate::scan::Snapshot;
use crate::store::Store;
use crate::stored_game::StoredGame;

/// The engine's name for the place of a store. Any word would do: it is only looked up again.
const ROOT: &str = "anglerfish://store/";

/// How often a query starts anew when a compaction has moved an object that it reads.
const TRIES: u32 = 5;

/// The sources of the tables.
struct Tables {
    objects: Arc<dyn ObjectStore>,
    prefix: String,
    games: Vec<String>,
    lists: Vec<String>,
    small: Vec<Listed>,
    positions: Option<Positions>,
}

/// Runs a query and writes its result. The tables are `games`, `units`, and, if they were derived,
/// `positions` and `positions_by_key`. Only reading statements are allowed.
///
/// # Errors
/// When the query is invalid, or data cannot be read or written.
/// When it is no query, or something cannot be read or written.
pub fn query<G: StoredGame>(
    store: &mut Store<G>,
    sql: &str,
    answer: Answer,
    out: &mut dyn Write,
) -> Result<(), StoreError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|source| StoreError::File { file: "a runtime".to_owned(), source })?;
    let mut sheet = Sheet::new(answer, out);
    for again in (0..TRIES).rev() {
        let tables = Tables::new(store, sql)?;
        let done = runtime.block_on(async {
            let context = tables.context::<G>()?;
            let options =
                SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
            let mut rows = context.sql_with_options(sql, options).await?.execute_stream().await?;
            while let Some(batch) = rows.next().await {
                sheet.add(batch?)?;
            }
            sheet.finish(&rows.schema())?;
            Ok::<_, DataFusionError>(())
        });
        match done {
            // A compaction has moved an object that was to be read.
            Err(error) if again > 0 && !sheet.has_begun() && is_gone(&error) => sheet.forget(),
            Err(error) => return Err(in_words(&error, &tables)),
            Ok(()) => return Ok(()),
        }
    }
    unreachable!("the last try returns")
}

/// Whether an object was missing.
fn is_gone(error: &DataFusionError) -> bool {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = cause {
        if let Some(object_store::Error::NotFound { .. }) = error.downcast_ref() {
            return true;
        }
        cause = error.source();
    }
    error.to_string().contains("not found") && error.to_string().contains(".parquet")
}

fn in_words(error: &DataFusionError, tables: &Tables) -> StoreError {
    let text = error.strip_backtrace();
    let missing = tables.positions.is_none() && text.contains("positions") && text.contains("not found");
    let hint = if missing { ": `anglerfish store positions STORE` derives them" } else { "" };
    StoreError::Query(format!("{text}{hint}"))
}

impl Tables {
    fn new<G: StoredGame>(store: &mut Store<G>, sql: &str) -> Result<Tables, StoreError> {
        // Opening ten thousand objects is only worth it for a table in the query.
        let words = sql.to_ascii_lowercase();
        let asked =
            |table: &str| [table, "show", "information_schema"].iter().any(|word| words.contains(word));
        let snapshot: Snapshot = store.snapshot()?;
        let mut small = Vec::new();
        if asked("units") {
            for (unit, bytes) in &snapshot.small {
                small.push(store.listed(unit, *bytes)?);
            }
        }
        let positions = if asked("positions") { derived_positions(store.place())? } else { None };
        let (objects, prefix) = store.place().objects();
        let prefix = prefix.to_string();
        let lists = snapshot.large.iter().map(|large| large.list.clone()).collect();
        Ok(Tables { objects, prefix, games: snapshot.objects().collect(), lists, small, positions })
    }

    fn context<G: StoredGame>(&self) -> Result<SessionContext, DataFusionError> {
        let config = SessionConfig::new()
            .with_information_schema(true)
            .set_bool("datafusion.execution.parquet.schema_force_view_types", false)
            // Our names are lower case, and queries may be typed in either case.
            .set_bool("datafusion.sql_parser.enable_ident_normalization", true);
        let context = SessionContext::new_with_config(config);
        context.register_object_store(ObjectStoreUrl::parse(ROOT)?.as_ref(), Arc::clone(&self.objects));
        context.register_table("games", self.listing(&self.games, schema())?)?;
        let small = MemTable::try_new(list_schema(), vec![vec![list_batch(&self.small)]])?;
        let small = context.read_table(Arc::new(small))?;
        let units = context.read_table(self.listing(&self.lists, list_schema())?)?.union(small)?;
        context.register_table("units", units.into_view())?;
        if let Some(positions) = &self.positions {
            context.register_table("positions", self.listing(&positions.by_game, positions_schema())?)?;
            context
                .register_table("positions_by_key", self.listing(&positions.by_key, positions_schema())?)?;
        }
        context.register_udf(create_udf(
            "move",
            vec![DataType::UInt32],
            DataType::Utf8,
            Volatility::Immutable,
            Arc::new(|values: &[ColumnarValue]| texts(values, &|array| event_texts::<G>(array))),
        ));
        let list = DataType::List(Arc::new(Field::new("item", DataType::UInt32, false)));
        context.register_udf(create_udf(
            "moves",
            vec![list],
            DataType::Utf8,
            Volatility::Immutable,
            Arc::new(|values: &[ColumnarValue]| texts(values, &|array| list_texts::<G>(array))),
        ));
        Ok(context)
    }

    /// A table of objects.
    fn listing(
        &self,
        names: &[String],
        schema: SchemaRef,
    ) -> Result<Arc<dyn TableProvider>, DataFusionError> {
        if names.is_empty() {
            return Ok(Arc::new(MemTable::try_new(Arc::clone(&schema), vec![vec![]])?));
        }
        let prefix = if self.prefix.is_empty() { String::new() } else { format!("{}/", self.prefix) };
        let urls = names.iter().map(|name| ListingTableUrl::parse(format!("{ROOT}{prefix}{name}")));
        let options = ListingOptions::new(Arc::new(ParquetFormat::default())).with_file_extension(".parquet");
        let config = ListingTableConfig::new_with_multi_paths(urls.collect::<Result<_, _>>()?)
            .with_listing_options(options)
            .with_schema(schema);
        Ok(Arc::new(ListingTable::try_new(config)?))
    }
}

/// Calls a function of one array, or of one value.
fn texts(
    values: &[ColumnarValue],
    of: &dyn Fn(&ArrayRef) -> Result<ArrayRef, DataFusionError>,
) -> Result<ColumnarValue, DataFusionError> {
    match values {
        [ColumnarValue::Array(array)] => of(array).map(ColumnarValue::Array),
        [ColumnarValue::Scalar(value)] => {
            let array = of(&value.to_array()?)?;
            Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&array, 0)?))
        }
        _ => Err(DataFusionError::Execution("expected one value".to_owned())),
    }
}

/// Events in the notation of records; null for numbers that are no events.
fn event_texts<G: StoredGame>(codes: &ArrayRef) -> Result<ArrayRef, DataFusionError> {
    let codes = codes.as_primitive_opt::<UInt32Type>();
    let codes = codes.ok_or_else(|| DataFusionError::Execution("move: expected numbers".to_owned()))?;
    let mut texts = StringBuilder::new();
    for code in codes {
        texts.append_option(code.and_then(G::event).map(|event| event.to_string()));
    }
    Ok(Arc::new(texts.finish()))
}

/// Lists of events in the notation of records, with spaces between.
fn list_texts<G: StoredGame>(lists: &ArrayRef) -> Result<ArrayRef, DataFusionError> {
    let wrong = || DataFusionError::Execution("moves: expected lists of numbers".to_owned());
    let lists = lists.as_list_opt::<i32>().ok_or_else(wrong)?;
    let mut texts = StringBuilder::new();
    for list in lists.iter() {
        let Some(list) = list else {
            texts.append_null();
            continue;
        };
        let codes = list.as_primitive_opt::<UInt32Type>().ok_or_else(wrong)?;
        let words = codes.values().iter().filter_map(|code| G::event(*code)).map(|event| event.to_string());
        texts.append_value(words.collect::<Vec<_>>().join(" "));
    }
    Ok(Arc::new(texts.finish()))
}
