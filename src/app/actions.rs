//! What each action does.

use strum::IntoEnumIterator as _;

use super::{
    App, HostEffect,
    account::AccountTab,
    bridge::BridgeSide,
    facts::help_lines,
    go_to::GoTo,
    modal::{Inspector, Modal, Palette},
    view::{BlocksView, TxsView, View},
};
use crate::{
    app::page::{Tab, TxName, TxTab},
    config::Command,
    domain::{Address, Height},
    msg::{Remote, TxQuery, TxScope},
    story,
    widgets::{document::Document, layout::Pane},
};

impl App {
    /// Runs a command where it can be done; elsewhere says why not.
    pub(super) fn act(&mut self, command: Command) {
        if command != Command::Forget {
            self.keep_transfer();
        }
        if let Some(why) = self.refusal_of(command) {
            return self.refuse(why);
        }
        match command {
            Command::TabOverview => self.open_tab(Tab::Overview),
            Command::TabBlocks => self.open_tab(Tab::Blocks),
            Command::TabTxs => self.open_tab(Tab::Txs),
            Command::TabNfts => self.open_tab(Tab::Nfts),
            Command::TabRichList => self.open_tab(Tab::RichList),
            Command::TabBridge => self.open_tab(Tab::Bridge),
            Command::Down => self.move_cursor(1),
            Command::Up => self.move_cursor(-1),
            Command::HalfDown => self.half_page(1),
            Command::HalfUp => self.half_page(-1),
            Command::NextPage => self.page(1),
            Command::PreviousPage => self.page(-1),
            Command::Top => self.go_top(),
            Command::Bottom => self.move_cursor_to(usize::MAX),
            Command::Open => self.open(),
            Command::Back => self.back(),
            Command::HistoryBack => self.travel(false),
            Command::HistoryForward => self.travel(true),
            Command::PreviousSibling => self.open_sibling(-1),
            Command::NextSibling => self.open_sibling(1),
            Command::NextPane => self.next_pane(),
            Command::NextTab => self.turn_tab(1),
            Command::PreviousTab => self.turn_tab(-1),
            Command::RawJson => self.show_raw(),
            Command::GoTo => self.open_modal(Modal::GoTo(GoTo::of(String::new()))),
            Command::Filter => self.filter(),
            Command::SignerOnly => self.toggle_signer_only(),
            Command::FailedOnly => self.toggle_failed_only(),
            Command::OpenSigner => self.open_signer(),
            Command::OpenBlock => self.open_block_of_selection(),
            Command::Copy => self.open_copy_menu(),
            Command::Export => self.export(),
            Command::Browser => self.open_browser(),
            Command::Freeze => self.toggle_frozen(),
            Command::Refresh => self.refresh(),
            Command::Gallery => self.toggle_gallery(),
            Command::TokenOrder => self.turn_token_order(),
            Command::Metadata => self.ask_metadata(),
            Command::OwnedNfts => self.open_owned_nfts(),
            Command::SwapEnds => self.swap_ends(),
            Command::Acknowledge => self.acknowledge(),
            Command::Slippage => self.edit_slippage(),
            Command::DemoSend => self.demo_send(),
            Command::Track => self.track(),
            Command::TrackAgain => self.track_again(),
            Command::NextStep => self.take_next_step(),
            Command::Label => self.edit_label(),
            Command::Forget => self.forget_transfer(),
            Command::TransferOrder => self.turn_board_order(),
            Command::NextWord => self.move_word(1),
            Command::PreviousWord => self.move_word(-1),
            Command::ToggleFold => self.fold(Document::toggle_fold_around),
            Command::FoldAll => self.fold(Document::fold_all),
            Command::UnfoldAll => self.fold(Document::unfold_all),
            Command::Mark => self.mark_tx(),
            Command::Compare => self.compare_txs(),
            Command::FlipAddress => self.flip_address(),
            Command::FlipTime => {
                self.time_form = self.time_form.flipped();
                self.effects.redraw = true;
            }
            Command::Palette => self.open_modal(Modal::Palette(Palette::new(self.commands_here()))),
            Command::Help => {
                let lines = help_lines(self, &self.screen_commands(), self.layers());
                self.open_modal(Modal::Help(Document::new(lines)));
            }
            Command::Inspector => self.open_modal(Modal::Inspector(Inspector::default())),
            Command::Suspend => self.effects.host.push(HostEffect::Suspend),
            Command::Quit | Command::ForceQuit => self.effects.host.push(HostEffect::Quit),
        }
    }

    pub(super) fn open_modal(&mut self, modal: Modal) {
        self.pending_keys.clear();
        self.modal = Some(modal);
        if matches!(self.modal, Some(Modal::GoTo(_))) {
            self.suggest();
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
            self.poll_grown();
            self.refresh_old_lists();
        }
    }

