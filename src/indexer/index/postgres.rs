//! PostgreSQL around a store: address, password, TLS and connections.

mod error;
mod lease;
mod password;
mod tls;
mod url;

pub use error::PostgresError;
pub use lease::{Lease, LeaseError, LeaseHolder, lease_holder};
pub use url::PostgresUrl;

/// Quotes the name of a schema.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
