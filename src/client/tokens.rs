//! List of NFTs around a server bug: an NFT whose collection is missing fails every page that contains it
//! (`docs/apis/indexer.md` §6.2).

use std::sync::Arc;

use super::{
    indexer::IndexerClient,
    paging::{offset_key, offset_of},
    rows::RowForm,
};
use crate::{
    msg::{ListPage, Note, PageKey, PageRequest, PageStart, TokenQuery, Total},
    wire::{ApiError, ErrorKind, Token},
};

/// Maximum requests to find the bad rows of one page; two bad rows among a hundred need about thirty requests.
const MOST_REQUESTS: usize = 48;

/// Number of consecutive failures after which the client blames the server instead of rows.
const MOST_FAILURES_IN_ROW: usize = 16;

impl IndexerClient {
    /// Returns a page of NFTs without the rows that make the server fail.
    pub(super) async fn tokens_around_bad_rows<R: RowForm<Token>>(
        &self,
        query: &TokenQuery,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        match (self.page(query, page).await, offset_of(&page.cursor)) {
            (Err(error), Some(start)) if is_bad_row(&error) => self.tokens_in_parts(query, page, start, error).await,
            (answered, _) => answered,
        }
    }

    /// Bisects failing parts until the bad rows are isolated.
    async fn tokens_in_parts<R: RowForm<Token>>(
        &self,
        query: &TokenQuery,
        page: &PageRequest,
        start: u64,
        error: ApiError,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        let mut parts = PageParts::new(start, page.limit);
        let (mut rows, mut left_out, mut total, mut next) = (Vec::new(), 0, Total::Unknown, None);
        let (mut failures_in_row, mut has_answered) = (0, false);
        for _ in 0..MOST_REQUESTS {
            let Some((offset, limit)) = parts.take() else { break };
            let count_total = page.count_total && total == Total::Unknown;
            let part = PageRequest { cursor: PageStart::Offset(offset), limit, order: page.order, count_total };
            match self.page(query, &part).await {
                Ok(found) => {
                    (failures_in_row, has_answered) = (0, true);
                    if count_total {
                        total = found.total;
                    }
                    let (found, rest) = found.into_listed();
                    rows.extend(found);
                    next = rest.next;
                    if next.is_none() {
                        parts.end();
                    }
                }
                Err(failure) if !is_bad_row(&failure) => return Err(failure),
                Err(_) => {
                    failures_in_row += 1;
                    if failures_in_row >= MOST_FAILURES_IN_ROW {
                        parts.put_back(offset, limit);
                        break;
                    }
                    if parts.split(offset, limit) {
                        left_out += 1;
                        next = Some(offset_key(offset.saturating_add(1)));
                    }
                }
            }
        }
        if !has_answered {
            return Err(error);
        }
        let next: Option<PageKey> = parts.take().map(|(offset, _)| offset_key(offset)).or(next);
        let notes = if left_out > 0 { vec![Note::LeftOut { rows: left_out }] } else { Vec::new() };
        Ok(ListPage::of_listed(rows, ListPage { items: Vec::new(), next, total, notes }))
    }
}

fn is_bad_row(error: &ApiError) -> bool {
    matches!(error.kind, ErrorKind::Server { status: 500, .. })
}

/// Parts of a page still to request, the next part last.
struct PageParts(Vec<(u64, u16)>);

impl PageParts {
    fn new(start: u64, limit: u16) -> Self {
        let mut parts = Self(Vec::new());
        parts.split(start, limit);
        parts
    }

    fn take(&mut self) -> Option<(u64, u16)> {
        self.0.pop()
    }

    /// Returns a part to the stack; it is requested next.
    fn put_back(&mut self, offset: u64, limit: u16) {
        self.0.push((offset, limit));
    }

    /// Ends the list: no page follows.
    fn end(&mut self) {
        self.0.clear();
    }

    /// Replaces a part by its halves; true for a single row, which cannot be split.
    fn split(&mut self, offset: u64, limit: u16) -> bool {
        if limit <= 1 {
            return true;
        }
        let half = limit / 2;
        self.0.push((offset.saturating_add(u64::from(half)), limit - half));
        self.0.push((offset, half));
        false
    }
}
