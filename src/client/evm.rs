//! Ethereum JSON-RPC of any EVM chain: the calls that find a transaction without its hash.

use std::sync::Arc;

use alloy_primitives::hex;
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
    domain::{Address, EvmTxHash, Timestamp},
    signing::{CallRevert, EthereumCall},
    wire::{
        ApiError, ErrorKind, HexText,
        node::{EvmBlockHead, EvmFullBlock, EvmReceiptStatus, JsonRpcAnswer, JsonRpcCall, RpcError},
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

    /// Returns the newest code at an address; empty without a contract.
    pub async fn code(&self, address: Address) -> Result<Vec<u8>, ApiError> {
        self.bytes("eth_getCode", vec![json!(address.hex()), json!("latest")]).await
    }

    /// Returns the newest value of a storage slot.
    pub async fn storage(&self, address: Address, slot: [u8; 32]) -> Result<[u8; 32], ApiError> {
        const METHOD: &str = "eth_getStorageAt";
        let slot = hex::encode_prefixed(slot);
        let word = self.bytes(METHOD, vec![json!(address.hex()), json!(slot), json!("latest")]).await?;
        word.try_into().map_err(|_| self.misread(METHOD, "32 bytes"))
    }

    /// Returns what a contract answers to a read.
    pub async fn read(&self, contract: Address, data: &[u8]) -> Result<Vec<u8>, ApiError> {
        let given = json!({"to": contract.hex(), "data": hex::encode_prefixed(data)});
        self.bytes("eth_call", vec![given, json!("latest")]).await
    }

    /// Runs a call without sending it, and returns the gas that it would use.
    pub async fn try_call(&self, call: &EthereumCall) -> Result<Result<u64, CallRevert>, ApiError> {
        let given = json!({
            "from": call.from.hex(), "to": call.to.hex(), "value": format!("{:#x}", call.value.get()),
            "data": hex::encode_prefixed(&call.data),
        });
        let (url, ran) = self.result::<HexText>("eth_call", vec![given.clone(), json!("latest")]).await?;
        match ran {
            Ok(_) => self.number("eth_estimateGas", vec![given]).await.map(Ok),
            Err(error) if is_of_call(&error) => Ok(Err(CallRevert {
                data: hex::decode(error.data.as_received()).unwrap_or_default(),
                message: error.message,
            })),
            Err(error) => Err(refused("eth_call", &error, url)),
        }
    }

    async fn number(&self, method: &'static str, params: Vec<Value>) -> Result<u64, ApiError> {
        let found: Option<HexText> = self.call(method, params).await?;
        found.as_ref().and_then(HexText::small).ok_or_else(|| self.misread(method, "a number"))
    }

    async fn bytes(&self, method: &'static str, params: Vec<Value>) -> Result<Vec<u8>, ApiError> {
        let found: Option<HexText> = self.call(method, params).await?;
        found.as_ref().and_then(HexText::bytes).ok_or_else(|| self.misread(method, "hex bytes"))
    }

    fn seconds(&self, text: &HexText) -> Result<Timestamp, ApiError> {
        let seconds = text.small().ok_or_else(|| self.misread("timestamp", "a number"))?;
        Ok(Timestamp::EPOCH.after(std::time::Duration::from_secs(seconds)))
    }

    async fn call<T: DeserializeOwned>(&self, method: &'static str, params: Vec<Value>) -> Result<Option<T>, ApiError> {
        let (url, answer) = self.result(method, params).await?;
        answer.map_err(|error| refused(method, &error, url))
    }

    /// Returns the URL, and the result of a call or the node's own error.
    async fn result<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: Vec<Value>,
    ) -> Result<(Arc<str>, Result<Option<T>, RpcError>), ApiError> {
        let target = RequestTarget::post("", &JsonRpcCall::new(1, method, params));
        let received = self.transport.ask(&target, None, None).await?;
        let url = Arc::clone(&received.url);
        let answer: JsonRpcAnswer = decoding::decode(received).await?;
        if let Some(error) = answer.error {
            return Ok((url, Err(error)));
        }
        let Some(result) = answer.result else { return Ok((url, Ok(None))) };
        let read = serde_json::from_str(result.get()).map_err(|error| {
            let kind = ErrorKind::BadShape { path: method.to_owned(), detail: error.to_string() };
            ApiError { kind, url: Arc::clone(&url), body: None }
        })?;
        Ok((url, Ok(Some(read))))
    }

    fn misread(&self, path: &str, expected: &str) -> ApiError {
        let kind = ErrorKind::BadShape { path: path.to_owned(), detail: format!("expected {expected}") };
        ApiError { kind, url: self.transport.base.join("").into(), body: None }
    }
}

/// Code of Ethereum's nodes for a call that reverted.
const REVERTED: i64 = 3;

/// Whether an error tells of the call, not of the request.
fn is_of_call(error: &RpcError) -> bool {
    let message = error.message.as_received().to_ascii_lowercase();
    error.code == REVERTED || message.contains("revert") || message.starts_with("insufficient funds")
}

fn refused(method: &str, error: &RpcError, url: Arc<str>) -> ApiError {
    let sentence = format!("{method}: {}", error.message.clipped(SENTENCE));
    ApiError { kind: ErrorKind::Rejected { status: 200, sentence: sentence.into() }, url, body: None }
}

fn quantity(height: u64) -> Value {
    format!("{height:#x}").into()
}
