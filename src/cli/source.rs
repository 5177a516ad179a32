//! The lists of the indexer API, as the list commands ask for them.

use std::sync::Arc;

use serde::{Deserialize, de::DeserializeOwned};

use super::record::Record;
use crate::{
    client::IndexerClient,
    domain::Denom,
    msg::{CollectionScope, EvmTxScope, InternalTxScope, Page, PageRequest, TokenQuery, Total, TxQuery, TxScope},
    wire::{
        ApiError, Block, Collection, CollectionsResponse, ErrorKind, EvmTx, Holder, InternalTx, Pagination, Token, Tx,
        TxsResponse, Verbatim,
    },
};

/// A page whose rows are kept as received.
pub(super) type Rows<T> = Page<Arc<Verbatim<T>>>;

/// A list of the indexer API.
pub(super) trait List {
    /// What it lists.
    type Item: Record + DeserializeOwned + Send + Sync + 'static;
    /// What its items are called, many of them.
    const NAME: &'static str;
    /// The field of the answer that holds them.
    const FIELD: &'static str;
    /// What servers may fail to do with it, so that it is done here.
    const FILTER: &'static str = "filter by type";
    /// Whether what is done here is done page by page, so that more pages find more.
    const SCANS_PAGES: bool = true;

    /// A page of it, cleaned.
    async fn page(&self, client: &IndexerClient, request: &PageRequest) -> Result<Rows<Self::Item>, ApiError>;
    /// The answer's body for a page, as received.
    async fn body(&self, client: &IndexerClient, request: &PageRequest) -> Result<Vec<u8>, ApiError>;

    /// Whether an answer is what was asked for; where it is not, [`List::page`] knows better.
    fn is_answer(&self, _body: &[u8]) -> bool {
        true
    }

    /// Whether [`List::page`] knows a way where the server fails.
    fn has_way_around(&self) -> bool {
        false
    }

    /// The body for a page: as received where that is what was asked for; else one of the same form, made here of what
    /// the client's ways around brought, with the page it was made of.
    async fn answer(
        &self,
        client: &IndexerClient,
        request: &PageRequest,
    ) -> Result<(Vec<u8>, Option<Rows<Self::Item>>), ApiError> {
        match self.body(client, request).await {
            Ok(body) if self.is_answer(&body) => return Ok((body, None)),
            Err(error) if !self.has_way_around() || !matches!(error.kind, ErrorKind::Server { .. }) => {
                return Err(error);
            }
            Ok(_) | Err(_) => {}
        }
        let page = self.page(client, request).await?;
        Ok((compose(Self::FIELD, &page), Some(page)))
    }
}

/// A page as the server would have written it. A total that is unknown is written as -1, as servers do.
fn compose<T>(field: &str, page: &Rows<T>) -> Vec<u8> {
    let total = match page.total {
        Total::Exact(total) | Total::About(total) => i64::try_from(total).unwrap_or(i64::MAX),
        Total::Unknown => -1,
    };
    let next_key = page.next.as_ref().map(|key| key.0.to_string());
    let pagination = serde_json::to_string(&Pagination { previous_key: None, next_key, total }).unwrap_or_default();
    let rows: Vec<&str> = page.items.iter().map(|row| row.raw.get()).collect();
    format!("{{\"{field}\":[{}],\"pagination\":{pagination}}}", rows.join(",")).into_bytes()
}

/// The blocks of the chain.
pub(super) struct Blocks;

impl List for Blocks {
    type Item = Block;
    const NAME: &'static str = "blocks";
    const FIELD: &'static str = "blocks";

    async fn page(&self, client: &IndexerClient, request: &PageRequest) -> Result<Rows<Block>, ApiError> {
        client.blocks_as(request).await
    }

    async fn body(&self, client: &IndexerClient, request: &PageRequest) -> Result<Vec<u8>, ApiError> {
        client.blocks_raw(request).await
    }
}

/// Transactions of the chain, of an account, of a block or of an NFT.
pub(super) struct Txs(pub(super) TxQuery);

impl List for Txs {
    type Item = Tx;
    const NAME: &'static str = "transactions";
    const FIELD: &'static str = "txs";

    async fn page(&self, client: &IndexerClient, request: &PageRequest) -> Result<Rows<Tx>, ApiError> {
        client.txs_as(&self.0, request).await
    }

    async fn body(&self, client: &IndexerClient, request: &PageRequest) -> Result<Vec<u8>, ApiError> {
        client.txs_raw(&self.0, request).await
    }

