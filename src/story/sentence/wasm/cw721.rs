//! NFTs of CW-721 contracts.

use super::{VerbPhrase, WasmCall, WasmProof};
use crate::story::{Phrase, context::PhraseBuilder, context::VerbForms, sentence::verb};

/// NFTs of one call that are told of one by one.
const MOST_NFTS: usize = 3;

pub(super) fn verb_phrase(call: &WasmCall<'_>) -> Option<VerbPhrase> {
    match call.name {
        "transfer_nft" => moved(call, "recipient"),
        "send_nft" => moved(call, "contract"),
        "mint" => mint(call),
        "burn" => {
            let (words, _) = nft(call, call.context.words())?;
            Some((verb::BURN, words.done()))
        }
        "approve" => approval(call, verb::ALLOW, " to move "),
        "revoke" => approval(call, verb::STOP_LETTING, " move "),
        "approve_all" => approval_of_all(call, verb::ALLOW, " to move all its NFTs of "),
        "revoke_all" => approval_of_all(call, verb::STOP_LETTING, " move all its NFTs of "),
        _ => None,
    }
}

/// "NFT 2 of K", with the contract's event.
fn nft<'c, 's, 'a>(
    call: &'c WasmCall<'_>,
    words: PhraseBuilder<'s, 'a>,
) -> Option<(PhraseBuilder<'s, 'a>, WasmProof<'c>)> {
    let proof = call.proof(call.name)?;
    let id = call.value(proof, "token_id", "token_id")?;
    let place = proof.place();
    Some((words.text("NFT ").code(id).by(place).text(" of ").party(call.contract).by(place), proof))
}

/// "transferred NFT 2 of K to A", and what a contract was asked to do with it.
fn moved(call: &WasmCall<'_>, to: &str) -> Option<VerbPhrase> {
    let (words, proof) = nft(call, call.context.words())?;
    let to = call.value(proof, "recipient", to)?;
    let words = words.text(" to ").party(&to).by(proof.place());
    let is_sent = call.name == "send_nft";
    let words = match call.follow_up().filter(|_| is_sent) {
        Some(name) => words.text(" for ").code(name),
        None => words,
    };
    let verbs = if is_sent { verb::SEND } else { verb::TRANSFER };
    Some((verbs, words.done()))
}

/// "minted NFT 2 of K for A".
fn mint(call: &WasmCall<'_>) -> Option<VerbPhrase> {
    let (words, proof) = nft(call, call.context.words())?;
    let words = match call.value(proof, "owner", "owner") {
        Some(owner) => words.text(" for ").party(&owner).by(proof.place()),
        None => words,
    };
    Some((verb::MINT, words.done()))
}

/// "allowed S to move NFT 2 of K".
fn approval(call: &WasmCall<'_>, verbs: VerbForms, middle: &'static str) -> Option<VerbPhrase> {
    let proof = call.proof(call.name)?;
    let spender = call.value(proof, "spender", "spender")?;
    let words = call.context.words().party(&spender).by(proof.place()).text(middle);
    let (words, _) = nft(call, words)?;
    Some((verbs, words.done()))
}

/// "allowed S to move all its NFTs of K".
fn approval_of_all(call: &WasmCall<'_>, verbs: VerbForms, middle: &'static str) -> Option<VerbPhrase> {
    let proof = call.proof(call.name)?;
    let place = proof.place();
    let operator = call.value(proof, "operator", "operator")?;
    let words = call.context.words().party(&operator).by(place).text(middle);
    Some((verbs, words.party(call.contract).by(place).done()))
}

/// What another contract's call did with NFTs: ", which transferred NFT 3 of K to A".
pub(super) fn aside(call: &WasmCall<'_>) -> Option<Vec<Phrase>> {
    let context = call.context;
    let wasm =
        context.events_of(call.message).filter(|(_, event)| event.kind == "wasm" && event.value("token_id").is_some());
    let known = wasm.filter_map(|(place, event)| {
        let (verb, to) = match event.value("action")? {
            "mint" => (verb::MINT, event.value("owner").map(|owner| (" for ", owner))),
            "transfer_nft" | "send_nft" => (verb::MOVE, event.value("recipient").map(|to| (" to ", to))),
            "burn" => (verb::BURN, None),
            _ => return None,
        };
        Some((place, verb.past, event.value("token_id")?, event.value("_contract_address")?, to))
    });
    let moves: Vec<_> = known.collect();
    if moves.is_empty() {
        return None;
    }
    if moves.len() > MOST_NFTS {
        let places = moves.iter().map(|(place, ..)| *place);
        return Some(context.words().text(format!(", which moved NFTs {} times", moves.len())).by(places).done());
    }
    let mut words = context.words().text(", which ");
    for (number, (place, verb, id, contract, to)) in moves.into_iter().enumerate() {
        if number > 0 {
            words = words.text(", then ");
        }
        words = words.text(format!("{verb} NFT ")).code(id).by([place]).text(" of ").party(contract).by([place]);
        if let Some((preposition, to)) = to {
            words = words.text(preposition).party(to).by([place]);
        }
    }
    Some(words.done())
}
