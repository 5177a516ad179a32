use alloy_primitives::U256;

use super::run::{CallPhrase, EvmCall, EvmRun, is_nobody};
use crate::{
    domain::Address,
    events::evm::LoggedMove,
    story::{
        abi::{AbiReading, AbiValue},
        context::{evm_logs::SeenLog, proof::Proof},
        words::{builder::PhraseBuilder, phrase::Phrase, sentence::verb},
    },
};

/// Maximum tokens of a batch named.
const MOST_NAMED: usize = 5;

const SINGLE: &str = "TransferSingle(address,address,address,uint256,uint256)";
const BATCH: &str = "TransferBatch(address,address,address,uint256[],uint256[])";

type Copies = Vec<(U256, U256)>;

/// Describes calls of ERC-721 and ERC-1155.
pub(super) fn render(run: &EvmRun<'_, '_>, call: &EvmCall, signature: &str) -> Option<CallPhrase> {
    let to = call.to?;
    match signature {
        "safeTransferFrom(address,address,uint256)" | "safeTransferFrom(address,address,uint256,bytes)" => {
            let id = call.number(2)?.get();
            Some(transfer(run, to, call.caller?, [call.address(0)?, call.address(1)?], id))
        }
        "safeTransferFrom(address,address,uint256,uint256,bytes)" => {
            items(run, call, to, &[(call.number(2)?.get(), call.number(3)?.get())])
        }
        "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)" => items(run, call, to, &pairs(call, 2, 3)),
        "setApprovalForAll(address,bool)" => approve_all(run, call, to),
        "safeMint(address)"
        | "safeMint(address,uint256)"
        | "safeMint(address,string)"
        | "mint(address)"
        | "mint(uint256)"
        | "mint(address,uint256,string)"
        | "mint(address,uint256,string,string)" => Some(mint(run, call, to)),
        "mint(address,uint256,uint256,bytes)" => {
            let asked = vec![(call.number(1)?.get(), call.number(2)?.get())];
            let seen = item_log(run, to, |from, _| is_nobody(from));
            let (what, proof, receiver) = match &seen {
                Some((seen, [_, to], items)) => {
                    (copies(run, seen.contract, items, Some(seen.event)), run.standing(seen.contract), *to)
                }
                None => (copies(run, to, &asked, None), Proof::Absent, call.address(0)?),
            };
            let words = run.words().then(what).text(" to ").word(run.who(receiver));
            Some(CallPhrase::moving(verb::MINT, words, proof))
        }
        _ => None,
    }
}

/// Describes "transferred NFT {id} of {contract} to {to}", with sender and recipient by the log.
pub(super) fn transfer(
    run: &EvmRun<'_, '_>,
    contract: Address,
    caller: Address,
    asked: [Address; 2],
    id: U256,
) -> CallPhrase {
    let seen = run.nfts().find(|(seen, _, moved)| seen.contract == contract && *moved == id);
    let Some((seen, LoggedMove { from, to, .. }, _)) = seen else {
        let what = one(run, contract, id, None).done();
        return handed_over(run, caller, asked, what, Proof::Absent);
    };
    run.take(seen);
    let what = one(run, contract, id, Some(seen.event)).done();
    if is_nobody(from) {
        return minted_as(run, to, what, run.standing(contract));
    }
    handed_over(run, caller, [from, to], what, run.standing(contract))
}

/// Describes "NFT {id} of {contract}" with its event.
pub(super) fn one<'w, 'a>(
    run: &EvmRun<'w, 'a>,
    contract: Address,
    id: U256,
    event: Option<usize>,
) -> PhraseBuilder<'w, 'a> {
    let words = run.words().text("NFT ").by(event).code(id.to_string()).by(event);
    run.collection(words.text(" of "), contract)
}

fn handed_over(
    run: &EvmRun<'_, '_>,
    caller: Address,
    [from, to]: [Address; 2],
    what: Vec<Phrase>,
    proof: Proof,
) -> CallPhrase {
    let mut words = run.words().then(what);
    if !from.is_same_in_logs(&caller) {
        words = words.text(" from ").word(run.who(from));
    }
    words = if from.is_same_in_logs(&to) {
        words.text(" to itself (no change)")
    } else {
        words.text(" to ").word(run.who(to))
    };
    CallPhrase::moving(verb::TRANSFER, words, proof)
}

/// Describes "allowed … to transfer NFT …" by its log.
pub(super) fn approve(
    run: &EvmRun<'_, '_>,
    contract: Address,
    operator: Address,
    id: U256,
    seen: &SeenLog,
) -> CallPhrase {
    let nft = one(run, contract, id, Some(seen.event)).done();
    if is_nobody(operator) {
        let words = run.words().text("the approval of ").then(nft);
        return CallPhrase::new(verb::REVOKE, words, run.standing(contract));
    }
    let words = run.words().word(run.who(operator)).by([seen.event]).text(" to transfer ").then(nft);
    CallPhrase::new(verb::ALLOW, words, run.standing(contract))
}

