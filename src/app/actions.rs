//! What each command does: the page's meaning of it first, then the session's.

use super::{
    App, HostEffect, account_labels,
    facts::help_lines,
    go_to::{GoTo, KnownNames},
    modal::{ColumnsChooser, Inspector, Modal, Palette},
    page::{Destination, Handled, Page, Tab},
    transfers::Transfers,
};
use crate::{
    config::Command,
    msg::{Request, Slot},
    story,
    widgets::{
        cursor::Cursor,
        document::{Document, Lines},
    },
};

const NO_OTHER_MATCH: &str = "nothing else matches here";
const NOT_FOLDABLE: &str = "nothing can be folded here";

impl App {
    /// Runs a command where it can be done; elsewhere says why not.
    pub(super) fn act(&mut self, command: Command) {
        if command != Command::Forget {
            self.context.transfers.keep_selected();
        }
        if let Some(why) = self.screen().refusal_of(command) {
            return self.toasts.refuse(why);
        }
        if self.with_current(|page, cx| page.act(command, cx)) == Handled::Done {
            self.effects.redraw = true;
            return;
        }
        match command {
            Command::PreviousPane => {
                self.with_current(|page, cx| page.act(Command::NextPane, cx));
                self.effects.redraw = true;
            }
            Command::TabOverview => self.open_tab(Tab::Overview),
            Command::TabBlocks => self.open_tab(Tab::Blocks),
            Command::TabTxs => self.open_tab(Tab::Txs),
            Command::TabNfts => self.open_tab(Tab::Nfts),
            Command::TabRichList => self.open_tab(Tab::RichList),
            Command::TabBridge => self.open_tab(Tab::Bridge),
            Command::Down => self.move_cursor(|cursor| cursor.move_by(1)),
            Command::Up => self.move_cursor(|cursor| cursor.move_by(-1)),
            Command::HalfDown => self.move_cursor(|cursor| cursor.half_page_by(1)),
            Command::HalfUp => self.move_cursor(|cursor| cursor.half_page_by(-1)),
            Command::NextPage => self.move_cursor(|cursor| cursor.page_by(1)),
            Command::PreviousPage => self.move_cursor(|cursor| cursor.page_by(-1)),
            Command::Top => self.move_cursor(|cursor| cursor.move_to_top()),
            Command::Bottom => self.move_cursor(|cursor| cursor.move_to(usize::MAX)),
            Command::Open => self.open_line(),
            Command::Back => self.back(),
            Command::HistoryBack => self.travel(false),
            Command::HistoryForward => self.travel(true),
            Command::PreviousSibling => self.open_sibling(-1),
            Command::NextSibling => self.open_sibling(1),
            Command::GoTo => self.open_modal(Modal::GoTo(GoTo::of(String::new()))),
            Command::Filter => self.filter(),
            Command::OpenSigner => self.open_signer(),
            Command::OpenBlock => self.open_block_of_selection(),
            Command::Copy => self.open_copy_menu(),
            Command::Export => self.export(),
            Command::Browser => self.open_browser(),
            Command::Freeze => self.toggle_frozen(),
            Command::Refresh => self.refresh(),
            Command::Track => self.with_transfers(|_, cx| cx.ask_for_hash()),
            Command::TrackAgain => self.with_transfers(Transfers::track_again),
            Command::NextStep => self.with_transfers(Transfers::take_next_step),
            Command::SignInBrowser => self.with_transfers(Transfers::sign_selected),
            Command::Label => self.with_transfers(Transfers::edit_label),
            Command::Forget => self.with_transfers(Transfers::forget),
            Command::NameAccount => self.with_current(account_labels::ask),
            Command::ToggleFold => self.in_document(NOT_FOLDABLE, |lines| lines.toggle_fold_around()),
            Command::FoldAll => self.in_document(NOT_FOLDABLE, |lines| lines.fold_all()),
            Command::UnfoldAll => self.in_document(NOT_FOLDABLE, |lines| lines.unfold_all()),
            Command::NextMatch => self.in_document(NO_OTHER_MATCH, |lines| lines.step_match(1)),
            Command::PreviousMatch => self.in_document(NO_OTHER_MATCH, |lines| lines.step_match(-1)),
            Command::Mark => self.mark_tx(),
            Command::Compare => self.compare_txs(),
            Command::FlipAddress => {
                self.address_style = self.address_style.flipped();
                self.effects.redraw = true;
            }
            Command::FlipTime => {
                self.time_form = self.time_form.flipped();
                self.effects.redraw = true;
            }
            Command::ChooseColumns => choose_columns(self),
            Command::Palette => self.open_modal(Modal::Palette(Palette::new(self.screen().commands()))),
            Command::Help => {
                let lines = help_lines(self, &self.screen().page_commands(), self.layers());
                self.open_modal(Modal::Help(Document::new(lines)));
            }
            Command::Inspector => self.open_modal(Modal::Inspector(Inspector::default())),
            Command::Suspend => self.effects.host.push(HostEffect::Suspend),
            Command::Quit | Command::ForceQuit => {
                let refused = self.chain.named_else.as_ref().map(|refused| refused.sentence(&self.network));
                self.effects.host.push(refused.map_or(HostEffect::Quit, HostEffect::Fail));
            }
            // What only pages do: where the one on screen does not, nothing is meant by it.
            Command::NextPane
            | Command::NextTab
            | Command::PreviousTab
            | Command::RawJson
            | Command::SignerOnly
            | Command::FailedOnly
            | Command::Gallery
            | Command::TokenOrder
            | Command::Metadata
            | Command::OwnedNfts
            | Command::SwapEnds
            | Command::Acknowledge
            | Command::Slippage
            | Command::DemoSend
            | Command::WebBridge
            | Command::TransferOrder
            | Command::NextWord
            | Command::PreviousWord => {}
        }
    }

