use std::{panic, process};

use super::guard;

/// Makes every panic, in whatever thread or task, end the process with status 1 after the terminal was given back and
/// the panic was logged. The hook that was there before prints it.
///
/// A task that dies alone would leave the explorer running without the half that the task was.
pub(super) fn install() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        guard::give_back();
        tracing::error!("{info}");
        print(info);
        process::exit(1);
    }));
}
