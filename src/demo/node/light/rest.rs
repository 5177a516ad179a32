//! Cosmos REST of a light chain.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{
    ophost,
    view::{LightView, PostedInBlock},
};
use crate::{
    demo::{
        ledger::derive::{named_object, system_account, word},
        node::{
            NodeRequest,
            block::BlockForm,
            brought::tx_to_simulate,
            paging::PageAsked,
            rest::{
                RestAnswer, RestRefusal,
                accounts::{account_json, typed},
                base::described,
                movevm::{address, short},
                txs::simulated,
                written,
            },
        },
        router::service::gas_of,
    },
    domain::{Address, Amount, Denom, PublicKey, TxHash},
};

const FORM: BlockForm = BlockForm::Proto;

/// Gas price in the chain's parameters, in the native coin's smallest unit.
const GAS_PRICE: &str = "0.015000000000000000";

pub(super) fn answer(view: &LightView<'_>, request: &NodeRequest) -> (StatusCode, Value) {
    written(routed(view, request))
}

fn routed(view: &LightView<'_>, request: &NodeRequest) -> RestAnswer {
    let fee_denom = || view.shared.router().fee_denom(&view.chain_id);
    match (request.is_post, &request.path()[..]) {
        (true, ["cosmos", "tx", "v1beta1", "txs"]) => view.brought.tx_response(request),
        (true, ["cosmos", "tx", "v1beta1", "simulate"]) => simulate(view, request),
        (false, ["cosmos", "tx", "v1beta1", "txs"]) => txs_of_sender(view, request),
        (false, ["cosmos", "tx", "v1beta1", "txs", hash]) => tx(view, hash),
        (false, ["cosmos", "auth", "v1beta1", "accounts", address]) => {
            Ok(json!({ "account": typed("/cosmos.auth.v1beta1.BaseAccount", found(view, address)?) }))
        }
        (false, ["cosmos", "auth", "v1beta1", "account_info", address]) => Ok(json!({ "info": found(view, address)? })),
        (false, ["cosmos", "auth", "v1beta1", "bech32"]) => Ok(json!({ "bech32_prefix": prefix(view) })),
        (false, ["cosmos", "bank", "v1beta1", "balances" | "spendable_balances", address]) => {
            check_address(view, address)?;
            let held = view.look(|chain| chain.balances(address)).unwrap_or_default();
            let held = held.into_iter().filter(|(_, amount)| !amount.is_zero()).collect();
            Ok(PageAsked::read(&request.query)?.cut("balances", held, |(denom, amount)| coin(denom, *amount)))
        }
        (false, ["cosmos", "bank", "v1beta1", "balances", address, "by_denom"]) => {
            check_address(view, address)?;
            let denom = Denom::new(request.query.first("denom").unwrap_or_default());
            let held = view.look(|chain| chain.balance(address, &denom)).unwrap_or_default();
            Ok(json!({ "balance": coin(&denom, held) }))
        }
        (false, ["cosmos", "base", "tendermint", "v1beta1", "node_info"]) => Ok(node_info(view)),
        (false, ["cosmos", "base", "tendermint", "v1beta1", "syncing"]) => Ok(json!({ "syncing": false })),
        (false, ["cosmos", "base", "tendermint", "v1beta1", "blocks", "latest"]) => Ok(view.block(FORM, view.tip())),
        (false, ["cosmos", "base", "tendermint", "v1beta1", "blocks", height]) => {
            let asked: Option<u64> = height.parse().ok().filter(|height| *height > 0);
            let asked = asked.ok_or_else(|| RestRefusal::machine("height must be greater than 0"))?;
            if asked > view.tip() {
                return Err(RestRefusal::invalid("requested block height is bigger then the chain length"));
            }
            Ok(view.block(FORM, asked))
        }
        (false, ["cosmos", "base", "node", "v1beta1", "config"]) => {
            Ok(json!({ "minimum_gas_price": format!("0.015{}", fee_denom()) }))
        }
        (false, ["opinit", "ophost", "v1", "bridges", bridge_id, path @ ..]) if is_l1(view) => {
            ophost::answer(view, request, bridge_id, path)
        }
        (false, ["initia", "tx", "v1", "gas_prices"]) if is_l1(view) => {
            Ok(json!({ "gas_prices": [{ "denom": fee_denom(), "amount": GAS_PRICE }] }))
        }
        (false, ["initia", "tx", "v1", "gas_prices", denom]) if is_l1(view) => {
            let known = Denom::new(*denom) == fee_denom();
            let missing = || RestRefusal::not_found(format!("no gas price for {denom}"));
            known.then(|| json!({ "gas_price": { "denom": denom, "amount": GAS_PRICE } })).ok_or_else(missing)
        }
        (false, ["initia", "move", "v1", "denom"]) if is_l1(view) => {
            let asked = request.query.first("metadata").unwrap_or_default();
            let metadata = address(asked)?;
            let found = coins(view).into_iter().find(|denom| metadata_of(denom) == Some(metadata.word()));
            let missing = || RestRefusal::not_found(format!("metadata {asked} not found"));
            Ok(json!({ "denom": found.ok_or_else(missing)? }))
        }
        (false, ["initia", "move", "v1", "metadata"]) if is_l1(view) => {
            let asked = Denom::new(request.query.first("denom").unwrap_or_default());
            let found = coins(view).contains(&asked).then(|| metadata_of(&asked)).flatten();
            let missing = || RestRefusal::not_found(format!("denom {asked} not found"));
            Ok(json!({ "metadata": short(&Address::Long(found.ok_or_else(missing)?)) }))
        }
        _ => Err(RestRefusal::not_implemented()),
    }
}

