use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use serde::de::DeserializeOwned;

use super::{
    BaseUrl, BaseUrlError, ClientOptions, ExchangeLog, Observer,
    outside::Outside,
    paging::{self, Counting, Row},
    retry::Repeat,
    shape,
    transport::{Received, Transport},
};
use crate::{
    domain::{Height, TxHash},
    msg::{Cursor, Note, Page, PageRequest, Request, Total, TxQuery, TxScope},
    wire::{self, ApiError, ErrorKind},
};

/// Rows of the page that is asked for instead of a larger one on which the server failed.
const FEW_BLOCKS: u16 = 10;

/// A client of one indexer. Clones share connections, the exchange log and what was learnt about the server.
///
/// Creating one does nothing yet: the HTTP machinery is built by the first request. Methods need a tokio runtime;
/// dropping their future cancels the request. The `*_raw` forms return a successful answer's body exactly as
/// received: they check that it is JSON, but neither its shape nor the message filter.
#[derive(Clone)]
pub struct IndexerClient {
    pub(super) shared: Arc<Shared>,
    pub(super) observer: Option<Arc<dyn Observer>>,
}

/// What clones of a client share.
pub(super) struct Shared {
    pub(super) transport: Transport,
    pub(super) outside: Outside,
    /// Set once this server failed to filter an account's list (`wire/indexer.md` §5.3).
    cannot_filter_accounts: AtomicBool,
    /// Set once it failed to filter a block's list after a cursor.
    cannot_filter_after_key: AtomicBool,
}

impl IndexerClient {
    /// A client of the server at this address; see [`BaseUrl::parse`].
    pub fn new(base_url: &str, options: ClientOptions) -> Result<Self, BaseUrlError> {
        let base = BaseUrl::parse(base_url)?;
        let outside = Outside::new(&base, &options)?;
        let shared = Shared {
            transport: Transport::new(base, options),
            outside,
            cannot_filter_accounts: false.into(),
            cannot_filter_after_key: false.into(),
        };
        Ok(Self { shared: Arc::new(shared), observer: None })
    }

    /// The same client, whose requests are told to this observer.
    #[must_use]
    pub fn observed(&self, observer: Arc<dyn Observer>) -> Self {
        Self { shared: Arc::clone(&self.shared), observer: Some(observer) }
    }

    /// The server's address.
    pub fn base_url(&self) -> &BaseUrl {
        &self.shared.transport.base
    }

    /// The last exchanges of this client and its clones.
    pub fn exchanges(&self) -> &ExchangeLog {
        &self.shared.transport.book.log
    }

    /// `GET /status`. A 500 means that nothing is indexed yet.
    pub async fn status(&self) -> Result<wire::Status, ApiError> {
        self.get(&Request::Status).await
    }

    /// The body of `GET /status`.
    pub async fn status_raw(&self) -> Result<Vec<u8>, ApiError> {
        self.get_raw(&Request::Status).await
    }

    /// Seconds per block over the newest 100; 0 with fewer than two.
    pub async fn avg_block_time(&self) -> Result<f64, ApiError> {
        self.get::<wire::AvgBlockTime>(&Request::AvgBlockTime).await.map(|answer| answer.avg_block_time)
    }

    /// The body of the average block time.
    pub async fn avg_block_time_raw(&self) -> Result<Vec<u8>, ApiError> {
        self.get_raw(&Request::AvgBlockTime).await
    }

    /// The block where the index begins; `None` while it is empty.
    pub async fn oldest_block(&self) -> Result<Option<Arc<wire::Block>>, ApiError> {
        Ok(self.blocks(&Request::oldest_page()).await?.items.into_iter().next())
    }

    /// A page of blocks. Where the server fails on it, a smaller page from the same place: one block whose proposer left
    /// the validator set fails every page that holds it (`wire/indexer.md` §4).
    pub async fn blocks(&self, page: &PageRequest) -> Result<Page<Arc<wire::Block>>, ApiError> {
        self.blocks_as(page).await
    }

    /// The same as [`IndexerClient::blocks`] in another form of rows: [`wire::Verbatim`] keeps them as received.
    pub async fn blocks_as<R: Row<wire::Block>>(&self, page: &PageRequest) -> Result<Page<Arc<R>>, ApiError> {
        match self.blocks_page(page).await {
            Err(error) if matches!(error.kind, ErrorKind::Server { .. }) && page.limit > FEW_BLOCKS => {
                self.blocks_page(&PageRequest { limit: FEW_BLOCKS, ..page.clone() }).await
            }
            answered => answered,
        }
    }

    async fn blocks_page<R: Row<wire::Block>>(&self, page: &PageRequest) -> Result<Page<Arc<R>>, ApiError> {
        let answer: wire::BlocksResponse<R> = self.get(&Request::Blocks(page.clone())).await?;
        Ok(paging::clean(answer.blocks, answer.pagination, page, Counting::Rough))
    }

    /// The body of a page of blocks.
    pub async fn blocks_raw(&self, page: &PageRequest) -> Result<Vec<u8>, ApiError> {
        self.get_raw(&Request::Blocks(page.clone())).await
    }

    /// One block.
    pub async fn block(&self, height: Height) -> Result<Arc<wire::Block>, ApiError> {
        self.get::<wire::BlockResponse>(&Request::Block(height)).await.map(|answer| Arc::new(answer.block))
    }

    /// The body of one block.
    pub async fn block_raw(&self, height: Height) -> Result<Vec<u8>, ApiError> {
        self.get_raw(&Request::Block(height)).await
    }

