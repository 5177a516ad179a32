//! The router's world: chains, the assets on them and the ways between them, and what the router answers about them.

mod build;
pub(super) mod file;

use std::{collections::BTreeMap, sync::Arc};

use self::file::{CctpTerms, ExchangeTerms, GoFastTerms, OptimisticTerms};
use super::{
    error::RouterError,
    graph::{AssetEdge, ListedAsset},
};
use crate::{
    demo::ledger::{RollupFacts, facts},
    domain::{Amount, ChainId, Denom, Timestamp, Vm, text::clip},
    wire::router::{Asset, AssetsResponse, ChainInfo, Route, RouteRequest},
};

/// Slowest possible speed-up of what waits for days: none.
const REAL_TIME: u32 = 1;
/// Seconds that a scaled wait takes at the least.
const SHORTEST_WAIT: u64 = 20;
/// How long a packet may take to arrive, in seconds: what routers ask for unless told otherwise (`docs/apis/router.md`
/// §3.1).
const PACKET_SECONDS: u32 = 300;
/// Seconds that a packet has at the least, however fast time runs: longer than any packet takes here.
const SHORTEST_PACKET: u32 = 60;

/// A graph of chains, assets and bridges around one embedded rollup. Pure: it never changes, and time comes with calls.
#[derive(Debug)]
pub struct RouterWorld {
    rollup: RollupFacts,
    /// The embedded rollup and the two others.
    rollups: Vec<RollupFacts>,
    scale: u32,
    chains: Vec<ChainInfo>,
    assets: Vec<Arc<ListedAsset>>,
    edges: BTreeMap<(ChainId, Denom), Vec<Arc<AssetEdge>>>,
    wallet: BTreeMap<ChainId, String>,
    terms: Terms,
}

/// What the bridges take and how long they need.
#[derive(Debug, Default)]
pub(super) struct Terms {
    pub(super) optimistic: OptimisticTerms,
    pub(super) cctp: CctpTerms,
    pub(super) go_fast: GoFastTerms,
    pub(super) exchange: ExchangeTerms,
}

impl RouterWorld {
    /// The world around the rollup with this virtual machine and seed. `time_scale` is how many times faster than on
    /// real chains the waits for finality pass: seven days for a withdrawal, twenty minutes on the EVM chain.
    pub fn new(vm: Vm, seed: u64, time_scale: u32) -> Self {
        let rollups = [vm, Vm::Evm, Vm::Move, Vm::Wasm];
        let others = rollups.into_iter().enumerate().filter(|(place, one)| *place == 0 || *one != vm);
        let rollups: Vec<_> = others.map(|(_, vm)| facts(vm, seed)).collect();
        build::world(facts(vm, seed), rollups, seed, time_scale.max(REAL_TIME))
    }

    /// What is fixed about the embedded rollup.
    pub fn rollup(&self) -> &RollupFacts {
        &self.rollup
    }

    /// What is fixed about every rollup, the embedded one first.
    pub fn rollups(&self) -> &[RollupFacts] {
        &self.rollups
    }

    /// How many times faster than on real chains the waits for finality pass; at least 1.
    pub fn time_scale(&self) -> u32 {
        self.scale
    }

    /// Every chain, for `/v2/info/chains`.
    pub fn chains(&self) -> Vec<ChainInfo> {
        self.chains.clone()
    }

    /// The assets of these chains, for `/v2/fungible/assets`; without a chain those of all. Unknown chains have none.
    pub fn assets(&self, chain_ids: &[ChainId]) -> AssetsResponse {
        let mut response = AssetsResponse::default();
        for listed in &self.assets {
            if chain_ids.is_empty() || chain_ids.contains(listed.chain()) {
                let list = response.chain_to_assets_map.entry(listed.chain().clone()).or_default();
                list.assets.push(listed.asset.clone());
            }
        }
        response
    }

    /// A chain; `None` where it is not known.
    pub fn chain(&self, id: &ChainId) -> Option<&ChainInfo> {
        self.chains.iter().find(|chain| chain.chain_id == *id)
    }

    /// An asset on a chain; `None` where it is not known.
    pub fn asset(&self, chain: &ChainId, denom: &Denom) -> Option<&Asset> {
        self.listed(chain, denom).map(|listed| &listed.asset)
    }

    /// The demo wallet's address on a chain, in that chain's form; `None` where the chain is not known.
    pub fn wallet_address(&self, chain: &ChainId) -> Option<&str> {
        self.wallet.get(chain).map(String::as_str)
    }

