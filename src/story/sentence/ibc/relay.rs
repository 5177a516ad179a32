//! What a relayer brings: packets, answers to packets, and proof that packets expired.

use serde_json::{Map, Value};

use super::{memo_words, packet_words, send::numbered};
use crate::story::{
    DecodedEvent, Phrase,
    context::{Clause, MessageRef, PhraseBuilder, TxContext},
    packet::{Acknowledgement, Memo, PacketData, PacketId},
    proof::Proof,
    sentence::{
        clauses::{MessageEvents, clause_by, clause_with, same_account},
        verb,
    },
};

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
        // What the event carries is what the chain took.
        let data = match event.map(|(_, event)| PacketData::of_event(event)) {
            None | Some(PacketData::Other) => PacketData::of_message(packet),
            Some(data) => data,
        };
        let mut packet = Self { name, data, seen, event };
        if kind == "acknowledge_packet" {
            packet.correct();
        }
        Some(packet)
    }

    /// Takes parties and amount from the application's own event, which an answer's has not.
    fn correct(&mut self) {
        let (PacketData::Tokens(tokens), Some((_, event))) = (&mut self.data, self.seen.one("fungible_token_packet"))
        else {
            return;
        };
        let text = |name: &str| event.value(name).filter(|text| !text.is_empty()).map(ToOwned::to_owned);
        if let (Some(path), Some(Ok(amount))) = (text("denom"), text("amount").map(|amount| amount.parse())) {
            (tokens.path, tokens.amount) = (path, amount);
            tokens.sender = text("sender").unwrap_or_else(|| std::mem::take(&mut tokens.sender));
            tokens.receiver = text("receiver").unwrap_or_else(|| std::mem::take(&mut tokens.receiver));
        }
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

/// "from {chain}"; "over {channel}" where it is not known.
fn origin_words<'s, 'a>(context: &'s TxContext<'a>, packet: &RelayedPacket<'_>) -> PhraseBuilder<'s, 'a> {
    match packet.origin_chain(context) {
        Some(chain) => context.words().text(format!("from {chain}")),
        None => context.words().text("over ").plain(&packet.name.destination_channel),
    }
}

/// A message without a packet that can be read.
fn unread(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let rest = context.words().text("a packet that cannot be read").done();
    clause_by(context, message, "signer", verb::RELAY, rest, Proof::Ran)
}

/// "{C} arrived from {chain}: {sender} → {receiver} (packet #{n})", and what came with it.
pub(super) fn receive(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let Some(packet) = RelayedPacket::of(context, message, "recv_packet") else { return unread(context, message) };
    if packet.event.is_none() {
        return relayed(context, message, &packet);
    }
    let answer =
        packet.seen.that("write_acknowledgement", |event| PacketId::of_event(event).as_ref() == Some(&packet.name));
    let read = answer.and_then(|(_, event)| event.value("packet_ack").or_else(|| event.value("packet_ack_hex")));
    let credit = credited(&packet);
    let mut subject = packet_words::arrived(context, &packet.data, &packet.name);
    match (answer, read.map(Acknowledgement::of)) {
        (Some((place, _)), Some(Acknowledgement::Refused(_))) => {
            let subject = context.words().then(subject).text(" ").then(origin_words(context, &packet).done());
            let words = context.words().text(": ").then(parties_words(context, &packet)).by([place]);
            let words = words.text("; it is to be refunded there");
            clause_with(context, subject.done(), verb::REFUSE, words, &[place])
        }
        (answer, _) if credit.is_empty() && (carries(&packet) || answer.is_none()) => {
            uncredited(context, message, &packet)
        }
        _ => {
            if let Some(first) = subject.first_mut() {
                first.events = packet.places().into_iter().chain(credit).collect();
            }
            let (after, within) = consequence(context, message, &packet);
            let name = match &packet.data {
                PacketData::Tokens(tokens) => {
                    packet_words::foreign_name(context, &tokens.arrived(&packet.name), &tokens.path)
                }
                _ => Vec::new(),
            };
            // What a contract takes in it alone says, unless it is known: any contract may open a channel of its own.
            let (port, channel) = (&packet.name.destination_port, &packet.name.destination_channel);
            let is_contracts = port.starts_with("wasm.") && !context.glossary.is_port_known(port, channel);
            let report = if is_contracts { ", as the contract reports" } else { "" };
            let within = if is_contracts { within.min(Proof::Reported) } else { within };
            let words = route_words(context, &packet).text(report).then(after).then(name);
            Clause { within, ..clause_with(context, subject, verb::ARRIVE, words, &packet.places()) }
        }
    }
}

/// Whether a packet brings tokens or NFTs, which are credited with events.
fn carries(packet: &RelayedPacket<'_>) -> bool {
    match &packet.data {
        PacketData::Tokens(tokens) => !tokens.amount.is_zero(),
        PacketData::Nfts(nfts) => !nfts.tokens.is_empty(),
        PacketData::Messages | PacketData::Other => false,
    }
}

/// Of a packet that came, and that nothing shows to have brought anything.
fn uncredited(context: &TxContext<'_>, message: MessageRef<'_>, packet: &RelayedPacket<'_>) -> Clause {
    let words = delivery_words(context, packet).text("; the record has no event that credits it");
    clause_by(context, message, "signer", verb::DELIVER, words.done(), Proof::Absent)
}

/// "from {chain}: {sender} → {receiver} (packet #{n})"; of NFTs only for whom.
fn route_words<'s, 'a>(context: &'s TxContext<'a>, packet: &RelayedPacket<'_>) -> PhraseBuilder<'s, 'a> {
    let words = origin_words(context, packet);
    let words = match (&packet.data, packet_words::parties(&packet.data)) {
        (PacketData::Nfts(_), Some(_)) => words.text(" for "),
        (_, Some(_)) => words.text(": "),
        (_, None) => words,
    };
    words.then(parties_words(context, packet))
}

/// "{sender} → {receiver} (packet #{n})"; of NFTs only for whom.
fn parties_words(context: &TxContext<'_>, packet: &RelayedPacket<'_>) -> Vec<Phrase> {
    let (words, places) = (context.words(), packet.places());
    let words = match (&packet.data, packet_words::parties(&packet.data)) {
        (PacketData::Nfts(_), Some((_, receiver))) => {
            words.then(packet_words::receiver(context, &packet.data, receiver))
        }
        (_, Some((sender, receiver))) => {
            let words = words.party(sender).by(places.iter().copied()).text(" → ");
            words.then(packet_words::receiver(context, &packet.data, receiver))
        }
        (_, None) => words,
    };
    words.by(places.iter().copied()).then(numbered(context, packet.name.sequence, &places)).done()
}

/// The events that credited what arrived.
fn credited(packet: &RelayedPacket<'_>) -> Vec<usize> {
    let is_done = |event: &DecodedEvent| event.value("success").is_none_or(|success| success == "true");
    let own = |kind: &str| packet.seen.places(kind, is_done);
    match &packet.data {
        PacketData::Tokens(tokens) => {
            let events = packet.seen.events.iter();
            events.filter(|(_, event)| tokens.is_credited_by(event, &packet.name)).map(|(place, _)| *place).collect()
        }
        PacketData::Nfts(_) => {
            // On Wasm a contract takes them, and says so itself.
            let mut places = own("non_fungible_token_packet");
            places.extend(own("ibc_packet_received"));
            if packet.name.destination_port.starts_with("wasm.") {
                places.extend(packet.seen.places("wasm", |_| true));
            }
            places
        }
        PacketData::Messages | PacketData::Other => Vec::new(),
    }
}

/// What the arrival brought about: a contract for a new class, or the call that came with it; and what stands behind it.
fn consequence(context: &TxContext<'_>, message: MessageRef<'_>, packet: &RelayedPacket<'_>) -> (Vec<Phrase>, Proof) {
    let (mut phrases, memo, receiver, coin) = match &packet.data {
        PacketData::Tokens(tokens) => {
            // The call runs as an account of its own, which the module's event names.
            let account = packet.seen.one("fungible_token_packet").and_then(|(_, event)| event.value("receiver"));
            let receiver = account.unwrap_or(&tokens.receiver);
            (migrated(context, &packet.seen), &tokens.memo, receiver, Some(tokens.arrived(&packet.name)))
        }
        PacketData::Nfts(nfts) => (new_class(context, packet), &nfts.memo, nfts.receiver.as_str(), None),
        PacketData::Messages | PacketData::Other => return (Vec::new(), Proof::Shown),
    };
    let memo = Memo::of(memo, context.work);
    let (after, proof) = memo_words::on_arrival(context, message, &memo, receiver, coin.as_ref());
    phrases.extend(after);
    (phrases, proof)
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

/// "packet #{n} from {chain} ({C} for {receiver})".
fn delivery_words<'s, 'a>(context: &'s TxContext<'a>, packet: &RelayedPacket<'_>) -> PhraseBuilder<'s, 'a> {
    let words =
        context.words().text(format!("packet #{} ", packet.name.sequence)).then(origin_words(context, packet).done());
    match packet_words::parties(&packet.data) {
        Some((_, receiver)) => {
            let data = packet_words::arrived(context, &packet.data, &packet.name);
            words.text(" (").then(data).text(" for ").party(receiver).text(")")
        }
        None => words,
    }
}

/// A message that left no event, or failed: "{signer} relayed packet #{n} {origin}; no event shows …".
fn relayed(context: &TxContext<'_>, message: MessageRef<'_>, packet: &RelayedPacket<'_>) -> Clause {
    let words = delivery_words(context, packet);
    let words = if context.is_failed() { words } else { words.text(WITHOUT_EFFECT) };
    clause_by(context, message, "signer", verb::RELAY_AND_DELIVER, words.done(), Proof::Ran)
}

/// What is said where a relayer's message left nothing: nodes let pass what another relayer brought before.
const WITHOUT_EFFECT: &str = "; no event shows an effect, so it was probably handled already";

/// "{chain} confirmed packet #{n}: {C} reached {receiver}", or that it was refused and went back.
pub(super) fn acknowledge(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let Some(packet) = RelayedPacket::of(context, message, "acknowledge_packet") else {
        return unread(context, message);
    };
    if packet.event.is_none() {
        return answered(context, message, &packet, "answer to");
    }
    let subject = match packet.target_chain(context) {
        Some(chain) => context.words().text(chain.to_owned()),
        None => context.words().text("The other end of ").plain(&packet.name.source_channel),
    };
    let places = packet.places();
    let words = context.words().text(format!("packet #{}", packet.name.sequence)).by(places.iter().copied());
    let answer = message.text("acknowledgement").map_or(Acknowledgement::Unknown, |text| Acknowledgement::of(&text));
    let (verb, words) = match (answer, packet_words::parties(&packet.data)) {
        (Acknowledgement::Refused(error), _) => {
            let words = if error.is_empty() { words } else { words.text(" (").quote(&error).text(")") };
            (verb::BRING_REFUSAL, words.then(returned(context, &packet)))
        }
        (Acknowledgement::Accepted, Some((_, receiver))) => {
            let told = delivered(&packet, receiver);
            if told.is_empty() {
                (verb::CONFIRM, words)
            } else {
                let what = packet_words::left(context, &packet.data);
                let words = words.text(": ").then(what).by(told.iter().copied());
                (verb::CONFIRM, words.text(" reached ").party(receiver).by(told))
            }
        }
        (Acknowledgement::Unknown, _) => (verb::ANSWER, words.text(" in words of its own")),
        (Acknowledgement::Accepted, None) => (verb::CONFIRM, words),
    };
    clause_with(context, subject.done(), verb, words.then(callback(context, &packet.seen)), &places)
}

/// The events in which the module of tokens or of NFTs says that this receiver was reached.
fn delivered(packet: &RelayedPacket<'_>, receiver: &str) -> Vec<usize> {
    let is_his = |event: &DecodedEvent| event.value("receiver").is_some_and(|text| same_account(text, receiver));
    let kinds = ["fungible_token_packet", "non_fungible_token_packet"];
    kinds.iter().flat_map(|kind| packet.seen.places(kind, is_his)).collect()
}

/// "Packet #{n} timed out; {C} returned to {sender}".
pub(super) fn expire(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let Some(packet) = RelayedPacket::of(context, message, "timeout_packet") else { return unread(context, message) };
    if packet.event.is_none() {
        return answered(context, message, &packet, "timeout of");
    }
    let subject = context.words().text(format!("Packet #{}", packet.name.sequence)).by(packet.places());
    let rest = context.words().then(returned(context, &packet)).then(callback(context, &packet.seen));
    clause_with(context, subject.done(), verb::TIME_OUT, rest, &packet.places())
}

/// "; {C} returned to {sender}", where an event shows it.
fn returned(context: &TxContext<'_>, packet: &RelayedPacket<'_>) -> Vec<Phrase> {
    let Some((sender, _)) = packet_words::parties(&packet.data) else { return Vec::new() };
    let refund = refunded(packet, sender);
    let what = context.words().text("; ").then(packet_words::left(context, &packet.data));
    if refund.is_empty() {
        return what.text(" of ").party(sender).text(" was to come back, and the record has no event of that").done();
    }
    let places: Vec<usize> = packet.places().into_iter().chain(refund).collect();
    what.by(places.iter().copied()).text(" returned to ").party(sender).by(places).done()
}

/// The events that gave back what a packet carried.
fn refunded(packet: &RelayedPacket<'_>, sender: &str) -> Vec<usize> {
    let is_his = |event: &DecodedEvent| {
        let receiver = event.value("refund_receiver").or_else(|| event.value("receiver"));
        receiver.is_none_or(|receiver| same_account(receiver, sender))
    };
    if let PacketData::Tokens(tokens) = &packet.data {
        let events = packet.seen.events.iter();
        return events.filter(|(_, event)| tokens.is_refunded_by(event)).map(|(place, _)| *place).collect();
    }
    let mut places = packet.seen.places("timeout", is_his);
    places.extend(packet.seen.places("non_fungible_token_packet", |event| event.value("error").is_some()));
    places
}

/// That the contract which waited for the end of a packet failed when it was told.
fn callback(context: &TxContext<'_>, seen: &MessageEvents<'_>) -> Vec<Phrase> {
    let Some((place, event)) = seen.one("hook_failed") else { return Vec::new() };
    let words = context.words().text("; the callback to the sender's contract failed").by([place]);
    match event.value("error").or_else(|| event.value("reason")) {
        Some(why) => words.text(": ").quote(why).by([place]).done(),
        None => words.done(),
    }
}

/// A message that left no event, or failed: "{signer} relayed the {answer to} packet #{n} over {channel}".
fn answered(context: &TxContext<'_>, message: MessageRef<'_>, packet: &RelayedPacket<'_>, what: &str) -> Clause {
    let words = context.words().text(format!("the {what} packet #{} over ", packet.name.sequence));
    let words = words.plain(&packet.name.source_channel);
    let words = match (context.is_failed(), packet_words::parties(&packet.data)) {
        (true, Some((sender, receiver))) => {
            let data = packet_words::left(context, &packet.data);
            words.text(" (").then(data).text(", ").party(sender).text(" → ").party(receiver).text(")")
        }
        (true, None) => words,
        (false, _) => words.text(WITHOUT_EFFECT),
    };
    clause_by(context, message, "signer", verb::RELAY, words.done(), Proof::Ran)
}
