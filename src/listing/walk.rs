//! Paging through a list: finds new rows, the start of the next page, and the end.

use std::{
    collections::{HashMap, HashSet, hash_map::Entry},
    sync::Arc,
};

use super::{
    LARGEST_PAGE, PAGE,
    report::{EarlyEnd, WalkReport},
    subject::{ListSubject, SortKey},
};
use crate::{
    client::{IndexerClient, VerbatimPage},
    domain::text::group,
    msg::{ListPage, ListedRow, Note, Order, PageKey, PageRequest, PageStart, Total},
    wire::{ApiError, ErrorKind, Verbatim},
};

/// Maximum rows to scan for a filter that the server does not apply; `--all` removes the limit.
const MOST_SCANNED: usize = 10_000;

pub(crate) type WalkedRow<T> = ListedRow<Arc<Verbatim<T>>>;

/// Maximum consecutive pages without a matching row: a server may return new keys forever.
const MOST_WITHOUT_ROWS: usize = 2000;

/// Identity of a row, readable or not.
#[derive(PartialEq, Eq, Hash)]
enum SeenRow<K> {
    Read(K),
    Unreadable(Arc<str>),
}

pub(crate) struct WalkedPage<T> {
    pub(crate) rows: Vec<WalkedRow<T>>,
    pub(crate) total: Total,
    pub(crate) is_last: bool,
}

type LastRow<T> = (Arc<Verbatim<T>>, Option<SortKey>);

pub(crate) struct PageWalk<'a, Q: ListSubject> {
    query: &'a Q,
    client: &'a IndexerClient,
    request: Option<PageRequest>,
    /// Response to the first request, if the caller already has it.
    answered: Option<VerbatimPage<Q::Item>>,
    order: Order,
    left: u64,
    all: bool,
    /// Rows seen, with what another row of the key must agree in.
    seen: HashMap<SeenRow<Q::Key>, Option<u64>>,
    keys: HashSet<PageKey>,
    last: Option<LastRow<Q::Item>>,
    /// Key of the next page. If only a part of the last page was written, also the number of its written rows.
    next: Option<PageKey>,
    cut: Option<(PageRequest, usize)>,
    /// Consecutive pages without new rows.
    without_rows: usize,
    pub(crate) report: WalkReport,
}

/// Part of a list to read.
#[derive(Clone, Debug)]
pub(crate) struct WalkRange {
    pub(crate) start: PageStart,
    /// Maximum rows; `None` for all.
    pub(crate) limit: Option<u64>,
    pub(crate) order: Order,
    pub(crate) count_total: bool,
}

impl WalkRange {
    pub(crate) fn first_page(&self) -> PageRequest {
        let one_page = self.limit.filter(|limit| *limit <= LARGEST_PAGE);
        let limit = one_page.and_then(|limit| u16::try_from(limit).ok()).unwrap_or(PAGE);
        PageRequest { cursor: self.start.clone(), limit, order: self.order, count_total: self.count_total }
    }
}

/// Reason why a list could not be read further.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WalkError {
    #[error("{0}")]
    Stopped(String),
    /// A request failed.
    #[error("{name}: {error}")]
    Request { name: String, error: ApiError },
}

impl<'a, Q: ListSubject> PageWalk<'a, Q> {
    pub(crate) fn new(query: &'a Q, client: &'a IndexerClient, range: &WalkRange) -> Self {
        let request = range.first_page();
        Self {
            query,
            client,
            order: request.order,
            request: Some(request),
            answered: None,
            left: range.limit.unwrap_or(u64::MAX),
            all: range.limit.is_none(),
            seen: HashMap::new(),
            keys: HashSet::new(),
            last: None,
            next: None,
            cut: None,
            without_rows: 0,
            report: WalkReport::default(),
        }
    }

    /// Sets the response to the first request.
    pub(crate) fn answered(self, page: VerbatimPage<Q::Item>) -> Self {
        Self { answered: Some(page), ..self }
    }