    fn back(&mut self) {
        self.effects.redraw = true;
        let document = self.navigation.current_mut().focused_document();
        if let Some(document) = document.filter(|document| !document.filter().is_empty()) {
            document.set_filter("");
            return;
        }
        if self.leave_events() {
            return;
        }
        if let View::Txs(TxsView { focus: focus @ Pane::Second, .. })
        | View::Blocks(BlocksView { focus: focus @ Pane::Second, .. }) = self.navigation.current_mut()
        {
            *focus = Pane::First;
            return;
        }
        if let View::RichList(view) = self.navigation.current_mut()
            && view.focus == Pane::Second
        {
            view.focus = Pane::First;
            return;
        }
        if self.widen_nfts() || self.widen_owned() {
            return;
        }
        if self.navigation.is_at_root() {
            self.leave_root();
        } else {
            self.travel(false);
        }
    }

    /// Esc on a tab takes back what narrows it, one thing at a time.
    fn leave_root(&mut self) {
        match self.navigation.current_mut() {
            View::Txs(view) if !view.is_unfiltered() => {
                view.failed_only = false;
                self.change_query(TxQuery::default());
            }
            _ => {}
        }
    }

    /// Goes to where one came from, as from a page that is no more.
    pub(super) fn travel_back(&mut self) {
        self.travel(false);
    }

    fn travel(&mut self, forward: bool) {
        let moved = if forward { self.navigation.forward() } else { self.navigation.back() };
        self.effects.redraw = true;
        if moved {
            self.catch_up();
        } else {
            self.refuse(if forward { "nothing lies ahead in history" } else { "this is where you began" });
        }
    }

    fn next_pane(&mut self) {
        let is_wide = crate::widgets::layout::Regions::of(self.size).split().1.is_some();
        match self.navigation.current_mut() {
            View::Overview(view) => view.focus = view.focus.other(),
            View::Txs(view) if is_wide => view.focus = view.focus.other(),
            View::Blocks(view) if is_wide => view.focus = view.focus.other(),
            View::RichList(_) if !is_wide => return self.turn_rich_list(),
            View::Token(token) => token.focus = token.focus.other(),
            View::Bridge(view) if view.side == BridgeSide::Quote => view.quote.focus = view.quote.focus.other(),
            _ => return self.turn_tab(1),
        }
        self.effects.redraw = true;
    }

    pub(super) fn focus(&mut self, pane: Pane) {
        match self.navigation.current_mut() {
            View::Overview(view) => view.focus = pane,
            View::Txs(view) => view.focus = pane,
            View::Blocks(view) => view.focus = pane,
            View::Token(token) => token.focus = pane,
            View::Bridge(view) if view.side == BridgeSide::Quote => view.quote.focus = pane,
            _ => {}
        }
        self.effects.redraw = true;
    }

    /// The tabs of a transaction, in a page or in a preview.
    pub(super) fn show_tx_tab(&mut self, tab: TxTab) {
        self.effects.redraw = true;
        match self.navigation.current_mut() {
            View::Tx(page) => page.detail.show(tab),
            View::Txs(view) => {
                if let Some((_, detail)) = &mut view.preview {
                    detail.show(tab);
                }
            }
            View::Block(page) => match (tab, &page.raw) {
                (TxTab::Raw, None) => page.raw = Some(Document::default()),
                (TxTab::Raw, Some(_)) => {}
                _ => page.raw = None,
            },
            _ => {}
        }
    }

    fn turn_tab(&mut self, step: isize) {
        match self.navigation.current_mut() {
            View::Collection(page) if page.is_gallery => {
                self.effects.redraw |= page.tokens.move_by(step);
                return;
            }
            View::Token(page) => {
                page.turn_tab();
                self.effects.redraw = true;
                return;
            }
            View::Compare(_) => return self.turn_compared(),
            View::Bridge(view) => {
                view.side = view.side.other();
                self.effects.redraw = true;
                return;
            }
            _ => {}
        }
        let (current, has_evm) = match self.navigation.current() {
            View::Tx(page) => (page.detail.tab, page.detail.has_evm),
            View::Account(page) => {
                let tab = turned(page.tab, step);
                return self.show_account_tab(tab);
            }
            View::Txs(view) => (view.preview.as_ref().map(|(_, detail)| detail.tab).unwrap_or_default(), false),
            View::Block(page) => {
                let tab = if page.raw.is_some() { TxTab::default() } else { TxTab::Raw };
                return self.show_tx_tab(tab);
            }
            _ => return,
        };
        let tabs = TxTab::all(has_evm);
        let place = tabs.iter().position(|tab| *tab == current).unwrap_or(0);
        let next = place.saturating_add(tabs.len()).saturating_add_signed(step) % tabs.len();
        self.show_tx_tab(tabs[next]);
    }

