//! Messages of Cosmos that Move code sends. They run after the call, and may fail by themselves.

use serde_json::Value;

use super::{MoveFunctionCall, coins};
use crate::{
    domain::MsgType,
    story::{
        Phrase,
        context::{Clause, MessageRef, VerbForms},
        nft_moves::narrow,
        packet::{PacketData, PacketId},
        proof::{Proof, TracePlace},
        sentence::{clause as clause_of, clauses::actor, statement, verb, verb_phrase},
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
            let paid = call.run.seen.one("incentivized_ibc_packet").map(|(place, _)| place);
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

/// The message, told as asked for where it failed by itself: "asked to send 1 INIT to A through Move; it failed by
/// itself: “insufficient funds”".
fn unless_failed(call: &MoveFunctionCall<'_>, verb: VerbForms, rest: Vec<Phrase>, proof: Proof) -> Clause {
    let Some((place, reason)) = failure(call) else { return call.clause(verb, rest, proof) };
    let words = call.context.words().text("to ").text(verb.base).text(" ").then(rest).text(" through Move");
    call.clause(ASK, with_reason(call, words.done(), place, reason.as_deref()), Proof::Ran)
}

/// The message of Cosmos that failed, and why.
fn failure(call: &MoveFunctionCall<'_>) -> Option<(usize, Option<String>)> {
    let (place, event) = call.run.seen.that("submsg", |event| event.value("success") == Some("false"))?;
    let reason = ["reason", "error"].iter().find_map(|name| event.value(name)).filter(|reason| !reason.is_empty());
    (!call.context.is_failed()).then(|| (place, reason.map(ToOwned::to_owned)))
}

fn with_reason(call: &MoveFunctionCall<'_>, words: Vec<Phrase>, place: usize, reason: Option<&str>) -> Vec<Phrase> {
    let words = call.context.words().then(words).text("; it failed by itself").by([place]);
    match reason {
        Some(reason) => words.text(": ").quote(reason).by([place]).done(),
        None => words.done(),
    }
}

/// "acted through Move: …": the message is an argument.
fn stargate(call: &MoveFunctionCall<'_>) -> Option<Clause> {
    let Value::Object(mut fields) = call.arguments.document(0)? else { return None };
    let kind = match fields.shift_remove("@type") {
        Some(Value::String(kind)) => MsgType::new(&kind),
        _ => return None,
    };
    let message = call.run.message;
    if !call.context.work.takes_nested(message.depth) {
        return None;
    }
    let inner = MessageRef { depth: message.depth + 1, kind: &kind, fields: &fields, ..message };
    let mut inner = clause_of(call.context, inner);
    if let Some((place, reason)) = failure(call) {
        let words = call.context.words().text("through Move to ").text(inner.verb.base).text(" ").then(inner.rest);
        return Some(call.clause(ASK, with_reason(call, words.done(), place, reason.as_deref()), Proof::Ran));
    }
    let within = inner.weakest();
    // Who did it is said already, unless the message is another's.
    let is_own = inner.subject == actor(call.context, message, call.run.actor);
    if is_own {
        inner.subject.clear();
    }
    let told = if is_own { verb_phrase(inner) } else { statement(inner) };
    let place = call.run.seen.one("submsg").map(|(place, _)| place);
    let words = call.context.words().text("through Move: ").by(place).then(told);
    let clause = call.clause(verb::ACT, words.done(), Proof::Shown);
    Some(Clause { within, ..clause })
}

type ToldMessage = (VerbForms, Vec<Phrase>, Proof);

/// The packet that left by this call, where it holds what is wanted.
fn packet<T>(call: &MoveFunctionCall<'_>, read: impl Fn(PacketData) -> Option<T>) -> Option<(usize, PacketId, T)> {
    call.run.seen.events.iter().filter(|(_, event)| event.kind == "send_packet").find_map(|(place, event)| {
        let held = read(PacketData::of_event(event))?;
        let name = PacketId::of_event(event)?;
        call.context.claims.take(TracePlace::event(*place)).then_some((*place, name, held))
    })
}

/// "sent 1 INIT to R over channel-3 (packet #12)".
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

/// "sent NFT 1, 2 of K to R over channel-3".
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
        let words = words.then(super::collection(call.context, collection, nfts.class_name.as_deref()));
        let words = words.text(" to ").party(&nfts.receiver).by([place]).text(" over ");
        return Some((verb::SEND, left(call, words.done(), place, &name), Proof::Shown));
    }
    let ids = call.arguments.texts(2)?;
    let words = words(&ids).text(" of ").word(call.context.account(narrow(collection)));
    let words = words.text(" to ").party(&receiver).text(" over ");
    Some((verb::SEND, over(call, words.done(), 4)?, Proof::Absent))
}

