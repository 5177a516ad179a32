//! What can be taken away from a screen: copied, written into a file, opened in a browser.

use super::{
    App, HostEffect,
    account::AccountTab,
    bridge::{BridgeSide, BridgeView},
    modal::{CopyChoice, Modal},
    view::View,
};
use crate::{
    domain::Address,
    msg::{PageRequest, Request},
    widgets::{layout::Pane, picker::Picker},
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
            return self.refuse("nothing to copy here");
        }
        self.open_modal(Modal::Copy(Picker::new(choices).menu()));
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
            None => self.refuse("nothing to export here"),
        }
    }

    /// Whether [`Self::open_copy_menu`] has anything to offer.
    pub(super) fn has_copies(&self) -> bool {
        let view = self.navigation.current();
        let has_line = view.shown_document().is_some_and(crate::widgets::document::Document::can_copy);
        has_line
            || match view {
                View::Overview(_)
                | View::Blocks(_)
                | View::Txs(_)
                | View::Account(_)
                | View::Results(_)
                | View::Compare(_)
                | View::Prepare(_)
                | View::Nfts(_)
                | View::Collection(_) => true,
                View::RichList(view) => view.denom.is_some(),
                View::Block(page) => page.block.value().is_some() || page.txs.selected().is_some(),
                View::Tx(page) => page.tx.value().is_some() || page.evm.receipt.value().is_some(),
                View::Token(page) => page.focus == Pane::First || page.txs.selected().is_some(),
                View::Bridge(BridgeView { side: BridgeSide::Quote, quote, .. }) => {
                    self.has_router() && (quote.offer().route().is_some() || quote.offers.has_question())
                }
                View::Bridge(view) => view.board.list.selected().is_some(),
                View::Transfer(page) => self.transfers.get(&page.id).is_some(),
            }
    }

    /// Whether [`Self::export`] has anything to write.
    pub(super) fn has_export(&self) -> bool {
        match self.navigation.current() {
            View::Account(page) => match page.tab {
                AccountTab::Txs => !page.txs.list.rows().is_empty(),
                AccountTab::Tokens => !page.tokens.rows().is_empty(),
                AccountTab::Collections => !page.collections.rows().is_empty(),
                AccountTab::Holdings => page.has_holdings(),
            },
            View::Txs(view) => !view.list.rows().is_empty(),
            View::Blocks(view) => !view.list.rows().is_empty(),
            View::Block(page) => page.block.value().is_some(),
            View::Tx(page) => page.tx.value().is_some(),
            View::Results(_) => true,
            View::RichList(view) => view.denom.is_some() && !view.list.rows().is_empty(),
            View::Nfts(view) => !view.shown().rows().is_empty(),
            View::Collection(page) => !page.tokens.rows().is_empty(),
            View::Token(page) => page.token.value().is_some(),
            View::Prepare(page) => page.has_export(),
            View::Bridge(view) => match view.side {
                BridgeSide::Quote => view.quote.offer().route().is_some(),
                BridgeSide::Transfers => !self.transfers.all().is_empty(),
            },
            View::Transfer(page) => self.transfers.get(&page.id).is_some(),
            View::Overview(_) | View::Compare(_) => false,
        }
    }

    /// The page of the network's web explorer for what is selected.
    pub(super) fn browser_url(&self) -> Option<String> {
        let explorer = &self.network.explorer;
        let of_account = |address: &Address| Some(explorer.account.as_ref()?.replace("{}", &address.bech32()));
        let account = match self.navigation.current() {
            View::Account(page) => Some(page.address),
            View::RichList(view) => view.list.selected().and_then(|row| row.holder.address()),
            _ => None,
        };
        let of_tx = || Some(explorer.tx.as_ref()?.replace("{}", &self.selected_tx()?.txhash.to_string()));
        let of_block = || Some(explorer.block.as_ref()?.replace("{}", &self.selected_block()?.height.to_string()));
        self.transfer_url()
            .or_else(|| of_account(&account?))
            .or_else(|| of_account(&self.nft_account()?))
            .or_else(of_tx)
            .or_else(of_block)
    }

    /// Opens the network's web explorer on what is selected.
    pub(super) fn open_browser(&mut self) {
        match self.browser_url() {
            Some(url) => self.effects.host.push(HostEffect::Open(url)),
            None => self.refuse("the web explorer has no page for this"),
        }
    }
}
