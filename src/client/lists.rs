//! Lists of the indexer API: request, row type, and workarounds for servers that fail on a list.

use std::sync::Arc;

use super::{
    decoding, endpoints,
    indexer::IndexerClient,
    paging::{self, Counting},
    rows::{ListItem, RowForm, VerbatimPage},
    target::RequestTarget,
    transport::ReceivedBody,
};
use crate::{
    domain::Denom,
    msg::{
        CollectionScope, EvmTxScope, InternalTxScope, ListPage, PageKey, PageRequest, PageStart, Request, TokenQuery,
        Total, TxQuery, TxScope,
    },
    wire::{
        ApiError, Block, Collection, ErrorKind, EvmTx, Holder, InternalTx, Pagination, RawJson, Token, TokenContract,
        Tx,
    },
};

#[derive(Clone, Copy, Debug)]
pub struct BlocksQuery;

#[derive(Clone, Debug)]
pub struct HoldersQuery(pub Denom);

#[derive(Clone, Copy, Debug)]
pub struct TokenContractsQuery;

pub trait ListEndpoint: Sync {
    type Item: ListItem;

    fn target(&self, page: &PageRequest) -> RequestTarget;

    /// Returns the meaning of the server's total.
    fn counting(&self) -> Counting;

    /// Fetches a page and cleans it; works around server failures.
    fn fetch<R: RowForm<Self::Item>>(
        &self,
        client: &IndexerClient,
        page: &PageRequest,
    ) -> impl Future<Output = Result<ListPage<Arc<R>>, ApiError>> + Send {
        client.page(self, page)
    }

    /// Whether a response answers the query. If it does not, [`ListEndpoint::fetch`] applies its workaround.
    fn is_answer(&self, _answer: &VerbatimPage<Self::Item>) -> bool {
        true
    }

    /// Whether [`ListEndpoint::fetch`] has a workaround for a failure.
    fn has_way_around(&self) -> bool {
        false
    }
}

impl IndexerClient {
    /// Requests a page of a list; each [`ListEndpoint`] documents its workarounds.
    pub async fn list<Q: ListEndpoint>(
        &self,
        query: &Q,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<Q::Item>>, ApiError> {
        query.fetch(self, page).await
    }

    /// Requests a page with its rows as received.
    pub async fn list_verbatim<Q: ListEndpoint>(
        &self,
        query: &Q,
        page: &PageRequest,
    ) -> Result<VerbatimPage<Q::Item>, ApiError> {
        query.fetch(self, page).await
    }

    /// Requests a page. The body is as received, unless a workaround assembled the rows.
    pub async fn list_and_body<Q: ListEndpoint>(
        &self,
        query: &Q,
        page: &PageRequest,
    ) -> Result<(VerbatimPage<Q::Item>, Option<Vec<u8>>), ApiError> {
        match self.ask(&query.target(page)).await {
            Ok(received) => {
                let body = received.body.clone();
                let answer = Self::read_page(received, query, page).await?;
                if query.is_answer(&answer) {
                    return Ok((answer, Some(body)));
                }
            }
            Err(error) if !query.has_way_around() || !matches!(error.kind, ErrorKind::Server { .. }) => {
                return Err(error);
            }
            Err(_) => {}
        }
        Ok((self.list_verbatim(query, page).await?, None))
    }

    /// Requests a page once, without workarounds.
    pub async fn page<Q: ListEndpoint + ?Sized, R: RowForm<Q::Item>>(
        &self,
        query: &Q,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        self.page_at(query, &query.target(page), page).await
    }

    /// Requests a page at a path that differs from the endpoint's path.
    pub(super) async fn page_at<Q: ListEndpoint + ?Sized, R: RowForm<Q::Item>>(
        &self,
        query: &Q,
        target: &RequestTarget,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        Self::read_page(self.ask(target).await?, query, page).await
    }

    async fn read_page<Q: ListEndpoint + ?Sized, R: RowForm<Q::Item>>(
        received: ReceivedBody,
        query: &Q,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        let continues = matches!(page.cursor, PageStart::Key(_));
        let (rows, pagination) = decoding::decode_rows::<Q::Item, R>(received, continues).await?;
        Ok(paging::clean(rows, pagination, page, query.counting()))
    }
}

/// Builds the response body of a page with these rows in the server's format; an unknown total is -1.
pub fn body_of<T: ListItem>(rows: Vec<RawJson>, next: Option<&PageKey>, total: Total) -> Vec<u8> {
    let total = match total {
        Total::Exact(total) | Total::About(total) => i64::try_from(total).unwrap_or(i64::MAX),
        Total::Unknown => -1,
    };
    T::body(
        rows,
        Pagination {
            previous_key: None,
            next_key: next.map(|key| key.0.to_string()),
            total,
            oldest_height: None,
            is_partial: false,
        },
    )
}

/// Returns the meaning of the total: for a whole-chain list servers do not count rows.
fn counting(is_whole_chain: bool) -> Counting {
    if is_whole_chain { Counting::Rough } else { Counting::Exact }
}

impl ListEndpoint for BlocksQuery {
    type Item = Block;

    fn target(&self, page: &PageRequest) -> RequestTarget {
        endpoints::blocks(page)
    }

    fn counting(&self) -> Counting {
        Counting::Rough
    }

