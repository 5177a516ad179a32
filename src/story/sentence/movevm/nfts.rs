//! Objects, collections and NFTs.

use super::{MoveFunctionCall, VerbPhrase};
use crate::story::{
    Phrase,
    context::{MessageRef, PhraseBuilder, TxContext},
    move_events::MoveEvent,
    nft_moves::narrow,
    sentence::verb,
};

const MINT: &str = "0x1::collection::MintEvent";
const BURN: &str = "0x1::collection::BurnEvent";
const TRANSFER: &str = "0x1::object::TransferEvent";
const CREATE: &str = "0x1::object::CreateEvent";
/// NFTs of one call that are told of one by one.
const MOST_NFTS: usize = 3;

pub(super) fn verb_phrase(call: &MoveFunctionCall<'_>) -> Option<VerbPhrase> {
    match (call.module.as_str(), call.function.as_str()) {
        ("object", "transfer_call" | "transfer" | "transfer_raw") => Some(transfer(call)),
        ("object", _) => None,
        (_, "create_collection") => Some(create(call)),
        (_, "mint" | "mint_soul_bound_token") => Some(mint(call)),
        (_, "burn") => Some(burn(call)),
        _ => None,
    }
}

/// "transferred the object 0x48… to A": whether it is an NFT the record does not tell.
fn transfer(call: &MoveFunctionCall<'_>) -> VerbPhrase {
    let context = call.context;
    let events = call.events(TRANSFER);
    let (object, to) = (call.arguments.word(0), call.arguments.word(1));
    let event = events.iter().find(|event| object.is_none() || event.word("object") == object);
    let place = event.map(|event| event.place);
    let object = event.and_then(|event| event.word("object")).or(object);
    let to = event.and_then(|event| event.word("to")).or(to);
    let words = match object {
        Some(object) => context.words().text("the object ").code(super::trimmed(&object)).by(place),
        None => context.words().text("an object"),
    };
    let words = match to {
        Some(to) => words.text(" to ").word(call.party(to)).by(place),
        None => words,
    };
    (verb::TRANSFER, words.done())
}

/// "created the collection Favorite food for up to 500 NFTs".
fn create(call: &MoveFunctionCall<'_>) -> VerbPhrase {
    let event = call.event("0x1::collection::CreateCollectionEvent");
    let place = event.as_ref().map(|event| event.place);
    let name = event.as_ref().and_then(|event| event.text("name")).or_else(|| call.arguments.text(2));
    let words = match name {
        Some(name) => call.context.words().text("the collection ").code(name).by(place),
        None => call.context.words().text("a collection").by(place),
    };
    let words = match event.and_then(|event| event.word("collection")) {
        Some(collection) => words.text(" at ").word(call.party(collection)).by(place),
        None => words,
    };
    (verb::CREATE, words.done())
}

/// "minted NFT 1 of Favorite food for A".
fn mint(call: &MoveFunctionCall<'_>) -> VerbPhrase {
    let context = call.context;
    let minted = call.event(MINT);
    let place = minted.as_ref().map(|event| event.place);
    let id = minted.as_ref().and_then(|event| event.text("token_id")).or_else(|| call.arguments.text(2));
    let words = match id {
        Some(id) => context.words().text("NFT ").code(id).by(place),
        None => context.words().text("an NFT").by(place),
    };
    let collection = minted.as_ref().and_then(|event| event.word("collection"));
    let words = match (call.arguments.text(0), collection) {
        (Some(name), _) => words.text(" of ").code(name).by(place),
        (None, Some(collection)) => words.text(" of ").word(call.party(collection)).by(place),
        (None, None) => words,
    };
    let given =
        minted.as_ref().and_then(|event| event.word("nft")).and_then(|nft| receiver(&call.events(TRANSFER), nft));
    let words = match (given, call.arguments.maybe_word(7)) {
        (Some((place, to)), _) => words.text(" for ").word(call.party(to)).by([place]),
        (None, Some(to)) => words.text(" for ").word(call.party(to)),
        (None, None) => words,
    };
    (verb::MINT, words.done())
}

/// Who has an object after the last of these events.
fn receiver(events: &[MoveEvent], object: [u8; 32]) -> Option<(usize, [u8; 32])> {
    let last = events.iter().rev().find(|event| event.word("object") == Some(object))?;
    Some((last.place, last.word("to")?))
}

/// "burned NFT 4 of K".
fn burn(call: &MoveFunctionCall<'_>) -> VerbPhrase {
    let context = call.context;
    let words = match (call.event(BURN), call.arguments.word(0)) {
        (Some(event), _) => nft(context, context.words(), &event),
        (None, Some(object)) => context.words().text("the NFT at ").code(super::trimmed(&object)),
        (None, None) => context.words().text("an NFT"),
    };
    (verb::BURN, words.done())
}

/// "NFT 4 of K".
fn nft<'s, 'a>(context: &TxContext<'_>, words: PhraseBuilder<'s, 'a>, event: &MoveEvent) -> PhraseBuilder<'s, 'a> {
    let words = match event.text("token_id") {
        Some(id) => words.text("NFT ").code(id).by([event.place]),
        None => words.text("an NFT").by([event.place]),
    };
    match event.word("collection") {
        Some(collection) => words.text(" of ").word(context.account(narrow(collection))).by([event.place]),
        None => words,
    }
}

/// What another module's call did with NFTs: ", which minted NFT 3 of K for A".
pub(super) fn aside(context: &TxContext<'_>, message: MessageRef<'_>) -> Option<Vec<Phrase>> {
    let events = context.move_events(message, |tag| matches!(tag, MINT | BURN | TRANSFER | CREATE));
    let is = |wanted: &'static str| events.iter().filter(move |event| event.tag == wanted);
    let (minted, burned) = (is(MINT).count(), is(BURN).count());
    let (tag, verb, count) = match (minted, burned) {
        (0, 0) => return None,
        (minted, 0) => (MINT, ", which minted ", minted),
        (0, burned) => (BURN, ", which burned ", burned),
        (minted, burned) => {
            let places =
                events.iter().filter(|event| matches!(event.tag.as_str(), MINT | BURN)).map(|event| event.place);
            let said = format!(", which minted {minted} and burned {burned} NFTs");
            return Some(context.words().text(said).by(places).done());
        }
    };
    if count > MOST_NFTS {
        let places = is(tag).map(|event| event.place);
        return Some(context.words().text(format!("{verb}{count} NFTs")).by(places).done());
    }
    let mut words = context.words().text(verb);
    for (place, event) in is(tag).enumerate() {
        if place > 0 {
            words = words.text(if place + 1 == count { " and " } else { ", " });
        }
        words = nft(context, words, event);
        if let Some((place, owner)) = event.word("nft").filter(|_| tag == MINT).and_then(|nft| owner(&events, nft)) {
            words = words.text(" for ").word(context.account(narrow(owner))).by([place]);
        }
    }
    Some(words.done())
}

/// Who has a new object: who it was handed to last, else who it was made for.
fn owner(events: &[MoveEvent], object: [u8; 32]) -> Option<(usize, [u8; 32])> {
    receiver(events, object).or_else(|| {
        let made = events.iter().find(|event| event.tag == CREATE && event.word("object") == Some(object))?;
        Some((made.place, made.word("owner")?))
    })
}
