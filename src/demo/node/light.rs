//! The nodes of the chains that the rollup trades with, as far as wallets need them: accounts, balances, blocks, and
//! transactions that are posted. Their chains are light: what nobody moved is not there.

mod json_rpc;
mod ophost;
mod rest;
mod rpc;

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{
    Interface, NodeRequest,
    block::{BlockForm, filler},
    brought::BroughtTxs,
};
use crate::{
    demo::{
        ledger::derive::{l2_denom, sha256},
        posted::{PostedMessage, PostedTx},
        router::{light::LightTx, service::gas_of},
        shared::RollupShared,
    },
    domain::{ChainId, Timestamp, TxHash},
    wire::router::ChainKind,
};

/// Whether a chain has such an interface here.
pub(super) fn has(shared: &RollupShared, chain_id: &ChainId, interface: Interface) -> bool {
    let world = shared.router().world();
    let is_rollup = chain_id.as_str() == world.rollup().chain_id;
    let kind = world.chain(chain_id).filter(|_| !is_rollup).map(crate::wire::router::ChainInfo::kind);
    match interface {
        Interface::Rpc | Interface::Rest => kind == Some(ChainKind::Cosmos),
        Interface::JsonRpc => kind == Some(ChainKind::Evm),
        Interface::Executor => false,
    }
}

/// Answers a request about a light chain.
pub(super) fn answer(
    shared: &RollupShared,
    chain_id: ChainId,
    interface: Interface,
    request: &NodeRequest,
) -> (StatusCode, Value) {
    let brought = BroughtTxs::bring(shared, &chain_id, interface, interface.brought(request));
    let view = LightView { shared, chain_id, brought, now: shared.chain_now() };
    match interface {
        Interface::Rest => rest::answer(&view, request),
        Interface::Rpc => rpc::answer(&view, request),
        Interface::JsonRpc => json_rpc::answer(&view, request),
        // The executor is the rollup's: `has` lets nothing of it through.
        Interface::Executor => (StatusCode::NOT_FOUND, json!({ "error": "this chain has no executor" })),
    }
}

/// A light chain while one request is answered.
struct LightView<'a> {
    shared: &'a RollupShared,
    chain_id: ChainId,
    brought: BroughtTxs,
    now: Timestamp,
}

/// A transaction that was posted and is in a block.
struct PostedInBlock {
    posted: PostedTx,
    light: LightTx,
}

impl LightView<'_> {
    fn look<T>(&self, look: impl FnOnce(&crate::demo::router::light::LightChain) -> T) -> Option<T> {
        self.shared.router().with_light(&self.chain_id, look)
    }

    fn tip(&self) -> u64 {
        self.look(|chain| chain.height(self.now)).unwrap_or_default()
    }

    fn hash(&self, height: u64) -> [u8; 32] {
        sha256(format!("{} {height}", self.chain_id))
    }

    fn time(&self, height: u64) -> Timestamp {
        self.look(|chain| chain.time(height)).unwrap_or(self.now)
    }

    /// A posted transaction, once its block is there.
    fn tx(&self, hash: &TxHash) -> Option<PostedInBlock> {
        self.look(|chain| {
            let light = chain.tx(&hash.to_string(), self.now)?.clone();
            Some(PostedInBlock { posted: chain.posted(hash)?.clone(), light })
        })?
    }

    /// The posted transactions of a block.
    fn posted_in(&self, height: u64) -> Vec<PostedInBlock> {
        let posted = |chain: &crate::demo::router::light::LightChain| {
            let both = |(light, posted): (&LightTx, Option<&PostedTx>)| {
                Some(PostedInBlock { posted: posted?.clone(), light: light.clone() })
            };
            chain.block(height).into_iter().filter_map(both).collect()
        };
        self.look(posted).unwrap_or_default()
    }

    /// The node's own id.
    fn node_id(&self) -> String {
        alloy_primitives::hex::encode(&self.hash(0)[..20])
    }

    fn header(&self, form: BlockForm, height: u64) -> Value {
        let (hash, before) = (self.hash(height), self.hash(height.saturating_sub(1)));
        let leaves: Vec<Vec<u8>> = self.posted_in(height).iter().map(|tx| sha256(tx.posted.raw()).to_vec()).collect();
        let version = match form {
            BlockForm::Comet => json!({ "block": "11" }),
            BlockForm::Proto => json!({ "block": "11", "app": "0" }),
        };
        json!({
            "version": version,
            "chain_id": self.chain_id,
            "height": height.to_string(),
            "time": self.time(height).to_string(),
            "last_block_id": form.id((height > 1).then_some(&before)),
            "last_commit_hash": form.bytes(&filler("commit", &before)),
            "data_hash": form.bytes(&super::merkle::root(&leaves)),
            "validators_hash": form.bytes(&filler("validators", &self.hash(0))),
            "next_validators_hash": form.bytes(&filler("validators", &self.hash(0))),
            "consensus_hash": form.bytes(&sha256("consensus")),
            "app_hash": form.bytes(&filler("state", &hash)),
            "last_results_hash": form.bytes(&filler("results", &hash)),
            "evidence_hash": form.bytes(&sha256([])),
            "proposer_address": form.bytes(&filler("proposer", &self.hash(0))[..20]),
        })
    }

    /// A block with its id. Only what was posted is in it as bytes: the demo's own movements have none.
    fn block(&self, form: BlockForm, height: u64) -> Value {
        use base64::{Engine as _, prelude::BASE64_STANDARD};
        let txs: Vec<String> =
            self.posted_in(height).iter().map(|tx| BASE64_STANDARD.encode(tx.posted.raw())).collect();
        let (hash, before) = (self.hash(height), self.hash(height.saturating_sub(1)));
        json!({
            "block_id": form.id(Some(&hash)),
            "block": {
                "header": self.header(form, height),
                "data": { "txs": txs },
                "evidence": { "evidence": [] },
                "last_commit": {
                    "height": height.saturating_sub(1).to_string(),
                    "round": 0,
                    "block_id": form.id((height > 1).then_some(&before)),
                    "signatures": [],
                },
            },
        })
    }
}

