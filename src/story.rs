//! What a transaction means.
