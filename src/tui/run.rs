use std::{
    convert::Infallible, future, io, num::NonZeroU8, path::PathBuf, pin::Pin, thread::JoinHandle, time::Duration,
};

use color_eyre::eyre::{self, WrapErr};
use crossterm::event::{Event as TerminalEvent, EventStream};
use futures_util::Stream;
use tokio::runtime::{self, Runtime};

use super::{
    background::BackgroundQuery,
    event_loop::{
        Clock as _, EndedSession, LeftProgram, Session, SessionEnd, Sources, Start, StartedProgram, WallClock,
    },
    guard::{TerminalGuard, has_terminal},
    host::TerminalHost,
    kept::{KeptEntry, KeptLimits, KeptNetworks},
    panics,
    screen::TerminalScreen,
    signals,
    tour::Tour,
};
use crate::{
    app::{App, AppOptions, Event, KeptName},
    config::{DEMO, NetworkChoice, Styles},
    domain::SteadyClock,
};

/// Maximum wait for unfinished work on exit.
const GRACE: Duration = Duration::from_millis(200);

pub struct RunOptions {
    pub network: ShownNetwork,
    pub opening: NetworkOpening,
    /// Folder to which the explorer writes files.
    pub folder: PathBuf,
    pub styles: Styles,
    /// Styles by the terminal's background, which the explorer then asks for.
    pub background: Option<BackgroundQuery>,
    /// Whether the explorer receives clicks and the wheel; if false, the terminal uses them for text selection.
    pub mouse: bool,
}

/// Network by the text with which the user chose it.
#[derive(Clone, Debug)]
pub struct ShownNetwork {
    pub name: String,
    pub choice: NetworkChoice,
}

pub enum NetworkOpening {
    New {
        app: Box<AppOptions>,
        /// Speed of a guided tour to play; `None` for none.
        tour: Option<NonZeroU8>,
        /// Starts the worker after the first frame.
        start: Start,
    },
    /// Continues with these warnings.
    Kept(Box<KeptNetwork>, Vec<String>),
}

impl std::fmt::Debug for RunOptions {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("RunOptions").field("network", &self.network).finish_non_exhaustive()
    }
}

/// Network that the user left: its program, its worker, and the chain that this process serves for it.
#[derive(Debug)]
pub struct KeptNetwork {
    choice: NetworkChoice,
    left: LeftProgram<Tour<App>>,
}

/// Sessions of the explorer, one at a time, with the networks that they left.
pub struct NetworkSessions {
    runtime: Runtime,
    /// Input of all sessions. A stream that is dropped makes crossterm forget input that comes at that moment.
    input: Option<TerminalInput>,
    kept: KeptNetworks<KeptNetwork>,
    /// Threads that end workers. A worker may write for seconds, and the terminal must not wait for it.
    closing: Vec<JoinHandle<()>>,
}

type TerminalInput = Pin<Box<dyn Stream<Item = io::Result<TerminalEvent>>>>;

impl std::fmt::Debug for NetworkSessions {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("NetworkSessions").field("kept", &self.kept).finish_non_exhaustive()
    }
}

impl NetworkSessions {
    pub fn new(limits: KeptLimits) -> eyre::Result<Self> {
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .wrap_err("cannot start the runtime")?;
        Ok(Self { runtime, input: None, kept: KeptNetworks::new(limits), closing: Vec::new() })
    }

    /// Runs the explorer on the terminal of standard input and output, and returns the reason of its end. Restores the
    /// terminal on return, also with an error. Keeps the network if the user chose another one. After this call, every
    /// panic ends the process with status 1. Standard output must be a terminal: see [`has_terminal`].
    pub fn run(&mut self, options: RunOptions) -> eyre::Result<SessionEnd> {
        eyre::ensure!(has_terminal(), "the explorer needs a terminal; scripts use the commands in --help");
        panics::install();
        self.close_surplus();
        let ShownNetwork { name, choice } = options.network.clone();
        let Self { runtime, input, kept, closing } = self;
        let EndedSession { end, left } = runtime.block_on(explore(options, input, kept, closing))?;
        if let (SessionEnd::Switch(_), Some(left)) = (&end, left) {
            self.kept.keep(name, KeptNetwork { choice, left }, WallClock.elapsed());
        }
        Ok(end)
    }

    /// Returns the network that a text named when it was left.
    pub fn kept_choice(&self, name: &str) -> Option<NetworkChoice> {
        let kept = self.kept.all().iter().find(|kept| kept.name == name)?;
        Some(kept.network.choice.clone())
    }

