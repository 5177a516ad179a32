//! Writes the rows of a list to a file: the loaded rows at once, a whole list through the worker.

use super::{
    App,
    modal::{ExportDialog, ExportState, ExportStep, Modal},
    page::Export,
};
use crate::{
    domain::{WrittenRows, rows_text, text},
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
            let export = Export::new(path.clone(), make(format));
            let contents = if is_masked { export.masked().contents } else { export.contents };
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

/// Tells the end of an export; the dialog stays open for a failure, and for notes about the list.
fn finish(app: &mut App, end: Result<WrittenRows, String>) {
    app.needs_redraw = true;
    let Some(Modal::ExportRows(dialog)) = &mut app.modal else { return };
    match end {
        Ok(written) if written.notes.is_empty() => {
            let path = text::clean(&written.path.display().to_string()).into_owned();
            app.modal = None;
            app.toasts.done(format!("{} · saved {path}", rows_text(written.rows)));
        }
        Ok(written) => dialog.state = ExportState::Done(written),
        Err(reason) => dialog.state = ExportState::Failed(reason),
    }
}