    /// Works around a failing page by returning the rows before the bad block: a block whose proposer left the
    /// validator set fails every page that contains it (`docs/apis/indexer.md` §4). Fails if the first block is bad.
    async fn fetch<R: RowForm<Block>>(
        &self,
        client: &IndexerClient,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        match client.page(self, page).await {
            Err(error) if matches!(error.kind, ErrorKind::Server { .. }) && page.limit > 1 => {
                client.blocks_before_bad_one(page, error).await
            }
            answered => answered,
        }
    }
}

impl ListEndpoint for TxQuery {
    type Item = Tx;

    fn target(&self, page: &PageRequest) -> RequestTarget {
        endpoints::txs(self, page)
    }

    fn counting(&self) -> Counting {
        counting(self.scope == TxScope::All && self.msgs.is_empty())
    }

    /// Works around a failing message filter by filtering in the client, with a note. Such a page may be empty although
    /// a next page exists. An empty list for an NFT whose id no URL can address gets a note too.
    async fn fetch<R: RowForm<Tx>>(
        &self,
        client: &IndexerClient,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        client.filtered_txs(self, page).await
    }

    /// The response is no answer if the server ignored the message filter or cannot find the NFT.
    fn is_answer(&self, answer: &VerbatimPage<Tx>) -> bool {
        match &self.scope {
            TxScope::Token(token) => token.is_addressable() || !answer.items.is_empty(),
            _ => paging::is_filtered(answer, &self.msgs),
        }
    }

    fn has_way_around(&self) -> bool {
        !self.msgs.is_empty()
    }
}

/// Fails with [`ApiError::is_feature_off`] on a rollup without an EVM.
impl ListEndpoint for EvmTxScope {
    type Item = EvmTx;

    fn target(&self, page: &PageRequest) -> RequestTarget {
        endpoints::evm_txs(self, page)
    }

    fn counting(&self) -> Counting {
        counting(*self == Self::All)
    }
}

/// Ascending in trace order. Fails with not found for an unknown transaction, and with [`ApiError::is_feature_off`] if
/// the indexer stores no call frames; a transaction without frames has an empty list.
impl ListEndpoint for InternalTxScope {
    type Item = InternalTx;

    fn target(&self, page: &PageRequest) -> RequestTarget {
        endpoints::internal_txs(self, page)
    }

    fn counting(&self) -> Counting {
        counting(*self == Self::All)
    }
}

impl ListEndpoint for CollectionScope {
    type Item = Collection;

    fn target(&self, page: &PageRequest) -> RequestTarget {
        endpoints::collections(self, page)
    }

    fn counting(&self) -> Counting {
        counting(*self == Self::All)
    }

    /// Searches by name: letters and digits in any case, in collection name or class name. If the server finds nothing,
    /// the client searches the newest or oldest 5,000 collections, with a note; not for
    /// [`CollectionScope::NameAtServer`].
    async fn fetch<R: RowForm<Collection>>(
        &self,
        client: &IndexerClient,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        client.named_collections(self, page).await
    }

    /// The response is no answer if the server found no collection: the client searches further.
    fn is_answer(&self, answer: &VerbatimPage<Collection>) -> bool {
        match self {
            Self::Name(_) => !answer.items.is_empty(),
            Self::All | Self::Owner(_) | Self::NameAtServer(_) => true,
        }
    }
}

impl ListEndpoint for TokenQuery {
    type Item = Token;

    fn target(&self, page: &PageRequest) -> RequestTarget {
        endpoints::tokens(self, page)
    }

    fn counting(&self) -> Counting {
        Counting::Exact
    }

    /// Works around a failing page by requesting smaller parts: omits rows that fail alone, with a note. Fails if no
    /// row is readable.
    async fn fetch<R: RowForm<Token>>(
        &self,
        client: &IndexerClient,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        client.tokens_around_bad_rows(self, page).await
    }

    fn has_way_around(&self) -> bool {
        true
    }
}

/// Fails with not found for a denom unknown to an EVM rollup: the real server takes most of a minute, so a timeout is
/// not retried. Other rollups return an empty list.
impl ListEndpoint for HoldersQuery {
    type Item = Holder;

    fn target(&self, page: &PageRequest) -> RequestTarget {
        endpoints::holders(&self.0, page)
    }

    fn counting(&self) -> Counting {
        Counting::Exact
    }
}

/// Only a server whose status says so has the list.
impl ListEndpoint for TokenContractsQuery {
    type Item = TokenContract;

    fn target(&self, page: &PageRequest) -> RequestTarget {
        endpoints::token_contracts(page)
    }

    fn counting(&self) -> Counting {
        Counting::Exact
    }
}

/// Returns path and query of an indexer request; `None` for requests to the routing API, the web or this machine.
pub fn path_of(request: &Request) -> Option<String> {
    let target = match request {
        Request::Status => endpoints::status().target,
        Request::AvgBlockTime => endpoints::avg_block_time().target,
        Request::OldestBlock => BlocksQuery.target(&PageRequest::oldest()),
        Request::Blocks(page) => BlocksQuery.target(page),
        Request::Block(height) => endpoints::block(*height).target,
        Request::Txs(query, page) => query.target(page),
        Request::Tx(hash) => endpoints::tx(*hash).target,
        Request::EvmTxs(scope, page) => scope.target(page),
        Request::EvmTx(hash) => endpoints::evm_tx(*hash).target,
        Request::InternalTxs(scope, page) => scope.target(page),
        Request::Collections(scope, page) => scope.target(page),
        Request::Collection(address) => endpoints::collection(*address).target,
        Request::Tokens(query, page) => query.target(page),
        Request::Holders(denom, page) => HoldersQuery(denom.clone()).target(page),
        Request::TokenContracts(page) => TokenContractsQuery.target(page),
        _ => return None,
    };
    Some(target.path)
}
