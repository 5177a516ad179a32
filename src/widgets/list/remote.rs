//! Requests and responses of a window over a server's list.

use std::time::Duration;

use super::{ListRow, ListWindow, NewestOutcome, PAGE, PageOutcome, PendingRecount, RowFilter};
use crate::{
    domain::{Address, MsgType, Target, Timestamp},
    msg::{Answer, Ask, ListPage, ListedRow, Order, PageRequest, Remote, Request, Total},
    wire::{ApiError, ErrorKind},
};

/// Minimum page size of a poll, in rows.
const FEWEST: u16 = 8;
/// Interval between requests for an approximate total, which the server returns without counting rows.
const RECOUNTED_EVERY: Duration = Duration::from_secs(30);
/// Age from which an unpolled list refreshes when its page is shown again.
const OLD: Duration = Duration::from_secs(20);
/// Interval between requests for older rows while the server is still indexing them.
const FILLING: Duration = Duration::from_secs(1);

pub(crate) trait ListSource {
    type Row: ListRow;
    type Item: 'static;

    /// Builds the request for a page. The query may choose another order than the given order.
    fn ask(&self, page: PageRequest) -> Ask<ListPage<Self::Item>>;

    fn rows(&self, page: ListPage<Self::Item>) -> ListPage<Self::Row>;

    /// Size of a further page, in rows.
    fn page_size(&self) -> u16 {
        PAGE
    }

    /// Whether rows can arrive at the list's top; otherwise a newest page replaces all rows.
    fn is_live(&self) -> bool {
        false
    }

    /// Returns the local filter, for a server that does not filter.
    fn keep(&self) -> RowFilter<Self::Row> {
        |_| true
    }

