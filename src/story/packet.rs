//! IBC packets: identity, content, acknowledgement, and local names of their tokens (`docs/apis/story.md` §3).

mod acknowledgement;
mod memo;
mod settlement;

pub(crate) use crate::events::ibc::PacketId;
pub(crate) use acknowledgement::Acknowledgement;
pub(crate) use memo::{Hook, Memo};

use std::borrow::Cow;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Map, Value};

use super::decode::DecodedEvent;
use crate::{
    domain::{Amount, Coin, Denom},
    events::ibc::{PacketEvent, PacketStep, data_of},
    story::names::denoms::{DenomTrace, left_denom},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PacketData {
    /// Tokens (ICS-20).
    Tokens(PacketTokens),
    /// NFTs (ICS-721).
    Nfts(PacketNfts),
    /// Messages for an interchain account (ICS-27).
    Messages,
    /// Another application, or unreadable data.
    Other,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PacketTokens {
    /// Denom with its full path, as on the sender's side.
    pub(crate) path: String,
    /// In the smallest unit.
    pub(crate) amount: Amount,
    pub(crate) sender: String,
    pub(crate) receiver: String,
    /// Memo; often empty.
    pub(crate) memo: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PacketNfts {
    /// Class with its full path, as on the sender's side.
    pub(crate) class: String,
    pub(crate) class_name: Option<String>,
    pub(crate) tokens: Vec<String>,
    pub(crate) sender: String,
    pub(crate) receiver: String,
    /// Memo; often empty.
    pub(crate) memo: String,
}

/// Packet that this chain sent, by its event.
pub(crate) struct OutgoingPacket {
    pub(crate) id: PacketId,
    pub(crate) data: PacketData,
}

impl OutgoingPacket {
    pub(crate) fn of(event: &DecodedEvent) -> Option<Self> {
        let event = PacketEvent::of(event).filter(|event| event.step == PacketStep::Sent)?;
        Some(Self { data: PacketData::of_packet(&event), id: event.id? })
    }
}

impl PacketId {
    /// Parses a message's `packet`.
    pub(crate) fn of_message(packet: &Map<String, Value>) -> Option<Self> {
        let payload = first_payload(packet);
        let text = |name: &str| packet.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
        let port = |name: &str| payload.map_or_else(|| text(name), |payload| Some(payload.get(name)?.as_str()?.into()));
        Some(Self {
            source_port: port("source_port")?,
            source_channel: text("source_channel").or_else(|| text("source_client"))?,
            destination_port: port("destination_port")?,
            destination_channel: text("destination_channel").or_else(|| text("destination_client"))?,
            sequence: number(packet.get("sequence")?)?,
        })
    }
}

impl PacketData {
    /// Parses the base64 data of a message's packet.
    pub(crate) fn of_message(packet: &Map<String, Value>) -> Self {
        let data = match first_payload(packet) {
            Some(payload) => data_of(payload).map(Cow::from),
            None => packet.get("data").and_then(Value::as_str).map(Cow::from),
        };
        data.and_then(|data| json_of(&data)).map_or(Self::Other, |value| Self::of_json(&value))
    }

    /// Parses the data in an event of the channel module.
    pub(crate) fn of_event(event: &DecodedEvent) -> Self {
        PacketEvent::of(event).map_or(Self::Other, |event| Self::of_packet(&event))
    }

    pub(crate) fn of_packet(event: &PacketEvent<'_>) -> Self {
        let data = event.data.iter().flatten().find_map(|data| json_of(data));
        data.map_or(Self::Other, |value| Self::of_json(&value))
    }

    fn of_json(value: &Value) -> Self {
        let text = |name: &str| value.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
        let amount = text("amount").and_then(|text| text.parse().ok());
        if let (Some(path), Some(amount)) = (text("denom"), amount) {
            let (sender, receiver) = (text("sender").unwrap_or_default(), text("receiver").unwrap_or_default());
            return Self::Tokens(PacketTokens {
                path,
                amount,
                sender,
                receiver,
                memo: text("memo").unwrap_or_default(),
            });
        }
        let tokens = value.get("tokenIds").and_then(Value::as_array);
        if let (Some(class), Some(tokens)) = (text("classId"), tokens) {
            return Self::Nfts(PacketNfts {
                class,
                class_name: text("classData").as_deref().and_then(class_name),
                tokens: tokens.iter().filter_map(Value::as_str).map(ToOwned::to_owned).collect(),
                sender: text("sender").unwrap_or_default(),
                receiver: text("receiver").unwrap_or_default(),
                memo: text("memo").unwrap_or_default(),
            });
        }
        let is_account = text("type").is_some_and(|kind| kind.starts_with("TYPE_EXECUTE_TX"));
        if is_account { Self::Messages } else { Self::Other }
    }

    /// Whether the packet carries tokens or NFTs: these emit events when credited, and return if the packet is refused.
    pub(crate) fn has_assets(&self) -> bool {
        match self {
            Self::Tokens(tokens) => !tokens.amount.is_zero(),
            Self::Nfts(nfts) => !nfts.tokens.is_empty(),
            Self::Messages | Self::Other => false,
        }
    }

    pub(crate) fn memo(&self) -> &str {
        match self {
            Self::Tokens(tokens) => &tokens.memo,
            Self::Nfts(nfts) => &nfts.memo,
            Self::Messages | Self::Other => "",
        }
    }
}

impl PacketTokens {
    /// Reads the tokens of a packet that this chain sent.
    pub(crate) fn sent(event: &DecodedEvent) -> Option<(PacketId, Self)> {
        let OutgoingPacket { id, data } = OutgoingPacket::of(event)?;
        if let PacketData::Tokens(tokens) = data { Some((id, tokens)) } else { None }
    }

    /// Returns the coin with its denom on the destination.
    pub(crate) fn arrived(&self, name: &PacketId) -> Coin {
        Coin { denom: arrived_denom(&self.path, name), amount: self.amount }
    }

    /// Returns the coin with its denom on the source.
    pub(crate) fn left(&self) -> Coin {
        Coin { denom: left_denom(&self.path), amount: self.amount }
    }
}

impl PacketNfts {
    /// Reads the NFTs of a packet that this chain sent.
    pub(crate) fn sent(event: &DecodedEvent) -> Option<(PacketId, Self)> {
        let OutgoingPacket { id, data } = OutgoingPacket::of(event)?;
        if let PacketData::Nfts(nfts) = data { Some((id, nfts)) } else { None }
    }

    /// Returns the denom of the class on the destination.
    pub(crate) fn arrived(&self, name: &PacketId) -> Denom {
        arrived_denom(&self.class, name)
    }
}

/// Returns the name in class data, which is base64 of JSON.
fn class_name(data: &str) -> Option<String> {
    let value = json_of(data)?;
    let name = value.get("name").or_else(|| value.pointer("/initia:name/value"))?;
    let name = name.as_str().or_else(|| name.get("value").and_then(Value::as_str))?;
    (!name.is_empty()).then(|| name.to_owned())
}

/// Parses JSON in plain text, hex or base64.
pub(crate) fn json_of(text: &str) -> Option<Value> {
    let text = text.trim();
    if text.starts_with('{') {
        return serde_json::from_str(text).ok();
    }
    let hex = alloy_primitives::hex::decode(text).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    hex.or_else(|| serde_json::from_slice(&STANDARD.decode(text).ok()?).ok())
}

/// Returns the payload of a packet of IBC v2.
fn first_payload(packet: &Map<String, Value>) -> Option<&Value> {
    packet.get("payloads")?.as_array()?.first()
}

/// Returns a number, also from a string.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

/// Returns the denom of a packet's token or class on the destination: a returning token loses its last hop, any other
/// gains one.
pub(crate) fn arrived_denom(path: &str, name: &PacketId) -> Denom {
    let source = format!("{}/{}/", name.source_port, name.source_channel);
    if let Some(home) = path.strip_prefix(&source) {
        return DenomTrace::of(home).denom();
    }
    DenomTrace::of(&format!("{}/{}/{path}", name.destination_port, name.destination_channel)).denom()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(json: &Value) -> Map<String, Value> {
        json.as_object().cloned().unwrap()
    }

    #[test]
    fn data_is_read_in_every_form_it_is_written_in() {
        let json = r#"{"amount":"10","denom":"uinit","sender":"a","receiver":"b"}"#;
        let forms = [json.to_owned(), STANDARD.encode(json), alloy_primitives::hex::encode(json)];
        for data in forms {
            let PacketData::Tokens(tokens) = PacketData::of_message(&packet(&serde_json::json!({"data": data}))) else {
                panic!("{data} is no transfer");
            };
            assert_eq!((tokens.path.as_str(), tokens.amount), ("uinit", Amount::from(10)));
        }
    }

    #[test]
    fn hostile_data_is_nothing_that_can_be_read() {
        let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
        let wrong = r#"{"denom":"uinit","amount":"-1"}"#.to_owned();
        let huge = format!(r#"{{"denom":"uinit","amount":"{}"}}"#, "9".repeat(90));
        for data in [String::new(), "%%%".to_owned(), "00ff".to_owned(), deep, wrong, huge, "{".repeat(9_999)] {
            let json = serde_json::json!({"data": data});
            assert_eq!(
                PacketData::of_message(&packet(&json)),
                PacketData::Other,
                "{}",
                data.get(..20).unwrap_or(&data)
            );
        }
        assert_eq!(PacketData::of_message(&Map::new()), PacketData::Other);
        assert_eq!(PacketId::of_message(&packet(&serde_json::json!({"sequence": {}}))), None);
    }
}
