//! The index and its HTTP server, over a hand-made chain and real connections.

mod chain;
mod client;
mod errors;
mod evm;
mod faults;
mod lists;
mod memory;
mod running;
mod walks;
