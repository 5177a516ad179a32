//! Chain events as nodes report them.

pub(crate) mod evm;
pub(crate) mod keys;
pub mod names;
mod record;

pub use evm::ContractLog;
pub use record::{DecodedEvent, EventAttribute, EventPhase, TxEvent};
