//! The state machine: no tokio, no terminal, no clock but the `now` it is given.

mod effect;
mod event;

pub use effect::{Effects, HostEffect};
pub use event::{Event, Hit};

use crate::{
    config::{Keymap, Network},
    domain::Timestamp,
};
use std::time::Duration;

/// What the explorer starts with.
#[derive(Debug)]
pub struct AppOptions {
    /// What it is pointed at.
    pub network: Network,
    /// The user's keys.
    pub keymap: Keymap,
    /// Things to tell the user at once: bad lines of files and so on.
    pub warnings: Vec<String>,
    /// Where the log goes, for the help screen.
    pub log_file: Option<String>,
}

/// The whole state of the explorer.
#[derive(Debug)]
pub struct App {}

impl App {
    /// The first state, and what is to be done at once. `size` is columns and rows.
    pub fn new(options: AppOptions, size: (u16, u16), now: Timestamp) -> (Self, Effects) {
        let _ = (options, size, now);
        (Self {}, Effects::default())
    }

    /// The only place where state changes. Does no IO; returns what is to be done.
    pub fn update(&mut self, event: Event, now: Timestamp) -> Effects {
        let _ = (event, now);
        Effects::default()
    }

    /// After how long the state wants an [`Event::Tick`]; `None` when nothing on screen moves by itself.
    pub fn next_tick(&self, now: Timestamp) -> Option<Duration> {
        let _ = now;
        None
    }
}
