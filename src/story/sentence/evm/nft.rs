use alloy_primitives::U256;

use super::run::{CallPhrase, EvmCall, EvmRun, is_nobody};
use crate::{
    domain::Address,
    story::{AbiValue, Phrase, context::PhraseBuilder, sentence::verb},
};

/// Tokens of a batch that are named.
const MOST_NAMED: usize = 5;

/// ERC-721 and ERC-1155.
pub(super) fn render(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let to = call.to?;
    match signature {
        "safeTransferFrom(address,address,uint256)" | "safeTransferFrom(address,address,uint256,bytes)" => {
            let id = call.number(2)?.get();
            Some(transfer(run, to, call.caller?, call.address(0)?, call.address(1)?, id))
        }
        "safeTransferFrom(address,address,uint256,uint256,bytes)" => {
            let what = copies(run, to, &[(call.number(2)?.get(), call.number(3)?.get())]);
            Some(handed_over(run, call.caller?, call.address(0)?, call.address(1)?, what))
        }
        "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)" => {
            let what = copies(run, to, &pairs(call, 2, 3));
            Some(handed_over(run, call.caller?, call.address(0)?, call.address(1)?, what))
        }
        "setApprovalForAll(address,bool)" => approve_all(run, call, to),
        "safeMint(address)"
        | "safeMint(address,uint256)"
        | "safeMint(address,string)"
        | "mint(address)"
        | "mint(uint256)"
        | "mint(address,uint256,string)"
        | "mint(address,uint256,string,string)" => mint(run, call, to),
        "mint(address,uint256,uint256,bytes)" => {
            let words = run.words().then(copies(run, to, &[(call.number(1)?.get(), call.number(2)?.get())]));
            Some(CallPhrase::new(verb::MINT, words.text(" to ").word(run.who(call.address(0)?))))
        }
        _ => None,
    }
}

/// "transferred NFT {id} of {contract} to {to}".
pub(super) fn transfer(
    run: &EvmRun<'_, '_>,
    contract: Address,
    caller: Address,
    from: Address,
    to: Address,
    id: U256,
) -> CallPhrase {
    let seen =
        run.nfts().find(|(_, of, movement, moved)| *of == contract && *moved == id && movement.to.is_same_in_logs(&to));
    let events = seen.map(|(event, ..)| event);
    let what = one(run, contract, id, events);
    handed_over(run, caller, from, to, what.done())
}

/// "NFT {id} of {contract}", by the event that says so.
pub(super) fn one<'w, 'a>(
    run: &EvmRun<'w, 'a>,
    contract: Address,
    id: U256,
    event: Option<usize>,
) -> PhraseBuilder<'w, 'a> {
    let words = run.words().text("NFT ").by(event).code(id.to_string()).by(event);
    words.text(" of ").word(run.context.contract(contract))
}

fn handed_over(run: &EvmRun<'_, '_>, caller: Address, from: Address, to: Address, what: Vec<Phrase>) -> CallPhrase {
    let mut words = run.words().then(what);
    if !from.is_same_in_logs(&caller) {
        words = words.text(" from ").word(run.who(from));
    }
    words = if from.is_same_in_logs(&to) {
        words.text(" to itself (no change)")
    } else {
        words.text(" to ").word(run.who(to))
    };
    CallPhrase::new(verb::TRANSFER, words)
}

/// "allowed … to transfer NFT …", by the event that says so.
pub(super) fn approve(
    run: &EvmRun<'_, '_>,
    contract: Address,
    operator: Address,
    id: U256,
    event: usize,
) -> CallPhrase {
    if is_nobody(operator) {
        let words = run.words().text("every right to transfer ").then(one(run, contract, id, Some(event)).done());
        return CallPhrase::new(verb::TAKE_BACK, words);
    }
    let words = run.words().word(run.who(operator)).by([event]);
    let words = words.text(" to transfer ").then(one(run, contract, id, Some(event)).done());
    CallPhrase::new(verb::ALLOW, words)
}

