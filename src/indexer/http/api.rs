//! Indexer API over one index, as specified or with the real server's deviations ("quirks").

use std::sync::{Arc, Mutex, OnceLock};

use tokio::sync::watch;

use super::{
    cleanup::{Cleanup, CleanupProgress},
    reply::{HttpRefusal, MissingPart, Reply},
    request::{HttpRequest, QueryString, decode},
    route::truth,
};
use crate::{
    domain::{Height, Vm, text::Foreign},
    indexer::{
        index::{AccountRules, Index, IndexStatus, LackingParts, PartLack, SeenCollection},
        progress::NodeProgress,
    },
    wire::{BlockGap, BlockPart, NodeStatus, Pagination, Status},
};

/// Maximum lacking parts of a kind in a status.
const LACKING: usize = 20;

/// State that the indexer API's handlers share.
#[derive(Debug)]
pub(crate) struct Api {
    pub(crate) index: Arc<Index>,
    /// Whether to imitate the real server where it differs from the specification.
    pub(super) quirks: bool,
    pub(super) vm: Vm,
    pub(super) has_rich_list: bool,
    /// Collections that earlier searches read: the real server never reads a collection twice.
    pub(super) seen: Mutex<Vec<SeenCollection>>,
    /// Simulated cleanup of the real server; the first status request starts it.
    cleanup: OnceLock<Cleanup>,
    progress: Option<watch::Receiver<NodeProgress>>,
}

impl Api {
    /// Creates the API over this index.
    pub(crate) fn new(index: impl Into<Arc<Index>>, quirks: bool, has_rich_list: bool) -> Self {
        let index = index.into();
        let (seen, cleanup) = (Mutex::default(), OnceLock::new());
        Self { vm: index.vm(), index, quirks, has_rich_list, seen, cleanup, progress: None }
    }

    /// Adds the progress of the node follower to the status.
    #[must_use]
    pub(crate) fn with_progress(self, progress: watch::Receiver<NodeProgress>) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// Decodes a path parameter, unless the API imitates the real server, which does not.
    pub(super) fn value(&self, raw: &str) -> String {
        if self.quirks { raw.to_owned() } else { decode(raw).into_owned() }
    }

    /// Whether the query filters by signer; the real server accepts only the exact text `true`.
    pub(super) fn asks_for_signer(&self, query: &QueryString) -> bool {
        let value = query.first("is_signer");
        if self.quirks { value == Some("true") } else { value.and_then(truth) == Some(true) }
    }

    pub(super) fn account_rules(&self) -> AccountRules {
        if self.quirks { AccountRules::RealServer } else { AccountRules::Chain }
    }

    /// Returns the lowest stored block during a backfill, else `None`. The real server indexes upwards, so in quirks
    /// mode requests wait for the complete history.
    pub(super) fn filling(&self) -> Result<Option<Height>, HttpRefusal> {
        if self.quirks { Ok(None) } else { Ok(self.index.oldest_so_far(self.index.bounds()?)) }
    }

    /// Whether NFTs and holders are complete.
    pub(super) fn has_state(&self) -> bool {
        self.quirks || self.index.has_state()
    }

    /// Rejects the request while the NFTs are incomplete. Above a gap their owners are unknown.
    pub(super) fn needs_nfts(&self) -> Result<(), HttpRefusal> {
        if let Some(gap) = self.index.gaps()?.iter().next_back() {
            return Err(HttpRefusal::NotFound(format!(
                "[NOT_FOUND] NFTs and their owners are unknown: {}",
                lacks(gap)
            )));
        }
        if self.quirks || self.index.has_nfts()? { Ok(()) } else { Err(self.lacks_state()?) }
    }

    /// Rejects the request for a block in a gap.
    pub(super) fn needs_block(&self, height: Height) -> Result<(), HttpRefusal> {
        match self.index.gaps()?.of(height) {
            Some(gap) => Err(HttpRefusal::NotFound(format!("[NOT_FOUND] block not found: {}", lacks(gap)))),
            None => Ok(()),
        }
    }

    /// Returns the error for incomplete NFTs or holders.
    pub(super) fn lacks_state(&self) -> Result<HttpRefusal, HttpRefusal> {
        let oldest = self.index.bounds()?.map_or(Height::FIRST, |held| held.from);
        Ok(HttpRefusal::NotIndexedYet { what: MissingPart::State, oldest })
    }

