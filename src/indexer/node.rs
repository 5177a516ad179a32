//! A rollup's own node as the source of the index: how its answers become the records of the indexer API
//! (`docs/apis/node.md`), how it is followed, and how the index of one is served.

mod client_feed;
pub mod feed;
mod fetch;
mod follow;
mod frames;
mod rate;
mod receipts;
mod record;
mod record_error;
mod service;

pub use client_feed::ClientFeed;
pub use follow::{FollowError, FollowOptions, NodeFollower};
pub use frames::traces;
pub use receipts::receipts;
pub use record::{MonikerTable, committed_block};
pub use record_error::{RecordError, RecordPlace, RecordProblem};
pub use service::{NodeService, ServiceError, ServiceOptions};
