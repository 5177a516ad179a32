//! The clients of both APIs, cleaned of the real servers' traps.
//!
//! ```text
//! endpoints the table of both APIs: paths, parameters, what answers are read as
//! lists     the lists of the indexer, and what is known of servers that fail on each
//! indexer   the client of the indexer API
//! filters   transactions by message type, though servers ignore or fail over the filter
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
pub mod endpoints;
mod failure;
mod filters;
mod indexer;
mod lists;
mod log;
mod names;
mod options;
mod outside;
mod paging;
mod record;
mod retry;
mod router;
mod shape;
mod tls;
mod tokens;
mod transport;

pub use base_url::{BaseUrl, BaseUrlError};
pub use endpoints::path_of;
pub use indexer::IndexerClient;
pub use lists::{BlocksQuery, HoldersQuery, ListQuery, Listed, Row, VerbatimPage};
pub use log::ExchangeLog;
pub use options::{ClientOptions, Observer};
pub use paging::Counting;
pub use router::RouterClient;
pub use tls::http_client;
