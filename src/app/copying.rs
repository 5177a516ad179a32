//! What can be taken away from a screen: copied, written into a file, opened in a browser.

use super::{
    App, HostEffect,
    account::AccountTab,
    modal::{CopyChoice, Modal},
    view::View,
};
use crate::{
    msg::{PageRequest, Request},
    wire,
};

impl App {
    /// Value, JSON and curl of what is under the cursor.
    pub(super) fn open_copy_menu(&mut self) {
        let line = self.navigation.current_mut().focused_document().and_then(|document| document.copied());
        let mut choices = Vec::new();
        let mut add = |key, label, text: String| choices.push(CopyChoice { key, label, text });
        if let Some(value) = line {
            add('l', "the line's value", value);
        }
        let request = if let Some(tx) = self.selected_tx() {
            add('v', "transaction hash", tx.txhash.to_string());
            add('j', "record as JSON", serde_json::to_string_pretty(&*tx).unwrap_or_default());
            Some(Request::Tx(tx.txhash))
        } else if let Some(block) = self.selected_block() {
            add('v', "block height", block.height.to_string());
            add('h', "block hash", block.hash.to_string());
            add('j', "record as JSON", serde_json::to_string_pretty(&*block).unwrap_or_default());
            Some(Request::Block(block.height))
        } else {
            None
        };
        if let Some(request) = request {
            add('c', "curl command of the record", self.curl(&request));
        }
        if let View::Results(view) = self.navigation.current() {
            view.copy_choices(&mut add);
        }
        if let View::RichList(view) = self.navigation.current() {
            view.copied(self.address_form).into_iter().for_each(|choice| add(choice.key, choice.label, choice.text));
        }
        let list = match self.navigation.current() {
            View::RichList(view) => view.request(),
            View::Account(page) => Some(page.request()),
            View::Txs(view) => Some(Request::Txs(view.query.clone(), PageRequest::newest(crate::widgets::list::PAGE))),
            View::Blocks(_) => Some(Request::Blocks(PageRequest::newest(crate::widgets::list::PAGE))),
            View::Overview(_) => Some(Request::Status),
            _ => None,
        };
        if let Some(request) = list {
            add('u', "curl command of this screen", self.curl(&request));
        }
        if let View::Account(page) = self.navigation.current() {
            add('1', "the account, init1… form", page.address.bech32());
            add('2', "the account, 0x… form", page.address.checksummed());
        }
        if let View::Account(page) = self.navigation.current() {
            page.row_choices().into_iter().for_each(|choice| add(choice.key, choice.label, choice.text));
        }
        if let View::Tx(page) = self.navigation.current()
            && let Some(receipt) = page.evm.receipt.value()
        {
            let request = Request::EvmTx(receipt.transaction_hash);
            add('x', "EVM hash", receipt.transaction_hash.to_string());
            add('r', "receipt as JSON", serde_json::to_string_pretty(&**receipt).unwrap_or_default());
            add('g', "curl command of the receipt", self.curl(&request));
        }
        choices.extend(self.nft_choices());
        choices.extend(self.prepare_choices());
        choices.extend(self.transfer_choices());
        choices.extend(self.quote_choices());
        if choices.is_empty() {
            return self.say("nothing to copy here");
        }
        self.open_modal(Modal::Copy(choices));
    }

    pub(super) fn curl(&self, request: &Request) -> String {
        (self.path_of)(request).map_or_else(String::new, |path| wire::curl(&format!("{}{path}", self.network.indexer)))
    }

    /// Writes what is loaded here into a file.
    pub(super) fn export(&mut self) {
        fn lines<T: serde::Serialize>(items: impl Iterator<Item = T>) -> String {
            items
                .filter_map(|item| serde_json::to_string(&item).ok())
                .fold(String::new(), |all, line| all + &line + "\n")
        }
        let file = match self.navigation.current() {
            View::Account(page) => {
                let name = |what: &str| format!("{what}-{}.jsonl", page.address);
                Some(match page.tab {
                    AccountTab::Txs => (name("txs"), lines(page.txs.list.rows().iter().map(|row| &*row.tx))),
                    AccountTab::Tokens => (name("nfts"), lines(page.tokens.rows().iter().map(|row| &*row.0))),
                    AccountTab::Collections => {
                        (name("collections"), lines(page.collections.rows().iter().map(|row| &*row.0)))
                    }
                    AccountTab::Holdings => (name("holdings"), page.holdings_jsonl()),
                })
            }
            View::Txs(view) => Some(("txs.jsonl".to_owned(), lines(view.list.rows().iter().map(|row| &*row.tx)))),
            View::Blocks(view) => Some(("blocks.jsonl".to_owned(), lines(view.list.rows().iter().map(|row| &*row.0)))),
            View::Block(page) => page.block.value().map(|block| {
                (format!("block-{}.json", page.height), serde_json::to_string_pretty(&**block).unwrap_or_default())
            }),
            View::Tx(page) => page
                .tx
                .value()
                .map(|tx| (format!("tx-{}.json", page.name), serde_json::to_string_pretty(&**tx).unwrap_or_default())),
            View::Results(view) => Some(("results.jsonl".to_owned(), lines(view.records()))),
            View::RichList(view) => view.exported(),
            View::Nfts(_) | View::Collection(_) | View::Token(_) => self.nft_export(),
            View::Prepare(page) => page.export(),
            View::Bridge(_) => self.quote_export().or_else(|| self.transfer_export()),
            View::Transfer(_) => self.transfer_export(),
            View::Overview(_) | View::Compare(_) => None,
        };
        self.export_note = match self.navigation.current() {
            View::RichList(view) => view.export_note(),
            _ => None,
        };
        match file {
            Some((name, contents)) => self.effects.host.push(HostEffect::WriteFile { name, contents }),
            None => self.say("nothing to export here"),
        }
    }

    /// Opens the network's web explorer on what is selected.
    pub(super) fn open_browser(&mut self) {
        let explorer = &self.network.explorer;
        let address = match self.navigation.current() {
            View::Account(page) => {
                explorer.account.as_ref().map(|template| template.replace("{}", &page.address.bech32()))
            }
            View::RichList(view) => view
                .list
                .selected()
                .and_then(|row| row.holder.address())
                .zip(explorer.account.as_ref())
                .map(|(address, template)| template.replace("{}", &address.bech32())),
            _ => None,
        };
        let of_nfts = self.nft_account().and_then(|collection| {
            explorer.account.as_ref().map(|template| template.replace("{}", &collection.bech32()))
        });
        let tx = self
            .selected_tx()
            .and_then(|tx| explorer.tx.as_ref().map(|template| template.replace("{}", &tx.txhash.to_string())));
        let block = self.selected_block().and_then(|block| {
            explorer.block.as_ref().map(|template| template.replace("{}", &block.height.to_string()))
        });
        match self.transfer_url().or(address).or(of_nfts).or(tx).or(block) {
            Some(url) => self.effects.host.push(HostEffect::Open(url)),
            None if *explorer == crate::config::ExplorerTemplates::default() => {
                self.say("this network has no web explorer");
            }
            None => self.say("the web explorer has no page for this"),
        }
    }
}
