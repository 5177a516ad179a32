//! The lists and records beside blocks and transactions: EVM receipts, call frames, NFTs and holders.

use std::sync::Arc;

use super::{
    IndexerClient,
    paging::{self, Counting},
};
use crate::{
    domain::{Address, Denom, EvmTxHash},
    msg::{CollectionScope, EvmTxScope, InternalTxScope, Page, PageRequest, Request, TokenQuery},
    wire::{self, ApiError},
};

impl IndexerClient {
    /// A page of EVM receipts. Not found on a server without EVM routes.
    pub async fn evm_txs(&self, scope: &EvmTxScope, page: &PageRequest) -> Result<Page<Arc<wire::EvmTx>>, ApiError> {
        let answer: wire::EvmTxsResponse = self.get(&Request::EvmTxs(*scope, page.clone())).await?;
        let counting = if *scope == EvmTxScope::All { Counting::Rough } else { Counting::Exact };
        Ok(paging::clean(answer.txs, answer.pagination, page, counting))
    }

    /// One EVM receipt by the EVM's hash.
    pub async fn evm_tx(&self, hash: EvmTxHash) -> Result<Arc<wire::EvmTx>, ApiError> {
        self.get::<wire::EvmTxResponse>(&Request::EvmTx(hash)).await.map(|answer| Arc::new(answer.tx))
    }

    /// A page of call frames. Not found for an unknown transaction; empty for one without frames.
    pub async fn internal_txs(
        &self,
        scope: &InternalTxScope,
        page: &PageRequest,
    ) -> Result<Page<Arc<wire::InternalTx>>, ApiError> {
        let answer: wire::InternalTxsResponse = self.get(&Request::InternalTxs(*scope, page.clone())).await?;
        let counting = if *scope == InternalTxScope::All { Counting::Rough } else { Counting::Exact };
        Ok(paging::clean(answer.internal_txs, answer.pagination, page, counting))
    }

    /// A page of NFT collections.
    pub async fn collections(
        &self,
        scope: &CollectionScope,
        page: &PageRequest,
    ) -> Result<Page<Arc<wire::Collection>>, ApiError> {
        let answer: wire::CollectionsResponse = self.get(&Request::Collections(scope.clone(), page.clone())).await?;
        let counting = if *scope == CollectionScope::All { Counting::Rough } else { Counting::Exact };
        Ok(paging::clean(answer.collections, answer.pagination, page, counting))
    }

    /// One NFT collection.
    pub async fn collection(&self, address: Address) -> Result<Arc<wire::Collection>, ApiError> {
        let answer: wire::CollectionResponse = self.get(&Request::Collection(address)).await?;
        Ok(Arc::new(answer.collection))
    }

    /// A page of NFTs.
    pub async fn tokens(&self, query: &TokenQuery, page: &PageRequest) -> Result<Page<Arc<wire::Token>>, ApiError> {
        let answer: wire::TokensResponse = self.get(&Request::Tokens(query.clone(), page.clone())).await?;
        Ok(paging::clean(answer.tokens, answer.pagination, page, Counting::Exact))
    }

    /// A page of a token's holders.
    pub async fn holders(&self, denom: &Denom, page: &PageRequest) -> Result<Page<Arc<wire::Holder>>, ApiError> {
        let answer: wire::HoldersResponse = self.get(&Request::Holders(denom.clone(), page.clone())).await?;
        Ok(paging::clean(answer.holders, answer.pagination, page, Counting::Exact))
    }
}
