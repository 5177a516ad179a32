//! Cosmos messages sent by Move code. They run after the call and may fail on their own.

use super::{
    call::{MoveFunctionCall, trimmed},
    coins,
};
use crate::{
    events::{
        keys,
        names::{DELEGATE, EXECUTE, INCENTIVIZED_IBC_PACKET, PROPOSAL_VOTE, SEND_PACKET, SUBMSG},
    },
    story::{
        context::proof::{Proof, TracePlace},
        names::move_address::narrow,
        packet::{PacketData, PacketId},
        words::{
            clause::{Clause, VerbForms},
            phrase::Phrase,
            sentence::{clauses::actor, nested::InnerMessage, verb},
        },
    },
};

const ASK: VerbForms = VerbForms { past: "asked", base: "ask" };

pub(super) fn clause(call: &MoveFunctionCall<'_>) -> Option<Clause> {
    let (verb, rest, proof) = match call.function.as_str() {
        "stargate" => return stargate(call),
        "stargate_vote" => vote(call),
        "transfer" => transfer(call)?,
        "nft_transfer" => nft_transfer(call)?,
        "delegate" => delegate(call)?,
        "fund_community_pool" => {
            let (amount, spent) = coins::spent(call, 0, 1)?;
            let words = call.context.words().then(amount).text(" to the community pool");
            (verb::GIVE, words.done(), by(spent))
        }
        "pay_fee" => {
            let paid = call.run.seen.first(INCENTIVIZED_IBC_PACKET).map(|(place, _)| place);
            let words = call.context.words().text("relayer fees for ").by(paid);
            (verb::PAY, over(call, words.done(), 1)?, by(paid))
        }
        "move_execute" | "move_execute_with_json" => move_execute(call)?,
        "move_script" | "move_script_with_json" => {
            (verb::RUN, call.context.words().text("a script as a Cosmos message").done(), Proof::Ran)
        }
        _ => return None,
    };
    Some(unless_failed(call, verb, rest, proof))
}

fn by(place: Option<usize>) -> Proof {
    if place.is_some() { Proof::Shown } else { Proof::Absent }
}

/// Describes the message, or its failure: "asked to send 1 INIT to A through Move; it failed on its own: “insufficient
/// funds”".
fn unless_failed(call: &MoveFunctionCall<'_>, verb: VerbForms, rest: Vec<Phrase>, proof: Proof) -> Clause {
    let Some((place, reason)) = failure(call) else { return call.clause(verb, rest, proof) };
    let words = call.context.words().text("to ").text(verb.base).text(" ").then(rest).text(" through Move");
    call.clause(ASK, with_reason(call, words.done(), place, reason.as_deref()), Proof::Ran)
}

/// Returns the event of the failed Cosmos message, and the reason.
fn failure(call: &MoveFunctionCall<'_>) -> Option<(usize, Option<String>)> {
    let (place, event) = call.run.seen.first_where(SUBMSG, |event| event.get(keys::SUCCESS) == Some(false))?;
    let reason = event.text(keys::REASON).or_else(|| event.text(keys::ERROR)).filter(|reason| !reason.is_empty());
    (!call.context.is_failed()).then(|| (place, reason.map(ToOwned::to_owned)))
}

fn with_reason(call: &MoveFunctionCall<'_>, words: Vec<Phrase>, place: usize, reason: Option<&str>) -> Vec<Phrase> {
    let words = call.context.words().then(words).text("; it failed on its own").by([place]);
    match reason {
        Some(reason) => words.text(": ").quote(reason).by([place]).done(),
        None => words.done(),
    }
}

/// Describes "acted through Move: …": the message is an argument.
fn stargate(call: &MoveFunctionCall<'_>) -> Option<Clause> {
    let inner = InnerMessage::of(&call.arguments.document(0)?)?;
    let message = call.run.message;
    if !call.context.work.takes_nested(message.depth) {
        return None;
    }
    let mut inner = call.context.clause(message.nested(&inner.kind, &inner.fields));
    if let Some((place, reason)) = failure(call) {
        let words = call.context.words().text("through Move to ").then(inner.infinitive());
        return Some(call.clause(ASK, with_reason(call, words.done(), place, reason.as_deref()), Proof::Ran));
    }
    let within = inner.weakest();
    // The actor is known already unless the message has another.
    let is_own = inner.subject == actor(call.context, message, call.run.actor);
    if is_own {
        inner.subject.clear();
    }
    let told = if is_own { inner.verb_phrase() } else { inner.statement() };
    let place = call.run.seen.first(SUBMSG).map(|(place, _)| place);
    let words = call.context.words().text("through Move: ").by(place).then(told);
    let clause = call.clause(verb::ACT, words.done(), Proof::Shown);
    Some(Clause { within, ..clause })
}

type ToldMessage = (VerbForms, Vec<Phrase>, Proof);

/// Returns the packet sent by this call, if its content matches.
fn packet<T>(call: &MoveFunctionCall<'_>, read: impl Fn(PacketData) -> Option<T>) -> Option<(usize, PacketId, T)> {
    call.run.seen.events.iter().filter(|(_, event)| event.kind == SEND_PACKET).find_map(|(place, event)| {
        let held = read(PacketData::of_event(event))?;
        let name = PacketId::of_event(event)?;
        call.context.claims.take(TracePlace::event(*place)).then_some((*place, name, held))
    })
}

