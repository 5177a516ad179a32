//! Embedded router: a graph of chains, assets and bridges; a route search; the messages of a route; and a tracker that
//! moves each transfer hop by hop.
//!
//! It has no clock: every call passes the time.

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
