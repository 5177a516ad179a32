//! Requests to the router for chains, assets and the demo wallet.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use super::Directory;
use crate::{
    app::{App, SessionRequest, go_to::GoTo},
    domain::{ChainId, Timestamp},
    msg::{Remote, Slot, ask},
    wire::{ApiError, router::DemoInfo},
};

/// Maximum concurrent requests for asset lists.
const LANES: usize = 6;
/// Maximum age of the demo wallet's balance next to an amount.
const REFRESH: Duration = Duration::from_secs(10);

pub(in crate::app) struct DirectoryDemand<'a> {
    /// Chain that the indexer serves.
    pub(in crate::app) own: Option<&'a ChainId>,
    /// Whether the screen shows the demo wallet's balances.
    pub(in crate::app) shows_wallet: bool,
    pub(in crate::app) is_frozen: bool,
}

impl Directory {
    /// Returns the due requests for these chains and their assets, and marks them as sent.
    pub(in crate::app) fn learn(&mut self, named: BTreeSet<ChainId>, now: Timestamp) -> Vec<SessionRequest> {
        let mut questions = Vec::new();
        if matches!(self.chains, Remote::Idle) {
            self.chains.ask(now);
            questions.push(ask_chains());
        }
        for chain in named {
            if self.chain(&chain).is_none() {
                continue;
            }
            let assets = self.assets.entry(chain.clone()).or_default();
            if matches!(assets, Remote::Idle) {
                assets.ask(now);
                questions.push(ask_assets(chain));
            }
        }
        questions
    }

    /// Returns the requests that are due: chains, wallet, and some asset lists at a time. Of many chains only those on
    /// screen count.
    pub(in crate::app) fn ask(
        &mut self,
        demand: &DirectoryDemand<'_>,
        is_waiting: impl Fn(&Slot) -> bool,
        now: Timestamp,
    ) -> Vec<SessionRequest> {
        let mut asked = Vec::new();
        if matches!(self.chains, Remote::Idle) {
            self.chains.ask(now);
            asked.push(ask_chains());
        }
        if self.is_wallet_due(demand, now) && !is_waiting(&Slot::DemoInfo) {
            asked.push(self.ask_demo(now));
        }
        while self.assets.values().filter(|assets| assets.is_loading()).count() < LANES
            && let Some(chain) = self.next_wanted(demand.own)
        {
            self.assets.entry(chain.clone()).or_default().ask(now);
            asked.push(ask_assets(chain));
        }
        asked
    }

    /// Returns the requests for unclaimed withdrawals: the chains, and whether the router has an executor.
    pub(in crate::app) fn ask_settlement(&mut self, now: Timestamp) -> Vec<SessionRequest> {
        let mut asked = self.learn(BTreeSet::new(), now);
        asked.extend(matches!(self.demo, Remote::Idle).then(|| self.ask_demo(now)));
        asked
    }

    fn ask_demo(&mut self, now: Timestamp) -> SessionRequest {
        self.demo.ask(now);
        self.demo_asked = Some(now);
        SessionRequest::new(Slot::DemoInfo, ask::demo_info(), take_demo)
    }

    /// Whether to request the demo wallet's balances and the faults: once, then repeatedly while the screen shows them.
    fn is_wallet_due(&self, demand: &DirectoryDemand<'_>, now: Timestamp) -> bool {
        if matches!(self.demo, Remote::Idle) {
            return true;
        }
        let is_old = self.demo_asked.is_none_or(|at| now.since(at) >= REFRESH);
        // The header shows the faults, which anybody may end.
        let is_shown = demand.shows_wallet && self.wallet().is_some() || !self.faults().is_empty();
        is_shown && is_old && !demand.is_frozen
    }
}

fn ask_chains() -> SessionRequest {
    SessionRequest::new(Slot::Chains, ask::chains(), |app, result| {
        app.take_in_directory(|directory, now| directory.chains.settle(result, now));
        app.in_go_to(GoTo::take_chains);
    })
}

fn ask_assets(chain: ChainId) -> SessionRequest {
    SessionRequest::new(Slot::Assets(chain.clone()), ask::assets(chain.clone()), |app, result| {
        app.take_in_directory(|directory, now| directory.assets.entry(chain).or_default().settle(result, now));
    })
}

pub(in crate::app) fn take_demo(app: &mut App, result: Result<Option<Arc<DemoInfo>>, ApiError>) {
    app.take_in_directory(|directory, now| {
        let own = result.map(|info| info.and_then(|info| directory.own_simulation(info)));
        directory.demo.settle(own, now);
    });
}

impl App {
    fn take_in_directory(&mut self, settle: impl FnOnce(&mut Directory, Timestamp)) {
        let context = &mut self.context;
        context.directory.edition += 1;
        settle(&mut context.directory, context.now);
        self.needs_redraw = true;
    }
}
