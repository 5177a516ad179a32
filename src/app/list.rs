use std::collections::VecDeque;

use super::{bookmark::Bookmarks, remote::Remote};
use crate::{
    domain::Timestamp,
    msg::{Cursor, Note, Page, PageKey, Total},
    wire::ApiError,
};

/// A row of a list, known by its key and never by its place.
pub(crate) trait Row {
    /// What tells rows apart.
    type Key: Clone + PartialEq + std::fmt::Debug;

    /// The key of this row.
    fn key(&self) -> Self::Key;
}

/// Which way a page is being fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
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
pub(crate) struct ListWindow<R: Row> {
    /// Names the list in request slots.
    pub(crate) id: u32,
    rows: VecDeque<R>,
    cursor: usize,
    top: usize,
    viewport: usize,
    following: bool,
    unseen: usize,
    gap: Option<Gap>,
    capacity: usize,
    bookmarks: Bookmarks<R::Key>,
    older: Option<PageKey>,
    ended: bool,
    newest: Option<R::Key>,
    collected: Vec<R>,
    /// What the server says of the whole.
    pub(crate) total: Total,
    /// What the person should be told of the filter.
    pub(crate) notes: Vec<Note>,
    /// Rows that came, before filtering on this side.
    pub(crate) scanned: usize,
    /// The page being fetched.
    pub(crate) fetching: Option<(Direction, Timestamp)>,
    /// How the newest page fares.
    pub(crate) state: Remote<()>,
    /// Why the last further page could not be had.
    pub(crate) page_error: Option<ApiError>,
    /// When something of it failed last.
    pub(crate) failed_at: Option<Timestamp>,
}

/// So much arrived at once that the newest rows known do not reach the first row held.
#[derive(Clone, Copy, Debug)]
struct Gap {
    /// Rows held that had arrived unseen before.
    unseen: usize,
}

/// Rows of one page at the most; also the size of every page but the polls'.
pub(crate) const PAGE: u16 = 100;

impl<R: Row> ListWindow<R> {
    /// An empty window that holds about `capacity` rows at the most.
    pub(crate) fn new(id: u32, capacity: usize) -> Self {
        Self {
            id,
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
            collected: Vec::new(),
            total: Total::Unknown,
            notes: Vec::new(),
            scanned: 0,
            fetching: None,
            state: Remote::Idle,
            page_error: None,
            failed_at: None,
        }
    }

    /// The rows held.
    pub(crate) fn rows(&self) -> &VecDeque<R> {
        &self.rows
    }

    /// The rows on screen, with the place of the first.
    pub(crate) fn visible(&self) -> (usize, impl Iterator<Item = &R>) {
        (self.top, self.rows.iter().skip(self.top).take(self.viewport))
    }

    /// Where the cursor is among the rows held.
    pub(crate) fn cursor(&self) -> usize {
        self.cursor
    }

    /// The row under the cursor.
    pub(crate) fn selected(&self) -> Option<&R> {
        self.rows.get(self.cursor)
    }

    /// How many rows arrived above while the view stood still.
    pub(crate) fn unseen(&self) -> usize {
        self.unseen
    }

    /// Whether more may have arrived than was counted.
    pub(crate) fn has_uncounted(&self) -> bool {
        self.gap.is_some()
    }

    /// Whether the list's last row is held.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Whether rows lie above the ones held.
    pub(crate) fn has_rows_above(&self) -> bool {
        self.bookmarks.above() > 0 || self.gap.is_some()
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
        let before = (self.cursor, self.top, self.following, self.unseen);
        self.cursor = place;
        self.following = place == 0 && !self.has_rows_above();
        if self.following {
            self.unseen = 0;
        }
        self.keep_cursor_visible();
        before != (self.cursor, self.top, self.following, self.unseen)
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
        self.top = self.top.saturating_add_signed(rows).min(self.last_top());
        self.move_by(rows)
    }

    /// Below the last row a line says why there is no more; it needs room like a row.
    fn has_last_line(&self) -> bool {
        !self.rows.is_empty() && (self.ended || self.page_error.is_some())
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
        self.rows.iter().position(|row| row.key() == *key).is_some_and(|place| {
            self.move_to(place);
            true
        })
    }

