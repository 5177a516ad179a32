//! View of a light chain during one request.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    demo::{
        ledger::{
            block_id,
            derive::{bridge_account, escrow_account, l2_denom, sha256},
        },
        node::{
            block::{BlockForm, filler, no_commit},
            brought::BroughtTxs,
        },
        posted::{PostedMessage, PostedTx},
        router::{
            light::{BalanceMovement, LightTx, MovementSide},
            service::gas_of,
        },
        shared::RollupShared,
    },
    domain::{Address, Balance, ChainId, Denom, Timestamp, TxHash},
    events::names::{COIN_RECEIVED, COIN_SPENT, FINALIZE_TOKEN_WITHDRAWAL},
    proof,
    wire::node::{BlockCommit, ConsensusBlockId, ConsensusHeader, ConsensusVersion, HexBytes},
};

/// Light chain during one request.
pub(super) struct LightView<'a> {
    pub(super) shared: &'a RollupShared,
    pub(super) chain_id: ChainId,
    pub(super) brought: BroughtTxs,
    pub(super) now: Timestamp,
}

pub(super) struct PostedInBlock {
    pub(super) posted: PostedTx,
    pub(super) light: LightTx,
}

impl LightView<'_> {
    pub(super) fn look<T>(&self, look: impl FnOnce(&crate::demo::router::light::LightChain) -> T) -> Option<T> {
        self.shared.router().with_light(&self.chain_id, look)
    }

    pub(super) fn tip(&self) -> u64 {
        self.look(|chain| chain.height(self.now)).unwrap_or_default()
    }

    pub(super) fn hash(&self, height: u64) -> [u8; 32] {
        sha256(format!("{} {height}", self.chain_id))
    }

    pub(super) fn time(&self, height: u64) -> Timestamp {
        self.look(|_| crate::demo::router::light::LightChain::time(height)).unwrap_or(self.now)
    }

    /// Returns a posted transaction, if its block exists.
    pub(super) fn tx(&self, hash: &TxHash) -> Option<PostedInBlock> {
        self.look(|chain| {
            let light = chain.tx(&hash.to_string(), self.now)?.clone();
            Some(PostedInBlock { posted: chain.posted(hash)?.clone(), light })
        })?
    }

    /// Returns the posted transactions of a signer whose blocks exist, oldest first.
    pub(super) fn posted_by(&self, signer: &str) -> Vec<PostedInBlock> {
        let posted = |chain: &crate::demo::router::light::LightChain| {
            let both = |posted: &PostedTx| {
                let light = chain.tx(&posted.hash().to_string(), self.now)?.clone();
                Some(PostedInBlock { posted: posted.clone(), light })
            };
            chain.posted_by(signer).filter_map(both).collect()
        };
        self.look(posted).unwrap_or_default()
    }

    pub(super) fn posted_in(&self, height: u64) -> Vec<PostedInBlock> {
        let posted = |chain: &crate::demo::router::light::LightChain| {
            let both = |(light, posted): (&LightTx, Option<&PostedTx>)| {
                Some(PostedInBlock { posted: posted?.clone(), light: light.clone() })
            };
            chain.block(height).into_iter().filter_map(both).collect()
        };
        self.look(posted).unwrap_or_default()
    }

    pub(super) fn node_id(&self) -> String {
        alloy_primitives::hex::encode(&self.hash(0)[..20])
    }

    /// Builds a header. Its hashes of state, results and commit are simulated, as the block's own is.
    pub(super) fn header(&self, height: u64) -> ConsensusHeader {
        let (hash, before) = (self.hash(height), self.hash(height.saturating_sub(1)));
        let leaves: Vec<[u8; 32]> = self.posted_in(height).iter().map(|tx| sha256(tx.posted.raw())).collect();
        let own = |label: &str, of: &[u8; 32]| HexBytes(filler(label, of).to_vec());
        ConsensusHeader {
            version: ConsensusVersion { block: 11, app: 0 },
            chain_id: self.chain_id.to_string(),
            height,
            time: self.time(height),
            last_block_id: self.previous_id(height),
            last_commit_hash: own("commit", &before),
            data_hash: HexBytes(proof::data_hash(&leaves).to_vec()),
            validators_hash: own("validators", &self.hash(0)),
            next_validators_hash: own("validators", &self.hash(0)),
            consensus_hash: HexBytes(sha256("consensus").to_vec()),
            app_hash: own("state", &hash),
            last_results_hash: own("results", &hash),
            evidence_hash: HexBytes(sha256([]).to_vec()),
            proposer_address: HexBytes(filler("proposer", &self.hash(0)).into_iter().take(20).collect()),
        }
    }

    pub(super) fn previous_id(&self, height: u64) -> ConsensusBlockId {
        if height > 1 { block_id(&self.hash(height - 1)) } else { ConsensusBlockId::default() }
    }

    /// Writes a block and its ID. It contains only posted transactions, since the demo's movements are not
    /// transactions.
    pub(super) fn block(&self, form: BlockForm, height: u64) -> Value {
        use base64::{Engine as _, prelude::BASE64_STANDARD};
        let txs: Vec<String> =
            self.posted_in(height).iter().map(|tx| BASE64_STANDARD.encode(tx.posted.raw())).collect();
        let last_commit =
            BlockCommit { height: height.saturating_sub(1), block_id: self.previous_id(height), ..no_commit() };
        json!({
            "block_id": form.id(&block_id(&self.hash(height))),
            "block": form.written(&form.header(&self.header(height)), &txs, &last_commit),
        })
    }
}