    /// Not where the server ignored the message filter, nor where it cannot know of the NFT.
    fn is_answer(&self, body: &[u8]) -> bool {
        match &self.0 {
            TxQuery { scope: TxScope::Token(token), .. } if token.is_addressable() => true,
            TxQuery { scope: TxScope::Token(_), .. } => has_rows(body),
            TxQuery { msgs, .. } if msgs.is_empty() => true,
            TxQuery { msgs, .. } => serde_json::from_slice::<TxsResponse>(body)
                .is_ok_and(|answer| answer.txs.iter().all(|tx| tx.holds_any(msgs))),
        }
    }

    fn has_way_around(&self) -> bool {
        !self.0.msgs.is_empty()
    }
}

/// EVM receipts of the chain, of an account or of a block.
pub(super) struct EvmTxs(pub(super) EvmTxScope);

impl List for EvmTxs {
    type Item = EvmTx;
    const NAME: &'static str = "receipts";
    const FIELD: &'static str = "txs";

    async fn page(&self, client: &IndexerClient, request: &PageRequest) -> Result<Rows<EvmTx>, ApiError> {
        client.evm_txs_as(&self.0, request).await
    }

    async fn body(&self, client: &IndexerClient, request: &PageRequest) -> Result<Vec<u8>, ApiError> {
        client.evm_txs_raw(&self.0, request).await
    }
}

/// Call frames of the chain, of an account, of a block or of an EVM transaction.
pub(super) struct InternalTxs(pub(super) InternalTxScope);

impl List for InternalTxs {
    type Item = InternalTx;
    const NAME: &'static str = "call frames";
    const FIELD: &'static str = "internal_txs";

    async fn page(&self, client: &IndexerClient, request: &PageRequest) -> Result<Rows<InternalTx>, ApiError> {
        client.internal_txs_as(&self.0, request).await
    }

    async fn body(&self, client: &IndexerClient, request: &PageRequest) -> Result<Vec<u8>, ApiError> {
        client.internal_txs_raw(&self.0, request).await
    }
}

/// NFT collections of the chain, of an owner or by name.
pub(super) struct Collections(pub(super) CollectionScope);

impl List for Collections {
    type Item = Collection;
    const NAME: &'static str = "collections";
    const FIELD: &'static str = "collections";
    const FILTER: &'static str = "find the name";
    const SCANS_PAGES: bool = false;

    async fn page(&self, client: &IndexerClient, request: &PageRequest) -> Result<Rows<Collection>, ApiError> {
        client.collections_as(&self.0, request).await
    }

    async fn body(&self, client: &IndexerClient, request: &PageRequest) -> Result<Vec<u8>, ApiError> {
        client.collections_raw(&self.0, request).await
    }

    /// Not where no name was found: the client searches harder.
    fn is_answer(&self, body: &[u8]) -> bool {
        match self.0 {
            CollectionScope::Name(_) => {
                serde_json::from_slice::<CollectionsResponse>(body).is_ok_and(|answer| !answer.collections.is_empty())
            }
            CollectionScope::All | CollectionScope::Owner(_) | CollectionScope::NameAtServer(_) => true,
        }
    }
}

/// NFTs of an owner or of a collection.
pub(super) struct Tokens(pub(super) TokenQuery);

impl List for Tokens {
    type Item = Token;
    const NAME: &'static str = "NFTs";
    const FIELD: &'static str = "tokens";

    async fn page(&self, client: &IndexerClient, request: &PageRequest) -> Result<Rows<Token>, ApiError> {
        client.tokens_as(&self.0, request).await
    }

    async fn body(&self, client: &IndexerClient, request: &PageRequest) -> Result<Vec<u8>, ApiError> {
        client.tokens_raw(&self.0, request).await
    }

    fn has_way_around(&self) -> bool {
        true
    }
}

/// The holders of a denom.
pub(super) struct Holders(pub(super) Denom);

impl List for Holders {
    type Item = Holder;
    const NAME: &'static str = "holders";
    const FIELD: &'static str = "holders";

    async fn page(&self, client: &IndexerClient, request: &PageRequest) -> Result<Rows<Holder>, ApiError> {
        client.holders_as(&self.0, request).await
    }

    async fn body(&self, client: &IndexerClient, request: &PageRequest) -> Result<Vec<u8>, ApiError> {
        client.holders_raw(&self.0, request).await
    }
}

/// Whether a body holds at least one transaction.
fn has_rows(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Body {
        txs: Vec<serde::de::IgnoredAny>,
    }
    serde_json::from_slice::<Body>(body).is_ok_and(|body| !body.txs.is_empty())
}