    /// The row `step` places from the one with this key.
    pub(crate) fn neighbour(&self, key: &R::Key, step: isize) -> Option<&R> {
        let place = self.rows.iter().position(|row| row.key() == *key)?;
        self.rows.get(place.checked_add_signed(step)?)
    }

    /// Forgets everything, as for another filter.
    pub(crate) fn clear(&mut self) {
        let (id, capacity, viewport) = (self.id, self.capacity, self.viewport);
        *self = Self { viewport, ..Self::new(id, capacity) };
    }

    /// Which page the view wants next, as the cursor nears an end.
    pub(crate) fn wanted(&self) -> Option<(Direction, Cursor)> {
        if self.fetching.is_some() || self.state.value().is_none() {
            return None;
        }
        let margin = self.viewport.max(20);
        if self.top < margin && self.has_rows_above() {
            return Some((Direction::Newer, self.bookmarks.cursor_above()));
        }
        let below = self.rows.len().saturating_sub(self.top + self.viewport);
        match &self.older {
            Some(key) if below < margin && self.page_error.is_none() => {
                Some((Direction::Older, Cursor::Key(key.clone())))
            }
            _ => None,
        }
    }

    /// Takes in the newest page: the first one, a poll's, or a refresh. Where rows are missing between it and the rows
    /// held it comes back: a larger one may reach them.
    pub(crate) fn take_newest(&mut self, page: Page<R>, scanned: usize, now: Timestamp) -> NewestOutcome<R> {
        self.total = if page.total == Total::Unknown { self.total } else { page.total };
        self.scanned += scanned;
        self.state.settle(Ok(()), now);
        if self.rows.is_empty() && !self.has_rows_above() {
            self.start_with(page);
            return NewestOutcome::Changed;
        }
        let fresh = self.count_fresh(&page);
        if fresh == 0 {
            return NewestOutcome::Same;
        }
        let overlaps = fresh < page.items.len();
        if !overlaps && page.next.is_some() {
            return NewestOutcome::Gap(page);
        }
        self.newest = page.items.first().map(R::key);
        if self.has_rows_above() {
            self.unseen += fresh;
            return NewestOutcome::Changed;
        }
        let last = page.items.last().map(R::key);
        self.prepend(page.items.into_iter().take(fresh).collect());
        if let (Some(last), Some(next)) = (last, page.next) {
            let place = self.rows.iter().position(|row| row.key() == last);
            let first_marked =
                self.bookmarks.first_held().and_then(|key| self.rows.iter().position(|row| row.key() == *key));
            self.bookmarks.mark_near_top(last, next, place, first_marked);
        }
        self.bound_below();
        NewestOutcome::Changed
    }

    /// Takes in a newest page as large as they come that does not reach the rows held. A followed list starts anew with
    /// it; one that stands still stays, and asks for the rows between when its view comes near them.
    pub(crate) fn take_gap(&mut self, page: Page<R>) {
        if self.following {
            return self.start_with(page);
        }
        let fresh = self.count_fresh(&page);
        if !self.has_rows_above() {
            self.gap = Some(Gap { unseen: self.unseen });
        }
        self.unseen += fresh;
        self.newest = page.items.first().map(R::key);
    }

    fn count_fresh(&self, page: &Page<R>) -> usize {
        page.items.iter().position(|row| Some(row.key()) == self.newest).unwrap_or(page.items.len())
    }

    fn start_with(&mut self, page: Page<R>) {
        self.bookmarks = Bookmarks::default();
        self.collected.clear();
        self.gap = None;
        self.rows = page.items.into();
        (self.cursor, self.top, self.unseen, self.following) = (0, 0, 0, true);
        self.newest = self.rows.front().map(R::key);
        self.notes = page.notes;
        self.continue_at(page.next);
    }

    fn continue_at(&mut self, next: Option<PageKey>) {
        self.ended = next.is_none();
        if let (Some(row), Some(next)) = (self.rows.back(), &next) {
            self.bookmarks.push(row.key(), next.clone());
        }
        self.older = next;
    }