    /// Requests the next page; `None` after the last page.
    pub(crate) async fn next(&mut self) -> Result<Option<WalkedPage<Q::Item>>, WalkError> {
        while let Some(request) = self.request.take() {
            let page = match self.answered.take() {
                Some(page) => page,
                None => self.ask(&request).await?,
            };
            let (rows, rest) = page.into_listed();
            let rows = self.take(rows, &rest, &request);
            self.request = self.following(&rest, &request);
            self.see_behind(&rest, &request).await?;
            self.report.is_complete = self.left > 0 && self.next.is_none() && self.report.early_end.is_none();
            self.without_rows = if rows.is_empty() { self.without_rows + 1 } else { 0 };
            if self.request.is_some() && self.without_rows >= MOST_WITHOUT_ROWS {
                return Err(self.endless());
            }
            if !rows.is_empty() || self.request.is_none() {
                return Ok(Some(WalkedPage { rows, total: rest.total, is_last: self.request.is_none() }));
            }
        }
        Ok(None)
    }

    /// Requests the page behind a short one that names it, and continues there if that has rows.
    async fn see_behind(&mut self, rest: &ListPage<()>, request: &PageRequest) -> Result<(), WalkError> {
        let key = rest.notes.iter().find_map(Note::short_page).filter(|_| self.left > 0).cloned();
        let Some(key) = key.filter(|_| self.report.early_end.is_none()) else { return Ok(()) };
        let behind = self.following(&ListPage { next: Some(key), ..rest.clone() }, request);
        let Some(behind) = behind else { return Ok(()) };
        let page = self.ask(&behind).await?;
        if page.items.is_empty() && page.unreadable().next().is_none() && page.next.is_none() {
            self.next = None;
        } else {
            (self.request, self.answered) = (Some(behind), Some(page));
        }
        Ok(())
    }

    /// Creates the error for a walk without matches; it contains the key to continue.
    fn endless(&self) -> WalkError {
        let pages = group(MOST_WITHOUT_ROWS as u64);
        let rows = group(self.report.scanned as u64);
        let key = self.next.as_ref().map_or_else(String::new, |key| format!("; --key '{}' continues there", key.0));
        WalkError::Stopped(format!(
            "stopped reading {}: {pages} pages in a row had no match, {rows} rows scanned, and the server has more{key}",
            self.query.name(),
        ))
    }

    async fn ask(&self, request: &PageRequest) -> Result<VerbatimPage<Q::Item>, WalkError> {
        match self.client.list_verbatim(self.query, request).await {
            Ok(page) => Ok(page),
            Err(error) => Err(self.failure(error, request).await),
        }
    }

    pub(crate) async fn failure(&self, error: ApiError, request: &PageRequest) -> WalkError {
        if matches!(error.kind, ErrorKind::Server { .. }) && (self.last.is_some() || request.cursor == PageStart::Start)
        {
            let last = self.last.as_ref().map(|(row, _)| &row.value);
            if let Some(sentence) = self.query.failing_row(self.client, last, self.order).await {
                return WalkError::Stopped(sentence);
            }
        }
        WalkError::Request { name: self.query.name(), error }
    }

    /// Returns the page's new rows, up to the number still wanted.
    fn take(
        &mut self,
        rows: Vec<WalkedRow<Q::Item>>,
        rest: &ListPage<()>,
        request: &PageRequest,
    ) -> Vec<WalkedRow<Q::Item>> {
        self.report.take_notes(&rest.notes);
        match (rest.total, &request.cursor) {
            (Total::Exact(total), PageStart::Start) => self.report.counted = Some(total),
            (Total::About(total), PageStart::Start) => self.report.highest = Some(total),
            _ => {}
        }
        let came = rows.len();
        let mut taken = Vec::with_capacity(came);
        let mut through = 0;
        for (place, row) in rows.into_iter().enumerate() {
            if self.left == 0 {
                break;
            }
            through = place + 1;
            if self.is_new(&row) {
                self.left -= 1;
                taken.push(row);
            }
        }
        self.cut = (through < came).then(|| (request.clone(), through));
        if came > 0 && taken.is_empty() {
            self.report.early_end = Some(EarlyEnd::NothingNew);
        }
        taken
    }

