//! The lists of the indexer API: one row each of what is asked, what comes, and what is known of servers that fail on
//! it.

use std::{borrow::Borrow, sync::Arc};

use serde::de::DeserializeOwned;

use super::{
    IndexerClient, decoding,
    endpoints::{self, RequestTarget},
    paging::{self, Counting},
    transport::ReceivedBody,
};
use crate::{
    domain::Denom,
    msg::{
        CollectionScope, EvmTxScope, InternalTxScope, ListPage, PageKey, PageRequest, PageStart, TokenQuery, Total,
        TxQuery, TxScope,
    },
    wire::{
        ApiError, Block, BlocksResponse, Collection, CollectionsResponse, ErrorKind, EvmTx, EvmTxsResponse, Holder,
        HoldersResponse, InternalTx, InternalTxsResponse, Pagination, RawJson, Token, TokensResponse, Tx, TxsResponse,
        Verbatim,
    },
};

/// A form in which the rows of a list can be had: the wire type itself, or [`Verbatim`] of it.
pub trait RowForm<T>: Borrow<T> + DeserializeOwned + Send + Sync + 'static {}

impl<T, R: Borrow<T> + DeserializeOwned + Send + Sync + 'static> RowForm<T> for R {}

/// A page whose rows are kept as received.
pub type VerbatimPage<T> = ListPage<Arc<Verbatim<T>>>;

/// What a list has rows of: it knows the answer that holds them.
pub trait ListItem: RowForm<Self> + Sized {
    /// The answer with its rows in another form.
    type Response<R: RowForm<Self>>: DeserializeOwned + Send + 'static;
    /// The answer with its rows as they came.
    type RawResponse: DeserializeOwned;
    /// What an answer calls its rows.
    const FIELD: &'static str;

    /// The rows of an answer, and its cursors.
    fn rows<R: RowForm<Self>>(answer: Self::Response<R>) -> (Vec<R>, Pagination);
    /// The rows of an answer as they came, and its cursors.
    fn raw_rows(answer: Self::RawResponse) -> (Vec<RawJson>, Pagination);
    /// The body of an answer with these rows, as a server writes it.
    fn body(rows: Vec<RawJson>, pagination: Pagination) -> Vec<u8>;
}

macro_rules! listed {
    ($($item:ident: $response:ident.$field:ident,)*) => {
        $(impl ListItem for $item {
            type Response<R: RowForm<Self>> = $response<R>;
            type RawResponse = $response<RawJson>;
            const FIELD: &'static str = stringify!($field);

            fn rows<R: RowForm<Self>>(answer: $response<R>) -> (Vec<R>, Pagination) {
                (answer.$field, answer.pagination)
            }

            fn raw_rows(answer: $response<RawJson>) -> (Vec<RawJson>, Pagination) {
                (answer.$field, answer.pagination)
            }

            fn body(rows: Vec<RawJson>, pagination: Pagination) -> Vec<u8> {
                serde_json::to_vec(&$response { $field: rows, pagination }).unwrap_or_default()
            }
        })*
    };
}

listed! {
    Block: BlocksResponse.blocks,
    Tx: TxsResponse.txs,
    EvmTx: EvmTxsResponse.txs,
    InternalTx: InternalTxsResponse.internal_txs,
    Collection: CollectionsResponse.collections,
    Token: TokensResponse.tokens,
    Holder: HoldersResponse.holders,
}

/// The blocks of the chain.
#[derive(Clone, Copy, Debug)]
pub struct BlocksQuery;

/// The holders of a denom.
#[derive(Clone, Debug)]
pub struct HoldersQuery(pub Denom);

/// Which list, and of whom or where.
pub trait ListEndpoint: Sync {
    /// What it has rows of.
    type Item: ListItem;

    /// Where a page of it is asked for.
    fn target(&self, page: &PageRequest) -> RequestTarget;

    /// What the server counts for its total.
    fn counting(&self) -> Counting;

    /// A page of it, cleaned, whatever the server makes of the question.
    fn fetch<R: RowForm<Self::Item>>(
        &self,
        client: &IndexerClient,
        page: &PageRequest,
    ) -> impl Future<Output = Result<ListPage<Arc<R>>, ApiError>> + Send {
        client.page(self, page)
    }

