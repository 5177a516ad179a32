//! The embedded router.

mod graph;
