//! Clients of the indexer API, the routing API and nodes, with workarounds for flaws of real servers.
//!
//! ```text
//! target            target of a request, meaning of its failures, retry policy
//! endpoints         paths, parameters and response types of both APIs
//! rows              row types of lists
//! blocks            list of blocks, around a bad block that fails its page
//! lists             lists of the indexer, with workarounds
//! indexer           client of the indexer API
//! filters           transactions by message type, also on servers that fail on the filter
//! collection_search collections by name, although servers search differently
//! tokens            list of NFTs, around a bad row that fails its page
//! external          metadata and pictures behind an NFT's URI
//! router            client of the routing API, and its errors
//! evm               JSON-RPC of any EVM chain, for finding a transaction
//! sending           REST of any Cosmos chain, for signing and broadcasting
//! settlement        stage of a withdrawal: executor and L1
//! servers           examination of a network's servers before their use
//! node              client of a rollup's own node: three interfaces from one URL
//! host_limit        limit of concurrent requests per host
//! paging            meaning of a page's cursor and total
//! decoding          bytes to wire types, with the JSON path of errors
//! retry             retry policy
//! transport         one attempt: connect, stream the body under a cap, record the exchange
//! tls               choice of the TLS crypto provider
//! exchanges         recorder and log of exchanges
//! failure           conversion of errors to `wire::ErrorKind`
//! ```

mod answer_meter;
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
mod rows;
mod sending;
mod servers;
mod settlement;
mod target;
mod tls;
mod tokens;
mod torn_page;
mod transport;

pub use answer_meter::AnswerMeter;
pub use base_url::{BaseUrl, BaseUrlError};
pub use evm::EvmClient;
pub use exchanges::ExchangeLog;
pub use host_limit::HostLimits;
pub use indexer::IndexerClient;
pub use lists::{BlocksQuery, HoldersQuery, ListEndpoint, TokenContractsQuery, body_of, path_of};
pub use node::{
    MissingInterface, NodeAddresses, NodeClient, NodeError, NodeFindError, NodeInterface, StateAnswer, StateQuestion,
    TxPlace, returned_text,
};
pub use options::{ClientOptions, Observer};
pub use paging::Counting;
pub use router::RouterClient;
pub use rows::{ListItem, RowForm, VerbatimPage};
pub use sending::{SendingClient, SigningAccount, SimulationAnswer};
pub use servers::ExaminedServers;
pub use settlement::{ExecutorClient, HostClient};
pub use tls::http_client;
