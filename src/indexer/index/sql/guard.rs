//! What a statement may do: read the views, within limits of time and memory.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use rusqlite::{
    Connection,
    hooks::{AuthAction, AuthContext, Authorization},
    limits::Limit,
};

use super::{SQL_VIEWS, SqlError};

/// Maximum bytes of a value: as many as a record can have.
pub(super) const MOST_BYTES: i32 = 64 << 20;

/// Maximum bytes that SQLite may allocate, sorters and groups included.
pub(super) const MOST_MEMORY: u64 = 512 << 20;

/// Steps of SQLite's machine between two looks at the clock.
const STEPS: i32 = 1_000;

/// Functions that reach beyond the query.
const REFUSED_FUNCTIONS: [&str; 2] = ["load_extension", "fts3_tokenizer"];

/// Table-valued functions for JSON.
const JSON_TABLES: [&str; 2] = ["json_each", "json_tree"];

/// Reason for which SQLite refused the last statement.
pub(super) type LastRefusal = Arc<Mutex<Option<SqlError>>>;

/// Clock of a statement, which stands still while the rows are written.
#[derive(Debug)]
pub(super) struct StatementClock {
    start: Instant,
    /// End in milliseconds since the start.
    end: AtomicU64,
}

impl StatementClock {
    pub(super) fn new() -> Self {
        Self { start: Instant::now(), end: AtomicU64::new(u64::MAX) }
    }

    pub(super) fn set(&self, time: Duration) {
        let end = (self.start.elapsed() + time).as_millis();
        self.end.store(u64::try_from(end).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Extends the time by a break.
    pub(super) fn extend(&self, by: Duration) {
        self.end.fetch_add(u64::try_from(by.as_millis()).unwrap_or(0), Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        self.start.elapsed().as_millis() > u128::from(self.end.load(Ordering::Relaxed))
    }
}

/// Limits all later statements of a connection. `mark` ends the names of the views that may read the store's tables: a
/// statement that does not know it cannot use such a name for a view of its own.
pub(super) fn guard(
    connection: &Connection,
    mark: &str,
    clock: &Arc<StatementClock>,
) -> Result<LastRefusal, rusqlite::Error> {
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MOST_BYTES)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_limit(Limit::SQLITE_LIMIT_WORKER_THREADS, 0)?;
    connection.pragma_update(None, "query_only", true)?;
    connection.query_row(&format!("PRAGMA hard_heap_limit={MOST_MEMORY}"), [], |_| Ok(()))?;
    let clock = Arc::clone(clock);
    connection.progress_handler(STEPS, Some(move || clock.is_over()))?;
    let refusal = LastRefusal::default();
    let (kept, mark) = (Arc::clone(&refusal), mark.to_owned());
    connection.authorizer(Some(move |context: AuthContext<'_>| match refused(&context, &mark) {
        None => Authorization::Allow,
        Some(reason) => {
            *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
            Authorization::Deny
        }
    }))?;
    Ok(refusal)
}

/// Returns why an action is refused; `None` for an allowed one.
fn refused(context: &AuthContext<'_>, mark: &str) -> Option<SqlError> {
    match context.action {
        AuthAction::Function { function_name } => {
            let is_refused = REFUSED_FUNCTIONS.iter().any(|name| name.eq_ignore_ascii_case(function_name));
            is_refused.then(|| SqlError::Function(function_name.to_owned()))
        }
        // The number of rows alone: here SQLite names no view, and common table expressions like tables.
        AuthAction::Select | AuthAction::Recursive | AuthAction::Read { column_name: "", .. } => None,
        AuthAction::Read { table_name, .. } => {
            let is_view = |name: &str| name.ends_with(mark) || SQL_VIEWS.iter().any(|view| view.name == name);
            let is_of_view = context.accessor.is_some_and(|accessor| accessor.ends_with(mark));
            let is_allowed = is_of_view || is_view(table_name) || JSON_TABLES.contains(&table_name);
            (!is_allowed).then(|| SqlError::no_table(table_name))
        }
        AuthAction::Pragma { pragma_name, .. } => Some(SqlError::NotReadOnly(format!("PRAGMA {pragma_name}"))),
        AuthAction::Attach { .. } => Some(SqlError::NotReadOnly("ATTACH or VACUUM".to_owned())),
        // The name of the action is its variant.
        other => {
            let name = format!("{other:?}");
            let name = name.split([' ', '{']).next().unwrap_or_default();
            Some(SqlError::NotReadOnly(format!("the action {name}")))
        }
    }
}