impl PostedInBlock {
    /// Returns the codespace of the error; empty if the transaction succeeded.
    pub(super) fn codespace(&self) -> &str {
        self.light.error.as_ref().map_or("", |error| &error.codespace)
    }

    pub(super) fn code(&self) -> u32 {
        self.light.error.as_ref().map_or(0, |error| error.code)
    }

    pub(super) fn log(&self) -> &str {
        self.light.error.as_ref().map_or("", |error| &error.message)
    }

    pub(super) fn gas_used(&self) -> u64 {
        let used = gas_of(&self.posted);
        if self.light.success { used } else { self.posted.gas() + 1 }
    }

    /// Returns the other sides of movements over a bridge or channel: the account that holds the funds meanwhile.
    fn of_custody(&self) -> Vec<BalanceMovement> {
        let account = match self.posted.messages() {
            [PostedMessage::Deposit(deposit)] => Address::Long(bridge_account(deposit.bridge_id)).bech32(),
            [PostedMessage::Claim(claim), ..] => Address::Long(bridge_account(claim.bridge_id)).bech32(),
            [PostedMessage::Transfer(packet)] => {
                let prefix = packet.sender.rsplit_once('1').map_or("", |(prefix, _)| prefix);
                Address::Short(escrow_account("ics20-1", &packet.port, &packet.channel)).bech32_as(prefix)
            }
            _ => return Vec::new(),
        };
        let mut sums: BTreeMap<&Denom, Balance> = BTreeMap::new();
        for moved in &self.light.events {
            let sum = sums.entry(&moved.denom).or_default();
            *sum = sum.checked_add(moved.delta()).unwrap_or(*sum);
        }
        let other = |(denom, sum): (&Denom, Balance)| match sum.amount() {
            Some(given) => BalanceMovement::spent(&account, denom, given),
            None => BalanceMovement::received(&account, denom, sum.magnitude()),
        };
        sums.into_iter().map(other).filter(|moved| !moved.amount.is_zero()).collect()
    }

    /// Returns the events of a transaction: its movements and its signer.
    pub(super) fn events(&self) -> Vec<Value> {
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
        for claim in self.posted.claims().into_iter().flatten().filter(|_| self.light.success) {
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
            events.push(event(FINALIZE_TOKEN_WITHDRAWAL, attributes));
        }
        for moved in self.light.events.iter().chain(&self.of_custody()) {
            let amount = format!("{}{}", moved.amount, moved.denom);
            let (kind, who) = match moved.kind {
                MovementSide::Spent => (COIN_SPENT, "spender"),
                MovementSide::Received => (COIN_RECEIVED, "receiver"),
            };
            events.push(event(kind, vec![(who, moved.account.clone()), ("amount", amount)]));
        }
        events
    }
}
