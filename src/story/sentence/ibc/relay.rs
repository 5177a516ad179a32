//! What a relayer brings: packets, answers to packets, and proof that packets expired.

use crate::story::proof::Proof;
use serde_json::{Map, Value};

use super::{memo_words, packet_words, send::numbered};
use crate::story::{
    DecodedEvent, Phrase,
    context::{Clause, MessageRef, PhraseBuilder, TxContext},
    packet::{Acknowledgement, Memo, PacketData, PacketId},
    sentence::{
        clauses::{MessageEvents, clause_by},
        verb,
    },
};

/// How nodes mark what happened while a packet was being refused, and was undone.
const UNDONE: &str = "ibccallbackerror-";

/// A packet that a relayer's message is about.
struct RelayedPacket<'e> {
    name: PacketId,
    data: PacketData,
    seen: MessageEvents<'e>,
    /// The event that says so; none where it had been done before.
    event: Option<(usize, &'e DecodedEvent)>,
}

impl<'e> RelayedPacket<'e> {
    fn of(context: &'e TxContext<'_>, message: MessageRef<'_>, kind: &str) -> Option<Self> {
        let packet: &Map<String, Value> = message.fields.get("packet")?.as_object()?;
        let name = PacketId::of_message(packet)?;
        let seen = MessageEvents::of(context, message);
        let event = seen.that(kind, |event| PacketId::of_event(event).as_ref() == Some(&name));
        Some(Self { data: PacketData::of_message(packet), name, seen, event })
    }

    fn places(&self) -> Vec<usize> {
        self.event.iter().map(|(place, _)| *place).collect()
    }

    /// The chain that it came from: this side is its destination.
    fn origin_chain<'s>(&self, context: &'s TxContext<'_>) -> Option<&'s str> {
        packet_words::chain(context, &self.name.destination_port, &self.name.destination_channel)
    }

    /// The chain that it was sent to: this side is its source.
    fn target_chain<'s>(&self, context: &'s TxContext<'_>) -> Option<&'s str> {
        packet_words::chain(context, &self.name.source_port, &self.name.source_channel)
    }
}

/// " from {chain}"; " over {channel}" where it is not known.
fn origin_words<'s, 'a>(context: &'s TxContext<'a>, packet: &RelayedPacket<'_>) -> PhraseBuilder<'s, 'a> {
    context.words().text(match packet.origin_chain(context) {
        Some(chain) => format!("from {chain}"),
        None => format!("over {}", packet.name.destination_channel),
    })
}

/// A message without a packet that can be read.
fn unread(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    clause_by(
        context,
        message,
        "signer",
        verb::RELAY,
        context.words().text("a packet that cannot be read").done(),
        Proof::Unjudged,
    )
}

/// "{C} arrived from {chain}: {sender} → {receiver} (packet #{n})", and what came with it.
pub(super) fn receive(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let Some(packet) = RelayedPacket::of(context, message, "recv_packet") else { return unread(context, message) };
    if packet.event.is_none() {
        return relayed(context, message, &packet, "which had been delivered already");
    }
    let answer =
        packet.seen.that("write_acknowledgement", |event| PacketId::of_event(event).as_ref() == Some(&packet.name));
    let places = packet.places();
    let mut subject = packet_words::arrived(context, &packet.data, &packet.name);
    if let Some(last) = subject.first_mut() {
        last.events = places.iter().copied().chain(credited(&packet)).collect();
    }
    let read = answer.and_then(|(_, event)| event.value("packet_ack").or_else(|| event.value("packet_ack_hex")));
    let words = route_words(context, &packet);
    let rest = match (answer, read.map(Acknowledgement::of)) {
        (Some((place, _)), Some(Acknowledgement::Refused(error))) => {
            let (place, reason) = reason(&packet.seen).unwrap_or((place, error));
            let reason = if reason.is_empty() { "no reason was given" } else { &reason };
            words.text(format!(", but was refused: {reason}")).by([place]).text("; it will be refunded there")
        }
        _ => words.then(consequence(context, message, &packet)),
    };
    Clause::new(subject, verb::ARRIVE, rest.done(), Proof::Unjudged)
}

/// "from {chain}: {sender} → {receiver} (packet #{n})"; of NFTs only for whom.
fn route_words<'s, 'a>(context: &'s TxContext<'a>, packet: &RelayedPacket<'_>) -> PhraseBuilder<'s, 'a> {
    let (words, places) = (origin_words(context, packet), packet.places());
    let words = match (&packet.data, packet_words::parties(&packet.data)) {
        (PacketData::Nfts(_), Some((_, receiver))) => {
            words.text(" for ").then(receiver_words(context, packet, receiver))
        }
        (_, Some((sender, receiver))) => {
            let words = words.text(": ").party(sender).by(places.iter().copied()).text(" → ");
            words.then(receiver_words(context, packet, receiver))
        }
        (_, None) => words,
    };
    words.by(places.iter().copied()).then(numbered(context, packet.name.sequence, &places))
}

