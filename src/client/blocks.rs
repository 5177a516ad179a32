//! List of blocks around a server bug: a block whose proposer left the validator set fails every page that contains it
//! (`docs/apis/indexer.md` §4).

use std::sync::Arc;

use super::{indexer::IndexerClient, lists::BlocksQuery, rows::RowForm};
use crate::{
    msg::{ListPage, PageRequest, PageStart},
    wire::{ApiError, Block, ErrorKind},
};

impl IndexerClient {
    /// Returns the rows of a page before the failing block, which bisection finds.
    pub(super) async fn blocks_before_bad_one<R: RowForm<Block>>(
        &self,
        page: &PageRequest,
        error: ApiError,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        let mut found: Option<ListPage<Arc<R>>> = None;
        let mut request = page.clone();
        let mut limit = page.limit / 2;
        while limit > 0 {
            request.limit = limit;
            match self.page(&BlocksQuery, &request).await {
                Ok(part) => {
                    let next = part.next.clone();
                    found = Some(joined(found, part));
                    let Some(key) = next else { break };
                    request = PageRequest { cursor: PageStart::Key(key), count_total: false, ..request };
                }
                Err(failure) if !matches!(failure.kind, ErrorKind::Server { .. }) => return Err(failure),
                Err(_) => {}
            }
            limit /= 2;
        }
        found.ok_or(error)
    }
}

/// Joins two parts of a page; the total comes from the first part.
fn joined<T>(before: Option<ListPage<T>>, part: ListPage<T>) -> ListPage<T> {
    let Some(before) = before else { return part };
    let total = before.total;
    let (mut rows, mut rest) = before.into_listed();
    let (further, part) = part.into_listed();
    rows.extend(further);
    rest.notes.extend(part.notes);
    ListPage::of_listed(rows, ListPage { next: part.next, total, ..rest })
}
