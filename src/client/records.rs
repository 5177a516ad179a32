//! The lists and records beside blocks and transactions: EVM receipts, call frames, NFTs and holders.

use std::sync::Arc;

use super::{
    IndexerClient,
    paging::{self, Counting, Row},
};
use crate::{
    domain::{Address, Denom, EvmTxHash, text::clip},
    msg::{CollectionScope, EvmTxScope, InternalTxScope, Page, PageRequest, Request, TokenQuery},
    wire::{self, ApiError, ErrorKind},
};

impl IndexerClient {
    /// A page of EVM receipts. [`ApiError::is_feature_off`] on a rollup without an EVM.
    pub async fn evm_txs(&self, scope: &EvmTxScope, page: &PageRequest) -> Result<Page<Arc<wire::EvmTx>>, ApiError> {
        self.evm_txs_as(scope, page).await
    }

    /// The same as [`IndexerClient::evm_txs`] in another form of rows.
    pub async fn evm_txs_as<R: Row<wire::EvmTx>>(
        &self,
        scope: &EvmTxScope,
        page: &PageRequest,
    ) -> Result<Page<Arc<R>>, ApiError> {
        let answer: wire::EvmTxsResponse<R> = self.get(&Request::EvmTxs(*scope, page.clone())).await?;
        let counting = if *scope == EvmTxScope::All { Counting::Rough } else { Counting::Exact };
        Ok(paging::clean(answer.txs, answer.pagination, page, counting))
    }

    /// The body of a page of EVM receipts.
    pub async fn evm_txs_raw(&self, scope: &EvmTxScope, page: &PageRequest) -> Result<Vec<u8>, ApiError> {
        self.get_raw(&Request::EvmTxs(*scope, page.clone())).await
    }

    /// One EVM receipt by the EVM's hash.
    pub async fn evm_tx(&self, hash: EvmTxHash) -> Result<Arc<wire::EvmTx>, ApiError> {
        self.get::<wire::EvmTxResponse>(&Request::EvmTx(hash)).await.map(|answer| Arc::new(answer.tx))
    }

    /// The body of one EVM receipt.
    pub async fn evm_tx_raw(&self, hash: EvmTxHash) -> Result<Vec<u8>, ApiError> {
        self.get_raw(&Request::EvmTx(hash)).await
    }

    /// A page of call frames; a trace in its own order comes ascending. Not found for an unknown transaction, and empty
    /// for one without frames; [`ApiError::is_feature_off`] where the indexer keeps none.
    pub async fn internal_txs(
        &self,
        scope: &InternalTxScope,
        page: &PageRequest,
    ) -> Result<Page<Arc<wire::InternalTx>>, ApiError> {
        self.internal_txs_as(scope, page).await
    }

    /// The same as [`IndexerClient::internal_txs`] in another form of rows.
    pub async fn internal_txs_as<R: Row<wire::InternalTx>>(
        &self,
        scope: &InternalTxScope,
        page: &PageRequest,
    ) -> Result<Page<Arc<R>>, ApiError> {
        let answer: wire::InternalTxsResponse<R> = self.get(&Request::InternalTxs(*scope, page.clone())).await?;
        let counting = if *scope == InternalTxScope::All { Counting::Rough } else { Counting::Exact };
        Ok(paging::clean(answer.internal_txs, answer.pagination, page, counting))
    }

    /// The body of a page of call frames.
    pub async fn internal_txs_raw(&self, scope: &InternalTxScope, page: &PageRequest) -> Result<Vec<u8>, ApiError> {
        self.get_raw(&Request::InternalTxs(*scope, page.clone())).await
    }

    /// The body of a page of NFT collections, as the server searches by name; [`IndexerClient::collections`] knows better.
    pub async fn collections_raw(&self, scope: &CollectionScope, page: &PageRequest) -> Result<Vec<u8>, ApiError> {
        self.get_raw(&Request::Collections(scope.clone(), page.clone())).await
    }

    /// One NFT collection.
    pub async fn collection(&self, address: Address) -> Result<Arc<wire::Collection>, ApiError> {
        let answer: wire::CollectionResponse = self.get(&Request::Collection(address)).await?;
        Ok(Arc::new(answer.collection))
    }

    /// The body of one NFT collection.
    pub async fn collection_raw(&self, address: Address) -> Result<Vec<u8>, ApiError> {
        self.get_raw(&Request::Collection(address)).await
    }

    /// The body of a page of NFTs; a 500 where one of them has lost its collection.
    pub async fn tokens_raw(&self, query: &TokenQuery, page: &PageRequest) -> Result<Vec<u8>, ApiError> {
        self.get_raw(&Request::Tokens(query.clone(), page.clone())).await
    }

    /// A page of a token's holders. Not found for a denom that an EVM rollup does not know: the real server takes most of
    /// a minute to say so, and a timeout is not tried again. Other rollups have an empty list for such a denom.
    pub async fn holders(&self, denom: &Denom, page: &PageRequest) -> Result<Page<Arc<wire::Holder>>, ApiError> {
        self.holders_as(denom, page).await
    }

    /// The same as [`IndexerClient::holders`] in another form of rows.
    pub async fn holders_as<R: Row<wire::Holder>>(
        &self,
        denom: &Denom,
        page: &PageRequest,
    ) -> Result<Page<Arc<R>>, ApiError> {
        let asked = self.get(&Request::Holders(denom.clone(), page.clone())).await;
        let answer: wire::HoldersResponse<R> = asked.map_err(|error| name_unknown_denom(error, denom))?;
        Ok(paging::clean(answer.holders, answer.pagination, page, Counting::Exact))
    }

    /// The body of a page of a token's holders.
    pub async fn holders_raw(&self, denom: &Denom, page: &PageRequest) -> Result<Vec<u8>, ApiError> {
        let body = self.get_raw(&Request::Holders(denom.clone(), page.clone())).await;
        body.map_err(|error| name_unknown_denom(error, denom))
    }
}

/// Says in words what the real server means with the failure of its own question (`wire/indexer.md` §1.2).
fn name_unknown_denom(error: ApiError, denom: &Denom) -> ApiError {
    let is_unknown = matches!(&error.kind, ErrorKind::Rejected { status: 400, sentence }
        if sentence.starts_with("exhausted all endpoints") && sentence.contains("HTTP 404"));
    if !is_unknown {
        return error;
    }
    let sentence = format!("the chain knows no token “{}”", clip(denom.as_str(), 80));
    ApiError { kind: ErrorKind::NotFound(sentence), ..error }
}