    fn types(&self, _rows: &[Self::Row]) -> Vec<MsgType> {
        Vec::new()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListUpdate {
    /// Whether anything on screen may have changed.
    pub(crate) is_changed: bool,
    /// Whether a newest page replaced an earlier one.
    pub(crate) is_refresh: bool,
    pub(crate) types: Vec<MsgType>,
    /// Number of rows in a further page that the window already held.
    pub(crate) repeated: usize,
}

/// List on a server, whatever its row type.
pub(crate) trait RemoteList {
    /// Starts the requests that are due, for the newest page or a further one, and returns all pending requests.
    fn wanted(&mut self, now: Timestamp) -> Vec<Request>;

    fn is_waiting_for(&self, request: &Request) -> bool;

    /// Whether the request for the first rows is pending.
    fn is_loading(&self) -> bool;

    fn take(&mut self, request: &Request, result: Result<Answer, ApiError>, now: Timestamp) -> ListUpdate;

    /// Shows another list's rows, of this time, if there never was an answer.
    fn borrow(&mut self, rows: Answer, at: Timestamp);

    /// Requests the rows that new blocks added.
    fn poll(&mut self, now: Timestamp);

    /// Discards the total, which came from an incomplete index.
    fn recount(&mut self);

    fn refresh(&mut self);

    /// Refreshes a short, unpolled list whose rows are older than [`OLD`].
    fn refresh_if_old(&mut self, now: Timestamp);

    /// Retries requests that failed at least `patience` ago.
    fn retry(&mut self, patience: Duration, now: Timestamp);

    /// Frees data that can be requested or computed again.
    fn shrink(&mut self);

    /// Moves the cursor to the target's row, if the window holds it.
    fn select(&mut self, target: &Target);

    /// Visits the accounts whose shortened addresses the visible rows may show.
    fn each_account(&self, see: &mut dyn FnMut(Address));
}

pub(crate) struct QueriedList<'a, Q: ListSource> {
    window: &'a mut ListWindow<Q::Row>,
    query: Q,
}

impl<'a, Q: ListSource + 'a> QueriedList<'a, Q> {
    /// Combines a window and its query; hides the row type.
    pub(crate) fn boxed(window: &'a mut ListWindow<Q::Row>, query: Q) -> Box<dyn RemoteList + 'a> {
        Box::new(Self { window, query })
    }

    /// Returns the request for the page that the window fetches.
    fn further(&self) -> Option<Ask<ListPage<Q::Item>>> {
        let (_, cursor) = self.window.fetching.clone()?;
        let limit = self.query.page_size();
        Some(self.query.ask(PageRequest { cursor, limit, order: Order::Descending, count_total: false }))
    }

    fn newest(&self) -> Option<Ask<ListPage<Q::Item>>> {
        self.window.newest_asked.clone().map(|page| self.query.ask(page))
    }

    fn ask_newest(&mut self, page: PageRequest) {
        self.window.newest_asked.get_or_insert(page);
    }

    /// Requests the total or the list again after an answer from an incomplete index.
    fn ask_recount(&mut self) {
        if self.window.state.value().is_none() || self.window.newest_asked.is_some() {
            return;
        }
        match self.window.recount {
            PendingRecount::Total => {
                self.window.recount = PendingRecount::None;
                self.ask_newest(PageRequest::newest(FEWEST));
            }
            PendingRecount::EntireList => {
                self.window.recount = PendingRecount::Awaited;
                self.ask_newest(PageRequest::newest(PAGE));
            }
            PendingRecount::None | PendingRecount::Awaited => {}
        }
    }

    fn take_newest(&mut self, result: Result<ListPage<Q::Row>, ApiError>, limit: u16, now: Timestamp) -> bool {
        let keep = self.query.keep();
        let list = &mut *self.window;
        let is_anew = list.recount == PendingRecount::Awaited && result.is_ok();
        match result {
            Ok(page) if is_anew || !self.query.is_live() => {
                list.recount = PendingRecount::None;
                list.replace(page, keep, now);
            }
            Ok(page) => match (list.state.error().is_some(), list.take_newest(page, keep, now)) {
                (false, NewestOutcome::Same) => return false,
                (_, NewestOutcome::Same | NewestOutcome::Changed) => {}
                // Compares the limit, not the rows received: a server that fails on large pages gets smaller requests.
                (_, NewestOutcome::Gap(page)) if limit >= PAGE => list.take_gap(page, keep),
                (_, NewestOutcome::Gap(_)) => {
                    self.ask_newest(PageRequest::newest(PAGE));
                    return false;
                }
            },
            Err(error) => {
                list.state.settle(Err(error), now);
                list.failed_at = Some(now);
            }
        }
        true
    }

    /// Inserts a further page. Returns whether anything on screen may have changed, and the number of rows already
    /// held.
    fn take_further(&mut self, result: Result<ListPage<Q::Row>, ApiError>, now: Timestamp) -> (bool, usize) {
        match result {
            Ok(page) => {
                let repeated = self.window.count_repeated(&page.items);
                (matches!(self.window.take_page(page, self.query.keep()), PageOutcome::Done), repeated)
            }
            Err(error) => {
                self.window.fail_fetch(error, now);
                (true, 0)
            }
        }
    }
}

impl<'a, Q: ListSource + 'a> RemoteList for QueriedList<'a, Q> {
    fn wanted(&mut self, now: Timestamp) -> Vec<Request> {
        if matches!(self.window.state, Remote::Idle) {
            self.window.state.ask(now);
            self.ask_newest(PageRequest::newest(PAGE));
        } else if self.window.fetching.is_none() {
            self.window.begin_fetch();
        }
        self.ask_recount();
        [self.newest(), self.further()].into_iter().flatten().map(|ask| ask.request().clone()).collect()
    }

    fn is_waiting_for(&self, request: &Request) -> bool {
        [self.newest(), self.further()].into_iter().flatten().any(|ask| ask.request() == request)
    }

    fn is_loading(&self) -> bool {
        self.window.state.is_loading()
    }

