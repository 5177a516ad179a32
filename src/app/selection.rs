//! The cursor: moving it, what is under it, and what can be done with that.

use std::sync::Arc;

use super::{
    App,
    account::AccountTab,
    bridge::BridgeSide,
    evm_side::EvmSide,
    tx_detail::TxDetail,
    view::{PageId, View},
};
use crate::{
    app::page::TxName,
    domain::{Height, Target, TxHash},
    msg::{Remote, TokenName},
    widgets::{
        document::Document,
        layout::Pane,
        list::{ListWindow, Row},
    },
    wire,
};

/// The list or document that has the cursor.
enum Focused<'a> {
    Blocks(&'a mut ListWindow<crate::panes::rows::BlockRow>),
    Txs(&'a mut ListWindow<crate::panes::rows::TxRow>),
    Collections(&'a mut ListWindow<crate::panes::rows::CollectionRow>),
    Tokens(&'a mut ListWindow<crate::panes::rows::TokenRow>),
    Holders(&'a mut ListWindow<crate::panes::rows::HolderRow>),
    Results(&'a mut ListWindow<super::results::ResultRow>),
    Transfers(&'a mut ListWindow<super::transfers::TransferRow>),
    Quote(&'a mut super::bridge::quote::QuoteSide),
    Document(&'a mut Document),
    Nothing,
}

/// Runs the same code on whatever has the cursor; `false` where nothing has.
macro_rules! on_focused {
    ($focused:expr, $it:ident => $body:expr) => {
        match $focused {
            Focused::Blocks($it) => $body,
            Focused::Txs($it) => $body,
            Focused::Collections($it) => $body,
            Focused::Tokens($it) => $body,
            Focused::Holders($it) => $body,
            Focused::Results($it) => $body,
            Focused::Transfers($it) => $body,
            Focused::Quote($it) => $body,
            Focused::Document($it) => $body,
            Focused::Nothing => false,
        }
    };
}

impl View {
    fn focused(&mut self) -> Focused<'_> {
        match self {
            Self::Overview(view) => match view.focus {
                Pane::First => Focused::Blocks(&mut view.blocks),
                Pane::Second => Focused::Txs(&mut view.txs),
            },
            Self::Blocks(view) => match (&mut view.preview, view.focus) {
                (Some((_, document)), Pane::Second) => Focused::Document(document),
                _ => Focused::Blocks(&mut view.list),
            },
            Self::Txs(view) => match (&mut view.preview, view.focus) {
                (Some((_, TxDetail { document: Some(document), .. })), Pane::Second) => Focused::Document(document),
                _ => Focused::Txs(&mut view.list),
            },
            Self::Block(page) => match &mut page.raw {
                Some(document) => Focused::Document(document),
                None => Focused::Txs(&mut page.txs),
            },
            Self::Tx(page) => page.detail.document.as_mut().map_or(Focused::Nothing, Focused::Document),
            Self::Compare(page) => Focused::Document(&mut page.document),
            Self::Nfts(view) => Focused::Collections(view.shown_mut()),
            Self::RichList(view) => Focused::Holders(&mut view.list),
            Self::Collection(page) => Focused::Tokens(&mut page.tokens),
            Self::Token(page) => match page.focus {
                Pane::First => Focused::Document(&mut page.document),
                Pane::Second => Focused::Txs(&mut page.txs),
            },
            Self::Account(page) => match page.tab {
                AccountTab::Txs => Focused::Txs(&mut page.txs.list),
                AccountTab::Tokens => Focused::Tokens(&mut page.tokens),
                AccountTab::Collections => Focused::Collections(&mut page.collections),
                AccountTab::Holdings => Focused::Document(&mut page.holdings_document),
            },
            Self::Results(view) => Focused::Results(&mut view.list),
            Self::Bridge(view) => match view.side {
                BridgeSide::Quote => Focused::Quote(&mut view.quote),
                BridgeSide::Transfers => Focused::Transfers(&mut view.board.list),
            },
            Self::Prepare(page) => Focused::Document(&mut page.document),
            Self::Transfer(page) => Focused::Document(page.shown_mut()),
        }
    }

    /// The document that has the focus.
    pub(super) fn focused_document(&mut self) -> Option<&mut Document> {
        match self.focused() {
            Focused::Document(document) => Some(document),
            _ => None,
        }
    }
}

impl App {
    pub(super) fn move_cursor(&mut self, rows: isize) {
        let moved = match self.navigation.current_mut() {
            View::Collection(page) if page.is_gallery => page.move_lines(rows),
            view => on_focused!(view.focused(), it => it.move_by(rows)),
        };
        self.effects.redraw |= moved;
    }

    pub(super) fn move_cursor_to(&mut self, place: usize) {
        let moved = on_focused!(self.navigation.current_mut().focused(), it => it.move_to(place));
        self.effects.redraw |= moved;
    }

    pub(super) fn page(&mut self, screens: isize) {
        let moved = on_focused!(self.navigation.current_mut().focused(), it => it.page_by(screens));
        self.effects.redraw |= moved;
    }

    pub(super) fn half_page(&mut self, sign: isize) {
        let moved = match self.navigation.current_mut() {
            View::Collection(page) if page.is_gallery => page.move_half(sign),
            view => on_focused!(view.focused(), it => it.half_page_by(sign)),
        };
        self.effects.redraw |= moved;
    }

    /// Folds something in the document that has the cursor.
    pub(super) fn fold(&mut self, fold: impl FnOnce(&mut Document) -> bool) {
        match self.navigation.current_mut().focused_document().map(fold) {
            Some(true) => self.effects.redraw = true,
            Some(false) | None => self.refuse("nothing can be folded here"),
        }
    }

    pub(super) fn is_cursor_at(&mut self, place: usize) -> bool {
        match self.navigation.current_mut().focused() {
            Focused::Blocks(list) => list.cursor() == place,
            Focused::Txs(list) => list.cursor() == place,
            Focused::Collections(list) => list.cursor() == place,
            Focused::Tokens(list) => list.cursor() == place,
            Focused::Holders(list) => list.cursor() == place,
            Focused::Results(list) => list.cursor() == place,
            Focused::Transfers(list) => list.cursor() == place,
            Focused::Quote(quote) => quote.is_cursor_at(place),
            Focused::Document(document) => document.is_cursor_at(place),
            Focused::Nothing => false,
        }
    }

    /// To the first row; where the rows above are not held any more, the list starts anew.
    pub(super) fn go_top(&mut self) {
        fn top<R: Row>(list: &mut ListWindow<R>) -> bool {
            if list.top_needs_restart() {
                list.clear();
                return true;
            }
            list.move_to(0)
        }
        let moved = match self.navigation.current_mut().focused() {
            Focused::Blocks(list) => top(list),
            Focused::Txs(list) => top(list),
            Focused::Collections(list) => top(list),
            Focused::Tokens(list) => top(list),
            Focused::Holders(list) => top(list),
            Focused::Results(list) => top(list),
            Focused::Transfers(list) => list.move_to(0),
            Focused::Quote(quote) => quote.move_to(0),
            Focused::Document(document) => document.move_to(0),
            Focused::Nothing => false,
        };
        self.effects.redraw |= moved;
    }

    /// Opens what is under the cursor.
    pub(super) fn open(&mut self) {
        let origin = self.navigation.current_id();
        if let View::Token(page) = self.navigation.current()
            && let Some(collection) = page.collection_under_cursor()
        {
            return self.open_collection(collection);
        }
        match self.navigation.current() {
            View::Prepare(_) => return self.open_in_prepare(),
            View::Transfer(_) => return self.open_in_transfers(),
            View::Compare(_) => return self.open_in_compare(),
            _ => {}
        }
        if self.open_in_detail() {
            return;
        }
        match self.navigation.current_mut().focused() {
            Focused::Blocks(list) => {
                if let Some(block) = list.selected().map(|row| Arc::clone(&row.0)) {
                    self.open_loaded_block(block);
                }
            }
            Focused::Txs(list) => {
                if let Some(tx) = list.selected().map(|row| Arc::clone(&row.tx)) {
                    self.open_loaded_tx(tx, Some(origin));
                }
            }
            Focused::Collections(list) => {
                let selected = list.selected().map(|row| Arc::clone(&row.0));
                match selected {
                    Some(collection) if self.is_on_account() => self.open_owned(&collection),
                    Some(collection) => self.open_loaded_collection(collection),
                    None => {}
                }
            }
            Focused::Tokens(list) => {
                let selected = list.selected().map(|row| Arc::clone(&row.0));
                if let Some(token) = selected {
                    self.open_loaded_token(token, Some(origin));
                }
            }
            Focused::Holders(list) => match list.selected().map(|row| row.holder.address()) {
                Some(Some(address)) => self.open_account(address),
                Some(None) => self.refuse("this account's text is no address"),
                None => {}
            },
            Focused::Results(_) => self.open_result(),
            Focused::Transfers(_) => self.open_in_transfers(),
            Focused::Quote(_) => self.open_in_quote(),
            Focused::Document(document) => match document.selected().and_then(|line| line.link.clone()) {
                Some(target) => self.open_target(&target),
                None => self.effects.redraw |= document.toggle_fold(),
            },
            Focused::Nothing => {}
        }
    }

    /// Opens what a text was understood as.
    pub(super) fn open_target(&mut self, target: &Target) {
        match target {
            Target::Block(height) => self.open_block(*height),
            Target::Tx(hash) => self.open_tx(*hash),
            Target::EvmTx(hash) => self.open_evm_tx(*hash),
            Target::Account(address) => self.open_account(*address),
            Target::Collection(address) => self.open_collection(*address),
            Target::Token { collection, token_id } => {
                self.open_token(TokenName { collection: *collection, token_id: Arc::clone(token_id) });
            }
            Target::Denom(denom) => self.open_rich_list(denom.clone()),
            Target::Chain(name) => {
                let sentence = self.describe_chain(name);
                self.tell(sentence);
            }
        }
    }

    pub(super) fn open_block(&mut self, height: Height) {
        self.remember_target(&Target::Block(height));
        self.navigation.open(|_| View::block(height));
        self.effects.redraw = true;
    }

    pub(super) fn open_loaded_block(&mut self, block: Arc<wire::Block>) {
        let now = self.now;
        self.open_block(block.height);
        if let View::Block(page) = self.navigation.current_mut() {
            page.block = Remote::Ready { value: block, at: now };
        }
    }

    fn open_tx(&mut self, hash: TxHash) {
        self.remember_target(&Target::Tx(hash));
        self.navigation.open(|_| View::tx(TxName::Cosmos(hash), None));
        self.effects.redraw = true;
    }

    pub(super) fn open_loaded_tx(&mut self, tx: Arc<wire::Tx>, origin: Option<PageId>) {
        let now = self.now;
        let hash = tx.txhash;
        self.remember_target(&Target::Tx(hash));
        self.navigation.open(|_| View::tx(TxName::Cosmos(hash), origin));
        if let View::Tx(page) = self.navigation.current_mut() {
            page.tx = Remote::Ready { value: tx, at: now };
        }
        self.effects.redraw = true;
    }

    fn is_on_account(&self) -> bool {
        matches!(self.navigation.current(), View::Account(_))
    }

    /// The neighbour of a transaction in the list it was opened from takes its place.
    pub(super) fn open_sibling_tx(&mut self, hash: TxHash, origin: Option<PageId>, step: isize) {
        let list = match origin.and_then(|id| self.navigation.view_mut(id)) {
            Some(View::Txs(view)) => &mut view.list,
            Some(View::Overview(view)) => &mut view.txs,
            Some(View::Block(page)) => &mut page.txs,
            Some(View::Token(page)) => &mut page.txs,
            Some(View::Account(page)) => &mut page.txs.list,
            _ => return self.refuse("this transaction was not opened from a list"),
        };
        let Some(sibling) = list.neighbour(&hash, step).map(|row| Arc::clone(&row.tx)) else {
            return self.refuse("no further transaction is loaded in this direction");
        };
        list.select(&sibling.txhash);
        let now = self.now;
        if let View::Tx(page) = self.navigation.current_mut() {
            page.name = TxName::Cosmos(sibling.txhash);
            page.tx = Remote::Ready { value: sibling, at: now };
            page.evm = EvmSide::default();
            page.detail.rebuild();
        }
        self.cancel_extras();
        self.effects.redraw = true;
    }

    /// The transaction under the cursor or on the page.
    pub(super) fn selected_tx(&self) -> Option<Arc<wire::Tx>> {
        match self.navigation.current() {
            View::Overview(view) if view.focus == Pane::Second => view.txs.selected().map(|row| Arc::clone(&row.tx)),
            view @ (View::Txs(_) | View::Account(_)) => view.txs_view()?.list.selected().map(|row| Arc::clone(&row.tx)),
            View::Block(page) if page.raw.is_none() => page.txs.selected().map(|row| Arc::clone(&row.tx)),
            View::Tx(page) => page.tx.value().map(Arc::clone),
            View::Compare(page) => Some(Arc::clone(page.chosen())),
            View::Token(page) if page.focus == Pane::Second => page.txs.selected().map(|row| Arc::clone(&row.tx)),
            _ => None,
        }
    }

    pub(super) fn selected_block(&self) -> Option<Arc<wire::Block>> {
        match self.navigation.current() {
            View::Overview(view) if view.focus == Pane::First => view.blocks.selected().map(|row| Arc::clone(&row.0)),
            View::Blocks(view) => view.list.selected().map(|row| Arc::clone(&row.0)),
            View::Block(page) => page.block.value().map(Arc::clone),
            _ => None,
        }
    }
}
