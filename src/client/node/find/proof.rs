//! Proof that servers serve one chain: by chain id and by a block that both have.

use std::{collections::HashMap, sync::Arc};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use futures_util::{
    FutureExt as _,
    future::{BoxFuture, join_all},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::{
    client::{
        decoding, endpoints,
        node::{NodeError, failure, quantity},
        options::Observer,
        target::RequestTarget,
        transport::Transport,
    },
    domain::{BlockHash, Height},
    wire::{
        ApiError, BlockResponse, ErrorKind, ServerInterface,
        node::{
            BlockMeta, BlockchainAnswer, EvmBlockHead, JsonRpcAnswer, JsonRpcCall, LatestBlockAnswer, NodeInfoAnswer,
            NodeStatusAnswer, RpcAnswer,
        },
    },
};

/// Distances from the newest block for comparisons, in blocks: servers of one chain differ by a few blocks, and a
/// lagging one lacks more.
const BELOW_TIP: [u64; 6] = [10, 40, 160, 640, 2_560, 10_240];

/// Number of blocks whose times must be equal: one equal time could be a coincidence.
const COMPARED: u64 = 3;

/// Result of probing a URL as one interface.
pub(super) type Proven<T> = Result<T, ApiError>;

/// RPC that answers for the node.
pub(super) struct FoundRpc {
    pub(super) transport: Arc<Transport>,
    pub(super) chain_id: String,
    /// Height of its newest block; 0 before the first block.
    pub(super) tip: u64,
    pub(super) status: NodeStatusAnswer,
}

impl FoundRpc {
    pub(super) fn new(transport: Transport, status: NodeStatusAnswer) -> Self {
        let (chain_id, tip) = (status.node_info.network.clone(), status.sync_info.latest_block_height);
        Self { transport: Arc::new(transport.named(ServerInterface::Rpc)), chain_id, tip, status }
    }

    pub(super) async fn other_block(&self, peer: &Transport, by: BlockProof, tip: u64) -> Proven<Option<Height>> {
        Box::pin(other_block(&self.transport, peer, by, tip)).await
    }
}

/// Server at the named URL that is not an RPC.
pub(super) struct Peer {
    pub(super) transport: Transport,
    pub(super) kind: PeerKind,
}

pub(super) enum PeerKind {
    Rest(Box<NodeInfoAnswer>),
    JsonRpc,
    /// Indexer of the chain with this id.
    Indexer(String),
}

/// Status of an indexer, recognised by two top-level fields that no other server has.
#[derive(Deserialize)]
struct IndexerStatus {
    chain_id: String,
    #[serde(rename = "height")]
    _height: u64,
}

impl Peer {
    /// Finds out which server answers; `None` if it is none of them.
    pub(super) async fn identify(transport: Transport) -> Option<Self> {
        let indexer = get::<IndexerStatus>(&transport, "/status");
        let (indexer, rest, json_rpc) = tokio::join!(indexer, rest_info(&transport), evm_tip(&transport));
        let indexer = indexer.ok().map(|status| PeerKind::Indexer(status.chain_id));
        let rest = rest.ok().map(|info| PeerKind::Rest(Box::new(info)));
        let kind = indexer.or(rest).or(json_rpc.ok().map(|_| PeerKind::JsonRpc))?;
        Some(Self { transport, kind })
    }

    /// Whether an RPC serves the peer's chain.
    async fn is_of(&self, rpc: &Transport, chain_id: &str, tip: u64) -> Proven<bool> {
        let (named, by) = match &self.kind {
            PeerKind::Rest(info) => (Some(&info.default_node_info.network), BlockProof::RestHash),
            PeerKind::Indexer(chain_id) => (Some(chain_id), BlockProof::IndexerHash),
            PeerKind::JsonRpc => (None, BlockProof::JsonRpcTimes),
        };
        if named.is_some_and(|named| named != chain_id) {
            return Ok(false);
        }
        Ok(Box::pin(other_block(rpc, &self.transport, by, tip)).await?.is_none())
    }
}

/// Proof that a URL serves a certain interface of a chain.
pub(super) trait InterfaceProof: Sync {
    type Found: Send;

    /// Probes a URL. `is_guess` is false for the URL that the user named.
    fn prove<'a>(&'a self, transport: &'a Transport, is_guess: bool) -> BoxFuture<'a, Proven<Self::Found>>;
}

/// Proof by the node's status, and by a block of the named server.
pub(super) struct RpcProof<'a> {
    /// Server at the named URL; `None` if only URLs below the named one are probed.
    pub(super) named: Option<&'a Peer>,
}

