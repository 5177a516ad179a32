//! Client of a rollup's own node (`docs/apis/node.md`).

mod account_contract;
mod addresses;
mod balances;
mod contracts;
mod denoms;
mod failure;
mod find;
mod found;
mod heads;
mod names;
mod queries;
mod search;
mod state;
mod tokens;
mod tx_place;

pub use addresses::{NodeAddresses, NodeInterface};
pub use contracts::returned_text;
pub use failure::NodeError;
pub use find::{MissingInterface, NodeFindError};
pub use queries::StateAnswer;
pub use state::StateQuestion;
pub use tx_place::TxPlace;

use std::{
    borrow::Cow,
    iter,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::de::DeserializeOwned;
use serde_json::json;

use self::{failure::undecodable, found::FoundAnswers, heads::EvmHeads};
use super::{
    answer_meter::AnswerMeter,
    decoding,
    exchanges::ExchangeLog,
    options::Observer,
    target::RequestTarget,
    transport::{ReceivedBody, Transport},
};
use crate::{
    domain::{BlockHash, Height, Vm},
    wire::{
        node::{
            BlockAnswers, BlockMeta, BlockResultsAnswer, BlockTrace, BlockTxsAnswer, BlockchainAnswer, EvmBlockHead,
            EvmReceiptAnswer, JsonRpcAnswer, JsonRpcCall, LatestBlockAnswer, NodeStatusAnswer, NodeTx, RpcAnswer,
            RpcBlockAnswer, read_batch,
        },
        proto,
    },
};

/// Maximum requests for a block that a node behind a load balancer does not have yet.
const NODES: usize = 3;

/// Transactions per REST page.
const TXS_PAGE: usize = 100;

/// Client of one rollup's node. All its interfaces are proven to serve one chain. Clones share connections, limits and
/// the exchange log.
///
/// Methods need a tokio runtime; dropping their future cancels the request. All requests are reads; the client retries
/// them after transient failures.
#[derive(Clone)]
pub struct NodeClient {
    shared: Arc<NodeLinks>,
    observer: Option<Arc<dyn Observer>>,
    /// Meter of the record for which this client asks.
    meter: Option<Arc<AnswerMeter>>,
}

/// Connections to a node's interfaces, and the node's properties.
struct NodeLinks {
    rpc: Arc<Transport>,
    rest: Option<Transport>,
    json_rpc: Option<Transport>,
    chain_id: String,
    vm: Vm,
    version: String,
    missing: Vec<MissingInterface>,
    /// Answers from the search, for the first requests.
    found: Mutex<FoundAnswers>,
    /// Recent headers of the JSON-RPC.
    heads: Mutex<EvmHeads>,
}

impl NodeClient {
    /// Headers per request that a node allows.
    pub const HEADERS_AT_ONCE: u64 = 20;

    /// Returns a client that reports its requests to this observer.
    #[must_use]
    pub fn observed(&self, observer: Arc<dyn Observer>) -> Self {
        Self { observer: Some(observer), ..self.clone() }
    }

    /// Returns a client for the answers of one record, and their meter.
    #[must_use]
    pub fn metered(&self) -> (Self, Arc<AnswerMeter>) {
        self.with_meter(AnswerMeter::new(self.shared.rpc.large_records()))
    }

    fn with_meter(&self, meter: AnswerMeter) -> (Self, Arc<AnswerMeter>) {
        let meter = Arc::new(meter);
        (Self { meter: Some(Arc::clone(&meter)), ..self.clone() }, meter)
    }

    pub fn chain_id(&self) -> &str {
        &self.shared.chain_id
    }

    pub fn vm(&self) -> Vm {
        self.shared.vm
    }

    /// Returns the version of the node's software; empty if unknown.
    pub fn version(&self) -> &str {
        &self.shared.version
    }

    /// Returns the interfaces that were not found, with the features that need them.
    pub fn missing(&self) -> &[MissingInterface] {
        &self.shared.missing
    }

    /// Returns the URL of an interface; `None` if it was not found.
    pub fn url(&self, interface: NodeInterface) -> Option<&str> {
        self.link(interface).map(|transport| transport.base.as_str())
    }

    /// Returns the URLs of the interfaces, so that another client need not search for them.
    pub fn addresses(&self) -> NodeAddresses {
        let found = |interface| self.url(interface).map(str::to_owned);
        NodeAddresses {
            node: found(NodeInterface::Rpc).unwrap_or_default(),
            rest: found(NodeInterface::Rest),
            json_rpc: found(NodeInterface::JsonRpc),
        }
    }

    /// Whether the host of the RPC failed several times in a row.
    pub fn is_away(&self) -> bool {
        self.shared.rpc.is_away()
    }

    /// Returns the rest of the pause that the host of the RPC asked for; `None` without one.
    pub fn pause(&self) -> Option<Duration> {
        self.shared.rpc.pause()
    }

    /// Returns the recent exchanges with all interfaces of the node.
    pub fn exchanges(&self) -> &ExchangeLog {
        &self.shared.rpc.recorder.log
    }

    fn link(&self, interface: NodeInterface) -> Option<&Transport> {
        match interface {
            NodeInterface::Rpc => Some(&self.shared.rpc),
            NodeInterface::Rest => self.shared.rest.as_ref(),
            NodeInterface::JsonRpc => self.shared.json_rpc.as_ref(),
        }
    }

    async fn ask(&self, interface: NodeInterface, target: RequestTarget) -> Result<ReceivedBody, NodeError> {
        let transport = self.link(interface).ok_or(NodeError::Missing(interface))?;
        let target = RequestTarget { meter: self.meter.clone(), ..target };
        let mut received = transport.ask(&target, None, self.observer.as_deref()).await.map_err(NodeError::of)?;
        // Contracts choose the bytes of event values. Go replaces invalid UTF-8, but some gateways pass it on.
        if let Cow::Owned(text) = String::from_utf8_lossy(&received.body) {
            received.body = text.into_bytes();
        }
        Ok(received)
    }

    /// Requests from the RPC. The RPC sends errors with HTTP 500; some gateways send them with 200.
    async fn rpc<T: DeserializeOwned + Send + 'static>(&self, path: String) -> Result<T, NodeError> {
        let received = self.ask(NodeInterface::Rpc, RequestTarget::get(path)).await?;
        let url = Arc::clone(&received.url);
        let answer: RpcAnswer<T> = decoding::decode(received).await.map_err(NodeError::Api)?;
        match (answer.result, answer.error) {
            (Some(result), None) => Ok(result),
            (_, Some(error)) => Err(NodeError::refused(error.refusal(), &url)),
            (None, None) => Err(NodeError::empty(&url)),
        }
    }

    /// Returns the node's status; the first call shortly after the search returns the search's.
    pub async fn head(&self) -> Result<NodeStatusAnswer, NodeError> {
        let found = self.found().take_status();
        match found {
            Some(status) => Ok(status),
            None => self.status().await,
        }
    }

    fn found(&self) -> MutexGuard<'_, FoundAnswers> {
        // No code panics halfway through a change, so a poisoned lock holds valid data.
        self.shared.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the height of an interface's newest block.
    pub async fn tip(&self, interface: NodeInterface) -> Result<u64, NodeError> {
        match interface {
            NodeInterface::Rpc => Ok(self.status().await?.sync_info.latest_block_height),
            NodeInterface::Rest => {
                let path = "/cosmos/base/tendermint/v1beta1/blocks/latest";
                Ok(self.rest::<LatestBlockAnswer>(path, None).await?.block.header.height.get())
            }
            NodeInterface::JsonRpc => {
                let transport = self.link(interface).ok_or(NodeError::Missing(interface))?;
                find::evm_tip(transport).await.map_err(NodeError::Api)
            }
        }
    }

    /// `GET /status`.
    pub async fn status(&self) -> Result<NodeStatusAnswer, NodeError> {
        self.rpc("/status".to_owned()).await
    }

    /// Returns the node's headers in this range, ascending; at most [`Self::HEADERS_AT_ONCE`].
    pub async fn headers(&self, from: Height, to: Height) -> Result<Vec<BlockMeta>, NodeError> {
        let last = to.get().min(from.get() + Self::HEADERS_AT_ONCE - 1);
        if let Some(found) = self.found().headers(from, last) {
            return Ok(found);
        }
        let ask = || async {
            let answer = self.rpc::<BlockchainAnswer>(format!("/blockchain?minHeight={from}&maxHeight={last}")).await;
            answer.map_err(|error| match error {
                // The message has two bounds; the bound that differs from the request is the node's lowest or highest
                // block.
                NodeError::NoHeights { lowest, .. } if lowest > from => NodeError::Pruned(lowest),
                NodeError::NoHeights { highest, .. } => NodeError::AboveTip(highest),
                error => error,
            })
        };
        let mut metas = of_some_node(ask).await?.block_metas;
        metas.retain(|meta| (from.get()..=last).contains(&meta.header.height.get()));
        metas.sort_by_key(|meta| meta.header.height);
        metas.dedup_by_key(|meta| meta.header.height);
        Ok(metas)
    }

    /// Returns a block with its raw transactions.
    pub async fn block(&self, height: Height) -> Result<RpcBlockAnswer, NodeError> {
        let found = self.found().take_block(height);
        match found {
            Some(found) => Ok(found),
            None => of_some_node(|| self.rpc(format!("/block?height={height}"))).await,
        }
    }

    pub async fn results(&self, height: Height) -> Result<BlockResultsAnswer, NodeError> {
        let found = self.found().take_results(height);
        match found {
            Some(found) => Ok(found),
            None => of_some_node(|| self.rpc(format!("/block_results?height={height}"))).await,
        }
    }

    /// Returns the `count` transactions of a block, in order. REST decodes with the current types, so a message of an
    /// older version fails its whole page; `None` marks the transactions of such a page.
    pub async fn txs(&self, height: Height, count: usize) -> Result<Vec<Option<NodeTx>>, NodeError> {
        let mut txs: Vec<Option<NodeTx>> = Vec::with_capacity(count);
        while txs.len() < count {
            match self.tx_page(height, txs.len(), TXS_PAGE).await {
                Ok(page) if page.is_empty() => return Err(NodeError::cut(height, count, txs.len())),
                Ok(page) => txs.extend(page.into_iter().map(Some)),
                Err(error) if undecodable(&error) => txs.resize(count.min(txs.len() + TXS_PAGE), None),
                Err(error) => return Err(error),
            }
        }
        // A node may return more than requested.
        txs.truncate(count);
        Ok(txs)
    }

    /// Returns a transaction that its REST page omitted: decoded from its bytes, or requested alone if the bytes
    /// contain unknown types; `None` if its bytes are malformed.
    async fn tx(&self, height: Height, place: usize, raw: &[u8]) -> Result<Option<NodeTx>, NodeError> {
        let read = proto::decode_tx(raw).ok();
        let is_known = |json: &String| !json.contains("\"@value\":") && !json.contains("\"@unknown\":");
        let read = match read {
            Some(json) if !is_known(&json) && self.shared.rest.is_some() => {
                match self.tx_page(height, place, 1).await {
                    Ok(page) if !page.is_empty() => return Ok(page.into_iter().next()),
                    Ok(_) => Some(json),
                    Err(error) if undecodable(&error) => Some(json),
                    Err(error) => return Err(error),
                }
            }
            read => read,
        };
        Ok(read.and_then(|json| serde_json::from_str(&json).ok()))
    }

    async fn tx_page(&self, height: Height, offset: usize, limit: usize) -> Result<Vec<NodeTx>, NodeError> {
        let path = format!("/cosmos/tx/v1beta1/txs/block/{height}?pagination.limit={limit}&pagination.offset={offset}");
        let answer: BlockTxsAnswer = of_some_node(|| self.rest(&path, None)).await?;
        Ok(answer.txs)
    }

    /// Returns all data for the records of a block; `meta` is the header. Decodes transactions from their bytes if REST
    /// cannot return them; with `is_lenient`, also if REST refuses them.
    pub async fn answers(&self, meta: BlockMeta, is_lenient: bool) -> Result<BlockAnswers, NodeError> {
        let is_passed = |error: &NodeError| is_lenient && (!error.is_transient() || error.is_of_one_block());
        let height = meta.header.height;
        let hash = meta.block_id.block_hash().ok_or_else(|| NodeError::cut(height, 1, 0))?;
        if meta.num_txs == 0 {
            let results = self.results(height).await?;
            return Ok(BlockAnswers { hash, header: meta.header, raw_txs: Vec::new(), txs: Vec::new(), results });
        }
        let count = usize::try_from(meta.num_txs).unwrap_or(0);
        let decoded = async {
            match self.shared.rest {
                Some(_) => self
                    .txs(height, count)
                    .await
                    .or_else(|error| if is_passed(&error) { Ok(Vec::new()) } else { Err(error) }),
                None => Ok(Vec::new()),
            }
        };
        let (raw_txs, results, txs) = tokio::try_join!(self.raw_txs(height, hash), self.results(height), decoded)?;
        let mut read = Vec::with_capacity(raw_txs.len());
        let txs = txs.into_iter().chain(std::iter::repeat(None));
        for (place, (tx, raw)) in txs.zip(&raw_txs).enumerate() {
            read.push(match tx {
                Some(tx) => Some(tx),
                None => match self.tx(height, place, raw).await {
                    Err(error) if is_passed(&error) => decoded_tx(raw),
                    tx => tx?,
                },
            });
        }
        Ok(BlockAnswers { hash, header: meta.header, raw_txs, txs: read, results })
    }

    /// Returns the raw transactions of a block, which must have this hash.
    pub async fn raw_txs(&self, height: Height, hash: BlockHash) -> Result<Vec<Vec<u8>>, NodeError> {
        let block = self.block(height).await?;
        if block.block_id.block_hash() != Some(hash) {
            return Err(NodeError::Changed(height));
        }
        raw(&block.block.data.txs).ok_or_else(|| NodeError::cut(height, 1, 0))
    }

    /// Returns the receipts of the block with this header.
    pub async fn receipts(&self, meta: &BlockMeta) -> Result<Vec<EvmReceiptAnswer>, NodeError> {
        // Above its newest block a node returns an empty list or null.
        of_some_node(|| self.receipts_beside_head(meta)).await
    }

    /// Requests something of a block and the block's header in one batch, because separate requests may reach different
    /// nodes behind one URL.
    async fn beside_head<T: DeserializeOwned>(
        &self,
        height: Height,
        method: &'static str,
        further: Option<serde_json::Value>,
    ) -> Result<(Option<T>, EvmBlockHead), NodeError> {
        let at = json!(quantity(height));
        let is_large = further.is_some();
        let mut calls = [
            JsonRpcCall::new(1, method, iter::once(at.clone()).chain(further).collect()),
            JsonRpcCall::new(2, "eth_getBlockByNumber", vec![at, json!(false)]),
        ];
        // A node ends a batch with the answer that makes it too large: then the header is there already.
        if is_large {
            calls.reverse();
        }
        let url: Arc<str> = self.url(NodeInterface::JsonRpc).unwrap_or_default().into();
        let mut answers = self.batch(&calls).await?;
        if is_large {
            answers.reverse();
        }
        let mut answers = answers.into_iter();
        let (Some(Some(found)), Some(Some(head))) = (answers.next(), answers.next()) else {
            return Err(NodeError::empty(&url));
        };
        let head: Option<EvmBlockHead> = match failure::json_rpc_result(&head, &url) {
            // What the node says of the record itself tells more.
            Err(error) => return failure::json_rpc_result::<T>(&found, &url).and(Err(error)),
            head => head?,
        };
        let found = failure::json_rpc_result(&found, &url)?;
        Ok((found, head.ok_or(NodeError::NotYet(height))?))
    }

    /// The receipts count only beside a header of the same block: with its hash, or with its time and a parent that is
    /// the header of the previous block. Some gateways split a batch, so an empty list counts only if the header lists
    /// no transactions.
    async fn receipts_beside_head(&self, meta: &BlockMeta) -> Result<Vec<EvmReceiptAnswer>, NodeError> {
        let height = meta.header.height;
        let (receipts, head) = self.beside_head(height, "eth_getBlockReceipts", None).await?;
        let receipts: Vec<EvmReceiptAnswer> = receipts.unwrap_or_default();
        if !self.heads().is_of(&head, meta) {
            return Err(NodeError::OtherHead(height));
        }
        if receipts.is_empty() && !head.transactions.is_empty() {
            return Err(NodeError::NoReceipts { height, txs: head.transactions.len() });
        }
        if receipts.first().is_some_and(|first| !first.block_hash.eq_ignore_ascii_case(&head.hash)) {
            return Err(NodeError::OtherHead(height));
        }
        self.heads().keep(&head, meta);
        Ok(receipts)
    }

    fn heads(&self) -> MutexGuard<'_, EvmHeads> {
        // No code panics halfway through a change, so a poisoned lock holds valid data.
        self.shared.heads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the call traces of the block whose EVM header has this hash, if its receipts name one; `None` if the
    /// node cannot trace.
    pub async fn traces(&self, height: Height, hash: Option<BlockHash>) -> Result<Option<Vec<BlockTrace>>, NodeError> {
        let further = Some(json!({"tracer": "callTracer"}));
        match self.beside_head(height, "debug_traceBlockByNumber", further).await {
            Ok((_, head)) if hash.is_some() && head.block_hash() != hash => Err(NodeError::OtherHead(height)),
            Ok((Some(traces), _)) => Ok(Some(traces)),
            Ok((None, _)) => Err(NodeError::NotYet(height)),
            Err(NodeError::NoMethod) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Requests from the JSON-RPC; returns `None` for null.
    async fn json_rpc<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: Vec<serde_json::Value>,
    ) -> Result<Option<T>, NodeError> {
        let call = JsonRpcCall::new(1, method, params);
        let received = self.ask(NodeInterface::JsonRpc, RequestTarget::post("", &call)).await?;
        let url = Arc::clone(&received.url);
        let answer: JsonRpcAnswer = decoding::decode(received).await.map_err(NodeError::Api)?;
        failure::json_rpc_result(&answer, &url)
    }

    /// Returns the responses to calls, in the order of the calls. Each response is a value, null, or an error.
    pub async fn batch(&self, calls: &[JsonRpcCall]) -> Result<Vec<Option<JsonRpcAnswer>>, NodeError> {
        let received = self.ask(NodeInterface::JsonRpc, RequestTarget::post("", &calls)).await?;
        let url = Arc::clone(&received.url);
        let body = decoding::body_of(received).map_err(NodeError::Api)?;
        read_batch(&String::from_utf8_lossy(&body), calls).map_err(|error| NodeError::shape(&error, &url))
    }
}

/// Sends a request for a block again if the node does not have the block yet: behind one URL, another node may have it.
/// A load balancer that alternates would otherwise send each request of a block to the node that it sent it to before.
async fn of_some_node<T, A: Future<Output = Result<T, NodeError>>>(ask: impl Fn() -> A) -> Result<T, NodeError> {
    let mut answered = ask().await;
    for _ in 1..NODES {
        match answered {
            Err(NodeError::AboveTip(_) | NodeError::NotYet(_) | NodeError::NoReceipts { .. }) => {
                answered = ask().await;
            }
            answered => return answered,
        }
    }
    answered
}

/// Decodes a transaction from its bytes; `None` if they are malformed.
fn decoded_tx(raw: &[u8]) -> Option<NodeTx> {
    serde_json::from_str(&proto::decode_tx(raw).ok()?).ok()
}

/// Formats a height as a JSON-RPC quantity in hex.
fn quantity(height: Height) -> String {
    format!("{:#x}", height.get())
}

/// Decodes raw transactions; `None` if any is not base64.
fn raw(txs: &[String]) -> Option<Vec<Vec<u8>>> {
    txs.iter().map(|text| BASE64_STANDARD.decode(text).ok()).collect()
}
