//! Queries about balances, supply and denom metadata.

use serde_json::{Value, json};

use super::{
    super::{NodeRequest, paging::PageAsked, view::NodeView},
    RestAnswer, RestRefusal,
};
use crate::{
    demo::ledger::{FungibleToken, RollupToken, TokenOrigin},
    domain::{Address, Amount, Denom, Vm},
};

pub(super) fn answer(view: &NodeView<'_>, request: &NodeRequest, path: &[&str]) -> RestAnswer {
    let asked_denom = || request.query.first("denom").unwrap_or_default();
    match path {
        _ if request.is_post => Err(RestRefusal::not_implemented()),
        ["balances" | "spendable_balances", account] => balances(view, request, account),
        ["balances", account, "by_denom"] => {
            let account = read_account(account)?;
            let denom = Denom::new(asked_denom());
            Ok(json!({ "balance": coin(&denom, view.balance(&account, &denom)) }))
        }
        ["supply"] => supply(view, request),
        ["supply", "by_denom"] => {
            let denom = Denom::new(asked_denom());
            let supply = view.chain.tokens().into_iter().find(|token| token.denom == denom);
            Ok(json!({ "amount": coin(&denom, supply.map_or(Amount::ZERO, |token| token.supply)) }))
        }
        ["denoms_metadata"] => {
            let tokens = &view.facts().tokens;
            Ok(PageAsked::read(&request.query)?
                .cut("metadatas", tokens.iter().collect(), |token| metadata(view, token)))
        }
        ["denoms_metadata_by_query_string"] => one_metadata(view, asked_denom()),
        ["denoms_metadata", rest @ ..] => one_metadata(view, &rest.join("/")),
        ["params"] => Ok(json!({ "params": { "send_enabled": [], "default_send_enabled": true } })),
        _ => Err(RestRefusal::not_implemented()),
    }
}

pub(super) fn read_account(text: &str) -> Result<Address, RestRefusal> {
    let address = text.starts_with("init1").then(|| NodeView::address(text)).flatten();
    address.ok_or_else(|| RestRefusal::invalid(format!("invalid address: decoding bech32 failed: {text}")))
}

fn coin(denom: &Denom, amount: Amount) -> Value {
    json!({ "denom": denom.as_str(), "amount": amount.to_string() })
}

/// Returns the tokens in the order of the bank.
fn sorted(view: &NodeView<'_>) -> Vec<FungibleToken> {
    let mut tokens = view.chain.tokens();
    tokens.sort_by(|one, other| one.denom.as_str().cmp(other.denom.as_str()));
    tokens
}

fn balances(view: &NodeView<'_>, request: &NodeRequest, account: &str) -> RestAnswer {
    let account = read_account(account)?;
    let held = |token: FungibleToken| {
        let amount = view.balance(&account, &token.denom);
        (!amount.is_zero()).then_some((token.denom, amount))
    };
    let held = sorted(view).into_iter().filter_map(held).collect();
    Ok(PageAsked::read(&request.query)?.cut("balances", held, |(denom, amount)| coin(denom, *amount)))
}

fn supply(view: &NodeView<'_>, request: &NodeRequest) -> RestAnswer {
    let supplied = sorted(view).into_iter().filter(|token| !token.supply.is_zero()).collect();
    Ok(PageAsked::read(&request.query)?
        .cut("supply", supplied, |token: &FungibleToken| coin(&token.denom, token.supply)))
}

fn one_metadata(view: &NodeView<'_>, denom: &str) -> RestAnswer {
    let token = view.facts().tokens.iter().find(|token| token.denom.as_str() == denom);
    let missing = || RestRefusal::not_found(format!("client metadata for denom {denom}"));
    Ok(json!({ "metadata": metadata(view, token.ok_or_else(missing)?) }))
}

/// Writes the bank's metadata of a token. Modules name a bridged token and a voucher by their origin, `MiniEVM` by the
/// denom itself; neither tells symbol or decimals.
fn metadata(view: &NodeView<'_>, token: &RollupToken) -> Value {
    let denom = token.denom.as_str();
    let is_evm = view.vm() == Vm::Evm;
    let derived = |origin: String| if is_evm { denom.to_owned() } else { origin };
    let (description, name, display, symbol) = match token.origin {
        TokenOrigin::Native => {
            let display = if token.decimals == 0 { denom } else { token.symbol };
            (String::new(), token.symbol.to_owned(), display.to_owned(), token.symbol.to_owned())
        }
        TokenOrigin::Bridged { l1_denom } => {
            let name = derived(l1_denom.to_owned());
            (format!("OPinit token of {l1_denom}"), format!("{l1_denom} OPinit token"), name.clone(), name)
        }
        TokenOrigin::Voucher { channel, base } => {
            let path = format!("transfer/{channel}/{base}");
            let (about, name) = (format!("IBC token from {path}"), format!("{path} IBC token"));
            (about, name, derived(path), derived(base.to_uppercase()))
        }
    };
    let unit = |denom: &str, exponent: u8| json!({ "denom": denom, "exponent": exponent, "aliases": [] });
    let units = match token.origin {
        TokenOrigin::Native if token.decimals > 0 => vec![unit(denom, 0), unit(token.symbol, token.decimals)],
        _ => vec![unit(&display, 0)],
    };
    json!({
        "description": description,
        "denom_units": units,
        "base": denom,
        "display": display,
        "name": name,
        "symbol": symbol,
        "uri": "",
        "uri_hash": "",
    })
}
