//! What the screen needs by itself: first loads, further pages, polls; and when time must be told to it.

use std::time::Duration;

use super::{
    App,
    denoms::known_denoms,
    directory::DirectoryDemand,
    known_denom::DenomSearchDepth,
    navigation::Navigation,
    page::{Page, Tab, WordWork},
};
use crate::{
    domain::{ShortForms, Timestamp},
    msg::Slot,
    widgets::layout::Regions,
};

/// Rows that are put into words in one update at the most: more than nearly every screen has.
const MOST_ROWS: usize = 100;
/// How much is read for that, in bytes: a hundred ordinary records have half of it.
const MOST_BYTES: usize = 1 << 20;
/// Between two frames of a spinner.
const SPIN: Duration = Duration::from_millis(100);
/// Until the rest follows.
const REST: Duration = Duration::from_millis(1);

impl App {
    /// Called after every update: fits the screen to its room and asks for what it lacks.
    pub(super) fn meet_needs(&mut self) {
        for id in self.navigation.take_forgotten() {
            self.requests.cancel_page(id);
        }
        if self.chain.named_else.is_some() {
            if let Some(modal) = &mut self.modal {
                super::fitting::fit_modal(modal, self.context.size);
            }
            // Only whether that is still so is asked.
            return self.poll_chain();
        }
        self.identify_chain();
        self.context.awaits_first_rows = self.navigation.awaits_first_rows();
        self.meet_denom_needs();
        self.meet_directory_needs();
        // Before the page, which says whether the router is being asked.
        self.meet_transfer_needs();
        self.with_current(Page::update);
        self.navigation.current_mut().fit(&Regions::of(self.context.size), &self.context);
        if let Some(modal) = &mut self.modal {
            super::fitting::fit_modal(modal, self.context.size);
        }
        self.put_rows_into_words();
        self.tell_accounts_apart();
        self.meet_list_needs();
        if !self.frozen {
            self.poll_chain();
        }
    }

    /// Looks for the denoms that the page on screen wants to know of.
    fn meet_denom_needs(&mut self) {
        let Some(look) = self.navigation.current().wanted_denoms(&self.context) else { return };
        if look == DenomSearchDepth::SearchNews {
            let held = self.navigation.roots().map(|page| page.blocks().len() + page.txs().len()).sum();
            let looked_at = Some((held, self.awaits_first_rows));
            if std::mem::replace(&mut self.searched_for_denoms, looked_at) == looked_at {
                return;
            }
        }
        let known = known_denoms(&self.context, &self.navigation, look);
        self.with_current(|page, cx| page.know_denoms(known, cx));
    }

    /// Puts the rows on screen into words that are not yet. Where they are too many the rest follows soon.
    fn put_rows_into_words(&mut self) {
        let mut work = WordWork { rows: MOST_ROWS, bytes: MOST_BYTES, is_left: false, has_changed: false };
        self.navigation.current_mut().put_into_words(&self.context, &mut work);
        self.has_rows_without_summary = work.is_left;
        self.effects.redraw |= work.has_changed;
    }

    /// Where two accounts on screen would look alike, both are written with more of their addresses.
    fn tell_accounts_apart(&mut self) {
        // Where nothing on screen changed there are no other accounts either.
        if !self.effects.redraw {
            return;
        }
        let page = self.navigation.current_mut();
        let mut accounts = page.accounts();
        for list in page.visible_lists() {
            list.each_account(&mut |account| accounts.push(account));
        }
        let style = self.context.address_style.with_short(ShortForms::of(accounts));
        if style != self.context.address_style {
            self.context.address_style = style;
            self.with_current(Page::update);
            self.put_rows_into_words();
            self.effects.redraw = true;
        }
    }

    /// Asks for what tells chains apart.
    fn identify_chain(&mut self) {
        let Self { context, requests, .. } = self;
        let asked = context.chain.ask_identity(context.now, |slot| requests.is_waiting(slot));
        self.requests.fetch_all(asked);
    }

    /// Asks for whatever is due of the chain as a whole.
    pub(super) fn poll_chain(&mut self) {
        let Self { context, requests, navigation, .. } = self;
        let shows_oldest = shows_oldest(navigation);
        let asked = context.chain.ask(context.now, shows_oldest, |slot| requests.is_waiting(slot));
        self.requests.fetch_all(asked);
    }

    /// Asks the router for what pages name by its words: on its own screens all, elsewhere the tokens of this chain.
    fn meet_directory_needs(&mut self) {
        let Self { context, requests, navigation, .. } = self;
        let page = navigation.current();
        requests.fetch_all(context.ask_node_names().into_iter().chain(context.ask_contract_units()).collect());
        if !context.has_router() {
            return;
        }
        context.learn_names();
        let own = context.own_chain();
        if page.tab() != Tab::Bridge {
            let asked = context.ask_names(own.as_ref());
            return self.requests.fetch_all(asked);
        }
        let (shows_wallet, is_frozen) = (page.shows_wallet(), context.frozen);
        let demand = DirectoryDemand { own: own.as_ref(), shows_wallet, is_frozen };
        let asked = context.directory.ask(&demand, |slot| requests.is_waiting(slot), context.now);
        self.requests.fetch_all(asked);
    }

    /// After how long the state wants an [`super::Event::Tick`]; `None` when nothing on screen moves by itself.
    pub fn next_tick(&self, now: Timestamp) -> Option<Duration> {
        let until = |at: Timestamp| at.since(now);
        let toast = self.toasts.shown().map(|toast| until(toast.until));
        let spinner = self.is_loading_visibly().then_some(SPIN);
        let poll = if self.frozen { None } else { self.chain.next_poll(shows_oldest(&self.navigation)).map(until) };
        let age = self.context.next_age_step(now);
        let page = self.navigation.current().wake_in(&self.context, now);
        let transfer = self.next_transfer_poll(now);
        let words = self.has_rows_without_summary.then_some(REST);
        [toast, spinner, poll, age, page, transfer, words].into_iter().flatten().min()
    }

    /// Whether something on screen is awaited for the first time.
    pub(super) fn is_loading_visibly(&self) -> bool {
        if self
            .modal
            .as_ref()
            .is_some_and(|modal| matches!(modal, super::modal::Modal::GoTo(go_to) if go_to.is_waiting()))
        {
            return true;
        }
        if self.chain.failures > 0 && self.chain.status.value().is_none() && self.requests.is_waiting(&Slot::Status) {
            return true;
        }
        self.navigation.current().is_loading()
    }
}

/// Where the index begins is shown on the overview only.
fn shows_oldest(navigation: &Navigation) -> bool {
    navigation.current().tab() == Tab::Overview
}
