//! Messages of relayers: packets, acknowledgements and timeouts.

use serde_json::{Map, Value};

use super::{memo_words, packet_words, send::numbered};
use crate::{
    domain::same_account,
    events::{
        ibc::{PacketEvent, PacketStep},
        keys,
        movevm::ModuleEvent,
        names::{
            CONTRACT_CREATED, ERC721_CREATED, FUNGIBLE_TOKEN_PACKET, HANDLE_MIGRATED_TOKEN_DEPOSIT, HOOK_FAILED,
            INSTANTIATE, NON_FUNGIBLE_TOKEN_PACKET,
        },
    },
    story::{
        context::{MessageRef, TxContext, proof::Proof},
        decode::DecodedEvent,
        packet::{Acknowledgement, Memo, PacketData, PacketId},
        words::{
            builder::PhraseBuilder,
            clause::Clause,
            phrase::Phrase,
            sentence::{
                clauses::{MessageEvents, clause_by, clause_with},
                nested::SentenceContext,
                verb,
            },
        },
    },
};

struct RelayedPacket<'e> {
    name: PacketId,
    data: PacketData,
    seen: MessageEvents<'e>,
    /// Index of the packet's event; `None` if an earlier relayer had delivered the packet.
    place: Option<usize>,
}

impl<'e> RelayedPacket<'e> {
    fn of(context: &'e TxContext<'_>, message: MessageRef<'_>, step: PacketStep) -> Option<Self> {
        let packet: &Map<String, Value> = message.fields.get("packet")?.as_object()?;
        let name = PacketId::of_message(packet)?;
        let seen = MessageEvents::of(context, message);
        let event = event_of(&seen, step, &name);
        // The event has the data that the chain accepted.
        let data = match event.as_ref().map(|(_, event)| PacketData::of_packet(event)) {
            None | Some(PacketData::Other) => PacketData::of_message(packet),
            Some(data) => data,
        };
        let mut packet = Self { name, data, seen, place: event.map(|(place, _)| place) };
        let is_anonymous = matches!(&packet.data, PacketData::Tokens(tokens) if tokens.receiver.is_empty());
        if step == PacketStep::Acknowledged || is_anonymous {
            packet.correct();
        }
        Some(packet)
    }

    /// Takes parties and amount from the application's own event; acknowledgements have none.
    fn correct(&mut self) {
        let (PacketData::Tokens(tokens), Some((_, event))) = (&mut self.data, self.seen.first(FUNGIBLE_TOKEN_PACKET))
        else {
            return;
        };
        let path = event.text(keys::DENOM).filter(|path| !path.is_empty());
        if let (Some(path), Some(amount)) = (path, event.get(keys::AMOUNT)) {
            (tokens.path, tokens.amount) = (path.to_owned(), amount);
            for (key, side) in [(keys::SENDER, &mut tokens.sender), (keys::RECEIVER, &mut tokens.receiver)] {
                event.text(key).filter(|text| !text.is_empty()).into_iter().for_each(|text| text.clone_into(side));
            }
        }
    }

    fn places(&self) -> Vec<usize> {
        self.place.into_iter().collect()
    }

    /// Returns the source chain: this side is the destination.
    fn origin_chain<'s>(&self, context: &'s TxContext<'_>) -> Option<&'s str> {
        packet_words::chain(context, &self.name.destination_port, &self.name.destination_channel)
    }

    /// Returns the destination chain: this side is the source.
    fn target_chain<'s>(&self, context: &'s TxContext<'_>) -> Option<&'s str> {
        packet_words::chain(context, &self.name.source_port, &self.name.source_channel)
    }
}

fn event_of<'e>(seen: &MessageEvents<'e>, step: PacketStep, name: &PacketId) -> Option<(usize, PacketEvent<'e>)> {
    seen.views(PacketEvent::of).find(|(_, event)| event.step == step && event.id.as_ref() == Some(name))
}

/// Describes "from {chain}", or "over {channel}" for an unknown chain.
fn origin_words<'s, 'a>(context: &'s TxContext<'a>, packet: &RelayedPacket<'_>) -> PhraseBuilder<'s, 'a> {
    match packet.origin_chain(context) {
        Some(chain) => context.words().text(format!("from {chain}")),
        None => context.words().text("over ").plain(&packet.name.destination_channel),
    }
}

/// Describes a message without a readable packet.
fn unread(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let rest = context.words().text("an unreadable packet").done();
    clause_by(context, message, "signer", verb::RELAY, rest, Proof::Ran)
}

