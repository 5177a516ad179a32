//! Both APIs as serde types, exactly as on the wire, one file per resource.
//!
//! The client reads with these types and the embedded rollup writes with them, so a shape is written once.
//! Unknown fields are ignored on the way in. Parts that nobody may need stay raw JSON.

mod block;
mod error;
mod exchange;
mod pagination;
pub mod scalar;
mod status;
mod tx;

pub use block::{AvgBlockTime, Block, BlockResponse, BlocksResponse, Proposer, WireCoin};
pub use error::{ApiError, ErrorKind, Step};
pub use exchange::{Exchange, ExchangeOutcome, curl};
pub use pagination::Pagination;
pub use status::Status;
pub use tx::{MessageHead, RawJson, Tx, TxResponse, TxsResponse};
