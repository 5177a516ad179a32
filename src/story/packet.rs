//! Packets of IBC: which one, what it carries, how it was answered, and what its tokens are called here
//! (`docs/apis/story.md` §3).

mod acknowledgement;
mod memo;
mod settlement;
mod trace;

pub(super) use acknowledgement::Acknowledgement;
pub(super) use memo::{Hook, Memo};
pub(super) use trace::{DenomTrace, arrived_denom, left_denom};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Map, Value};

use super::DecodedEvent;
use crate::domain::{Amount, Coin, Denom};

/// What identifies a packet, together with the chain it was sent from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PacketId {
    /// The port it was sent from.
    pub(super) source_port: String,
    /// The channel it was sent from.
    pub(super) source_channel: String,
    /// The port it goes to.
    pub(super) destination_port: String,
    /// The channel it goes to.
    pub(super) destination_channel: String,
    /// Its number on that channel.
    pub(super) sequence: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PacketData {
    /// Tokens (ICS-20).
    Tokens(PacketTokens),
    /// NFTs (ICS-721).
    Nfts(PacketNfts),
    /// Messages for an interchain account (ICS-27).
    Messages,
    /// Something else, or nothing that can be read.
    Other,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PacketTokens {
    /// The denom with the whole path, as the sender's side has it.
    pub(super) path: String,
    /// In the smallest unit.
    pub(super) amount: Amount,
    /// Who sent it, on the other chain or here.
    pub(super) sender: String,
    pub(super) receiver: String,
    /// What is asked for besides; often empty.
    pub(super) memo: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PacketNfts {
    /// The class with the whole path, as the sender's side has it.
    pub(super) class: String,
    /// What the class calls itself.
    pub(super) class_name: Option<String>,
    pub(super) tokens: Vec<String>,
    pub(super) sender: String,
    pub(super) receiver: String,
    /// What is asked for besides; often empty.
    pub(super) memo: String,
}

impl PacketId {
    /// Of a message's `packet`.
    pub(super) fn of_message(packet: &Map<String, Value>) -> Option<Self> {
        let text = |name: &str| packet.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
        Some(Self {
            source_port: text("source_port")?,
            source_channel: text("source_channel")?,
            destination_port: text("destination_port")?,
            destination_channel: text("destination_channel")?,
            sequence: number(packet.get("sequence")?)?,
        })
    }

    /// Of an event of the channel module.
    pub(super) fn of_event(event: &DecodedEvent) -> Option<Self> {
        let text = |name: &str| event.value(name).map(ToOwned::to_owned);
        Some(Self {
            source_port: text("packet_src_port")?,
            source_channel: text("packet_src_channel")?,
            destination_port: text("packet_dst_port")?,
            destination_channel: text("packet_dst_channel")?,
            sequence: event.value("packet_sequence")?.parse().ok()?,
        })
    }
}

impl PacketData {
    /// Of the data of a message's packet, which is base64.
    pub(super) fn of_message(packet: &Map<String, Value>) -> Self {
        let data = packet.get("data").and_then(Value::as_str);
        data.and_then(json_of).map_or(Self::Other, |value| Self::of_json(&value))
    }

    /// Of the data in an event of the channel module: hex on all nodes, plain text on some besides.
    pub(super) fn of_event(event: &DecodedEvent) -> Self {
        let data =
            event.value("packet_data_hex").and_then(json_of).or_else(|| event.value("packet_data").and_then(json_of));
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

    /// What is asked for besides.
    pub(super) fn memo(&self) -> &str {
        match self {
            Self::Tokens(tokens) => &tokens.memo,
            Self::Nfts(nfts) => &nfts.memo,
            Self::Messages | Self::Other => "",
        }
    }
}

impl PacketTokens {
    /// The coin as it is called where the packet arrives.
    pub(super) fn arrived(&self, name: &PacketId) -> Coin {
        Coin { denom: arrived_denom(&self.path, name), amount: self.amount }
    }

    /// The coin as it is called where the packet was sent.
    pub(super) fn left(&self) -> Coin {
        Coin { denom: left_denom(&self.path), amount: self.amount }
    }
}

impl PacketNfts {
    /// The class as it is called where the packet arrives.
    pub(super) fn arrived(&self, name: &PacketId) -> Denom {
        arrived_denom(&self.class, name)
    }
}

/// What the class data, base64 of JSON, calls the class.
fn class_name(data: &str) -> Option<String> {
    let value = json_of(data)?;
    let name = value.get("name").or_else(|| value.pointer("/initia:name/value"))?;
    let name = name.as_str().or_else(|| name.get("value").and_then(Value::as_str))?;
    (!name.is_empty()).then(|| name.to_owned())
}

/// JSON that is written as it is, in hex, or in base64.
pub(super) fn json_of(text: &str) -> Option<Value> {
    let text = text.trim();
    if text.starts_with('{') {
        return serde_json::from_str(text).ok();
    }
    let hex = alloy_primitives::hex::decode(text).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    hex.or_else(|| serde_json::from_slice(&STANDARD.decode(text).ok()?).ok())
}

/// A number, or one written as text.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
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
