//! Movements to and from other chains: bridge lines, and the stage of a withdrawal.

pub(super) mod bridge;
pub(super) mod withdrawal;
