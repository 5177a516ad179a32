//! Light-client headers: the same one as JSON in the message and as bytes in the event.

use super::{RenderView, base64};
use crate::{
    demo::ledger::{common::catalogue::ChannelSpec, derive, json::Json},
    domain::Timestamp,
    wire::protobuf::ProtoWriter,
};

/// Validators whose signatures a header carries; real ones carry more of the same.
const VALIDATORS: u64 = 4;

/// The other chain's height at one of ours.
pub(crate) fn height(view: &RenderView<'_>, channel: &ChannelSpec, at: u64) -> u64 {
    view.clock.l1_height(at) - view.clock.l1_height(0) + channel.start_height
}

/// What a header is made of.
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

/// The address of a validator of the other chain, or its key of 32 bytes.
fn validator(channel: &ChannelSpec, place: u64, bytes: usize) -> Vec<u8> {
    derive::filler(channel.chain_id, &[place, bytes as u64], bytes)
}

/// The hashes of a header in the order of its JSON.
const HASHES: [&str; 6] =
    ["last_commit_hash", "data_hash", "validators_hash", "next_validators_hash", "consensus_hash", "app_hash"];

/// The header as the next JSON value.
pub(crate) fn write(view: &RenderView<'_>, json: &mut Json, channel: &ChannelSpec, at: u64) {
    let header = Header::new(view, channel, at);
    json.object(|json| {
        json.field("@type", "/ibc.lightclients.tendermint.v1.Header");
        json.key("signed_header").object(|json| {
            json.key("header").object(|json| write_inner(json, channel, &header));
            json.key("commit").object(|json| write_commit(json, channel, &header));
        });
        json.key("validator_set").object(|json| write_validators(json, channel));
        json.key("trusted_height").object(|json| {
            json.number("revision_number", channel.revision).number("revision_height", header.height - 240);
        });
        json.key("trusted_validators").object(|json| write_validators(json, channel));
    });
}

fn write_inner(json: &mut Json, channel: &ChannelSpec, header: &Header) {
    json.key("version").object(|json| {
        json.field("block", "11").field("app", "0");
    });
    json.field("chain_id", channel.chain_id).number("height", header.height);
    json.field("time", &header.time.to_string());
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
                json.field("timestamp", &header.time.to_string());
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

/// The header as protobuf inside an `Any`, as the event has it.
pub(crate) fn encode(view: &RenderView<'_>, channel: &ChannelSpec, at: u64) -> Vec<u8> {
    let header = Header::new(view, channel, at);
    let time = ProtoWriter::new().uint(1, u64::try_from(header.time.as_seconds()).unwrap_or(0)).finish();
    let version = ProtoWriter::new().uint(1, 11).finish();
    let mut inner =
        ProtoWriter::new().bytes(1, version).bytes(2, channel.chain_id).uint(3, header.height).bytes(4, &time);
    inner = inner.bytes(5, proto_block_id(&header, "last block"));
    for (field, label) in (6..).zip(HASHES) {
        inner = inner.bytes(field, header.hash(label));
    }
    inner = inner.bytes(12, header.hash("results")).bytes(13, header.hash("evidence"));
    inner = inner.bytes(14, validator(channel, header.height % VALIDATORS, 20));
    let mut commit = ProtoWriter::new().uint(1, header.height).bytes(3, proto_block_id(&header, "block"));
    for place in 0..VALIDATORS {
        let vote = ProtoWriter::new().uint(1, 2).bytes(2, validator(channel, place, 20)).bytes(3, &time);
        commit = commit.bytes(4, vote.bytes(4, header.signature(place)).finish());
    }
    let signed = ProtoWriter::new().bytes(1, inner.finish()).bytes(2, commit.finish()).finish();
    let trusted = ProtoWriter::new().uint(1, channel.revision).uint(2, header.height - 240).finish();
    let validators = proto_validators(channel);
    let message = ProtoWriter::new().bytes(1, signed).bytes(2, &validators).bytes(3, trusted).bytes(4, &validators);
    ProtoWriter::any("/ibc.lightclients.tendermint.v1.Header", &message.finish())
}

fn proto_block_id(header: &Header, label: &str) -> Vec<u8> {
    let parts = ProtoWriter::new().uint(1, 1).bytes(2, header.hash("parts")).finish();
    ProtoWriter::new().bytes(1, header.hash(label)).bytes(2, parts).finish()
}

fn proto_validators(channel: &ChannelSpec) -> Vec<u8> {
    let one = |place: u64| {
        let key = ProtoWriter::new().bytes(1, validator(channel, place, 32)).finish();
        let validator = ProtoWriter::new().bytes(1, validator(channel, place, 20)).bytes(2, key);
        validator.uint(3, 1_000_000).uint(4, place * 1000).finish()
    };
    let set = (0..VALIDATORS).fold(ProtoWriter::new(), |set, place| set.bytes(1, one(place)));
    set.bytes(2, one(0)).uint(3, VALIDATORS * 1_000_000).finish()
}
