//! Ethereum's JSON-RPC in the form of a MiniEVM node, with single and batch requests.

mod blocks;
mod filter;
mod joined;
pub(super) mod payload;
mod state;
mod traces;

use alloy_primitives::{hex, keccak256};
use axum::http::StatusCode;
use serde_json::{Value, json};

pub(super) use self::state::code_of;
use super::{NodeRequest, brought::BroughtTxs, view::NodeView};
use crate::{
    demo::ledger::abi::{AbiArg, data},
    domain::{Address, Height},
};

/// SDK code for a transaction that is already in the mempool.
const ALREADY_WAITING: u32 = 19;

/// Maximum requests in a batch.
const MOST_AT_ONCE: usize = 1_000;

/// Error of a JSON-RPC method.
#[derive(Debug)]
pub(super) struct EthRefusal {
    code: i32,
    message: String,
    /// Return data of a reverted contract, in hex.
    data: Option<String>,
}

impl EthRefusal {
    pub(super) fn params(message: impl Into<String>) -> Self {
        Self::of(-32_602, message)
    }

    pub(super) fn failed(message: impl Into<String>) -> Self {
        Self::of(-32_000, message)
    }

    fn of(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// Builds the error of a revert with this reason.
    pub(super) fn reverted(reason: &str) -> Self {
        if reason.is_empty() {
            return Self::of(3, "execution reverted");
        }
        let data = hex::encode_prefixed(data("Error(string)", &[AbiArg::Text(reason)]));
        Self { data: Some(data), ..Self::of(3, format!("execution reverted: {reason}")) }
    }
}

pub(super) type EthAnswer = Result<Value, EthRefusal>;

/// Method of a chain viewed as `V`: its name and handler.
pub(super) type EthMethod<V> = (&'static str, fn(&V, &EthParams<'_>) -> EthAnswer);

fn methods<'a>() -> [EthMethod<NodeView<'a>>; 26] {
    [
        ("web3_clientVersion", |_, _| Ok(concat!("rollscope/", env!("CARGO_PKG_VERSION")).into())),
        ("net_version", |_, _| Ok(state::chain_id().to_string().into())),
        ("net_listening", |_, _| Ok(true.into())),
        ("eth_chainId", |_, _| Ok(quantity(u128::from(state::chain_id())))),
        ("eth_syncing", |_, _| Ok(false.into())),
        ("eth_accounts", |_, _| Ok(json!([]))),
        ("eth_blockNumber", |view, _| Ok(quantity(u128::from(view.tip.get())))),
        ("eth_getBlockByNumber", blocks::block_by_number),
        ("eth_getBlockByHash", blocks::block_by_hash),
        ("eth_getBlockReceipts", blocks::block_receipts),
        ("eth_getTransactionByHash", blocks::transaction),
        ("eth_getTransactionReceipt", blocks::receipt),
        ("eth_getTransactionCount", state::transaction_count),
        ("eth_getBalance", state::balance),
        ("eth_getCode", state::code),
        ("eth_call", state::call),
        ("eth_estimateGas", state::estimate_gas),
        ("eth_gasPrice", |view, _| Ok(quantity(state::gas_price(view)))),
        ("eth_maxPriorityFeePerGas", |_, _| Ok(quantity(0))),
        ("eth_feeHistory", state::fee_history),
        ("eth_getLogs", filter::logs),
        ("debug_traceBlockByNumber", traces::block),
        ("debug_traceTransaction", traces::transaction),
        ("eth_sendRawTransaction", |view, params| sent(&view.brought, params)),
        ("cosmos_cosmosTxHashByTxHash", joined::cosmos_hash),
        ("cosmos_txHashByCosmosTxHash", joined::ethereum_hash),
    ]
}

/// Returns the result of a transaction in this request.
pub(super) fn sent(brought: &BroughtTxs, params: &EthParams<'_>) -> EthAnswer {
    let raw = hex::decode(params.text(0)?).map_err(|error| EthRefusal::params(format!("invalid argument: {error}")))?;
    match brought.refusal(&raw) {
        None => Ok(hex::encode_prefixed(keccak256(&raw)).into()),
        Some(refusal) if refusal.code == ALREADY_WAITING => Err(EthRefusal::failed("already known")),
        Some(refusal) => Err(EthRefusal::failed(refusal.log.as_str())),
    }
}

/// Returns the raw transactions in a request.
pub(super) fn brought(request: &NodeRequest) -> Vec<Vec<u8>> {
    let questions = match serde_json::from_slice::<Value>(&request.body) {
        Ok(Value::Array(questions)) if questions.len() <= MOST_AT_ONCE => questions,
        Ok(question @ Value::Object(_)) => vec![question],
        _ => return Vec::new(),
    };
    let is_it = |question: &&Value| question["method"] == "eth_sendRawTransaction";
    let raw = |question: &Value| hex::decode(question["params"].get(0)?.as_str()?).ok();
    questions.iter().filter(is_it).filter_map(raw).collect()
}

/// Handles a request about the rollup.
pub(super) fn answer(view: &NodeView<'_>, request: &NodeRequest) -> (StatusCode, Value) {
    answer_by(&methods(), view, request)
}

