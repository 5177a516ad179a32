use alloy_primitives::hex;

use super::{
    hold, known,
    plain::{called, inner, named, value_only},
    run::{CallPhrase, EvmCall, EvmRun},
    trade,
};
use crate::{
    domain::{Address, Amount, ContractRole},
    story::{
        abi::{AbiValue, Argument},
        context::proof::Proof,
        words::{builder::PhraseBuilder, phrase::Phrase, sentence::verb},
    },
};

/// Maximum nested calls described one by one.
const MOST_TOLD: usize = 5;

/// Describes calls that contain calls: multicalls, transactions of a Safe, bundles of operations. Each nested call has
/// its own evidence.
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
        _ => None,
    }
}

/// Whether a call contains calls.
pub(super) fn is_bundle(signature: &str) -> bool {
    const NAMES: [&str; 7] =
        ["multicall", "aggregate", "aggregate3", "aggregate3Value", "tryAggregate", "execTransaction", "handleOps"];
    signature.split('(').next().is_some_and(|name| NAMES.contains(&name))
}

/// Nested call: target, input and value.
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
        // It acts for the caller like a direct call, with the whole value.
        let child = EvmCall { is_outer: call.is_outer, ..child(run, call, caller, (only.0, &only.1, call.value)) };
        let phrase = known(run, &child);
        if let Some(phrase) = phrase.filter(|phrase| run.context.is_failed() || phrase.proof > Proof::Absent) {
            return phrase.with_value();
        }
    }
    let is_known = call.to.and_then(|to| run.context.glossary.role(to)) == Some(ContractRole::Multicall);
    let (verb, words) = if is_known {
        let count = if all.len() == 1 { "1 call on ".to_owned() } else { format!("{} calls on ", all.len()) };
        (verb::MAKE, run.words().text(count))
    } else {
        (verb::CALL, named(run, call).text(" on "))
    };
    let words = words.word(run.target(call)).by(run.call_event(call));
    let children = message.iter().map(|(to, data, value)| child(run, call, caller, (*to, data, *value)));
    let children: Vec<EvmCall> = children.collect();
    let (told, proof) = each(run, &children);
    CallPhrase::new(verb, words.then(told), if message.is_empty() { Proof::Ran } else { proof })
}

/// Describes ": {effect of each call}" with the evidence. Calls whose effect only shows in the whole run are described
/// together.
fn each(run: &EvmRun<'_, '_>, children: &[EvmCall]) -> (Vec<Phrase>, Proof) {
    let by_flows = |child: &EvmCall| {
        let signature = child.reading.signature.as_deref().unwrap_or_default();
        trade::is_by_flows(signature) || hold::is_by_flows(signature)
    };
    let is_mixed = children.len() > 1 && children.iter().filter(|child| by_flows(child)).count() > 1;
    let caller = children.first().and_then(|child| child.caller);
    let mut words = run.words();
    let mut proof = Proof::Shown;
    let mut left = children.len();
    for (place, child) in children.iter().enumerate().take(MOST_TOLD) {
        if !run.context.work.takes_nested(child.depth) {
            break;
        }
        words = words.text(if place == 0 { ": " } else { "; " });
        let known = if is_mixed && by_flows(child) { None } else { known_or_sent(run, child) };
        let known = known.filter(|phrase| !run.context.is_failed() || phrase.verb != verb::CALL);
        words = if let Some(phrase) = known {
            proof = proof.min(phrase.proof.max(Proof::Ran));
            words.then(inner(run, phrase))
        } else {
            proof = Proof::Ran;
            words.text("asked for ").then(named(run, child).done()).text(" on ").word(run.target(child))
        };
        left -= 1;
    }
    if left > 0 && left < children.len() {
        proof = Proof::Ran;
        words = words.text(format!("; and {left} more"));
    }
    if let Some(caller) = caller.filter(|_| is_mixed && !run.context.is_failed()) {
        words = together(run, words, caller);
    }
    (words.done(), proof)
}

/// Describes a nested call, including one without input.
fn known_or_sent(run: &EvmRun<'_, '_>, child: &EvmCall) -> Option<CallPhrase> {
    if child.reading.selector.is_none() && !child.value.is_zero() {
        return Some(value_only(run, child));
    }
    known(run, child)
}

/// Describes "; together {account} gave … and got …".
fn together<'w, 'a>(run: &EvmRun<'w, 'a>, words: PhraseBuilder<'w, 'a>, account: Address) -> PhraseBuilder<'w, 'a> {
    let flows = run.flows(account);
    let sides = [("gave ", &flows.gave), ("got ", &flows.got)];
    let told: Vec<_> = sides.into_iter().filter(|(_, flows)| !flows.is_empty()).collect();
    if told.is_empty() {
        return words;
    }
    run.rests_on(&[&flows.gave, &flows.got]);
    let mut words = words.text("; together ").word(run.who(account));
    for (place, (verb, flows)) in told.into_iter().enumerate() {
        words = words.text(if place == 0 { " " } else { " and " }).text(verb).then(run.list(flows));
    }
    words
}

/// Whether the call is a router's refund of the remainder.
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

/// Describes a Safe's transaction, which its owners signed. Without a known Safe's address only the call is certain.
fn safe(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<CallPhrase> {
    let (to, value) = (call.address(0)?, call.number(1)?);
    let data = call.reading.value(2)?.bytes()?;
    if !run.context.work.takes_nested(call.depth + 1) {
        return None;
    }
    let (told, proof) = each(run, &[child(run, call, call.to, (to, data, value))]);
    let is_safe = call.to.and_then(|to| run.context.glossary.role(to)) == Some(ContractRole::Safe);
    Some(if is_safe {
        let words = run.words().text("the Safe ").word(run.target(call)).text(" act").then(told);
        CallPhrase::new(verb::HAVE, words, proof)
    } else {
        CallPhrase::new(verb::CALL, called(run, call).then(told), proof)
    })
}

/// Describes operations of smart accounts (ERC-4337) by the entry point's logs; some may have failed.
fn operations(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<CallPhrase> {
    const RAN: &str = "UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)";
    call.to.filter(|to| run.context.glossary.role(*to) == Some(ContractRole::EntryPoint))?;
    let asked = call.reading.value(0)?.items();
    let sender = |operation: &AbiValue| operation.fields().first().and_then(|Argument { value, .. }| value.address());
    let all = run.readings(RAN).filter(|(seen, _)| Some(seen.contract) == call.to).take(asked.len());
    let all: Vec<_> = all.collect();
    for (seen, _) in &all {
        run.take(seen);
    }
    let failed = all.iter().filter(|(_, reading)| reading.value(4) == Some(&AbiValue::Bool(false))).count();
    let events: Vec<usize> = all.iter().map(|(seen, _)| seen.event).collect();
    let ran = if run.context.is_failed() { asked.len() } else { events.len() };
    let proof = if ran == asked.len() { Proof::by(&events) } else { Proof::Absent };
    let by = events.into_iter().take(1);
    let words = match asked {
        [only] => {
            // The log names the sender; the call only claims it.
            let shown = all.first().and_then(|(_, reading)| reading.value(1)?.address());
            let sender = shown.or_else(|| sender(only))?;
            run.words().text("an operation of the smart account ").word(run.context.contract(sender)).by(by)
        }
        many => run.words().text(format!("{} operations of smart accounts", many.len())).by(by),
    };
    let words = if failed > 0 { words.text(format!(" ({failed} failed)")) } else { words };
    Some(CallPhrase::new(verb::RUN, words, proof))
}
