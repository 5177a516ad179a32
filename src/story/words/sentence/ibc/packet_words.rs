use crate::{
    domain::Coin,
    story::{
        context::TxContext,
        names::denoms::DenomTrace,
        packet::{PacketData, PacketId, PacketNfts},
        words::{builder::PhraseBuilder, phrase::Phrase},
    },
};

/// Maximum token ids named; the text counts the rest.
const MOST_IDS: usize = 4;

/// Returns the chain behind a channel, if known.
pub(super) fn chain<'s>(context: &'s TxContext<'_>, port: &str, channel: &str) -> Option<&'s str> {
    context.glossary.chain_behind(port, channel).map(AsRef::as_ref)
}

/// Describes "NFT “Jennie” #1" by the class's name; without a name "NFT 1 of {class}".
pub(crate) fn named_nfts<'s, 'a>(
    words: PhraseBuilder<'s, 'a>,
    ids: &[String],
    class: &str,
    name: Option<&str>,
) -> PhraseBuilder<'s, 'a> {
    let words = words.text(if ids.len() == 1 { "NFT " } else { "NFTs " });
    match name {
        Some(name) => listed(words.quote(name).text(" "), ids, "#"),
        None => listed(words, ids, "").text(" of ").code(class),
    }
}

fn listed<'s, 'a>(mut words: PhraseBuilder<'s, 'a>, ids: &[String], mark: &'static str) -> PhraseBuilder<'s, 'a> {
    let shown = if ids.len() > MOST_IDS { MOST_IDS } else { ids.len() };
    for (place, id) in ids.iter().take(shown).enumerate() {
        if place > 0 {
            words = words.text(if place + 1 == ids.len() { " and " } else { ", " });
        }
        words = words.text(mark).code(id.as_str());
    }
    if ids.len() > shown { words.text(format!(" and {} more", ids.len() - shown)) } else { words }
}

/// Describes a packet's content by its names on the destination.
pub(crate) fn arrived(context: &TxContext<'_>, data: &PacketData, name: &PacketId) -> Vec<Phrase> {
    match data {
        PacketData::Tokens(tokens) => context.words().coin(&tokens.arrived(name)).done(),
        PacketData::Nfts(nfts) => nft_words(context, nfts, nfts.arrived(name).as_str()),
        PacketData::Messages => context.words().text("A packet with messages for an interchain account").done(),
        PacketData::Other => context.words().text("A packet").done(),
    }
}

/// Adds "; the token is named “uatom” at its origin" for a voucher without a local name. A path or a hash is no name.
pub(super) fn foreign_name(context: &TxContext<'_>, coin: &Coin, path: &str) -> Vec<Phrase> {
    let base = DenomTrace::of(path).base;
    let is_voucher = coin.denom.as_str().starts_with("ibc/");
    if !is_voucher || base.contains('/') || context.token(&coin.denom).is_some() {
        return Vec::new();
    }
    context.words().text("; the token is named ").quote(base).text(" at its origin").done()
}

/// Describes a packet's content by its names on the source.
pub(crate) fn left(context: &TxContext<'_>, data: &PacketData) -> Vec<Phrase> {
    match data {
        PacketData::Tokens(tokens) => context.words().coin(&tokens.left()).done(),
        PacketData::Nfts(nfts) => {
            nft_words(context, nfts, crate::story::names::denoms::left_denom(&nfts.class).as_str())
        }
        PacketData::Messages => context.words().text("messages for an interchain account").done(),
        PacketData::Other => context.words().text("its content").done(),
    }
}

fn nft_words(context: &TxContext<'_>, nfts: &PacketNfts, class: &str) -> Vec<Phrase> {
    named_nfts(context.words(), &nfts.tokens, class, nfts.class_name.as_deref()).done()
}

/// Returns sender and receiver of a packet.
pub(crate) fn parties(data: &PacketData) -> Option<(&str, &str)> {
    match data {
        PacketData::Tokens(tokens) => Some((&tokens.sender, &tokens.receiver)),
        PacketData::Nfts(nfts) => Some((&nfts.sender, &nfts.receiver)),
        PacketData::Messages | PacketData::Other => None,
    }
}

/// Describes the receiver: an EVM contract if a call was sent to it.
pub(crate) fn receiver(context: &TxContext<'_>, data: &PacketData, receiver: &str) -> Vec<Phrase> {
    let is_called = data.memo().trim_start().starts_with(r#"{"evm""#) && receiver.starts_with("0x");
    let words = context.words();
    if is_called { words.contract(receiver).done() } else { words.party(receiver).done() }
}
