//! What fails around a database of PostgreSQL, and what to do about it.

use std::{error::Error, io, path::PathBuf, time::Duration};

use tokio_postgres::error::SqlState;

use super::url::PARAMETERS;

#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    #[error(
        "the URL of the database holds a password, which every user of this machine can see; remove it, and set \
         PGPASSWORD, or PGPASSFILE to the path of a password file"
    )]
    Password,
    #[error("the URL of the database {0}; write postgres://[USER@]HOST[:PORT]/DATABASE[?NAME=VALUE&NAME=VALUE]")]
    Url(&'static str),
    #[error("the URL of the database has an unknown parameter{0}; known are {known}", known = PARAMETERS.join(", "))]
    Parameter(String),
    #[error("the parameter {name} in the URL of the database is wrong; write {expected}")]
    Value { name: &'static str, expected: &'static str },
    #[error("other users may read the password file {file}; run: chmod 600 {file}", file = .0.display())]
    ReadableByOthers(PathBuf),
    #[error("cannot read {file}: {1}", file = .0.display())]
    File(PathBuf, #[source] io::Error),
    #[error("cannot find the name of the user; write it in the URL of the database: postgres://USER@HOST/DATABASE")]
    NoUser,
    #[error("cannot prepare TLS for the database: {0}")]
    Tls(#[from] rustls::Error),
    #[error("cannot connect to the database at {host}: {}{}", text(.cause), remedy(.cause))]
    Connect {
        /// Host and port.
        host: String,
        cause: tokio_postgres::Error,
    },
    #[error("the database at {host} did not answer within {} s", limit.as_secs())]
    Timeout { host: String, limit: Duration },
    #[error("the database has no index of a rollup; start serve --node with --data and its URL first")]
    NoSchema,
    #[error("the database has the indexes of {} rollups: add ?schema=NAME to its URL; the names are {}", .0.len(), .0.join(", "))]
    Schemas(Vec<String>),
    #[error("the database failed: {}{}", text(.0), remedy(.0))]
    Query(#[from] tokio_postgres::Error),
}

impl PostgresError {
    fn cause(&self) -> Option<&tokio_postgres::Error> {
        match self {
            Self::Connect { cause, .. } | Self::Query(cause) => Some(cause),
            _ => None,
        }
    }

    /// Returns the server's SQLSTATE; `None` if the error is not the server's.
    pub fn sql_state(&self) -> Option<&SqlState> {
        self.cause().and_then(tokio_postgres::Error::code)
    }

    /// Whether the connection is gone, or was never made: a new one may succeed.
    pub fn is_connection_lost(&self) -> bool {
        match self {
            Self::Timeout { .. } => true,
            Self::Connect { cause, .. } | Self::Query(cause) => match cause.code() {
                Some(state) => {
                    // Class 08 is connection exceptions.
                    state.code().starts_with("08")
                        || [
                            SqlState::ADMIN_SHUTDOWN,
                            SqlState::CRASH_SHUTDOWN,
                            SqlState::CANNOT_CONNECT_NOW,
                            SqlState::TOO_MANY_CONNECTIONS,
                            SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
                        ]
                        .contains(state)
                }
                None => cause.is_closed() || has_io_error(cause),
            },
            _ => false,
        }
    }

    /// Whether the server has no more space.
    pub fn is_disk_full(&self) -> bool {
        self.sql_state() == Some(&SqlState::DISK_FULL)
    }

    /// Whether a replica ended a query because it needed the rows that the query could still see: the query may succeed
    /// when it runs again.
    pub fn is_conflict_with_recovery(&self) -> bool {
        let Some(error) = self.cause().and_then(tokio_postgres::Error::as_db_error) else { return false };
        // A cancelled query has the same state, and the text of a query that the user cancels is another.
        [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::QUERY_CANCELED].contains(error.code())
            && error.message().contains("conflict with recovery")
    }
}

fn has_io_error(error: &tokio_postgres::Error) -> bool {
    error.source().is_some_and(<dyn std::error::Error>::is::<io::Error>)
}

/// Returns the server's own words, or the causes in a row.
fn text(error: &tokio_postgres::Error) -> String {
    if let Some(error) = error.as_db_error() {
        return error
            .detail()
            .map_or_else(|| error.message().to_owned(), |more| format!("{}: {more}", error.message()));
    }
    let (mut text, mut cause) = (error.to_string(), error.source());
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

fn remedy(error: &tokio_postgres::Error) -> &'static str {
    match error.code() {
        Some(state) if *state == SqlState::DISK_FULL => "; make room on the database server",
        Some(state) if [SqlState::INVALID_PASSWORD, SqlState::INVALID_AUTHORIZATION_SPECIFICATION].contains(state) => {
            "; check the user in the URL, and PGPASSWORD or the password file"
        }
        Some(state) if *state == SqlState::INVALID_CATALOG_NAME => "; create the database first",
        Some(state) if *state == SqlState::INSUFFICIENT_PRIVILEGE => "; grant the user this right, or use another user",
        Some(state) if *state == SqlState::TOO_MANY_CONNECTIONS => "; raise max_connections of the server",
        None if error.to_string() == "invalid configuration" => "; set PGPASSWORD, or PGPASSFILE",
        _ => "",
    }
}
