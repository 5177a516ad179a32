//! World of the router: chains, assets and connections.

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

/// Minimum speed-up of waits: none, so that they take as long as on real chains.
const REAL_TIME: u32 = 1;
/// Minimum duration of a scaled wait, in seconds.
const SHORTEST_WAIT: u64 = 20;
/// Timeout of a packet in seconds, the default of real routers (`docs/apis/router.md` §3.1).
const PACKET_SECONDS: u32 = 300;
/// Minimum timeout of a packet in seconds, whatever the speed-up. No packet of the demo takes that long.
const SHORTEST_PACKET: u32 = 60;

/// Graph of chains, assets and bridges around one embedded rollup. It never changes; calls pass the time.
#[derive(Debug)]
pub struct RouterWorld {
    rollup: RollupFacts,
    /// The embedded rollup first, then two other rollups.
    rollups: Vec<RollupFacts>,
    scale: u32,
    chains: Vec<ChainInfo>,
    assets: Vec<Arc<ListedAsset>>,
    edges: BTreeMap<(ChainId, Denom), Vec<Arc<AssetEdge>>>,
    wallet: BTreeMap<ChainId, String>,
    terms: Terms,
}

/// Fees and durations of bridges.
#[derive(Debug, Default)]
pub(super) struct Terms {
    pub(super) optimistic: OptimisticTerms,
    pub(super) cctp: CctpTerms,
    pub(super) go_fast: GoFastTerms,
    pub(super) exchange: ExchangeTerms,
}

impl RouterWorld {
    /// Builds the world around the rollup of this VM and seed. `time_scale` divides waits for finality: seven days of a
    /// withdrawal, twenty minutes of the EVM chain.
    pub fn new(vm: Vm, seed: u64, time_scale: u32) -> Self {
        let rollups = [vm, Vm::Evm, Vm::Move, Vm::Wasm];
        let others = rollups.into_iter().enumerate().filter(|(place, one)| *place == 0 || *one != vm);
        let rollups: Vec<_> = others.map(|(_, vm)| facts(vm, seed)).collect();
        build::world(facts(vm, seed), rollups, seed, time_scale.max(REAL_TIME))
    }

    pub fn rollup(&self) -> &RollupFacts {
        &self.rollup
    }

    /// Returns all rollups' facts, the embedded one first.
    pub fn rollups(&self) -> &[RollupFacts] {
        &self.rollups
    }

    /// Returns the speed-up of waits for finality; at least 1.
    pub fn time_scale(&self) -> u32 {
        self.scale
    }

    /// Returns every chain, for `/v2/info/chains`.
    pub fn chains(&self) -> Vec<ChainInfo> {
        self.chains.clone()
    }

    /// Returns the assets of these chains for `/v2/fungible/assets`; without chains, all assets. An unknown chain has
    /// none.
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

    pub fn chain(&self, id: &ChainId) -> Option<&ChainInfo> {
        self.chains.iter().find(|chain| chain.chain_id == *id)
    }

    pub fn asset(&self, chain: &ChainId, denom: &Denom) -> Option<&Asset> {
        self.listed(chain, denom).map(|listed| &listed.asset)
    }

    /// Returns the demo wallet's address on a chain, in the chain's format.
    pub fn wallet_address(&self, chain: &ChainId) -> Option<&str> {
        self.wallet.get(chain).map(String::as_str)
    }

    /// Returns the demo wallet's initial balances on the other chains, in smallest units.
    pub fn wallet_start(&self) -> Vec<(ChainId, Denom, Amount)> {
        let elsewhere = self.assets.iter().filter(|listed| listed.chain().as_str() != self.rollup.chain_id);
        elsewhere.map(|listed| (listed.chain().clone(), listed.denom().clone(), listed.start)).collect()
    }

    pub(super) fn listed(&self, chain: &ChainId, denom: &Denom) -> Option<&Arc<ListedAsset>> {
        self.assets.iter().find(|listed| listed.chain() == chain && listed.denom() == denom)
    }

    pub(super) fn ways(&self, from: &ListedAsset) -> &[Arc<AssetEdge>] {
        self.edges.get(&(from.chain().clone(), from.denom().clone())).map_or(&[], Vec::as_slice)
    }

    pub(super) fn every_way(&self) -> impl Iterator<Item = &AssetEdge> {
        self.edges.values().flatten().map(AsRef::as_ref)
    }

    pub(super) fn terms(&self) -> &Terms {
        &self.terms
    }

    pub(super) fn rollup_of(&self, chain: &ChainId) -> Option<&RollupFacts> {
        self.rollups.iter().find(|rollup| rollup.chain_id == chain.as_str())
    }

    /// Whether a chain runs Move, as the L1 and Move rollups do.
    pub(super) fn is_move(&self, chain: &ChainId) -> bool {
        let is_l1 = chain.as_str() == self.rollup.l1_chain_id;
        is_l1 || self.rollup_of(chain).is_some_and(|rollup| rollup.vm == Vm::Move)
    }

    pub(super) fn name(&self, chain: &ChainId) -> String {
        let name = self.chain(chain).and_then(ChainInfo::name);
        name.map_or_else(|| clip(chain.as_str(), 60), |name| name.clipped(60))
    }

    /// Whether the chain supports packet forwarding.
    pub(super) fn forwards(&self, chain: &ChainId) -> bool {
        self.chain(chain).is_some_and(|info| info.pfm_enabled)
    }

    /// Divides the seconds of a wait for finality by the time scale.
    pub(super) fn scaled(&self, seconds: u64) -> u64 {
        (seconds / u64::from(self.scale)).max(SHORTEST_WAIT).min(seconds)
    }

    /// Returns the maximum seconds until a withdrawal is claimable, after scaling.
    pub fn finalization_seconds(&self) -> u64 {
        self.scaled(self.terms.optimistic.finalization)
    }

    /// Returns a packet's timeout in seconds, after scaling.
    pub fn packet_seconds(&self) -> u32 {
        (PACKET_SECONDS / self.scale).max(SHORTEST_PACKET)
    }

    /// Returns both assets of a request, or a 404 that names the unknown asset.
    pub(super) fn ends(&self, request: &RouteRequest) -> Result<(Arc<ListedAsset>, Arc<ListedAsset>), RouterError> {
        let source = self.end(&request.source_asset_chain_id, &request.source_asset_denom)?;
        let dest = self.end(&request.dest_asset_chain_id, &request.dest_asset_denom)?;
        Ok((source, dest))
    }

    /// Checks that an asset exists; 404 if not.
    pub fn check_end(&self, chain: &ChainId, denom: &Denom) -> Result<(), RouterError> {
        self.end(chain, denom).map(drop)
    }

    /// Returns an asset, or a 404 that names the unknown chain or asset.
    pub(super) fn end(&self, chain: &ChainId, denom: &Denom) -> Result<Arc<ListedAsset>, RouterError> {
        if self.chain(chain).is_none() {
            let chain = clip(chain.as_str(), 60);
            return Err(RouterError::not_found(format!("unknown chain “{chain}”: /v2/info/chains lists all")));
        }
        self.listed(chain, denom).cloned().ok_or_else(|| {
            let (denom, chain) = (clip(denom.as_str(), 90), self.name(chain));
            RouterError::not_found(format!("unknown asset “{denom}” on {chain}: /v2/fungible/assets lists all"))
        })
    }

    /// Returns the best route for a request (`docs/apis/router.md` §1), or why there is none.
    pub fn route(&self, request: &RouteRequest, now: Timestamp) -> Result<Route, RouterError> {
        super::search::route(self, request, now)
    }
}
