//! Renders the texts of IBC packets: data, memos and acknowledgements.

use super::{Render, RenderView, base64};
use crate::demo::ledger::{
    common::{
        catalogue::{ChannelSpec, NFT_CHANNEL, OriginSpec},
        record::{MemoKind, NftPacket, Packet, TokenId},
        world::Party,
    },
    derive,
    json::Json,
};
use crate::domain::Address;

/// Packet, its direction, and its rendered texts.
pub(crate) struct PacketView {
    pub(crate) channel: &'static ChannelSpec,
    /// Port on this chain; the channel names the other chain's port.
    pub(crate) port_here: String,
    pub(crate) outgoing: bool,
    /// Sequence number on the sending chain.
    pub(crate) sequence: u64,
    /// Packet data: JSON with sorted keys.
    pub(crate) data: String,
    /// Timeout in nanoseconds since 1970.
    pub(crate) timeout: u64,
    pub(crate) sender: String,
    pub(crate) receiver: String,
    pub(crate) memo: String,
    pub(crate) denom: String,
}

impl PacketView {
    /// Returns the channels of the source and the destination chain.
    pub(crate) fn ends(&self) -> (&'static str, &'static str) {
        if self.outgoing { (self.channel.id, self.channel.there) } else { (self.channel.there, self.channel.id) }
    }

    /// Returns the ports of the source and the destination chain.
    pub(crate) fn ports(&self) -> (&str, &str) {
        if self.outgoing { (&self.port_here, self.channel.port) } else { (self.channel.port, &self.port_here) }
    }
}

/// Derives the address that the party's key has on the other chain.
pub(crate) fn foreign(channel: &ChannelSpec, party: &Party) -> String {
    party.address.bech32_as(channel.prefix)
}

/// Returns the account that passes on what a sender on another chain sent over the channel.
pub(crate) fn forwarder(channel: &ChannelSpec, sender: &str) -> Party {
    Party::new(Address::Short(derive::forwarding_account(channel.id, sender)))
}

/// Returns the denom in a packet's data: the full path as on the sending chain.
fn path(view: &RenderView<'_>, channel: &ChannelSpec, token: TokenId, outgoing: bool) -> String {
    match (view.world.catalogue.origin(token.0), outgoing) {
        (OriginSpec::Voucher { channel: place, base }, true) => {
            let own = view.world.catalogue.channels.get(place).unwrap_or(channel);
            format!("{}/{}/{base}", own.port, own.id)
        }
        (OriginSpec::Voucher { base, .. }, false) => base.to_owned(),
        (_, true) => view.denom(token).to_owned(),
        (_, false) => format!("{}/{}/{}", channel.port, channel.there, view.denom(token)),
    }
}

fn memo<F: Render>(view: &RenderView<'_>, packet: &Packet, channel: &ChannelSpec) -> String {
    if let Some(words) = &packet.words {
        return words.memo.to_string();
    }
    let mut json = Json::new();
    match packet.memo {
        MemoKind::Empty | MemoKind::PassedOn { .. } => return String::new(),
        MemoKind::PassOn { .. } => json.object(|json| {
            let next = view.world.catalogue.channel(0);
            json.key("forward").object(|json| {
                json.field("receiver", &foreign(next, view.party(packet.local)));
                json.field("port", next.port).field("channel", next.id);
            });
        }),
        MemoKind::Forward => json.object(|json| {
            json.key("forward").object(|json| {
                json.field("receiver", &foreign(channel, view.party(packet.local)));
                json.field("port", "transfer").field("channel", "channel-7").field("timeout", "10m");
                json.value("retries", 2);
            });
        }),
        MemoKind::Hook(hook) => json.object(|json| F::arrival_hook_memo(view, json, packet, hook)),
    };
    json.finish()
}

