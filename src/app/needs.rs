//! What the screen needs by itself: first loads, further pages, polls; and when time must be told to it.

use std::time::Duration;

use super::{
    App,
    format::TimeForm,
    navigation::Navigation,
    page::{Tab, WordWork},
};
use crate::{
    msg::{Request, Slot},
    widgets::layout::Regions,
};

/// Rows that are put into words in one update at the most: more than nearly every screen has.
const MOST_ROWS: usize = 100;
/// How much is read for that, in bytes: a hundred ordinary records have half of it.
const MOST_BYTES: usize = 1 << 20;
/// Until the rest follows.
const REST: Duration = Duration::from_millis(1);

impl App {
    /// Called after every update: fits the screen to its room and asks for what it lacks.
    pub(super) fn meet_needs(&mut self) {
        self.cancel_forgotten();
        self.meet_identity_needs();
        self.context.awaits_first_rows = self.is_awaiting_first_rows();
        self.meet_denom_needs();
        self.meet_directory_needs();
        // Before the page, which says whether the router is being asked.
        self.meet_transfer_needs();
        self.with_current(|page, cx| page.update(cx));
        self.navigation.current_mut().fit(&Regions::of(self.context.size), &self.context);
        if let Some(modal) = &mut self.modal {
            super::fitting::fit_modal(modal, self.context.size);
        }
        self.put_rows_into_words();
        self.meet_list_needs();
        if !self.frozen {
            self.poll_chain();
        }
    }

    /// Whether the first blocks or transactions are still on their way.
    fn is_awaiting_first_rows(&mut self) -> bool {
        let overview = self.navigation.page_mut(Navigation::root(Tab::Overview));
        overview.is_some_and(|page| page.lists().iter().any(|list| list.is_loading()))
    }

    /// Looks for the denoms that the page wants to know of.
    fn meet_denom_needs(&mut self) {
        if let Some(look) = self.navigation.current().wanted_denoms(&self.context) {
            let known = self.known_denoms(look);
            self.with_current(|page, cx| page.know_denoms(known, cx));
        }
    }

    /// Puts the rows on screen into words that are not yet. Where they are too many the rest follows soon.
    fn put_rows_into_words(&mut self) {
        let mut work = WordWork { rows: MOST_ROWS, bytes: MOST_BYTES, is_left: false, has_told: false };
        self.navigation.current_mut().put_into_words(&self.context, &mut work);
        self.has_untold_rows = work.is_left;
        self.effects.redraw |= work.has_told;
    }

    /// Until the rows on screen that are left are put into words.
    pub(super) fn next_words(&self) -> Option<Duration> {
        self.has_untold_rows.then_some(REST)
    }

    fn cancel_forgotten(&mut self) {
        for id in self.navigation.take_forgotten() {
            self.cancel_page(id);
        }
    }

    /// Asks for whatever is due of the chain as a whole.
    pub(super) fn poll_chain(&mut self) {
        let due = |at: Option<crate::domain::Timestamp>| at.is_some_and(|at| at <= self.now);
        let (status, average, oldest) =
            (due(self.chain.status_due), due(self.chain.average_due), due(self.chain.oldest_due));
        if status && !self.is_waiting(&Slot::Status) {
            self.chain.status_due = None;
            self.context.chain.status.ask(self.context.now);
            self.fetch(Slot::Status, Request::Status);
        }
        if average && !self.is_waiting(&Slot::AvgBlockTime) {
            self.chain.average_due = None;
            self.context.chain.average.ask(self.context.now);
            self.fetch(Slot::AvgBlockTime, Request::AvgBlockTime);
        }
        if oldest && self.wants_oldest() && !self.is_waiting(&Slot::OldestBlock) {
            self.chain.oldest_due = None;
            self.context.chain.oldest.ask(self.context.now);
            self.fetch(Slot::OldestBlock, Request::OldestBlock);
        }
    }

    /// The height in the header needs its block's time, where no list on screen brings it.
    pub(super) fn date_height(&mut self) {
        let brings_blocks = self.navigation.current().brings_blocks();
        if let (Some(height), false) = (self.chain.height(), brings_blocks) {
            self.fetch(Slot::NewestBlock, Request::Block(height));
        }
    }

    /// Where the index begins is shown on the overview only.
    fn wants_oldest(&self) -> bool {
        self.navigation.current().tab() == Tab::Overview
    }

    /// Until the next poll is due.
    pub(super) fn next_poll(&self, now: crate::domain::Timestamp) -> Option<Duration> {
        let oldest = self.chain.oldest_due.filter(|_| self.wants_oldest());
        [self.chain.status_due, self.chain.average_due, oldest].into_iter().flatten().map(|at| at.since(now)).min()
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
        if self.chain.failures > 0 && self.chain.status.value().is_none() && self.is_waiting(&Slot::Status) {
            return true;
        }
        self.navigation.current().is_loading()
    }

    /// Whether the screen shows how long ago something was, or counts down.
    pub(super) fn shows_ages(&self) -> bool {
        !self.frozen && (self.time_form == TimeForm::Age || self.chain.failures > 0)
    }

    /// Until the next age on screen changes: seconds while anything is younger than a minute.
    pub(super) fn next_age_step(&self, now: crate::domain::Timestamp) -> Option<Duration> {
        if !self.shows_ages() || self.chain.status.value().is_none() && self.chain.failures == 0 {
            return None;
        }
        let into_second = Duration::from_nanos(u64::try_from(now.as_nanos().rem_euclid(1_000_000_000)).unwrap_or(0));
        Some(Duration::from_secs(1).saturating_sub(into_second).max(Duration::from_millis(20)))
    }
}
