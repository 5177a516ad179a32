use alloy_primitives::hex;

use super::{
    inner,
    run::{CallPhrase, EvmCall, EvmRun, list},
};
use crate::{
    domain::{Address, Amount},
    story::{AbiValue, Argument, Phrase, sentence::verb},
};

/// Calls within a call that are told of one by one.
const MOST_TOLD: usize = 5;

/// Calls that hold calls: multicalls, a Safe's transactions, bundles of operations, payments to many.
pub(super) fn render(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let own = |data: &AbiValue| Some((call.to?, data.bytes()?.to_vec(), Amount::ZERO));
    let field = |item: &AbiValue, place: usize| item.fields().get(place).map(|field| field.value.clone());
    let elsewhere = |item: &AbiValue, data: usize| {
        Some((field(item, 0)?.address()?, field(item, data)?.bytes()?.to_vec(), Amount::ZERO))
    };
    let items = |place: usize| call.reading.value(place).map_or(&[][..], AbiValue::items).iter();
    match signature {
        "multicall(bytes[])" => Some(several(run, call, call.caller, items(0).filter_map(own))),
        "multicall(uint256,bytes[])" | "multicall(bytes32,bytes[])" => {
            Some(several(run, call, call.caller, items(1).filter_map(own)))
        }
        "multicall(address[],bytes[])" => {
            let calls = items(0).zip(items(1));
            let calls = calls.filter_map(|(to, data)| Some((to.address()?, data.bytes()?.to_vec(), Amount::ZERO)));
            Some(several(run, call, call.to, calls))
        }
        "aggregate((address,bytes)[])" => {
            Some(several(run, call, call.to, items(0).filter_map(|item| elsewhere(item, 1))))
        }
        "tryAggregate(bool,(address,bytes)[])" => {
            Some(several(run, call, call.to, items(1).filter_map(|item| elsewhere(item, 1))))
        }
        "aggregate3((address,bool,bytes)[])" => {
            Some(several(run, call, call.to, items(0).filter_map(|item| elsewhere(item, 2))))
        }
        "aggregate3Value((address,bool,uint256,bytes)[])" => {
            let with_value = |item: &AbiValue| {
                let (to, data, _) = elsewhere(item, 3)?;
                Some((to, data, field(item, 2)?.number()?))
            };
            Some(several(run, call, call.to, items(0).filter_map(with_value)))
        }
        name if name.starts_with("execTransaction(") => safe(run, call),
        name if name.starts_with("handleOps(") => operations(run, call),
        "disperseEther(address[],uint256[])" => {
            let words = run.words().then(run.value(call)).text(format!(" to {} accounts", items(0).len()));
            Some(CallPhrase::new(verb::SEND, words).with_value())
        }
        "disperseToken(address,address[],uint256[])" => {
            let gave = run.flows(call.caller?).gave;
            let words =
                if gave.is_empty() { run.words().word(run.token(call.address(0)?)) } else { list(run.words(), &gave) };
            Some(CallPhrase::new(verb::SEND, words.text(format!(" to {} accounts", items(1).len()))))
        }
        _ => None,
    }
}

/// A call within: its target, its input and its value.
type Within = (Address, Vec<u8>, Amount);

fn several(
    run: &EvmRun<'_, '_>,
    call: &EvmCall,
    caller: Option<Address>,
    within: impl Iterator<Item = Within>,
) -> CallPhrase {
    let all: Vec<Within> = within.collect();
    let loud: Vec<&Within> = all.iter().filter(|(_, data, _)| !is_quiet(data)).collect();
    let message = if loud.is_empty() { all.iter().collect() } else { loud };
    if let [only] = message.as_slice()
        && caller == call.caller
        && run.context.work.takes_nested(call.depth + 1)
    {
        // It acts for the caller as if it had been called alone, with the whole value.
        let child = EvmCall { is_outer: call.is_outer, ..child(run, call, caller, (only.0, &only.1, call.value)) };
        return super::call_phrase(run, &child).with_value();
    }
    let mut words = run.words().text(match all.len() {
        1 => "1 call on ".to_owned(),
        count => format!("{count} calls on "),
    });
    words = words.word(run.target(call));
    let mut left = message.len();
    for (place, (to, data, value)) in message.iter().take(MOST_TOLD).enumerate() {
        if !run.context.work.takes_nested(call.depth + 1) {
            break;
        }
        let child = child(run, call, caller, (*to, data, *value));
        let phrase = super::call_phrase(run, &child);
        words = words.text(if place == 0 { ": " } else { "; " }).then(inner(run, phrase));
        left -= 1;
    }
    if left > 0 && left < message.len() {
        words = words.text(format!("; and {left} more"));
    }
    CallPhrase::new(verb::MAKE, words)
}

/// What routers append to hand back a rest.
fn is_quiet(data: &[u8]) -> bool {
    const REFUND: [u8; 4] = [0x12, 0x21, 0x0e, 0x8a];
    const UNWRAP: [u8; 4] = [0x49, 0x40, 0x4b, 0x7c];
    const SWEEP: [u8; 4] = [0xdf, 0x2a, 0xb5, 0xbb];
    data.first_chunk::<4>().is_some_and(|selector| [REFUND, UNWRAP, SWEEP].contains(selector))
}

fn child(
    run: &EvmRun<'_, '_>,
    call: &EvmCall,
    caller: Option<Address>,
    (to, data, value): (Address, &[u8], Amount),
) -> EvmCall {
    let reading = run.context.glossary.abi.decode_call(Some(to), &hex::encode(data));
    let to_text = call.to_text.clone();
    EvmCall { caller, to: Some(to), to_text, reading, value, depth: call.depth + 1, is_outer: false }
}

/// A Safe's transaction: its owners have it call something.
fn safe(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<CallPhrase> {
    let (to, value) = (call.address(0)?, call.number(1)?);
    let data = call.reading.value(2)?.bytes()?;
    let words = run.words().text("the Safe ").word(run.target(call)).text(" act: ");
    if !run.context.work.takes_nested(call.depth + 1) {
        return None;
    }
    let child = child(run, call, call.to, (to, data, value));
    let phrase = if data.is_empty() { super::value_only(run, &child) } else { super::call_phrase(run, &child) };
    Some(CallPhrase::new(verb::HAVE, words.then(inner(run, phrase))))
}

/// Operations of smart accounts (ERC-4337), some of which may have failed by themselves.
fn operations(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<CallPhrase> {
    let operations = call.reading.value(0)?.items();
    let failed: Vec<usize> = run
        .readings("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)")
        .filter(|(_, _, reading)| reading.value(4) == Some(&AbiValue::Bool(false)))
        .map(|(event, ..)| event)
        .collect();
    let sender = |operation: &AbiValue| operation.fields().first().and_then(|Argument { value, .. }| value.address());
    let words = match operations {
        [only] => run.words().text("an operation of the smart account ").word(run.context.contract(sender(only)?)),
        many => run.words().text(format!("{} operations of smart accounts", many.len())),
    };
    let words: Vec<Phrase> = match failed.len() {
        0 => words.done(),
        count => words.text(format!(" ({count} failed)")).by(failed).done(),
    };
    Some(CallPhrase::new(verb::RUN, run.words().then(words)))
}
