//! rollscope: the terminal explorer of Initia rollups and of the transfers that enter and leave them.
//!
//! The binary is thin; everything lives here, in modules whose dependencies run one way only:
//!
//! ```text
//! domain <- wire <- msg                     wire, msg <- client       msg, client, store, signing <- worker
//! domain, wire <- signing <- story, msg                  wire, story, config <- columns
//! domain, wire <- store, indexer <- demo
//! files <- store, demo, cli                 nothing but the system below it
//! msg, client, indexer <- check             an indexer's answers held against its chain's node
//! msg, config <- widgets                    widgets, columns <- app <- panes <- pages <- ui <- tui (worker)
//! everything <- cli <- main
//! ```
//!
//! `signing` makes what a wallet signs and checks what it signed; it has no keys and asks nobody.
//! `app` is the session, a pure state machine; a screen is a page, which lies in a folder of `pages` with all of it;
//! `panes` is what several pages share. `worker` and `tui` do (requests, terminal), `ui` draws what is around the page.
//! `indexer` is the index and the HTTP API over it, `demo` the embedded rollup that feeds it: they know nothing of the
//! explorer and are reached over HTTP only.
//! `tests/it/architecture.rs` fails on an arrow that is not in this picture.

pub mod app;
pub mod check;
pub mod cli;
pub mod client;
pub mod columns;
pub mod config;
pub mod demo;
pub mod domain;
pub mod files;
pub mod indexer;
pub mod msg;
pub mod pages;
pub mod panes;
pub mod signing;
pub mod store;
pub mod story;
pub mod tui;
pub mod ui;
pub mod widgets;
pub mod wire;
pub mod worker;