impl InterfaceProof for RpcProof<'_> {
    type Found = NodeStatusAnswer;

    fn prove<'a>(&'a self, transport: &'a Transport, _: bool) -> BoxFuture<'a, Proven<Self::Found>> {
        let proven = async move {
            let status = rpc_status(transport, None).await?;
            let (chain_id, tip) = (&status.node_info.network, status.sync_info.latest_block_height);
            match self.named {
                Some(named) if !named.is_of(transport, chain_id, tip).await? => Err(ApiError::of_another_kind()),
                _ => Ok(status),
            }
        };
        proven.boxed()
    }
}

/// Proof by the node's chain id and the hash of a block, which must equal the RPC's.
pub(super) struct RestProof<'a> {
    pub(super) rpc: &'a FoundRpc,
}

impl InterfaceProof for RestProof<'_> {
    type Found = NodeInfoAnswer;

    fn prove<'a>(&'a self, transport: &'a Transport, is_guess: bool) -> BoxFuture<'a, Proven<NodeInfoAnswer>> {
        let proven = async move {
            let info = rest_info(transport).await?;
            if info.default_node_info.network != self.rpc.chain_id {
                return Err(ApiError::of_another_kind());
            }
            match self.rpc.other_block(transport, BlockProof::RestHash, self.rpc.tip).await {
                Ok(None) => Ok(info),
                Ok(Some(_)) => Err(ApiError::of_another_kind()),
                // The named URL serves both interfaces.
                Err(_) if !is_guess => Ok(info),
                Err(error) => Err(error),
            }
        };
        proven.boxed()
    }
}

/// Proof by the newest blocks, whose times must equal those of the RPC.
pub(super) struct JsonRpcProof<'a> {
    pub(super) rpc: &'a FoundRpc,
}

impl InterfaceProof for JsonRpcProof<'_> {
    type Found = ();

    fn prove<'a>(&'a self, transport: &'a Transport, _: bool) -> BoxFuture<'a, Proven<()>> {
        let proven = async move {
            let tip = evm_tip(transport).await?;
            match self.rpc.other_block(transport, BlockProof::JsonRpcTimes, tip).await? {
                None => Ok(()),
                Some(_) => Err(ApiError::of_another_kind()),
            }
        };
        proven.boxed()
    }
}

async fn get<T: DeserializeOwned + Send + 'static>(transport: &Transport, path: &str) -> Proven<T> {
    get_observed(transport, path, None).await
}

async fn get_observed<T: DeserializeOwned + Send + 'static>(
    transport: &Transport,
    path: &str,
    observer: Option<&dyn Observer>,
) -> Proven<T> {
    decoding::decode(transport.ask(&RequestTarget::get(path), None, observer).await?).await
}

async fn call<T: DeserializeOwned>(
    transport: &Transport,
    method: &'static str,
    params: Vec<Value>,
) -> Proven<Option<T>> {
    let target = RequestTarget::post("", &JsonRpcCall::new(1, method, params));
    let received = transport.ask(&target, None, None).await?;
    let url = Arc::clone(&received.url);
    let answer: JsonRpcAnswer = decoding::decode(received).await?;
    failure::json_rpc_result(&answer, &url).map_err(|error| match error {
        NodeError::Api(error) => error,
        other => {
            let kind = ErrorKind::Rejected { status: 200, sentence: other.to_string().into() };
            ApiError { kind, url, body: None }
        }
    })
}

/// Returns the chain id and the height of the newest block.
pub(super) async fn rpc_status(transport: &Transport, observer: Option<&dyn Observer>) -> Proven<NodeStatusAnswer> {
    let answer: RpcAnswer<NodeStatusAnswer> = get_observed(transport, "/status", observer).await?;
    answer.result.ok_or_else(ApiError::of_another_kind)
}

pub(super) async fn rest_info(transport: &Transport) -> Proven<NodeInfoAnswer> {
    get(transport, "/cosmos/base/tendermint/v1beta1/node_info").await
}

/// Returns the height of a JSON-RPC's newest block.
pub(in crate::client::node) async fn evm_tip(transport: &Transport) -> Proven<u64> {
    let text: Option<String> = call(transport, "eth_blockNumber", Vec::new()).await?;
    let digits = text.as_deref().and_then(|text| text.strip_prefix("0x"));
    digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()).ok_or_else(ApiError::of_another_kind)
}

