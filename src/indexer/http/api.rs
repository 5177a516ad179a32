//! The indexer API over one index, by the specification or with the real server's quirks.

use std::sync::{Arc, Mutex, OnceLock};

use tokio::sync::watch;

use super::{
    cleanup::{Cleanup, CleanupProgress},
    reply::{HttpRefusal, MissingPart, Reply},
    request::{HttpRequest, QueryString, decode},
    route::truth,
};
use crate::{
    domain::{Height, Vm},
    indexer::{
        index::{AccountRules, Index, SeenCollection},
        progress::NodeProgress,
    },
    wire::{NodeStatus, Status},
};

/// What the handlers of the indexer API read.
#[derive(Debug)]
pub(crate) struct Api {
    pub(crate) index: Arc<Index>,
    /// Do what the real server does where it differs from the specification.
    pub(super) quirks: bool,
    pub(super) vm: Vm,
    pub(super) has_rich_list: bool,
    /// What searches by name have seen so far: the real server never looks at a collection twice.
    pub(super) seen: Mutex<Vec<SeenCollection>>,
    /// What the real server has to clean up, from when somebody first asked for the status.
    cleanup: OnceLock<Cleanup>,
    /// How far the follower of a node is.
    progress: Option<watch::Receiver<NodeProgress>>,
}

impl Api {
    /// The API over this index.
    pub(crate) fn new(index: impl Into<Arc<Index>>, quirks: bool, has_rich_list: bool) -> Self {
        let index = index.into();
        let (seen, cleanup) = (Mutex::default(), OnceLock::new());
        Self { vm: index.vm(), index, quirks, has_rich_list, seen, cleanup, progress: None }
    }

    /// The same, which says with its status how far the follower of a node is.
    #[must_use]
    pub(crate) fn with_progress(self, progress: watch::Receiver<NodeProgress>) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// A path parameter's value: the real server does not decode it.
    pub(super) fn value(&self, raw: &str) -> String {
        if self.quirks { raw.to_owned() } else { decode(raw).into_owned() }
    }

    /// Whether only what the account signed first is asked for: on the real server by the exact text `true` alone.
    pub(super) fn asks_for_signer(&self, query: &QueryString) -> bool {
        let value = query.first("is_signer");
        if self.quirks { value == Some("true") } else { value.and_then(truth) == Some(true) }
    }

    /// By which rules an account's transactions are listed.
    pub(super) fn account_rules(&self) -> AccountRules {
        if self.quirks { AccountRules::RealServer } else { AccountRules::Chain }
    }

    /// The lowest block that is held, while older ones are still to come. The real server indexes upwards and knows no
    /// such time, so with its quirks nobody is answered before history is in.
    pub(super) fn filling(&self) -> Result<Option<Height>, HttpRefusal> {
        if self.quirks { Ok(None) } else { Ok(self.index.oldest_so_far(self.index.bounds()?)) }
    }

    /// Whether NFTs and holders are those of the chain.
    pub(super) fn has_state(&self) -> bool {
        self.quirks || self.index.has_state()
    }

    /// Refuses while the NFTs are not known yet.
    pub(super) fn needs_nfts(&self) -> Result<(), HttpRefusal> {
        if self.quirks || self.index.has_nfts()? { Ok(()) } else { Err(self.lacks_state()?) }
    }

    /// The refusal of what would need NFTs or holders that are not known yet.
    pub(super) fn lacks_state(&self) -> Result<HttpRefusal, HttpRefusal> {
        let oldest = self.index.bounds()?.map_or(Height::FIRST, |held| held.from);
        Ok(HttpRefusal::NotIndexedYet { what: MissingPart::State, oldest })
    }

    /// `GET /status`: fails while nothing is indexed. Heights of indexes that this one does not keep are absent.
    pub(super) fn status(&self, _: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let held = self.index.bounds()?.ok_or(HttpRefusal::Internal)?;
        let listed = if self.has_rich_list { self.index.rich_list_height()? } else { None };
        let blocks_traced = self.index.traced()?;
        let traced = blocks_traced.filter(|traced| traced.has_frames);
        let is_filling = !self.quirks
            && (self.index.oldest_so_far(Some(held)).is_some()
                || !self.index.has_state()
                || blocks_traced.is_some_and(|traced| traced.from > held.from));
        let is_partial = !self.quirks && (is_filling || held.from > Height::FIRST);
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
            // The node may have been ahead of the index when the list began.
            rich_list_height: listed.map(|listed| listed.min(held.tip).get()),
            evm_ret_cleanup_height: cleanup.returns_height,
            tx_account_cleanup_sequence: cleanup.sequence,
            tx_account_cleanup_deleted: cleanup.deleted,
            tx_account_cleanup_inserted: cleanup.inserted,
            oldest_height: is_partial.then(|| held.from.get()),
            is_complete: is_partial.then_some(!is_filling),
            node: self.progress.as_ref().filter(|_| !self.quirks).map(|progress| node_status(&progress.borrow())),
        })
    }
}

/// How far a node and its follower are, as the API says it.
fn node_status(progress: &NodeProgress) -> NodeStatus {
    NodeStatus {
        height: progress.tip.map(Height::get),
        is_catching_up: progress.is_catching_up,
        missing_blocks: progress.missing,
        blocks_per_minute: progress.blocks_per_minute,
        trouble: progress.trouble.clone(),
        notes: progress.notes.clone(),
    }
}

/// The refusal of what is not held, where `oldest` is the lowest block of an index that it may yet come to.
pub(super) fn absent(sentence: &str, oldest: Option<Height>) -> HttpRefusal {
    match oldest {
        Some(oldest) => HttpRefusal::NotIndexedYet { what: MissingPart::Blocks, oldest },
        None => HttpRefusal::NotFound(sentence.to_owned()),
    }
}
