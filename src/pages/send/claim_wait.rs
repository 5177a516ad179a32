//! Wait of an optimistic withdrawal, which the user accepts before signing.

use std::{sync::Arc, time::Duration};

use crate::{
    app::Context,
    domain::Timestamp,
    msg::{Ask, ask},
    panes::route_warnings::{RouteWarning, warning_of_claim},
    signing::ClaimWait,
    story::{Names, claim_wait_words},
    transfers::is_withdrawal,
    wire::{
        ApiError,
        opinit::{HostedBridgeConfig, RollupBridge},
        router::{OperationKind, Route},
    },
};

/// Wait of the route's withdrawal.
#[derive(Debug, Default)]
pub(super) struct WaitStage {
    wait: Option<ClaimWait>,
    text: String,
    /// Whether the messages contain a withdrawal, whatever the route says.
    is_in_messages: bool,
    is_asked: bool,
    /// Challenge period, from the rollup's node.
    period: Option<Duration>,
}

impl WaitStage {
    /// Finds the withdrawal of a route, and describes its wait.
    pub(super) fn learn(&mut self, route: &Route, quoted: Timestamp, cx: &Context) {
        let names = &cx.directory;
        let step = route.operations.iter().find(|step| {
            is_withdrawal(step, Some(route), names) || self.is_in_messages && step.kind == OperationKind::OpInitTransfer
        });
        let Some(l1) = step.and_then(|step| step.to_chain()) else { return };
        let period = self.period.or(route.seconds().map(Duration::from_secs));
        let wait = ClaimWait { l1: l1.clone(), period, is_of_chain: self.period.is_some() };
        let words = claim_wait_words(&wait, quoted, |at| cx.zone.day_and_clock(at));
        self.text = format!(
            "The funds wait {words}; then you claim them on {}: a second signature, with a fee on that chain.",
            Names::chain(names, l1)
        );
        self.wait = Some(wait);
    }

    /// Returns the request for the bridge of this network's rollup, once, to the user's node.
    pub(super) fn ask_bridge(&mut self, route: &Route, cx: &Context) -> Option<Ask<Option<Arc<RollupBridge>>>> {
        let rollup = cx.own_chain().filter(|_| cx.network.node.is_some())?;
        let is_new = route.chain_ids.contains(&rollup) && !std::mem::replace(&mut self.is_asked, true);
        is_new.then(ask::bridge_info)
    }

    /// Takes the challenge period from the rollup's node; returns the bridge.
    pub(super) fn take(&mut self, result: Result<Option<Arc<RollupBridge>>, ApiError>) -> Option<Arc<RollupBridge>> {
        let bridge = result.ok().flatten()?;
        self.period = bridge.bridge_config.as_ref().and_then(HostedBridgeConfig::challenge_period);
        Some(bridge)
    }

    /// Notes that the messages contain a withdrawal. Returns whether the user has yet to accept its wait.
    pub(super) fn find_in_messages(&mut self) -> bool {
        self.is_in_messages = true;
        self.wait.is_none()
    }

    /// Returns the wait of the route's withdrawal; `None` for other routes.
    pub(super) fn claim_wait(&self) -> Option<&ClaimWait> {
        self.wait.as_ref()
    }

    pub(super) fn warning(&self) -> Option<RouteWarning> {
        self.wait.as_ref().map(|_| warning_of_claim(&self.text))
    }
}
