//! Terminal explorer of Initia rollups and of the transfers that enter and leave them.
//!
//! The binary is thin; everything is here, in modules whose dependencies have one direction:
//!
//! ```text
//! domain <- wire <- msg                     wire, msg <- client       msg, client, store, signing <- worker
//! domain, wire <- signing <- story, msg                  wire, story, config <- columns
//! wire <- events <- story, indexer          chain events, each classified once
//! domain, wire <- store, indexer <- demo
//! domain, wire <- proof <- demo             what consensus proves of a block; no IO
//! story <- transfers                        one follower of a transfer: session and commands drive it
//! files <- store, demo, cli                 nothing but the system below it
//! msg, client, indexer <- check             an indexer's answers held against its chain's node
//! client, columns <- listing <- worker      lists read to their end, for commands and files
//! msg, config <- widgets                    widgets, columns, transfers <- app <- panes <- pages <- ui <- tui (worker)
//! everything <- cli <- main
//! ```
//!
//! `signing` builds what a wallet signs and verifies the signature; it holds no keys and sends no requests.
//! `app` is the session, a pure state machine. Each page has a folder in `pages`; `panes` holds parts of several pages.
//! `worker` sends requests, `tui` runs the terminal, and `ui` draws the frame around the page.
//! `indexer` is the index with its HTTP API, and `demo` the embedded rollup that feeds it. Neither knows the explorer,
//! which reaches them over HTTP only.
//! `tests/it/architecture.rs` fails on an arrow that is missing here.

/// Writes a line to standard error like the standard macro of this name, but ignores errors: a full disk behind
/// `2>> log` must not end a program.
macro_rules! eprintln {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}

/// Writes to standard error like [`eprintln`], without the end of the line.
macro_rules! eprint {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(std::io::stderr(), $($words)*);
    }};
}

pub mod app;
pub mod check;
pub mod cli;
pub mod client;
pub mod columns;
pub mod config;
pub mod demo;
pub mod domain;
pub mod events;
pub mod files;
pub mod indexer;
pub mod listing;
pub mod msg;
pub mod pages;
pub mod panes;
pub mod proof;
pub mod signing;
pub mod store;
pub mod story;
pub mod transfers;
pub mod tui;
pub mod ui;
pub mod widgets;
pub mod wire;
pub mod worker;
