//! The embedded rollup: ledger, index, HTTP and faults. Not a mock: the same program would serve a real chain.

pub mod chain;
pub mod faults;
pub mod index;
mod json;
pub mod ledger;
