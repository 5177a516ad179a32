//! The embedded rollup: ledger, index, HTTP and faults. Not a mock: the same program would serve a real chain.

pub mod http;
pub mod index;
pub mod ledger;
