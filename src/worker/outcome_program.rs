//! The user's program that receives outcomes of transfers.

use std::{
    io::{self, Write as _},
    os::unix::process::CommandExt as _,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::domain::text;

/// Interval between checks whether the program has ended.
const PACE: Duration = Duration::from_millis(10);
/// Maximum width of the program's name in a sentence, in terminal columns.
const NAME: usize = 60;

/// Program that reads a transfer's outcome from standard input. rollscope starts it without a shell and discards its
/// output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeProgram {
    /// Path of the program, or its name in a directory of `PATH`.
    pub program: String,
    pub arguments: Vec<String>,
    /// Time limit. After it, rollscope kills the program's process group. A child in another group or session goes on,
    /// as does a child of a program that ended.
    pub limit: Duration,
}

/// Reason why the program did not accept an outcome.
#[derive(Debug, thiserror::Error)]
pub enum OutcomeProgramError {
    /// The program is missing or not executable.
    #[error("on_end: cannot start {name}: {source}; check on_end in the settings file")]
    Start {
        /// Program name from the settings, without control characters.
        name: String,
        source: io::Error,
    },
    #[error("on_end: {name} failed: {status}")]
    Failed {
        /// Program name from the settings, without control characters.
        name: String,
        status: ExitStatus,
    },
    /// rollscope killed the program after the time limit.
    #[error("on_end: rollscope killed the process group of {name} after {limit:?}")]
    Late {
        /// Program name from the settings, without control characters.
        name: String,
        limit: Duration,
    },
}

impl OutcomeProgram {
    /// Starts the program and writes the facts to its input.
    pub fn start(&self, facts: &str) -> Result<RunningProgram<'_>, OutcomeProgramError> {
        let started = Command::new(&self.program)
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // A process group of its own: rollscope can kill it as a whole, and the terminal's Ctrl-C does not reach
            // it.
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

#[derive(Debug)]
pub struct RunningProgram<'a> {
    program: &'a OutcomeProgram,
    child: Child,
}

impl RunningProgram<'_> {
    /// Waits until the program ends or the time limit passes. Blocks.
    pub fn wait(mut self) -> Result<(), OutcomeProgramError> {
        let program = self.program;
        match self.end() {
            Ok(Some(status)) if status.success() => Ok(()),
            Ok(Some(status)) => Err(OutcomeProgramError::Failed { name: program.name(), status }),
            Ok(None) => Err(OutcomeProgramError::Late { name: program.name(), limit: program.limit }),
            Err(source) => Err(program.unstarted(source)),
        }
    }

    /// Returns the exit status; `None` if rollscope killed the program after the time limit.
    fn end(&mut self) -> io::Result<Option<ExitStatus>> {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(Some(status));
            }
            if begun.elapsed() >= self.program.limit {
                // The process is not reaped yet, so its group id is still valid.
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

/// Writes the facts on another thread: the program may never read them.
fn feed(child: &mut Child, facts: String) {
    let Some(mut input) = child.stdin.take() else { return };
    let write = move || {
        // A program that ended or closed its input needs no more.
        let _ = input.write_all(facts.as_bytes()).and_then(|()| input.write_all(b"\n"));
    };
    if let Err(error) = thread::Builder::new().name("on_end".to_owned()).spawn(write) {
        tracing::warn!("on_end: cannot encode the outcome: {error}");
    }
}
