mod arrivals;
mod bookmark;
mod held;
mod order;
mod remote;

pub(crate) use arrivals::{NewestOutcome, PageOutcome};
pub(crate) use held::HeldRows;
pub(crate) use order::RowSorting;
pub(crate) use remote::{ListSource, QueriedList, RemoteList};

use std::{collections::VecDeque, num::NonZeroU64};

use ratatui::layout::Rect;

use self::{bookmark::Bookmarks, held::HeldKey, order::SortedPlaces};
use crate::{
    domain::{Address, RowSortKey, Target, Timestamp},
    msg::{ListedRow, Note, PageKey, PageRequest, PageStart, Remote, Total},
    wire::ApiError,
};

/// Row of a list, identified by its key, never by its index.
pub(crate) trait ListRow {
    type Key: Clone + PartialEq + std::fmt::Debug;

    fn key(&self) -> Self::Key;

    /// Numbers this row after row `_before`, or from 1; `_between` unreadable rows separate the two.
    fn number_after(&mut self, _before: Option<&Self>, _between: u64) {}

    /// Returns the row's position in the whole list, from 1; `None` in an unnumbered list.
    fn place(&self) -> Option<NonZeroU64> {
        None
    }

    /// Numbers this row backwards from row `_after`; `_between` unreadable rows separate the two.
    fn number_before(&mut self, _after: &Self, _between: u64) {}

    /// Drops cached data of a row that is off screen.
    fn forget(&mut self) {}

    fn is_of(&self, _target: &Target) -> bool {
        false
    }

    /// Returns the exact value by which a column sorts the row; `None` if it has none there.
    fn sort_key(&self, _column: &str) -> Option<RowSortKey> {
        None
    }

    /// Visits the accounts whose shortened addresses the row may show.
    fn each_account(&self, _see: &mut dyn FnMut(Address)) {}
}

/// Local filter of received rows; true keeps a row.
pub(crate) type RowFilter<R> = fn(&R) -> bool;

/// How far below the cursor a window requests pages ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefetch {
    /// Only when the view is near the last held row.
    Near,
    /// Until the window holds this many rows, as far as its capacity allows.
    Rows(usize),
    /// Down to the list's last row, for a list known to be short.
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FetchDirection {
    Older,
    /// Above the first row held, where the window dropped rows to limit memory.
    Newer,
}

/// Window over a much longer list: rows in list order, newest first.
///
/// Cursor and first visible row follow their rows when rows arrive above them. The window drops rows far from the
/// cursor at page borders and requests them again by page key.
///
/// A sorted window shows its rows in another order: cursor and first visible row then count in that order.
#[derive(Debug)]
pub(crate) struct ListWindow<R: ListRow> {
    rows: VecDeque<ListedRow<R>>,
    /// Order in which the rows are shown; `None` for the list's own.
    sorted: Option<SortedPlaces>,
    cursor: usize,
    top: usize,
    viewport: usize,
    /// Columns of the terminal that each row has.
    width: u16,
    following: bool,
    unseen: usize,
    gap: Option<Gap>,
    capacity: usize,
    bookmarks: Bookmarks<HeldKey<R::Key>>,
    older: Option<PageKey>,
    ended: bool,
    newest: Option<HeldKey<R::Key>>,
    backfill: Backfill<R>,
    is_too_far: bool,
    empty_scanned: usize,
    /// Rows that page moves asked for beyond the last row held, while more rows are on their way.
    owed: usize,
    /// Total number of rows, as the server reported it.
    pub(crate) total: Total,
    /// Server's remarks on the filter, shown to the user.
    pub(crate) notes: Vec<Note>,
    /// Number of rows received, before local filtering.
    pub(crate) scanned: usize,
    pub(crate) fetching: Option<(FetchDirection, PageStart)>,
    pub(crate) prefetch: Prefetch,
    /// New rows in the last poll; the estimate for the next poll's page size.
    pub(crate) arrivals: usize,
    /// When the server last reported a total.
    counted_at: Option<Timestamp>,
    /// Part of the list to request again after an answer from an incomplete index.
    recount: PendingRecount,
    pub(crate) newest_asked: Option<PageRequest>,
    /// Request state of the newest page.
    pub(crate) state: Remote<()>,
    /// Error of the last request for a further page.
    pub(crate) page_error: Option<ApiError>,
    /// When the last request failed.
    pub(crate) failed_at: Option<Timestamp>,
    /// Time of the rows, while they are another list's.
    pub(crate) borrowed_at: Option<Timestamp>,
}