    fn take(&mut self, request: &Request, result: Result<Answer, ApiError>, now: Timestamp) -> ListUpdate {
        let newest = self.newest().filter(|ask| ask.request() == request);
        let is_newest = newest.is_some();
        let Some(ask) = newest.or_else(|| self.further()) else { return ListUpdate::default() };
        let rows = ask.read(result).map(|page| self.query.rows(page));
        let types = rows.as_ref().map(|page| self.query.types(&page.items)).unwrap_or_default();
        if !is_newest {
            let (is_changed, repeated) = self.take_further(rows, now);
            return ListUpdate { is_changed, is_refresh: false, types, repeated };
        }
        let is_refresh = rows.is_ok() && self.window.state.value().is_some();
        let limit = self.window.newest_asked.take().map_or(PAGE, |page| page.limit);
        ListUpdate { is_changed: self.take_newest(rows, limit, now), is_refresh, types, repeated: 0 }
    }

    fn borrow(&mut self, rows: Answer, at: Timestamp) {
        if let Ok(page) = self.query.ask(PageRequest::newest(PAGE)).read(Ok(rows)) {
            let (page, keep) = (self.query.rows(page), self.query.keep());
            self.window.borrow(page.items.into_iter().filter(keep), at);
        }
    }

    fn recount(&mut self) {
        if self.query.is_live() && self.window.state.value().is_some() {
            self.window.forget_total();
        }
    }

    fn poll(&mut self, now: Timestamp) {
        let list = &*self.window;
        if list.state.value().is_none() || !self.query.is_live() {
            return;
        }
        // Twice the last arrivals, without the total, which costs the server most. A locally filtered list sees only
        // some rows, so it requests full pages.
        let is_filtered_here = list.notes.iter().any(|note| note.scanned().is_some());
        let rows = (2 * list.arrivals + 2).clamp(usize::from(FEWEST), usize::from(PAGE));
        if list.is_filling() {
            // Repeats the request until the server reports a total.
            return self.ask_newest(PageRequest::newest(PAGE));
        }
        let limit = if is_filtered_here { PAGE } else { u16::try_from(rows).unwrap_or(PAGE) };
        let is_old = list.counted_at.is_some_and(|at| now.since(at) >= RECOUNTED_EVERY);
        let count_total = is_old && matches!(list.total, Total::About(_));
        self.ask_newest(PageRequest { count_total, ..PageRequest::newest(limit) });
    }

    fn refresh(&mut self) {
        let list = &mut *self.window;
        list.resume();
        if list.state.value().is_none() || list.rows().is_empty() {
            list.state = Remote::Idle;
        } else {
            self.ask_newest(PageRequest::newest(PAGE));
        }
    }

    fn refresh_if_old(&mut self, now: Timestamp) {
        let list = &*self.window;
        let is_old = list.state.at().is_some_and(|at| now.since(at) >= OLD);
        let is_short = list.rows().len() <= usize::from(PAGE) && !list.has_rows_above();
        if is_old && is_short && !self.query.is_live() {
            self.ask_newest(PageRequest::newest(PAGE));
        }
    }

    fn shrink(&mut self) {
        self.window.shrink();
    }

    fn select(&mut self, target: &Target) {
        self.window.select_where(|row| row.is_of(target));
    }

    fn each_account(&self, see: &mut dyn FnMut(Address)) {
        self.window.visible().1.filter_map(ListedRow::read).for_each(|row| row.each_account(see));
    }

    fn retry(&mut self, patience: Duration, now: Timestamp) {
        let list = &mut *self.window;
        let is_early =
            list.page_error.as_ref().is_some_and(|error| matches!(error.kind, ErrorKind::NotIndexedYet { .. }));
        let patience = if is_early { patience.min(FILLING) } else { patience };
        if list.failed_at.is_some_and(|at| now.since(at) >= patience) {
            list.failed_at = None;
            list.page_error = None;
            if list.state.value().is_none() && list.state.error().is_some() {
                list.state = Remote::Idle;
            }
        }
    }
}
