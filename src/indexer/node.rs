//! Indexing of a rollup's own node: conversion of its responses to API records (`docs/apis/node.md`), the follower, and
//! the service.

mod client_feed;
pub mod feed;
mod fetch;
mod fleet;
mod follow;
mod frames;
mod rate;
mod receipts;
mod record;
mod record_error;
mod requests;
mod served;
mod service;
mod standby;

pub use client_feed::{ClientFeed, NodeFallback, UnfitNode, prove_held};
pub use fleet::{FleetChain, NodeFleet};
pub use follow::{FIRST_RUN, FollowError, FollowOptions, NodeFollower};
pub use frames::traces;
pub use receipts::receipts;
pub use record::{ProposerTable, committed_block, consensus_address};
pub use record_error::{RecordError, RecordPlace, RecordProblem};
pub use requests::NodeRequests;
pub(crate) use service::bind;
pub use service::{NodeService, ServiceError, ServiceOptions};
pub use standby::StandbyServer;