/// Part of a list to request again, because its first answer came from an incomplete index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PendingRecount {
    #[default]
    None,
    Total,
    /// The whole list, since its end was provisional.
    EntireList,
    /// The whole list, already requested.
    Awaited,
}

/// Missing rows between the newest known row and the first row held.
#[derive(Clone, Copy, Debug)]
struct Gap {
    /// Number of rows held that the user had not seen when the gap opened.
    unseen: usize,
}

/// Pages on their way up from the newest row, or from a dropped one, to the rows held.
#[derive(Debug)]
struct Backfill<R: ListRow> {
    /// Last rows of the pages received so far; about the list's capacity at most.
    rows: VecDeque<ListedRow<R>>,
    /// Page borders in list order.
    borders: Vec<(HeldKey<R::Key>, PageKey)>,
    /// Number of leading borders whose rows the backfill dropped again.
    dropped: usize,
    count: usize,
    /// Number of rows received, before local filtering.
    scanned: usize,
    /// Newest row of the list, before local filtering; `None` if the backfill started at another row.
    newest: Option<HeldKey<R::Key>>,
}

impl<R: ListRow> Default for Backfill<R> {
    fn default() -> Self {
        Self { rows: VecDeque::new(), borders: Vec::new(), dropped: 0, count: 0, scanned: 0, newest: None }
    }
}

/// Maximum rows of a page. Only polls request fewer.
pub(crate) const PAGE: u16 = 100;
/// Maximum rows of a backfill. Beyond it the list restarts to show the rows above.
const MOST_BACKFILLED: usize = 20_000;
/// Rows scanned without a match before the window asks the user to continue.
const SCAN: usize = 2000;

