//! Index in PostgreSQL: one process writes it, others read it.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use tokio_postgres::error::SqlState;

use super::{
    Bounds, Index, IndexError, IndexIdentity,
    copy::{CopyStep, copy_tables},
    database::Database,
    dialect::Connection,
    postgres::{
        EpochCheck, Lease, LeaseError, PostgresError, PostgresPool, PostgresUrl, RESTART_IDS, VIEW_FUNCTIONS, quoted,
        translated,
    },
    query,
    sql::server_views,
};

/// Limit of the wait for those who query a view, which the follower waits for as well.
const BRIEFLY: &str = "SET LOCAL lock_timeout = '2s'";

/// Longest name of a schema.
const LONGEST: usize = 63;

/// Views of the schema, with the query that each was made of.
const VIEWS: &str = "SELECT relname::text, obj_description(oid, 'pg_class') FROM pg_class
     WHERE relkind = 'v' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())";

/// Time in which the lease of a process that was killed expires.
const EXPIRY: Duration = Duration::from_secs(4);

/// Beginning of the names of schemas.
const PREFIX: &str = "rs_";

/// Returns the name of a rollup's schema.
fn schema_of(chain_id: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' };
    PREFIX.chars().chain(chain_id.chars().map(letter)).take(LONGEST).collect()
}

/// Returns the check with which each write begins: until its end, no other process can be elected.
fn epoch_check(lease: Lease) -> EpochCheck {
    Box::new(move |session| {
        lease.check()?;
        let own = lease.epoch().ok_or(LeaseError::Lapsed)?;
        let rows = session.query("SELECT epoch, (SELECT holder FROM lease) FROM epoch FOR SHARE", &[])?;
        let read = |row: &tokio_postgres::Row| Ok((row.try_get::<_, i64>(0)?, row.try_get::<_, Option<String>>(1)?));
        let found: Option<Result<_, tokio_postgres::Error>> = rows.first().map(read);
        match found.transpose().map_err(PostgresError::from)? {
            Some((epoch, _)) if epoch == own => Ok(()),
            // Each election has a number of its own.
            Some((_, Some(holder))) if holder != lease.holder() => Err(LeaseError::Lost(holder).into()),
            _ => Err(LeaseError::Lapsed.into()),
        }
    })
}

impl Index {
    /// Opens or creates the index of a rollup in a database once no other process follows the rollup into it. `wait` is
    /// called with the name of the process that does, and ends the waiting. Blocks, as [`Lease::take`] does.
    pub fn in_postgres(
        url: &PostgresUrl,
        chain_id: &str,
        identity: &IndexIdentity,
        wait: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Self, IndexError> {
        let schema = url.schema().map_or_else(|| schema_of(chain_id), ToOwned::to_owned);
        let lease = Lease::take(url, &schema, wait)?;
        let application = lease.application();
        let pool = PostgresPool::new(&url.for_writing(), &schema, &application, Some(epoch_check(lease)));
        pool.prepare()?;
        let index = Self::open(Database::postgres(pool), identity, None)?;
        if let Err(error) = index.create_views() {
            tracing::warn!(%error, "cannot create the views for queries of other programs");
        }
        Ok(index)
    }

    /// Creates missing views, and replaces those of another version, each apart: one over which somebody has views of
    /// their own stays as it is. Others are not touched, since who queries one would delay the change of it.
    fn create_views(&self) -> Result<(), IndexError> {
        let run = |sql: &str| {
            self.database.write_alone(|connection| {
                let Connection::Postgres(session) = connection else { return Ok(Vec::new()) };
                session.run(sql)?;
                session.query(VIEWS, &[])
            })
        };
        let read = |row: &tokio_postgres::Row| Some((row.try_get(0).ok()?, row.try_get(1).ok()?));
        let found: Vec<(String, Option<String>)> = run(VIEW_FUNCTIONS)?.iter().filter_map(read).collect();
        for view in server_views() {
            let select = view.select();
            if found.iter().any(|(name, made)| name == view.name && made.as_ref() == Some(&select)) {
                continue;
            }
            let (name, query, made) = (view.name, translated(&select), select.replace('\'', "''"));
            let create = format!("VIEW {name} AS {query}; COMMENT ON VIEW {name} IS '{made}'");
            // Rights to the view stay where its columns do.
            let replaced = run(&format!("{BRIEFLY}; CREATE OR REPLACE {create}")).or_else(|error| match &error {
                IndexError::Postgres(cause) if cause.sql_state() == Some(&SqlState::INVALID_TABLE_DEFINITION) => {
                    run(&format!("{BRIEFLY}; DROP VIEW {name}; CREATE {create}"))
                }
                _ => Err(error),
            });
            if let Err(error) = replaced {
                tracing::warn!(%error, "cannot replace the view {name} of another version");
            }
        }
        Ok(())
    }

    /// Opens the index in a schema that another process writes. The server may be a replica.
    pub fn read_only_postgres(url: &PostgresUrl, schema: &str) -> Result<Self, IndexError> {
        Self::over_written(Database::postgres(PostgresPool::new(url, schema, "rollscope reader", None)))
    }

    /// Copies all tables to a schema without blocks, compares them, and returns the blocks. `tell` is told of the
    /// progress. Fails if another process follows the rollup into that schema.
    pub fn copy_to_postgres(&self, url: &PostgresUrl, tell: impl Fn(CopyStep)) -> Result<Option<Bounds>, IndexError> {
        let (identity, begun) = (self.identity(), Instant::now());
        // A holder that was killed follows nothing: only one that renews its lease is in the way.
        let wait = |_: &str| if begun.elapsed() < EXPIRY { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        let target = Self::in_postgres(url, &self.chain_id(), &identity, wait)?;
        let copied = self.database.read(|source| {
            target.database.write(|connection| {
                let Connection::Postgres(session) = connection else { return Err(IndexError::NoIndex) };
                if query::bounds(connection)?.is_some() {
                    return Err(IndexError::NotEmpty);
                }
                copy_tables(source, connection, &identity, &tell)?;
                session.run(RESTART_IDS)?;
                query::bounds(connection)
            })
        });
        target.close();
        copied
    }

    /// Copies the tables into a new schema; returns its place, or `None` for a file.
    pub(super) fn copy_schema(&self, now: &str) -> Result<Option<String>, IndexError> {
        let Some(server) = self.database.server() else { return Ok(None) };
        let ending = format!(".{now}");
        let start: String = server.schema().chars().take(LONGEST.saturating_sub(ending.len())).collect();
        let aside = format!("{start}{ending}");
        self.database.write(|connection| {
            let Connection::Postgres(session) = connection else { return Ok(()) };
            session.run(&format!("CREATE SCHEMA {}", quoted(&aside)))?;
            connection
                .tables()?
                .iter()
                .try_for_each(|table| session.run(&format!("CREATE TABLE {}.{table} AS TABLE {table}", quoted(&aside))))
        })?;
        Ok(Some(format!("the schema {aside}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_named_after_the_chain() {
        assert_eq!(schema_of("Mini-Move-1"), "rs_mini_move_1");
        assert_eq!(schema_of(&"x".repeat(99)).len(), LONGEST);
    }
}