impl PostedInBlock {
    /// The module whose error it ended with; empty where it ended well.
    fn codespace(&self) -> &str {
        self.light.error.as_ref().map_or("", |error| &error.codespace)
    }

    fn code(&self) -> u32 {
        self.light.error.as_ref().map_or(0, |error| error.code)
    }

    fn log(&self) -> &str {
        self.light.error.as_ref().map_or("", |error| &error.message)
    }

    fn gas_used(&self) -> u64 {
        let used = gas_of(&self.posted);
        if self.light.success { used } else { self.posted.gas() + 1 }
    }

    /// What it moved, and who signed it.
    fn events(&self) -> Vec<Value> {
        let attribute = |(key, value): (&str, String)| json!({ "key": key, "value": value, "index": true });
        let event = |kind: &str, attributes: Vec<(&str, String)>| json!({ "type": kind, "attributes": attributes.into_iter().map(attribute).collect::<Vec<_>>() });
        let fee: Vec<String> = self.posted.fee().iter().map(ToString::to_string).collect();
        let signer = self.posted.signer().to_owned();
        let mut events = vec![
            event("tx", vec![("fee", fee.join(",")), ("fee_payer", signer.clone())]),
            event("tx", vec![("acc_seq", format!("{signer}/{}", self.posted.sequence()))]),
            event("tx", vec![("signature", self.posted.signature())]),
        ];
        for kind in self.posted.message_types().iter().filter(|_| self.light.success) {
            let action = format!("/{}", kind.as_str().trim_start_matches('/'));
            events.push(event("message", vec![("action", action), ("sender", signer.clone())]));
        }
        if let ([PostedMessage::Claim(claim)], true) = (self.posted.messages(), self.light.success) {
            let (l1_denom, number) = (claim.coin.denom.as_str(), |number: u64| number.to_string());
            let attributes = vec![
                ("bridge_id", number(claim.bridge_id)),
                ("output_index", number(claim.output_index)),
                ("l2_sequence", number(claim.sequence)),
                ("from", claim.from.clone()),
                ("to", claim.to.clone()),
                ("l1_denom", l1_denom.to_owned()),
                ("l2_denom", l2_denom(claim.bridge_id, l1_denom)),
                ("amount", claim.coin.amount.to_string()),
            ];
            events.push(event("finalize_token_withdrawal", attributes));
        }
        for moved in &self.light.events {
            let amount = format!("{}{}", moved.amount, moved.denom);
            let (kind, who) = match moved.kind {
                crate::demo::router::light::MovementSide::Spent => ("coin_spent", "spender"),
                crate::demo::router::light::MovementSide::Received => ("coin_received", "receiver"),
            };
            events.push(event(kind, vec![(who, moved.account.clone()), ("amount", amount)]));
        }
        events
    }
}
