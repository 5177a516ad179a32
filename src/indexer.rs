//! The index of a rollup and the HTTP API over it: what `serve` runs.

pub mod follower;
pub(crate) mod http;
pub mod index;
mod json;
pub mod node;
pub mod progress;
mod signer;
pub mod source;
