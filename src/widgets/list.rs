mod arrivals;
mod bookmark;
mod held;
mod order;
mod remote;

pub(crate) use arrivals::{NewestOutcome, PageOutcome};
pub(crate) use held::HeldRows;
pub(crate) use remote::{ListSource, QueriedList, RemoteList};

use std::{collections::VecDeque, num::NonZeroU64};

use self::{bookmark::Bookmarks, held::HeldKey};
use crate::{
    domain::{Address, Timestamp},
    msg::{ListedRow, Note, PageKey, PageRequest, PageStart, Remote, Total},
    wire::ApiError,
};

/// A row of a list, known by its key and never by its place.
pub(crate) trait ListRow {
    /// What tells rows apart.
    type Key: Clone + PartialEq + std::fmt::Debug;

    fn key(&self) -> Self::Key;

    /// Takes its place behind another row, or as the first, with so many between that cannot be read: rows that are
    /// numbered count on.
    fn number_after(&mut self, _before: Option<&Self>, _between: u64) {}

    /// Its place in the whole list, from 1, where rows are numbered.
    fn place(&self) -> Option<NonZeroU64> {
        None
    }

    /// Takes its place before another row, with so many between that cannot be read: rows that are numbered count back.
    fn number_before(&mut self, _after: &Self, _between: u64) {}

    /// Gives back what can be made again, when nobody sees it any more.
    fn forget(&mut self) {}

    /// The accounts that it may show by both ends of their addresses.
    fn each_account(&self, _see: &mut dyn FnMut(Address)) {}
}

/// Which rows of a page a list keeps, where not the server chooses them.
pub(crate) type RowFilter<R> = fn(&R) -> bool;

/// How far ahead of the cursor pages are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefetch {
    /// As the cursor comes near an end.
    Near,
    /// To the list's last row: for a list that is known to be short.
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FetchDirection {
    /// Below the last row.
    Older,
    /// Above the first row, which was dropped to stay within bounds.
    Newer,
}

/// A window over a list that is far longer than what is held: rows in list order, newest first.
///
/// The cursor and the first visible row move with their rows when others arrive above them. Rows far from the cursor
/// are dropped at page borders and fetched again by the page's key.
#[derive(Debug)]
pub(crate) struct ListWindow<R: ListRow> {
    rows: VecDeque<ListedRow<R>>,
    cursor: usize,
    top: usize,
    viewport: usize,
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
    /// What the server says of the whole.
    pub(crate) total: Total,
    /// What the person should be told of the filter.
    pub(crate) notes: Vec<Note>,
    /// Rows that came, before filtering on this side.
    pub(crate) scanned: usize,
    /// The page being fetched.
    pub(crate) fetching: Option<(FetchDirection, PageStart)>,
    /// How far ahead of the cursor pages are asked for.
    pub(crate) prefetch: Prefetch,
    /// Rows that the last poll found new: the next one may find as many.
    pub(crate) arrivals: usize,
    /// When the server counted last.
    counted_at: Option<Timestamp>,
    /// What was counted, or where the list ended, was of an index that was not whole: it is to be asked anew.
    recount: PendingRecount,
    /// The newest page that is awaited.
    pub(crate) newest_asked: Option<PageRequest>,
    /// How the newest page fares.
    pub(crate) state: Remote<()>,
    /// Why the last further page could not be had.
    pub(crate) page_error: Option<ApiError>,
    /// When something of it failed last.
    pub(crate) failed_at: Option<Timestamp>,
}

/// What is to be asked anew of a list that came while the index was filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PendingRecount {
    #[default]
    None,
    /// Its total.
    Total,
    /// All of it: its end was none.
    EntireList,
    /// The same, and the answer is awaited.
    Awaited,
}

/// So much arrived at once that the newest rows known do not reach the first row held.
#[derive(Clone, Copy, Debug)]
struct Gap {
    /// Rows held that had arrived unseen before.
    unseen: usize,
}

