//! The imperative shell: terminal guard, event loop, effects.

mod background;
mod clipboard;
mod event_loop;
mod guard;
mod host;
#[cfg(feature = "images")]
mod images;
mod input;
mod kept;
mod painter;
mod panics;
mod run;
mod screen;
mod signals;
mod tour;

pub use background::BackgroundQuery;
pub use clipboard::{CopyError, Multiplexer};
pub use event_loop::{
    Clock, EndedSession, LeftProgram, Program, Screen, Session, SessionEnd, SessionError, Sources, Start, StartError,
    StartedProgram, WallClock, WorkerLink,
};
pub use guard::{TerminalGuard, has_terminal};
pub use host::{Host, Reporter, TerminalHost};
#[cfg(feature = "images")]
pub use images::{Graphics, Images, Protocol};
pub use kept::KeptLimits;
pub use painter::{HalfBlocks, Painter};
pub use run::{KeptNetwork, NetworkOpening, NetworkSessions, RunOptions, ShownNetwork};
pub use screen::TerminalScreen;
pub use signals::{EndSignal, Signal, end_without_session};
pub use tour::Tour;
