//! ABCI queries in protobuf. The server runs the equivalent REST query and encodes its answer as protobuf.

use axum::http::StatusCode;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::{
    super::{NodeRequest, rest, view::NodeView},
    MethodRefusal,
    params::RpcParams,
};
use crate::{indexer::http::QueryString, wire::proto};

/// gRPC methods and their REST paths. Fields in braces are part of the path; other fields go to the query string or,
/// after `POST`, to the body.
const QUERIES: &[(&str, &str)] = &[
    ("/cosmos.auth.v1beta1.Query/Account", "cosmos/auth/v1beta1/accounts/{address}"),
    ("/cosmos.auth.v1beta1.Query/Accounts", "cosmos/auth/v1beta1/accounts"),
    ("/cosmos.auth.v1beta1.Query/AccountInfo", "cosmos/auth/v1beta1/account_info/{address}"),
    ("/cosmos.auth.v1beta1.Query/ModuleAccounts", "cosmos/auth/v1beta1/module_accounts"),
    ("/cosmos.auth.v1beta1.Query/Bech32Prefix", "cosmos/auth/v1beta1/bech32"),
    ("/cosmos.bank.v1beta1.Query/AllBalances", "cosmos/bank/v1beta1/balances/{address}"),
    ("/cosmos.bank.v1beta1.Query/SpendableBalances", "cosmos/bank/v1beta1/spendable_balances/{address}"),
    ("/cosmos.bank.v1beta1.Query/Balance", "cosmos/bank/v1beta1/balances/{address}/by_denom"),
    ("/cosmos.bank.v1beta1.Query/TotalSupply", "cosmos/bank/v1beta1/supply"),
    ("/cosmos.bank.v1beta1.Query/SupplyOf", "cosmos/bank/v1beta1/supply/by_denom"),
    ("/cosmos.bank.v1beta1.Query/DenomsMetadata", "cosmos/bank/v1beta1/denoms_metadata"),
    ("/cosmos.bank.v1beta1.Query/DenomMetadata", "cosmos/bank/v1beta1/denoms_metadata_by_query_string"),
    ("/cosmos.bank.v1beta1.Query/DenomMetadataByQueryString", "cosmos/bank/v1beta1/denoms_metadata_by_query_string"),
    ("/cosmos.bank.v1beta1.Query/Params", "cosmos/bank/v1beta1/params"),
    ("/cosmos.base.tendermint.v1beta1.Service/GetNodeInfo", "cosmos/base/tendermint/v1beta1/node_info"),
    ("/cosmos.base.tendermint.v1beta1.Service/GetSyncing", "cosmos/base/tendermint/v1beta1/syncing"),
    ("/cosmos.base.tendermint.v1beta1.Service/GetLatestBlock", "cosmos/base/tendermint/v1beta1/blocks/latest"),
    ("/cosmos.base.tendermint.v1beta1.Service/GetBlockByHeight", "cosmos/base/tendermint/v1beta1/blocks/{height}"),
    ("/cosmos.tx.v1beta1.Service/GetBlockWithTxs", "cosmos/tx/v1beta1/txs/block/{height}"),
    ("/cosmos.tx.v1beta1.Service/Simulate", "POST cosmos/tx/v1beta1/simulate"),
    ("/cosmos.tx.v1beta1.Service/GetTx", "cosmos/tx/v1beta1/txs/{hash}"),
    ("/cosmos.tx.v1beta1.Service/GetTxsEvent", "cosmos/tx/v1beta1/txs"),
    ("/opinit.opchild.v1.Query/Params", "opinit/opchild/v1/params"),
    ("/opinit.opchild.v1.Query/BridgeInfo", "opinit/opchild/v1/bridge_info"),
    ("/opinit.opchild.v1.Query/BaseDenom", "opinit/opchild/v1/base_denom"),
    ("/opinit.opchild.v1.Query/NextL1Sequence", "opinit/opchild/v1/next_l1_sequence"),
    ("/opinit.opchild.v1.Query/Validators", "opinit/opchild/v1/validators"),
    ("/opinit.opchild.v1.Query/Validator", "opinit/opchild/v1/validator/{validator_addr}"),
    ("/ibc.core.channel.v1.Query/Channels", "ibc/core/channel/v1/channels"),
    ("/ibc.core.channel.v1.Query/Channel", "ibc/core/channel/v1/channels/{channel_id}/ports/{port_id}"),
    (
        "/ibc.core.channel.v1.Query/ChannelClientState",
        "ibc/core/channel/v1/channels/{channel_id}/ports/{port_id}/client_state",
    ),
    ("/ibc.applications.transfer.v1.Query/DenomTraces", "ibc/apps/transfer/v1/denom_traces"),
    ("/ibc.applications.transfer.v1.Query/DenomTrace", "ibc/apps/transfer/v1/denom_traces/{hash}"),
    ("/minievm.evm.v1.Query/Params", "minievm/evm/v1/params"),
    ("/minievm.evm.v1.Query/ContractAddrByDenom", "minievm/evm/v1/contracts/by_denom"),
    ("/minievm.evm.v1.Query/ERC20Wrapper", "minievm/evm/v1/contracts/erc20_wrapper"),
    ("/minievm.evm.v1.Query/Denom", "minievm/evm/v1/denoms/{contract_addr}"),
    ("/minievm.evm.v1.Query/Code", "minievm/evm/v1/codes/{contract_addr}"),
    ("/minievm.evm.v1.Query/Call", "POST minievm/evm/v1/call"),
    ("/initia.move.v1.Query/Params", "initia/move/v1/params"),
    ("/initia.move.v1.Query/Denom", "initia/move/v1/denom"),
    ("/initia.move.v1.Query/Metadata", "initia/move/v1/metadata"),
    ("/initia.move.v1.Query/Resources", "initia/move/v1/accounts/{address}/resources"),
    ("/initia.move.v1.Query/Resource", "initia/move/v1/accounts/{address}/resources/by_struct_tag"),
    ("/initia.move.v1.Query/ViewJSON", "POST initia/move/v1/view/json"),
    ("/cosmwasm.wasm.v1.Query/Params", "cosmwasm/wasm/v1/codes/params"),
    ("/cosmwasm.wasm.v1.Query/ContractInfo", "cosmwasm/wasm/v1/contract/{address}"),
    ("/cosmwasm.wasm.v1.Query/SmartContractState", "cosmwasm/wasm/v1/contract/{address}/smart/{query_data}"),
];

