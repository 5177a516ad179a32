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

/// Listens for the signals. Call it inside the runtime, before the guard takes the terminal.
pub(super) fn listen() -> io::Result<impl Stream<Item = Signal> + Unpin> {
    // End signals first; a continuation before a suspension, so that an old continuation cannot end a new stop.
    let ends = EndSignal::ALL.map(|end| (end.number(), Signal::End(end)));
    let stops = [(Number::CONT, Signal::Continue), (Number::TSTP, Signal::Suspend)];
    let listen = |(number, meaning): (Number, Signal)| Ok((signal(SignalKind::from_raw(number.as_raw()))?, meaning));
    let mut sources = ends.into_iter().chain(stops).map(listen).collect::<io::Result<Vec<_>>>()?;
    Ok(stream::poll_fn(move |context| {
        let received =
            sources.iter_mut().find_map(|(source, meaning)| source.poll_recv(context).is_ready().then_some(*meaning));
        received.map_or(std::task::Poll::Pending, |meaning| std::task::Poll::Ready(Some(meaning)))
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
