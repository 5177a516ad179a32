//! NFTs of CW-721 contracts, by the contracts' own reports.

use super::{
    call::{WasmCall, WasmReport},
    ics721,
};
use crate::{
    domain::Address,
    events::{keys, wasm::ReportedMove},
    story::{
        context::proof::Proof,
        words::{
            builder::PhraseBuilder,
            clause::{Clause, VerbForms},
            phrase::Phrase,
            sentence::verb,
        },
    },
};

/// Actions of NFT contracts that move NFTs.
pub(super) const NAMES: [&str; 2] = ["transfer_nft", "send_nft"];
/// Maximum NFTs of a call described one by one.
const MOST_NFTS: usize = 3;

pub(super) fn clause(call: &WasmCall<'_>) -> Option<Clause> {
    match call.name {
        "transfer_nft" => moved(call, verb::TRANSFER, "recipient"),
        "send_nft" => ics721::sent(call).or_else(|| moved(call, verb::SEND, "contract")),
        "mint" => mint(call),
        "burn" => {
            let (words, report) = nft(call, call.context.words())?;
            Some(call.reported(report, keys::SENDER, verb::BURN, words.done()))
        }
        "approve" => approval(call, verb::ALLOW, " to move "),
        "revoke" => approval(call, verb::REVOKE, "'s approval for "),
        "approve_all" => approval_of_all(call, verb::ALLOW, " to move all its NFTs of "),
        "revoke_all" => approval_of_all(call, verb::REVOKE, "'s approval for all its NFTs of "),
        _ => None,
    }
}

/// Describes "NFT 2 of K" with the contract's event.
fn nft<'c, 's, 'a>(
    call: &'c WasmCall<'_>,
    words: PhraseBuilder<'s, 'a>,
) -> Option<(PhraseBuilder<'s, 'a>, WasmReport<'c>)> {
    let report = call.report(call.name)?;
    let id = call.value(report, keys::TOKEN_ID, "token_id")?;
    let place = report.place();
    Some((
        call.of_collection(words.text("NFT ").code(id).by(place).text(" of "), call.contract, None).by(place),
        report,
    ))
}

/// Describes "transferred NFT 2 of K to A", with the attached call.
fn moved(call: &WasmCall<'_>, verb: VerbForms, to: &str) -> Option<Clause> {
    let (words, report) = nft(call, call.context.words())?;
    let to = call.value(report, keys::RECIPIENT, to)?;
    let words = words.text(" to ").party(&to).by(report.place());
    let words = match call.follow_up().filter(|_| call.name == "send_nft") {
        Some(name) => words.text(" for ").code(name),
        None => words,
    };
    Some(call.reported(report, keys::SENDER, verb, words.done()))
}

/// Describes "minted NFT 2 of K for A".
fn mint(call: &WasmCall<'_>) -> Option<Clause> {
    let (words, report) = nft(call, call.context.words())?;
    let words = match call.value(report, keys::OWNER, "owner") {
        Some(owner) => words.text(" for ").party(&owner).by(report.place()),
        None => words,
    };
    Some(call.reported(report, keys::MINTER, verb::MINT, words.done()))
}

/// Describes "allowed S to move NFT 2 of K".
fn approval(call: &WasmCall<'_>, verb: VerbForms, middle: &'static str) -> Option<Clause> {
    let report = call.report(call.name)?;
    let spender = call.value(report, keys::SPENDER, "spender")?;
    let words = call.context.words().party(&spender).by(report.place()).text(middle);
    let (words, _) = nft(call, words)?;
    Some(call.reported(report, keys::SENDER, verb, words.done()))
}

/// Describes "allowed S to move all its NFTs of K".
fn approval_of_all(call: &WasmCall<'_>, verb: VerbForms, middle: &'static str) -> Option<Clause> {
    let report = call.report(call.name)?;
    let place = report.place();
    let operator = call.value(report, keys::OPERATOR, "operator")?;
    let words = call.context.words().party(&operator).by(place).text(middle);
    let words = call.of_collection(words, call.contract, None).by(place);
    Some(call.reported(report, keys::SENDER, verb, words.done()))
}

struct ToldNft<'a> {
    place: usize,
    verb: VerbForms,
    id: &'a str,
    contract: &'a str,
    /// Recipient with its preposition.
    to: Option<(&'static str, Address)>,
}

/// Describes NFTs moved in another contract's call: "; NFT 3 of K was moved to A, as the NFT contract reports".
pub(super) fn aside(call: &WasmCall<'_>) -> Option<(Vec<Phrase>, Proof)> {
    let known = call.actions().filter_map(|(trace, action)| {
        let (id, moved) = action.nft()?;
        let (verb, preposition) = match moved {
            ReportedMove::Minted { .. } => (verb::MINT, " for "),
            ReportedMove::Moved { .. } => (verb::MOVE, " to "),
            ReportedMove::Burned { .. } => (verb::BURN, ""),
        };
        let to = moved.recipient().map(|to| (preposition, to));
        Some(ToldNft { place: trace.event, verb, id, contract: action.contract, to })
    });
    let moves: Vec<_> = known.collect();
    let is_one = moves.windows(2).all(|pair| matches!(pair, [one, other] if one.contract == other.contract));
    let end = if is_one { ", as the NFT contract reports" } else { ", as the NFT contracts report" };
    if moves.is_empty() {
        return None;
    }
    let context = call.context;
    if moves.len() > MOST_NFTS {
        let places = moves.iter().map(|told| told.place);
        let words = context.words().text(format!("; NFTs were moved {} times", moves.len())).by(places);
        return Some((words.text(end).done(), Proof::Reported));
    }
    let mut words = context.words().text("; ");
    for (number, told) in moves.into_iter().enumerate() {
        if number > 0 {
            words = words.text(", then ");
        }
        let place = [told.place];
        words = words.text("NFT ").code(told.id).by(place).text(" of ");
        words = call.of_collection(words, told.contract, None).by(place).text(" was ").text(told.verb.past);
        if let Some((preposition, to)) = told.to {
            words = words.text(preposition).word(context.account(to)).by(place);
        }
    }
    Some((words.text(end).done(), Proof::Reported))
}
