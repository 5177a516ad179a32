//! The embedded router: a graph of chains, assets and bridges, the search for routes through it, the messages that do
//! them, and a tracker that takes each transfer hop by hop to its end.
//!
//! Nothing in here reads the clock: the time comes with each call.

pub mod error;
mod graph;
pub mod hook;
pub mod issued_msgs;
pub mod journal;
pub mod light;
mod messages;
mod operation;
pub mod plan;
mod quote;
mod reach;
mod search;
pub mod service;
pub mod tracker;
mod valuation;
pub mod wallet;
pub mod world;
