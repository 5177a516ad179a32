//! go_to