/// Field of a server's block that is compared with the RPC's block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockProof {
    RestHash,
    IndexerHash,
    /// Times in seconds; the hash of an EVM block is another one. `eth_chainId` proves nothing: it is a hash.
    JsonRpcTimes,
}

impl BlockProof {
    fn blocks(self) -> u64 {
        if self == Self::JsonRpcTimes { COMPARED } else { 1 }
    }

    /// Requests a block; `None` if the server lacks it.
    async fn block(self, peer: &Transport, height: Height) -> Proven<Option<PeerBlock>> {
        let hash = match self {
            Self::RestHash => {
                let path = format!("/cosmos/base/tendermint/v1beta1/blocks/{height}");
                let block = absent(get::<LatestBlockAnswer>(peer, &path).await)?;
                block.and_then(|block| {
                    let bytes = BASE64_STANDARD.decode(block.block_id.hash).ok()?;
                    Some(BlockHash::new(bytes.try_into().ok()?))
                })
            }
            Self::IndexerHash => {
                let RequestTarget { path, .. } = endpoints::block(height).into();
                absent(get::<BlockResponse>(peer, &path).await)?.map(|answer| answer.block.hash)
            }
            Self::JsonRpcTimes => {
                let params = vec![json!(quantity(height)), json!(false)];
                return Ok(call(peer, "eth_getBlockByNumber", params).await?.map(PeerBlock::Evm));
            }
        };
        Ok(hash.map(PeerBlock::Hash))
    }
}

/// Block of a server beside the RPC.
enum PeerBlock {
    Hash(BlockHash),
    Evm(EvmBlockHead),
}

impl PeerBlock {
    /// Whether it can be the RPC's block.
    fn is_of(&self, meta: &BlockMeta) -> bool {
        match self {
            Self::Hash(hash) => meta.block_id.block_hash() == Some(*hash),
            Self::Evm(head) => {
                let seconds = head.timestamp.small().and_then(|seconds| i64::try_from(seconds).ok());
                // Each EVM transaction is one of the block's transactions.
                let fits = head.transactions.len() as u64 <= meta.num_txs;
                seconds == Some(meta.header.time.as_seconds()) && fits
            }
        }
    }
}

/// Converts a permanent refusal, such as for an unknown height, to `None`.
fn absent<T>(answered: Proven<T>) -> Proven<Option<T>> {
    match answered {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if !error.is_transient() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Compares blocks that both servers have, the newest first: returns the height of a block that differs, or `None` for
/// one chain. A block that only one of them has proves nothing.
pub(super) async fn other_block(rpc: &Transport, peer: &Transport, by: BlockProof, tip: u64) -> Proven<Option<Height>> {
    let distances = BELOW_TIP.into_iter().filter(|distance| tip > distance + COMPARED);
    // A young chain is compared at its tip; last of all come the first blocks.
    let young = Some(tip).filter(|tip| *tip <= BELOW_TIP[0] + COMPARED);
    for last in young.into_iter().chain(distances.map(|distance| tip - distance)).chain([COMPARED.min(tip)]) {
        let first = last.saturating_sub(by.blocks() - 1).max(1);
        let path = format!("/blockchain?minHeight={first}&maxHeight={last}");
        // One round trip: a command waits only a second for names.
        let blocks = (first..=last).filter_map(Height::new).map(|height| async move {
            let block = by.block(peer, height).await;
            (height, block)
        });
        let (headers, blocks) = tokio::join!(get::<RpcAnswer<BlockchainAnswer>>(rpc, &path), join_all(blocks));
        // The RPC may lack these blocks.
        let Some(headers) = absent(headers)? else { continue };
        let metas = headers.result.map(|answer| answer.block_metas).unwrap_or_default();
        let mut blocks: HashMap<Height, Proven<Option<PeerBlock>>> = blocks.into_iter().collect();
        let mut is_equal = !metas.is_empty();
        for meta in &metas {
            match blocks.remove(&meta.header.height).transpose()?.flatten() {
                Some(block) if block.is_of(meta) => {}
                Some(_) => return Ok(Some(meta.header.height)),
                None => is_equal = false,
            }
        }
        if is_equal {
            return Ok(None);
        }
    }
    let kind = ErrorKind::NodeNotYet("the two have no block in common".to_owned());
    Err(ApiError { kind, url: peer.base.as_str().into(), body: None })
}