fn approve_all(run: &EvmRun<'_, '_>, call: &EvmCall, contract: Address) -> Option<CallPhrase> {
    let operator = call.address(0)?;
    let AbiValue::Bool(asked) = call.reading.value(1)? else { return None };
    let is_ours = |reading: &AbiReading| {
        let operated = reading.value(1).and_then(AbiValue::address);
        let owner = reading.value(0).and_then(AbiValue::address);
        operated.is_some_and(|address| address.is_same_in_logs(&operator))
            && owner.zip(call.caller).is_some_and(|(owner, caller)| owner.is_same_in_logs(&caller))
    };
    let log = run.log_of(Some(contract), "ApprovalForAll(address,address,bool)", is_ours);
    let event = log.as_ref().map(|(seen, _)| seen.event);
    let proof = if event.is_some() { run.standing(contract) } else { Proof::Absent };
    let is_allowed = match log.as_ref().and_then(|(_, reading)| reading.value(2)) {
        Some(AbiValue::Bool(is_allowed)) => *is_allowed,
        _ => *asked,
    };
    let words = run.words().word(run.context.contract(operator)).by(event);
    let (verb, words) = if is_allowed {
        (verb::ALLOW, words.text(" to transfer all its NFTs of "))
    } else {
        (verb::REVOKE, words.text("'s approval for all its NFTs of "))
    };
    Some(CallPhrase::new(verb, run.collection(words, contract), proof))
}

/// Describes "minted NFT {id} of {contract} to {to}" by its log.
pub(super) fn minted(run: &EvmRun<'_, '_>, seen: &SeenLog, to: Address, id: U256) -> CallPhrase {
    run.take(seen);
    let what = one(run, seen.contract, id, Some(seen.event)).done();
    minted_as(run, to, what, run.standing(seen.contract))
}

fn minted_as(run: &EvmRun<'_, '_>, to: Address, what: Vec<Phrase>, proof: Proof) -> CallPhrase {
    CallPhrase::moving(verb::MINT, run.words().then(what).text(" to ").word(run.who(to)), proof)
}

/// Describes a mint whose ids only the logs have.
fn mint(run: &EvmRun<'_, '_>, call: &EvmCall, contract: Address) -> CallPhrase {
    let is_mint =
        |(seen, movement, _): &(&SeenLog, LoggedMove, U256)| seen.contract == contract && is_nobody(movement.from);
    let nfts: Vec<_> = run.nfts().filter(is_mint).collect();
    match nfts.as_slice() {
        [] => {
            let what = run.collection(run.words().text("an NFT of "), contract);
            let words = match call.address(0).or(call.caller) {
                Some(to) => what.text(" to ").word(run.who(to)),
                None => what,
            };
            CallPhrase::moving(verb::MINT, words, Proof::Absent)
        }
        [(seen, movement, id)] => minted(run, seen, movement.to, *id),
        [(_, first, _), ..] => {
            let is_one_receiver = nfts.iter().all(|(_, movement, _)| movement.to == first.to);
            for (seen, ..) in &nfts {
                run.take(seen);
            }
            let words = several(run, contract, &nfts);
            let words = if is_one_receiver { words.text(" to ").word(run.who(first.to)) } else { words };
            CallPhrase::moving(verb::MINT, words, run.standing(contract))
        }
    }
}

/// Describes "20 NFTs of {contract}".
fn several<'w, 'a>(
    run: &EvmRun<'w, 'a>,
    contract: Address,
    nfts: &[(&SeenLog, LoggedMove, U256)],
) -> PhraseBuilder<'w, 'a> {
    let mut events: Vec<usize> = nfts.iter().map(|(seen, ..)| seen.event).collect();
    events.dedup();
    run.collection(run.words().text(format!("{} NFTs of ", nfts.len())).by(events), contract)
}

