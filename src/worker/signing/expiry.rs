use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::timeout;

use crate::{
    client::{ClientOptions, IndexerClient, SendingClient, endpoints},
    domain::{AccountAt, ChainId, Height, Timestamp, TxTerms},
    signing::{BlockTime, ChainTrust, NoExpiry, TxExpiry},
    wire::ApiError,
};

/// How long a signature waits for the heights.
const PATIENCE: Duration = Duration::from_secs(5);

/// Server that reports heights and times of blocks.
enum HeightSource {
    Node(SendingClient),
    Indexer(IndexerClient),
}

/// Determines the expiry of a transaction signed now. Asks all servers of the chain, except those that the router
/// named; the highest block decides.
pub(super) async fn expiry_of(chain_id: &ChainId, trust: &ChainTrust, options: &ClientOptions) -> TxExpiry {
    let node = trust.rest.as_deref().and_then(|rest| SendingClient::new(rest, options.clone()).ok());
    let indexer = trust.indexer.as_deref().and_then(|url| IndexerClient::new(url, options.clone()).ok());
    let sources = node.map(HeightSource::Node).into_iter().chain(indexer.map(HeightSource::Indexer));
    let told =
        join_all(sources.map(|source| async move { timeout(PATIENCE, source.expiry(chain_id)).await.ok()?.ok() }))
            .await;
    if told.is_empty() {
        return TxExpiry::Never(NoExpiry::OnlyRouter);
    }
    let highest = told.into_iter().flatten().max_by_key(|(height, _)| *height);
    highest.map_or(TxExpiry::Never(NoExpiry::Unanswered), |(_, expiry)| expiry)
}

/// Asks the node of a transaction's terms for its height, and then for the signer's sequence number.
pub async fn account_at(chain_id: &ChainId, terms: &TxTerms, options: &ClientOptions) -> Result<AccountAt, ApiError> {
    let unknown = ApiError::of_another_kind;
    let client = SendingClient::new(&terms.rest, options.clone()).map_err(|_| unknown())?;
    let newest = client.block(None).await?;
    if newest.chain_id != chain_id.as_str() {
        return Err(unknown());
    }
    let account = client.account(&terms.signer).await?.ok_or_else(unknown)?;
    Ok(AccountAt { height: newest.height.get(), sequence: account.sequence })
}

impl HeightSource {
    /// Returns the newest height, and the expiry by the blocks below it.
    async fn expiry(&self, chain_id: &ChainId) -> Result<(u64, TxExpiry), ApiError> {
        let newest = self.block(None, chain_id).await?;
        let [near, far] = TxExpiry::BELOW.map(|below| newest.height.saturating_sub(below).max(1));
        let (near, far) = tokio::join!(self.block(Some(near), chain_id), self.block(Some(far), chain_id));
        Ok((newest.height, TxExpiry::of(newest, [near?, far?], Timestamp::now())))
    }

    /// Requests a block, or the newest one; fails if it is of another chain.
    async fn block(&self, height: Option<u64>, chain_id: &ChainId) -> Result<BlockTime, ApiError> {
        let (found, block) = match self {
            Self::Node(client) => {
                let header = client.block(height).await?;
                (header.chain_id, BlockTime { height: header.height.get(), at: header.time })
            }
            Self::Indexer(client) => {
                let height = match height {
                    Some(height) => Height::new(height).ok_or_else(ApiError::of_another_kind)?,
                    None => client.status().await?.height,
                };
                let block = client.one(endpoints::block(height)).await?;
                (block.chain_id, BlockTime { height: block.height.get(), at: block.timestamp })
            }
        };
        if found == chain_id.as_str() { Ok(block) } else { Err(ApiError::of_another_kind()) }
    }
}
