//! Duration of a transfer without a route of its own: by earlier transfers, or by a route, over the same hops.

use std::time::Duration;

use super::{HopProtocol, HopView, Phase, TransferStatusView};
use crate::{domain::ChainId, wire::router::Route};

/// Estimate of a transfer whose own route is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubstituteEstimate {
    Earlier(UsualDuration),
    /// Duration of the router's present route for the same funds.
    Route(Duration),
}

impl SubstituteEstimate {
    pub(super) fn duration(self) -> Duration {
        match self {
            Self::Earlier(usual) => usual.median,
            Self::Route(duration) => duration,
        }
    }
}

/// Median duration of earlier transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsualDuration {
    pub median: Duration,
    /// Number of the earlier transfers.
    pub transfers: usize,
}

impl UsualDuration {
    /// Returns the median of the arrived transfers of one transaction whose hops are these; `None` without one.
    pub fn of<'a>(hops: &[HopView], earlier: impl Iterator<Item = &'a TransferStatusView>) -> Option<Self> {
        let way = way(hops);
        let is_same = |view: &&TransferStatusView| view.phase == Phase::Arrived && self::way(&view.hops) == way;
        let duration = |view: &TransferStatusView| match view.clocks.as_slice() {
            [clock] if clock.is_on_chain => Some(clock.ended?.since(clock.begun?)),
            _ => None,
        };
        let mut durations: Vec<Duration> =
            earlier.filter(|_| !way.is_empty()).filter(is_same).filter_map(duration).collect();
        durations.sort_unstable();
        let median = *durations.get(durations.len() / 2)?;
        Some(Self { median, transfers: durations.len() })
    }
}

/// Returns the duration of a route of one transaction over exactly these hops.
pub(super) fn duration_over(hops: &[HopView], route: &Route) -> Option<Duration> {
    let protocols: Vec<HopProtocol> = route.operations.iter().map(HopProtocol::of_operation).collect();
    let crossings = protocols.iter().zip(&route.operations).filter_map(|(protocol, step)| {
        let (from, to) = (step.from_chain()?, step.to_chain()?);
        (from != to).then_some((protocol, from, to))
    });
    let is_same = way(hops) == crossings.collect::<Vec<_>>();
    route.seconds().filter(|_| is_same && route.txs_count() == 1).map(Duration::from_secs)
}

/// Returns protocol and chains of each hop between two chains.
fn way(hops: &[HopView]) -> Vec<(&HopProtocol, &ChainId, &ChainId)> {
    let is_crossing = |hop: &&HopView| hop.from.is_some() && hop.to.is_some() && hop.from != hop.to;
    hops.iter()
        .filter(is_crossing)
        .filter_map(|hop| Some((&hop.protocol, hop.from.as_ref()?, hop.to.as_ref()?)))
        .collect()
}
