//! Assets that a route can reach, and the denoms of an asset on other chains.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    graph::{AssetEdge, EdgeKind, ListedAsset},
    search::{MOST_STEPS, MOST_TXS, transaction},
    world::RouterWorld,
};
use crate::domain::{ChainId, Denom};

/// Rank of the best path to an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct WayRank {
    swaps: bool,
    steps: usize,
}

/// Walk over all paths from one asset.
struct ReachWalk<'a> {
    world: &'a RouterWorld,
    most_txs: u32,
    steps: Vec<(Arc<AssetEdge>, u32)>,
    found: BTreeMap<(ChainId, Denom), (WayRank, Arc<ListedAsset>)>,
}

impl RouterWorld {
    /// Returns the assets that one transaction can reach; with `allows_several`, several transactions.
    pub(super) fn reachable(&self, from: &ListedAsset, allows_several: bool) -> Vec<Arc<ListedAsset>> {
        let found = self.walk(from, if allows_several { MOST_TXS } else { 1 });
        found.into_values().map(|(_, listed)| listed).collect()
    }

    /// Returns the denoms of an asset on a chain that transfers without swaps can reach, nearest first.
    pub(super) fn same_on(&self, from: &ListedAsset, chain: &ChainId) -> Vec<Arc<ListedAsset>> {
        let found = self.walk(from, MOST_TXS).into_values();
        let mut moved: Vec<_> = found.filter(|(reach, listed)| !reach.swaps && listed.chain() == chain).collect();
        moved.sort_by_key(|(reach, _)| *reach);
        moved.into_iter().map(|(_, listed)| listed).collect()
    }

    fn walk(&self, from: &ListedAsset, most_txs: u32) -> BTreeMap<(ChainId, Denom), (WayRank, Arc<ListedAsset>)> {
        let mut walk = ReachWalk { world: self, most_txs, steps: Vec::new(), found: BTreeMap::new() };
        walk.go(from, &mut BTreeSet::from([from.chain().clone()]));
        walk.found.remove(&(from.chain().clone(), from.denom().clone()));
        walk.found
    }
}

impl ReachWalk<'_> {
    fn go(&mut self, at: &ListedAsset, seen: &mut BTreeSet<ChainId>) {
        if self.steps.len() >= MOST_STEPS {
            return;
        }
        for edge in self.world.ways(at) {
            if edge.kind == EdgeKind::Send || (!edge.is_local() && seen.contains(edge.to.chain())) {
                continue;
            }
            let Some(tx) = transaction(self.world, self.steps.last(), edge).filter(|tx| *tx < self.most_txs) else {
                continue;
            };
            let is_new = seen.insert(edge.to.chain().clone());
            self.steps.push((Arc::clone(edge), tx));
            self.note(&edge.to);
            // A wrapped form is always the end of a transaction, since no further step can use its signature.
            if !edge.wraps() {
                self.go(&edge.to, seen);
            }
            self.steps.pop();
            if is_new {
                seen.remove(edge.to.chain());
            }
        }
    }

    fn note(&mut self, to: &Arc<ListedAsset>) {
        let swaps = self.steps.iter().any(|(edge, _)| matches!(edge.kind, EdgeKind::Swap { .. }));
        let reach = WayRank { swaps, steps: self.steps.len() };
        let best = self.found.entry((to.chain().clone(), to.denom().clone())).or_insert((reach, Arc::clone(to)));
        best.0 = best.0.min(reach);
    }
}
