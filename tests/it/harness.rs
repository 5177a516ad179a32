//! harness.

pub(crate) mod replay;