impl<R: ListRow> ListWindow<R> {
    /// Creates an empty window that holds about `capacity` rows.
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            rows: VecDeque::new(),
            sorted: None,
            cursor: 0,
            top: 0,
            viewport: 1,
            width: 0,
            following: true,
            unseen: 0,
            gap: None,
            capacity,
            bookmarks: Bookmarks::default(),
            older: None,
            ended: false,
            newest: None,
            backfill: Backfill::default(),
            is_too_far: false,
            empty_scanned: 0,
            owed: 0,
            total: Total::Unknown,
            notes: Vec::new(),
            scanned: 0,
            fetching: None,
            prefetch: Prefetch::Near,
            newest_asked: None,
            state: Remote::Idle,
            page_error: None,
            failed_at: None,
            arrivals: 0,
            borrowed_at: None,
            counted_at: None,
            recount: PendingRecount::None,
        }
    }

    /// Discards the total and the end, which came from an incomplete index.
    pub(crate) fn forget_total(&mut self) {
        self.total = Total::Unknown;
        self.recount = if self.ended { PendingRecount::EntireList } else { PendingRecount::Total };
    }

    pub(crate) fn rows(&self) -> HeldRows<'_, R> {
        HeldRows(&self.rows)
    }

    /// Returns the readable rows held. An update must not change their keys.
    pub(crate) fn rows_mut(&mut self) -> impl Iterator<Item = &mut R> {
        self.rows.iter_mut().filter_map(ListedRow::read_mut)
    }

    /// Returns the visible rows, in the order shown, and the place of the first.
    pub(crate) fn visible(&self) -> (usize, impl Iterator<Item = &ListedRow<R>>) {
        (self.top, self.shown(self.top..self.top + self.viewport))
    }

    /// Returns the readable visible rows.
    pub(crate) fn on_screen(&self) -> impl Iterator<Item = &R> {
        self.visible().1.filter_map(ListedRow::read)
    }

    /// Returns the readable visible rows, in the list's own order. An update must not change their keys.
    pub(crate) fn visible_mut(&mut self) -> impl Iterator<Item = &mut R> {
        let end = self.rows.len().min(self.top + self.viewport);
        let places: Vec<usize> = (self.top..end).map(|place| self.held_place(place)).collect();
        let first = places.iter().copied().min().unwrap_or_default();
        let count = places.iter().max().map_or(0, |last| last + 1 - first);
        let rows = self.rows.iter_mut().enumerate().skip(first).take(count);
        rows.filter(move |(place, _)| places.contains(place)).filter_map(|(_, row)| row.read_mut())
    }

    /// Returns the cursor's place in the order shown.
    pub(crate) fn cursor(&self) -> usize {
        self.cursor
    }

    /// Returns the row under the cursor if it is readable.
    pub(crate) fn selected(&self) -> Option<&R> {
        self.rows.get(self.held_cursor()).and_then(ListedRow::read)
    }

    /// Returns the number of rows that arrived above a view that stands still.
    pub(crate) fn unseen(&self) -> usize {
        self.unseen
    }

    /// Whether a page request is pending.
    pub(crate) fn is_loading(&self) -> bool {
        self.state.is_loading() || self.fetching.is_some()
    }

    /// Whether rows arrived that the total may not count.
    pub(crate) fn has_uncounted(&self) -> bool {
        self.gap.is_some()
    }

    /// Whether the server was still indexing older rows when it last answered.
    pub(crate) fn is_filling(&self) -> bool {
        self.notes.iter().any(Note::is_filling)
    }

    /// Whether the window holds the list's last row.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Whether rows exist above the held rows.
    pub(crate) fn has_rows_above(&self) -> bool {
        self.bookmarks.above() > 0 || self.gap.is_some()
    }

    /// Whether too many rows lie above for a backfill, so that only a restart shows them.
    pub(crate) fn is_too_far_down(&self) -> bool {
        self.is_too_far && self.sorted.is_none()
    }

    /// Whether the scan paused after too many rows without a match.
    pub(crate) fn has_paused(&self) -> bool {
        self.empty_scanned >= SCAN && !self.ended
    }

    /// Continues the scan and retries a failed page.
    pub(crate) fn resume(&mut self) {
        self.empty_scanned = 0;
        self.page_error = None;
    }

    /// Follows the newest row if the cursor is on it. With `is_held`, and while it is sorted, the list stands still and
    /// counts arriving rows.
    pub(crate) fn follow(&mut self, is_held: bool) {
        self.following = !is_held && self.cursor == 0 && self.sorted.is_none() && !self.has_rows_above();
        if self.following {
            self.unseen = 0;
        }
    }

    /// Sets how many rows the window holds at most, about. It drops rows beyond that when the next page arrives.
    pub(crate) fn set_capacity(&mut self, rows: usize) {
        self.capacity = rows;
    }

    /// Fits the view to the rows of an area.
    pub(crate) fn fit(&mut self, area: Rect) {
        self.width = area.width;
        self.set_viewport(usize::from(area.height));
    }

    pub(crate) fn row_width(&self) -> u16 {
        self.width
    }

    pub(crate) fn set_viewport(&mut self, rows: usize) {
        self.viewport = rows.max(1);
        self.keep_cursor_visible();
    }

    /// Moves the cursor by rows; returns whether anything changed.
    pub(crate) fn move_by(&mut self, rows: isize) -> bool {
        let target = self.cursor.saturating_add_signed(rows).min(self.rows.len().saturating_sub(1));
        self.move_to(target)
    }

    /// Moves the cursor to an index among the rows held; returns whether anything changed.
    pub(crate) fn move_to(&mut self, place: usize) -> bool {
        let place = place.min(self.rows.len().saturating_sub(1));
        let before = self.view_state();
        self.cursor = place;
        self.owed = 0;
        if self.has_paused() {
            self.empty_scanned = 0;
        }
        self.follow(false);
        self.keep_cursor_visible();
        before != self.view_state()
    }

    /// Returns the state that a cursor move may change, for comparison.
    fn view_state(&self) -> (usize, usize, bool, usize, usize) {
        (self.cursor, self.top, self.following, self.unseen, self.empty_scanned)
    }

    /// Moves cursor and view by screens, like a pager.
    pub(crate) fn page_by(&mut self, screens: isize) -> bool {
        let step = screens.saturating_mul(isize::try_from(self.viewport).unwrap_or(isize::MAX));
        self.scroll_by(step)
    }

    /// Moves cursor and view by half a screen.
    pub(crate) fn half_page_by(&mut self, sign: isize) -> bool {
        self.scroll_by(sign * isize::try_from(self.viewport.div_ceil(2)).unwrap_or(1))
    }

    fn scroll_by(&mut self, rows: isize) -> bool {
        let before = self.view_state();
        // Quick page moves are made as soon as the rows come.
        let wanted = self.cursor.saturating_add_signed(rows) + if rows > 0 { self.owed } else { 0 };
        self.top = self.top.saturating_add_signed(rows).min(self.last_top());
        let last = self.rows.len().saturating_sub(1);
        let target = wanted.min(last);
        // At the last row, the explanation below it also appears. If that would scroll an unseen row away, the cursor
        // stays one row above.
        let pushes = rows > 0 && target == last && target > self.top && self.top < self.last_top();
        self.move_to(target - usize::from(pushes));
        if rows > 0 && self.older.is_some() && self.page_error.is_none() && !self.has_paused() {
            self.owed = wanted - target;
        }
        before != self.view_state()
    }

    /// Makes the page moves that waited for rows.
    fn pay_owed(&mut self) {
        if let Ok(rows @ 1..) = isize::try_from(std::mem::take(&mut self.owed)) {
            self.scroll_by(rows);
        }
    }

    /// Returns the index of the row in the middle of the screen.
    pub(crate) fn middle(&self) -> usize {
        self.top + self.viewport.min(self.rows.len().saturating_sub(self.top)).saturating_sub(1) / 2
    }

    /// Whether a line below the last row explains the end of the list; the line takes one row.
    fn has_last_line(&self) -> bool {
        !self.rows.is_empty()
            && self.viewport > 1
            && (self.ended || self.page_error.is_some() || self.has_paused() || self.sorted.is_some())
    }

    fn last_top(&self) -> usize {
        (self.rows.len() + usize::from(self.has_last_line())).saturating_sub(self.viewport)
    }

    /// Whether going to the newest row needs a restart, because the window lacks the rows above.
    pub(crate) fn top_needs_restart(&self) -> bool {
        self.has_rows_above() && self.sorted.is_none()
    }

    /// Moves the cursor to the row with this key, if held.
    pub(crate) fn select(&mut self, key: &R::Key) -> bool {
        self.select_where(|row| row.key() == *key)
    }

    /// Moves the cursor to the first such row of the order shown, if held.
    pub(crate) fn select_where(&mut self, is_wanted: impl Fn(&R) -> bool) -> bool {
        let found = self.shown(0..self.rows.len()).position(|row| row.read().is_some_and(&is_wanted));
        found.is_some_and(|place| {
            self.move_to(place);
            true
        })
    }

    /// Returns the row `step` places from the row with this key in the order shown, skipping unreadable rows.
    pub(crate) fn neighbour(&self, key: &R::Key, step: isize) -> Option<&R> {
        let rows: Vec<&R> = self.shown(0..self.rows.len()).filter_map(ListedRow::read).collect();
        let place = rows.iter().position(|row| row.key() == *key)?;
        rows.get(place.checked_add_signed(step)?).copied()
    }

    pub(crate) fn clear(&mut self) {
        let (capacity, viewport, width, prefetch) = (self.capacity, self.viewport, self.width, self.prefetch);
        *self = Self { viewport, width, prefetch, ..Self::new(capacity) };
    }

    /// Returns the next page to request, when the view is near the first or last loaded row.
    pub(crate) fn wanted(&self) -> Option<(FetchDirection, PageStart)> {
        if self.fetching.is_some() || self.state.value().is_none() || self.page_error.is_some() {
            return None;
        }
        let margin = self.viewport.max(20);
        let is_sorted = self.sorted.is_some();
        if self.top < margin && self.has_rows_above() && !self.is_too_far && !is_sorted {
            return Some((FetchDirection::Newer, self.bookmarks.cursor_above()));
        }
        let below = self.rows.len().saturating_sub(self.top + self.viewport);
        let is_ahead = match self.prefetch {
            Prefetch::Near => false,
            Prefetch::Rows(rows) => self.rows.len() < rows.min(self.capacity),
            Prefetch::All => true,
        };
        match &self.older {
            Some(key) if (below < margin && !is_sorted || is_ahead) && !self.has_paused() => {
                Some((FetchDirection::Older, PageStart::Key(key.clone())))
            }
            _ => None,
        }
    }

    fn keep_cursor_visible(&mut self) {
        let is_last = self.cursor + 1 >= self.rows.len() && self.has_last_line();
        let lowest = (self.cursor + 1 + usize::from(is_last)).saturating_sub(self.viewport).min(self.cursor);
        self.top = self.top.clamp(lowest, self.cursor).min(self.last_top());
    }
}
