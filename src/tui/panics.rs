use std::{panic, process, sync::Once};

use super::guard;

/// Makes a panic in any thread or task end the process with status 1, after rollscope restored the terminal and logged
/// the panic. The previous hook prints the panic.
///
/// Otherwise a task could end alone and leave the explorer half working.
pub(super) fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            guard::give_back();
            tracing::error!("{info}");
            print(info);
            process::exit(1);
        }));
    });
}
