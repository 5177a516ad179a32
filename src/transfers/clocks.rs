//! Times of a transaction's part of a transfer: begin, end and expected end, by block time.

use std::time::Duration;

use super::{IndexFindings, Phase, contradiction::is_departure, tx_leg::TxLeg};
use crate::{
    domain::{SourceTx, Timestamp},
    wire::router::ChainTx,
};

/// Seconds by which a block time may be ahead of this machine's clock.
const SKEW: Duration = Duration::from_secs(5);

/// Times of one transaction's part of a transfer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LegClock {
    /// Block time of the transaction; before that is known, the time of its broadcast. `None` for a hash that the user
    /// typed, while its block time is unknown.
    pub begun: Option<Timestamp>,
    /// Whether `begun` is a block time.
    pub is_on_chain: bool,
    /// Block time of the part's last transaction; `None` while in progress.
    pub ended: Option<Timestamp>,
    /// Expected duration; `None` if the route states only the total of several transactions.
    pub estimate: Option<Duration>,
}

impl LegClock {
    /// Returns the duration so far, or the final one; `None` if the start is unknown or a time is in the future.
    pub fn elapsed(&self, now: Timestamp) -> Option<Duration> {
        if self.is_ahead(now) {
            return None;
        }
        Some(self.ended.unwrap_or(now).since(self.begun?))
    }

    /// Whether a time of the chain is in the future by this machine's clock.
    pub fn is_ahead(&self, now: Timestamp) -> bool {
        [self.begun, self.ended].into_iter().flatten().any(|at| at.since(now) > SKEW)
    }
}

impl TxLeg<'_> {
    /// Computes the times of a part. With `is_ours`, rollscope broadcast the transaction, and the record has the time.
    pub(super) fn measure(&self, findings: &IndexFindings, is_ours: bool, estimate: Option<Duration>) -> LegClock {
        let Some(tx) = self.tx else { return LegClock { estimate, ..LegClock::default() } };
        let included = self.included(tx).or(findings.included_at);
        let is_done = self.phase.is_over() || self.phase == Phase::FailedHeld;
        let begun = included.or(is_ours.then_some(tx.at));
        // The clocks of chains differ, but no part may end before it begins.
        let ended = self.last_time(findings).map(|ended| begun.map_or(ended, |begun| ended.max(begun)));
        LegClock {
            begun,
            is_on_chain: included.is_some(),
            ended: ended.filter(|_| is_done && self.phase != Phase::Abandoned),
            estimate,
        }
    }

    /// Returns when the source transaction was included, according to the router.
    fn included(&self, tx: &SourceTx) -> Option<Timestamp> {
        let of_source = |sent: &&ChainTx| sent.chain_id == tx.chain_id && is_same_hash(&sent.tx_hash, tx.hash.as_str());
        let sent = || {
            let hops = self.parts.iter().flat_map(|part| part.hops);
            hops.flat_map(|hop| &hop.txs).filter(|(slot, _)| is_departure(slot)).map(|(_, tx)| tx)
        };
        // Some servers name the source transaction in another form. Then the first transaction of the first hop counts.
        let first = || self.parts.iter().filter_map(|part| part.hops.first()).flat_map(|hop| &hop.txs);
        let of_first = || first().filter(|(slot, _)| is_departure(slot)).map(|(_, sent)| sent);
        let found = sent().find(of_source).or_else(|| of_first().find(|sent| sent.chain_id == tx.chain_id))?;
        found.on_chain_at.parse().ok()
    }

    /// Returns the last known time of a transaction.
    fn last_time(&self, findings: &IndexFindings) -> Option<Timestamp> {
        let hops = self.parts.iter().flat_map(|part| part.hops).flat_map(|hop| &hop.txs);
        let of_hops = hops.filter_map(|(_, tx)| tx.on_chain_at.parse::<Timestamp>().ok()).max();
        let of_index =
            [findings.credit.as_ref().map(|credit| credit.at), findings.returned.as_ref().map(|back| back.at)];
        of_index.into_iter().flatten().chain(of_hops).max()
    }
}

fn is_same_hash(one: &str, other: &str) -> bool {
    let bare = |hash: &str| hash.trim_start_matches("0x").trim_start_matches("0X").to_owned();
    bare(one).eq_ignore_ascii_case(&bare(other))
}
