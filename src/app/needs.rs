//! What the screen requests by itself: first rows, further pages, polls, and timers.

use std::time::Duration;

use super::{
    App,
    denoms::known_denoms,
    directory::DirectoryDemand,
    known_denom::DenomSearchDepth,
    navigation::Navigation,
    page::{Page, PageEvent, Shows, WordWork},
};
use crate::{
    domain::{ShortForms, Timestamp},
    msg::Slot,
};

/// Maximum rows to summarise in an update. Most screens show fewer.
const MOST_ROWS: usize = 100;
/// Maximum bytes of records to summarise in an update, twice the size of a hundred ordinary ones.
const MOST_BYTES: usize = 1 << 20;
/// Time between two frames of the spinner.
const SPIN: Duration = Duration::from_millis(100);
/// Time before the remaining rows are summarised.
const REST: Duration = Duration::from_millis(1);

impl App {
    /// Lays out the screen and requests missing data, after every update.
    pub(super) fn meet_needs(&mut self) {
        for id in self.navigation.take_forgotten() {
            self.requests.cancel_page(id);
        }
        if self.context.chain.named_else.is_some() {
            if let Some(modal) = &mut self.modal {
                super::fitting::fit_modal(modal, self.context.size);
            }
            // Only the status is requested, until the chains match again.
            return self.poll_chain();
        }
        let asked = self.context.chain.ask_identity(self.context.now, |slot| self.requests.is_waiting(slot));
        self.requests.fetch_all(asked);
        self.context.awaits_first_rows = self.navigation.awaits_first_rows();
        self.meet_denom_needs();
        self.meet_directory_needs();
        // It comes before the page's update, since the page shows whether a status request is pending.
        self.meet_transfer_needs();
        self.update_page();
        if let Some(modal) = &mut self.modal {
            super::fitting::fit_modal(modal, self.context.size);
        }
        self.tell_accounts_apart();
        self.meet_list_needs();
        // The page's words looked up the denoms.
        self.requests.fetch_all(self.context.ask_denom_reports());
        self.requests.fetch_all(self.context.ask_returned());
        self.requests.fetch_all(self.context.ask_collection_name());
        if !self.context.frozen {
            self.poll_chain();
        }
    }

    /// Runs the denom search that the current page needs.
    fn meet_denom_needs(&mut self) {
        let Some(look) = self.navigation.current().place().wanted_denoms else { return };
        if look == DenomSearchDepth::SearchNews {
            let held = self.navigation.roots().map(Page::held).map(|held| held.blocks.len() + held.txs.len());
            let held = held.sum::<usize>();
            let looked_at = Some((held + self.context.supply().len(), self.context.awaits_first_rows));
            if std::mem::replace(&mut self.searched_for_denoms, looked_at) == looked_at {
                return;
            }
        }
        let known = known_denoms(&self.context, &self.navigation, look);
        self.notify_page(PageEvent::KnowDenoms(known));
    }

    /// Updates the current page. Rows beyond the budget are summarised in the next update.
    fn update_page(&mut self) {
        let place = self.screen().place_in_block();
        let words = self.with_current(|page, cx| {
            cx.place_in_block = place;
            cx.words = WordWork { rows: MOST_ROWS, bytes: MOST_BYTES, ..WordWork::default() };
            page.update(cx);
            std::mem::take(&mut cx.words)
        });
        let words = words.unwrap_or_default();
        self.has_rows_without_summary = words.is_left;
        self.needs_redraw |= words.has_changed;
    }

    /// Lengthens shortened addresses on screen that would look alike.
    fn tell_accounts_apart(&mut self) {
        // An unchanged screen has unchanged accounts.
        if !self.needs_redraw {
            return;
        }
        let page = self.navigation.current_mut();
        let mut accounts = page.held().accounts;
        for list in page.visible_lists() {
            list.each_account(&mut |account| accounts.push(account));
        }
        let style = self.context.address_style.with_short(ShortForms::new(accounts));
        if style != self.context.address_style {
            self.context.address_style = style;
            self.update_page();
            self.needs_redraw = true;
        }
    }

    /// Sends the requests about the chain that are due.
    pub(super) fn poll_chain(&mut self) {
        let Self { context, requests, navigation, .. } = self;
        let shows_oldest = shows_oldest(navigation);
        let asked = context.chain.ask(context.now, shows_oldest, |slot| requests.is_waiting(slot));
        self.requests.fetch_all(asked);
    }

    /// Requests names from the router: all on bridge screens, elsewhere those of this chain's tokens.
    fn meet_directory_needs(&mut self) {
        let Self { context, requests, navigation, .. } = self;
        let page = navigation.current();
        requests.fetch_all(context.ask_node_names());
        if !context.has_router() {
            return;
        }
        context.learn_names();
        let own = context.own_chain();
        let place = page.place();
        if !place.shows(Shows::RouterNames) {
            let mut asked = context.ask_names(own.as_ref());
            if place.shows(Shows::Claims)
                && (!context.transfers.all().is_empty() || !context.glossary.named_accounts().is_empty())
            {
                asked.extend(context.directory.ask_settlement(context.now));
            }
            return self.requests.fetch_all(asked);
        }
        let (shows_wallet, is_frozen) = (place.shows(Shows::Wallet), context.frozen);
        let demand = DirectoryDemand { own: own.as_ref(), shows_wallet, is_frozen };
        let asked = context.directory.ask(&demand, |slot| requests.is_waiting(slot), context.now);
        self.requests.fetch_all(asked);
    }

    /// Returns the time until the next [`super::Event::Tick`]; `None` while nothing on screen changes by itself.
    pub fn next_tick(&self, now: Timestamp) -> Option<Duration> {
        let until = |at: Timestamp| at.since(now);
        let toast = self.toasts.shown().map(|toast| until(toast.until));
        let spinner = self.is_loading_visibly().then_some(SPIN);
        let poll = if self.context.frozen {
            None
        } else {
            self.context.chain.next_poll(shows_oldest(&self.navigation)).map(until)
        };
        let age = self.context.next_age_step(now);
        let page = self.navigation.current().wake_in(&self.context, now);
        let transfer = self.next_transfer_poll(now);
        let has_lookups = self.context.has_new_denoms() || self.context.glossary.has_lookups();
        let words = (self.has_rows_without_summary || has_lookups).then_some(REST);
        [toast, spinner, poll, age, page, transfer, words].into_iter().flatten().min()
    }

    /// Whether the screen shows that first rows are loading.
    pub(super) fn is_loading_visibly(&self) -> bool {
        if self
            .modal
            .as_ref()
            .is_some_and(|modal| matches!(modal, super::modal::Modal::GoTo(go_to) if go_to.is_waiting()))
        {
            return true;
        }
        if self.context.chain.failures > 0
            && self.context.chain.status.value().is_none()
            && self.requests.is_waiting(&Slot::Status)
        {
            return true;
        }
        self.navigation.current().place().is_loading
    }
}

fn shows_oldest(navigation: &Navigation) -> bool {
    navigation.current().place().shows(Shows::WholeChain)
}
