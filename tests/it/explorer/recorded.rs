//! recorded
