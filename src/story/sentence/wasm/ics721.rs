//! NFTs that leave over a channel: the collection hands them to a contract that sends the packet
//! (`docs/apis/story.md` §3).

use super::WasmCall;
use crate::story::{
    DecodedEvent,
    context::{Clause, PhraseBuilder},
    packet::{PacketData, PacketId, PacketNfts},
    proof::TracePlace,
    sentence::verb,
};

/// "sent NFT 961 of K (“Gull Council”) to R on interwoven-1 (channel-1, packet #3191), as the contracts report". That
/// the packet left is certain, and what it holds is the word of the contract that sent it.
pub(super) fn sent(call: &WasmCall<'_>) -> Option<Clause> {
    let report = call.report(call.name)?;
    let (trace, said) = report.0?;
    let (id, bridge) = (said.value("token_id")?, said.value("recipient")?);
    let (place, name, nfts) = call.seen.events.iter().find_map(|(place, event)| {
        let is_free = call.context.claims.is_free(TracePlace::event(*place));
        let (name, nfts) = packet(event).filter(|_| is_free)?;
        let is_of = name.source_port.strip_prefix("wasm.") == Some(bridge);
        (is_of && nfts.tokens.iter().any(|token| token == id)).then_some((*place, name, nfts))
    })?;
    call.context.claims.take(TracePlace::event(place));
    let places = [trace.event, place];
    let words = call.context.words().text("NFT ").code(id).by(places).text(" of ");
    let words = call.of_collection(words, call.contract, nfts.class_name.as_deref()).by(places);
    let words = words.text(" to ").party(&nfts.receiver).by([place]);
    let words = whither(call, words, &name).by([place]);
    Some(call.reported(report, "sender", verb::SEND, words.done()))
}

/// The NFTs of a packet that left.
fn packet(event: &DecodedEvent) -> Option<(PacketId, PacketNfts)> {
    if event.kind != "send_packet" {
        return None;
    }
    match PacketData::of_event(event) {
        PacketData::Nfts(nfts) => Some((PacketId::of_event(event)?, nfts)),
        _ => None,
    }
}

/// " on interwoven-1 (channel-1, packet #7)"; " over channel-1 (packet #7)" where the chain is not known.
fn whither<'s, 'a>(call: &WasmCall<'_>, words: PhraseBuilder<'s, 'a>, name: &PacketId) -> PhraseBuilder<'s, 'a> {
    let PacketId { source_port: port, source_channel: channel, sequence, .. } = name;
    match call.context.glossary.chain_behind(port, channel) {
        Some(chain) => words.text(format!(" on {chain} (")).code(channel).text(format!(", packet #{sequence})")),
        None => words.text(" over ").code(channel).text(format!(" (packet #{sequence})")),
    }
}
