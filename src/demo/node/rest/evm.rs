//! Queries that only `MiniEVM`'s gateway has.

use alloy_primitives::hex;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    super::{
        NodeRequest,
        contract::{self, CallRefusal},
        json_rpc::{code_of, storage_of},
        view::NodeView,
    },
    RestAnswer, RestRefusal,
};
use crate::domain::{Address, Denom};

/// Gas of a query; a constant, since the simulation does not measure it.
const USED_GAS: &str = "50000";

/// Call in a contract query.
#[derive(Deserialize)]
struct EvmQuestion {
    contract_addr: String,
    #[serde(default)]
    input: String,
}

pub(super) fn answer(view: &NodeView<'_>, request: &NodeRequest, path: &[&str]) -> RestAnswer {
    match (request.is_post, path) {
        (true, ["call"]) => call(view, &request.body),
        (false, ["params"]) => Ok(params(view)),
        (false, ["contracts", "by_denom"]) => by_denom(view, request.query.first("denom").unwrap_or_default()),
        (false, ["contracts", "erc20_wrapper"]) => {
            Ok(json!({ "address": view.facts().wrapper.map(|wrapper| wrapper.checksummed()) }))
        }
        (false, ["denoms", contract]) => {
            let address = read(contract)?;
            let token = view.chain.tokens().into_iter().find(|token| token.contract == Some(address));
            let missing = || RestRefusal::not_found(format!("denom of {contract} not found"));
            Ok(json!({ "denom": token.ok_or_else(missing)?.denom.as_str() }))
        }
        (false, ["erc721", "origin_token_infos", class @ ..]) => {
            let ids = request.query.first("token_ids").unwrap_or_default();
            origin_token_infos(view, &class.join("/"), ids)
        }
        (false, ["codes", contract]) => Ok(json!({ "code": hex::encode_prefixed(code_of(view, &read(contract)?)) })),
        (false, ["states", contract, slot]) => {
            let word = storage_of(view, &read(contract)?, slot);
            let missing = || RestRefusal::machine("this simulated node keeps no storage of contracts");
            Ok(json!({ "value": word.ok_or_else(missing)? }))
        }
        _ => Err(RestRefusal::not_implemented()),
    }
}

fn read(text: &str) -> Result<Address, RestRefusal> {
    NodeView::address(text).ok_or_else(|| RestRefusal::invalid(format!("invalid contract address: {text}")))
}

fn params(view: &NodeView<'_>) -> Value {
    let fee = view.facts().tokens.first().map(|token| token.denom.as_str().to_owned());
    json!({ "params": {
        "extra_eips": [],
        "allowed_publishers": [],
        "allow_custom_erc20": true,
        "allowed_custom_erc20s": [],
        "fee_denom": fee,
        "gas_refund_ratio": "0.500000000000000000",
        "num_retain_block_hashes": "256",
        "gas_enforcement": null,
    } })
}

fn by_denom(view: &NodeView<'_>, text: &str) -> RestAnswer {
    let denom = Denom::new(text);
    let token = view.chain.tokens().into_iter().find(|token| token.denom == denom);
    let contract = token.and_then(|token| token.contract);
    let missing = || RestRefusal::not_found(format!("contract of denom {text} not found"));
    Ok(json!({ "address": contract.ok_or_else(missing)?.checksummed() }))
}

/// Returns the ids that NFTs of a class have on the chain that they came from. `ids` are separated by commas.
fn origin_token_infos(view: &NodeView<'_>, class_id: &str, ids: &str) -> RestAnswer {
    if ids.is_empty() {
        return Err(RestRefusal::invalid("empty token ids"));
    }
    let class = view.state.nft_class().filter(|class| class.id == class_id);
    let class = class.ok_or_else(|| RestRefusal::not_found(format!("class {class_id} not found")))?;
    let info = |id: &str| {
        let nft = view.chain.nft(&class.collection, id).zip(view.state.origin_token(&class, id));
        let (nft, origin) = nft.ok_or_else(|| RestRefusal::machine("evm call failed: execution reverted"))?;
        Ok(json!({ "token_origin_id": origin.to_string(), "token_uri": nft.uri }))
    };
    let infos: Result<Vec<Value>, RestRefusal> = ids.split(',').map(info).collect();
    Ok(json!({ "token_infos": infos? }))
}

fn call(view: &NodeView<'_>, body: &[u8]) -> RestAnswer {
    let asked: EvmQuestion = serde_json::from_slice(body).map_err(|error| RestRefusal::invalid(error.to_string()))?;
    let contract = read(&asked.contract_addr)?;
    let input = hex::decode(&asked.input).map_err(|error| RestRefusal::invalid(error.to_string()))?;
    let (response, error) = match contract::call(view, &contract, &input) {
        Ok(bytes) => (hex::encode_prefixed(bytes), String::new()),
        Err(CallRefusal::Reverted) => (String::new(), "Reverted".to_owned()),
        Err(CallRefusal::Pruned) => return Err(RestRefusal::sdk(18, "invalid request", "failed to load state")),
        Err(CallRefusal::Unknown(why)) => return Err(RestRefusal::machine(why)),
    };
    Ok(json!({ "response": response, "used_gas": USED_GAS, "logs": [], "trace_output": "", "error": error }))
}
