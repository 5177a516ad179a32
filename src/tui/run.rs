use std::{num::NonZeroU8, time::Duration};

use color_eyre::eyre::{self, WrapErr};
use crossterm::event::EventStream;
use tokio::runtime;

use super::{
    background::BackgroundQuery,
    event_loop::{Session, SessionEnd, Sources, Start, WallClock},
    guard::{TerminalGuard, has_terminal},
    host::TerminalHost,
    panics,
    screen::TerminalScreen,
    signals,
    tour::Tour,
};
use crate::{
    app::{App, AppOptions},
    config::Styles,
    domain::Timestamp,
};

/// Maximum wait for the worker's unfinished work on exit.
const GRACE: Duration = Duration::from_millis(200);

pub struct RunOptions {
    pub app: AppOptions,
    pub styles: Styles,
    /// Styles by the terminal's background, which the explorer then asks for.
    pub background: Option<BackgroundQuery>,
    /// Whether the explorer receives clicks and the wheel; if false, the terminal uses them for text selection.
    pub mouse: bool,
    /// Speed of a guided tour to play; `None` for none.
    pub tour: Option<NonZeroU8>,
    /// Starts the worker after the first frame.
    pub start: Start,
}

impl std::fmt::Debug for RunOptions {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("RunOptions").field("app", &self.app).finish_non_exhaustive()
    }
}

/// Runs the explorer on the terminal of standard input and output, and returns the reason of its end. Restores the
/// terminal on return, also with an error. After this call, every panic ends the process with status 1. Standard output
/// must be a terminal: see [`has_terminal`].
pub fn run(options: RunOptions) -> eyre::Result<SessionEnd> {
    eyre::ensure!(has_terminal(), "the explorer needs a terminal; scripts use the commands in --help");
    panics::install();
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .wrap_err("cannot start the runtime")?;
    let end = runtime.block_on(explore(options));
    runtime.shutdown_timeout(GRACE);
    end
}

async fn explore(options: RunOptions) -> eyre::Result<SessionEnd> {
    let signals = signals::listen().wrap_err("cannot receive signals")?;
    let guard = TerminalGuard::enter(options.mouse).wrap_err("cannot use the terminal")?;
    let screen = TerminalScreen::new(guard, painter(&options.styles)).wrap_err("cannot draw on the terminal")?;
    let size = crossterm::terminal::size().wrap_err("the terminal does not report its size")?;
    let folder = options.app.folder.clone();
    let now = Timestamp::now();
    let (app, effects) = App::new(options.app, size, now);
    let tour = Tour::new(app, options.tour, now);
    let session = Session::new(tour, options.styles, screen, TerminalHost::new(folder), WallClock)
        .with_background(options.background);
    let sources = Sources::new(input(), signals, options.start);
    Ok(session.run(effects, sources).await?)
}

#[cfg(not(feature = "images"))]
fn painter(_styles: &Styles) -> super::painter::HalfBlocks {
    super::painter::HalfBlocks
}

/// Returns the terminal's best graphics; `None` without colours. Queries the terminal, so no other code may read from
/// it yet.
#[cfg(feature = "images")]
fn painter(styles: &Styles) -> Option<super::images::Images> {
    let wants_any = styles.picture_colors() != crate::config::PictureColors::None;
    wants_any.then(super::images::ask).flatten().map(super::images::Images::new)
}

#[cfg(not(debug_assertions))]
fn input() -> EventStream {
    EventStream::new()
}

/// Returns the terminal's events. In debug builds, the key in `ROLLSCOPE_TEST_PANIC` makes a background task panic: a
/// test checks that the terminal is restored.
#[cfg(debug_assertions)]
#[expect(clippy::panic, reason = "lets a test check that the terminal is restored")]
fn input() -> impl futures_util::Stream<Item = std::io::Result<crossterm::event::Event>> + Unpin {
    use futures_util::StreamExt;

    let key: Option<crate::config::Key> = std::env::var("ROLLSCOPE_TEST_PANIC").ok().and_then(|name| name.parse().ok());
    EventStream::new().inspect(move |event| {
        let pressed = match event {
            Ok(crossterm::event::Event::Key(event)) => super::input::translate_key(*event),
            _ => None,
        };
        if key.is_some() && pressed == key {
            tokio::spawn(async { panic!("ROLLSCOPE_TEST_PANIC is set") });
        }
    })
}
