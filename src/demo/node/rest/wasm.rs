//! Queries that only `MiniWasm`'s gateway has: contracts, and smart queries to CW-721 and CW-20 contracts.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::{
    super::{NodeRequest, view::NodeView},
    RestAnswer, RestRefusal,
};
use crate::{
    demo::{
        chain::{UnlistedToken, WasmContract},
        ledger::{COLLECTION_CODE, NftCollection, OwnedNft},
    },
    domain::Address,
};

pub(super) fn answer(view: &NodeView<'_>, request: &NodeRequest, path: &[&str]) -> RestAnswer {
    match path {
        _ if request.is_post => Err(RestRefusal::not_implemented()),
        ["codes", "params"] => Ok(json!({ "params": {
            "code_upload_access": { "permission": "Everybody", "addresses": [] },
            "instantiate_default_permission": "Everybody",
        } })),
        ["contract", text] => {
            let address = read(text)?;
            let info = contract_info(view, &address).ok_or_else(|| no_contract(text))?;
            Ok(json!({ "address": text, "contract_info": info }))
        }
        ["contract", text, "smart", query] => {
            let address = read(text)?;
            let bytes = BASE64_STANDARD.decode(query).map_err(|error| RestRefusal::invalid(error.to_string()))?;
            let asked: Value = serde_json::from_slice(&bytes).map_err(|_| RestRefusal::invalid("invalid json"))?;
            smart(view, &address, &asked).map(|data| json!({ "data": data }))
        }
        _ => Err(RestRefusal::not_implemented()),
    }
}

fn read(text: &str) -> Result<Address, RestRefusal> {
    super::bank::read_account(text)
}

fn no_contract(text: &str) -> RestRefusal {
    RestRefusal::machine(format!("codespace wasm code 22: no such contract: address {text}"))
}

/// Writes the chain's information about a collection, a token or a user's contract.
fn contract_info(view: &NodeView<'_>, address: &Address) -> Option<Value> {
    let of_collection = |collection: NftCollection| {
        let NftCollection { name: label, creator, created, .. } = collection;
        WasmContract { code: COLLECTION_CODE, creator: Some(creator), admin: None, label, created }
    };
    let collection = view.chain.collection(address).map(of_collection);
    let contract = collection.or_else(|| view.state.wasm_contract(address))?;
    let account = |account: Option<Address>| account.map(|account| account.bech32()).unwrap_or_default();
    Some(json!({
        "code_id": contract.code.to_string(),
        "creator": account(contract.creator),
        "admin": account(contract.admin),
        "label": contract.label,
        "created": { "block_height": contract.created.to_string(), "tx_index": "0" },
        "ibc_port_id": "",
        "extension": null,
    }))
}

fn smart(view: &NodeView<'_>, address: &Address, asked: &Value) -> RestAnswer {
    let question = asked.as_object().and_then(|fields| fields.iter().next());
    let Some((name, arguments)) = question else {
        return Err(RestRefusal::machine("Error parsing into type: expected an object: query wasm contract failed"));
    };
    if let Some(collection) = view.chain.collection(address) {
        return nft_answer(view, &collection, name, arguments);
    }
    if let Some(token) = view.state.unlisted_token(address) {
        return cw20_answer(view, address, &token, name, arguments);
    }
    let is_known = view.state.account(address).is_some() || view.state.wasm_contract(address).is_some();
    if !is_known {
        return Err(no_contract(&address.bech32()));
    }
    Err(RestRefusal::machine(format!(
        "this simulated node does not run contracts: it cannot answer the query `{name}` of {}",
        address.bech32()
    )))
}

fn unknown(contract: &str, name: &str, known: &str) -> RestRefusal {
    RestRefusal::machine(format!(
        "Error parsing into type {contract}::msg::QueryMsg: unknown variant `{name}`, expected one of {known}: query wasm \
         contract failed"
    ))
}

fn text<'a>(arguments: &'a Value, name: &str) -> Result<&'a str, RestRefusal> {
    arguments[name].as_str().ok_or_else(|| {
        RestRefusal::machine(format!("Error parsing into type: missing field `{name}`: query wasm contract failed"))
    })
}

fn nft_answer(view: &NodeView<'_>, collection: &NftCollection, name: &str, arguments: &Value) -> RestAnswer {
    let nft = || -> Result<OwnedNft, RestRefusal> {
        let id = text(arguments, "token_id")?;
        let missing = || RestRefusal::machine(format!("cw721: token {id} not found: query wasm contract failed"));
        view.chain.nft(&collection.address, id).ok_or_else(missing)
    };
    let access = |nft: &OwnedNft| json!({ "owner": nft.owner.bech32(), "approvals": [] });
    let info = |nft: &OwnedNft| {
        let uri = Some(nft.uri.as_str()).filter(|uri| !uri.is_empty());
        json!({ "token_uri": uri, "extension": {} })
    };
    match name {
        "contract_info" => {
            let words = collection.name.split_whitespace();
            let symbol: String = words.filter_map(|word| word.chars().next()).collect();
            Ok(json!({ "name": collection.name, "symbol": symbol }))
        }
        "num_tokens" => {
            let count = view.state.nfts_of(&collection.address).len();
            Ok(json!({ "count": count }))
        }
        "owner_of" => Ok(access(&nft()?)),
        "nft_info" => Ok(info(&nft()?)),
        "all_nft_info" => {
            let nft = nft()?;
            Ok(json!({ "access": access(&nft), "info": info(&nft) }))
        }
        "tokens" => {
            let owner = read(text(arguments, "owner")?)?;
            let of_owner = view.state.nfts_of(&collection.address).into_iter().filter(|nft| nft.owner == owner);
            let after = arguments["start_after"].as_str();
            let limit = arguments["limit"].as_u64().and_then(|limit| usize::try_from(limit).ok()).unwrap_or(10);
            let mut ids: Vec<String> = of_owner.map(|nft| nft.token_id).collect();
            ids.sort();
            ids.retain(|id| after.is_none_or(|after| id.as_str() > after));
            ids.truncate(limit.min(100));
            Ok(json!({ "tokens": ids }))
        }
        _ => {
            let known = "`owner_of`, `num_tokens`, `contract_info`, `nft_info`, `all_nft_info`, `tokens`";
            Err(unknown("cw721_base", name, known))
        }
    }
}

fn cw20_answer(
    view: &NodeView<'_>,
    contract: &Address,
    token: &UnlistedToken,
    name: &str,
    arguments: &Value,
) -> RestAnswer {
    match name {
        "token_info" => Ok(json!({
            "name": token.name,
            "symbol": token.symbol,
            "decimals": token.decimals,
            "total_supply": token.supply.to_string(),
        })),
        "balance" => {
            let account = read(text(arguments, "address")?)?;
            Ok(json!({ "balance": view.state.unlisted_balance(contract, &account).to_string() }))
        }
        _ => Err(unknown("cw20_base", name, "`balance`, `token_info`")),
    }
}
