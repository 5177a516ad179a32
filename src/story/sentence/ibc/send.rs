use crate::story::proof::Proof;
use serde_json::Value;

use super::{memo_words, packet_words};
use crate::story::{
    DecodedEvent, Phrase,
    context::{Clause, MessageRef, PhraseBuilder, TxContext, coin_of},
    packet::{Memo, PacketData},
    sentence::{
        clauses::{MessageEvents, clause_by},
        verb,
    },
};

/// The packet that a message of this channel sent.
fn sent<'e>(seen: &MessageEvents<'e>, message: MessageRef<'_>) -> Option<(usize, &'e DecodedEvent)> {
    let (port, channel) = (message.text("source_port"), message.text("source_channel"));
    seen.that("send_packet", |event| {
        port.as_deref().is_none_or(|port| event.value("packet_src_port") == Some(port))
            && channel.as_deref().is_none_or(|channel| event.value("packet_src_channel") == Some(channel))
    })
}

/// "{sender} sent {C} to {receiver} on {chain} ({channel}, packet #{n})".
pub(super) fn tokens(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let seen = MessageEvents::of(context, message);
    let packet = sent(&seen, message);
    let place: Vec<usize> = packet.iter().map(|(place, _)| *place).collect();
    // A later version of the message takes a list.
    let listed = || message.fields.get("tokens").and_then(Value::as_array)?.first().and_then(coin_of);
    let coin = message.coin("token").or_else(listed);
    let words = match &coin {
        Some(coin) => {
            let spent = seen.spent(&message.text("sender").unwrap_or_default(), coin);
            context.words().coin(coin).by(place.iter().copied().chain(spent))
        }
        None => context.words().text("tokens"),
    };
    let words = words.text(" to ").party(&message.text("receiver").unwrap_or_default()).by(place);
    let channel = message.text("source_channel").unwrap_or_default();
    let words = whither(context, message, words, packet, Some(&channel));
    clause_by(context, message, "sender", verb::SEND, with_memo(context, message, words).done(), Proof::Unjudged)
}

/// "{sender} sent NFT {ids} of {class} to {receiver} on {chain} (packet #{n})".
pub(super) fn nfts(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let seen = MessageEvents::of(context, message);
    let packet = sent(&seen, message);
    let place: Vec<usize> = packet.iter().map(|(place, _)| *place).collect();
    let data = packet.map(|(_, event)| PacketData::of_event(event));
    let name = match &data {
        Some(PacketData::Nfts(nfts)) => nfts.class_name.as_deref(),
        _ => None,
    };
    let ids = message.fields.get("token_ids").and_then(Value::as_array);
    let ids: Vec<String> = ids.into_iter().flatten().filter_map(Value::as_str).map(ToOwned::to_owned).collect();
    let class = message.text("class_id").unwrap_or_default();
    let words = packet_words::named_nfts(context.words(), &ids, &class, name).by(place.iter().copied());
    let words = words.text(" to ").party(&message.text("receiver").unwrap_or_default()).by(place);
    let words = whither(context, message, words, packet, None);
    clause_by(context, message, "sender", verb::SEND, with_memo(context, message, words).done(), Proof::Unjudged)
}

/// " on {chain} ({channel}, packet #{n})"; " over {channel} (packet #{n})" where the chain is not known.
fn whither<'s, 'a>(
    context: &'s TxContext<'a>,
    message: MessageRef<'_>,
    words: PhraseBuilder<'s, 'a>,
    packet: Option<(usize, &DecodedEvent)>,
    shown: Option<&str>,
) -> PhraseBuilder<'s, 'a> {
    let (port, channel) =
        (message.text("source_port").unwrap_or_default(), message.text("source_channel").unwrap_or_default());
    let number = packet.and_then(|(_, event)| event.value("packet_sequence")).map(|number| format!("packet #{number}"));
    let (words, within) = match packet_words::chain(context, &port, &channel) {
        Some(chain) => {
            let within: Vec<String> = shown.map(ToOwned::to_owned).into_iter().chain(number).collect();
            (words.text(format!(" on {chain}")), within.join(", "))
        }
        None => (words.text(format!(" over {channel}")), number.unwrap_or_default()),
    };
    if within.is_empty() { words } else { words.text(format!(" ({within})")).by(packet.map(|(place, _)| place)) }
}

fn with_memo<'s, 'a>(
    context: &TxContext<'_>,
    message: MessageRef<'_>,
    words: PhraseBuilder<'s, 'a>,
) -> PhraseBuilder<'s, 'a> {
    memo_words::on_leaving(words, &Memo::of(&message.text("memo").unwrap_or_default(), context.work))
}

/// The phrases of a packet's number.
pub(super) fn numbered(context: &TxContext<'_>, sequence: u64, places: &[usize]) -> Vec<Phrase> {
    context.words().text(format!(" (packet #{sequence})")).by(places.iter().copied()).done()
}
