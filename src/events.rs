//! Chain events as nodes report them.

pub(crate) mod bank;
pub(crate) mod evm;
pub(crate) mod keys;
pub mod names;
mod record;

pub use evm::ContractLog;
pub(crate) use record::EventRecord;
pub use record::{DecodedEvent, EventAttribute, EventPhase, TxEvent};