    /// One transaction by its Cosmos hash.
    pub async fn tx(&self, hash: TxHash) -> Result<Arc<wire::Tx>, ApiError> {
        self.get::<wire::TxResponse>(&Request::Tx(hash)).await.map(|answer| Arc::new(answer.tx))
    }

    /// The body of one transaction.
    pub async fn tx_raw(&self, hash: TxHash) -> Result<Vec<u8>, ApiError> {
        self.get_raw(&Request::Tx(hash)).await
    }

    /// A page of transactions. The message filter holds whatever the server makes of it: where it ignores the types or
    /// fails over them the rows are filtered here, and a note says so. Such a page may be empty and still have a next.
    /// An empty list of an NFT whose id real servers cannot find has a note as well.
    pub async fn txs(&self, query: &TxQuery, page: &PageRequest) -> Result<Page<Arc<wire::Tx>>, ApiError> {
        self.txs_as(query, page).await
    }

    /// The same as [`IndexerClient::txs`] in another form of rows: [`wire::Verbatim`] keeps them as received.
    pub async fn txs_as<R: Row<wire::Tx>>(
        &self,
        query: &TxQuery,
        page: &PageRequest,
    ) -> Result<Page<Arc<R>>, ApiError> {
        if query.msgs.is_empty() {
            return self.list_txs(query, page).await;
        }
        let weakness = self.weakness(query, page);
        if weakness.is_some_and(|known| known.load(Ordering::Relaxed)) {
            return self.filter_here(query, page).await;
        }
        match (self.list_txs(query, page).await, weakness) {
            (Ok(answer), _) if paging::is_filtered(&answer, &query.msgs) => Ok(answer),
            (Ok(answer), _) => {
                Ok(paging::filter(answer, &query.msgs, |scanned| Note::FilterIgnoredByServer { scanned }))
            }
            (Err(error), Some(weakness)) if matches!(error.kind, ErrorKind::Server { .. }) => {
                let answer = self.filter_here(query, page).await?;
                // The list itself works, so it was the filter: the server need not fail over it again.
                weakness.store(true, Ordering::Relaxed);
                Ok(answer)
            }
            (Err(error), _) => Err(error),
        }
    }

    /// The body of a page of transactions. The real server answers 500 to a message filter on an account, and to one
    /// on a block after a cursor; [`IndexerClient::txs`] knows a way around.
    pub async fn txs_raw(&self, query: &TxQuery, page: &PageRequest) -> Result<Vec<u8>, ApiError> {
        self.get_raw(&Request::Txs(query.clone(), page.clone())).await
    }

    async fn list_txs<R: Row<wire::Tx>>(&self, query: &TxQuery, page: &PageRequest) -> Result<Page<Arc<R>>, ApiError> {
        if matches!(&query.scope, TxScope::Token(token) if !token.is_askable()) {
            let notes = vec![Note::IdNotAddressable];
            return Ok(Page { items: Vec::new(), next: None, total: Total::Unknown, notes });
        }
        let answer: wire::TxsResponse<R> = self.get(&Request::Txs(query.clone(), page.clone())).await?;
        let is_whole_chain = query.scope == TxScope::All && query.msgs.is_empty();
        let counting = if is_whole_chain { Counting::Rough } else { Counting::Exact };
        let mut answer = paging::clean(answer.txs, answer.pagination, page, counting);
        if matches!(&query.scope, TxScope::Token(token) if answer.items.is_empty() && !token.is_addressable()) {
            answer.total = Total::Unknown;
            answer.notes.push(Note::IdNotAddressable);
        }
        Ok(answer)
    }

    async fn filter_here<R: Row<wire::Tx>>(
        &self,
        query: &TxQuery,
        page: &PageRequest,
    ) -> Result<Page<Arc<R>>, ApiError> {
        let unfiltered = TxQuery { scope: query.scope.clone(), msgs: Vec::new() };
        // The total of the unfiltered list would say nothing, and counting is what costs the server most.
        let uncounted = PageRequest { count_total: false, ..page.clone() };
        let answer = self.list_txs(&unfiltered, &uncounted).await?;
        Ok(paging::filter(answer, &query.msgs, |scanned| Note::FilteredHere { scanned }))
    }

    /// The flag of the known weakness that a filtered list may run into, if any.
    fn weakness(&self, query: &TxQuery, page: &PageRequest) -> Option<&AtomicBool> {
        match (&query.scope, &page.cursor) {
            _ if query.msgs.is_empty() => None,
            (TxScope::Account { .. }, _) => Some(&self.shared.cannot_filter_accounts),
            (TxScope::Height(_), Cursor::Key(_)) => Some(&self.shared.cannot_filter_after_key),
            (TxScope::Height(_) | TxScope::Token(_) | TxScope::All, _) => None,
        }
    }

    pub(super) async fn get<T: DeserializeOwned + Send + 'static>(&self, request: &Request) -> Result<T, ApiError> {
        shape::decode(self.fetch(request).await?).await
    }

    pub(super) async fn get_raw(&self, request: &Request) -> Result<Vec<u8>, ApiError> {
        let received = self.fetch(request).await?;
        shape::check_media(&received)?;
        Ok(received.body)
    }

    async fn fetch(&self, request: &Request) -> Result<Received, ApiError> {
        let repeat = match request {
            Request::Txs(query, page) if self.weakness(query, page).is_some() => Repeat::ButServerFailures,
            Request::Tokens(..) => Repeat::ButServerFailures,
            Request::Holders(..) => Repeat::ButTimeouts,
            _ => Repeat::Passing,
        };
        // Only requests that have a path are made in this module.
        let path = request.path_and_query().unwrap_or_default();
        self.shared.transport.fetch(&path, repeat, self.observer.as_deref()).await
    }
}
