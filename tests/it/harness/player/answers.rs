//! What the played node answers.

use std::collections::HashMap;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::wire::proto;
use serde_json::{Value, json, value::RawValue};

use super::Stage;
use crate::harness::recording::{RecordedBlock, Recording};

/// An answer, and the request in a form that tests can name.
pub(super) struct PlayedAnswer {
    pub(super) request: String,
    pub(super) status: u16,
    pub(super) body: String,
}

/// A recording, laid out to be asked.
pub(super) struct Recorded {
    blocks: Vec<PlayedBlock>,
    /// REST by its path without pagination.
    state: HashMap<String, (u16, String)>,
    /// What contracts answer, by address and input, through REST and through the JSON-RPC.
    rest_calls: HashMap<(String, String), String>,
    calls: HashMap<(String, String), Value>,
    /// The other methods of the JSON-RPC.
    methods: HashMap<String, Value>,
}

struct PlayedBlock {
    hash: String,
    header: Value,
    txs: Vec<Value>,
    rest_txs: Vec<Box<RawValue>>,
    recorded: RecordedBlock,
}

impl PlayedBlock {
    fn new(recorded: &RecordedBlock) -> Self {
        let answer: Value = serde_json::from_str(recorded.block.get()).expect("a recorded block is JSON");
        let block = &answer["result"]["block"];
        let rest_txs = recorded.txs.as_ref().map(|answer| {
            #[derive(serde::Deserialize)]
            struct RecordedTxs {
                txs: Vec<Box<RawValue>>,
            }
            let answer: RecordedTxs = serde_json::from_str(answer.get()).expect("recorded transactions are a list");
            answer.txs
        });
        Self {
            hash: answer["result"]["block_id"]["hash"].as_str().expect("a recorded block has a hash").to_owned(),
            header: block["header"].clone(),
            txs: block["data"]["txs"].as_array().cloned().unwrap_or_default(),
            rest_txs: rest_txs.unwrap_or_default(),
            recorded: recorded.clone(),
        }
    }
}

impl Recorded {
    pub(super) fn new(recording: &Recording) -> Self {
        let mut recorded = Self {
            blocks: recording.blocks.iter().map(PlayedBlock::new).collect(),
            state: HashMap::new(),
            rest_calls: HashMap::new(),
            calls: HashMap::new(),
            methods: HashMap::new(),
        };
        for one in &recording.state {
            let body = one.body.clone().unwrap_or_default();
            let text = |value: &Value| value.as_str().unwrap_or_default().to_lowercase();
            match one.at.as_deref() {
                None => {
                    recorded.state.insert(bare(&one.path), (one.status, one.answer.to_string()));
                }
                Some("rest") => {
                    let key = (text(&body["contract_addr"]), text(&body["input"]));
                    recorded.rest_calls.insert(key, one.answer.to_string());
                }
                Some(_) if body["method"] == "eth_call" => {
                    let call = &body["params"][0];
                    recorded.calls.insert((text(&call["to"]), text(&call["data"])), one.answer.clone());
                }
                Some(_) => {
                    let method = body["method"].as_str().unwrap_or_default().to_owned();
                    recorded.methods.insert(method, one.answer["result"].clone());
                }
            }
        }
        recorded
    }

    pub(super) fn last(&self) -> u64 {
        self.blocks.len() as u64
    }

    pub(super) fn chain_id(&self) -> String {
        self.blocks[0].header["chain_id"].as_str().expect("a header names its chain").to_owned()
    }

