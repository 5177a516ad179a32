//! What the executor of a rollup and the L1 say of the optimistic bridge between them (`docs/apis/router.md` §9.5).

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::{Deserialize, de::DeserializeOwned};

use super::{
    BaseUrl, BaseUrlError, ClientOptions, decoding,
    endpoints::{RequestTarget, encoded},
    retry::RetryPolicy,
    transport::Transport,
};
use crate::{
    domain::TxHash,
    wire::{
        ApiError, Tx,
        opinit::{ClaimedAnswer, ExecutorWithdrawal, ExecutorWithdrawals, HostedBridge, HostedOutput},
    },
};

/// The client of a bridge's executor. Methods need a tokio runtime.
///
/// An executor answers 500 for a withdrawal that it does not know, so that is not asked twice.
pub struct ExecutorClient(Transport);

impl ExecutorClient {
    /// A client of the API at this address.
    pub fn new(url: &str, options: ClientOptions) -> Result<Self, BaseUrlError> {
        Ok(Self(Transport::new(BaseUrl::parse(url)?, options)))
    }

    /// A withdrawal by its number.
    pub async fn withdrawal(&self, sequence: u64) -> Result<ExecutorWithdrawal, ApiError> {
        ask(&self.0, format!("/withdrawal/{sequence}")).await
    }

    /// The newest withdrawals to an account of the L1, or those from a number downwards.
    pub async fn withdrawals_to(&self, address: &str, from: Option<u64>) -> Result<ExecutorWithdrawals, ApiError> {
        let (address, offset) = (encoded(address), from.unwrap_or(0));
        ask(&self.0, format!("/withdrawals/{address}?limit=20&offset={offset}&order=desc")).await
    }
}

/// The client of an L1 by its REST: of the bridges that it hosts, and of what crosses them. Methods need a tokio runtime.
pub struct HostClient(Transport);

impl HostClient {
    /// A client of the REST at this address.
    pub fn new(rest: &str, options: ClientOptions) -> Result<Self, BaseUrlError> {
        Ok(Self(Transport::new(BaseUrl::parse(rest)?, options)))
    }

    /// What a bridge was made with.
    pub async fn bridge(&self, bridge_id: u64) -> Result<HostedBridge, ApiError> {
        ask(&self.0, format!("/opinit/ophost/v1/bridges/{bridge_id}")).await
    }

    /// An output; an error that `is_not_found` where there is none of this number.
    pub async fn output(&self, bridge_id: u64, index: u64) -> Result<HostedOutput, ApiError> {
        ask(&self.0, format!("/opinit/ophost/v1/bridges/{bridge_id}/outputs/{index}")).await
    }

    /// A transaction of the L1; an error that `is_not_found` where there is none of this hash.
    pub async fn tx(&self, hash: &TxHash) -> Result<Tx, ApiError> {
        #[derive(Deserialize)]
        struct TxAnswer {
            tx_response: Tx,
        }
        let answer: TxAnswer = ask(&self.0, format!("/cosmos/tx/v1beta1/txs/{hash}")).await?;
        if answer.tx_response.txhash == *hash {
            return Ok(answer.tx_response);
        }
        Err(ApiError::of_another_kind())
    }

    /// Whether the withdrawal with this leaf is claimed.
    pub async fn is_claimed(&self, bridge_id: u64, leaf: &[u8; 32]) -> Result<bool, ApiError> {
        let hash = encoded(&BASE64_STANDARD.encode(leaf));
        let path = format!("/opinit/ophost/v1/bridges/{bridge_id}/withdrawals/claimed/by_hash?withdrawal_hash={hash}");
        ask::<ClaimedAnswer>(&self.0, path).await.map(|answer| answer.claimed)
    }
}

async fn ask<T: DeserializeOwned + Send + 'static>(transport: &Transport, path: String) -> Result<T, ApiError> {
    let target = RequestTarget::get(path).retried(RetryPolicy::NotServerErrors);
    decoding::decode(transport.ask(&target, None, None).await?).await
}
