//! Inserts received pages and drops rows to limit memory.

use super::{
    Backfill, FetchDirection, Gap, ListRow, ListWindow, MOST_BACKFILLED, PAGE, RowFilter,
    held::{HeldKey, key_of},
};
use crate::{
    domain::Timestamp,
    msg::{ListPage, ListedRow, Note, PageKey, PageStart, Total},
    widgets::list::bookmark::Bookmarks,
    wire::ApiError,
};

/// Effect of a newest page.
#[derive(Debug)]
pub(crate) enum NewestOutcome<R> {
    Same,
    /// The visible rows may have changed.
    Changed,
    /// The server has rows between this page and the list's rows.
    Gap(RowsPage<R>),
}

/// Page with its unreadable rows at their positions.
pub(crate) type RowsPage<R> = ListPage<ListedRow<R>>;

/// Puts a page's unreadable rows at their positions.
fn placed<R>(page: ListPage<R>) -> RowsPage<R> {
    let (items, rest) = page.into_listed();
    ListPage { items, next: rest.next, total: rest.total, notes: rest.notes }
}

/// Whether a list keeps a row. It keeps unreadable rows, since they may match.
fn is_kept<R>(row: &ListedRow<R>, keep: RowFilter<R>) -> bool {
    row.read().is_none_or(keep)
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PageOutcome {
    /// The page is inserted, or no longer needed.
    Done,
    /// The page does not reach the rows held; request the page after this key as well.
    Further(PageKey),
}

impl<R: ListRow> Backfill<R> {
    fn add(&mut self, rows: Vec<ListedRow<R>>) {
        self.count += rows.len();
        self.rows.extend(rows);
    }

    /// Records the border of a page that does not reach the rows held. Only the last rows stay; the borders allow new
    /// requests for the others.
    fn mark_border(&mut self, next: &PageKey, capacity: usize) {
        if let Some(row) = self.rows.back() {
            match self.borders.last_mut() {
                Some(last) if last.0 == key_of(row) => last.1 = next.clone(),
                _ => self.borders.push((key_of(row), next.clone())),
            }
        }
        while self.rows.len() > capacity.max(usize::from(PAGE))
            && let Some(place) = self
                .borders
                .get(self.dropped)
                .and_then(|(border, _)| self.rows.iter().position(|row| key_of(row) == *border))
                .filter(|place| place + 1 < self.rows.len())
        {
            self.rows.drain(..=place);
            self.dropped += 1;
        }
    }
}

impl<R: ListRow> ListWindow<R> {
    /// Inserts a newest page: the first, a poll's, or a refresh. Returns the page if rows are missing between it and
    /// the rows held, since a larger page may reach them.
    pub(crate) fn take_newest(&mut self, page: ListPage<R>, keep: RowFilter<R>, now: Timestamp) -> NewestOutcome<R> {
        let page = placed(page);
        let is_first = self.state.value().is_none();
        let is_counted = page.total != Total::Unknown;
        if is_counted {
            (self.total, self.counted_at) = (page.total, Some(now));
        }
        self.state.settle(Ok(()), now);
        if is_first {
            self.start_with(page, keep);
            return NewestOutcome::Changed;
        }
        let filled = self.is_filling() && !page.notes.iter().any(Note::is_filling);
        if filled {
            self.notes.retain(|note| !note.is_filling());
        }
        let fresh = self.count_fresh(&page);
        if fresh == 0 {
            return if filled { NewestOutcome::Changed } else { NewestOutcome::Same };
        }
        if fresh == page.items.len() && page.next.is_some() {
            return NewestOutcome::Gap(page);
        }
        if !is_counted {
            self.total = self.total.plus(fresh);
        }
        self.scanned += fresh;
        self.arrivals = fresh;
        self.newest = page.items.first().map(key_of);
        let last = page.items.last().map(key_of);
        let arrived: Vec<_> = page.items.into_iter().take(fresh).filter(|row| is_kept(row, keep)).collect();
        if self.sorted.is_some() {
            // The rows that are sorted stay as they are: those that arrive are requested once they are wanted.
            self.gap.get_or_insert(Gap { unseen: self.unseen });
        }
        if self.has_rows_above() {
            self.unseen += arrived.len();
            return NewestOutcome::Changed;
        }
        self.prepend(arrived);
        if let (Some(last), Some(next)) = (last, page.next) {
            let place = self.rows.iter().position(|row| key_of(row) == last);
            let first_marked =
                self.bookmarks.first_held().and_then(|key| self.rows.iter().position(|row| key_of(row) == *key));
            self.bookmarks.mark_near_top(last, next, place, first_marked);
        }
        self.bound_below();
        // A view that stands still accumulates rows above it.
        self.bound_above();
        NewestOutcome::Changed
    }

    /// Handles a newest page of maximum size that does not reach the rows held. A followed list restarts with the page.
    /// A list that stands still requests the missing rows when its view comes near them.
    pub(crate) fn take_gap(&mut self, page: RowsPage<R>, keep: RowFilter<R>) {
        if self.following {
            return self.start_with(page, keep);
        }
        if !self.has_rows_above() {
            self.gap = Some(Gap { unseen: self.unseen });
        }
        let fresh = self.count_fresh(&page);
        self.total = self.total.plus(fresh);
        self.scanned += fresh;
        self.arrivals = fresh;
        self.newest = page.items.first().map(key_of);
        self.unseen += page.items.iter().take(fresh).filter(|row| is_kept(row, keep)).count();
    }

    /// Counts the rows of a newest page above the newest known row, before local filtering.
    fn count_fresh(&self, page: &RowsPage<R>) -> usize {
        page.items.iter().position(|row| Some(key_of(row)) == self.newest).unwrap_or(page.items.len())
    }

    fn start_with(&mut self, page: RowsPage<R>, keep: RowFilter<R>) {
        self.bookmarks = Bookmarks::default();
        self.backfill = Backfill::default();
        self.is_too_far = false;
        (self.gap, self.borrowed_at) = (None, None);
        self.scanned = page.scanned();
        self.newest = page.items.first().map(key_of);
        self.rows.clear();
        page.items.into_iter().filter(|row| is_kept(row, keep)).for_each(|row| self.append(row));
        (self.cursor, self.top, self.unseen, self.following) = (0, 0, 0, self.sorted.is_none());
        self.sort_again();
        self.empty_scanned = if self.rows.is_empty() { self.scanned } else { 0 };
        self.notes = page.notes;
        self.continue_at(page.next);
    }

    fn append(&mut self, mut row: ListedRow<R>) {
        number(self.rows.iter().rev(), &mut row);
        self.rows.push_back(row);
    }

    /// Restarts with a first page, for the refresh of a list that does not grow at its top. The cursor stays on its row
    /// if the page has it.
    pub(crate) fn replace(&mut self, page: ListPage<R>, keep: RowFilter<R>, now: Timestamp) {
        let selected = self.selected().map(R::key);
        (self.total, self.counted_at) = (page.total, Some(now));
        self.state.settle(Ok(()), now);
        self.start_with(placed(page), keep);
        if let Some(key) = selected {
            self.select(&key);
        }
    }

    fn continue_at(&mut self, next: Option<PageKey>) {
        self.ended = next.is_none();
        if let (Some(row), Some(next)) = (self.rows.back(), &next) {
            self.bookmarks.push(key_of(row), next.clone());
        }
        self.older = next;
    }

    /// Starts fetching the wanted page.
    pub(crate) fn begin_fetch(&mut self) {
        self.fetching = self.wanted();
        self.backfill = Backfill::default();
    }

    /// Records that the page request failed.
    pub(crate) fn fail_fetch(&mut self, error: ApiError, now: Timestamp) {
        self.fetching = None;
        self.page_error = Some(error);
        self.failed_at = Some(now);
    }

    /// Inserts a further page. Ignores a page that no longer continues the rows held, because the list dropped them or
    /// restarted.
    pub(crate) fn take_page(&mut self, page: ListPage<R>, keep: RowFilter<R>) -> PageOutcome {
        let Some((direction, cursor)) = self.fetching.take() else { return PageOutcome::Done };
        self.page_error = None;
        let page = placed(page);
        match (direction, &cursor, &self.older) {
            (FetchDirection::Older, PageStart::Key(asked), Some(older)) if asked == older => {
                self.take_older(page, keep);
            }
            (FetchDirection::Older, ..) => {}
            (FetchDirection::Newer, ..) => return self.take_newer(&cursor, page, keep),
        }
        PageOutcome::Done
    }

    /// Counts the rows of the older page that the list already holds. A list with keys returns each row once.
    pub(crate) fn count_repeated(&self, rows: &[R]) -> usize {
        let Some((FetchDirection::Older, _)) = self.fetching else { return 0 };
        let known: Vec<_> = self.rows.iter().rev().take(usize::from(PAGE)).map(key_of).collect();
        rows.iter().filter(|row| known.contains(&HeldKey::Read(row.key()))).count()
    }

    /// Appends an older page. In a sorted list its rows join where they belong, and the cursor stays on its row.
    fn take_older(&mut self, page: RowsPage<R>, keep: RowFilter<R>) {
        let (selected, line) = (self.held_cursor(), self.cursor - self.top);
        self.append_older(page, keep);
        if self.sorted.is_some() {
            self.sort_again();
            let place = if self.cursor == 0 { 0 } else { self.shown_place(selected) };
            (self.cursor, self.top) = (place, place.saturating_sub(line));
            self.keep_cursor_visible();
        }
        self.pay_owed();
        self.bound_above();
    }

    fn append_older(&mut self, page: RowsPage<R>, keep: RowFilter<R>) {
        let scanned = page.scanned();
        self.scanned += scanned;
        self.note(&page.notes);
        let known: Vec<HeldKey<R::Key>> = self.rows.iter().rev().take(usize::from(PAGE)).map(key_of).collect();
        let held = self.rows.len();
        let fresh = page.items.into_iter().filter(|row| is_kept(row, keep) && !known.contains(&key_of(row)));
        fresh.for_each(|row| self.append(row));
        self.empty_scanned = if self.rows.len() == held { self.empty_scanned + scanned } else { 0 };
        self.continue_at(page.next);
    }

    fn note(&mut self, notes: &[Note]) {
        for note in notes {
            self.notes.retain(|known| std::mem::discriminant(known) != std::mem::discriminant(note));
            self.notes.push(note.clone());
        }
    }

    fn take_newer(&mut self, cursor: &PageStart, page: RowsPage<R>, keep: RowFilter<R>) -> PageOutcome {
        if *cursor == PageStart::Start {
            self.backfill.newest = page.items.first().map(key_of);
        }
        self.backfill.scanned += page.scanned();
        let first = self.rows.front().map(key_of);
        let reach = page.items.iter().position(|row| Some(key_of(row)) == first);
        let count = reach.unwrap_or(page.items.len());
        let rows: Vec<_> = page.items.into_iter().take(count).filter(|row| is_kept(row, keep)).collect();
        let meets_dropped = rows.last().is_some_and(|row| Some(&key_of(row)) == self.bookmarks.last_above());
        self.backfill.add(rows);
        if reach.is_none()
            && !meets_dropped
            && let Some(next) = page.next
        {
            self.backfill.mark_border(&next, self.capacity);
            if self.backfill.scanned >= MOST_BACKFILLED {
                self.backfill = Backfill::default();
                self.is_too_far = true;
                return PageOutcome::Done;
            }
            self.fetching = Some((FetchDirection::Newer, PageStart::Key(next.clone())));
            return PageOutcome::Further(next);
        }
        self.join_backfill();
        PageOutcome::Done
    }

    fn join_backfill(&mut self) {
        let backfill = std::mem::take(&mut self.backfill);
        let was_all_held = self.bookmarks.above() == 0;
        self.bookmarks.came_back();
        let begins_the_list = self.bookmarks.above() == 0;
        let mut unseen = self.unseen;
        if begins_the_list {
            // The rows held now reach the newest row.
            let gap = self.gap.take().filter(|_| was_all_held);
            unseen = gap.map_or(unseen, |gap| gap.unseen + backfill.count);
        }
        self.bookmarks.insert_backfilled(backfill.borders, backfill.dropped);
        self.prepend(backfill.rows.into());
        self.unseen = unseen;
        if !self.has_rows_above() {
            self.newest = backfill.newest;
            self.number();
        }
        self.bound_below();
        self.bound_above();
    }

    /// Renumbers all rows from the list's start; the server may have moved rows.
    fn number(&mut self) {
        let rows = self.rows.make_contiguous();
        for place in 0..rows.len() {
            let (before, rest) = rows.split_at_mut(place);
            if let Some(row) = rest.first_mut() {
                number(before.iter().rev(), row);
            }
        }
    }

    fn prepend(&mut self, rows: Vec<ListedRow<R>>) {
        let count = rows.len();
        for mut row in rows.into_iter().rev() {
            let (between, first) = nearest(self.rows.iter());
            if let (ListedRow::Read(row), Some(first)) = (&mut row, first) {
                row.number_before(first, between);
            }
            self.rows.push_front(row);
        }
        if !self.following {
            self.cursor += count;
            self.top += count;
            self.unseen += count;
        }
    }

    /// Drops rows far above the cursor, at a page border.
    fn bound_above(&mut self) {
        while self.rows.len() > self.capacity && self.sorted.is_none() {
            let Some(place) =
                self.bookmarks.first_held().and_then(|key| self.rows.iter().position(|row| key_of(row) == *key))
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

    /// Drops rows far below the cursor, at a page border.
    fn bound_below(&mut self) {
        if self.rows.len() <= self.capacity || self.sorted.is_some() {
            return;
        }
        let keep = (self.top + 3 * self.viewport.max(20)).max(self.capacity / 2);
        for (key, next) in self.bookmarks.held().cloned().collect::<Vec<_>>() {
            let Some(place) = self.rows.iter().position(|row| key_of(row) == key) else { continue };
            if place + 1 >= keep && place + 1 < self.rows.len() {
                self.rows.truncate(place + 1);
                self.bookmarks.truncate_after(&key);
                self.older = Some(next);
                self.ended = false;
                return;
            }
        }
    }

    /// Frees memory while another page covers the list: drops rows far from the cursor and the caches of the others. A
    /// sorted list keeps its rows, which are no more than a list's capacity and a page.
    pub(crate) fn shrink(&mut self) {
        self.rows_mut().for_each(ListRow::forget);
        let capacity = std::mem::replace(&mut self.capacity, 200);
        self.bound_above();
        self.bound_below();
        self.capacity = capacity;
    }
}

/// Returns the first readable row and the number of unreadable rows before it.
fn nearest<'a, R: 'a>(rows: impl Iterator<Item = &'a ListedRow<R>>) -> (u64, Option<&'a R>) {
    let mut between = 0;
    for row in rows {
        match row {
            ListedRow::Read(row) => return (between, Some(row)),
            ListedRow::Unreadable(_) => between += 1,
        }
    }
    (between, None)
}

/// Numbers a row after the preceding rows, which `before` yields last first.
fn number<'a, R: ListRow + 'a>(before: impl Iterator<Item = &'a ListedRow<R>>, row: &mut ListedRow<R>) {
    if let ListedRow::Read(row) = row {
        let (between, last) = nearest(before);
        row.number_after(last, between);
    }
}
