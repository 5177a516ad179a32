//! Transactions by the types of their messages, though real servers ignore the filter or fail over it
//! (`docs/apis/indexer.md` §5.3).

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use super::{IndexerClient, RowForm, paging};
use crate::{
    msg::{ListPage, Note, PageRequest, PageStart, Total, TxQuery, TxScope},
    wire::{self, ApiError, ErrorKind},
};

/// A list whose message filter a real server may fail over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FragileFilter {
    /// An account's.
    Account,
    /// A block's, after a cursor.
    AfterKey,
}

impl FragileFilter {
    /// The one that a filtered list runs into, if any.
    pub(super) fn of(query: &TxQuery, page: &PageRequest) -> Option<Self> {
        match (&query.scope, &page.cursor) {
            _ if query.msgs.is_empty() => None,
            (TxScope::Account { .. }, _) => Some(Self::Account),
            (TxScope::Height(_), PageStart::Key(_)) => Some(Self::AfterKey),
            (TxScope::Height(_) | TxScope::Token(_) | TxScope::All, _) => None,
        }
    }
}

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
                // The list itself works, so it was the filter: the server need not fail over it again.
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
        // The total of the unfiltered list would say nothing, and counting is what costs the server most.
        let uncounted = PageRequest { count_total: false, ..page.clone() };
        let answer = self.list_txs(&unfiltered, &uncounted).await?;
        Ok(paging::filter(answer, &query.msgs, |scanned| Note::FilteredHere { scanned }))
    }

    /// Whether this server is known to have failed over the filter.
    fn has_failed(&self, filter: FragileFilter) -> &AtomicBool {
        match filter {
            FragileFilter::Account => &self.shared.cannot_filter_accounts,
            FragileFilter::AfterKey => &self.shared.cannot_filter_after_key,
        }
    }
}
