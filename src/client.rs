//! The clients of both APIs: one method per endpoint, cleaned of the real servers' traps.
//!
//! ```text
//! indexer   one method per endpoint; the message filter's fallbacks
//! records   receipts, call frames, NFTs, holders
//! names     collections by name, though servers search by name in their own ways
//! tokens    NFTs, though one bad row fails a whole page
//! outside   what an NFT's URI leads to: metadata and pictures
//! router    the client of the routing API; what its refusals mean
//! paging    what a page's cursor and total are worth
//! shape     bytes into wire types, with the JSON path of what does not fit
//! retry     which failure is worth another try, and when
//! call      what is asked for: a GET, or a POST with its JSON
//! transport one try: connect, stream the body under a cap, record the exchange
//! tls       the one place that chooses who does TLS's cryptography
//! record    an exchange as it is written down
//! failure   transport errors and statuses into `wire::ErrorKind`
//! log       the ring of the last exchanges
//! ```

mod base_url;
mod call;
mod failure;
mod indexer;
mod log;
mod names;
mod options;
mod outside;
mod paging;
mod record;
mod records;
mod retry;
mod router;
mod shape;
mod tls;
mod tokens;
mod transport;

pub use base_url::{BaseUrl, BaseUrlError};
pub use indexer::IndexerClient;
pub use log::ExchangeLog;
pub use options::{ClientOptions, Observer};
pub use paging::Row;
pub use router::RouterClient;
pub use tls::http_client;