    /// The tabs of an account.
    pub(super) fn show_account_tab(&mut self, tab: AccountTab) {
        if let View::Account(page) = self.navigation.current_mut() {
            page.tab = tab;
        }
        self.effects.redraw = true;
    }

    fn show_raw(&mut self) {
        if matches!(self.navigation.current(), View::Prepare(_)) {
            return self.toggle_prepare_raw();
        }
        if matches!(self.navigation.current(), View::Transfer(_)) {
            return self.toggle_raw_status();
        }
        if let View::Token(page) = self.navigation.current_mut() {
            if page.art.metadata.value().is_none() {
                return self.refuse("this token's metadata is not here; m asks for it");
            }
            page.turn_tab();
            self.effects.redraw = true;
            return;
        }
        let is_raw = matches!(self.navigation.current(), View::Block(page) if page.raw.is_some())
            || matches!(self.navigation.current(), View::Tx(page) if page.detail.tab == TxTab::Raw);
        self.show_tx_tab(if is_raw { TxTab::default() } else { TxTab::Raw });
    }

    fn open_sibling(&mut self, step: isize) {
        match self.navigation.current() {
            View::Block(page) => {
                let height = if step < 0 { Some(page.height.next()) } else { page.height.previous() };
                match height {
                    Some(height) => self.replace_block(height),
                    None => self.refuse("this is the first block"),
                }
            }
            View::Tx(page) => match page.name {
                TxName::Cosmos(hash) => {
                    let origin = page.origin;
                    self.open_sibling_tx(hash, origin, step);
                }
                TxName::Evm(_) => self.refuse("this transaction was not opened from a list"),
            },
            View::RichList(_) => self.step_denom(step),
            View::Collection(_) => self.open_sibling_collection(step),
            View::Token(_) => self.open_sibling_token(step),
            View::Bridge(view) if view.side == BridgeSide::Quote => self.step_route(step),
            _ => {}
        }
    }

    fn replace_block(&mut self, height: Height) {
        let id = self.navigation.current_id();
        if let View::Block(page) = self.navigation.current_mut() {
            let raw = page.raw.is_some();
            self.cancel_page(id);
            let view = self.navigation.current_mut();
            *view = View::block(height);
            if let View::Block(page) = view {
                page.raw = raw.then(Document::default);
            }
        }
        self.effects.redraw = true;
    }

    pub(super) fn change_query(&mut self, query: TxQuery) {
        if let Some(view) = self.navigation.current_mut().txs_view_mut() {
            view.query = query;
            view.list.clear();
            view.preview = None;
        }
        self.effects.redraw = true;
    }

    fn toggle_signer_only(&mut self) {
        let Some(view) = self.navigation.current().txs_view() else {
            return self.refuse("signer only works in an account's transactions: go to one with /");
        };
        let mut query = view.query.clone();
        match &mut query.scope {
            TxScope::Account { signer_only, .. } => *signer_only = !*signer_only,
            _ => return self.refuse("signer only works in an account's transactions: go to one with /"),
        }
        self.change_query(query);
    }

    fn toggle_failed_only(&mut self) {
        if let Some(view) = self.navigation.current_mut().txs_view_mut() {
            view.failed_only = !view.failed_only;
            let query = view.query.clone();
            self.change_query(query);
        }
    }

    fn open_signer(&mut self) {
        let signer: Option<Address> = self.selected_tx().and_then(|tx| story::decode(&tx).signer);
        match signer {
            Some(address) => self.open_account(address),
            None => self.refuse("no transaction with a signer is selected"),
        }
    }

    fn open_block_of_selection(&mut self) {
        match self.selected_tx() {
            Some(tx) => self.open_block(tx.height),
            None => self.refuse("no transaction is selected"),
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
        self.refresh_lists();
        match self.navigation.current_mut() {
            View::Block(page) if page.block.value().is_none() => page.block = Remote::Idle,
            View::Tx(page) => page.ask_again(),
            View::Account(page) => page.ask_again(),
            View::Results(view) => view.ask_failed_again(),
            View::Prepare(_) => self.refresh_prepare(),
            _ => {}
        }
        self.refresh_nft_page();
        self.refresh_transfers();
        self.refresh_quotes();
        self.tell("asking again");
    }

    fn flip_address(&mut self) {
        self.address_form = self.address_form.flipped();
        self.effects.redraw = true;
        match self.navigation.current_mut() {
            View::Tx(page) => page.detail.rebuild(),
            View::Txs(view) => {
                if let Some((_, detail)) = &mut view.preview {
                    detail.rebuild();
                }
            }
            _ => {}
        }
    }
}

/// The tab so many steps from this one, around the end.
fn turned(tab: AccountTab, step: isize) -> AccountTab {
    let tabs: Vec<AccountTab> = AccountTab::iter().collect();
    let place = (tab as usize).saturating_add(tabs.len()).saturating_add_signed(step) % tabs.len();
    tabs[place]
}