/// Describes the logged NFT movements in a call of an unknown function: "20 NFTs of {contract} were minted to {to}".
pub(super) fn batch(run: &EvmRun<'_, '_>, call: &EvmCall) -> Option<(Vec<Phrase>, Proof)> {
    let contract = call.to.filter(|_| !run.context.is_failed())?;
    let logs = item_logs(run, contract, |_, _| true);
    if let Some((_, [from, to], _)) = logs.first() {
        if !logs.iter().all(|(_, sides, _)| sides == &[*from, *to]) {
            return None;
        }
        for (seen, ..) in &logs {
            run.take(seen);
        }
        let items: Copies = logs.iter().flat_map(|(.., items)| items.iter().copied()).collect();
        let what = copies(run, contract, &items, logs.iter().map(|(seen, ..)| seen.event));
        return Some((
            went(run, what, *from, *to, matches!(items.as_slice(), [(_, U256::ONE)])),
            run.standing(contract),
        ));
    }
    let nfts: Vec<_> = run.nfts().filter(|(seen, ..)| seen.contract == contract).collect();
    let (_, first, id) = *nfts.first()?;
    let is_alike = |other: &LoggedMove| other.from == first.from && other.to == first.to;
    if !nfts.iter().all(|(_, movement, _)| is_alike(movement)) {
        return None;
    }
    for (seen, ..) in &nfts {
        run.take(seen);
    }
    let what = match nfts.as_slice() {
        [(seen, ..)] => one(run, contract, id, Some(seen.event)).done(),
        many => several(run, contract, many).done(),
    };
    Some((went(run, what, first.from, first.to, nfts.len() == 1), run.standing(contract)))
}

/// Describes "{what} were minted to {to}".
fn went(run: &EvmRun<'_, '_>, what: Vec<Phrase>, from: Address, to: Address, is_one: bool) -> Vec<Phrase> {
    let words = run.words().then(what).text(if is_one { " was " } else { " were " });
    let words = match (is_nobody(from), is_nobody(to)) {
        (true, _) => words.text("minted to ").word(run.who(to)),
        (false, true) => words.text("burned by ").word(run.who(from)),
        (false, false) => words.text("moved from ").word(run.who(from)).text(" to ").word(run.who(to)),
    };
    words.done()
}

/// ERC-1155 log: sender and recipient, and what moved.
type ItemLog<'s> = (&'s SeenLog, [Address; 2], Copies);

/// Claims the first matching ERC-1155 log of a contract.
fn item_log<'s>(
    run: &EvmRun<'s, '_>,
    contract: Address,
    fits: impl Fn(Address, Address) -> bool,
) -> Option<ItemLog<'s>> {
    let found = item_logs(run, contract, fits).into_iter().next()?;
    run.take(found.0);
    Some(found)
}

/// Returns the matching ERC-1155 logs of a contract.
fn item_logs<'s>(run: &EvmRun<'s, '_>, contract: Address, fits: impl Fn(Address, Address) -> bool) -> Vec<ItemLog<'s>> {
    let number = |value: &AbiValue| value.number().map(crate::domain::Amount::get);
    let logs = [SINGLE, BATCH].into_iter().flat_map(|signature| run.readings(signature));
    let logs = logs.filter_map(|(seen, reading)| {
        let (from, to) = (reading.value(1)?.address()?, reading.value(2)?.address()?);
        let (ids, counts) = (reading.value(3)?, reading.value(4)?);
        let items: Copies = match (number(ids), number(counts)) {
            (Some(id), Some(count)) => vec![(id, count)],
            _ if ids.items().len() == counts.items().len() => {
                let pairs = ids.items().iter().zip(counts.items());
                pairs.map(|(id, count)| Some((number(id)?, number(count)?))).collect::<Option<_>>()?
            }
            _ => return None,
        };
        (seen.contract == contract && fits(from, to)).then_some((seen, [from, to], items))
    });
    logs.collect()
}

/// Describes a transfer of ERC-1155 tokens, with sender and recipient by the log.
fn items(run: &EvmRun<'_, '_>, call: &EvmCall, contract: Address, asked: &[(U256, U256)]) -> Option<CallPhrase> {
    let (from, to, caller) = (call.address(0)?, call.address(1)?, call.caller?);
    let seen = item_log(run, contract, |gave, got| gave.is_same_in_logs(&from) && got.is_same_in_logs(&to));
    Some(match seen {
        Some((seen, sides, items)) => {
            let what = copies(run, contract, &items, Some(seen.event));
            handed_over(run, caller, sides, what, run.standing(contract))
        }
        None => handed_over(run, caller, [from, to], copies(run, contract, asked, None), Proof::Absent),
    })
}

fn pairs(call: &EvmCall, ids: usize, amounts: usize) -> Copies {
    let numbers = |place| call.reading.value(place).map_or(&[][..], AbiValue::items).iter();
    let number = |value: &AbiValue| value.number().map(crate::domain::Amount::get);
    numbers(ids).zip(numbers(amounts)).filter_map(|(id, amount)| Some((number(id)?, number(amount)?))).collect()
}

/// Describes "3 of NFT 7 and 1 of NFT 8 of {contract}" with its event.
fn copies(
    run: &EvmRun<'_, '_>,
    contract: Address,
    tokens: &[(U256, U256)],
    events: impl IntoIterator<Item = usize>,
) -> Vec<Phrase> {
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
    run.collection(run.words().text(text).by(events).text(" of "), contract).done()
}
