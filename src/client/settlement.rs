//! State of an OPinit bridge from the rollup's executor and the L1 (`docs/apis/router.md` §9.5).

use std::sync::Arc;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::{Deserialize, de::DeserializeOwned};

use super::{
    base_url::{BaseUrl, BaseUrlError},
    decoding,
    endpoints::encoded,
    options::{ClientOptions, Observer},
    target::{RequestTarget, RetryPolicy},
    transport::Transport,
};
use crate::{
    domain::{Address, ChainId, TxHash},
    msg::{ListPage, PageKey, PageRequest, PageStart, Total},
    wire::{
        ApiError, ServerInterface, Tx,
        node::NodeInfoAnswer,
        opinit::{ClaimedAnswer, ExecutorWithdrawal, ExecutorWithdrawals, HostedBridge, HostedOutput},
    },
};

/// Client of a bridge executor. Methods need a tokio runtime.
///
/// An executor answers HTTP 500 for an unknown withdrawal, so the client does not retry that status.
pub struct ExecutorClient(Transport);

impl ExecutorClient {
    pub fn new(url: &str, options: ClientOptions) -> Result<Self, BaseUrlError> {
        Ok(Self(Transport::new(BaseUrl::parse(url)?, options)))
    }

    /// Requests a withdrawal by its L2 sequence number.
    pub async fn withdrawal(&self, sequence: u64) -> Result<ExecutorWithdrawal, ApiError> {
        ask(&self.0, format!("/withdrawal/{sequence}"), None).await
    }

    /// Requests a page of an L1 account's withdrawals, newest first. The page key is the sequence number that starts
    /// the next page; a key that does not descend ends the list.
    pub async fn withdrawals(
        &self,
        account: Address,
        page: &PageRequest,
    ) -> Result<ListPage<Arc<ExecutorWithdrawal>>, ApiError> {
        let offset = match &page.cursor {
            PageStart::Key(key) => &*key.0,
            PageStart::Start | PageStart::Offset(_) => "0",
        };
        let path = format!("/withdrawals/{account}?limit={}&offset={}&order=desc", page.limit, encoded(offset));
        let ExecutorWithdrawals { withdrawals, next } = ask(&self.0, path, None).await?;
        let last = withdrawals.last().map(|withdrawal| withdrawal.sequence);
        let next = next.filter(|next| last.is_some_and(|last| *next < last));
        Ok(ListPage {
            items: withdrawals.into_iter().map(Arc::new).collect(),
            next: next.map(|next| PageKey(next.to_string().into())),
            total: Total::Unknown,
            notes: Vec::new(),
        })
    }
}

/// REST client of an L1 for its OPinit bridges. Methods need a tokio runtime.
pub struct HostClient {
    transport: Transport,
    observer: Option<Arc<dyn Observer>>,
}

impl HostClient {
    pub fn new(rest: &str, options: ClientOptions) -> Result<Self, BaseUrlError> {
        let transport = Transport::new(BaseUrl::parse(rest)?, options).named(ServerInterface::L1);
        Ok(Self { transport, observer: None })
    }

    /// Returns a client that reports its requests to this observer.
    #[must_use]
    pub fn observed(self, observer: Option<Arc<dyn Observer>>) -> Self {
        Self { observer, ..self }
    }

    async fn ask<T: DeserializeOwned + Send + 'static>(&self, path: String) -> Result<T, ApiError> {
        ask(&self.transport, path, self.observer.as_deref()).await
    }

    /// Requests the node's chain id.
    pub async fn chain_id(&self) -> Result<ChainId, ApiError> {
        let info: NodeInfoAnswer = self.ask("/cosmos/base/tendermint/v1beta1/node_info".to_owned()).await?;
        Ok(ChainId::new(info.default_node_info.network))
    }

    /// Requests a bridge's configuration.
    pub async fn bridge(&self, bridge_id: u64) -> Result<HostedBridge, ApiError> {
        self.ask(format!("/opinit/ophost/v1/bridges/{bridge_id}")).await
    }

    /// Requests an output; fails with `is_not_found` if the output does not exist.
    pub async fn output(&self, bridge_id: u64, index: u64) -> Result<HostedOutput, ApiError> {
        self.ask(format!("/opinit/ophost/v1/bridges/{bridge_id}/outputs/{index}")).await
    }

    /// Requests a transaction of the L1; fails with `is_not_found` if the transaction does not exist.
    pub async fn tx(&self, hash: &TxHash) -> Result<Tx, ApiError> {
        #[derive(Deserialize)]
        struct TxAnswer {
            tx_response: Tx,
        }
        let answer: TxAnswer = self.ask(format!("/cosmos/tx/v1beta1/txs/{hash}")).await?;
        if answer.tx_response.txhash == *hash {
            return Ok(answer.tx_response);
        }
        Err(ApiError::of_another_kind())
    }

    /// Whether the L1 has paid the withdrawal with this Merkle leaf.
    pub async fn is_claimed(&self, bridge_id: u64, leaf: &[u8; 32]) -> Result<bool, ApiError> {
        let hash = encoded(&BASE64_STANDARD.encode(leaf));
        let path = format!("/opinit/ophost/v1/bridges/{bridge_id}/withdrawals/claimed/by_hash?withdrawal_hash={hash}");
        self.ask::<ClaimedAnswer>(path).await.map(|answer| answer.claimed)
    }
}

async fn ask<T: DeserializeOwned + Send + 'static>(
    transport: &Transport,
    path: String,
    observer: Option<&dyn Observer>,
) -> Result<T, ApiError> {
    let target = RequestTarget::get(path).retried(RetryPolicy::NotServerErrors);
    decoding::decode(transport.ask(&target, None, observer).await?).await
}
