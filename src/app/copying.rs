//! What can be taken away from a screen: copied, written into a file, opened in a browser.

use super::{App, HostEffect, modal::Modal, prompt::CopyChoice, toast::Toasts};
use crate::{
    domain::text,
    msg::{Answer, Request},
    widgets::{document::Lines, picker::Picker},
    wire::ApiError,
};

impl App {
    /// Value, JSON and curl of what is under the cursor.
    pub(super) fn open_copy_menu(&mut self) {
        let page = self.navigation.current();
        let mut choices = Vec::new();
        let mut add = |choice| choices.push(choice);
        if let Some(value) = page.document().and_then(Lines::copied) {
            add(CopyChoice::document('l', "the line's value", value));
        }
        if let Some(path) = page.document().and_then(Lines::json_path) {
            add(CopyChoice::value('p', "path of the line, as jq takes it", path));
        }
        let request = if let Some(tx) = page.selected_tx() {
            add(CopyChoice::value('v', "transaction hash", tx.txhash.to_string()));
            add(CopyChoice::document('j', "record as JSON", serde_json::to_string_pretty(&*tx).unwrap_or_default()));
            Some(Request::Tx(tx.txhash))
        } else if let Some(block) = page.selected_block() {
            add(CopyChoice::value('v', "block height", block.height.to_string()));
            add(CopyChoice::value('h', "block hash", block.hash.to_string()));
            add(CopyChoice::document('j', "record as JSON", serde_json::to_string_pretty(&*block).unwrap_or_default()));
            Some(Request::Block(block.height))
        } else {
            None
        };
        if let Some(request) = request {
            add(CopyChoice::value('c', "curl command of the record", self.context.curl(&request)));
            add(CopyChoice::body('B', request));
        }
        choices.extend(page.copies(&self.context));
        if choices.is_empty() {
            return self.toasts.refuse("nothing to copy here");
        }
        self.open_modal(Modal::Copy(Picker::new(choices).menu()));
    }

    /// Writes what is loaded here into files.
    pub(super) fn export(&mut self) {
        let exports = self.navigation.current().export(&self.context);
        if exports.is_empty() {
            return self.toasts.refuse("nothing to export here");
        }
        for export in exports {
            self.export_note = export.note.or(self.export_note.take());
            self.effects.host.push(HostEffect::WriteFile { name: export.name, contents: export.contents });
        }
    }

    /// Opens the web page of what is selected.
    pub(super) fn open_browser(&mut self) {
        match self.screen().web_page() {
            Some(url) => self.effects.host.push(HostEffect::Open(url)),
            None => self.toasts.refuse("the web explorer has no page for this"),
        }
    }
}

/// The body that was to be copied came, or not.
pub(super) fn copied_body(result: Result<Answer, ApiError>, toasts: &mut Toasts) -> Option<HostEffect> {
    match result {
        Ok(Answer::Body(text)) => {
            if text::clean_lines(&text) != *text {
                toasts.warn("characters that could steer a terminal are left out of what is copied");
            }
            Some(HostEffect::Copy(text.to_string()))
        }
        Ok(_) => None,
        Err(error) => {
            toasts.complain(format!("nothing is copied: {}", error.brief()));
            None
        }
    }
}
