//! Terms of the rollup's bridge, by which the transaction's withdrawals can be claimed.

use std::sync::Arc;

use super::TxPage;
use crate::{
    app::{Context, page::PageCx},
    config::Networks,
    msg::ask,
    panes::tx_document::ClaimsShown,
    story::BridgeIdentity,
    wire::opinit::RollupBridge,
};

#[derive(Debug, Default)]
pub(super) struct ClaimTerms {
    is_asked: bool,
    bridge: Option<Arc<RollupBridge>>,
}

impl ClaimTerms {
    pub(super) fn shown<'a>(&'a self, cx: &'a Context) -> Option<ClaimsShown<'a>> {
        let bridge = self.bridge.as_deref()?;
        // The registry's servers of the L1 know nothing of a simulated one.
        let command = (!cx.directory.is_demo()).then(|| command(bridge, cx));
        Some(ClaimsShown { bridge, zone: &cx.zone, command })
    }
}

/// Returns the command that claims a withdrawal, around its number, with the servers that the user has to name.
fn command(bridge: &RollupBridge, cx: &Context) -> (String, String) {
    let (network, mut servers) = (&cx.network, String::new());
    let chosen = match network.executor {
        Some(_) => format!(" -n {}", network.name),
        None => String::new(),
    };
    if network.executor.is_none() {
        servers.push_str(" --executor URL");
    }
    if Networks::built_in().rest_of(&bridge.l1_chain_id).is_none() {
        servers.push_str(" --l1-rest URL");
    }
    (format!("rollscope claim{chosen} {}", bridge.chain_id), servers)
}

impl TxPage {
    /// Asks the rollup's node for the bridge's terms, once, if the transaction begins a withdrawal.
    pub(super) fn ask_claim_terms(&mut self, cx: &mut PageCx<'_>) {
        let moves = self.detail.story().into_iter().flat_map(|story| &story.bridge);
        let begins = moves.map(|moved| &moved.identity).any(|it| matches!(it, BridgeIdentity::Withdrawal { .. }));
        if begins && cx.context.network.node.is_some() && !std::mem::replace(&mut self.claims.is_asked, true) {
            cx.request(ask::bridge_info(), |page: &mut Self, result, cx| {
                let own = cx.context.own_chain();
                let is_own = |bridge: &Arc<RollupBridge>| own.is_some_and(|own| own.as_str() == bridge.chain_id);
                page.claims.bridge = result.ok().flatten().filter(is_own);
                page.detail.rebuild();
            });
        }
    }
}
