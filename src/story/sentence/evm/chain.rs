use serde_json::Value;

use super::run::{CallPhrase, EvmCall, EvmRun};
use crate::{
    domain::{Address, MsgType},
    story::{AbiValue, Phrase, context::MessageRef, sentence::verb},
};

/// The last bytes of the chain's own contracts: `ICosmos`.
const COSMOS: u8 = 0xf1;

/// The chain's own contracts and callbacks, and functions that change nothing.
pub(super) fn render(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let (name, _) = signature.split_once('(')?;
    let is_cosmos = call.to == Some(system(COSMOS));
    let yes = |place: usize| match call.reading.value(place) {
        Some(AbiValue::Bool(value)) => Some(*value),
        _ => None,
    };
    match name {
        "execute_cosmos" | "execute_cosmos_with_options" if is_cosmos => execute(run, call),
        "disable_execute_cosmos" if is_cosmos => {
            Some(CallPhrase::new(verb::SWITCH_OFF, run.words().text("messages of contracts to the chain")))
        }
        "register_erc20" => Some(CallPhrase::new(verb::REGISTER, run.words().text("itself as an ERC-20 token"))),
        "register_erc20_from_factory" => {
            let words = run.words().word(run.context.contract(call.address(0)?)).text(" as an ERC-20 token");
            Some(CallPhrase::new(verb::REGISTER, words))
        }
        "register_erc20_store" => {
            let words = run.words().word(run.who(call.address(0)?)).text(" as a holder of the token");
            Some(CallPhrase::new(verb::REGISTER, words))
        }
        "createERC20" | "createERC20WithSalt" => create_token(run, call),
        "callback" | "ibc_ack" => {
            let what = if name == "callback" { "message" } else { "IBC packet" };
            let end = if yes(1)? { "succeeded" } else { "failed" };
            let words = run.words().word(run.target(call)).text(format!(" that its {what} {} {end}", call.number(0)?));
            Some(CallPhrase::new(verb::TELL, words))
        }
        "ibc_timeout" => {
            let words =
                run.words().word(run.target(call)).text(format!(" that its IBC packet {} expired", call.number(0)?));
            Some(CallPhrase::new(verb::TELL, words))
        }
        "get_price" => {
            let words = run
                .words()
                .text("the price of ")
                .code(call.text(0)?)
                .text(" from ")
                .word(run.target(call))
                .by(run.call_event(call));
            Some(CallPhrase::new(verb::READ, words))
        }
        _ if is_view(name) => {
            let words = run.words().code(name.to_owned()).text(" of ").word(run.target(call)).by(run.call_event(call));
            Some(CallPhrase::new(verb::READ, words.text(", which changes nothing")))
        }
        _ => None,
    }
}

fn system(last: u8) -> Address {
    let mut bytes = [0; 20];
    bytes[19] = last;
    Address::Short(bytes)
}

fn is_view(name: &str) -> bool {
    const VIEWS: [&str; 30] = [
        "allowance",
        "balanceOf",
        "computeERC20Address",
        "convertToAssets",
        "decimals",
        "factory",
        "get_prices",
        "getApproved",
        "isApprovedForAll",
        "is_authority_address",
        "is_blocked_address",
        "is_erc20_store_registered",
        "is_module_address",
        "localTokens",
        "merge_json",
        "metadataSealed",
        "name",
        "owner",
        "ownerOf",
        "query_cosmos",
        "remoteDecimals",
        "remoteTokens",
        "stringify_json",
        "supportsInterface",
        "symbol",
        "to_cosmos_address",
        "to_denom",
        "to_erc20",
        "to_evm_address",
        "tokenURI",
    ];
    VIEWS.contains(&name) || matches!(name, "totalSupply" | "tokenOriginId") || name.starts_with("unmarshal_")
}

/// A message that a contract, or somebody through `ICosmos`, has the chain run.
fn execute(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<CallPhrase> {
    let words = run.words().text("a message of the chain");
    let failed = run
        .context
        .events_of(run.message)
        .find(|(_, event)| event.kind == "submsg" && event.value("success") == Some("false"));
    let note: Vec<Phrase> = match failed {
        Some((place, event)) => {
            let reason = event.value("reason").map(|reason| format!(": {reason}")).unwrap_or_default();
            run.words().text(format!("; it failed by itself{reason}")).by([place]).done()
        }
        None => Vec::new(),
    };
    let fields = match serde_json::from_str(call.text(0)?) {
        Ok(Value::Object(fields)) if run.context.work.takes_nested(call.depth + 1) => fields,
        _ => return Some(CallPhrase::new(verb::RUN, words.text(" that cannot be read").then(note))),
    };
    let kind = MsgType::new(fields.get("@type").and_then(Value::as_str).unwrap_or_default());
    let mut fields = fields;
    fields.shift_remove("@type");
    let child = MessageRef { depth: call.depth + 1, kind: &kind, fields: &fields, ..run.message };
    let clause = crate::story::sentence::clause(run.context, child);
    let mut inner = run.words().text(clause.verb.of(run.context)).done();
    crate::story::sentence::push_rest(&mut inner, clause.rest);
    Some(CallPhrase::new(verb::RUN, words.text(": ").then(inner).then(note)))
}

/// "created token {name} ({symbol}, {n} decimals) at {address}".
fn create_token(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<CallPhrase> {
    let words = run.words().text("token ").code(call.text(0)?).text(" (").code(call.text(1)?);
    let words = words.text(format!(", {} decimals)", call.number(2)?));
    let made = run.readings("ERC20Created(address,address)").next();
    let words = match made.and_then(|(event, _, reading)| Some((event, reading.value(0)?.address()?))) {
        Some((event, token)) => words.text(" at ").word(run.context.contract(token)).by([event]),
        None => words,
    };
    Some(CallPhrase::new(verb::CREATE, words))
}