/// The channel that a packet left over, and its number.
fn left(call: &MoveFunctionCall<'_>, before: Vec<Phrase>, place: usize, name: &PacketId) -> Vec<Phrase> {
    let words = call.context.words().then(before);
    let words = through(call, words.done(), &name.source_port, &name.source_channel);
    let words = call.context.words().then(words).by([place]);
    words.text(format!(" (packet #{})", name.sequence)).by([place]).done()
}

/// The channel at a place of the arguments.
fn over(call: &MoveFunctionCall<'_>, before: Vec<Phrase>, place: usize) -> Option<Vec<Phrase>> {
    let (port, channel) = (call.arguments.text(place.checked_sub(1)?), call.arguments.text(place)?);
    Some(through(call, before, &port.unwrap_or_default(), &channel))
}

/// A channel, with the chain behind it where that is known.
fn through(call: &MoveFunctionCall<'_>, before: Vec<Phrase>, port: &str, channel: &str) -> Vec<Phrase> {
    let chain = call.context.glossary.chain_behind(port, channel);
    let words = call.context.words().then(before).code(channel);
    match chain {
        Some(chain) => words.text(format!(" to {chain}")).done(),
        None => words.done(),
    }
}

/// "delegated 1 INIT to initvaloper1…".
fn delegate(call: &MoveFunctionCall<'_>) -> Option<ToldMessage> {
    let (validator, coin) = (call.arguments.text(0)?, coins::coin(call, 1, 2)?);
    let done = call.run.seen.that("delegate", |event| {
        event.value("validator").is_none_or(|named| named == validator)
            && event.value("amount").is_none_or(|amount| amount == coin.to_string())
    });
    let place = done.map(|(place, _)| place);
    let words = call.context.words().coin(&coin).by(place).text(" to ").party(&validator).by(place);
    Some((verb::DELEGATE, words.done(), by(place)))
}

/// "voted on proposal 7".
fn vote(call: &MoveFunctionCall<'_>) -> ToldMessage {
    let choice = call.arguments.number(2).map(|option| match option.to_string().as_str() {
        "1" => "yes ".to_owned(),
        "2" => "abstain ".to_owned(),
        "3" => "no ".to_owned(),
        "4" => "no with veto ".to_owned(),
        other => format!("option {other} "),
    });
    let number = call.arguments.number(0).map(|number| number.to_string());
    let voted = call
        .run
        .seen
        .that("proposal_vote", |event| event.value("proposal_id").is_none_or(|named| Some(named) == number.as_deref()));
    let place = voted.map(|(place, _)| place);
    let number = number.map_or_else(|| "a proposal".to_owned(), |number| format!("proposal {number}"));
    let words = call.context.words().text(format!("{}on {number}", choice.unwrap_or_default())).by(place);
    (verb::VOTE, words.done(), by(place))
}

/// "ran `0xabc::market::supply` as a Cosmos message".
fn move_execute(call: &MoveFunctionCall<'_>) -> Option<ToldMessage> {
    let address = super::trimmed(&call.arguments.word(0)?);
    let (module, function) = (call.arguments.text(1)?, call.arguments.text(2)?);
    let ran = call.run.seen.that("execute", |event| {
        event.value("module_name") == Some(&module) && event.value("function_name") == Some(&function)
    });
    let words = call.context.words().code(format!("{address}::{module}::{function}"));
    let words = words.by(ran.map(|(place, _)| place)).text(" as a Cosmos message");
    Some((verb::RUN, words.done(), if ran.is_some() { Proof::Ran } else { Proof::Absent }))
}
