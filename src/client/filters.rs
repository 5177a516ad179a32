//! Transactions by message type, although some real servers ignore the filter or fail on it (`docs/apis/indexer.md`
//! §5.3).

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use super::{endpoints::FragileFilter, indexer::IndexerClient, paging, rows::RowForm};
use crate::{
    msg::{ListPage, Note, PageRequest, Total, TxQuery, TxScope},
    wire::{self, ApiError, ErrorKind},
};

impl IndexerClient {
    pub(super) async fn filtered_txs<R: RowForm<wire::Tx>>(
        &self,
        query: &TxQuery,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        if query.msgs.is_empty() {
            return self.list_txs(query, page).await;
        }
        let has_failed = FragileFilter::of(query, page).map(|filter| self.has_failed(filter));
        if has_failed.is_some_and(|has_failed| has_failed.load(Ordering::Relaxed)) {
            return self.filter_here(query, page).await;
        }
        match (self.list_txs(query, page).await, has_failed) {
            (Ok(answer), _) if paging::is_filtered(&answer, &query.msgs) => Ok(answer),
            (Ok(answer), _) => {
                Ok(paging::filter(answer, &query.msgs, |scanned| Note::FilterIgnoredByServer { scanned }))
            }
            (Err(error), Some(has_failed)) if matches!(error.kind, ErrorKind::Server { .. }) => {
                let answer = self.filter_here(query, page).await?;
                // The unfiltered list works, so the filter failed: do not send it again.
                has_failed.store(true, Ordering::Relaxed);
                Ok(answer)
            }
            (Err(error), _) => Err(error),
        }
    }

    async fn list_txs<R: RowForm<wire::Tx>>(
        &self,
        query: &TxQuery,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        if matches!(&query.scope, TxScope::Token(token) if !token.is_askable()) {
            let notes = vec![Note::IdNotAddressable];
            return Ok(ListPage { items: Vec::new(), next: None, total: Total::Unknown, notes });
        }
        let mut answer = self.page(query, page).await?;
        if matches!(&query.scope, TxScope::Token(token) if answer.items.is_empty() && !token.is_addressable()) {
            answer.total = Total::Unknown;
            answer.notes.push(Note::IdNotAddressable);
        }
        Ok(answer)
    }

    async fn filter_here<R: RowForm<wire::Tx>>(
        &self,
        query: &TxQuery,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        let unfiltered = TxQuery { scope: query.scope.clone(), msgs: Vec::new() };
        // The total of the unfiltered list would be useless, and counting it is the server's most expensive work.
        let uncounted = PageRequest { count_total: false, ..page.clone() };
        let answer = self.list_txs(&unfiltered, &uncounted).await?;
        Ok(paging::filter(answer, &query.msgs, |scanned| Note::FilteredHere { scanned }))
    }

    /// Returns the flag that this server fails on the filter.
    fn has_failed(&self, filter: FragileFilter) -> &AtomicBool {
        match filter {
            FragileFilter::Account => &self.shared.cannot_filter_accounts,
            FragileFilter::AfterKey => &self.shared.cannot_filter_after_key,
        }
    }
}
