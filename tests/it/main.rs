//! All tests, one module per concern.

mod architecture;
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
