//! The embedded router.

mod graph;
mod tracker;
