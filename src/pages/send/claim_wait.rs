//! Wait of an optimistic withdrawal, which the user accepts before signing.

use std::time::Duration;

use super::SendPage;
use crate::{
    app::page::PageCx,
    msg::ask,
    panes::route_warnings::{RouteWarning, warning_of_claim},
    signing::ClaimWait,
    story::{Names, claim_wait_words},
    transfers::is_withdrawal,
    wire::{opinit::HostedBridgeConfig, router::OperationKind},
};

/// Wait of the route's withdrawal, and what is known about it.
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

impl SendPage {
    /// Finds the withdrawal of the route, and describes its wait.
    pub(super) fn learn_wait(&mut self, cx: &PageCx<'_>) {
        let (route, names) = (&self.route.value, &cx.context.directory);
        let step = route.operations.iter().find(|step| {
            is_withdrawal(step, Some(route), names)
                || self.wait.is_in_messages && step.kind == OperationKind::OpInitTransfer
        });
        let Some(l1) = step.and_then(|step| step.to_chain()) else { return };
        let period = self.wait.period.or(route.seconds().map(Duration::from_secs));
        let wait = ClaimWait { l1: l1.clone(), period, is_of_chain: self.wait.period.is_some() };
        let words = claim_wait_words(&wait, self.quote.at, |at| cx.context.zone.day_and_clock(at));
        self.wait.text = format!(
            "The funds wait {words}; then you claim them on {}: a second signature, with a fee there.",
            Names::chain(names, l1)
        );
        self.wait.wait = Some(wait);
    }

    /// Requests bridge and challenge period of this network's rollup from the user's node, once.
    pub(super) fn learn_bridge(&mut self, cx: &mut PageCx<'_>) {
        let Some(rollup) = cx.context.own_chain().filter(|_| cx.context.network.node.is_some()) else { return };
        if self.route.value.chain_ids.contains(&rollup) && !std::mem::replace(&mut self.wait.is_asked, true) {
            cx.request(ask::bridge_info(), move |page: &mut Self, result, cx| {
                let bridge = result.ok().flatten();
                let config = bridge.as_ref().and_then(|bridge| bridge.bridge_config.as_ref());
                page.wait.period = config.and_then(HostedBridgeConfig::challenge_period);
                if let Some(bridge_id) = bridge.and_then(|bridge| bridge.bridge_id.parse().ok()) {
                    page.known = page.known.take().map(|known| known.with_bridge(rollup, bridge_id));
                }
                page.drive(cx);
            });
        }
    }

    /// Notes that the messages contain a withdrawal. Returns whether the user has yet to accept its wait.
    pub(super) fn find_wait_in_messages(&mut self) -> bool {
        let is_new = self.wait.wait.is_none();
        self.wait.is_in_messages = true;
        is_new
    }

    /// Returns the wait of the route's withdrawal; `None` for other routes.
    pub(super) fn claim_wait(&self) -> Option<&ClaimWait> {
        self.wait.wait.as_ref()
    }

    pub(super) fn wait_warning(&self) -> Option<RouteWarning> {
        self.wait.wait.as_ref().map(|_| warning_of_claim(&self.wait.text))
    }
}
