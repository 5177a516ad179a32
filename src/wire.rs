//! Wire types of both APIs, one file per resource.
//!
//! The client reads these types and the embedded rollup writes them, so each format is defined once. Readers ignore
//! unknown fields. Optional parts stay raw JSON.

pub mod bcs;
mod block;
mod error;
mod evm;
mod exchange;
mod nft;
pub mod node;
pub mod opinit;
mod pagination;
mod path;
pub mod proto;
pub mod protobuf;
mod rich_list;
pub mod router;
pub mod scalar;
mod servers;
mod status;
mod token_contract;
mod tx;
mod verbatim;

pub use block::{AvgBlockTime, Block, BlockResponse, BlocksResponse, Proposer, WireCoin};
pub use error::{ApiError, ErrorKind, Step};
pub use evm::{EvmLog, EvmTx, EvmTxResponse, EvmTxsResponse, HexText, InternalTx, InternalTxsResponse, mirrored_hash};
pub use exchange::{Exchange, ExchangeOutcome, curl, curl_post};
pub use nft::{
    Collection, CollectionFacts, CollectionResponse, CollectionsResponse, Nft, NftTable, Token, TokensResponse,
};
pub use pagination::Pagination;
pub use rich_list::{Holder, HoldersResponse};
pub use servers::{ServerAnswer, ServerInterface, ServerReport, ServerReports, ServerUrls};
pub use status::{BlockGap, BlockPart, LackReason, NodeStatus, PartFloor, Status, UndecodedPart};
pub use token_contract::{TokenContract, TokenContractsResponse};
pub use tx::{MessageHead, RawJson, Tx, TxResponse, TxsResponse};
pub use verbatim::Verbatim;
