//! Renders light-client headers: as JSON for messages, as bytes for events.

use super::{RenderView, base64};
use crate::{
    demo::ledger::{common::catalogue::ChannelSpec, derive, json::Json},
    domain::Timestamp,
    wire::{
        proto::{encode_message, time_text},
        protobuf::ProtoWriter,
    },
};

const HEADER: &str = "ibc.lightclients.tendermint.v1.Header";

/// Number of validators that sign a header; real headers have more.
const VALIDATORS: u64 = 4;

/// Returns the other chain's height at a local height.
pub(crate) fn height(view: &RenderView<'_>, channel: &ChannelSpec, at: u64) -> u64 {
    view.clock.l1_height(at) - view.clock.l1_height(0) + channel.start_height
}

struct Header {
    height: u64,
    time: Timestamp,
    numbers: [u64; 2],
}

impl Header {
    fn new(view: &RenderView<'_>, channel: &ChannelSpec, at: u64) -> Self {
        let height = height(view, channel, at);
        Self { height, time: view.clock.time(at), numbers: [view.clock.seed, height] }
    }

    fn hash(&self, label: &str) -> Vec<u8> {
        derive::filler(label, &self.numbers, 32)
    }

    fn signature(&self, validator: u64) -> Vec<u8> {
        derive::filler("vote", &[self.numbers[0], self.numbers[1], validator], 64)
    }
}

/// Derives the address, or the 32-byte key, of a validator on the other chain.
fn validator(channel: &ChannelSpec, place: u64, bytes: usize) -> Vec<u8> {
    derive::filler(channel.chain_id, &[place, bytes as u64], bytes)
}

/// Names of a header's hashes in JSON order.
const HASHES: [&str; 6] =
    ["last_commit_hash", "data_hash", "validators_hash", "next_validators_hash", "consensus_hash", "app_hash"];

pub(crate) fn write(view: &RenderView<'_>, json: &mut Json, channel: &ChannelSpec, at: u64) {
    json.object(|json| {
        json.field("@type", &format!("/{HEADER}"));
        fields(view, json, channel, at);
    });
}

fn fields(view: &RenderView<'_>, json: &mut Json, channel: &ChannelSpec, at: u64) {
    let header = Header::new(view, channel, at);
    json.key("signed_header").object(|json| {
        json.key("header").object(|json| write_inner(json, channel, &header));
        json.key("commit").object(|json| write_commit(json, channel, &header));
    });
    json.key("validator_set").object(|json| write_validators(json, channel));
    json.key("trusted_height").object(|json| {
        json.number("revision_number", channel.revision).number("revision_height", header.height - 240);
    });
    json.key("trusted_validators").object(|json| write_validators(json, channel));
}

fn write_inner(json: &mut Json, channel: &ChannelSpec, header: &Header) {
    json.key("version").object(|json| {
        json.field("block", "11").field("app", "0");
    });
    json.field("chain_id", channel.chain_id).number("height", header.height);
    json.field("time", &time_text(header.time));
    json.key("last_block_id").object(|json| block_id(json, header, "last block"));
    for label in HASHES {
        json.field(label, &base64(header.hash(label)));
    }
    json.field("last_results_hash", &base64(header.hash("results")));
    json.field("evidence_hash", &base64(header.hash("evidence")));
    json.field("proposer_address", &base64(validator(channel, header.height % VALIDATORS, 20)));
}

fn block_id(json: &mut Json, header: &Header, label: &str) {
    json.field("hash", &base64(header.hash(label)));
    json.key("part_set_header").object(|json| {
        json.value("total", 1).field("hash", &base64(header.hash("parts")));
    });
}

fn write_commit(json: &mut Json, channel: &ChannelSpec, header: &Header) {
    json.number("height", header.height).value("round", 0);
    json.key("block_id").object(|json| block_id(json, header, "block"));
    json.key("signatures").list(|json| {
        for place in 0..VALIDATORS {
            json.object(|json| {
                json.field("block_id_flag", "BLOCK_ID_FLAG_COMMIT");
                json.field("validator_address", &base64(validator(channel, place, 20)));
                json.field("timestamp", &time_text(header.time));
                json.field("signature", &base64(header.signature(place)));
            });
        }
    });
}

fn write_validators(json: &mut Json, channel: &ChannelSpec) {
    json.key("validators").list(|json| (0..VALIDATORS).for_each(|place| write_validator(json, channel, place)));
    json.key("proposer");
    write_validator(json, channel, 0);
    json.number("total_voting_power", VALIDATORS * 1_000_000);
}

fn write_validator(json: &mut Json, channel: &ChannelSpec, place: u64) {
    json.object(|json| {
        json.field("address", &base64(validator(channel, place, 20)));
        json.key("pub_key").object(|json| {
            json.field("ed25519", &base64(validator(channel, place, 32)));
        });
        json.number("voting_power", 1_000_000).number("proposer_priority", place * 1000);
    });
}

/// Encodes a header as protobuf in an `Any`, as in events.
pub(crate) fn encode(view: &RenderView<'_>, channel: &ChannelSpec, at: u64) -> Vec<u8> {
    let mut json = Json::new();
    json.object(|json| fields(view, json, channel, at));
    let message = encode_message(HEADER, &json.finish());
    ProtoWriter::any(&format!("/{HEADER}"), &message.unwrap_or_default())
}