    pub(super) fn answer(&self, stage: &mut Stage, target: &str, body: Option<&axum::body::Bytes>) -> PlayedAnswer {
        let tip = stage.other_tip.filter(|_| is_others_turn(stage.count)).unwrap_or(stage.tip);
        if stage.pruned_on.as_ref().is_some_and(|(request, _)| request == target) {
            stage.oldest = stage.pruned_on.take().map_or(stage.oldest, |(_, oldest)| oldest);
        }
        let asked = Asked { recorded: self, tip };
        let posted = body.map(|body| serde_json::from_slice::<Value>(body).unwrap_or_default());
        let (status, body) = match (target.split_once("/rpc"), target.strip_prefix("/rest")) {
            (Some(("", path)), _) => asked.rpc(stage, path),
            (_, Some(path)) if stage.has_rest => asked.rest(stage, path, posted.as_ref()),
            _ if target.starts_with("/json-rpc") && stage.has_json_rpc => {
                (200, asked.json_rpc(stage, posted.as_ref().unwrap_or(&Value::Null)).to_string())
            }
            _ => (404, "not found".to_owned()),
        };
        let request = match &posted {
            Some(Value::Object(call)) if call.contains_key("method") => {
                format!("{target} {} {}", text_of(&call["method"]), call["params"])
            }
            Some(posted) => format!("{target} {posted}"),
            None => target.to_owned(),
        };
        let body = match &stage.lie {
            Some(lie) => match serde_json::from_str(&body) {
                Ok(mut value) => {
                    lie(&request, &mut value);
                    value.to_string()
                }
                Err(_) => body,
            },
            None => body,
        };
        PlayedAnswer { request, status, body }
    }
}

/// A recording as one node has it for the time of one request.
struct Asked<'a> {
    recorded: &'a Recorded,
    tip: u64,
}

