//! Writes the rows of a list to a file: the loaded rows at once, a whole list through the worker.

use super::{
    App,
    modal::{ExportDialog, ExportState, ExportStep, Modal},
    page::Export,
};
use crate::{
    domain::{WrittenRows, mask_addresses, rows_text, text},
    msg::{Slot, Ticket, Total, ask},
};

/// Opens the export dialog of the page's list, or the menu of its files.
pub(super) fn open(app: &mut App) {
    let offer = app.navigation.current().take_away(&app.context);
    let list = offer.into_list().map(|(list, _)| list);
    match list {
        Some(list) => {
            let dialog = ExportDialog::new(list, app.context.folder.clone());
            app.open_modal(Modal::ExportRows(Box::new(dialog)));
        }
        None => app.open_export_menu(),
    }
}

pub(super) fn run(app: &mut App, step: ExportStep) {
    match step {
        ExportStep::Close => app.close_modal(),
        ExportStep::Cancel => {
            app.close_modal();
            app.toasts.refuse("export cancelled: no file was written");
        }
        ExportStep::Loaded { path, format, is_masked } => {
            app.close_modal();
            let offer = app.navigation.current().take_away(&app.context);
            let Some((list, make)) = offer.into_list() else { return };
            let text = make(format);
            let contents = if is_masked { mask_addresses(&text) } else { text };
            let note = Some(list.loaded_note());
            app.write(vec![Export { name: path, contents, note, is_masked }]);
        }
        ExportStep::List(request, file) => {
            app.requests.fetch(Slot::Export, ask::export(*request, file), |app, result| {
                finish(app, result.unwrap_or_else(|error| Err(error.brief())));
            });
        }
    }
}

/// Takes the number of rows written so far.
pub(super) fn take_progress(app: &mut App, ticket: &Ticket, rows: u64, total: Total) {
    if let Some(Modal::ExportRows(dialog)) = &mut app.modal
        && app.requests.is_current(ticket)
    {
        dialog.state = ExportState::Writing(rows, total);
        app.needs_redraw = true;
    }
}

/// Tells the end of an export. The dialog, if nothing else was opened meanwhile, stays for a failure, and for notes
/// about the list.
fn finish(app: &mut App, end: Result<WrittenRows, String>) {
    app.needs_redraw = true;
    match (end, &mut app.modal) {
        (Ok(written), Some(Modal::ExportRows(dialog))) if !written.notes.is_empty() => {
            dialog.state = ExportState::Done(written);
        }
        (Err(reason), Some(Modal::ExportRows(dialog))) => dialog.state = ExportState::Failed(reason),
        (Err(reason), _) => app.toasts.complain(reason),
        (Ok(written), modal) => {
            modal.take_if(|modal| matches!(modal, Modal::ExportRows(_)));
            let path = text::clean(&written.path.display().to_string()).into_owned();
            app.toasts.done(format!("{} · saved {path}", rows_text(written.rows)));
        }
    }
}