    /// Whether an answer is what was asked for; where it is not, [`ListEndpoint::fetch`] knows better.
    fn is_answer(&self, _answer: &VerbatimPage<Self::Item>) -> bool {
        true
    }

    /// Whether [`ListEndpoint::fetch`] knows a way where the server fails.
    fn has_way_around(&self) -> bool {
        false
    }
}

impl IndexerClient {
    /// A page of a list, cleaned of the server's traps; each [`ListEndpoint`] says what of.
    pub async fn list<Q: ListEndpoint>(
        &self,
        query: &Q,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<Q::Item>>, ApiError> {
        query.fetch(self, page).await
    }

    /// The same with the rows kept as received.
    pub async fn list_verbatim<Q: ListEndpoint>(
        &self,
        query: &Q,
        page: &PageRequest,
    ) -> Result<VerbatimPage<Q::Item>, ApiError> {
        query.fetch(self, page).await
    }

    /// A page, with its body as received where that is what was asked for: elsewhere ways around brought the rows.
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

    /// A page of a list as the server gives it, in one request.
    pub(super) async fn page<Q: ListEndpoint + ?Sized, R: RowForm<Q::Item>>(
        &self,
        query: &Q,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        self.page_at(query, &query.target(page), page).await
    }

    /// The same, asked for in another way than its endpoint says.
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

/// The body of a page with these rows, as a server would have written it. A total that is unknown is written as -1, as
/// servers do.
pub fn body_of<T: ListItem>(rows: Vec<RawJson>, next: Option<&PageKey>, total: Total) -> Vec<u8> {
    let total = match total {
        Total::Exact(total) | Total::About(total) => i64::try_from(total).unwrap_or(i64::MAX),
        Total::Unknown => -1,
    };
    T::body(
        rows,
        Pagination { previous_key: None, next_key: next.map(|key| key.0.to_string()), total, oldest_height: None },
    )
}

/// Of the whole chain servers count something else than its rows.
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

    /// Where the server fails on a page, what lies before the block that it fails on: one block whose proposer left the
    /// validator set fails every page that holds it (`docs/apis/indexer.md` §4). An error where that block is the first.
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

    /// The message filter holds whatever the server makes of it: where it ignores the types or fails over them the rows
    /// are filtered here, and a note says so. Such a page may be empty and still have a next. An empty list of an NFT
    /// whose id real servers cannot find has a note as well.
    async fn fetch<R: RowForm<Tx>>(
        &self,
        client: &IndexerClient,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        client.filtered_txs(self, page).await
    }

    /// Not where the server ignored the message filter, nor where it cannot know of the NFT.
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

/// [`ApiError::is_feature_off`] on a rollup without an EVM.
impl ListEndpoint for EvmTxScope {
    type Item = EvmTx;

    fn target(&self, page: &PageRequest) -> RequestTarget {
        endpoints::evm_txs(self, page)
    }

    fn counting(&self) -> Counting {
        counting(*self == Self::All)
    }
}

/// A trace in its own order comes ascending. Not found for an unknown transaction, and empty for one without frames;
/// [`ApiError::is_feature_off`] where the indexer keeps none.
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

    /// By name, letters and digits count in any case, in the name or the class name; where the server finds none the
    /// newest or oldest 5,000 collections are looked through here, and a note says so; not with
    /// [`CollectionScope::NameAtServer`].
    async fn fetch<R: RowForm<Collection>>(
        &self,
        client: &IndexerClient,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<R>>, ApiError> {
        client.named_collections(self, page).await
    }

    /// Not where no name was found: the client searches harder.
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

    /// Where the server fails on a page, the same rows in smaller pieces: rows that fail alone are left out, and a note
    /// says how many. An error where no row can be had.
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

/// Not found for a denom that an EVM rollup does not know: the real server takes most of a minute to say so, and a
/// timeout is not tried again. Other rollups have an empty list for such a denom.
impl ListEndpoint for HoldersQuery {
    type Item = Holder;

    fn target(&self, page: &PageRequest) -> RequestTarget {
        endpoints::holders(&self.0, page)
    }

    fn counting(&self) -> Counting {
        Counting::Exact
    }
}