impl Asked<'_> {
    fn at(&self, height: u64) -> &PlayedBlock {
        &self.recorded.blocks[usize::try_from(height - 1).expect("a height of a recording")]
    }

    fn is_forked(stage: &Stage, height: u64) -> bool {
        stage.fork_above.is_some_and(|fork| height > fork)
    }

    fn hash(&self, stage: &Stage, height: u64) -> String {
        if height == 0 {
            return String::new();
        }
        let hash = &self.at(height).hash;
        if Self::is_forked(stage, height) { format!("F0F0F0F0{}", &hash[8..]) } else { hash.clone() }
    }

    fn header(&self, stage: &Stage, height: u64) -> Value {
        let mut header = self.at(height).header.clone();
        header["chain_id"] = stage.chain_id.clone().into();
        header["last_block_id"]["hash"] = self.hash(stage, height - 1).into();
        header
    }

    fn txs(&self, stage: &Stage, height: u64) -> &[Value] {
        if Self::is_forked(stage, height) { &[] } else { &self.at(height).txs }
    }

    fn rpc(&self, stage: &mut Stage, path: &str) -> (u16, String) {
        let (route, query) = path.split_once('?').unwrap_or((path, ""));
        let number = |name: &str| {
            let value = query.split('&').find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
            value.and_then(|value| value.parse::<u64>().ok()).unwrap_or(self.tip)
        };
        let answered = match route {
            "/status" => Ok(self.status(stage)),
            "/blockchain" => self.headers(stage, number("minHeight"), number("maxHeight")),
            "/block" => self.held(stage, number("height")).map(|height| {
                let (hash, header) = (self.hash(stage, height), self.header(stage, height));
                json!({"block_id": {"hash": hash}, "block": {"header": header, "data": {"txs": self.txs(stage, height)}}})
            }),
            "/block_results" => match self.held(stage, number("height")) {
                Ok(height) if !Self::is_forked(stage, height) => {
                    return (200, self.at(height).recorded.block_results.get().to_owned());
                }
                Ok(height) => Ok(json!({"height": height.to_string(), "txs_results": null})),
                Err(sentence) => Err(sentence),
            },
            "/abci_query" => Ok(self.query(stage, query)),
            _ => {
                // A bare address is asked by who looks for another interface there.
                if !path.is_empty() {
                    stage.unanswered.push(path.to_owned());
                }
                Err(format!("unknown path {route}"))
            }
        };
        match answered {
            Ok(result) => (200, json!({"jsonrpc": "2.0", "id": -1, "result": result}).to_string()),
            Err(sentence) => {
                let error = json!({"code": -32603, "message": "Internal error", "data": sentence});
                (500, json!({"jsonrpc": "2.0", "id": -1, "error": error}).to_string())
            }
        }
    }

    /// The height, where the node has its block; else the node's sentence.
    fn held(&self, stage: &Stage, height: u64) -> Result<u64, String> {
        let (tip, oldest) = (self.tip, stage.oldest);
        if height > tip {
            Err(format!("height {height} must be less than or equal to the current blockchain height {tip}"))
        } else if height < oldest {
            Err(format!("height {height} is not available, lowest height is {oldest}"))
        } else {
            Ok(height)
        }
    }

    fn status(&self, stage: &Stage) -> Value {
        let sync_info = json!({
            "latest_block_height": self.tip.to_string(),
            "latest_block_time": self.at(self.tip).header["time"],
            "earliest_block_height": stage.oldest.to_string(),
            "catching_up": false,
        });
        json!({"node_info": {"network": stage.chain_id, "version": "0.38.17", "moniker": "played"}, "sync_info": sync_info})
    }

    /// What the application says, which REST was recorded of: the parameters of its own virtual machine, and the state
    /// that has a path there.
    fn query(&self, stage: &Stage, query: &str) -> Value {
        let height = self.tip.to_string();
        match self.queried(stage, query) {
            Ok(value) => json!({"response": {"code": 0, "value": BASE64_STANDARD.encode(value), "height": height}}),
            Err(log) => {
                json!({"response": {"code": 6, "log": log, "value": null, "height": "0", "codespace": "sdk"}})
            }
        }
    }

    fn queried(&self, stage: &Stage, query: &str) -> Result<Vec<u8>, String> {
        let named = |name: &str| query.split('&').find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
        let path = named("path").unwrap_or_default().replace("%22", "");
        let own =
            [("/minievm.evm.v1.", "/minievm/evm/v1/params"), ("/cosmwasm.wasm.v1.", "/cosmwasm/wasm/v1/codes/params")];
        let is_own = |(service, rest): &(&str, &str)| {
            path.starts_with(service) && self.recorded.state.get(*rest).is_some_and(|(status, _)| *status == 200)
        };
        if path.ends_with("/Params") && own.iter().any(is_own) {
            return Ok(Vec::new());
        }
        let data = named("data").unwrap_or_default();
        let data = alloy_primitives::hex::decode(data).map_err(|error| error.to_string())?;
        let asked = proto::decode_request(&path, &data).map_err(|error| error.to_string())?;
        let rest = match path.as_str() {
            "/cosmos.bank.v1beta1.Query/AllBalances" => {
                format!("/cosmos/bank/v1beta1/balances/{}", text_of(&asked["address"]))
            }
            "/cosmos.bank.v1beta1.Query/DenomsMetadata" => "/cosmos/bank/v1beta1/denoms_metadata".to_owned(),
            "/cosmos.bank.v1beta1.Query/DenomMetadataByQueryString" => {
                let denom = text_of(&asked["denom"]).replace('/', "%2F");
                format!("/cosmos/bank/v1beta1/denoms_metadata_by_query_string?denom={denom}")
            }
            "/opinit.opchild.v1.Query/BridgeInfo" => "/opinit/opchild/v1/bridge_info".to_owned(),
            "/opinit.opchild.v1.Query/Validators" => "/opinit/opchild/v1/validators".to_owned(),
            "/ibc.core.channel.v1.Query/Channels" => "/ibc/core/channel/v1/channels".to_owned(),
            _ => return Err("unknown query path".to_owned()),
        };
        let Some((200, answer)) = self.state(stage, &rest) else { return Err("unknown query path".to_owned()) };
        let answer = serde_json::from_str(&answer).map_err(|error| error.to_string())?;
        proto::encode_answer(&path, &answer).map_err(|error| error.to_string())
    }

    /// What was recorded of the state by a path of REST.
    fn state(&self, stage: &Stage, path: &str) -> Option<(u16, String)> {
        if let Some((status, answer)) = self.recorded.state.get(&bare(path)) {
            return Some((*status, answer.replace(&self.recorded.chain_id(), &stage.chain_id)));
        }
        // The balances of everybody who holds something were recorded.
        let is_nobodys = path.starts_with("/cosmos/bank/v1beta1/balances/init1");
        let nothing = json!({"balances": [], "pagination": {"next_key": null, "total": "0"}});
        is_nobodys.then(|| (200, nothing.to_string()))
    }

    /// At most twenty headers, the newest first, cut to what the node has.
    fn headers(&self, stage: &Stage, min: u64, max: u64) -> Result<Value, String> {
        let last = max.min(self.tip);
        let first = min.max(stage.oldest).max(last.saturating_sub(19));
        if first > last {
            return Err(format!("invalid request: min height {first} can't be greater than max height {last}"));
        }
        let meta = |height: u64| {
            let txs = self.txs(stage, height).len().to_string();
            json!({"block_id": {"hash": self.hash(stage, height)}, "header": self.header(stage, height), "num_txs": txs})
        };
        let metas: Vec<Value> = (first..=last).rev().map(meta).collect();
        Ok(json!({"last_height": self.tip.to_string(), "block_metas": metas}))
    }

    fn rest(&self, stage: &mut Stage, path: &str, posted: Option<&Value>) -> (u16, String) {
        if let Some(rest) = path.strip_prefix("/cosmos/tx/v1beta1/txs/block/") {
            return self.rest_txs(stage, rest);
        }
        if let Some(height) = path.strip_prefix("/cosmos/base/tendermint/v1beta1/blocks/") {
            return self.rest_block(stage, height);
        }
        if let Some(call) = posted {
            let text = |name: &str| call[name].as_str().unwrap_or_default().to_lowercase();
            if let Some(answer) = self.recorded.rest_calls.get(&(text("contract_addr"), text("input"))) {
                return (200, answer.clone());
            }
        } else if let Some(answered) = self.state(stage, path) {
            return answered;
        }
        if !path.is_empty() {
            stage.unanswered.push(path.to_owned());
        }
        (501, json!({"code": 12, "message": "Not Implemented", "details": []}).to_string())
    }

    fn rest_block(&self, stage: &Stage, height: &str) -> (u16, String) {
        match self.held(stage, height.parse().unwrap_or(0)) {
            Ok(height) => {
                let hash = alloy_primitives::hex::decode(self.hash(stage, height)).expect("a hash is hex");
                let block_id = json!({"hash": BASE64_STANDARD.encode(hash)});
                (200, json!({"block_id": block_id, "block": {"header": self.header(stage, height)}}).to_string())
            }
            Err(message) => (400, json!({"code": 3, "message": message, "details": []}).to_string()),
        }
    }

    fn rest_txs(&self, stage: &Stage, rest: &str) -> (u16, String) {
        let (height, query) = rest.split_once('?').unwrap_or((rest, ""));
        let number = |name: &str, default: usize| {
            let value = query.split('&').find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
            value.and_then(|value| value.parse::<usize>().ok()).unwrap_or(default)
        };
        let height = height.parse::<u64>().unwrap_or(0);
        if let Err(sentence) = self.held(stage, height) {
            let message = format!("codespace sdk code 26: invalid height: {sentence}");
            return (400, json!({"code": 2, "message": message, "details": []}).to_string());
        }
        if stage.undecodable == Some(height) {
            let message = "unable to resolve type URL /cosmos.old.v1.MsgOld";
            return (500, json!({"code": 2, "message": message, "details": []}).to_string());
        }
        let txs: &[Box<RawValue>] = if Self::is_forked(stage, height) { &[] } else { &self.at(height).rest_txs };
        let (offset, limit) = (number("pagination.offset", 0), number("pagination.limit", 100));
        let page: Vec<&str> = txs.iter().skip(offset).take(limit).map(|tx| tx.get()).collect();
        let total = txs.len();
        (200, format!(r#"{{"txs":[{}],"pagination":{{"next_key":null,"total":"{total}"}}}}"#, page.join(",")))
    }

    fn json_rpc(&self, stage: &mut Stage, posted: &Value) -> Value {
        match posted.as_array() {
            Some(calls) => calls.iter().map(|call| self.call(stage, call)).collect(),
            None => self.call(stage, posted),
        }
    }

    fn call(&self, stage: &mut Stage, call: &Value) -> Value {
        let raw = |found: Option<&Box<RawValue>>| {
            found.map_or(json!([]), |raw| serde_json::from_str(raw.get()).expect("what was recorded is JSON"))
        };
        let method = text_of(&call["method"]);
        let height = call["params"][0].as_str().and_then(|text| u64::from_str_radix(text.strip_prefix("0x")?, 16).ok());
        let held = height.filter(|height| self.held(stage, *height).is_ok());
        let block = held.filter(|height| !Self::is_forked(stage, *height)).map(|height| &self.at(height).recorded);
        let result = match method {
            "eth_blockNumber" => json!(format!("{:#x}", self.tip)),
            "eth_getBlockByNumber" => held.map_or(Value::Null, |height| self.evm_block(stage, height)),
            "eth_getBlockReceipts" => raw(block.and_then(|block| block.receipts.as_ref())),
            "debug_traceBlockByNumber" => raw(block.and_then(|block| block.traces.as_ref())),
            "eth_call" => {
                let text = |name: &str| call["params"][0][name].as_str().unwrap_or_default().to_lowercase();
                if let Some(answer) = self.recorded.calls.get(&(text("to"), text("data"))) {
                    let mut answer = answer.clone();
                    answer["id"] = call["id"].clone();
                    return answer;
                }
                stage.unanswered.push(call.to_string());
                return json!({"jsonrpc": "2.0", "id": call["id"], "error": {"code": 3, "message": "execution reverted"}});
            }
            other => {
                if let Some(result) = self.recorded.methods.get(other) {
                    result.clone()
                } else {
                    let error = json!({"code": -32601, "message": format!("the method {other} does not exist/is not available")});
                    return json!({"jsonrpc": "2.0", "id": call["id"], "error": error});
                }
            }
        };
        json!({"jsonrpc": "2.0", "id": call["id"], "result": result})
    }

    /// The head of a block as the EVM has it; where none was recorded, as far as the chain's own header says it.
    fn evm_block(&self, stage: &Stage, height: u64) -> Value {
        let recorded = self.at(height).recorded.eth_block.as_ref().filter(|_| !Self::is_forked(stage, height));
        let recorded = recorded.and_then(|raw| serde_json::from_str::<Option<Value>>(raw.get()).ok().flatten());
        if let Some(mut head) = recorded {
            // Where a fixture leaves them out: every one of them has a receipt.
            if head["transactions"].is_null() {
                head["transactions"] = self.evm_hashes(height);
            }
            return head;
        }
        let time = text_of(&self.at(height).header["time"]);
        let time: rollscope::domain::Timestamp = time.parse().expect("a header has a time");
        let hash = format!("0x{}", self.hash(stage, height).to_lowercase());
        json!({"hash": hash, "number": format!("{height:#x}"), "timestamp": format!("{:#x}", time.as_seconds())})
    }

    /// The hashes of the recorded receipts of a block.
    fn evm_hashes(&self, height: u64) -> Value {
        let receipts = self.at(height).recorded.receipts.as_ref();
        let receipts = receipts.and_then(|raw| serde_json::from_str::<Vec<Value>>(raw.get()).ok()).unwrap_or_default();
        receipts.iter().map(|receipt| receipt["transactionHash"].clone()).collect()
    }
}

/// Whether the second node answers: about every third time, without a pattern that a client could keep step with.
fn is_others_turn(count: usize) -> bool {
    (count.wrapping_mul(2_654_435_761) >> 13).is_multiple_of(3)
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A path without pagination, however it is escaped.
fn bare(path: &str) -> String {
    let (route, query) = path.split_once('?').unwrap_or((path, ""));
    let query: Vec<&str> =
        query.split('&').filter(|part| !part.is_empty() && !part.starts_with("pagination.")).collect();
    let bare = if query.is_empty() { route.to_owned() } else { format!("{route}?{}", query.join("&")) };
    bare.replace("%3D", "=").replace("%2B", "+").replace("%2F", "/")
}
