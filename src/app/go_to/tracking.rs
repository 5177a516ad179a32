//! Transactions of other chains. rollscope has no page for them, but the router can track their transfer.

use super::{Suggestion, SuggestionSource, known::KnownNames};
use crate::{
    domain::{BroadcastHash, ChainId, ListedTransfer, MsgType, Reading, Target, listed_transfers, several, text},
    story::Names,
    wire::router::ChainInfo,
};

/// Maximum chains to offer for a hash whose chain is unknown.
const OFFERED: usize = 8;

/// Transaction that the router may be able to track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TrackTarget {
    pub(in crate::app) chain: ChainId,
    pub(in crate::app) hash: BroadcastHash,
}

/// What a suggestion does that is no target's page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SuggestedStep {
    /// Track a transaction of another chain.
    Track(TrackTarget),
    TrackAll(Vec<ListedTransfer>),
    /// Open the transactions with this message type.
    TxsOf(MsgType),
}

impl SuggestedStep {
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Track(_) | Self::TrackAll(_) => "track",
            Self::TxsOf(_) => "txs with",
        }
    }
}

/// Question whether the router tracks a transaction on one chain.
#[derive(Debug)]
pub(crate) struct TrackProbe {
    pub(super) target: TrackTarget,
    pub(super) outcome: TrackOutcome,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TrackOutcome {
    Awaited,
    Unknown,
    /// The router gave no answer.
    Failed,
}

impl KnownNames<'_> {
    /// Returns the offer to track a list of hashes; `None` for another text, or without a router.
    pub(super) fn offer_to_track_all(&self, typed: &str) -> Option<Suggestion> {
        let several = several(typed).filter(|_| self.context.has_router())?;
        let all = listed_transfers(typed);
        let label = format!("{} on the bridge board", text::count(all.len(), "transaction"));
        let offer = Some(SuggestedStep::TrackAll(all));
        let is_tx = |target: &Target| matches!(target, Target::Tx(_) | Target::EvmTx(_) | Target::Chain(_));
        let is_list = several.pieces.iter().all(|piece| piece.targets.iter().any(is_tx));
        let source = SuggestionSource::Router;
        is_list.then_some(Suggestion { targets: Vec::new(), label, source, is_close: true, offer })
    }

    /// Returns the transaction that a URL names on another chain. The chain is open if the URL is a tracker's.
    pub(super) fn tracked_at(&self, typed: &str, reading: &Reading) -> Option<TrackTarget> {
        let named = reading.chain.as_deref()?;
        let hash = hash_of(&reading.targets)?;
        let chain = self.router_chains().find(|chain| is_called(chain, named))?.chain_id.clone();
        let is_own = self.own_chain() == Some(chain.as_str());
        (!is_own || is_tracker(typed)).then(|| TrackTarget { hash: hash.for_chain(&chain), chain })
    }

    /// Returns the router's other chains on which a hash may be.
    pub(super) fn trackable(&self, targets: &[Target]) -> Vec<Suggestion> {
        let Some(hash) = hash_of(targets) else { return Vec::new() };
        let others = self.router_chains().filter(|chain| self.own_chain() != Some(chain.chain_id.as_str()));
        let track =
            |chain: &ChainInfo| TrackTarget { hash: hash.for_chain(&chain.chain_id), chain: chain.chain_id.clone() };
        others.take(OFFERED).map(track).map(|track| self.offer_to_track(track)).collect()
    }

    /// Returns a suggestion such as `track 8E1C…04F2 on Celestia`.
    pub(super) fn offer_to_track(&self, track: TrackTarget) -> Suggestion {
        let chain = text::clip(&Names::chain(&self.context.directory, &track.chain), 30);
        let label = format!("{} on {chain}", track.hash.short());
        let source = SuggestionSource::Router;
        let offer = Some(SuggestedStep::Track(track));
        Suggestion { targets: Vec::new(), label, source, is_close: true, offer }
    }

    fn router_chains(&self) -> impl Iterator<Item = &ChainInfo> {
        let has_router = self.context.has_router();
        self.context.directory.chains.value().into_iter().filter(move |_| has_router).flat_map(|chains| chains.iter())
    }
}

fn hash_of(targets: &[Target]) -> Option<BroadcastHash> {
    let is_tx = |target: &&Target| matches!(target, Target::Tx(_) | Target::EvmTx(_));
    targets.iter().find(is_tx)?.text().parse().ok()
}

fn is_called(chain: &ChainInfo, name: &str) -> bool {
    [chain.chain_id.as_str(), chain.chain_name.as_received()].iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether a URL is a transfer tracker's.
fn is_tracker(typed: &str) -> bool {
    typed.contains("explorer.skip.")
}