    /// Handles `GET /status`: fails while the index is empty, and omits heights of data that is not indexed.
    pub(super) fn status(&self, _: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let status = self.index.status(LACKING)?.ok_or(HttpRefusal::Internal)?;
        let held = status.held;
        let listed = status.rich_list.filter(|_| self.has_rich_list);
        let traced = status.traced.filter(|traced| traced.has_frames);
        let is_filling = !self.quirks && status.is_filling;
        let is_partial = !self.quirks && (is_filling || held.from > Height::FIRST || held.missing > 0);
        let cleanup = if self.quirks {
            let start = || Cleanup { tip: held.tip, sequence: held.next_sequence.saturating_sub(1) };
            self.cleanup.get_or_init(start).progress(self.vm, held.tip)
        } else {
            CleanupProgress::default()
        };
        Reply::json(&Status {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit_hash: "unknown".to_owned(),
            chain_id: self.index.chain_id(),
            height: held.tip,
            internal_tx_height: traced.map(|traced| traced.tip.get()),
            // The node may have been ahead of the index when the list was started.
            rich_list_height: listed.map(|listed| listed.min(held.tip).get()),
            evm_ret_cleanup_height: cleanup.returns_height,
            tx_account_cleanup_sequence: cleanup.sequence,
            tx_account_cleanup_deleted: cleanup.deleted,
            tx_account_cleanup_inserted: cleanup.inserted,
            oldest_height: is_partial.then(|| status.gaps.start_of_range(held.tip, held.from).get()),
            is_complete: is_partial.then_some(!is_filling),
            gaps: if self.quirks { Vec::new() } else { status.gaps.iter().copied().collect() },
            has_packets: (!self.quirks).then_some(true),
            has_token_contracts: (!self.quirks).then_some(true),
            store_trouble: self.index.store_trouble().filter(|_| !self.quirks).map(Foreign::from),
            node: self.node_status(status),
        })
    }

    /// Returns the state of the node; `None` without a node, and for the real server, which lacks it.
    fn node_status(&self, status: IndexStatus) -> Option<NodeStatus> {
        let progress = self.progress.as_ref().filter(|_| !self.quirks)?;
        // The follower reports the node's height before it indexes a block, so this is not older than the index.
        let progress = status.progress.unwrap_or_else(|| progress.borrow().clone());
        let LackingParts {
            undecoded: (undecoded, undecoded_parts), left_out: (left_out, left_out_parts), floors, ..
        } = status.lacking;
        Some(NodeStatus {
            url: progress.node,
            height: progress.tip.map(Height::get),
            is_catching_up: progress.is_catching_up,
            missing_blocks: status.missing_blocks,
            blocks_per_minute: progress.blocks_per_minute.filter(|_| status.missing_blocks > 0),
            trouble: progress.trouble.filter(|_| self.index.store_trouble().is_none()).map(Foreign::from),
            notes: progress.notes.into_iter().map(Foreign::from).collect(),
            undecoded,
            undecoded_parts,
            left_out,
            left_out_parts,
            floors,
        })
    }
}

impl From<PartLack> for HttpRefusal {
    fn from(lack: PartLack) -> Self {
        match lack {
            PartLack::BelowFloor(floor) => Self::NotFound(format!(
                "[NOT_FOUND] the index has {} of blocks from {} on: {}",
                floor.part.words(),
                floor.height,
                floor.cause.clipped(400)
            )),
            PartLack::LeftOut(part) => Self::LeftOut(format!(
                "the index lacks {} of block {}{}: {}",
                part.part.words(),
                part.height,
                part.index.map(|index| format!(" for record {index}")).unwrap_or_default(),
                part.cause.clipped(400)
            )),
        }
    }
}

impl Api {
    /// Marks a list that follows from the results of all blocks, if the index lacks some.
    pub(super) fn partial(&self, pagination: Pagination) -> Result<Pagination, HttpRefusal> {
        Ok(Pagination { is_partial: self.index.has_bare_blocks()?, ..pagination })
    }

    /// Rejects the request for a part of a block, or of the record with this place in it, that the index lacks.
    pub(super) fn needs_part(&self, height: Height, part: BlockPart, place: Option<u64>) -> Result<(), HttpRefusal> {
        if self.quirks {
            return Ok(());
        }
        self.index.lack_of(height, part, place)?.map_or(Ok(()), |lack| Err(lack.into()))
    }
}

/// Formats a gap as a sentence.
pub(super) fn lacks(gap: &BlockGap) -> String {
    format!("the index lacks blocks {} to {}, which its node had pruned", gap.from, gap.to)
}

/// Creates the error for a missing record. `oldest` is the lowest block of an index that may still reach the record.
pub(super) fn absent(sentence: &str, oldest: Option<Height>) -> HttpRefusal {
    match oldest {
        Some(oldest) => HttpRefusal::NotIndexedYet { what: MissingPart::Blocks, oldest },
        None => HttpRefusal::NotFound(sentence.to_owned()),
    }
}
