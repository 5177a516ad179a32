//! Units of the route's tokens from the user's own node, which are read before the user signs.

use std::sync::Arc;

use crate::{
    app::Context,
    domain::{ChainId, Denom},
    msg::{Ask, ask},
    signing::KnownContracts,
    story::ReportedUnits,
    wire::{ApiError, node::DenomFacts, opinit::RollupBridge, router::Route},
};

#[derive(Debug, Default)]
pub(super) struct UnitStage {
    is_asked: bool,
    is_pending: bool,
    facts: Option<Arc<DenomFacts>>,
    bridge: Option<Arc<RollupBridge>>,
    pub(super) units: ReportedUnits,
}

impl UnitStage {
    /// Returns the request for the tokens of the user's rollup that neither settings nor registry know, once.
    pub(super) fn ask(&mut self, route: &Route, known: &KnownContracts, cx: &Context) -> Option<Ask<Arc<DenomFacts>>> {
        let own = cx.own_chain().filter(|_| cx.network.node.is_some())?;
        if std::mem::replace(&mut self.is_asked, true) {
            return None;
        }
        let ends = [
            (&route.source_asset_chain_id, &route.source_asset_denom),
            (&route.dest_asset_chain_id, &route.dest_asset_denom),
        ];
        let is_open = |chain: &ChainId, denom: &Denom| *chain == own && known.decimals_of(chain, denom).is_none();
        let open = ends.into_iter().filter(|(chain, denom)| is_open(chain, denom));
        let denoms: Arc<[Denom]> = open.map(|(_, denom)| denom.clone()).collect();
        self.is_pending = !denoms.is_empty();
        self.is_pending.then(|| ask::denom_facts(denoms))
    }

    /// Whether the node's answer is pending; nothing is signed before.
    pub(super) fn is_pending(&self) -> bool {
        self.is_pending
    }

    pub(super) fn take(&mut self, result: Result<Arc<DenomFacts>, ApiError>, cx: &Context) {
        self.is_pending = false;
        let is_own = |facts: &Arc<DenomFacts>| cx.own_chain().is_some_and(|own| own.as_str() == facts.chain_id);
        self.facts = result.ok().filter(is_own);
        self.read(cx);
    }

    pub(super) fn take_bridge(&mut self, bridge: Option<Arc<RollupBridge>>, cx: &Context) {
        self.bridge = bridge;
        self.read(cx);
    }

    fn read(&mut self, cx: &Context) {
        let Some(facts) = &self.facts else { return };
        let (known, bridge) = (cx.directory.known_tokens(), self.bridge.as_ref());
        let l1 = bridge.map(|bridge| ChainId::new(bridge.l1_chain_id.as_str()));
        let l1_unit =
            |denom: &Denom| known.token(l1.as_ref()?, denom).map(|token| (token.symbol.clone(), token.decimals));
        self.units = ReportedUnits::new(facts, bridge.and_then(|bridge| bridge.bridge_id.parse().ok()), l1_unit);
    }
}