/// Handles a request about a chain with these methods.
pub(super) fn answer_by<V>(methods: &[EthMethod<V>], view: &V, request: &NodeRequest) -> (StatusCode, Value) {
    if !request.is_post || !request.parts.is_empty() {
        let error = json!({ "code": -32_600, "message": "send requests as JSON with POST to this interface's path" });
        return (StatusCode::METHOD_NOT_ALLOWED, json!({ "jsonrpc": "2.0", "id": null, "error": error }));
    }
    let json = match serde_json::from_slice::<Value>(&request.body) {
        Ok(Value::Array(questions)) if questions.is_empty() => refused(&Value::Null, -32_600, "empty batch"),
        Ok(Value::Array(questions)) if questions.len() > MOST_AT_ONCE => {
            refused(&Value::Null, -32_600, "batch too large")
        }
        Ok(Value::Array(questions)) => questions.iter().map(|question| one(methods, view, question)).collect(),
        Ok(question) => one(methods, view, &question),
        Err(_) => refused(&Value::Null, -32_700, "parse error"),
    };
    (StatusCode::OK, json)
}

fn refused(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

fn one<V>(methods: &[EthMethod<V>], view: &V, question: &Value) -> Value {
    let id = question.get("id").unwrap_or(&Value::Null);
    let Some(method) = question.get("method").and_then(Value::as_str) else {
        return refused(id, -32_600, "invalid request");
    };
    let Some((_, handler)) = methods.iter().find(|(name, _)| *name == method) else {
        let message = format!("the method {method} does not exist/is not available");
        return refused(id, -32_601, &message);
    };
    let params = question.get("params").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    match handler(view, &EthParams(params)) {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(EthRefusal { code, message, data: None }) => refused(id, code, &message),
        Err(EthRefusal { code, message, data: Some(data) }) => {
            json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message, "data": data } })
        }
    }
}

/// Formats a number as Ethereum does.
pub(super) fn quantity(number: u128) -> Value {
    format!("{number:#x}").into()
}

/// Parameters of a request by index.
pub(super) struct EthParams<'a>(&'a [Value]);

impl EthParams<'_> {
    pub(super) fn value(&self, place: usize) -> &Value {
        self.0.get(place).unwrap_or(&Value::Null)
    }

    pub(super) fn text(&self, place: usize) -> Result<&str, EthRefusal> {
        let text = self.value(place).as_str();
        text.ok_or_else(|| EthRefusal::params(format!("missing value for required argument {place}")))
    }

    pub(super) fn is_set(&self, place: usize) -> bool {
        self.value(place).as_bool().unwrap_or(false)
    }

    pub(super) fn account(&self, place: usize) -> Result<Address, EthRefusal> {
        read_account(self.text(place)?)
    }

    pub(super) fn hash(&self, place: usize) -> Result<[u8; 32], EthRefusal> {
        read_hash(self.text(place)?)
    }

    /// Returns the block named by a number or tag; the newest by default.
    fn height(&self, view: &NodeView<'_>, place: usize) -> Result<Option<Height>, EthRefusal> {
        read_height(view, self.value(place))
    }

    /// Rejects a state query at any but the newest block.
    fn check_newest(&self, view: &NodeView<'_>, place: usize) -> Result<(), EthRefusal> {
        let named = self.height(view, place)?;
        if named == Some(view.tip) { Ok(()) } else { Err(Self::pruned(view, named)) }
    }

    /// Selects the block for balance queries.
    fn look_at(&self, view: &NodeView<'_>, place: usize) -> Result<Option<Height>, EthRefusal> {
        let named = self.height(view, place)?;
        let is_kept = named.is_some_and(|height| view.look_at(height));
        if is_kept { Ok(named) } else { Err(Self::pruned(view, named)) }
    }

    fn pruned(view: &NodeView<'_>, named: Option<Height>) -> EthRefusal {
        let (height, tip) = (named.map_or_else(|| "0".to_owned(), |height| height.to_string()), view.tip);
        let why = format!("failed to load state at height {height}; version does not exist (latest height: {tip})");
        EthRefusal::failed(format!("codespace sdk code 18: invalid request: {why}"))
    }
}

pub(super) fn read_account(text: &str) -> Result<Address, EthRefusal> {
    let address = NodeView::address(text).filter(|address| text.starts_with("0x") && address.bytes().len() == 20);
    address.ok_or_else(|| EthRefusal::params(format!("invalid argument: {text} is not an address")))
}

fn read_hash(text: &str) -> Result<[u8; 32], EthRefusal> {
    let mut hash = [0; 32];
    let read = hex::decode_to_slice(text, &mut hash);
    read.map(|()| hash).map_err(|_| EthRefusal::params(format!("invalid argument: {text} is not a hash")))
}

pub(super) fn read_number(text: &str) -> Result<u128, EthRefusal> {
    let number = text.strip_prefix("0x").and_then(|digits| u128::from_str_radix(digits, 16).ok());
    number.ok_or_else(|| EthRefusal::params(format!("invalid argument: {text} is not a hex number")))
}

/// Parses a block number or tag; `None` for number 0.
fn read_height(view: &NodeView<'_>, named: &Value) -> Result<Option<Height>, EthRefusal> {
    let text = match named {
        Value::Null => return Ok(Some(view.tip)),
        Value::Object(fields) => fields.get("blockNumber").and_then(Value::as_str).unwrap_or("latest"),
        other => other.as_str().unwrap_or_default(),
    };
    match text {
        "latest" | "pending" | "safe" | "finalized" => Ok(Some(view.tip)),
        "earliest" => Ok(Some(Height::FIRST)),
        text => Ok(u64::try_from(read_number(text)?).ok().and_then(Height::new)),
    }
}
