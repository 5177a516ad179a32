//! The `rollscope` binary; all code is in the library.

use std::{
    env,
    fmt::Display,
    io::{self, Write as _},
    process::ExitCode,
};

use rollscope::cli::{self, CommandError};
use rollscope::domain::text::clean_lines;

/// An index allocates a great deal: glibc's allocator took a fifth of the time to the first rows. Without huge pages,
/// which took 26 MiB more and six tenths of the processor's time of a start to clear.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if let Err(report) = color_eyre::install() {
        complain(&report);
    }
    match cli::parse(env::args_os()).and_then(cli::run) {
        Ok(code) => code,
        Err(failure) => {
            if !matches!(failure, CommandError::BrokenPipe) {
                complain(&failure);
            }
            failure.status().into()
        }
    }
}

/// Writes to standard error and ignores its errors, which must not replace the exit status. Servers wrote parts of it.
fn complain(why: &dyn Display) {
    let _ = writeln!(io::stderr(), "rollscope: {}", clean_lines(&why.to_string()));
}
