//! Messages of Cosmos that Move code sends.

use serde_json::{Map, Value};

use super::{MoveFunctionCall, VerbPhrase, coins};
use crate::{
    domain::MsgType,
    story::{
        Phrase,
        context::{MessageRef, TxContext},
        sentence::{clause, verb, verb_phrase as said},
    },
};

pub(super) fn verb_phrase(call: &MoveFunctionCall<'_>) -> Option<VerbPhrase> {
    match call.function.as_str() {
        "stargate" => stargate(call),
        "stargate_vote" => Some(vote(call)),
        "transfer" => transfer(call),
        "nft_transfer" => nft_transfer(call),
        "delegate" => delegate(call),
        "fund_community_pool" => {
            let amount = coins::amount(call, 0, 1)?;
            Some((verb::GIVE, call.context.words().then(amount).text(" to the community pool").done()))
        }
        "pay_fee" => {
            let words = call.context.words().text("relayer fees for ");
            Some((verb::PAY, over(call, words.done(), 1)?))
        }
        "move_execute" | "move_execute_with_json" => move_execute(call),
        "move_script" | "move_script_with_json" => {
            Some((verb::RUN, call.context.words().text("a script as a Cosmos message").done()))
        }
        _ => None,
    }
}

/// "sent, as a Cosmos message, …": the message is an argument.
fn stargate(call: &MoveFunctionCall<'_>) -> Option<VerbPhrase> {
    let Value::Object(mut fields) = call.arguments.document(0)? else { return None };
    let kind = match fields.shift_remove("@type") {
        Some(Value::String(kind)) => MsgType::new(&kind),
        _ => return None,
    };
    if !call.context.work.takes_nested(call.message.depth) {
        return None;
    }
    let rest = call.context.words().text("through Move: ").then(child(call.context, call.message, &kind, &fields));
    Some((verb::ACT, by_submessage(call, rest.done())))
}

/// What a message within says, without who did it: that is said already.
fn child(context: &TxContext<'_>, message: MessageRef<'_>, kind: &MsgType, fields: &Map<String, Value>) -> Vec<Phrase> {
    said(clause(
        context,
        MessageRef { place: message.place, authz: message.authz, depth: message.depth + 1, kind, fields },
    ))
}

/// The event that says whether the message worked, behind the first word.
fn by_submessage(call: &MoveFunctionCall<'_>, mut phrases: Vec<Phrase>) -> Vec<Phrase> {
    let event = call.context.event_of(call.message, "submsg").map(|(place, _)| place);
    if let Some(first) = phrases.first_mut() {
        first.events.extend(event);
    }
    phrases
}

/// "sent 1 INIT to R over channel-3".
fn transfer(call: &MoveFunctionCall<'_>) -> Option<VerbPhrase> {
    let receiver = call.arguments.text(0)?;
    let words = call.context.words().then(coins::amount(call, 1, 2)?).text(" to ").party(&receiver).text(" over ");
    Some((verb::SEND, by_packet(call, over(call, words.done(), 4)?)))
}

/// "sent NFT 1, 2 of K to R over channel-3".
fn nft_transfer(call: &MoveFunctionCall<'_>) -> Option<VerbPhrase> {
    let (receiver, collection) = (call.arguments.text(0)?, call.arguments.word(1)?);
    let ids = call.arguments.texts(2)?;
    let words = call.context.words().text(if ids.len() == 1 { "NFT " } else { "NFTs " }).code(ids.join(", "));
    let words = words.text(" of ").word(call.party(collection)).text(" to ").party(&receiver).text(" over ");
    Some((verb::SEND, by_packet(call, over(call, words.done(), 4)?)))
}

/// The channel at a place of the arguments, with the chain behind it where that is known.
fn over(call: &MoveFunctionCall<'_>, before: Vec<Phrase>, place: usize) -> Option<Vec<Phrase>> {
    let (port, channel) = (call.arguments.text(place.checked_sub(1)?), call.arguments.text(place)?);
    let port = port.unwrap_or_default();
    let chain = call.context.glossary.chain_behind(&port, &channel);
    let words = call.context.words().then(before).code(channel);
    Some(match chain {
        Some(chain) => words.text(format!(" to {chain}")).done(),
        None => words.done(),
    })
}

/// The packet that left, behind the last word.
fn by_packet(call: &MoveFunctionCall<'_>, phrases: Vec<Phrase>) -> Vec<Phrase> {
    let packet = call.context.event_of(call.message, "send_packet");
    let words = call.context.words().then(phrases);
    match packet.and_then(|(place, event)| Some((place, event.value("packet_sequence")?))) {
        Some((place, sequence)) => words.text(format!(" (packet #{sequence})")).by([place]).done(),
        None => words.done(),
    }
}

/// "delegated 1 INIT to initvaloper1…".
fn delegate(call: &MoveFunctionCall<'_>) -> Option<VerbPhrase> {
    let validator = call.arguments.text(0)?;
    let words = call.context.words().then(coins::amount(call, 1, 2)?).text(" to ").party(&validator);
    Some((verb::DELEGATE, words.done()))
}

/// "voted on proposal 7".
fn vote(call: &MoveFunctionCall<'_>) -> VerbPhrase {
    let choice = call.arguments.number(2).map(|option| match option.to_string().as_str() {
        "1" => "yes ".to_owned(),
        "2" => "abstain ".to_owned(),
        "3" => "no ".to_owned(),
        "4" => "no with veto ".to_owned(),
        other => format!("option {other} "),
    });
    let number =
        call.arguments.number(0).map_or_else(|| "a proposal".to_owned(), |number| format!("proposal {number}"));
    (verb::VOTE, call.context.words().text(format!("{}on {number}", choice.unwrap_or_default())).done())
}

/// "ran `0xabc::market::supply` as a Cosmos message".
fn move_execute(call: &MoveFunctionCall<'_>) -> Option<VerbPhrase> {
    let address = super::trimmed(&call.arguments.word(0)?);
    let (module, function) = (call.arguments.text(1)?, call.arguments.text(2)?);
    let words = call.context.words().code(format!("{address}::{module}::{function}")).text(" as a Cosmos message");
    Some((verb::RUN, by_submessage(call, words.done())))
}
