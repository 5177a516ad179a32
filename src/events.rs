//! Chain events as nodes report them.

pub(crate) mod bank;
pub(crate) mod evm;
pub(crate) mod ibc;
pub(crate) mod keys;
pub(crate) mod movevm;
pub mod names;
pub(crate) mod opinit;
mod record;
pub(crate) mod wasm;

pub use evm::ContractLog;
pub(crate) use record::EventRecord;
pub use record::{DecodedEvent, EventAttribute, EventPhase, TxEvent};
