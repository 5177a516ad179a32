//! All tests, one module per concern.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where it meets what cannot be"
)]

mod analysts;
mod architecture;
mod blanks;
mod cli;
mod client;
mod commands;
mod config;
mod documents;
mod explorer;
mod following;
mod harness;
mod ledger;
mod omnibox;
mod pictures;
mod postgres;
mod proof;
mod properties;
mod pty;
mod router;
mod server;
mod signing;
mod signing_page;
mod snapshots;
mod store;
mod story;
mod transfer;
mod tui;
mod wire;
mod worker;