/// Describes "{C} arrived from {chain}: {sender} → {receiver} (packet #{n})", with its side effects.
pub(super) fn receive(context: &SentenceContext<'_>, message: MessageRef<'_>) -> Clause {
    let Some(packet) = RelayedPacket::of(context, message, PacketStep::Received) else {
        return unread(context, message);
    };
    if packet.place.is_none() {
        return relayed(context, message, &packet);
    }
    let answer = event_of(&packet.seen, PacketStep::Answered, &packet.name);
    let answer = answer.map(|(place, event)| (place, event.acknowledgement.as_deref().map(Acknowledgement::of)));
    let credit = credited(&packet);
    let mut subject = packet_words::arrived(context, &packet.data, &packet.name);
    match answer {
        Some((place, Some(Acknowledgement::Refused(_)))) => {
            let subject = context.words().then(subject).text(" ").then(origin_words(context, &packet).done());
            let (subject, words) = match packet_words::parties(&packet.data) {
                Some(_) => (subject, context.words().text(": ").then(parties_words(context, &packet)).by([place])),
                None => (subject.then(parties_words(context, &packet)).by([place]), context.words()),
            };
            let words =
                if packet.data.has_assets() { words.text("; the source chain must refund the sender") } else { words };
            clause_with(context, subject.done(), verb::REFUSE, words, &[place])
        }
        answer if credit.is_empty() && (packet.data.has_assets() || answer.is_none()) => {
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
            // Only a known contract's report on received tokens counts: any contract may open a channel.
            let (port, channel) = (&packet.name.destination_port, &packet.name.destination_channel);
            let is_contracts = port.starts_with("wasm.") && !context.glossary.is_port_known(port, channel);
            let report = if is_contracts { ", as the contract reports" } else { "" };
            let within = if is_contracts { within.min(Proof::Reported) } else { within };
            let words = route_words(context, &packet).text(report).then(after).then(name);
            Clause { within, ..clause_with(context, subject, verb::ARRIVE, words, &packet.places()) }
        }
    }
}

/// Describes a received packet without evidence of a credit.
fn uncredited(context: &TxContext<'_>, message: MessageRef<'_>, packet: &RelayedPacket<'_>) -> Clause {
    let words = delivery_words(context, packet).text("; the record has no event of a credit");
    clause_by(context, message, "signer", verb::DELIVER, words.done(), Proof::Absent)
}

/// Describes "from {chain}: {sender} → {receiver} (packet #{n})"; for NFTs only the receiver.
fn route_words<'s, 'a>(context: &'s TxContext<'a>, packet: &RelayedPacket<'_>) -> PhraseBuilder<'s, 'a> {
    let words = origin_words(context, packet);
    let words = match (&packet.data, packet_words::parties(&packet.data)) {
        (PacketData::Nfts(_), Some(_)) => words.text(" for "),
        (_, Some(_)) => words.text(": "),
        (_, None) => words,
    };
    words.then(parties_words(context, packet))
}

/// Describes "{sender} → {receiver} (packet #{n})"; for NFTs only the receiver.
fn parties_words(context: &TxContext<'_>, packet: &RelayedPacket<'_>) -> Vec<Phrase> {
    let (words, places) = (context.words(), packet.places());
    let words = match (&packet.data, packet_words::parties(&packet.data)) {
        (PacketData::Nfts(_), Some((_, receiver))) => {
            words.then(packet_words::receiver(context, &packet.data, receiver))
        }
        (_, Some((sender, receiver))) => {
            let words = words.party_elsewhere(sender).by(places.iter().copied()).text(" → ");
            let receiver = passing_account(context, packet).unwrap_or(receiver);
            words.then(packet_words::receiver(context, &packet.data, receiver))
        }
        (_, None) => words,
    };
    words.by(places.iter().copied()).then(numbered(context, packet.name.sequence, &places)).done()
}

/// Returns the account that holds forwarded tokens on the way, by the module's event; the packet's receiver gets none.
fn passing_account<'s>(context: &TxContext<'_>, packet: &'s RelayedPacket<'_>) -> Option<&'s str> {
    let is_forwarded = matches!(Memo::of(packet.data.memo(), context.work), Memo::Forward { .. });
    let (_, event) = packet.seen.first(FUNGIBLE_TOKEN_PACKET).filter(|_| is_forwarded)?;
    event.text(keys::RECEIVER)
}

fn credited(packet: &RelayedPacket<'_>) -> Vec<usize> {
    let events = packet.seen.events.iter().copied();
    match &packet.data {
        PacketData::Tokens(tokens) => tokens.credits(events, &packet.name),
        PacketData::Nfts(nfts) => nfts.credits(events, &packet.name),
        PacketData::Messages | PacketData::Other => Vec::new(),
    }
}

