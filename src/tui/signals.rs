use std::{io, process::ExitCode};

use futures_util::stream::{self, Stream};
use rustix::process::{self, Signal as Number};
use tokio::signal::unix::{SignalKind, signal};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    End(EndSignal),
    /// Stop until continued: SIGTSTP.
    Suspend,
    /// Continue after a stop: SIGCONT.
    Continue,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndSignal {
    Interrupt,
    Terminate,
    /// SIGHUP: the terminal is gone.
    HangUp,
}

impl EndSignal {
    /// Returns the shell's exit code: 128 plus the signal's number.
    pub fn exit_code(self) -> ExitCode {
        ExitCode::from(match self {
            Self::Interrupt => 130,
            Self::Terminate => 143,
            Self::HangUp => 129,
        })
    }
}

/// Catches the signals. Must be called inside the runtime, before the terminal is entered.
pub(super) fn listen() -> io::Result<impl Stream<Item = Signal> + Unpin> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    let mut suspend = signal(SignalKind::from_raw(Number::TSTP.as_raw()))?;
    let mut resume = signal(SignalKind::from_raw(Number::CONT.as_raw()))?;
    Ok(stream::poll_fn(move |context| {
        // Ends first; a continuation before a suspension, so that an old one cannot end a new stop at once.
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

/// Requests a stop like Ctrl-Z in a cooked terminal: every process of the group gets SIGTSTP, and this one handles it
/// as [`Signal::Suspend`]. A shell sees its whole job stop, `cargo run` included.
pub(super) fn ask_to_suspend() -> Result<(), String> {
    let is_session_leader = process::getsid(None).is_ok_and(|session| session == process::getpid());
    if is_session_leader {
        return Err("there is no shell to return to".to_owned());
    }
    process::kill_current_process_group(Number::TSTP).map_err(|error| format!("cannot suspend the explorer: {error}"))
}

/// Stops this process until SIGCONT. It may still run for a moment after the call: wait for [`Signal::Continue`].
pub(super) fn stop() {
    if let Err(error) = process::kill_process(process::getpid(), Number::STOP) {
        tracing::error!(%error, "cannot suspend the process");
    }
}
