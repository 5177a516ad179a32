use std::{
    io,
    process::ExitCode,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::Poll,
};

use futures_util::stream::{self, Stream};
use rustix::process::{self, Signal as Number};
use signal_hook::flag;
use tokio::signal::unix::{SignalKind, signal};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    End(EndSignal),
    /// SIGTSTP: stop until continued.
    Suspend,
    /// SIGCONT: continue after a stop.
    Continue,
}

/// Signal that ends the program. The default action of each would leave the terminal in raw mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndSignal {
    /// SIGHUP: the terminal closed.
    HangUp,
    Terminate,
    Interrupt,
    Quit,
    Abort,
    Alarm,
    User1,
    User2,
}

impl EndSignal {
    const ALL: [Self; 8] = [
        Self::HangUp,
        Self::Terminate,
        Self::Interrupt,
        Self::Quit,
        Self::Abort,
        Self::Alarm,
        Self::User1,
        Self::User2,
    ];

    fn number(self) -> Number {
        match self {
            Self::HangUp => Number::HUP,
            Self::Terminate => Number::TERM,
            Self::Interrupt => Number::INT,
            Self::Quit => Number::QUIT,
            Self::Abort => Number::ABORT,
            Self::Alarm => Number::ALARM,
            Self::User1 => Number::USR1,
            Self::User2 => Number::USR2,
        }
    }

    /// Returns the exit code that shells expect: 128 plus the signal's number.
    pub fn exit_code(self) -> ExitCode {
        ExitCode::from(u8::try_from(128 + self.number().as_raw()).unwrap_or(u8::MAX))
    }
}

/// Number of the latest SIGTSTP or SIGCONT; zero before the first. The handlers write it, since the streams do not tell
/// which of two signals came first.
static LATEST: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);
/// Whether SIGCONT came since the stream last reported one. Its handler may interrupt that of SIGTSTP before the latter
/// has written its number, so that [`LATEST`] alone would leave the process stopped.
static CONTINUED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Whether no session handles the end signals.
static WITHOUT_SESSION: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Gives the end signals their default action until the next session listens: tokio's handlers stay, and nobody would
/// hear them. The terminal must be restored.
pub fn end_without_session() -> io::Result<()> {
    static IS_REGISTERED: AtomicBool = AtomicBool::new(false);
    WITHOUT_SESSION.store(true, Ordering::SeqCst);
    if !IS_REGISTERED.swap(true, Ordering::SeqCst) {
        for end in EndSignal::ALL {
            flag::register_conditional_default(end.number().as_raw(), Arc::clone(&WITHOUT_SESSION))?;
        }
    }
    Ok(())
}

fn number_of(signal: Number) -> usize {
    usize::try_from(signal.as_raw()).unwrap_or_default()
}

/// Whether SIGCONT came after the latest SIGTSTP, or may have come after it.
fn is_continued() -> bool {
    LATEST.load(Ordering::SeqCst) == number_of(Number::CONT) || CONTINUED.load(Ordering::SeqCst)
}

/// Listens for the signals. Call it inside the runtime, before the guard takes the terminal.
pub(super) fn listen() -> io::Result<impl Stream<Item = Signal> + Unpin> {
    static IS_REGISTERED: AtomicBool = AtomicBool::new(false);
    WITHOUT_SESSION.store(false, Ordering::SeqCst);
    // Handlers stay registered for later sessions. Before tokio's handlers, which wake the stream.
    if !IS_REGISTERED.swap(true, Ordering::SeqCst) {
        for number in [Number::TSTP, Number::CONT] {
            flag::register_usize(number.as_raw(), Arc::clone(&LATEST), number_of(number))?;
        }
        flag::register(Number::CONT.as_raw(), Arc::clone(&CONTINUED))?;
    }
    // End signals first.
    let ends = EndSignal::ALL.map(|end| (end.number(), Some(end)));
    let stops = [Number::CONT, Number::TSTP].map(|number| (number, None));
    let listen = |(number, end): (Number, Option<EndSignal>)| Ok((signal(SignalKind::from_raw(number.as_raw()))?, end));
    let mut sources = ends.into_iter().chain(stops).map(listen).collect::<io::Result<Vec<_>>>()?;
    Ok(stream::poll_fn(move |context| {
        let received =
            sources.iter_mut().find_map(|(source, end)| source.poll_recv(context).is_ready().then_some(*end));
        received.map_or(Poll::Pending, |end| Poll::Ready(Some(end.map_or_else(stop_or_continue, Signal::End))))
    }))
}

/// Returns the later of SIGTSTP and SIGCONT; in doubt, the process continues.
fn stop_or_continue() -> Signal {
    if CONTINUED.swap(false, Ordering::SeqCst) {
        LATEST.store(number_of(Number::CONT), Ordering::SeqCst);
    }
    if is_continued() { Signal::Continue } else { Signal::Suspend }
}

/// Requests a stop as Ctrl-Z does in a cooked terminal: every process of the group gets SIGTSTP, and this process
/// handles it as [`Signal::Suspend`]. The shell sees its whole job stop, including `cargo run`.
pub(super) fn ask_to_suspend() -> Result<(), String> {
    let is_session_leader = process::getsid(None).is_ok_and(|session| session == process::getpid());
    if is_session_leader {
        return Err("cannot suspend: the explorer has no parent shell".to_owned());
    }
    process::kill_current_process_group(Number::TSTP).map_err(|error| format!("cannot suspend the explorer: {error}"))
}

/// Stops this process until SIGCONT, unless SIGCONT came while the terminal was given back: no other one would follow.
/// The process may run for a moment after the call: wait for [`Signal::Continue`].
pub(super) fn stop() {
    // The last call before the check: the kernel runs the handlers of pending signals when it returns.
    let own = process::getpid();
    if is_continued() {
        return;
    }
    if let Err(error) = process::kill_process(own, Number::STOP) {
        tracing::error!(%error, "cannot suspend the process");
    }
}
