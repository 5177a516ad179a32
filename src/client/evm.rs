//! Ethereum JSON-RPC of any EVM chain: the calls that find a transaction without its hash.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{
    base_url::{BaseUrl, BaseUrlError},
    decoding,
    options::ClientOptions,
    target::RequestTarget,
    transport::Transport,
};
use crate::{
    domain::{Address, EvmTxHash, Timestamp, text::clip},
    wire::{
        ApiError, ErrorKind, HexText,
        node::{EvmBlockHead, EvmFullBlock, EvmReceiptStatus, JsonRpcAnswer, JsonRpcCall},
    },
};

/// Maximum width of a node's message, in terminal columns.
const SENTENCE: usize = 160;

/// Read-only client of one chain's JSON-RPC. Methods need a tokio runtime.
pub struct EvmClient {
    transport: Transport,
}

impl EvmClient {
    pub fn new(url: &str, options: ClientOptions) -> Result<Self, BaseUrlError> {
        Ok(Self { transport: Transport::new(BaseUrl::parse(url)?, options) })
    }

    /// Returns the EIP-155 chain id.
    pub async fn chain_id(&self) -> Result<u64, ApiError> {
        self.number("eth_chainId", Vec::new()).await
    }

    /// Returns the height of the newest block.
    pub async fn tip(&self) -> Result<u64, ApiError> {
        self.number("eth_blockNumber", Vec::new()).await
    }

    /// Returns the time of a block in whole seconds; `None` if the node lacks the block.
    pub async fn time(&self, height: u64) -> Result<Option<Timestamp>, ApiError> {
        let head: Option<EvmBlockHead> =
            self.call("eth_getBlockByNumber", vec![quantity(height), json!(false)]).await?;
        head.map(|head| self.seconds(&head.timestamp)).transpose()
    }

    /// Returns a block with its transactions, and its time; `None` if the node lacks the block.
    pub async fn block(&self, height: u64) -> Result<Option<(EvmFullBlock, Timestamp)>, ApiError> {
        let block: Option<EvmFullBlock> =
            self.call("eth_getBlockByNumber", vec![quantity(height), json!(true)]).await?;
        block
            .map(|block| Ok((self.seconds(&block.timestamp)?, block)))
            .transpose()
            .map(|found| found.map(|(time, block)| (block, time)))
    }

    /// Returns an account's nonce at the end of a block. Pruned nodes return an error.
    pub async fn sent_count(&self, account: Address, height: u64) -> Result<u64, ApiError> {
        self.number("eth_getTransactionCount", vec![json!(account.hex()), quantity(height)]).await
    }

    /// Whether a transaction succeeded; `None` without a receipt.
    pub async fn is_success(&self, hash: EvmTxHash) -> Result<Option<bool>, ApiError> {
        let receipt: Option<EvmReceiptStatus> =
            self.call("eth_getTransactionReceipt", vec![json!(hash.to_string())]).await?;
        Ok(receipt.map(|receipt| receipt.status.small() == Some(1)))
    }

    async fn number(&self, method: &'static str, params: Vec<Value>) -> Result<u64, ApiError> {
        let found: Option<HexText> = self.call(method, params).await?;
        found.as_ref().and_then(HexText::small).ok_or_else(|| self.misread(method))
    }

    fn seconds(&self, text: &HexText) -> Result<Timestamp, ApiError> {
        let seconds = text.small().ok_or_else(|| self.misread("timestamp"))?;
        Ok(Timestamp::EPOCH.after(std::time::Duration::from_secs(seconds)))
    }

    async fn call<T: DeserializeOwned>(&self, method: &'static str, params: Vec<Value>) -> Result<Option<T>, ApiError> {
        let target = RequestTarget::post("", &JsonRpcCall::new(1, method, params));
        let received = self.transport.ask(&target, None, None).await?;
        let url = Arc::clone(&received.url);
        let answer: JsonRpcAnswer = decoding::decode(received).await?;
        let fail = |kind| ApiError { kind, url: Arc::clone(&url), body: None };
        if let Some(error) = answer.error {
            let sentence = format!("{method}: {}", clip(&error.message, SENTENCE));
            return Err(fail(ErrorKind::Rejected { status: 200, sentence }));
        }
        let Some(result) = answer.result else { return Ok(None) };
        serde_json::from_str(result.get())
            .map_err(|error| fail(ErrorKind::BadShape { path: method.to_owned(), detail: error.to_string() }))
    }

    fn misread(&self, path: &str) -> ApiError {
        let kind = ErrorKind::BadShape { path: path.to_owned(), detail: "expected a number".to_owned() };
        ApiError { kind, url: self.transport.base.join("").into(), body: None }
    }
}

fn quantity(height: u64) -> Value {
    format!("{height:#x}").into()
}
