//! A window over a list that lives on a server: what it asks for, and how answers come in.

use std::time::Duration;

use super::{ListRow, ListWindow, NewestOutcome, PAGE, PageOutcome, PendingRecount, RowFilter};
use crate::{
    domain::{Address, MsgType, Timestamp},
    msg::{Answer, ListPage, ListedRow, Order, PageRequest, Remote, Request, Total},
    wire::{ApiError, ErrorKind},
};

/// Rows of a poll's page at the least.
const FEWEST: u16 = 8;
/// A total that is no count of this list, and so costs the server nothing, is asked for again after this long.
const RECOUNTED_EVERY: Duration = Duration::from_secs(30);
/// After this long a list that is not polled is asked for again when its screen comes back.
const OLD: Duration = Duration::from_secs(20);
/// After this long older rows are asked for again that a server has not indexed yet: it says so itself.
const FILLING: Duration = Duration::from_secs(1);

/// What a list is of.
pub(crate) trait ListSource {
    type Row: ListRow;

    /// The request for one of its pages; the page's order is the query's to choose.
    fn request(&self, page: PageRequest) -> Request;

    /// The rows of an answer; `None` where it is of another kind.
    fn rows(&self, answer: Answer) -> Option<ListPage<Self::Row>>;

    /// Rows of a further page.
    fn page_size(&self) -> u16 {
        PAGE
    }

    /// Whether rows can still arrive at its top; a newest page of another list takes the place of all rows.
    fn is_live(&self) -> bool {
        false
    }

    /// Which rows are kept, where not the server chooses them.
    fn keep(&self) -> RowFilter<Self::Row> {
        |_| true
    }

    /// Message types that these rows have.
    fn types(&self, _rows: &[Self::Row]) -> Vec<MsgType> {
        Vec::new()
    }
}

/// What became of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListUpdate {
    /// Whether anything on screen may have changed.
    pub(crate) is_changed: bool,
    /// Whether a newest page came where one was already.
    pub(crate) is_refresh: bool,
    /// Message types that came.
    pub(crate) types: Vec<MsgType>,
    /// Rows of a further page that the list had already.
    pub(crate) repeated: usize,
}

/// A list of any rows, as the session sees it.
pub(crate) trait RemoteList {
    /// Everything that it waits for, and what it lacks by now: its newest page, or a further one.
    fn wanted(&mut self, now: Timestamp) -> Vec<Request>;

    /// Whether this is what it waits for.
    fn is_waiting_for(&self, request: &Request) -> bool;

    /// Whether its first rows are awaited.
    fn is_loading(&self) -> bool;

    /// Takes in the answer to something that it waits for.
    fn take(&mut self, request: &Request, result: Result<Answer, ApiError>, now: Timestamp) -> ListUpdate;

    /// The chain grew: rows may have arrived.
    fn poll(&mut self, now: Timestamp);

    /// What was counted so far was of an index that was not whole.
    fn recount(&mut self);

    /// To see everything anew.
    fn refresh(&mut self);

    /// A short list that does not grow at its top is asked for anew when it came a while ago.
    fn refresh_if_old(&mut self, now: Timestamp);

    /// What failed at least `patience` ago is wanted again.
    fn retry(&mut self, patience: Duration, now: Timestamp);

    /// The accounts that its rows on screen may show by both ends of their addresses.
    fn each_account(&self, see: &mut dyn FnMut(Address));
}

/// A window and what it lists.
pub(crate) struct QueriedList<'a, Q: ListSource> {
    window: &'a mut ListWindow<Q::Row>,
    query: Q,
}

impl<'a, Q: ListSource + 'a> QueriedList<'a, Q> {
    /// The list of this query in this window, as the session sees it.
    pub(crate) fn boxed(window: &'a mut ListWindow<Q::Row>, query: Q) -> Box<dyn RemoteList + 'a> {
        Box::new(Self { window, query })
    }

    /// The request for the page that the window fetches.
    fn further(&self) -> Option<Request> {
        let (_, cursor) = self.window.fetching.clone()?;
        let limit = self.query.page_size();
        Some(self.query.request(PageRequest { cursor, limit, order: Order::Descending, count_total: false }))
    }

    fn newest(&self) -> Option<Request> {
        self.window.newest_asked.clone().map(|page| self.query.request(page))
    }

    fn ask_newest(&mut self, page: PageRequest) {
        self.window.newest_asked.get_or_insert(page);
    }

    /// What came of an index that was not whole is asked for again.
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
                // Not by the rows that came: a server that fails on large pages is asked for smaller ones.
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

    /// Whether anything on screen may have changed, and how many of the rows were held already.
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
        [self.newest(), self.further()].into_iter().flatten().collect()
    }

    fn is_waiting_for(&self, request: &Request) -> bool {
        [self.newest(), self.further()].into_iter().flatten().any(|wanted| wanted == *request)
    }

    fn is_loading(&self) -> bool {
        self.window.state.is_loading()
    }

    fn take(&mut self, request: &Request, result: Result<Answer, ApiError>, now: Timestamp) -> ListUpdate {
        let is_newest = self.newest().as_ref() == Some(request);
        let rows = result.and_then(|answer| self.query.rows(answer).ok_or_else(ApiError::of_another_kind));
        let types = rows.as_ref().map(|page| self.query.types(&page.items)).unwrap_or_default();
        if !is_newest {
            let (is_changed, repeated) = self.take_further(rows, now);
            return ListUpdate { is_changed, is_refresh: false, types, repeated };
        }
        let is_refresh = rows.is_ok() && self.window.state.value().is_some();
        let limit = self.window.newest_asked.take().map_or(PAGE, |page| page.limit);
        ListUpdate { is_changed: self.take_newest(rows, limit, now), is_refresh, types, repeated: 0 }
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
        // Twice what came the last time. A list that is filtered on this side sees only some of the rows that came, so
        // it asks for all it can. Not counted, which costs the server most.
        let is_filtered_here = list.notes.iter().any(|note| note.scanned().is_some());
        let rows = (2 * list.arrivals + 2).clamp(usize::from(FEWEST), usize::from(PAGE));
        if list.is_filling() {
            // Its total was not known: it is asked for until it is.
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