pub(crate) fn packet_view<F: Render>(
    view: &RenderView<'_>,
    packet: &Packet,
    outgoing: bool,
    refused: bool,
) -> PacketView {
    let channel = view.world.catalogue.channel(packet.channel);
    let local = view.party(packet.local);
    let words = packet.words.as_deref();
    let remote = words.map_or_else(|| foreign(channel, local), |words| words.there.to_string());
    let memo = memo::<F>(view, packet, channel);
    let here = match packet.memo {
        MemoKind::Hook(hook) => F::arrival_hook_receiver(view, hook),
        MemoKind::PassedOn { channel, .. } => {
            let received = view.world.catalogue.channel(channel);
            forwarder(received, &foreign(received, local)).bech32.to_string()
        }
        _ if refused && words.is_none() => format!("{}x", local.bech32),
        _ => local.bech32.to_string(),
    };
    let (sender, receiver) = if outgoing { (here, remote) } else { (remote, here) };
    let denom = path(view, channel, packet.token, outgoing);
    let mut json = Json::new();
    json.object(|json| {
        json.number("amount", packet.amount).field("denom", &denom);
        if !memo.is_empty() {
            json.field("memo", &memo);
        }
        json.field("receiver", &receiver).field("sender", &sender);
    });
    let timeout = match (words, packet.patience) {
        (Some(words), _) => words.timeout,
        (None, Some(blocks)) => view.clock.nanos_after(packet.sent + u64::from(blocks), 0),
        (None, None) => view.clock.nanos_after(packet.sent, 600),
    };
    let sequence = packet.sequence;
    let port_here = channel.port.to_owned();
    PacketView { channel, port_here, outgoing, sequence, data: json.finish(), timeout, sender, receiver, memo, denom }
}

pub(crate) fn nft_packet_view(view: &RenderView<'_>, packet: &NftPacket, outgoing: bool) -> PacketView {
    let channel = &view.world.catalogue.channels[NFT_CHANNEL];
    let local = view.party(packet.local);
    let (here, there) = (local.bech32.to_string(), foreign(channel, local));
    let (sender, receiver) = if outgoing { (here, there) } else { (there, here) };
    let spec = view.world.catalogue.bridged_class();
    let (name, uri) = spec.map_or(("", ""), |spec| (spec.name, spec.uri));
    let origin = spec.and_then(|spec| spec.origin).unwrap_or_default();
    let class = if outgoing { format!("{}/{}/{origin}", channel.port, channel.id) } else { origin.to_owned() };
    let class_data = format!(r#"{{"name":"{name}","description":"Cats that watch the harbor"}}"#);
    let token_data = format!(r#"{{"description":"Harbor cat number {}"}}"#, packet.id);
    let mut json = Json::new();
    json.object(|json| {
        json.field("classData", &base64(class_data)).field("classId", &class);
        json.field("classUri", &format!("{uri}collection.json"));
        json.field("receiver", &receiver).field("sender", &sender);
        json.key("tokenData").list(|json| {
            json.string(&base64(token_data));
        });
        json.key("tokenIds").list(|json| {
            json.string(&packet.id.to_string());
        });
        json.key("tokenUris").list(|json| {
            json.string(&spec.map_or_else(String::new, |spec| spec.token_uri(packet.id)));
        });
    });
    let (sequence, timeout) = (packet.sequence, view.clock.nanos_after(packet.sent, 600));
    let (data, memo) = (json.finish(), String::new());
    let port_here = channel.port.to_owned();
    PacketView { channel, port_here, outgoing, sequence, data, timeout, sender, receiver, memo, denom: class }
}

pub(crate) fn answer(accepted: bool) -> &'static str {
    if accepted {
        r#"{"result":"AQ=="}"#
    } else {
        r#"{"error":"ABCI code: 7: error handling packet: see events for details"}"#
    }
}

/// Returns why this chain rejects a packet, and the acknowledgement. The receiver is invalid or blocked.
pub(crate) fn refusal(packet: &Packet, receiver: &str) -> (String, &'static str) {
    if packet.words.is_none() {
        return ("decoding bech32 failed: invalid checksum".to_owned(), answer(false));
    }
    let reason = format!("{receiver} is not allowed to receive funds: unauthorized");
    (reason, r#"{"error":"ABCI code: 4: error handling packet: see events for details"}"#)
}

/// Returns the acknowledgement for a channel with relayer fees.
pub(crate) fn wrapped_answer(accepted: bool) -> String {
    wrapped(answer(accepted), accepted)
}

/// Wraps an application's acknowledgement, for a channel with relayer fees.
pub(crate) fn wrapped(answer: &str, accepted: bool) -> String {
    let inner = base64(answer);
    format!(r#"{{"app_acknowledgement":"{inner}","forward_relayer_address":"","underlying_app_success":{accepted}}}"#)
}
