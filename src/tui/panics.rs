use std::{panic, process};

use super::guard;

/// Makes a panic in any thread or task end the process with status 1, after the terminal is restored and the panic is
/// logged. The previous hook prints it.
///
/// Otherwise a task could die alone and leave the explorer half working.
pub(super) fn install() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        guard::give_back();
        tracing::error!("{info}");
        print(info);
        process::exit(1);
    }));
}
