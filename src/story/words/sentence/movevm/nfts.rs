//! Objects, collections and NFTs.

use super::call::{MoveFunctionCall, MoveRun, collection, shown, trimmed};
use crate::story::{
    context::TxContext,
    move_events::MoveEvent,
    names::move_address::{derived, narrow},
    words::{builder::PhraseBuilder, clause::Clause, phrase::Phrase, sentence::verb},
};

const MINT: &str = "0x1::collection::MintEvent";
const BURN: &str = "0x1::collection::BurnEvent";
const TRANSFER: &str = "0x1::object::TransferEvent";
const CREATE: &str = "0x1::object::CreateEvent";
/// Maximum NFTs of a call described one by one.
const MOST_NFTS: usize = 3;
/// Domain separator of an object derived from a name, such as a collection.
const NAMED_OBJECT: u8 = 0xfe;

pub(super) fn clause(call: &MoveFunctionCall<'_>) -> Option<Clause> {
    match (call.module.as_str(), call.function.as_str()) {
        ("object", "transfer_call" | "transfer" | "transfer_raw") => Some(transfer(call)),
        ("object", _) => None,
        (_, "create_collection") => Some(create(call)),
        (_, "mint" | "mint_soul_bound_token") => Some(mint(call)),
        (_, "burn") => Some(burn(call)),
        _ => None,
    }
}

/// Describes "transferred the object 0x48… to A": the record does not show whether it is an NFT.
fn transfer(call: &MoveFunctionCall<'_>) -> Clause {
    let context = call.context;
    let asked = call.arguments.word(0);
    let event = call.taken(TRANSFER, |event| asked.is_none() || event.word("object") == asked);
    let place = event.as_ref().map(|event| event.place);
    let (object, from, to) = match &event {
        Some(event) => (event.word("object"), event.word("from"), event.word("to")),
        None => (asked, None, call.arguments.word(1)),
    };
    let words = match object {
        Some(object) => context.words().text("the object ").code(trimmed(&object)).by(place),
        None => context.words().text("an object"),
    };
    // The owner of the outer object transfers an object within it.
    let words = match from.filter(|from| call.run.sender() != Some(*from)) {
        Some(from) => words.text(" of ").word(call.party(from)).by(place),
        None => words,
    };
    let words = match to {
        Some(to) => words.text(" to ").word(call.party(to)).by(place),
        None => words,
    };
    call.clause(verb::TRANSFER, words.done(), shown(event.as_ref()))
}

/// Describes "created the collection “Favorite food” at K".
fn create(call: &MoveFunctionCall<'_>) -> Clause {
    let sender = call.run.sender();
    let event = call.taken("0x1::collection::CreateCollectionEvent", |event| event.word("creator") == sender);
    let place = event.as_ref().map(|event| event.place);
    let name = match &event {
        Some(event) => event.text("name"),
        None => call.arguments.text(2),
    };
    let words = match name {
        Some(name) => call.context.words().text("the collection ").quote(&name).by(place),
        None => call.context.words().text("a collection").by(place),
    };
    let words = match event.as_ref().and_then(|event| event.word("collection")) {
        Some(collection) => words.text(" at ").word(call.party(collection)).by(place),
        None => words,
    };
    call.clause(verb::CREATE, words.done(), shown(event.as_ref()))
}