    /// Takes a kept network. Without one, ends networks that are closing, so that it can be opened again.
    pub fn take(&mut self, choice: &NetworkChoice) -> Option<Box<KeptNetwork>> {
        let kept = self.kept.take(WallClock.elapsed(), |kept| kept.choice == *choice);
        if kept.is_none() {
            self.close_surplus();
            join(&mut self.closing);
        }
        kept.map(Box::new)
    }

    /// Ends all networks, and waits until their workers have written everything.
    pub fn close(mut self) {
        let Self { kept, closing, .. } = &mut self;
        close(kept.take_surplus(Duration::MAX), closing);
        join(closing);
        self.runtime.shutdown_timeout(GRACE);
    }

    fn close_surplus(&mut self) {
        close(self.kept.take_surplus(WallClock.elapsed()), &mut self.closing);
    }
}

fn join(closing: &mut Vec<JoinHandle<()>>) {
    // The panic hook has reported a panic.
    closing.drain(..).for_each(|thread| drop(thread.join()));
}

/// Ends networks, each on a thread of its own.
fn close(networks: Vec<KeptNetwork>, closing: &mut Vec<JoinHandle<()>>) {
    closing.retain(|thread| !thread.is_finished());
    for KeptNetwork { left, .. } in networks {
        let worker = left.into_worker();
        match std::thread::Builder::new().name("close".to_owned()).spawn(move || drop(worker)) {
            Ok(thread) => closing.push(thread),
            // The failed call has dropped the worker.
            Err(error) => tracing::warn!(%error, "cannot start a thread that ends a network"),
        }
    }
}

/// Runs one session, and meanwhile ends the kept networks whose time is over.
async fn explore(
    options: RunOptions,
    input: &mut Option<TerminalInput>,
    kept: &mut KeptNetworks<KeptNetwork>,
    closing: &mut Vec<JoinHandle<()>>,
) -> eyre::Result<EndedSession<Tour<App>>> {
    let signals = signals::listen().wrap_err("cannot receive signals")?;
    let guard = TerminalGuard::enter(options.mouse).wrap_err("cannot use the terminal")?;
    let screen = TerminalScreen::new(guard, painter(&options.styles)).wrap_err("cannot draw on the terminal")?;
    let size = crossterm::terminal::size().wrap_err("the terminal does not report its size")?;
    let names = names_of(kept);
    let started = match options.opening {
        NetworkOpening::New { mut app, tour, start } => {
            let (now, elapsed) = (WallClock.now(), WallClock.elapsed());
            app.kept = names;
            let (app, effects) = App::new(*app, size, now);
            let program = Tour::new(app, tour, now);
            StartedProgram { program, effects, start, steady: SteadyClock::new(now, elapsed) }
        }
        NetworkOpening::Kept(network, warnings) => {
            network.left.resume(Event::Return { size, kept: names, warnings }, &WallClock).await?
        }
    };
    let session = Session::new(started.program, options.styles, screen, TerminalHost::new(options.folder), WallClock)
        .with_background(options.background)
        .with_clock(started.steady);
    // Not before the terminal has answered about its graphics.
    let input = input.get_or_insert_with(|| Box::pin(events()));
    let sources = Sources::new(input, signals, started.start);
    tokio::select! {
        biased;
        ended = session.run(started.effects, sources) => Ok(ended?),
        never = close_in_time(kept, closing) => match never {},
    }
}

/// Ends each kept network when its time is over.
async fn close_in_time(kept: &mut KeptNetworks<KeptNetwork>, closing: &mut Vec<JoinHandle<()>>) -> Infallible {
    loop {
        match kept.next_end(WallClock.elapsed()) {
            Some(left) => WallClock.sleep(left).await,
            None => future::pending().await,
        }
        close(kept.take_surplus(WallClock.elapsed()), closing);
    }
}

fn names_of(kept: &KeptNetworks<KeptNetwork>) -> Vec<KeptName> {
    let elapsed = WallClock.elapsed();
    let name = |KeptEntry { name, network, until }: &KeptEntry<KeptNetwork>| KeptName {
        label: match &network.choice {
            NetworkChoice::Embedded => DEMO.to_owned(),
            NetworkChoice::Network(network) | NetworkChoice::Node(network) => network.name.clone(),
        },
        name: name.clone(),
        until: WallClock.now().after(until.saturating_sub(elapsed)),
        transfers: network.left.program.program().context.transfers.live(),
    };
    kept.all().iter().map(name).collect()
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
fn events() -> EventStream {
    EventStream::new()
}

/// Returns the terminal's events. In debug builds, the key in `ROLLSCOPE_TEST_PANIC` makes a background task panic: a
/// test checks that the terminal is restored.
#[cfg(debug_assertions)]
#[expect(clippy::panic, reason = "lets a test check that the terminal is restored")]
fn events() -> impl Stream<Item = io::Result<TerminalEvent>> + Unpin {
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