    /// What the demo wallet holds at the start on every chain but the embedded rollup, in smallest units.
    pub fn wallet_start(&self) -> Vec<(ChainId, Denom, Amount)> {
        let elsewhere = self.assets.iter().filter(|listed| listed.chain().as_str() != self.rollup.chain_id);
        elsewhere.map(|listed| (listed.chain().clone(), listed.denom().clone(), listed.start)).collect()
    }

    pub(super) fn listed(&self, chain: &ChainId, denom: &Denom) -> Option<&Arc<ListedAsset>> {
        self.assets.iter().find(|listed| listed.chain() == chain && listed.denom() == denom)
    }

    /// The ways that start at an asset.
    pub(super) fn ways(&self, from: &ListedAsset) -> &[Arc<AssetEdge>] {
        self.edges.get(&(from.chain().clone(), from.denom().clone())).map_or(&[], Vec::as_slice)
    }

    /// Every way between two assets.
    pub(super) fn every_way(&self) -> impl Iterator<Item = &AssetEdge> {
        self.edges.values().flatten().map(AsRef::as_ref)
    }

    pub(super) fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The rollup of this chain id; `None` for other chains.
    pub(super) fn rollup_of(&self, chain: &ChainId) -> Option<&RollupFacts> {
        self.rollups.iter().find(|rollup| rollup.chain_id == chain.as_str())
    }

    /// Whether a chain runs Move: the L1 and Move rollups.
    pub(super) fn is_move(&self, chain: &ChainId) -> bool {
        let is_l1 = chain.as_str() == self.rollup.l1_chain_id;
        is_l1 || self.rollup_of(chain).is_some_and(|rollup| rollup.vm == Vm::Move)
    }

    /// A chain's name for people.
    pub(super) fn name(&self, chain: &ChainId) -> String {
        self.chain(chain).map_or_else(|| clip(chain.as_str(), 60), |info| info.name().to_owned())
    }

    /// Whether packets are passed on there.
    pub(super) fn forwards(&self, chain: &ChainId) -> bool {
        self.chain(chain).is_some_and(|info| info.pfm_enabled)
    }

    /// Seconds of a wait for finality as they pass here.
    pub(super) fn scaled(&self, seconds: u64) -> u64 {
        (seconds / u64::from(self.scale)).max(SHORTEST_WAIT).min(seconds)
    }

    /// How long a withdrawal takes from its transaction until it can be claimed at the latest, in seconds as they pass
    /// here.
    pub fn finalization_seconds(&self) -> u64 {
        self.scaled(self.terms.optimistic.finalization)
    }

    /// How long a packet may take to arrive, in seconds as they pass here.
    pub fn packet_seconds(&self) -> u32 {
        (PACKET_SECONDS / self.scale).max(SHORTEST_PACKET)
    }

    /// Both ends of a request, or a 404 that names the one that is not known.
    pub(super) fn ends(&self, request: &RouteRequest) -> Result<(Arc<ListedAsset>, Arc<ListedAsset>), RouterError> {
        let source = self.end(&request.source_asset_chain_id, &request.source_asset_denom)?;
        let dest = self.end(&request.dest_asset_chain_id, &request.dest_asset_denom)?;
        Ok((source, dest))
    }

    /// The 404 for an asset that is not known.
    pub fn check_end(&self, chain: &ChainId, denom: &Denom) -> Result<(), RouterError> {
        self.end(chain, denom).map(drop)
    }

    /// An asset, or a 404 that says which chain or asset is not known.
    pub(super) fn end(&self, chain: &ChainId, denom: &Denom) -> Result<Arc<ListedAsset>, RouterError> {
        if self.chain(chain).is_none() {
            let chain = clip(chain.as_str(), 60);
            return Err(RouterError::not_found(format!(
                "the chain “{chain}” is not known here: /v2/info/chains lists those that are"
            )));
        }
        self.listed(chain, denom).cloned().ok_or_else(|| {
            let (denom, chain) = (clip(denom.as_str(), 90), self.name(chain));
            RouterError::not_found(format!(
                "the asset “{denom}” is not known on {chain}: /v2/fungible/assets lists those that are"
            ))
        })
    }

    /// The best route for a request (`docs/apis/router.md` §1), or why there is none.
    pub fn route(&self, request: &RouteRequest, now: Timestamp) -> Result<Route, RouterError> {
        super::search::route(self, request, now)
    }
}
