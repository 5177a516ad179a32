//! The indexer API over one index, by the specification or with the real server's quirks.

use std::sync::Mutex;

use super::{
    reply::{HttpRefusal, Reply},
    request::{HttpRequest, decode},
};
use crate::{
    domain::Vm,
    indexer::index::{Index, SeenCollection},
    wire::Status,
};

/// What the handlers of the indexer API read.
#[derive(Debug)]
pub(crate) struct Api {
    pub(crate) index: Index,
    /// Do what the real server does where it differs from the specification.
    pub(super) quirks: bool,
    pub(super) vm: Vm,
    pub(super) has_rich_list: bool,
    /// What searches by name have seen so far: the real server never looks at a collection twice.
    pub(super) seen: Mutex<Vec<SeenCollection>>,
}

impl Api {
    /// The API over this index.
    pub(crate) fn new(index: Index, quirks: bool, has_rich_list: bool) -> Self {
        Self { vm: index.vm(), index, quirks, has_rich_list, seen: Mutex::default() }
    }

    /// A path parameter's value: the real server does not decode it.
    pub(super) fn value(&self, raw: &str) -> String {
        if self.quirks { raw.to_owned() } else { decode(raw).into_owned() }
    }

    /// `GET /status`: fails while nothing is indexed. Heights of indexes that this one does not keep are absent.
    pub(super) fn status(&self, _: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let held = self.index.bounds()?.ok_or(HttpRefusal::Internal)?;
        let listed = if self.has_rich_list { self.index.rich_list_height()? } else { None };
        let traced = self.index.traced()?.filter(|traced| traced.has_frames);
        Reply::json(&Status {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit_hash: "unknown".to_owned(),
            chain_id: self.index.chain_id().to_owned(),
            height: held.tip,
            internal_tx_height: traced.map(|traced| traced.tip.get()),
            // The node may have been ahead of the index when the list began.
            rich_list_height: listed.map(|listed| listed.min(held.tip).get()),
            evm_ret_cleanup_height: None,
            tx_account_cleanup_sequence: None,
            tx_account_cleanup_deleted: None,
            tx_account_cleanup_inserted: None,
        })
    }
}