/// Describes side effects of the arrival, with their evidence: a contract for a new class, or an attached call.
fn consequence(
    context: &SentenceContext<'_>,
    message: MessageRef<'_>,
    packet: &RelayedPacket<'_>,
) -> (Vec<Phrase>, Proof) {
    let (mut phrases, memo, receiver, coin) = match &packet.data {
        PacketData::Tokens(tokens) => {
            // The call runs as an account of its own, which the module's event names.
            let account = packet.seen.first(FUNGIBLE_TOKEN_PACKET).and_then(|(_, event)| event.text(keys::RECEIVER));
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

/// Adds " and became its bridged form for {receiver}", for tokens whose bridge moved to IBC.
fn migrated(context: &TxContext<'_>, seen: &MessageEvents<'_>) -> Vec<Phrase> {
    let Some((place, event)) = seen.first(HANDLE_MIGRATED_TOKEN_DEPOSIT) else { return Vec::new() };
    let words = context.words().text(" and became its bridged form").by([place]);
    match event.text(keys::RECEIVER) {
        Some(receiver) => words.text(" for ").party(receiver).by([place]).done(),
        None => words.done(),
    }
}

/// Adds " and a new contract {N} was created for its class".
fn new_class(context: &TxContext<'_>, packet: &RelayedPacket<'_>) -> Vec<Phrase> {
    const END: &str = " was created for its class";
    let seen = &packet.seen;
    let words = context.words();
    if let Some((place, _)) = seen.first(ERC721_CREATED) {
        // That event names the contract by its code hash, so the preceding event provides the address.
        let before = seen.events.iter().rev().find(|(other, event)| *other < place && event.kind == CONTRACT_CREATED);
        if let Some((other, contract)) = before.and_then(|(other, event)| Some((*other, event.text(keys::CONTRACT)?))) {
            return words.text(" and a new contract ").contract(contract).by([other, place]).text(END).done();
        }
    }
    if let Some((place, contract)) =
        seen.first(INSTANTIATE).and_then(|(place, event)| Some((place, event.text(keys::WASM_CONTRACT)?)))
    {
        return words.text(" and a new contract ").party(contract).by([place]).text(END).done();
    }
    let is_new = |event: &ModuleEvent<'_>| event.standard() == Some("collection::CreateCollectionEvent");
    let created = seen.views(|event| ModuleEvent::of(event).filter(is_new)?.read()).next();
    match created {
        Some((place, created)) if !created.collection.is_empty() => {
            words.text(" and a new collection ").code(created.collection).by([place]).text(END).done()
        }
        _ => Vec::new(),
    }
}

/// Describes "packet #{n} from {chain} ({C} for {receiver})".
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

/// Describes a message without events, or a failed one: "{signer} relayed packet #{n} {origin}; no event shows …".
fn relayed(context: &TxContext<'_>, message: MessageRef<'_>, packet: &RelayedPacket<'_>) -> Clause {
    let words = delivery_words(context, packet);
    let words = if context.is_failed() { words } else { words.text(WITHOUT_EFFECT) };
    clause_by(context, message, "signer", verb::RELAY_AND_DELIVER, words.done(), Proof::Ran)
}

/// Text for a relayer's message without events: nodes accept a packet that another relayer delivered before.
const WITHOUT_EFFECT: &str = "; no event shows an effect, so it was probably handled already";

/// Describes "{chain} confirmed packet #{n}: {C} reached {receiver}", or a rejection with its refund. An
/// acknowledgement does not say who was credited: a memo's instruction may have credited another account.
pub(super) fn acknowledge(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let Some(packet) = RelayedPacket::of(context, message, PacketStep::Acknowledged) else {
        return unread(context, message);
    };
    if packet.place.is_none() {
        return answered(context, message, &packet, "answer to");
    }
    let subject = match packet.target_chain(context) {
        Some(chain) => context.words().text(chain.to_owned()),
        None => context.words().text("The other end of ").plain(&packet.name.source_channel),
    };
    let places = packet.places();
    let words = context.words().text(format!("packet #{}", packet.name.sequence)).by(places.iter().copied());
    let answer = Acknowledgement::of_message(message.fields).unwrap_or(Acknowledgement::Unknown);
    let (verb, words) = match (answer, packet_words::parties(&packet.data)) {
        (Acknowledgement::Refused(error), _) => {
            let words = if error.is_empty() { words } else { words.text(" (").quote(&error).text(")") };
            (verb::BRING_REFUSAL, words.then(returned(context, &packet)))
        }
        (Acknowledgement::Accepted, Some((_, receiver))) => {
            let told = delivered(&packet, receiver);
            let what = context.words().then(packet_words::left(context, &packet.data)).by(told.iter().copied());
            let memo = Memo::of(packet.data.memo(), context.work);
            let words = if told.is_empty() {
                words.text(" with ").then(what.done()).text(" for ").party_elsewhere(receiver)
            } else if memo.is_instruction() {
                memo_words::on_acceptance(words.text(": ").then(what.done()).text(" accepted there"), &memo)
            } else {
                words.text(": ").then(what.done()).text(" reached ").party_elsewhere(receiver).by(told)
            };
            (verb::CONFIRM, words)
        }
        (Acknowledgement::Unknown, _) => (verb::ANSWER, words.text(" in an unknown format")),
        (Acknowledgement::Accepted, None) => (verb::CONFIRM, words),
    };
    clause_with(context, subject.done(), verb, words.then(callback(context, &packet.seen)), &places)
}

/// Returns the application's events that confirm the delivery to this receiver.
fn delivered(packet: &RelayedPacket<'_>, receiver: &str) -> Vec<usize> {
    let is_his = |event: &DecodedEvent| event.text(keys::RECEIVER).is_some_and(|text| same_account(text, receiver));
    let kinds = [FUNGIBLE_TOKEN_PACKET, NON_FUNGIBLE_TOKEN_PACKET];
    kinds.iter().flat_map(|kind| packet.seen.places(kind, is_his)).collect()
}

/// Describes "Packet #{n} timed out; {C} returned to {sender}".
pub(super) fn expire(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let Some(packet) = RelayedPacket::of(context, message, PacketStep::TimedOut) else {
        return unread(context, message);
    };
    if packet.place.is_none() {
        return answered(context, message, &packet, "timeout of");
    }
    let subject = context.words().text(format!("Packet #{}", packet.name.sequence)).by(packet.places());
    let rest = context.words().then(returned(context, &packet)).then(callback(context, &packet.seen));
    clause_with(context, subject.done(), verb::TIME_OUT, rest, &packet.places())
}

/// Adds "; {C} returned to {sender}" if an event shows it, else that a received packet is refused with this one.
fn returned(context: &TxContext<'_>, packet: &RelayedPacket<'_>) -> Vec<Phrase> {
    let Some((sender, _)) = packet_words::parties(&packet.data) else { return Vec::new() };
    let refund = refunded(packet);
    if let Some(passed_back) = passed_back(context, &packet.seen).filter(|_| refund.is_empty()) {
        return passed_back;
    }
    let what = context.words().text("; ").then(packet_words::left(context, &packet.data));
    if refund.is_empty() {
        return what.text(" of ").party(sender).text(" was due back, but the record has no refund event").done();
    }
    let places: Vec<usize> = packet.places().into_iter().chain(refund).collect();
    what.by(places.iter().copied()).text(" returned to ").party(sender).by(places).done()
}

/// Describes "; packet #{n} received over {channel} is refused with it", of a packet whose content was passed on. The
/// account that passed it on gets nothing back.
fn passed_back(context: &TxContext<'_>, seen: &MessageEvents<'_>) -> Option<Vec<Phrase>> {
    let is_refusal = |event: &PacketEvent<'_>| {
        let answer = event.acknowledgement.as_deref().filter(|_| event.step == PacketStep::Answered);
        let answer = answer.map(Acknowledgement::of);
        matches!(answer, Some(Acknowledgement::Refused(_)))
    };
    let (place, event) = seen.views(PacketEvent::of).find(|(_, event)| is_refusal(event))?;
    let name = event.id?;
    let words = context.words().text(format!("; packet #{} received over ", name.sequence));
    let words = words.plain(&name.destination_channel).text(" is refused with it").by([place]);
    Some(words.text(", so the source chain must refund the sender").done())
}

fn refunded(packet: &RelayedPacket<'_>) -> Vec<usize> {
    let is_refund = |event: &DecodedEvent| match &packet.data {
        PacketData::Tokens(tokens) => tokens.is_refunded_by(event),
        PacketData::Nfts(nfts) => nfts.is_refunded_by(event),
        PacketData::Messages | PacketData::Other => false,
    };
    packet.seen.events.iter().filter(|(_, event)| is_refund(event)).map(|(place, _)| *place).collect()
}

/// Adds that the contract waiting for the packet's outcome failed when called.
fn callback(context: &TxContext<'_>, seen: &MessageEvents<'_>) -> Vec<Phrase> {
    let Some((place, event)) = seen.first(HOOK_FAILED) else { return Vec::new() };
    let words = context.words().text("; the callback to the sender's contract failed").by([place]);
    match event.text(keys::ERROR).or_else(|| event.text(keys::REASON)) {
        Some(why) => words.text(": ").quote(why).by([place]).done(),
        None => words.done(),
    }
}

/// Describes a message without events, or a failed one: "{signer} relayed the {answer to} packet #{n} over {channel}".
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