    /// Moves the cursor of the page, where it has one.
    pub(super) fn move_cursor(&mut self, step: impl FnOnce(&mut dyn Cursor) -> bool) {
        self.effects.redraw |= self.navigation.current_mut().cursor_mut().is_some_and(step);
    }

    /// Changes what is read on the page; what cannot be done there is refused with these words.
    fn in_document(&mut self, refusal: &'static str, act: impl FnOnce(&mut dyn Lines) -> bool) {
        match self.navigation.current_mut().document_mut().map(act) {
            Some(true) => self.effects.redraw = true,
            Some(false) | None => self.toasts.refuse(refusal),
        }
    }

    fn open_line(&mut self) {
        let Some(document) = self.navigation.current_mut().document_mut() else { return };
        match document.link().cloned() {
            Some(target) => self.open_target(&target),
            None => self.effects.redraw |= document.toggle_fold(),
        }
    }

    pub(super) fn open_modal(&mut self, modal: Modal) {
        self.pending_keys.clear();
        self.modal = Some(modal);
        if matches!(self.modal, Some(Modal::GoTo(_))) {
            self.in_go_to(GoTo::suggest);
            let names = KnownNames::new(&self.context, &self.navigation, &self.recents, None).unnamed_collections();
            let asked = names.into_iter().map(|address| (Slot::NameOf(address), Request::Collection(address)));
            self.requests.fetch_all(asked.collect());
        }
        self.effects.redraw = true;
    }

    pub(super) fn open_tab(&mut self, tab: Tab) {
        self.effects.redraw = true;
        if self.navigation.open_tab(tab) {
            self.catch_up();
        }
    }

    /// A screen came back: ask at once for what it missed.
    fn catch_up(&mut self) {
        if !self.frozen {
            let now = self.now;
            self.navigation.each_visible_list(|list| {
                list.poll(now);
                list.refresh_if_old(now);
            });
        }
    }

    /// Esc, where the page has nothing to take back.
    fn back(&mut self) {
        self.effects.redraw = true;
        let document = self.navigation.current_mut().document_mut();
        if let Some(document) = document.filter(|document| !document.filter().is_empty()) {
            document.set_filter("");
        } else if !self.navigation.is_at_root() {
            self.travel(false);
        }
    }

    pub(super) fn travel(&mut self, forward: bool) {
        let moved = if forward { self.navigation.forward() } else { self.navigation.back() };
        self.effects.redraw = true;
        if moved {
            self.catch_up();
        } else {
            self.toasts.refuse(if forward { "nothing lies ahead in history" } else { "this is where you began" });
        }
    }

    fn open_signer(&mut self) {
        let tx = self.navigation.current().selected_tx();
        match tx.and_then(|tx| Some((story::decode(&tx).signer?, tx.txhash))) {
            Some((address, hash)) => self.open_page(Destination::AccountAt(address, hash)),
            None => self.toasts.refuse("no transaction with a signer is selected"),
        }
    }

    fn open_block_of_selection(&mut self) {
        match self.navigation.current().selected_tx() {
            Some(tx) => self.open_page(Destination::Block(tx.height, None)),
            None => self.toasts.refuse("no transaction is selected"),
        }
    }

    fn toggle_frozen(&mut self) {
        self.frozen = !self.frozen;
        self.effects.redraw = true;
        if !self.frozen {
            let now = self.now;
            self.chain.make_due(now);
            self.catch_up();
        }
    }

    fn refresh(&mut self) {
        let now = self.now;
        self.chain.make_due(now);
        self.poll_chain();
        self.navigation.each_visible_list(|list| list.refresh());
        self.with_current(Page::refresh);
        self.with_transfers(Transfers::refresh);
        self.toasts.inform("asking again");
    }

    /// Marks the transaction that is open or selected; a marked one is unmarked.
    fn mark_tx(&mut self) {
        let Some(tx) = self.navigation.current().selected_tx() else {
            return self.toasts.refuse("no transaction is selected that could be marked");
        };
        if self.marked_hash() == Some(tx.txhash) {
            self.marked = None;
            return self.toasts.done(format!("{} is no longer marked", tx.txhash.short()));
        }
        let key = self.keymap.shown(self.layers(), Command::Compare).unwrap_or_default();
        self.toasts.done(format!("{} is marked; {key} on another compares the two", tx.txhash.short()));
        self.marked = Some(tx);
    }

    /// Opens the comparison of the transaction that is open or selected with the marked one.
    fn compare_txs(&mut self) {
        if let (Some(marked), Some(tx)) = (self.marked.clone(), self.navigation.current().selected_tx())
            && marked.txhash != tx.txhash
        {
            self.open_page(Destination::Compare(marked, tx));
        }
    }
}

fn choose_columns(app: &mut App) {
    if let Some(list) = app.navigation.current().column_list() {
        let chooser = ColumnsChooser::new(list, &app.context.columns);
        app.open_modal(Modal::Columns(chooser));
    }
}
