//! Index of a rollup, and the HTTP API over the index: the content of `serve`.

pub mod follower;
pub(crate) mod http;
pub mod index;
mod json;
pub mod node;
pub mod progress;
mod signer;
pub mod source;

pub use http::{ChainMetrics, ListenAddress, ListenOptions, NodeMetrics};