/// Returns the coins that the chain's list has.
fn coins(view: &LightView<'_>) -> Vec<Denom> {
    let listed = view.shared.router().world().assets(std::slice::from_ref(&view.chain_id)).chain_to_assets_map;
    listed.into_values().flat_map(|list| list.assets).map(|asset| asset.denom).collect()
}

/// Returns the metadata object of a coin: its own, or that which the chain's module `0x1` made.
fn metadata_of(denom: &Denom) -> Option<[u8; 32]> {
    match denom.as_str().strip_prefix("move/") {
        Some(digits) => Some(address(&format!("0x{digits}")).ok()?.word()),
        None => Some(named_object(word(system_account(1)), denom.as_str())),
    }
}

fn is_l1(view: &LightView<'_>) -> bool {
    view.chain_id.as_str() == view.shared.router().world().rollup().l1_chain_id
}

fn prefix(view: &LightView<'_>) -> String {
    let chain = view.shared.router().world().chain(&view.chain_id);
    chain.map(|chain| chain.bech32_prefix.clone()).unwrap_or_default()
}

fn check_address(view: &LightView<'_>, address: &str) -> Result<(), RestRefusal> {
    let is_it = bech32::decode(address).is_ok_and(|(found, _)| found.as_str() == prefix(view));
    let refusal = || RestRefusal::invalid(format!("invalid address: decoding bech32 failed: {address}"));
    is_it.then_some(()).ok_or_else(refusal)
}

fn coin(denom: &Denom, amount: Amount) -> Value {
    json!({ "denom": denom, "amount": amount.to_string() })
}

fn found(view: &LightView<'_>, address: &str) -> RestAnswer {
    check_address(view, address)?;
    let account = view.look(|chain| chain.account(address)).flatten();
    let account = account.ok_or_else(|| RestRefusal::not_found(format!("account {address} not found")))?;
    let key = account.key.and_then(|key| match key {
        PublicKey::Secp256k1(key) => Some((PublicKey::SECP256K1, key)),
        PublicKey::EthSecp256k1(key) => Some((PublicKey::ETH_SECP256K1, key)),
        _ => None,
    });
    Ok(account_json(address, key, account.number, account.sequence))
}

fn node_info(view: &LightView<'_>) -> Value {
    let names = if is_l1(view) { ["initia", "initiad"] } else { ["demo", "demo"] };
    described(view.chain_id.as_str(), &view.node_id(), "demo", names)
}

fn simulate(view: &LightView<'_>, request: &NodeRequest) -> RestAnswer {
    let raw = tx_to_simulate(request)?;
    let tried = view.shared.calling(|call| view.shared.router().try_on_light(&view.chain_id, &raw, call));
    let (posted, light) = tried.map_err(|refusal| RestRefusal::tried(&refusal))?;
    Ok(simulated(gas_of(&posted), &PostedInBlock { posted, light }.events()))
}

fn tx(view: &LightView<'_>, text: &str) -> RestAnswer {
    let hash: Option<TxHash> = text.parse().ok();
    let found = hash.and_then(|hash| view.tx(&hash));
    let found = found.ok_or_else(|| RestRefusal::not_found(format!("tx not found: {text}")))?;
    Ok(answer_of(&found))
}

/// Answers a search by `message.sender`, the only event that the simulation indexes.
fn txs_of_sender(view: &LightView<'_>, request: &NodeRequest) -> RestAnswer {
    let query = request.query.first("query").unwrap_or_default();
    let sender = query.strip_prefix("message.sender='").and_then(|rest| rest.strip_suffix('\''));
    let sender = sender.ok_or_else(|| RestRefusal::invalid("this simulated chain searches by message.sender only"))?;
    let mut found = view.posted_by(sender);
    if request.query.first("order_by") == Some("ORDER_BY_DESC") {
        found.reverse();
    }
    let total = found.len().to_string();
    found.truncate(PageAsked::read(&request.query)?.limit);
    let (txs, tx_responses): (Vec<Value>, Vec<Value>) = found
        .iter()
        .map(|found| {
            let mut answer = answer_of(found);
            let mut take = |name: &str| answer.get_mut(name).map(Value::take).unwrap_or_default();
            (take("tx"), take("tx_response"))
        })
        .unzip();
    Ok(json!({ "txs": txs, "tx_responses": tx_responses, "pagination": null, "total": total }))
}

/// Writes a transaction and its result.
fn answer_of(found: &PostedInBlock) -> Value {
    let tx: Value = serde_json::from_str(found.posted.json()).unwrap_or_default();
    let typed = typed("/cosmos.tx.v1beta1.Tx", tx.clone());
    json!({
        "tx": tx,
        "tx_response": {
            "height": found.light.height.to_string(),
            "txhash": found.light.tx_hash,
            "codespace": found.codespace(),
            "code": found.code(),
            "data": "",
            "raw_log": found.log(),
            "logs": [],
            "info": "",
            "gas_wanted": found.posted.gas().to_string(),
            "gas_used": found.gas_used().to_string(),
            "tx": typed,
            "timestamp": found.light.at.cut_to_seconds().to_string(),
            "events": found.events(),
        },
    })
}
