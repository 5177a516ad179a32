//! Queries about channels, their counterparties, and denom traces.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::{
    super::{NodeRequest, paging::PageAsked, view::NodeView},
    RestAnswer, RestRefusal,
};
use crate::demo::{
    chain::{NftClass, OpenPacket},
    ledger::{RollupChannel, TokenOrigin, derive::voucher_hash},
};

/// IBC voucher: channel path and base denom.
struct Voucher {
    path: String,
    base: &'static str,
}

impl Voucher {
    fn hash(&self) -> String {
        voucher_hash(&format!("{}/{}", self.path, self.base))
    }

    fn trace(&self) -> Value {
        json!({ "path": self.path, "base_denom": self.base })
    }
}

pub(super) fn answer(view: &NodeView<'_>, request: &NodeRequest, path: &[&str]) -> RestAnswer {
    match path {
        _ if request.is_post => Err(RestRefusal::not_implemented()),
        ["core", "channel", "v1", "channels"] => {
            let channels: Vec<&RollupChannel> = view.facts().channels.iter().collect();
            let total = channels.len().to_string();
            let mut answer = PageAsked::read(&request.query)?.cut("channels", channels, |channel| {
                let mut fields = written(channel);
                if let Some(fields) = fields.as_object_mut() {
                    fields.insert("port_id".to_owned(), channel.local_port.as_str().into());
                    fields.insert("channel_id".to_owned(), channel.id.into());
                    fields.insert("upgrade_sequence".to_owned(), "0".into());
                }
                fields
            });
            if let Some(fields) = answer.as_object_mut() {
                fields.insert("height".to_owned(), height(view));
                fields.insert("pagination".to_owned(), json!({ "next_key": null, "total": total }));
            }
            Ok(answer)
        }
        ["core", "channel", "v1", "channels", id, "ports", port] => {
            Ok(json!({ "channel": written(channel(view, id, port)?), "proof": null, "proof_height": height(view) }))
        }
        ["core", "channel", "v1", "channels", id, "ports", port, "client_state"] => {
            let channel = channel(view, id, port)?;
            Ok(json!({
                "identified_client_state": {
                    "client_id": channel.client,
                    "client_state": client_state(channel),
                },
                "proof": null,
                "proof_height": height(view),
            }))
        }
        ["core", "channel", "v1", "channels", id, "ports", port, "packet_commitments"] => {
            let mut answer = PageAsked::read(&request.query)?.cut("commitments", open(view, id, port)?, |packet| {
                json!({
                    "port_id": packet.port,
                    "channel_id": packet.channel,
                    "sequence": packet.sequence.to_string(),
                    "data": BASE64_STANDARD.encode(packet.commitment),
                })
            });
            if let Some(fields) = answer.as_object_mut() {
                fields.insert("height".to_owned(), height(view));
            }
            Ok(answer)
        }
        ["core", "channel", "v1", "channels", id, "ports", port, "packet_commitments", sequence] => {
            let sequence: u64 = sequence.parse().map_err(|_| RestRefusal::invalid("invalid packet sequence"))?;
            let packet = open(view, id, port)?.into_iter().find(|packet| packet.sequence == sequence);
            let missing = || RestRefusal::not_found("packet commitment hash not found");
            let commitment = BASE64_STANDARD.encode(packet.ok_or_else(missing)?.commitment);
            Ok(json!({ "commitment": commitment, "proof": null, "proof_height": height(view) }))
        }
        ["apps", "transfer", "v1", "denom_traces"] => {
            Ok(PageAsked::read(&request.query)?.cut("denom_traces", vouchers(view), Voucher::trace))
        }
        ["apps", "transfer", "v1", "denom_traces", hash] => {
            let hash = hash.trim_start_matches("ibc/");
            let voucher = vouchers(view).into_iter().find(|voucher| voucher.hash() == hash);
            let missing = || RestRefusal::not_found(format!("{hash}: denomination trace not found"));
            Ok(json!({ "denom_trace": voucher.ok_or_else(missing)?.trace() }))
        }
        ["apps", "nft_transfer", "v1", "class_traces"] => {
            let classes = view.state.nft_class().into_iter().collect();
            Ok(PageAsked::read(&request.query)?.cut("class_traces", classes, class_trace))
        }
        ["apps", "nft_transfer", "v1", "class_traces", hash] => {
            let id = format!("ibc/{}", hash.trim_start_matches("ibc/"));
            let class = view.state.nft_class().filter(|class| class.id == id);
            let missing = || RestRefusal::not_found(format!("{hash}: class trace not found"));
            Ok(json!({ "class_trace": class_trace(&class.ok_or_else(missing)?) }))
        }
        _ => Err(RestRefusal::not_implemented()),
    }
}

fn class_trace(class: &NftClass) -> Value {
    json!({ "path": class.path, "base_class_id": class.base })
}

fn height(view: &NodeView<'_>) -> Value {
    // The revision number is the last part of the chain ID.
    let revision = view.chain_id().rsplit('-').next().filter(|text| text.parse::<u64>().is_ok()).unwrap_or("0");
    json!({ "revision_number": revision, "revision_height": view.tip.to_string() })
}

fn channel<'a>(view: &'a NodeView<'_>, id: &str, port: &str) -> Result<&'a RollupChannel, RestRefusal> {
    let found = view.facts().channels.iter().find(|channel| channel.id == id && channel.local_port == port);
    found.ok_or_else(|| RestRefusal::not_found(format!("port-id: {port}, channel-id {id}: channel not found")))
}

/// Returns the packets sent over a channel that are not settled.
fn open(view: &NodeView<'_>, id: &str, port: &str) -> Result<Vec<OpenPacket>, RestRefusal> {
    let channel = channel(view, id, port)?;
    let packets = view.state.open_packets().into_iter();
    Ok(packets.filter(|packet| (packet.channel, &packet.port) == (channel.id, &channel.local_port)).collect())
}

fn written(channel: &RollupChannel) -> Value {
    let version = if channel.port == "transfer" { "ics20-1" } else { "ics721-1" };
    json!({
        "state": "STATE_OPEN",
        "ordering": "ORDER_UNORDERED",
        "counterparty": { "port_id": channel.port, "channel_id": channel.there },
        "connection_hops": [channel.connection],
        "version": version,
    })
}

fn client_state(channel: &RollupChannel) -> Value {
    json!({
        "@type": "/ibc.lightclients.tendermint.v1.ClientState",
        "chain_id": channel.chain_id,
        "trust_level": { "numerator": "1", "denominator": "3" },
        "trusting_period": "1209600s",
        "unbonding_period": "1814400s",
        "max_clock_drift": "10s",
        "frozen_height": { "revision_number": "0", "revision_height": "0" },
        "latest_height": { "revision_number": channel.revision.to_string(), "revision_height": channel.start_height.to_string() },
        "proof_specs": [],
        "upgrade_path": ["upgrade", "upgradedIBCState"],
        "allow_update_after_expiry": false,
        "allow_update_after_misbehaviour": false,
    })
}

fn vouchers(view: &NodeView<'_>) -> Vec<Voucher> {
    let voucher = |origin: &TokenOrigin| match origin {
        TokenOrigin::Voucher { channel, base } => Some(Voucher { path: format!("transfer/{channel}"), base }),
        _ => None,
    };
    view.facts().tokens.iter().filter_map(|token| voucher(&token.origin)).collect()
}
