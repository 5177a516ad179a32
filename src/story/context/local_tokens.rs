//! Tokens whose symbol and decimals follow from their origin in the transaction (`docs/apis/story.md` §6).

use std::{collections::HashMap, sync::Arc};

use serde_json::Value;

use crate::{
    domain::Denom,
    events::{ChainEvent, ibc::PacketStep, opinit::BridgeStep},
    story::{
        decode::{Decoded, DecodedEvent, DecodedMessage},
        names::{
            bridge_number::BridgeNumber,
            denoms::left_denom,
            glossary::{Glossary, TokenUnit},
        },
        packet::{PacketData, PacketId},
    },
};

/// Returns tokens with a proven origin: a hash of the bridge id and the L1 denom, or one hop over a channel known to
/// lead to the L1. A coin's own name, such as `uinit`, proves nothing. Without bridge messages or events it returns
/// quickly.
pub(super) fn local_tokens(decoded: &Decoded, glossary: &Glossary) -> HashMap<Denom, Arc<TokenUnit>> {
    let mut tokens = LocalTokens { glossary, bridge: BridgeNumber::of(glossary), known: HashMap::new() };
    for message in &decoded.messages {
        tokens.read_message(message);
    }
    for event in &decoded.events {
        tokens.read_event(event);
    }
    tokens.known
}

struct LocalTokens<'g> {
    glossary: &'g Glossary,
    bridge: BridgeNumber,
    known: HashMap<Denom, Arc<TokenUnit>>,
}

impl LocalTokens<'_> {
    fn learn(&mut self, denom: Denom, name: Option<&Arc<TokenUnit>>) {
        if let Some(name) = name
            && !self.glossary.is_certain(&denom)
        {
            self.known.entry(denom).or_insert_with(|| Arc::clone(name));
        }
    }

    fn read_message(&mut self, message: &DecodedMessage) {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(Denom::new);
        match message.kind.as_str() {
            "opinit.opchild.v1.MsgFinalizeTokenDeposit" => {
                let denom = message.fields.get("amount").and_then(|amount| amount.get("denom"));
                self.bridged(text(denom), text(message.fields.get("base_denom")));
            }
            "ibc.core.channel.v1.MsgRecvPacket" => self.packet_of(message, true),
            "ibc.core.channel.v1.MsgAcknowledgement"
            | "ibc.core.channel.v1.MsgTimeout"
            | "ibc.core.channel.v1.MsgTimeoutOnClose" => self.packet_of(message, false),
            _ => {}
        }
    }

    fn packet_of(&mut self, message: &DecodedMessage, is_arrival: bool) {
        let Some(packet) = message.fields.get("packet").and_then(Value::as_object) else { return };
        if let (Some(name), PacketData::Tokens(tokens)) = (PacketId::of_message(packet), PacketData::of_message(packet))
        {
            self.packet(&name, &tokens.path, is_arrival);
        }
    }

    fn read_event(&mut self, event: &DecodedEvent) {
        match ChainEvent::of(event) {
            ChainEvent::Bridge(transfer)
                if matches!(transfer.step, BridgeStep::DepositFinalized | BridgeStep::WithdrawalInitiated) =>
            {
                self.bridged(transfer.denom.map(Denom::new), transfer.other_denom.map(Denom::new));
            }
            ChainEvent::Packet(packet) if packet.step == PacketStep::Sent => {
                if let (Some(name), PacketData::Tokens(tokens)) = (&packet.id, PacketData::of_packet(&packet)) {
                    self.packet(name, &tokens.path, false);
                }
            }
            _ => {}
        }
    }

    /// Adds a token of the OPinit bridge under the name of its L1 base, if its denom proves that base.
    fn bridged(&mut self, denom: Option<Denom>, base: Option<Denom>) {
        if let (Some(denom), Some(base)) = (denom, base)
            && let Some(name) = self.glossary.l1_token(&base)
            && self.bridge.makes(denom.as_str(), base.as_str())
        {
            self.learn(denom, Some(name));
        }
    }

    /// Adds a packet's token under its L1 name, if the L1 is the counterparty.
    fn packet(&mut self, name: &PacketId, path: &str, is_arrival: bool) {
        let arrived = crate::story::packet::arrived_denom(path, name);
        let (local, remote, end) = if is_arrival {
            (arrived, left_denom(path), (&name.destination_port, &name.destination_channel))
        } else {
            (left_denom(path), arrived, (&name.source_port, &name.source_channel))
        };
        let chain = self.glossary.chain_behind(end.0, end.1).map(AsRef::as_ref);
        if chain.is_some() && chain == self.glossary.l1_chain_id.as_deref() {
            self.learn(local, self.glossary.l1_token(&remote));
        }
    }
}
