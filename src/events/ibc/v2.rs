//! Contents of packets of IBC v2 (ibc-go v10), as v1 has them: a whole packet is encoded in one attribute.

use alloy_primitives::hex;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use crate::wire::proto::decode_message;

/// Port of the tokens' application, which is fixed in v2; for events without a readable payload.
const TRANSFER_PORT: &str = "transfer";

/// Acknowledgement of a refused packet: SHA-256 of `UNIVERSAL_ERROR_ACKNOWLEDGEMENT`.
const REFUSAL: [u8; 32] = hex!("4774d4a575993f963b1c06573736617a457abef8589178db8d10c94b4ab511ab");

/// Maximum digits of an encoded packet that is read, many times the size of a transfer.
const LONGEST: usize = 1 << 20;

/// Ports of a packet and its content.
pub(super) struct PacketContent {
    pub(super) ports: [String; 2],
    pub(super) data: Option<String>,
}

impl PacketContent {
    /// Reads the attribute with the encoded packet; other payloads than the first are of other applications.
    pub(super) fn of(encoded: Option<&str>) -> Self {
        let packet = decoded("ibc.core.channel.v2.Packet", encoded);
        let payload = packet.as_ref().and_then(|packet| packet.get("payloads")?.as_array()?.first());
        let port = |name: &str| {
            let port = payload.and_then(|payload| payload.get(name)?.as_str());
            port.unwrap_or(TRANSFER_PORT).to_owned()
        };
        Self { ports: ["source_port", "destination_port"].map(port), data: payload.and_then(data_of) }
    }
}

/// Returns a payload's content as v1 has it: tokens as JSON, other content in base64.
pub(crate) fn data_of(payload: &Value) -> Option<String> {
    let value = payload.get("value")?.as_str()?;
    if payload.get("encoding").and_then(Value::as_str) != Some("application/x-protobuf") {
        return Some(value.to_owned());
    }
    decode_message("ibc.applications.transfer.v1.FungibleTokenPacketData", &STANDARD.decode(value).ok()?).ok()
}

/// Reads the attribute with the encoded acknowledgements.
pub(super) fn acknowledgement(encoded: Option<&str>) -> Option<String> {
    app_acknowledgement(&decoded("ibc.core.channel.v2.Acknowledgement", encoded)?)
}

/// Returns the first application's acknowledgement as v1 has it.
pub(crate) fn app_acknowledgement(list: &Value) -> Option<String> {
    let first = list.get("app_acknowledgements")?.as_array()?.first()?.as_str()?;
    let is_refusal = STANDARD.decode(first).is_ok_and(|bytes| bytes == REFUSAL);
    Some(if is_refusal { r#"{"error":"the receiving chain refused the packet"}"#.to_owned() } else { first.to_owned() })
}

fn decoded(message: &str, encoded: Option<&str>) -> Option<Value> {
    let bytes = hex::decode(encoded.filter(|digits| digits.len() <= LONGEST)?).ok()?;
    serde_json::from_str(&decode_message(message, &bytes).ok()?).ok()
}
