//! Restart after a chain change: the session drops all data of the old chain and requests the new chain's.

use super::{Chain, ChainDifference, ChainMismatch, ChainVerdict, StatusChange, anchor_of};
use crate::{
    app::{App, directory::Directory, modal::Modal, page::PageEvent, prompt::Prompt},
    domain::{ChainId, Height, Timestamp, text},
    msg::{Answer, Identification, Instruction, PageId},
    wire::{self, ApiError},
};

/// Maximum columns of a chain ID in a sentence.
const NAME: usize = 40;

impl Chain {
    /// Compares the blocks in an answer with the known ones. Returns the evidence of another chain.
    pub(in crate::app) fn see_blocks(&mut self, answer: &Answer, now: Timestamp) -> Option<ChainDifference> {
        let blocks = match answer {
            Answer::Blocks(page) => page.items.as_slice(),
            Answer::Block(block) | Answer::OldestBlock(Some(block)) => std::slice::from_ref(block),
            _ => return None,
        };
        let last = blocks.len().saturating_sub(1);
        let highest = blocks.iter().map(|block| block.height).max()?;
        for (place, block) in blocks.iter().enumerate() {
            let anchor = anchor_of(block);
            // The first and last row of a page become anchors. The rows between are only compared.
            if place != 0 && place != last && !self.identity.knows(anchor.height) {
                continue;
            }
            if let ChainVerdict::Another(difference) = self.identity.see_block(anchor, highest)
                && !self.has_just_restarted(now)
            {
                return Some(difference);
            }
        }
        if let Answer::Block(block) = answer {
            self.extent.see_block(block.height);
        }
        None
    }

    /// Ends the wait for the deciding block. If it came, its hash is already compared.
    pub(in crate::app) fn miss_anchor(&mut self, error: Option<ApiError>) {
        if let Some(asked) = self.asked_anchor.take()
            && error.is_some_and(|error| error.is_not_found())
        {
            self.identity.miss_block(asked);
        }
    }

    /// Returns, once, the warning that a lower height may come from another chain.
    pub(in crate::app) fn take_doubt(&mut self) -> Option<String> {
        if !self.identity.is_behind() {
            self.is_doubt_said = false;
        }
        let (_, height) = self.behind.filter(|_| self.identity.is_undecidable())?;
        if std::mem::replace(&mut self.is_doubt_said, true) {
            return None;
        }
        let highest = self.identity.highest().map_or(0, Height::get);
        Some(format!(
            "the server's height fell to {} from {}; rollscope cannot tell whether the chain is the same",
            text::group(height.get()),
            text::group(highest),
        ))
    }
}

impl App {
    /// Compares a status with the network's chain. Returns whether they differ: then the session drops its data and
    /// stops its requests. When they match again, it starts over.
    pub(in crate::app) fn refuse_other_chain(&mut self, status: &wire::Status) -> bool {
        let found = ChainMismatch::of(&self.context.network, status);
        if found.is_none() && self.context.chain.named_else.is_none() {
            return false;
        }
        self.requests.cancel_where(|_| true);
        self.restart_pages();
        self.needs_redraw = true;
        let Some(found) = found else {
            self.context.chain = self.context.chain.renewed(self.context.now);
            self.fetch_kept();
            return false;
        };
        self.modal = None;
        self.context.chain = self.context.chain.named_else(found, self.context.now);
        true
    }

    /// Applies a status, or its failure. Returns whether the index grew. A status of another chain restarts the
    /// session, as the new chain's first.
    pub(in crate::app) fn take_chain_status(&mut self, result: Result<wire::Status, ApiError>) -> bool {
        let status = result.as_ref().ok().cloned();
        if status.as_ref().is_some_and(|status| self.refuse_other_chain(status)) {
            return false;
        }
        let StatusChange { has_grown, verdict } = self.context.chain.take_status(result, self.context.now);
        if let ChainVerdict::Another(difference) = verdict {
            self.start_over(&difference);
            if let Some(status) = status {
                self.context.chain.take_status(Ok(status), self.context.now);
            }
            return true;
        }
        if let Some(doubt) = self.context.chain.take_doubt() {
            self.toasts.warn(doubt);
        }
        has_grown
    }

    /// Takes the chain under which the store keeps its data. What was read before may belong to another chain.
    pub(in crate::app) fn take_identified(&mut self, result: Result<Identification, ApiError>) {
        // Without the store there is nothing to read.
        let Ok(Identification { is_news, wanted }) = result else { return };
        self.context.chain.identity.want(&wanted);
        if let Some(target) = self.last_view.resume(!is_news) {
            self.open_target(&target);
        }
        if is_news {
            self.fetch_kept();
        }
    }

    /// Drops the data of the old chain: lists, figures, previews, records, pending requests. Broadcasts that may have
    /// happened stay pending; transfers stay, with a mark.
    pub(in crate::app) fn start_over(&mut self, difference: &ChainDifference) {
        let gone = self.context.chain.identity.chain_id().cloned();
        let lower = self.context.chain.behind.and_then(|_| self.context.chain.told.take());
        self.requests.cancel_where(|_| true);
        self.context.chain =
            Chain { restarted: Some(self.context.now), ..self.context.chain.renewed(self.context.now) };
        if let (ChainDifference::Hash { .. }, Some(status)) = (difference, lower) {
            self.context.chain.take_status(Ok(status), self.context.now);
        }
        (self.context.marked, self.has_rows_without_summary, self.searched_for_denoms) = (None, false, None);
        self.context.seen_types.clear();
        self.context.opened_names.clear();
        if matches!(&self.modal, Some(Modal::GoTo(go_to)) if go_to.is_waiting())
            || matches!(&self.modal, Some(Modal::Copy(_) | Modal::Prompt(Prompt::Types(_) | Prompt::Denoms(_))))
        {
            self.modal = None;
        }
        if self.context.has_router() {
            self.context.forget_names();
        }
        if self.context.has_own_router() {
            let networks = self.context.directory.networks.clone();
            self.context.directory = Directory::new(&self.context.network, networks);
        }
        self.restart_pages();
        if let Some(gone) = gone {
            self.with_transfers(|transfers, cx| transfers.mark_chain_gone(&gone, cx));
            self.requests.instruct(Instruction::CloseChainScope);
            self.fetch_kept();
            self.toasts.warn(sentence(&gone, difference));
        }
        self.needs_redraw = true;
    }

    pub(super) fn restart_pages(&mut self) {
        let ids: Vec<PageId> = self.navigation.pages().map(|(id, _)| id).collect();
        for id in ids {
            self.with_page(id, |page, cx| page.on(PageEvent::ChainChanged, cx));
        }
    }
}

fn sentence(gone: &ChainId, difference: &ChainDifference) -> String {
    let name = |id: &ChainId| text::clip(id.as_str(), NAME);
    match difference {
        ChainDifference::Hash { .. } => format!("the chain restarted: {}; rollscope reloads all lists", name(gone)),
        ChainDifference::ChainId { was, is } => {
            format!("the server now serves {} instead of {}; rollscope reloads all lists", name(is), name(was))
        }
    }
}
