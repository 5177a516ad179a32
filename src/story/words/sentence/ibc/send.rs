use std::borrow::Cow;

use serde_json::Value;

use super::{memo_words, packet_words};
use crate::{
    domain::{Address, same_account},
    events::{
        keys::{self, AttributeKey},
        names::IBC_TRANSFER,
    },
    story::{
        context::{MessageRef, TxContext},
        decode::DecodedEvent,
        names::denoms::left_denom,
        packet::{Memo, OutgoingPacket, PacketData, PacketId, PacketNfts, PacketTokens},
        words::{
            builder::PhraseBuilder,
            clause::Clause,
            phrase::Phrase,
            sentence::{
                clauses::{MessageEvents, clause_with, places_of, subject},
                verb,
            },
        },
    },
};

/// Claims the packet that the message sent: the packet with the message's parties, else the only packet.
fn sent(seen: &MessageEvents<'_>, message: MessageRef<'_>) -> Option<(usize, OutgoingPacket)> {
    let is_asked = |field: &str, value: &str| message.text(field).is_none_or(|text| text == value);
    let (sender, receiver) = (sender(message), message.text("receiver").unwrap_or_default());
    seen.claim_view_or_only(OutgoingPacket::of, |packet| {
        let is_of = |(from, to): (&str, &str)| same_account(from, &sender) && same_account(to, &receiver);
        is_asked("source_port", &packet.id.source_port)
            && is_asked("source_channel", &packet.id.source_channel)
            && packet_words::parties(&packet.data).is_some_and(is_of)
    })
}

/// Describes "{sender} sent {C} to {receiver} on {chain} ({channel}, packet #{n})" by the packet.
pub(super) fn tokens(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let seen = MessageEvents::of(context, message);
    let Some((place, OutgoingPacket { id, data })) = sent(&seen, message) else {
        return asked_tokens(context, message);
    };
    let tokens = if let PacketData::Tokens(tokens) = data { Some(tokens) } else { reported_tokens(&seen, message) };
    match tokens {
        Some(tokens) => shown_tokens(context, message, &seen, (place, &id), &tokens),
        None => asked_tokens(context, message),
    }
}

/// Returns what the application's own event says of a packet whose content the record lacks.
fn reported_tokens(seen: &MessageEvents<'_>, message: MessageRef<'_>) -> Option<PacketTokens> {
    let sender = sender(message);
    let reported = |event: &DecodedEvent| {
        let text = |key: AttributeKey<String>| event.text(key).unwrap_or_default().to_owned();
        let party = |key: AttributeKey<Address>| event.text(key).unwrap_or_default().to_owned();
        let (path, amount) = (event.text(keys::DENOM)?.to_owned(), event.get(keys::AMOUNT)?);
        let (sender, receiver, memo) = (party(keys::SENDER), party(keys::RECEIVER), text(keys::MEMO));
        (event.kind == IBC_TRANSFER).then_some(PacketTokens { path, amount, sender, receiver, memo })
    };
    seen.claim_view(reported, |tokens| same_account(&tokens.sender, &sender)).map(|(_, tokens)| tokens)
}

