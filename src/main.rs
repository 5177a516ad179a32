//! The `rollscope` binary; all code is in the library.

use std::{env, process::ExitCode};

use rollscope::cli::{self, CommandError};

/// An index allocates a great deal: glibc's allocator took a fifth of the time to the first rows. Without huge pages,
/// which took 26 MiB more and six tenths of the processor's time of a start to clear.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if let Err(report) = color_eyre::install() {
        cli::complain(&report);
    }
    match cli::parse(env::args_os()).and_then(cli::run) {
        Ok(code) => code,
        Err(failure) => {
            if !matches!(failure, CommandError::BrokenPipe) {
                cli::complain(&failure);
            }
            failure.status().into()
        }
    }
}
