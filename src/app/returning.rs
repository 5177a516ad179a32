//! The return to a network that the user left.

use super::{App, kept_name::KeptName, page::PageEvent};
use crate::msg::Report;

/// Shows what was there, and requests what is new unless the screen is frozen.
pub(super) fn come_back(app: &mut App, kept: Vec<KeptName>, warnings: Vec<String>) {
    app.context.kept_networks = kept;
    app.needs_redraw = true;
    for warning in warnings {
        app.take_report(Report::Warning(warning));
    }
    // Another network may be the same chain by another name.
    app.fetch_kept();
    if !app.context.frozen {
        let now = app.context.now;
        app.context.chain.make_due(now);
        app.catch_up();
        app.notify_page(PageEvent::Refresh);
    }
}
