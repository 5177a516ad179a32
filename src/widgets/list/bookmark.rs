use crate::msg::{PageKey, PageStart};

/// Page borders in list order. Each names a row and the key of the page that starts after the row.
///
/// The first `above` borders belong to rows that the window dropped.
#[derive(Debug)]
pub(crate) struct Bookmarks<K> {
    marks: Vec<(K, PageKey)>,
    above: usize,
}

impl<K> Default for Bookmarks<K> {
    fn default() -> Self {
        Self { marks: Vec::new(), above: 0 }
    }
}

/// Minimum number of rows between two borders from polls.
const SPACING: usize = 50;

impl<K: PartialEq + Clone> Bookmarks<K> {
    /// Returns the number of borders above the rows held.
    pub(crate) fn above(&self) -> usize {
        self.above
    }

    /// Returns the first border among the rows held.
    pub(crate) fn first_held(&self) -> Option<&K> {
        self.marks.get(self.above).map(|(key, _)| key)
    }

    /// Returns the borders among the rows held, from the top.
    pub(crate) fn held(&self) -> impl Iterator<Item = &(K, PageKey)> {
        self.marks.iter().skip(self.above)
    }

    /// Returns the last row that the window dropped above.
    pub(crate) fn last_above(&self) -> Option<&K> {
        self.above.checked_sub(1).and_then(|last| self.marks.get(last)).map(|(key, _)| key)
    }

    /// Adds the border after the last row held, or replaces the border of that row.
    pub(crate) fn push(&mut self, key: K, next: PageKey) {
        match self.marks.last_mut() {
            Some(last) if last.0 == key => last.1 = next,
            _ => self.marks.push((key, next)),
        }
    }

    /// Adds a border from a poll, unless the next border is less than [`SPACING`] rows below.
    pub(crate) fn mark_near_top(&mut self, key: K, next: PageKey, place: Option<usize>, first_marked: Option<usize>) {
        let Some(place) = place else { return };
        if first_marked.is_none_or(|first| first >= place + SPACING) {
            self.marks.insert(self.above, (key, next));
        }
    }

    /// Records that the window dropped the rows down to its first held border.
    pub(crate) fn went_above(&mut self) {
        self.above = (self.above + 1).min(self.marks.len());
    }

    /// Records that the window holds the last dropped page again.
    pub(crate) fn came_back(&mut self) {
        self.above = self.above.saturating_sub(1);
    }

    /// Inserts the borders of backfilled pages. The window dropped the rows of the first `dropped` borders.
    pub(crate) fn insert_backfilled(&mut self, borders: Vec<(K, PageKey)>, dropped: usize) {
        self.marks.splice(self.above..self.above, borders);
        self.above += dropped;
    }

    /// Returns the start of the page that ends with the last dropped row.
    pub(crate) fn cursor_above(&self) -> PageStart {
        match self.above.checked_sub(2).and_then(|place| self.marks.get(place)) {
            Some((_, key)) => PageStart::Key(key.clone()),
            None => PageStart::Start,
        }
    }

    /// Removes all borders below this row.
    pub(crate) fn truncate_after(&mut self, key: &K) {
        if let Some(place) = self.marks.iter().position(|(known, _)| known == key) {
            self.marks.truncate(place + 1);
        }
    }
}
