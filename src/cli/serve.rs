use std::{
    io::{self, IsTerminal as _},
    time::Duration,
};

use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    time::interval,
};

use super::{
    CommandError,
    arguments::ServeArguments,
    generated_docs,
    rollup::{self, Files},
};
use crate::demo::Rollup;

/// How often it is looked whether the rollup still runs.
const WATCH: Duration = Duration::from_secs(1);

/// Serves the embedded rollup until SIGINT or SIGTERM; its address is the first line of standard output, and comes when
/// its history is indexed.
pub(super) fn run(arguments: ServeArguments) -> Result<(), CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CommandError::failed)?;
    runtime.block_on(async {
        // Listened for before the address is out, so that whoever reads it may end the server at once.
        let (mut interrupt, mut terminate) = (listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?);
        let files = Files { data: arguments.data, journal: None };
        let rollup = rollup::start(&arguments.rollup, files, arguments.listen)?;
        if io::stderr().is_terminal() {
            eprintln!("indexing the history; the address follows");
        }
        // Whoever reads the address finds all of the history behind it.
        tokio::select! {
            settled = rollup.indexed() => settled.map_err(CommandError::failed)?,
            _ = interrupt.recv() => return Ok(()),
            _ = terminate.recv() => return Ok(()),
        }
        match generated_docs::print(&format!("{}\n", rollup.url())) {
            // Nobody needs to read the address for the server to be of use.
            Ok(()) | Err(CommandError::BrokenPipe) => {}
            Err(failure) => return Err(failure),
        }
        tokio::select! {
            _ = interrupt.recv() => Ok(()),
            _ = terminate.recv() => Ok(()),
            failure = failed(&rollup) => Err(CommandError::Failed(failure)),
        }
    })
}

/// Comes back, with the reason, when the rollup cannot go on.
async fn failed(rollup: &Rollup) -> String {
    let mut watch = interval(WATCH);
    loop {
        watch.tick().await;
        if let Some(failure) = rollup.failure() {
            return failure;
        }
    }
}

fn listen(kind: SignalKind) -> Result<Signal, CommandError> {
    signal(kind).map_err(CommandError::failed)
}
