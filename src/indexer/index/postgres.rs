//! PostgreSQL as a store: address, password, TLS, connections, and its form of the statements.

mod error;
mod lease;
mod password;
mod pool;
mod session;
mod text;
mod tls;
mod url;
mod values;
mod views;

pub use error::PostgresError;
pub use lease::{Lease, LeaseError};
pub(in crate::indexer::index) use pool::{EpochCheck, PostgresPool};
pub(in crate::indexer::index) use session::PostgresSession;
pub(in crate::indexer::index) use text::{RESTART_IDS, TABLE_NAMES, quoted, translated};
pub use url::PostgresUrl;
pub(in crate::indexer::index) use values::value_of;
pub(in crate::indexer::index) use views::FUNCTIONS as VIEW_FUNCTIONS;
