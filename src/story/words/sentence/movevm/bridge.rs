//! Cosmos messages sent by Move code. They run after the call and may fail on their own.

use super::{
    call::{MoveFunctionCall, trimmed},
    coins,
};
use crate::{
    events::{
        keys,
        names::{DELEGATE, EXECUTE, INCENTIVIZED_IBC_PACKET, PROPOSAL_VOTE},
    },
    story::{
        context::proof::Proof,
        names::{
            glossary::module_account,
            move_address::{any_form, narrow},
        },
        packet::{PacketId, PacketNfts, PacketTokens},
        words::{
            clause::{Clause, VerbForms},
            phrase::Phrase,
            sentence::{
                clauses::{SentOutcome, actor, names, vote_choice},
                nested::InnerMessage,
                verb,
            },
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
            let pool = module_account("distribution").bech32();
            let got = call.run.seen.received(&pool, &coins::coin(call, 0, 1)?).into_iter().next();
            let words = call.context.words().then(amount).text(" to the community pool").by(got);
            (verb::GIVE, words.done(), by(spent.and(got)))
        }
        "pay_fee" => {
            let channel = call.arguments.text(1);
            let paid = call.run.seen.first_where(INCENTIVIZED_IBC_PACKET, |event| {
                event.text(keys::CHANNEL_ID).is_none_or(|named| Some(named) == channel.as_deref())
            });
            let paid = paid.map(|(place, _)| place);
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
    let outcome = outcome(call);
    match outcome {
        SentOutcome::Failed(..) => {
            let words = call.context.words().text("to ").text(verb.base).text(" ").then(rest).text(" through Move");
            call.clause(ASK, words.then(outcome.note(call.context, proof)).done(), Proof::Ran)
        }
        SentOutcome::Ran(_) | SentOutcome::Unknown => call.clause(verb, rest, outcome.limits(proof)),
    }
}

/// Claims the end of the call's Cosmos message: each of these functions sends one.
fn outcome<'a>(call: &MoveFunctionCall<'a>) -> SentOutcome<'a> {
    call.run.seen.claim_sent(call.run.message.has_own_events())
}

/// Describes "acted through Move: …": the message is an argument.
fn stargate(call: &MoveFunctionCall<'_>) -> Option<Clause> {
    let inner = InnerMessage::of(&call.arguments.document(0)?)?;
    let message = call.run.message;
    if !call.context.work.takes_nested(message.depth) {
        return None;
    }
    // Before the inner message is described: the other events of this kind are its own.
    let outcome = outcome(call);
    let mut inner = call.context.clause(message.nested(&inner.kind, &inner.fields));
    let place = match outcome {
        SentOutcome::Failed(..) => {
            let words = call.context.words().text("through Move to ").then(inner.infinitive());
            return Some(call.clause(ASK, words.then(outcome.note(call.context, Proof::Ran)).done(), Proof::Ran));
        }
        SentOutcome::Ran(place) => place,
        SentOutcome::Unknown => None,
    };
    inner.proof = outcome.limits(inner.proof);
    let note = outcome.note(call.context, inner.proof);
    let within = inner.weakest();
    // The actor is known already unless the message has another.
    let is_own = inner.subject == actor(call.context, message, call.run.actor);
    if is_own {
        inner.subject.clear();
    }
    let told = if is_own { inner.verb_phrase() } else { inner.statement() };
    let words = call.context.words().text("through Move: ").by(place).then(told).then(note);
    let clause = call.clause(verb::ACT, words.done(), Proof::Shown);
    Some(Clause { within, ..clause })
}

type ToldMessage = (VerbForms, Vec<Phrase>, Proof);

/// Describes "sent 1 INIT to R over channel-3 (packet #12)".
fn transfer(call: &MoveFunctionCall<'_>) -> Option<ToldMessage> {
    if let Some((place, (name, tokens))) = call.run.seen.claim_view(PacketTokens::sent, |_| true) {
        let words =
            call.context.words().coin(&tokens.left()).by([place]).text(" to ").party_elsewhere(&tokens.receiver);
        return Some((verb::SEND, left(call, words.by([place]).text(" over ").done(), place, &name), Proof::Shown));
    }
    let (receiver, coin) = (call.arguments.text(0)?, coins::coin(call, 1, 2)?);
    let words = call.context.words().coin(&coin).text(" to ").party_elsewhere(&receiver).text(" over ");
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
    let (receiver, collection) = (call.arguments.text(0)?, call.arguments.word(1)?);
    if let Some((place, (name, nfts))) = call.run.seen.claim_view(PacketNfts::sent, |_| true) {
        let words = words(&nfts.tokens).by([place]).text(" of ");
        let words = words.then(super::call::collection(call.context, collection, nfts.class_name.as_deref()));
        let words = words.text(" to ").party_elsewhere(&nfts.receiver).by([place]).text(" over ");
        return Some((verb::SEND, left(call, words.done(), place, &name), Proof::Shown));
    }
    let ids = call.arguments.texts(2)?;
    let words = words(&ids).text(" of ").word(call.context.account(narrow(collection)));
    let words = words.text(" to ").party_elsewhere(&receiver).text(" over ");
    Some((verb::SEND, over(call, words.done(), 4)?, Proof::Absent))
}

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

/// Describes "voted yes on proposal 7". The event decides; an unreadable choice in it is left out.
fn vote(call: &MoveFunctionCall<'_>) -> ToldMessage {
    let number = call.arguments.number(0).map(|number| number.to_string());
    let sender = call.run.message.text("sender").unwrap_or_default();
    let voted = call.run.seen.first_where(PROPOSAL_VOTE, |event| {
        event.text(keys::PROPOSAL_ID).is_none_or(|named| Some(named) == number.as_deref())
            && names(event, keys::VOTER, &sender)
    });
    let choice = match voted.and_then(|(_, event)| event.text(keys::OPTION)) {
        Some(option) => vote_choice(option).map(ToOwned::to_owned),
        None => call.arguments.number(2).map(|option| match option.to_string().as_str() {
            "1" => "yes".to_owned(),
            "2" => "abstain".to_owned(),
            "3" => "no".to_owned(),
            "4" => "no with veto".to_owned(),
            other => format!("option {other}"),
        }),
    };
    let place = voted.map(|(place, _)| place);
    let number = number.map_or_else(|| "a proposal".to_owned(), |number| format!("proposal {number}"));
    let choice = choice.map(|choice| format!("{choice} ")).unwrap_or_default();
    let words = call.context.words().text(format!("{choice}on {number}")).by(place);
    (verb::VOTE, words.done(), by(place))
}

/// Describes "ran `0xabc::market::supply` as a Cosmos message".
fn move_execute(call: &MoveFunctionCall<'_>) -> Option<ToldMessage> {
    let address = call.arguments.word(0)?;
    let (module, function) = (call.arguments.text(1)?, call.arguments.text(2)?);
    let ran = call.run.seen.first_where(EXECUTE, |event| {
        event.text(keys::MODULE_ADDRESS).is_none_or(|named| any_form(named) == Some(address))
            && event.text(keys::MODULE_NAME) == Some(&module)
            && event.text(keys::FUNCTION_NAME) == Some(&function)
    });
    let words = call.context.words().code(format!("{}::{module}::{function}", trimmed(&address)));
    let words = words.by(ran.map(|(place, _)| place)).text(" as a Cosmos message");
    Some((verb::RUN, words.done(), if ran.is_some() { Proof::Ran } else { Proof::Absent }))
}