/// Describes "minted NFT 1 of K (“Favorite food”) for A".
fn mint(call: &MoveFunctionCall<'_>) -> Clause {
    let context = call.context;
    // The caller's collection is an object derived from its name, so the address proves the name.
    let name = call.arguments.text(0);
    let named = call.run.sender().zip(name.as_ref());
    let named = named.map(|(creator, name)| derived(&creator, name.as_bytes(), NAMED_OBJECT));
    let Some(event) = call.taken(MINT, |_| true) else {
        let words = match call.arguments.text(2) {
            Some(id) => context.words().text("NFT ").code(id),
            None => context.words().text("an NFT"),
        };
        let words = match &name {
            Some(name) => words.text(" of ").quote(name),
            None => words,
        };
        let words = match call.arguments.maybe_word(7) {
            Some(to) => words.text(" for ").word(call.party(to)),
            None => words,
        };
        return call.clause(verb::MINT, words.done(), shown(None));
    };
    let name = name.filter(|_| event.word("collection") == named);
    let words = nft(context, context.words(), &event, name.as_deref());
    let events = call.run.events(|tag| matches!(tag, TRANSFER | CREATE));
    let sender = call.run.sender();
    let owner = event.word("nft").and_then(|nft| owner(&events, nft)).filter(|(_, owner)| Some(*owner) != sender);
    let words = match owner {
        Some((place, owner)) => words.text(" for ").word(call.party(owner)).by([place]),
        None => words,
    };
    call.clause(verb::MINT, words.done(), shown(Some(&event)))
}

/// Returns the owner of an object after the last of these events.
fn receiver(events: &[MoveEvent], object: [u8; 32]) -> Option<(usize, [u8; 32])> {
    let last = events.iter().rev().find(|event| event.tag == TRANSFER && event.word("object") == Some(object))?;
    Some((last.place, last.word("to")?))
}

/// Describes "burned NFT 4 of K".
fn burn(call: &MoveFunctionCall<'_>) -> Clause {
    let context = call.context;
    let asked = call.arguments.word(0);
    let event = call.taken(BURN, |event| asked.is_none() || event.word("nft") == asked);
    let words = match (&event, asked) {
        (Some(event), _) => nft(context, context.words(), event, None),
        (None, Some(object)) => context.words().text("the NFT at ").code(trimmed(&object)),
        (None, None) => context.words().text("an NFT"),
    };
    call.clause(verb::BURN, words.done(), shown(event.as_ref()))
}

/// Describes "NFT 4 of K".
fn nft<'s, 'a>(
    context: &TxContext<'_>,
    words: PhraseBuilder<'s, 'a>,
    event: &MoveEvent,
    name: Option<&str>,
) -> PhraseBuilder<'s, 'a> {
    let words = match event.text("token_id") {
        Some(id) => words.text("NFT ").code(id).by([event.place]),
        None => words.text("an NFT").by([event.place]),
    };
    match event.word("collection") {
        Some(word) => words.text(" of ").then(collection(context, word, name)).by([event.place]),
        None => words,
    }
}

/// Describes NFTs moved in another module's call: ", with a mint of NFT 3 of K for A". No event names the minter.
pub(super) fn aside(run: &MoveRun<'_>) -> Option<Vec<Phrase>> {
    let context = run.context;
    let events = run.events(|tag| matches!(tag, MINT | BURN | TRANSFER | CREATE));
    let is = |wanted: &'static str| events.iter().filter(move |event| event.tag == wanted);
    let (minted, burned) = (is(MINT).count(), is(BURN).count());
    let (tag, verb, count) = match (minted, burned) {
        (0, 0) => return None,
        (1, 0) => (MINT, ", with a mint of ", 1),
        (minted, 0) => (MINT, ", with mints of ", minted),
        (0, 1) => (BURN, ", with a burn of ", 1),
        (0, burned) => (BURN, ", with burns of ", burned),
        (minted, burned) => {
            let places =
                events.iter().filter(|event| matches!(event.tag.as_str(), MINT | BURN)).map(|event| event.place);
            let said = format!(", with mints of {minted} and burns of {burned} NFTs");
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
        words = nft(context, words, event, None);
        if let Some((place, owner)) = event.word("nft").filter(|_| tag == MINT).and_then(|nft| owner(&events, nft)) {
            words = words.text(" for ").word(context.account(narrow(owner))).by([place]);
        }
    }
    Some(words.done())
}

/// Returns the owner of a new object: its last receiver, else the account it was created for.
fn owner(events: &[MoveEvent], object: [u8; 32]) -> Option<(usize, [u8; 32])> {
    receiver(events, object).or_else(|| {
        let made = events.iter().find(|event| event.tag == CREATE && event.word("object") == Some(object))?;
        Some((made.place, made.word("owner")?))
    })
}
