use std::{io, process::ExitCode};

use futures_util::stream::{self, Stream};
use rustix::process::{self, Signal as Number};
use tokio::signal::unix::{SignalKind, signal};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    End(EndSignal),
    /// SIGTSTP: stop until continued.
    Suspend,
    /// SIGCONT: continue after a stop.
    Continue,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndSignal {
    Interrupt,
    Terminate,
    /// SIGHUP: the terminal closed.
    HangUp,
}

impl EndSignal {
    /// Returns the exit code that shells expect: 128 plus the signal's number.
    pub fn exit_code(self) -> ExitCode {
        ExitCode::from(match self {
            Self::Interrupt => 130,
            Self::Terminate => 143,
            Self::HangUp => 129,
        })
    }
}

/// Listens for the signals. Call it inside the runtime, before the guard takes the terminal.
pub(super) fn listen() -> io::Result<impl Stream<Item = Signal> + Unpin> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    let mut suspend = signal(SignalKind::from_raw(Number::TSTP.as_raw()))?;
    let mut resume = signal(SignalKind::from_raw(Number::CONT.as_raw()))?;
    Ok(stream::poll_fn(move |context| {
        // End signals first; a continuation before a suspension, so that an old continuation cannot end a new stop.
        let sources = [
            (&mut hang_up, Signal::End(EndSignal::HangUp)),
            (&mut terminate, Signal::End(EndSignal::Terminate)),
            (&mut interrupt, Signal::End(EndSignal::Interrupt)),
            (&mut resume, Signal::Continue),
            (&mut suspend, Signal::Suspend),
        ];
        for (source, meaning) in sources {
            if source.poll_recv(context).is_ready() {
                return std::task::Poll::Ready(Some(meaning));
            }
        }
        std::task::Poll::Pending
    }))
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

/// Stops this process until SIGCONT. The process may run for a moment after the call: wait for [`Signal::Continue`].
pub(super) fn stop() {
    if let Err(error) = process::kill_process(process::getpid(), Number::STOP) {
        tracing::error!(%error, "cannot suspend the process");
    }
}
