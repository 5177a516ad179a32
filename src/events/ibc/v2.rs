//! Packets of IBC v2 (ibc-go v10): between clients instead of channels, encoded as a whole in one attribute.

use std::borrow::Cow;

use alloy_primitives::hex;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use super::{PacketEvent, PacketId, PacketStep};
use crate::{
    domain::Timestamp,
    events::{EventRecord, keys},
    wire::proto::decode_message,
};

/// Port of the tokens' application, which is fixed in v2; for events without a readable payload.
const TRANSFER_PORT: &str = "transfer";

/// Acknowledgement of a refused packet: SHA-256 of `UNIVERSAL_ERROR_ACKNOWLEDGEMENT`.
const REFUSAL: [u8; 32] = hex!("4774d4a575993f963b1c06573736617a457abef8589178db8d10c94b4ab511ab");

/// Maximum digits of an encoded packet that is read, many times the size of a transfer.
const LONGEST: usize = 1 << 20;

pub(super) fn packet(event: &impl EventRecord, step: PacketStep) -> PacketEvent<'_> {
    let encoded = decoded("ibc.core.channel.v2.Packet", event.text(keys::ENCODED_PACKET));
    let payload = encoded.as_ref().and_then(|packet| payload(packet));
    let port = |name: &str| payload.and_then(|payload| payload.get(name)?.as_str()).unwrap_or(TRANSFER_PORT).to_owned();
    let id = || {
        Some(PacketId {
            source_port: port("source_port"),
            source_channel: event.get(keys::PACKET_SRC_CLIENT)?,
            destination_port: port("destination_port"),
            destination_channel: event.get(keys::PACKET_DST_CLIENT)?,
            sequence: event.get(keys::PACKET_SEQUENCE)?,
        })
    };
    PacketEvent {
        step,
        id: id(),
        data: [None, payload.and_then(data_of).map(Cow::from)],
        acknowledgement: acknowledgement(event.text(keys::ENCODED_ACK)).map(Cow::from),
        is_local: false,
        // In seconds, unlike in v1.
        expiry: event
            .get(keys::PACKET_TIMEOUT)
            .filter(|seconds| *seconds > 0)
            .map(|seconds| Timestamp::from_nanos(i128::from(seconds) * 1_000_000_000)),
    }
}

/// Returns the first payload of a packet in a node's JSON; other payloads are of other applications.
fn payload(packet: &Value) -> Option<&Value> {
    packet.get("payloads")?.as_array()?.first()
}

/// Returns a payload's content as v1 has it: tokens as JSON, other content in base64.
pub(crate) fn data_of(payload: &Value) -> Option<String> {
    let value = payload.get("value")?.as_str()?;
    let bytes = STANDARD.decode(value).ok()?;
    let tokens = || decode_message("ibc.applications.transfer.v1.FungibleTokenPacketData", &bytes).ok();
    match payload.get("encoding").and_then(Value::as_str) {
        Some("application/x-protobuf") => tokens(),
        _ => Some(value.to_owned()),
    }
}

fn acknowledgement(encoded: Option<&str>) -> Option<String> {
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
