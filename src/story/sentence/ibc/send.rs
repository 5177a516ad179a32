use serde_json::Value;

use super::{asked, cargo};
use crate::story::{
    DecodedEvent, Phrase,
    packet::{Cargo, Memo},
    scene::{Clause, Scene, Told, Words, coin_of},
    sentence::{
        say::{Seen, by_field},
        verb,
    },
};

/// The packet that a message of this channel sent.
fn sent<'e>(seen: &Seen<'e>, told: Told<'_>) -> Option<(usize, &'e DecodedEvent)> {
    let (port, channel) = (told.text("source_port"), told.text("source_channel"));
    seen.that("send_packet", |event| {
        port.as_deref().is_none_or(|port| event.value("packet_src_port") == Some(port))
            && channel.as_deref().is_none_or(|channel| event.value("packet_src_channel") == Some(channel))
    })
}

/// "{sender} sent {C} to {receiver} on {chain} ({channel}, packet #{n})".
pub(super) fn tokens(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let seen = Seen::of(scene, told);
    let packet = sent(&seen, told);
    let place: Vec<usize> = packet.iter().map(|(place, _)| *place).collect();
    // A later version of the message takes a list.
    let listed = || told.fields.get("tokens").and_then(Value::as_array)?.first().and_then(coin_of);
    let coin = told.coin("token").or_else(listed);
    let words = match &coin {
        Some(coin) => {
            let spent = seen.spent(&told.text("sender").unwrap_or_default(), coin);
            scene.words().coin(coin).by(place.iter().copied().chain(spent))
        }
        None => scene.words().text("tokens"),
    };
    let words = words.text(" to ").party(&told.text("receiver").unwrap_or_default()).by(place);
    let channel = told.text("source_channel").unwrap_or_default();
    let words = whither(scene, told, words, packet, Some(&channel));
    by_field(scene, told, "sender", verb::SEND, asking(scene, told, words).done())
}

/// "{sender} sent NFT {ids} of {class} to {receiver} on {chain} (packet #{n})".
pub(super) fn nfts(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let seen = Seen::of(scene, told);
    let packet = sent(&seen, told);
    let place: Vec<usize> = packet.iter().map(|(place, _)| *place).collect();
    let cargo = packet.map(|(_, event)| Cargo::of_event(event));
    let name = match &cargo {
        Some(Cargo::Nfts(nfts)) => nfts.class_name.as_deref(),
        _ => None,
    };
    let ids = told.fields.get("token_ids").and_then(Value::as_array);
    let ids: Vec<String> = ids.into_iter().flatten().filter_map(Value::as_str).map(ToOwned::to_owned).collect();
    let class = told.text("class_id").unwrap_or_default();
    let words = cargo::named_nfts(scene.words(), &ids, &class, name).by(place.iter().copied());
    let words = words.text(" to ").party(&told.text("receiver").unwrap_or_default()).by(place);
    let words = whither(scene, told, words, packet, None);
    by_field(scene, told, "sender", verb::SEND, asking(scene, told, words).done())
}

/// " on {chain} ({channel}, packet #{n})"; " over {channel} (packet #{n})" where the chain is not known.
fn whither<'s, 'a>(
    scene: &'s Scene<'a>,
    told: Told<'_>,
    words: Words<'s, 'a>,
    packet: Option<(usize, &DecodedEvent)>,
    shown: Option<&str>,
) -> Words<'s, 'a> {
    let (port, channel) =
        (told.text("source_port").unwrap_or_default(), told.text("source_channel").unwrap_or_default());
    let number = packet.and_then(|(_, event)| event.value("packet_sequence")).map(|number| format!("packet #{number}"));
    let (words, within) = match cargo::chain(scene, &port, &channel) {
        Some(chain) => {
            let within: Vec<String> = shown.map(ToOwned::to_owned).into_iter().chain(number).collect();
            (words.text(format!(" on {chain}")), within.join(", "))
        }
        None => (words.text(format!(" over {channel}")), number.unwrap_or_default()),
    };
    if within.is_empty() { words } else { words.text(format!(" ({within})")).by(packet.map(|(place, _)| place)) }
}

fn asking<'s, 'a>(scene: &Scene<'_>, told: Told<'_>, words: Words<'s, 'a>) -> Words<'s, 'a> {
    asked::on_leaving(words, &Memo::of(&told.text("memo").unwrap_or_default(), scene.work))
}

/// The phrases of a packet's number.
pub(super) fn numbered(scene: &Scene<'_>, sequence: u64, places: &[usize]) -> Vec<Phrase> {
    scene.words().text(format!(" (packet #{sequence})")).by(places.iter().copied()).done()
}