/// Pages on their way up to the rows held, from the list's newest or from a row that was dropped.
#[derive(Debug)]
struct Backfill<R: ListRow> {
    /// Their last rows: as many as a list holds.
    rows: VecDeque<ListedRow<R>>,
    /// Their borders, from the top.
    borders: Vec<(HeldKey<R::Key>, PageKey)>,
    /// How many of the borders belong to rows that were dropped on the way.
    dropped: usize,
    /// How many rows they had.
    count: usize,
    /// Rows that came, before filtering on this side.
    scanned: usize,
    /// The list's newest row, kept or not, where they began with it.
    newest: Option<HeldKey<R::Key>>,
}

impl<R: ListRow> Default for Backfill<R> {
    fn default() -> Self {
        Self { rows: VecDeque::new(), borders: Vec::new(), dropped: 0, count: 0, scanned: 0, newest: None }
    }
}

/// Rows of one page at the most; also the size of every page but the polls'.
pub(crate) const PAGE: u16 = 100;
/// Rows gone through on the way up to the rows held, before the list has to start anew to show what lies above.
const MOST_BACKFILLED: usize = 20_000;
/// Rows looked through without one to keep, before the person is asked to go on.
const SCAN: usize = 2000;

impl<R: ListRow> ListWindow<R> {
    /// An empty window that holds about `capacity` rows at the most.
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            rows: VecDeque::new(),
            cursor: 0,
            top: 0,
            viewport: 1,
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
            counted_at: None,
            recount: PendingRecount::None,
        }
    }

    /// What was counted so far was of an index that was not whole; where the list ended it goes on.
    pub(crate) fn forget_total(&mut self) {
        self.total = Total::Unknown;
        self.recount = if self.ended { PendingRecount::EntireList } else { PendingRecount::Total };
    }

    /// The rows held.
    pub(crate) fn rows(&self) -> HeldRows<'_, R> {
        HeldRows(&self.rows)
    }

    /// The rows held, for what is filled in later; their keys stay.
    pub(crate) fn rows_mut(&mut self) -> impl Iterator<Item = &mut R> {
        self.rows.iter_mut().filter_map(ListedRow::read_mut)
    }

    /// The rows on screen, with the place of the first.
    pub(crate) fn visible(&self) -> (usize, impl Iterator<Item = &ListedRow<R>>) {
        (self.top, self.rows.iter().skip(self.top).take(self.viewport))
    }

    /// The rows on screen, for what is filled in once they are seen; their keys stay.
    pub(crate) fn visible_mut(&mut self) -> impl Iterator<Item = &mut R> {
        self.rows.iter_mut().skip(self.top).take(self.viewport).filter_map(ListedRow::read_mut)
    }

    /// Where the cursor is among the rows held.
    pub(crate) fn cursor(&self) -> usize {
        self.cursor
    }

    /// The row under the cursor, where it can be read.
    pub(crate) fn selected(&self) -> Option<&R> {
        self.rows.get(self.cursor).and_then(ListedRow::read)
    }

    /// How many rows arrived above while the view stood still.
    pub(crate) fn unseen(&self) -> usize {
        self.unseen
    }

    /// Whether a page of it is awaited.
    pub(crate) fn is_loading(&self) -> bool {
        self.state.is_loading() || self.fetching.is_some()
    }

    /// Whether more may have arrived than was counted.
    pub(crate) fn has_uncounted(&self) -> bool {
        self.gap.is_some()
    }

    /// Whether older rows were still being indexed when it was last asked for.
    pub(crate) fn is_filling(&self) -> bool {
        self.notes.iter().any(Note::is_filling)
    }

    /// Whether the list's last row is held.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Whether rows lie above the ones held.
    pub(crate) fn has_rows_above(&self) -> bool {
        self.bookmarks.above() > 0 || self.gap.is_some()
    }

    /// Whether the rows above are too many to be fetched again: the list has to start anew to show them.
    pub(crate) fn is_too_far_down(&self) -> bool {
        self.is_too_far
    }

    /// Whether so many rows were looked through in vain that the person is asked before more are.
    pub(crate) fn has_paused(&self) -> bool {
        self.empty_scanned >= SCAN && !self.ended
    }

    /// Goes on looking through rows, and asks again for a page that failed.
    pub(crate) fn resume(&mut self) {
        self.empty_scanned = 0;
        self.page_error = None;
    }

    /// Follows the newest row where the cursor is on it; held, it stands still there and rows that arrive are counted.
    pub(crate) fn follow(&mut self, is_held: bool) {
        self.following = !is_held && self.cursor == 0 && !self.has_rows_above();
        if self.following {
            self.unseen = 0;
        }
    }

    /// Tells the window how many rows the screen has.
    pub(crate) fn set_viewport(&mut self, rows: usize) {
        self.viewport = rows.max(1);
        self.keep_cursor_visible();
    }

    /// Moves the cursor by so many rows; says whether anything changed.
    pub(crate) fn move_by(&mut self, rows: isize) -> bool {
        let target = self.cursor.saturating_add_signed(rows).min(self.rows.len().saturating_sub(1));
        self.move_to(target)
    }

    /// Moves the cursor to a place among the rows held; says whether anything changed.
    pub(crate) fn move_to(&mut self, place: usize) -> bool {
        let place = place.min(self.rows.len().saturating_sub(1));
        let before = self.view_state();
        self.cursor = place;
        if self.has_paused() {
            self.empty_scanned = 0;
        }
        self.follow(false);
        self.keep_cursor_visible();
        before != self.view_state()
    }

    /// Everything that moving may change.
    fn view_state(&self) -> (usize, usize, bool, usize, usize) {
        (self.cursor, self.top, self.following, self.unseen, self.empty_scanned)
    }

    /// Moves cursor and view by whole screens, as a pager does.
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
        self.top = self.top.saturating_add_signed(rows).min(self.last_top());
        let last = self.rows.len().saturating_sub(1);
        let target = self.cursor.saturating_add_signed(rows).min(last);
        // On the last row the line below it comes into view: where that would push away a row nobody has seen yet, the
        // cursor stays one above.
        let pushes = rows > 0 && target == last && target > self.top && self.top < self.last_top();
        self.move_to(target - usize::from(pushes));
        before != self.view_state()
    }

    /// Below the last row a line says why there is no more; it needs room like a row.
    fn has_last_line(&self) -> bool {
        !self.rows.is_empty() && self.viewport > 1 && (self.ended || self.page_error.is_some() || self.has_paused())
    }

    fn last_top(&self) -> usize {
        (self.rows.len() + usize::from(self.has_last_line())).saturating_sub(self.viewport)
    }

    /// Whether going to the newest row needs a fresh list, because the rows above are not held.
    pub(crate) fn top_needs_restart(&self) -> bool {
        self.has_rows_above()
    }

    /// Moves the cursor to the row with this key, if it is held.
    pub(crate) fn select(&mut self, key: &R::Key) -> bool {
        self.place_of(key).is_some_and(|place| {
            self.move_to(place);
            true
        })
    }

    /// The row `step` places from the one with this key; those that cannot be read are passed over.
    pub(crate) fn neighbour(&self, key: &R::Key, step: isize) -> Option<&R> {
        let rows: Vec<&R> = self.rows().iter().collect();
        let place = rows.iter().position(|row| row.key() == *key)?;
        rows.get(place.checked_add_signed(step)?).copied()
    }

    fn place_of(&self, key: &R::Key) -> Option<usize> {
        self.rows().places().find(|(_, row)| row.key() == *key).map(|(place, _)| place)
    }

    /// Forgets everything, as for another filter.
    pub(crate) fn clear(&mut self) {
        let (capacity, viewport, prefetch) = (self.capacity, self.viewport, self.prefetch);
        *self = Self { viewport, prefetch, ..Self::new(capacity) };
    }

    /// Which page the view wants next, as the cursor nears an end.
    pub(crate) fn wanted(&self) -> Option<(FetchDirection, PageStart)> {
        if self.fetching.is_some() || self.state.value().is_none() || self.page_error.is_some() {
            return None;
        }
        let margin = self.viewport.max(20);
        if self.top < margin && self.has_rows_above() && !self.is_too_far {
            return Some((FetchDirection::Newer, self.bookmarks.cursor_above()));
        }
        let below = self.rows.len().saturating_sub(self.top + self.viewport);
        match &self.older {
            Some(key) if (below < margin || self.prefetch == Prefetch::All) && !self.has_paused() => {
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