fn approve_all(run: &EvmRun<'_, '_>, call: &EvmCall, contract: Address) -> Option<CallPhrase> {
    let operator = call.address(0)?;
    let AbiValue::Bool(asked) = call.reading.value(1)? else { return None };
    let log = run.readings("ApprovalForAll(address,address,bool)").find_map(|(event, of, reading)| {
        let AbiValue::Bool(is_allowed) = reading.value(2)? else { return None };
        let is_ours = of == contract && reading.value(1)?.address()?.is_same_in_logs(&operator);
        is_ours.then_some((event, *is_allowed))
    });
    let events = log.map(|(event, _)| event);
    let (operator, contract) = (run.context.contract(operator), run.context.contract(contract));
    Some(if log.map_or(*asked, |(_, is_allowed)| is_allowed) {
        let words = run.words().word(operator).by(events).text(" to transfer all its NFTs of ").word(contract);
        CallPhrase::new(verb::ALLOW, words)
    } else {
        let words = run.words().word(operator).by(events).text("'s right to transfer its NFTs of ").word(contract);
        CallPhrase::new(verb::TAKE_BACK, words)
    })
}

/// "minted NFT {id} of {contract} to {to}".
pub(super) fn minted(run: &EvmRun<'_, '_>, contract: Address, to: Address, id: U256, event: usize) -> CallPhrase {
    let words = one(run, contract, id, Some(event));
    CallPhrase::new(verb::MINT, words.text(" to ").word(run.who(to)))
}

/// A mint whose ids only the logs tell; where they tell of none it is a plain call.
fn mint(run: &EvmRun<'_, '_>, call: &EvmCall, contract: Address) -> Option<CallPhrase> {
    let mut nfts = run.nfts().filter(|(_, of, movement, _)| *of == contract && is_nobody(movement.from));
    let Some((event, _, movement, id)) = nfts.next() else {
        let to = call.address(0).filter(|_| run.context.is_failed())?;
        let what = run.words().text("an NFT of ").word(run.context.contract(contract));
        return Some(CallPhrase::new(verb::MINT, what.text(" to ").word(run.who(to))));
    };
    let more: Vec<usize> = nfts.map(|(event, ..)| event).collect();
    if more.is_empty() {
        return Some(minted(run, contract, movement.to, id, event));
    }
    let words = run.words().text(format!("{} NFTs of ", more.len() + 1)).by(more).by([event]);
    let words = words.word(run.context.contract(contract)).text(" to ").word(run.who(movement.to));
    Some(CallPhrase::new(verb::MINT, words))
}

fn pairs(call: &EvmCall, ids: usize, amounts: usize) -> Vec<(U256, U256)> {
    let numbers = |place| call.reading.value(place).map_or(&[][..], AbiValue::items).iter();
    let number = |value: &AbiValue| value.number().map(crate::domain::Amount::get);
    numbers(ids).zip(numbers(amounts)).filter_map(|(id, amount)| Some((number(id)?, number(amount)?))).collect()
}

/// "3 of NFT 7 and 1 of NFT 8 of {contract}".
fn copies(run: &EvmRun<'_, '_>, contract: Address, tokens: &[(U256, U256)]) -> Vec<Phrase> {
    const EVENTS: [&str; 2] = [
        "TransferSingle(address,address,address,uint256,uint256)",
        "TransferBatch(address,address,address,uint256[],uint256[])",
    ];
    let events: Vec<usize> = EVENTS
        .iter()
        .flat_map(|signature| run.readings(signature))
        .filter(|(_, of, _)| *of == contract)
        .map(|(event, ..)| event)
        .collect();
    let mut text = String::new();
    for (place, (id, amount)) in tokens.iter().take(MOST_NAMED).enumerate() {
        let joint = match place {
            0 => "",
            _ if place + 1 == tokens.len() => " and ",
            _ => ", ",
        };
        text.extend([joint, &amount.to_string(), " of NFT ", &id.to_string()]);
    }
    match tokens.len().checked_sub(MOST_NAMED) {
        Some(more) if more > 0 => text.extend([" and ", &more.to_string(), " more"]),
        _ if tokens.is_empty() => text.push_str("no NFT"),
        _ => {}
    }
    run.words().text(text).by(events).text(" of ").word(run.context.contract(contract)).done()
}
