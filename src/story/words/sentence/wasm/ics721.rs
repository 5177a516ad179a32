//! NFTs sent over a channel: the collection passes them to a contract, which sends the packet (`docs/apis/story.md`
//! §3).

use super::call::WasmCall;
use crate::{
    events::keys,
    story::{
        packet::{PacketId, PacketNfts},
        words::{builder::PhraseBuilder, clause::Clause, sentence::verb},
    },
};

/// Describes "sent NFT 961 of K (“Gull Council”) to R on interwoven-1 (channel-1, packet #3191), as the contracts
/// report". The packet is certain; its content is the sending contract's claim.
pub(super) fn sent(call: &WasmCall<'_>) -> Option<Clause> {
    let report = call.report(call.name)?;
    let (trace, said) = report.0?;
    let (id, bridge) = (said.text(keys::TOKEN_ID)?, said.text(keys::RECIPIENT)?);
    let (place, (name, nfts)) = call.seen.claim_view(PacketNfts::sent, |(name, nfts)| {
        name.source_port.strip_prefix("wasm.") == Some(bridge) && nfts.tokens.iter().any(|token| token == id)
    })?;
    let places = [trace.event, place];
    let words = call.context.words().text("NFT ").code(id).by(places).text(" of ");
    let words = call.of_collection(words, call.contract, nfts.class_name.as_deref()).by(places);
    let words = words.text(" to ").party_elsewhere(&nfts.receiver).by([place]);
    let words = whither(call, words, &name).by([place]);
    Some(call.reported(report, keys::SENDER, verb::SEND, words.done()))
}

/// Adds " on interwoven-1 (channel-1, packet #7)", or " over channel-1 (packet #7)" for an unknown chain.
fn whither<'s, 'a>(call: &WasmCall<'_>, words: PhraseBuilder<'s, 'a>, name: &PacketId) -> PhraseBuilder<'s, 'a> {
    let PacketId { source_port: port, source_channel: channel, sequence, .. } = name;
    match call.context.glossary.chain_behind(port, channel) {
        Some(chain) => words.text(format!(" on {chain} (")).code(channel).text(format!(", packet #{sequence})")),
        None => words.text(" over ").code(channel).text(format!(" (packet #{sequence})")),
    }
}