    /// Takes in a further page. Says whether anything changed.
    pub(crate) fn take_page(&mut self, direction: Direction, page: Page<R>, scanned: usize) -> PageOutcome {
        self.fetching = None;
        self.page_error = None;
        self.scanned += scanned;
        for note in page.notes.iter().filter(|note| !self.notes.contains(note)).cloned().collect::<Vec<_>>() {
            self.notes.retain(|known| std::mem::discriminant(known) != std::mem::discriminant(&note));
            self.notes.push(note);
        }
        match direction {
            Direction::Older => {
                let known: Vec<R::Key> = self.rows.iter().rev().take(usize::from(PAGE)).map(R::key).collect();
                self.rows.extend(page.items.into_iter().filter(|row| !known.contains(&row.key())));
                self.continue_at(page.next);
                self.bound_above();
                PageOutcome::Done
            }
            Direction::Newer => self.take_newer(page),
        }
    }

    fn take_newer(&mut self, page: Page<R>) -> PageOutcome {
        let first = self.rows.front().map(R::key);
        let reach = page.items.iter().position(|row| Some(row.key()) == first);
        let last_evicted = self.bookmarks.last_above().cloned();
        let count = reach.unwrap_or(page.items.len());
        let mut rows: Vec<R> = page.items;
        rows.truncate(count);
        let connects = reach.is_some() || rows.last().map(R::key) == last_evicted;
        self.collected.append(&mut rows);
        if !connects && let Some(next) = page.next {
            return PageOutcome::Further(next);
        }
        let rows = std::mem::take(&mut self.collected);
        let was_all_held = self.bookmarks.above() == 0;
        self.bookmarks.came_back();
        let mut unseen = self.unseen;
        if self.bookmarks.above() == 0 {
            // The rows begin with the list's newest now.
            let gap = self.gap.take().filter(|_| was_all_held);
            unseen = gap.map_or(unseen, |gap| gap.unseen + rows.len());
        }
        self.prepend(rows);
        self.unseen = unseen;
        if !self.has_rows_above() {
            self.newest = self.rows.front().map(R::key);
        }
        self.bound_below();
        PageOutcome::Done
    }

    fn prepend(&mut self, rows: Vec<R>) {
        let count = rows.len();
        for row in rows.into_iter().rev() {
            self.rows.push_front(row);
        }
        if !self.following {
            self.cursor += count;
            self.top += count;
            self.unseen += count;
        }
    }

    /// Drops rows far above the cursor, at a page's border.
    fn bound_above(&mut self) {
        while self.rows.len() > self.capacity {
            let Some(place) =
                self.bookmarks.first_held().and_then(|key| self.rows.iter().position(|row| row.key() == *key))
            else {
                return;
            };
            if place + 2 * self.viewport.max(20) >= self.top {
                return;
            }
            self.rows.drain(..=place);
            self.bookmarks.went_above();
            self.cursor -= place + 1;
            self.top -= place + 1;
        }
    }

    /// Drops rows far below the cursor, at a page's border.
    fn bound_below(&mut self) {
        if self.rows.len() <= self.capacity {
            return;
        }
        let keep = (self.top + 3 * self.viewport.max(20)).max(self.capacity / 2);
        for (key, next) in self.bookmarks.held().cloned().collect::<Vec<_>>() {
            let Some(place) = self.rows.iter().position(|row| row.key() == key) else { continue };
            if place + 1 >= keep && place + 1 < self.rows.len() {
                self.rows.truncate(place + 1);
                self.bookmarks.truncate_after(&key);
                self.older = Some(next);
                self.ended = false;
                return;
            }
        }
    }

    /// Gives back memory while the list is covered: rows far from the cursor are dropped.
    pub(crate) fn shrink(&mut self) {
        let capacity = std::mem::replace(&mut self.capacity, 200);
        self.bound_above();
        self.bound_below();
        self.capacity = capacity;
    }

    fn keep_cursor_visible(&mut self) {
        let is_last = self.cursor + 1 >= self.rows.len() && self.has_last_line();
        let lowest = (self.cursor + 1 + usize::from(is_last)).saturating_sub(self.viewport).min(self.cursor);
        self.top = self.top.clamp(lowest, self.cursor).min(self.last_top());
    }
}

/// What the newest page did.
#[derive(Debug)]
pub(crate) enum NewestOutcome<R> {
    /// Nothing new.
    Same,
    /// Something on screen may have changed.
    Changed,
    /// Rows are missing between this page and those held.
    Gap(Page<R>),
}

/// What a further page did.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PageOutcome {
    /// It fits.
    Done,
    /// It does not reach the rows held yet: ask for the page after this key too.
    Further(PageKey),
}
