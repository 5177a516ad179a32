//! The `rollscope` binary; all code is in the library.

use std::{env, process::ExitCode};

use rollscope::cli::{self, CommandError};

fn main() -> ExitCode {
    if let Err(report) = color_eyre::install() {
        eprintln!("rollscope: {report}");
    }
    match cli::parse(env::args_os()).and_then(cli::run) {
        Ok(code) => code,
        Err(failure) => {
            if !matches!(failure, CommandError::BrokenPipe) {
                eprintln!("rollscope: {failure}");
            }
            failure.status().into()
        }
    }
}