/// Error of the application, not of the transport.
struct QueryRefusal {
    code: u64,
    log: String,
}

pub(super) fn abci_query(view: &NodeView<'_>, params: &RpcParams) -> Result<Value, MethodRefusal> {
    answer_by(params, view.tip.get(), |question| rest::answer(view, question))
}

/// Answers a query about any chain. `answer` answers REST requests for it.
#[expect(clippy::unnecessary_wraps, reason = "all methods have one form")]
pub(in crate::demo::node) fn answer_by(
    params: &RpcParams,
    tip: u64,
    answer: impl Fn(&NodeRequest) -> (StatusCode, Value),
) -> Result<Value, MethodRefusal> {
    let path = params.text("path").unwrap_or_default();
    let height = params.text("height").filter(|height| *height != "0");
    let asked_for = height.and_then(|height| height.parse().ok()).unwrap_or(tip);
    let data = params.hex("data").unwrap_or_default();
    let (code, log, value, at) = match asked(answer, path, &data, height) {
        Ok(bytes) => (0, String::new(), Some(BASE64_STANDARD.encode(bytes)), asked_for),
        Err(QueryRefusal { code, log }) => (code, log, None, 0),
    };
    Ok(json!({ "response": {
        "code": code,
        "log": log,
        "info": "",
        "index": "0",
        "key": null,
        "value": value.filter(|text| !text.is_empty()),
        "proofOps": null,
        "height": at.to_string(),
        "codespace": if code == 0 { "" } else { "sdk" },
    } }))
}

fn asked(
    answer: impl Fn(&NodeRequest) -> (StatusCode, Value),
    path: &str,
    data: &[u8],
    height: Option<&str>,
) -> Result<Vec<u8>, QueryRefusal> {
    let unknown = || QueryRefusal { code: 6, log: format!("unknown query path: {path}: unknown request") };
    let (_, template) = QUERIES.iter().find(|(known, _)| *known == path).ok_or_else(unknown)?;
    let fields = proto::decode_request(path, data)
        .map_err(|error| QueryRefusal { code: 18, log: format!("{error}: invalid request") })?;
    let (status, answer) = answer(&question(template, fields, height));
    if !status.is_success() {
        let code = answer.get("code").and_then(Value::as_u64).unwrap_or(2);
        return Err(refused(code, answer.get("message").and_then(Value::as_str).unwrap_or_default()));
    }
    proto::encode_answer(path, &answer).map_err(|error| QueryRefusal { code: 1, log: error.to_string() })
}

/// Returns the gRPC error of the application. Clients recognise a missing record by its text.
fn refused(code: u64, message: &str) -> QueryRefusal {
    match code {
        3 => QueryRefusal {
            code: 18,
            log: format!("rpc error: code = InvalidArgument desc = {message}: invalid request"),
        },
        5 => QueryRefusal { code: 22, log: format!("rpc error: code = NotFound desc = {message}: key not found") },
        _ => QueryRefusal { code, log: message.to_owned() },
    }
}

/// Returns the REST request for a query with these fields.
fn question(template: &str, fields: Value, height: Option<&str>) -> NodeRequest {
    let (is_post, template) = template.strip_prefix("POST ").map_or((false, template), |rest| (true, rest));
    let mut left = match fields {
        Value::Object(fields) => fields,
        _ => serde_json::Map::new(),
    };
    let body = if is_post { Value::Object(left.clone()).to_string().into_bytes() } else { Vec::new() };
    let mut part = |part: &str| {
        let name = part.strip_prefix('{').and_then(|part| part.strip_suffix('}'));
        name.map_or_else(|| part.to_owned(), |name| written(&left.remove(name).unwrap_or_default()))
    };
    let parts = template.split('/').map(&mut part).collect();
    let pairs = left.into_iter().flat_map(|(name, value)| match value {
        Value::Object(inner) => {
            inner.into_iter().map(|(field, value)| (format!("{name}.{field}"), plain(&value))).collect()
        }
        value => vec![(name, plain(&value))],
    });
    NodeRequest {
        is_post,
        parts,
        query: QueryString::of(pairs.filter(|(_, value)| !value.is_empty())),
        height: height.map(str::to_owned),
        body,
    }
}

/// Formats a field for a path. The data of a smart query is in base64.
fn written(value: &Value) -> String {
    match value {
        Value::Object(_) => BASE64_STANDARD.encode(value.to_string()),
        value => plain(value),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
