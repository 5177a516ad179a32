//! Copies to the clipboard, exports to files, and links to the browser.

use std::sync::Arc;

use super::{
    App, Effect,
    modal::{Modal, step_of},
    page::Export,
    prompt::CopyChoice,
    toast::Toasts,
};
use crate::{
    domain::text,
    msg::Request,
    widgets::{document::Lines, picker::Picker},
    wire::ApiError,
};

impl App {
    /// Opens the menu that names the files of the loaded records and their folder.
    pub(super) fn open_export_menu(&mut self) {
        let exports = self.navigation.current().take_away(&self.context).make_exports();
        if exports.is_empty() {
            return self.toasts.refuse("no data to export here");
        }
        self.open_modal(Modal::Export(Picker::new(exports).menu()));
    }

    pub(super) fn write(&mut self, exports: Vec<Export>) {
        let mut files = Vec::new();
        for export in exports {
            self.export_note = export.note.or(self.export_note.take());
            files.push((export.name, export.contents));
        }
        self.effects.push(Effect::WriteFiles(files));
    }
}

/// Opens the copy menu of the selection, or copies its first entry at once.
pub(super) fn copy(app: &mut App, is_first: bool) {
    let choices = copy_choices(app);
    match choices.first() {
        None => app.toasts.refuse("no value to copy here"),
        Some(first) if is_first => app.take_modal_step(step_of(first)),
        Some(_) => app.open_modal(Modal::Copy(Picker::new(choices).menu())),
    }
}

fn copy_choices(app: &App) -> Vec<CopyChoice> {
    let page = app.navigation.current();
    let mut choices = Vec::new();
    let mut add = |choice| choices.push(choice);
    if let Some(value) = page.document().and_then(Lines::copied) {
        add(CopyChoice::document('l', "value of the line", value));
    }
    if let Some(path) = page.document().and_then(Lines::json_path) {
        add(CopyChoice::value('p', "jq path of the line", path));
    }
    let selection = page.selection();
    let request = if let Some(tx) = selection.tx {
        add(CopyChoice::value('v', "transaction hash", tx.txhash.to_string()));
        add(CopyChoice::document('j', "record as JSON", serde_json::to_string_pretty(&*tx).unwrap_or_default()));
        Some(Request::Tx(tx.txhash))
    } else if let Some(block) = selection.block {
        add(CopyChoice::value('v', "block height", block.height.to_string()));
        add(CopyChoice::value('h', "block hash", block.hash.to_string()));
        add(CopyChoice::document('j', "record as JSON", serde_json::to_string_pretty(&*block).unwrap_or_default()));
        Some(Request::Block(block.height))
    } else {
        None
    };
    if let Some(request) = request {
        choices.extend(app.context.curl('c', "curl command of the record", &request));
        choices.push(CopyChoice::body('B', request));
    }
    choices.extend(page.take_away(&app.context).make_copies());
    choices.extend(app.screen().web_page().map(|url| CopyChoice::value('o', "link to the web explorer", url)));
    choices
}

/// Copies a response body that was requested for the clipboard.
pub(super) fn copied_body(result: Result<Arc<str>, ApiError>, toasts: &mut Toasts) -> Option<Effect> {
    match result {
        Ok(text) => {
            if text::clean_lines(&text) != *text {
                toasts.warn("removed control characters from the copied text");
            }
            Some(Effect::Copy(text.to_string()))
        }
        Err(error) => {
            toasts.complain(format!("copied nothing: {}", error.brief()));
            None
        }
    }
}