/// Describes "sent 1 INIT to R over channel-3 (packet #12)".
fn transfer(call: &MoveFunctionCall<'_>) -> Option<ToldMessage> {
    let held = |data| match data {
        PacketData::Tokens(tokens) => Some(tokens),
        _ => None,
    };
    if let Some((place, name, tokens)) = packet(call, held) {
        let words = call.context.words().coin(&tokens.left()).by([place]).text(" to ").party(&tokens.receiver);
        return Some((verb::SEND, left(call, words.by([place]).text(" over ").done(), place, &name), Proof::Shown));
    }
    let (receiver, coin) = (call.arguments.text(0)?, coins::coin(call, 1, 2)?);
    let words = call.context.words().coin(&coin).text(" to ").party(&receiver).text(" over ");
    Some((verb::SEND, over(call, words.done(), 4)?, Proof::Absent))
}

/// Describes "sent NFT 1, 2 of K to R over channel-3".
fn nft_transfer(call: &MoveFunctionCall<'_>) -> Option<ToldMessage> {
    let words = |ids: &[String]| {
        let words = call.context.words().text(if ids.len() == 1 { "NFT " } else { "NFTs " });
        ids.iter().enumerate().fold(words, |words, (place, id)| {
            if place > 0 { words.text(", ").code(id.as_str()) } else { words.code(id.as_str()) }
        })
    };
    let held = |data| match data {
        PacketData::Nfts(nfts) => Some(nfts),
        _ => None,
    };
    let (receiver, collection) = (call.arguments.text(0)?, call.arguments.word(1)?);
    if let Some((place, name, nfts)) = packet(call, held) {
        let words = words(&nfts.tokens).by([place]).text(" of ");
        let words = words.then(super::call::collection(call.context, collection, nfts.class_name.as_deref()));
        let words = words.text(" to ").party(&nfts.receiver).by([place]).text(" over ");
        return Some((verb::SEND, left(call, words.done(), place, &name), Proof::Shown));
    }
    let ids = call.arguments.texts(2)?;
    let words = words(&ids).text(" of ").word(call.context.account(narrow(collection)));
    let words = words.text(" to ").party(&receiver).text(" over ");
    Some((verb::SEND, over(call, words.done(), 4)?, Proof::Absent))
}

/// Adds channel and sequence number of the packet.
fn left(call: &MoveFunctionCall<'_>, before: Vec<Phrase>, place: usize, name: &PacketId) -> Vec<Phrase> {
    let words = call.context.words().then(before);
    let words = through(call, words.done(), &name.source_port, &name.source_channel);
    let words = call.context.words().then(words).by([place]);
    words.text(format!(" (packet #{})", name.sequence)).by([place]).done()
}

/// Adds the channel at this index of the arguments.
fn over(call: &MoveFunctionCall<'_>, before: Vec<Phrase>, place: usize) -> Option<Vec<Phrase>> {
    let (port, channel) = (call.arguments.text(place.checked_sub(1)?), call.arguments.text(place)?);
    Some(through(call, before, &port.unwrap_or_default(), &channel))
}

/// Adds a channel with the chain behind it, if known.
fn through(call: &MoveFunctionCall<'_>, before: Vec<Phrase>, port: &str, channel: &str) -> Vec<Phrase> {
    let chain = call.context.glossary.chain_behind(port, channel);
    let words = call.context.words().then(before).code(channel);
    match chain {
        Some(chain) => words.text(format!(" to {chain}")).done(),
        None => words.done(),
    }
}

/// Describes "delegated 1 INIT to initvaloper1…".
fn delegate(call: &MoveFunctionCall<'_>) -> Option<ToldMessage> {
    let (validator, coin) = (call.arguments.text(0)?, coins::coin(call, 1, 2)?);
    let done = call.run.seen.first_where(DELEGATE, |event| {
        event.text(keys::VALIDATOR).is_none_or(|named| named == validator)
            && event.text(keys::AMOUNT).is_none_or(|amount| amount == coin.to_string())
    });
    let place = done.map(|(place, _)| place);
    let words = call.context.words().coin(&coin).by(place).text(" to ").party(&validator).by(place);
    Some((verb::DELEGATE, words.done(), by(place)))
}

/// Describes "voted on proposal 7".
fn vote(call: &MoveFunctionCall<'_>) -> ToldMessage {
    let choice = call.arguments.number(2).map(|option| match option.to_string().as_str() {
        "1" => "yes ".to_owned(),
        "2" => "abstain ".to_owned(),
        "3" => "no ".to_owned(),
        "4" => "no with veto ".to_owned(),
        other => format!("option {other} "),
    });
    let number = call.arguments.number(0).map(|number| number.to_string());
    let voted = call.run.seen.first_where(PROPOSAL_VOTE, |event| {
        event.text(keys::PROPOSAL_ID).is_none_or(|named| Some(named) == number.as_deref())
    });
    let place = voted.map(|(place, _)| place);
    let number = number.map_or_else(|| "a proposal".to_owned(), |number| format!("proposal {number}"));
    let words = call.context.words().text(format!("{}on {number}", choice.unwrap_or_default())).by(place);
    (verb::VOTE, words.done(), by(place))
}

/// Describes "ran `0xabc::market::supply` as a Cosmos message".
fn move_execute(call: &MoveFunctionCall<'_>) -> Option<ToldMessage> {
    let address = trimmed(&call.arguments.word(0)?);
    let (module, function) = (call.arguments.text(1)?, call.arguments.text(2)?);
    let ran = call.run.seen.first_where(EXECUTE, |event| {
        event.text(keys::MODULE_NAME) == Some(&module) && event.text(keys::FUNCTION_NAME) == Some(&function)
    });
    let words = call.context.words().code(format!("{address}::{module}::{function}"));
    let words = words.by(ran.map(|(place, _)| place)).text(" as a Cosmos message");
    Some((verb::RUN, words.done(), if ran.is_some() { Proof::Ran } else { Proof::Absent }))
}
