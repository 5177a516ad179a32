//! PostgreSQL around a store: address, password, TLS and connections.

mod error;
mod password;
mod tls;
mod url;

pub use error::PostgresError;
pub use url::PostgresUrl;