    /// Whether a row is new; records repeated rows and rows out of order.
    fn is_new(&mut self, row: &WalkedRow<Q::Item>) -> bool {
        let key = match row {
            ListedRow::Read(row) => SeenRow::Read(self.query.key(&row.value)),
            ListedRow::Unreadable(row) => SeenRow::Unreadable(Arc::clone(&row.raw)),
        };
        let constant = match row {
            ListedRow::Read(row) => self.query.constant(&row.value),
            ListedRow::Unreadable(_) => None,
        };
        let seen = constant.as_ref().map(|(value, _)| *value);
        match self.seen.entry(key) {
            Entry::Vacant(entry) => drop(entry.insert(seen)),
            Entry::Occupied(entry) => {
                if let Some((_, words)) = constant.filter(|_| *entry.get() != seen) {
                    self.report.contradicted += 1;
                    self.report.first_contradicted.get_or_insert(words);
                } else {
                    self.report.repeated += 1;
                }
                return false;
            }
        }
        self.report.given += 1;
        match row {
            ListedRow::Read(row) => {
                let sorted_by = self.query.sort_key(&row.value);
                let before = self.last.as_ref().and_then(|(_, sorted_by)| *sorted_by);
                let is_behind = match self.order {
                    Order::Descending => before.zip(sorted_by).is_none_or(|(before, here)| here <= before),
                    Order::Ascending => before.zip(sorted_by).is_none_or(|(before, here)| here >= before),
                };
                self.report.out_of_order += u64::from(!is_behind);
                self.last = Some((Arc::clone(row), sorted_by));
            }
            ListedRow::Unreadable(row) => {
                self.report.unreadable += 1;
                self.report.first_unreadable.get_or_insert_with(|| Arc::clone(row));
            }
        }
        true
    }

    /// Returns the request for the next page; `None` if the server has no next page or the command wants no more rows.
    fn following(&mut self, rest: &ListPage<()>, request: &PageRequest) -> Option<PageRequest> {
        self.next.clone_from(&rest.next);
        let key = rest.next.clone().filter(|_| self.left > 0)?;
        if !self.keys.insert(key.clone()) {
            self.report.early_end = Some(EarlyEnd::RepeatedKey);
        }
        let has_scanned_enough = !self.all && self.report.scanned >= MOST_SCANNED;
        if has_scanned_enough || self.report.early_end.is_some() {
            return None;
        }
        let is_filtered_here = rest.notes.iter().any(|note| note.scanned().is_some());
        let limit = if is_filtered_here { PAGE } else { request.limit };
        Some(PageRequest { cursor: PageStart::Key(key), limit, count_total: false, order: request.order })
    }

    /// Returns the key after the last written row; `None` at the end.
    pub(crate) async fn key_behind(&mut self) -> Result<Option<PageKey>, WalkError> {
        let Some((request, rows)) = self.cut.take() else { return Ok(self.next.clone()) };
        // A smaller page from this start ends with that row. Find its size by bisection, because the page contains rows
        // that the filter rejects.
        let (mut low, mut high) = (1, request.limit.saturating_sub(1));
        while low <= high {
            let limit = low + (high - low) / 2;
            let page = self.ask(&PageRequest { limit, count_total: false, ..request.clone() }).await?;
            match (page.items.len() + page.unreadable().count()).cmp(&rows) {
                std::cmp::Ordering::Equal => return Ok(page.next),
                std::cmp::Ordering::Less => low = limit + 1,
                std::cmp::Ordering::Greater => high = limit - 1,
            }
        }
        self.report.early_end = Some(EarlyEnd::UnknownKey);
        Ok(None)
    }
}
