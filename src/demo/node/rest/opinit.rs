//! Queries about the rollup's OPinit bridge and its sequencers.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::{
    super::{NodeRequest, paging::PageAsked, view::NodeView},
    RestAnswer, RestRefusal,
};
use crate::{
    demo::{chain::Sequencer, ledger::TokenOrigin, settlement::BridgeTerms},
    domain::Address,
};

pub(super) fn answer(view: &NodeView<'_>, request: &NodeRequest, path: &[&str]) -> RestAnswer {
    match path {
        _ if request.is_post => Err(RestRefusal::not_implemented()),
        ["params"] => Ok(params(view)),
        ["bridge_info"] => Ok(bridge_info(view)),
        ["base_denom"] => base_denom(view, request.query.first("denom").unwrap_or_default()),
        ["next_l1_sequence"] => Ok(json!({ "next_l1_sequence": view.state.next_l1_sequence().to_string() })),
        ["validators"] => {
            let page = PageAsked::read(&request.query)?;
            let mut answer = page.cut("validators", view.state.sequencers(), validator);
            if let Some(pagination) = answer.get_mut("pagination").and_then(Value::as_object_mut) {
                pagination.insert("total".to_owned(), view.state.sequencers().len().to_string().into());
            }
            Ok(answer)
        }
        ["validator", operator] => {
            let sequencers = view.state.sequencers();
            let known = sequencers.iter().find(|one| one.operator.bech32_as("initvaloper") == *operator);
            let missing = || RestRefusal::not_found(format!("validator {operator} not found"));
            Ok(json!({ "validator": validator(known.ok_or_else(missing)?) }))
        }
        _ => Err(RestRefusal::not_implemented()),
    }
}

/// Returns the L1 denom of a bridged token.
fn base_denom(view: &NodeView<'_>, denom: &str) -> RestAnswer {
    let token = view.facts().tokens.iter().find(|token| token.denom.as_str() == denom);
    match token.map(|token| token.origin) {
        Some(TokenOrigin::Bridged { l1_denom }) => Ok(json!({ "base_denom": l1_denom })),
        _ => Err(RestRefusal::not_found(format!("base denom not found: {denom}"))),
    }
}

fn validator(sequencer: &Sequencer) -> Value {
    json!({
        "moniker": sequencer.moniker,
        "operator_address": sequencer.operator.bech32_as("initvaloper"),
        "consensus_pubkey": {
            "@type": "/cosmos.crypto.ed25519.PubKey",
            "key": BASE64_STANDARD.encode(sequencer.key),
        },
        "cons_power": if sequencer.is_current { "1" } else { "0" },
    })
}

/// Returns the account with this label in the rollup's facts.
fn account_of(view: &NodeView<'_>, name: &str) -> Option<Address> {
    view.facts().accounts.iter().find(|(_, known)| *known == name).map(|(address, _)| *address)
}

fn params(view: &NodeView<'_>) -> Value {
    let named = |names: &[&str]| -> Vec<String> {
        names.iter().filter_map(|name| account_of(view, name)).map(|address| address.bech32()).collect()
    };
    let price = view.facts().gas_price_milli;
    let amount = format!("{}.{:03}000000000000000", price / 1000, price % 1000);
    let denom = view.facts().tokens.first().map(|token| token.denom.as_str().to_owned());
    json!({ "params": {
        "max_validators": 100,
        "historical_entries": 10_000,
        "min_gas_prices": [{ "denom": denom, "amount": amount }],
        "bridge_executors": named(&["bridge executor"]),
        "admin": named(&["rollup admin"]).pop(),
        "fee_whitelist": named(&["bridge executor", "rollup admin", "relayer", "slow relayer", "oracle bot"]),
        "hook_max_gas": "3000000",
    } })
}

fn bridge_info(view: &NodeView<'_>) -> Value {
    let facts = view.facts();
    let executor = account_of(view, "bridge executor").map(|address| address.bech32());
    json!({ "bridge_info": {
        "bridge_id": facts.bridge_id.to_string(),
        "bridge_addr": facts.bridge_account.bech32(),
        "l1_chain_id": facts.l1_chain_id,
        "l1_client_id": "07-tendermint-0",
        "bridge_config": bridge_config(&view.bridge, executor.as_deref()),
    } })
}

/// Writes the bridge's configuration, which L1 and rollup share.
pub(in crate::demo::node) fn bridge_config(terms: &BridgeTerms, executor: Option<&str>) -> Value {
    json!({
        "challenger": executor,
        "proposer": executor,
        "batch_info": { "submitter": executor, "chain_type": "INITIA" },
        "submission_interval": format!("{}s", terms.interval().as_secs()),
        "finalization_period": format!("{}s", terms.period.as_secs()),
        "submission_start_height": "1",
        "oracle_enabled": true,
        "metadata": null,
    })
}
