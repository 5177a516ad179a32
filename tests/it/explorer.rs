//! explorer.
