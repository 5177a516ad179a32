//! Kept transfers of the session, and the methods through which pages read them.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use super::{browser_signing::BrowserSigning, open_claims::OpenClaims, watched::WatchedTransfer};
use crate::{
    config::Announcements,
    domain::{BroadcastHash, ChainId, Denom, SourceTx, Timestamp, TransferId, TransferRecord, text},
    msg::{PageId, Remote},
    signing::WalletAccounts,
};

/// Maximum transfers in memory; the store keeps as many.
pub(crate) const MOST: usize = 500;

/// All kept transfers, live or finished. Pages read them; the sibling files change them and emit effects.
#[derive(Debug, Default)]
pub(crate) struct Transfers {
    /// Transfers, newest first.
    pub(super) all: Vec<WatchedTransfer>,
    /// Order of the board's rows; empty until the board was on screen.
    pub(super) listed: Vec<TransferId>,
    pub(super) opened: Option<TransferId>,
    /// Announced transfers with their headlines, while the router has not listed the assets that these name.
    pub(super) unnamed: BTreeMap<TransferId, String>,
    /// Version of the router's names with which the statuses were written.
    pub(super) named_edition: u64,
    /// When other instances' transfers were last read.
    pub(super) read_at: Option<Timestamp>,
    pub(crate) loaded: Remote<()>,
    /// Increases with each change that the board shows.
    pub(super) version: u64,
    /// Transfer that the delete key removes if pressed again.
    pub(super) forgetting: Option<TransferId>,
    /// Whether the user was told what a signature still needs, and quits if the key is pressed again.
    pub(super) is_leaving: bool,
    /// Hash that the user typed and whose chain is being looked up.
    pub(super) looked_up: Option<BroadcastHash>,
    /// List of hashes whose chains are being looked up.
    pub(super) listing: Option<ListLookUp>,
    /// Whether the terminal's title announces a finished transfer.
    pub(super) has_title: bool,
    pub(super) announcements: Announcements,
    /// Transaction that the demo wallet is sending.
    pub(crate) departing: Option<PendingBroadcast>,
    pub(crate) signing: Option<BrowserSigning>,
    /// Unclaimed withdrawals of the user's accounts.
    pub(crate) open: OpenClaims,
    /// Accounts of the wallet that was connected last.
    pub(crate) accounts: Option<WalletAccounts>,
    /// Number of signing pages that were opened.
    pub(super) signings: u64,
    /// Increases with each change of the signing page.
    pub(super) signing_version: u64,
}

/// Transaction that a wallet has. It outlives its page, so that a broadcast is never lost.
#[derive(Debug)]
pub(crate) struct PendingBroadcast {
    pub(crate) page: PageId,
    pub(crate) further: Option<TransferId>,
    /// Route as the router sent it, and the addresses for it.
    pub(crate) route: Arc<str>,
    pub(crate) addresses: Vec<String>,
    pub(crate) chain: ChainId,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum ShownTransfers {
    #[default]
    None,
    One(TransferId),
    All,
}

impl ShownTransfers {
    pub(super) fn has(&self, id: &TransferId) -> bool {
        *self == Self::All || self.is_only(id)
    }

    pub(super) fn is_only(&self, id: &TransferId) -> bool {
        matches!(self, Self::One(shown) if shown == id)
    }
}

impl Transfers {
    pub(crate) fn new(announcements: Announcements) -> Self {
        Self { announcements, ..Self::default() }
    }

    pub(crate) fn all(&self) -> &[WatchedTransfer] {
        &self.all
    }

    pub(crate) fn get(&self, id: &TransferId) -> Option<&WatchedTransfer> {
        self.all.iter().find(|transfer| transfer.follower.record.id == *id)
    }

    /// Returns both ends, chain and denom, of the newest transfer whose route is known.
    pub(crate) fn last_way(&self) -> Option<((ChainId, Denom), (ChainId, Denom))> {
        let routed =
            self.all.iter().filter_map(|transfer| Some((transfer.follower.record.created, transfer.follower.route()?)));
        let (_, route) = routed.max_by_key(|(created, _)| *created)?;
        let from = (route.source_asset_chain_id.clone(), route.source_asset_denom.clone());
        Some((from, (route.dest_asset_chain_id.clone(), route.dest_asset_denom.clone())))
    }

