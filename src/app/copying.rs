//! What can be taken away from a screen: copied, written into a file, opened in a browser.

use super::{
    App, HostEffect,
    modal::{CopyChoice, Modal},
    page::WebSubject,
};
use crate::{domain::Address, msg::Request, widgets::picker::Picker};

impl App {
    /// Value, JSON and curl of what is under the cursor.
    pub(super) fn open_copy_menu(&mut self) {
        let page = self.navigation.current();
        let mut choices = Vec::new();
        let mut add = |key, label, text: String| choices.push(CopyChoice { key, label, text });
        if let Some(value) = page.document().and_then(|document| document.copied()) {
            add('l', "the line's value", value);
        }
        let request = if let Some(tx) = page.selected_tx() {
            add('v', "transaction hash", tx.txhash.to_string());
            add('j', "record as JSON", serde_json::to_string_pretty(&*tx).unwrap_or_default());
            Some(Request::Tx(tx.txhash))
        } else if let Some(block) = page.selected_block() {
            add('v', "block height", block.height.to_string());
            add('h', "block hash", block.hash.to_string());
            add('j', "record as JSON", serde_json::to_string_pretty(&*block).unwrap_or_default());
            Some(Request::Block(block.height))
        } else {
            None
        };
        if let Some(request) = request {
            add('c', "curl command of the record", self.context.curl(&request));
        }
        choices.extend(page.copies(&self.context));
        if choices.is_empty() {
            return self.refuse("nothing to copy here");
        }
        self.open_modal(Modal::Copy(Picker::new(choices).menu()));
    }

    /// Writes what is loaded here into files.
    pub(super) fn export(&mut self) {
        let exports = self.navigation.current().export(&self.context);
        if exports.is_empty() {
            return self.refuse("nothing to export here");
        }
        for export in exports {
            self.export_note = export.note.or(self.export_note.take());
            self.effects.host.push(HostEffect::WriteFile { name: export.name, contents: export.contents });
        }
    }

    /// Whether [`Self::open_copy_menu`] has anything to offer.
    pub(super) fn has_copies(&self) -> bool {
        let page = self.navigation.current();
        let has_line = page.document().is_some_and(crate::widgets::document::Lines::can_copy);
        has_line || page.has_copies(&self.context)
    }

    /// The page of the network's web explorer, or of another one, for what is selected.
    pub(super) fn web_page(&self) -> Option<String> {
        let (explorer, page) = (&self.network.explorer, self.navigation.current());
        let of_account = |address: &Address| Some(explorer.account.as_ref()?.replace("{}", &address.bech32()));
        let of_tx = || Some(explorer.tx.as_ref()?.replace("{}", &page.selected_tx()?.txhash.to_string()));
        let of_block = || Some(explorer.block.as_ref()?.replace("{}", &page.selected_block()?.height.to_string()));
        let of_subject = match page.web_subject() {
            Some(WebSubject::Url(url)) => Some(url),
            Some(WebSubject::Account(address)) => of_account(&address),
            None => None,
        };
        of_subject.or_else(of_tx).or_else(of_block)
    }

    /// Opens the web page of what is selected.
    pub(super) fn open_browser(&mut self) {
        match self.web_page() {
            Some(url) => self.effects.host.push(HostEffect::Open(url)),
            None => self.refuse("the web explorer has no page for this"),
        }
    }
}
