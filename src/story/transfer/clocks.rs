//! When a transaction's part of a transfer began and ended, by what chains say, and how long it should take.

use std::time::Duration;

use super::{IndexFindings, Phase, tx_leg::TxLeg};
use crate::{
    domain::{SourceTx, Timestamp},
    wire::router::{ChainTx, HopSlot},
};

/// The times of one transaction's part of a transfer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LegClock {
    /// When it began: the time of its block or, before that is known, when it was sent from here. `None` for a hash that
    /// was typed, until somebody says when it was.
    pub begun: Option<Timestamp>,
    /// Whether that is the time of a block.
    pub is_on_chain: bool,
    /// When its part was done, by the last transaction that is known; `None` while it is under way.
    pub ended: Option<Timestamp>,
    /// How long it should take; `None` where the route gives only the duration of several transactions together.
    pub estimate: Option<Duration>,
}

impl LegClock {
    /// How long it takes so far, or took; `None` where nobody knows when it began.
    pub fn elapsed(&self, now: Timestamp) -> Option<Duration> {
        Some(self.ended.unwrap_or(now).since(self.begun?))
    }
}

impl TxLeg<'_> {
    /// Its times. `is_ours`: it was sent from here, so that the time of the record is that of the sending.
    pub(super) fn measure(&self, findings: &IndexFindings, is_ours: bool, estimate: Option<Duration>) -> LegClock {
        let Some(tx) = self.tx else { return LegClock { estimate, ..LegClock::default() } };
        let included = self.included(tx).or(findings.included_at);
        let is_done = self.phase.is_over() || self.phase == Phase::FailedHeld;
        let begun = included.or(is_ours.then_some(tx.at));
        // Chains have clocks of their own: nothing ends before it began.
        let ended = self.last_time(findings).map(|ended| begun.map_or(ended, |begun| ended.max(begun)));
        LegClock {
            begun,
            is_on_chain: included.is_some(),
            ended: ended.filter(|_| is_done && self.phase != Phase::Abandoned),
            estimate,
        }
    }

    /// When its source transaction was included, by the router.
    fn included(&self, tx: &SourceTx) -> Option<Timestamp> {
        let of_source = |sent: &&ChainTx| sent.chain_id == tx.chain_id && is_same_hash(&sent.tx_hash, tx.hash.as_str());
        let sent = || {
            let hops = self.parts.iter().flat_map(|part| part.hops);
            hops.flat_map(|hop| &hop.txs).filter(|(slot, _)| is_departure(slot)).map(|(_, tx)| tx)
        };
        // Some servers name the first transaction in another form: the first of a hop that starts here is it, too.
        let first = || self.parts.iter().filter_map(|part| part.hops.first()).flat_map(|hop| &hop.txs);
        let of_first = || first().filter(|(slot, _)| is_departure(slot)).map(|(_, sent)| sent);
        let found = sent().find(of_source).or_else(|| of_first().find(|sent| sent.chain_id == tx.chain_id))?;
        found.on_chain_at.parse().ok()
    }

    /// The time of the last transaction that anybody names.
    fn last_time(&self, findings: &IndexFindings) -> Option<Timestamp> {
        let hops = self.parts.iter().flat_map(|part| part.hops).flat_map(|hop| &hop.txs);
        let of_hops = hops.filter_map(|(_, tx)| tx.on_chain_at.parse::<Timestamp>().ok()).max();
        let of_index =
            [findings.credit.as_ref().map(|credit| credit.at), findings.returned.as_ref().map(|back| back.at)];
        of_index.into_iter().flatten().chain(of_hops).max()
    }
}

fn is_departure(slot: &HopSlot) -> bool {
    matches!(slot, HopSlot::SendTx | HopSlot::OrderSubmittedTx)
}

fn is_same_hash(one: &str, other: &str) -> bool {
    let bare = |hash: &str| hash.trim_start_matches("0x").trim_start_matches("0X").to_owned();
    bare(one).eq_ignore_ascii_case(&bare(other))
}