    pub(crate) fn last_opened(&self) -> Option<&TransferId> {
        self.opened.as_ref()
    }

    /// Returns the transfer `step` rows below this one on the board or, if the board lacks it, in order of age.
    pub(crate) fn beside(&self, id: &TransferId, step: isize) -> Option<&TransferId> {
        let ids: Vec<&TransferId> = if self.listed.contains(id) {
            self.listed.iter().filter(|listed| self.get(listed).is_some()).collect()
        } else {
            self.all.iter().map(|transfer| &transfer.follower.record.id).collect()
        };
        let place = ids.iter().position(|known| *known == id)?;
        ids.get(place.checked_add_signed(step)?).copied()
    }

    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    pub(crate) fn live(&self) -> usize {
        self.all.iter().filter(|transfer| transfer.is_live()).count()
    }

    /// Whether the first read from the store has ended.
    pub(crate) fn loaded_or_failed(&self) -> bool {
        self.loaded.value().is_some() || self.loaded.error().is_some() || !self.all.is_empty()
    }

    pub(super) fn get_mut(&mut self, id: &TransferId) -> Option<&mut WatchedTransfer> {
        self.all.iter_mut().find(|transfer| transfer.follower.record.id == *id)
    }

    /// Returns the transfer of the current chain that has this transaction.
    pub(crate) fn of_hash(&self, chain_id: &ChainId, hash: &BroadcastHash) -> Option<&WatchedTransfer> {
        let is_it = |tx: &SourceTx| tx.chain_id == *chain_id && tx.hash == *hash;
        let is_here = |transfer: &&WatchedTransfer| transfer.follower.record.gone_chain.is_none();
        self.all.iter().filter(is_here).find(|transfer| transfer.follower.record.txs.iter().any(is_it))
    }

    /// Whether a kept transfer of the current chain has this transaction.
    pub(crate) fn is_kept(&self, chain_id: &ChainId, hash: &BroadcastHash) -> bool {
        self.of_hash(chain_id, hash).is_some()
    }

    /// Returns the transfers whose headlines need names: live and announced ones.
    fn to_name(&self) -> impl Iterator<Item = &WatchedTransfer> {
        let is_announced = |transfer: &WatchedTransfer| self.unnamed.contains_key(&transfer.follower.record.id);
        self.all.iter().filter(move |transfer| transfer.is_live() || is_announced(transfer))
    }

    pub(in crate::app) fn needs_names(&self) -> bool {
        self.to_name().next().is_some()
    }

    /// Returns the chains whose assets the headlines name.
    pub(in crate::app) fn named_chains(&self) -> BTreeSet<ChainId> {
        self.to_name().flat_map(WatchedTransfer::named_chains).cloned().collect()
    }

    pub(super) fn add(&mut self, record: TransferRecord, now: Timestamp) {
        let place = self.all.partition_point(|known| known.follower.record.created > record.created);
        self.all.insert(place, WatchedTransfer::new(record, now));
    }
}

#[derive(Debug, Default)]
pub(super) struct ListLookUp {
    /// Hashes without a chain. The first is being looked up.
    pub(super) waiting: VecDeque<BroadcastHash>,
    pub(super) kept: usize,
    /// Hashes that are not on the indexer's chain.
    pub(super) absent: usize,
    /// Hashes whose lookup failed.
    pub(super) unanswered: usize,
    /// First reason why a hash with a chain cannot be tracked, and how many such hashes there are.
    pub(super) refused: Option<(String, usize)>,
}

impl ListLookUp {
    pub(super) fn sentence(self, own: &str) -> String {
        let mut parts = vec![format!("tracking {}", text::count(self.kept, "transaction"))];
        if self.absent > 0 {
            parts.push(format!("{} not on {own}: put the chain before the hash", self.absent));
        }
        if self.unanswered > 0 {
            parts.push(format!("{own} did not answer for {}", self.unanswered));
        }
        if let Some((why, count)) = self.refused {
            parts.push(format!("{count} skipped: {why}"));
        }
        parts.join("; ")
    }
}