/// Returns the account whose tokens leave: of a packet of IBC v2, the signer's.
fn sender(message: MessageRef<'_>) -> Cow<'_, str> {
    message.text("sender").or_else(|| message.text("signer")).unwrap_or_default()
}

fn shown_tokens(
    context: &TxContext<'_>,
    message: MessageRef<'_>,
    seen: &MessageEvents<'_>,
    packet: (usize, &PacketId),
    tokens: &PacketTokens,
) -> Clause {
    let (coin, places) = (tokens.left(), [packet.0]);
    let words = context.words().coin(&coin).by(places.into_iter().chain(seen.spent(&tokens.sender, &coin)));
    let words =
        whither(words.text(" to ").then(receiver(context, &tokens.receiver, &places)), message, Some(packet), true);
    let words = memo_words::on_leaving(words, &Memo::of(&tokens.memo, context.work));
    clause_with(context, subject(context, message, "sender", &tokens.sender), verb::SEND, words, &places)
}

fn asked_tokens(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    // A later version of the message has a list.
    let amount = message.fields.get("token").or_else(|| message.fields.get("tokens"));
    let words = context.words().amounts(amount).text(" to ");
    let words = words.then(receiver(context, &message.text("receiver").unwrap_or_default(), &[]));
    let words = whither(words, message, None, true);
    let memo = message.text("memo").unwrap_or_default();
    let words = memo_words::on_leaving(words, &Memo::of(&memo, context.work));
    let who = subject(context, message, "sender", &message.text("sender").unwrap_or_default());
    clause_with(context, who, verb::SEND, words, &[])
}

/// Describes "{sender} sent NFT {ids} of {class} to {receiver} on {chain} (packet #{n})".
pub(super) fn nfts(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let (packet, nfts) = match sent(&MessageEvents::of(context, message), message) {
        Some((place, OutgoingPacket { id, data: PacketData::Nfts(nfts) })) => (Some((place, id)), nfts),
        _ => (None, asked_nfts(message)),
    };
    let packet = packet.as_ref().map(|(place, id)| (*place, id));
    let place = places_of(packet);
    let class = left_denom(&nfts.class);
    let words = packet_words::named_nfts(context.words(), &nfts.tokens, class.as_str(), nfts.class_name.as_deref());
    let words = words.by(place.iter().copied()).text(" to ").then(receiver(context, &nfts.receiver, &place));
    let words = whither(words, message, packet, false);
    let words = memo_words::on_leaving(words, &Memo::of(&nfts.memo, context.work));
    clause_with(context, subject(context, message, "sender", &nfts.sender), verb::SEND, words, &place)
}

/// Returns the requested NFTs in the format of a packet.
fn asked_nfts(message: MessageRef<'_>) -> PacketNfts {
    let text = |name: &str| message.text(name).unwrap_or_default().into_owned();
    let ids = message.fields.get("token_ids").and_then(Value::as_array);
    PacketNfts {
        class: text("class_id"),
        class_name: None,
        tokens: ids.into_iter().flatten().filter_map(Value::as_str).map(ToOwned::to_owned).collect(),
        sender: text("sender"),
        receiver: text("receiver"),
        memo: text("memo"),
    }
}

/// Describes the receiver, which may be any text; a text that no chain can parse is called unreadable.
fn receiver(context: &TxContext<'_>, text: &str, places: &[usize]) -> Vec<Phrase> {
    let words = context.words();
    let words = if text.contains(char::is_whitespace) { words.text("an unreadable recipient, ") } else { words };
    words.party_elsewhere(text).by(places.iter().copied()).done()
}

/// Adds " on {chain} ({channel}, packet #{n})", or " over {channel} (packet #{n})" for an unknown chain.
fn whither<'s, 'a>(
    words: PhraseBuilder<'s, 'a>,
    message: MessageRef<'_>,
    packet: Option<(usize, &PacketId)>,
    is_channel_shown: bool,
) -> PhraseBuilder<'s, 'a> {
    let field = |name: &str| message.text(name).unwrap_or_default();
    let (port, channel) = match packet {
        Some((_, id)) => (id.source_port.as_str().into(), id.source_channel.as_str().into()),
        None => (field("source_port"), field("source_channel")),
    };
    let chain = words.chain_behind(&port, &channel);
    let number = packet.map(|(_, id)| id.sequence.to_string());
    let words = match &chain {
        Some(chain) => words.text(format!(" on {chain}")),
        None => words.text(" over ").plain(&channel),
    };
    let channel = Some(channel).filter(|_| chain.is_some() && is_channel_shown);
    let words = match (&channel, &number) {
        (None, None) => return words,
        (Some(channel), None) => words.text(" (").plain(channel),
        (None, Some(number)) => words.text(" (packet #").plain(number),
        (Some(channel), Some(number)) => words.text(" (").plain(channel).text(", packet #").plain(number),
    };
    words.text(")").by(packet.map(|(place, _)| place))
}

pub(super) fn numbered(context: &TxContext<'_>, sequence: u64, places: &[usize]) -> Vec<Phrase> {
    context.words().text(format!(" (packet #{sequence})")).by(places.iter().copied()).done()
}
