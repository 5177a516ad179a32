use super::{IndexError, integer};

/// Start and length of a page. Keys are heights for blocks, and sequence numbers for transactions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageRange {
    /// Key after which the page starts; `None` for the list's start.
    pub after: Option<i64>,
    /// Key before which the page ends. Keys of a previous page set it, so that pages read backwards do not overlap.
    pub until: Option<i64>,
    /// Number of rows to skip first.
    pub offset: u64,
    /// Maximum number of rows.
    pub limit: u16,
    /// Whether newer rows come first.
    pub descending: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// Key of the last row; `None` on an empty page.
    pub last: Option<i64>,
    /// Whether rows follow the page.
    pub more: bool,
    /// Start and end of the previous page; `None` on the first page.
    pub previous: Option<Previous>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Previous {
    /// Key after which the page starts.
    pub after: i64,
    /// Key before which the page ends; `None` for a full page.
    pub until: Option<i64>,
}

/// Keys between two exclusive bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KeySpan {
    pub(super) low: i64,
    pub(super) high: i64,
}

impl KeySpan {
    pub(super) const ALL: Self = Self { low: i64::MIN, high: i64::MAX };

    pub(super) const fn below(key: i64) -> Self {
        Self { high: key, ..Self::ALL }
    }

    pub(super) const fn above(key: i64) -> Self {
        Self { low: key, ..Self::ALL }
    }

    /// Returns the range of keys after `key` in list order.
    fn after(key: i64, descending: bool) -> Self {
        if descending { Self::below(key) } else { Self::above(key) }
    }

    fn and(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct KeyRange {
    pub(super) span: KeySpan,
    pub(super) descending: bool,
    pub(super) limit: i64,
    pub(super) offset: i64,
}

/// Finds the keys of a page and the neighbouring keys; `take` reads keys of the list.
pub(super) fn find(
    range: &PageRange,
    take: impl Fn(KeyRange) -> Result<Vec<i64>, IndexError>,
) -> Result<(Vec<i64>, Neighbours), IndexError> {
    let limit = i64::from(range.limit);
    let descending = range.descending;
    let mut span = range.after.map_or(KeySpan::ALL, |key| KeySpan::after(key, descending));
    if let Some(until) = range.until {
        span = span.and(KeySpan::after(until, !descending));
    }
    let mut keys = take(KeyRange { span, descending, limit: limit + 1, offset: integer(range.offset) })?;
    let more = keys.len() > usize::from(range.limit) || (range.until.is_some() && !keys.is_empty());
    keys.truncate(usize::from(range.limit));

    let first = keys.first().copied();
    let nearer = match (first, range.after) {
        (Some(first), _) => KeySpan::after(first, !descending),
        (None, Some(after)) => KeySpan::after(step(after, descending), !descending),
        (None, None) => KeySpan::ALL,
    };
    let before = take(KeyRange { span: nearer, descending: !descending, limit: limit + 1, offset: 0 })?;
    let previous = before.last().map(|&farthest| {
        if before.len() > usize::from(range.limit) {
            return Previous { after: farthest, until: None };
        }
        let short = before.len() < usize::from(range.limit);
        Previous { after: step(farthest, !descending), until: first.filter(|_| short) }
    });
    Ok((keys.clone(), Neighbours { last: keys.last().copied(), more, previous }))
}

fn step(key: i64, descending: bool) -> i64 {
    if descending { key.saturating_sub(1) } else { key.saturating_add(1) }
}

/// Returns keys of a contiguous list from `first` to `last` without reading rows.
pub(super) fn contiguous(first: i64, last: i64, take: KeyRange) -> Vec<i64> {
    let low = first.max(take.span.low.saturating_add(1));
    let high = last.min(take.span.high.saturating_sub(1));
    if take.descending {
        let high = high.saturating_sub(take.offset);
        (low.max(high.saturating_sub(take.limit - 1))..=high).rev().collect()
    } else {
        let low = low.saturating_add(take.offset);
        (low..=high.min(low.saturating_add(take.limit - 1))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(range: PageRange) -> (Vec<i64>, Neighbours) {
        find(&range, |take| Ok(contiguous(1, 25, take))).unwrap()
    }

    #[test]
    fn pages_walk_to_the_end_and_back_without_gap_or_overlap() {
        for descending in [true, false] {
            let start = PageRange { limit: 10, descending, ..PageRange::default() };
            let (first, at) = page(start);
            assert_eq!((first.len(), at.more, at.previous), (10, true, None));
            let (second, at) = page(PageRange { after: at.last, ..start });
            assert_eq!(second.len(), 10);
            let back = at.previous.unwrap();
            assert_eq!(page(PageRange { after: Some(back.after), until: back.until, ..start }).0, first);
            let (third, at) = page(PageRange { after: at.last, ..start });
            assert_eq!((third.len(), at.more), (5, false));
            let back = at.previous.unwrap();
            assert_eq!(page(PageRange { after: Some(back.after), until: back.until, ..start }).0, second);
            let mut all = [first, second, third].concat();
            all.sort_unstable();
            assert_eq!(all, (1..=25).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_short_page_before_ends_where_the_next_begins() {
        let range = PageRange { after: Some(23), limit: 10, descending: true, ..PageRange::default() };
        let (keys, at) = page(range);
        assert_eq!(keys.first(), Some(&22));
        let back = at.previous.unwrap();
        let (keys, at) = page(PageRange { after: Some(back.after), until: back.until, ..range });
        assert_eq!((keys, at.more, at.previous), (vec![25, 24, 23], true, None));
    }

    #[test]
    fn an_empty_page_knows_the_rows_before_it() {
        for range in [
            PageRange { after: Some(1), limit: 10, descending: true, ..PageRange::default() },
            PageRange { offset: 99, limit: 10, descending: true, ..PageRange::default() },
        ] {
            let (keys, at) = page(range);
            assert_eq!((keys, at.last, at.more), (vec![], None, false));
            let back = at.previous.unwrap();
            let (keys, _) = page(PageRange { after: Some(back.after), until: back.until, offset: 0, ..range });
            assert_eq!(keys, (1..=10).rev().collect::<Vec<_>>());
        }
    }

    #[test]
    fn extreme_cursors_do_not_overflow() {
        for after in [i64::MIN, i64::MAX] {
            for descending in [true, false] {
                let (keys, _) =
                    page(PageRange { after: Some(after), offset: u64::MAX, limit: 1000, descending, until: None });
                assert_eq!(keys, Vec::<i64>::new());
            }
        }
    }
}