/// The receiver; a contract of the EVM where a call was sent to it.
fn receiver_words(context: &TxContext<'_>, packet: &RelayedPacket<'_>, receiver: &str) -> Vec<Phrase> {
    let is_called = packet.data.memo().trim_start().starts_with(r#"{"evm""#) && receiver.starts_with("0x");
    let words = context.words();
    if is_called { words.contract(receiver).done() } else { words.party(receiver).done() }
}

/// The events that credited what arrived.
fn credited(packet: &RelayedPacket<'_>) -> Vec<usize> {
    match &packet.data {
        PacketData::Tokens(tokens) => {
            let coin = tokens.arrived(&packet.name);
            let mut places = packet.seen.received(&tokens.receiver, &coin);
            places.extend(packet.seen.one("fungible_token_packet").map(|(place, _)| place));
            places
        }
        PacketData::Nfts(_) => {
            packet.seen.one("non_fungible_token_packet").map(|(place, _)| place).into_iter().collect()
        }
        PacketData::Messages | PacketData::Other => Vec::new(),
    }
}

/// Why the application refused, as its own event says: the answer itself tells little.
fn reason(seen: &MessageEvents<'_>) -> Option<(usize, String)> {
    const KINDS: [&str; 3] = ["fungible_token_packet", "non_fungible_token_packet", "ibc_packet_received"];
    seen.events.iter().find_map(|(place, event)| {
        let kind = event.kind.strip_prefix(UNDONE).unwrap_or(&event.kind);
        if !KINDS.contains(&kind) {
            return None;
        }
        let error = event.value("error").or_else(|| event.value(&format!("{UNDONE}error")))?;
        Some((*place, error.to_owned()))
    })
}

/// What the arrival brought about: a contract for a new class, or the call that came with it.
fn consequence(context: &TxContext<'_>, message: MessageRef<'_>, packet: &RelayedPacket<'_>) -> Vec<Phrase> {
    match &packet.data {
        PacketData::Tokens(tokens) => {
            let memo = Memo::of(&tokens.memo, context.work);
            // The call runs as an account of its own, which the module's event names.
            let account = packet.seen.one("fungible_token_packet").and_then(|(_, event)| event.value("receiver"));
            let coin = tokens.arrived(&packet.name);
            let mut phrases = migrated(context, &packet.seen);
            phrases.extend(memo_words::on_arrival(
                context,
                message,
                &memo,
                account.unwrap_or(&tokens.receiver),
                Some(&coin),
            ));
            phrases
        }
        PacketData::Nfts(nfts) => {
            let mut phrases = new_class(context, packet);
            let memo = Memo::of(&nfts.memo, context.work);
            phrases.extend(memo_words::on_arrival(context, message, &memo, &nfts.receiver, None));
            phrases
        }
        PacketData::Messages | PacketData::Other => Vec::new(),
    }
}

/// " and was changed into its bridged form for {receiver}": of tokens whose bridge moved to IBC.
fn migrated(context: &TxContext<'_>, seen: &MessageEvents<'_>) -> Vec<Phrase> {
    let Some((place, event)) = seen.one("handle_migrated_token_deposit") else { return Vec::new() };
    let words = context.words().text(" and was changed into its bridged form").by([place]);
    match event.value("receiver") {
        Some(receiver) => words.text(" for ").party(receiver).by([place]).done(),
        None => words.done(),
    }
}

/// " and a new contract {N} was created for its class".
fn new_class(context: &TxContext<'_>, packet: &RelayedPacket<'_>) -> Vec<Phrase> {
    const END: &str = " was created for its class";
    let seen = &packet.seen;
    let words = context.words();
    if let Some((place, _)) = seen.one("erc721_created") {
        // That event names the contract by its byte code, so its neighbour is asked.
        let before = seen.events.iter().rev().find(|(other, event)| *other < place && event.kind == "contract_created");
        if let Some((other, contract)) = before.and_then(|(other, event)| Some((*other, event.value("contract")?))) {
            return words.text(" and a new contract ").contract(contract).by([other, place]).text(END).done();
        }
    }
    if let Some((place, contract)) =
        seen.one("instantiate").and_then(|(place, event)| Some((place, event.value("_contract_address")?)))
    {
        return words.text(" and a new contract ").party(contract).by([place]).text(END).done();
    }
    let collection =
        seen.that("move", |event| event.value("type_tag") == Some("0x1::collection::CreateCollectionEvent"));
    let object = collection.and_then(|(place, event)| {
        let data: Value = serde_json::from_str(event.value("data")?).ok()?;
        Some((place, data.get("collection")?.as_str()?.to_owned()))
    });
    match object {
        Some((place, object)) => words.text(" and a new collection ").code(object).by([place]).text(END).done(),
        None => Vec::new(),
    }
}

/// A message that did nothing, or failed: "{signer} relayed packet #{n} {origin}, which …; nothing happened".
fn relayed(context: &TxContext<'_>, message: MessageRef<'_>, packet: &RelayedPacket<'_>, why: &'static str) -> Clause {
    let words =
        context.words().text(format!("packet #{} ", packet.name.sequence)).then(origin_words(context, packet).done());
    let words = match packet_words::parties(&packet.data) {
        Some((_, receiver)) => {
            let data = packet_words::arrived(context, &packet.data, &packet.name);
            words.text(" (").then(data).text(" for ").party(receiver).text(")")
        }
        None => words,
    };
    let words = if context.is_failed() { words } else { words.text(", ").text(why).text("; nothing happened") };
    clause_by(context, message, "signer", verb::RELAY_AND_DELIVER, words.done(), Proof::Unjudged)
}

/// "{chain} confirmed packet #{n}: {C} reached {receiver}", or that it was refused and went back.
pub(super) fn acknowledge(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let Some(packet) = RelayedPacket::of(context, message, "acknowledge_packet") else {
        return unread(context, message);
    };
    if packet.event.is_none() {
        return answered(context, message, &packet, "answer to");
    }
    let subject = context.words().text(match packet.target_chain(context) {
        Some(chain) => chain.to_owned(),
        None => format!("The other end of {}", packet.name.source_channel),
    });
    let places = packet.places();
    let words = context.words().text(format!("packet #{}", packet.name.sequence)).by(places.iter().copied());
    let answer = message.text("acknowledgement").map_or(Acknowledgement::Unknown, |text| Acknowledgement::of(&text));
    let what = packet_words::left(context, &packet.data);
    let (verb, words) = match (answer, packet_words::parties(&packet.data)) {
        (Acknowledgement::Refused(error), parties) => {
            let error = if error.is_empty() { "no reason was given".to_owned() } else { error };
            let words = words.text(format!(" ({error})")).then(returned(context, &packet, what, parties));
            (verb::BRING_REFUSAL, words)
        }
        (_, Some((_, receiver))) => {
            (verb::CONFIRM, words.text(": ").then(what).by(places).text(" reached ").party(receiver))
        }
        (_, None) => (verb::CONFIRM, words),
    };
    Clause::new(subject.done(), verb, words.then(callback(context, &packet.seen)).done(), Proof::Unjudged)
}

/// "Packet #{n} expired; {C} returned to {sender}".
pub(super) fn expire(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let Some(packet) = RelayedPacket::of(context, message, "timeout_packet") else { return unread(context, message) };
    if packet.event.is_none() {
        return answered(context, message, &packet, "expiry of");
    }
    let subject = context.words().text(format!("Packet #{}", packet.name.sequence)).by(packet.places());
    let what = packet_words::left(context, &packet.data);
    let rest = context.words().then(returned(context, &packet, what, packet_words::parties(&packet.data)));
    Clause::new(subject.done(), verb::EXPIRE, rest.then(callback(context, &packet.seen)).done(), Proof::Unjudged)
}

/// "; {C} returned to {sender}".
fn returned(
    context: &TxContext<'_>,
    packet: &RelayedPacket<'_>,
    what: Vec<Phrase>,
    parties: Option<(&str, &str)>,
) -> Vec<Phrase> {
    let Some((sender, _)) = parties else { return Vec::new() };
    let places = match &packet.data {
        PacketData::Tokens(tokens) => packet.seen.received(sender, &tokens.left()),
        _ => Vec::new(),
    };
    let places: Vec<usize> = packet.places().into_iter().chain(places).collect();
    context
        .words()
        .text("; ")
        .then(what)
        .by(places.iter().copied())
        .text(" returned to ")
        .party(sender)
        .by(places)
        .done()
}

/// That the contract which waited for the end of a packet failed when it was told.
fn callback(context: &TxContext<'_>, seen: &MessageEvents<'_>) -> Vec<Phrase> {
    let Some((place, event)) = seen.one("hook_failed") else { return Vec::new() };
    let why = event.value("error").or_else(|| event.value("reason")).unwrap_or("no reason was given");
    context.words().text(format!("; the callback to the sender's contract failed: {why}")).by([place]).done()
}

/// A message that did nothing, or failed: "{signer} relayed the {answer to} packet #{n} over {channel}".
fn answered(context: &TxContext<'_>, message: MessageRef<'_>, packet: &RelayedPacket<'_>, what: &str) -> Clause {
    let words = format!("the {what} packet #{} over {}", packet.name.sequence, packet.name.source_channel);
    let words = context.words().text(words);
    let words = match (context.is_failed(), packet_words::parties(&packet.data)) {
        (true, Some((sender, receiver))) => {
            let data = packet_words::left(context, &packet.data);
            words.text(" (").then(data).text(", ").party(sender).text(" → ").party(receiver).text(")")
        }
        (true, None) => words,
        (false, _) => words.text(", which had been handled already; nothing happened"),
    };
    clause_by(context, message, "signer", verb::RELAY, words.done(), Proof::Unjudged)
}
