//! The program of one's own that is given the outcome of a transfer.

use std::{
    io::{self, Write as _},
    os::unix::process::CommandExt as _,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::domain::text;

/// Between two looks whether it has ended.
const PACE: Duration = Duration::from_millis(10);
/// Columns of its name in a sentence.
const NAME: usize = 60;

/// A program that is given the outcome of a transfer on its standard input. It is started as it is, by no shell; what it
/// writes goes nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeProgram {
    /// Its path, or its name in one of the folders of `PATH`.
    pub program: String,
    /// What it is started with.
    pub arguments: Vec<String>,
    /// How long it may run; then it is killed, with what it started itself.
    pub limit: Duration,
}

/// Why the outcome of a transfer was not taken by the program.
#[derive(Debug, thiserror::Error)]
pub enum OutcomeProgramError {
    /// It is not there, or no program.
    #[error("on_end: {name} cannot be started: {source}; check on_end in the settings file")]
    Start {
        /// As the settings have it, cleaned.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// It said that it failed.
    #[error("on_end: {name} failed: {status}")]
    Failed {
        /// As the settings have it, cleaned.
        name: String,
        /// With what it ended.
        status: ExitStatus,
    },
    /// It ran for too long, and was killed.
    #[error("on_end: {name} was killed: it was to end within {limit:?}")]
    Late {
        /// As the settings have it, cleaned.
        name: String,
        /// How long it might run.
        limit: Duration,
    },
}

impl OutcomeProgram {
    /// Starts it, with the facts on their way to it.
    pub fn start(&self, facts: &str) -> Result<RunningProgram<'_>, OutcomeProgramError> {
        let started = Command::new(&self.program)
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // A group of its own: what it starts ends with it, and a Ctrl-C of the terminal is not for it.
            .process_group(0)
            .spawn();
        let mut child = started.map_err(|source| self.unstarted(source))?;
        feed(&mut child, facts.to_owned());
        Ok(RunningProgram { program: self, child })
    }

    fn name(&self) -> String {
        text::clip(&self.program, NAME)
    }

    fn unstarted(&self, source: io::Error) -> OutcomeProgramError {
        OutcomeProgramError::Start { name: self.name(), source }
    }
}

/// The program while it runs.
#[derive(Debug)]
pub struct RunningProgram<'a> {
    program: &'a OutcomeProgram,
    child: Child,
}

impl RunningProgram<'_> {
    /// Waits until it has ended, or its time is over. Blocks.
    pub fn wait(mut self) -> Result<(), OutcomeProgramError> {
        let program = self.program;
        match self.end() {
            Ok(Some(status)) if status.success() => Ok(()),
            Ok(Some(status)) => Err(OutcomeProgramError::Failed { name: program.name(), status }),
            Ok(None) => Err(OutcomeProgramError::Late { name: program.name(), limit: program.limit }),
            Err(source) => Err(program.unstarted(source)),
        }
    }

    /// How it ended; `None` where it was killed after its time.
    fn end(&mut self) -> io::Result<Option<ExitStatus>> {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(Some(status));
            }
            if begun.elapsed() >= self.program.limit {
                // It was not waited for yet, so that the group is still its own.
                if kill_process_group(Pid::from_child(&self.child), Signal::KILL).is_err() {
                    self.child.kill()?;
                }
                self.child.wait()?;
                return Ok(None);
            }
            thread::sleep(PACE);
        }
    }
}

/// Writes the facts beside it: a program need not read them.
fn feed(child: &mut Child, facts: String) {
    let Some(mut input) = child.stdin.take() else { return };
    let write = move || {
        // One that has ended, or closed its input, has read enough.
        let _ = input.write_all(facts.as_bytes()).and_then(|()| input.write_all(b"\n"));
    };
    if let Err(error) = thread::Builder::new().name("on_end".to_owned()).spawn(write) {
        tracing::warn!("on_end gets no facts: {error}");
    }
}
