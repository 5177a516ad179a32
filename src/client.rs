//! The clients of both APIs, cleaned of the real servers' traps.
//!
//! ```text
//! endpoints the table of both APIs: paths, parameters, what answers are read as
//! blocks    blocks, though one bad block fails a whole page
//! lists     the lists of the indexer, and what is known of servers that fail on each
//! indexer   the client of the indexer API
//! filters   transactions by message type, though servers ignore or fail over the filter
//! collection_search  collections by name, though servers search by name in their own ways
//! tokens    NFTs, though one bad row fails a whole page
//! external  what an NFT's URI leads to: metadata and pictures
//! router    the client of the routing API; what its refusals mean
//! evm       the JSON-RPC of any EVM chain, as far as a transaction is looked for there
//! sending   a chain's REST, as far as signing and sending need it
//! settlement  where an optimistic withdrawal stands: the executor of a rollup, and the bridges that the L1 hosts
//! node      the client of a rollup's own node: its three interfaces, found from one address
//! host_limit  how much is asked of one host at once
//! paging    what a page's cursor and total are worth
//! decoding  bytes into wire types, with the JSON path of what does not fit
//! retry     which failure is worth another try, and when
//! transport one try: connect, stream the body under a cap, record the exchange
//! tls       the one place that chooses who does TLS's cryptography
//! exchanges the recorder of exchanges, and the log of the last ones
//! failure   transport errors and statuses into `wire::ErrorKind`
//! ```

mod base_url;
mod blocks;
mod collection_search;
mod decoding;
pub mod endpoints;
mod evm;
mod exchanges;
mod external;
mod failure;
mod filters;
mod host_limit;
mod indexer;
mod lists;
mod node;
mod options;
mod paging;
mod retry;
mod router;
mod sending;
mod settlement;
mod tls;
mod tokens;
mod transport;

pub use base_url::{BaseUrl, BaseUrlError};
pub use endpoints::path_of;
pub use evm::EvmClient;
pub use exchanges::ExchangeLog;
pub use indexer::IndexerClient;
pub use lists::{BlocksQuery, HoldersQuery, ListEndpoint, ListItem, RowForm, VerbatimPage, body_of};
pub use node::{
    MissingInterface, NodeAddresses, NodeClient, NodeError, NodeFindError, NodeInterface, StateAnswer, StateQuestion,
    returned_text,
};
pub use options::{ClientOptions, Observer};
pub use paging::Counting;
pub use router::RouterClient;
pub use sending::{PriceSource, SendingClient, SigningAccount};
pub use settlement::{ExecutorClient, HostClient};
pub use tls::http_client;
