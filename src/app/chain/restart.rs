//! Another chain answers at the network's address: what was shown of the one before is dropped and asked for anew.

use super::{Chain, ChainDifference, ChainVerdict, StatusNews, anchor_of};
use crate::{
    app::{App, directory::Directory, modal::Modal, page::Page, prompt::Prompt},
    domain::{ChainId, Height, Timestamp, text},
    msg::{Answer, Instruction, PageId, Request, Slot},
    wire::{self, ApiError},
};

/// Columns of a chain's id in a sentence.
const NAME: usize = 40;

impl Chain {
    /// Looks at the blocks of an answer; what shows that they are of another chain.
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
            // The ends of a page are kept; what lies between is only compared.
            if place != 0 && place != last && !self.identity.knows(anchor.height) {
                continue;
            }
            if let ChainVerdict::Another(difference) = self.identity.see_block(anchor, highest)
                && !self.has_just_restarted(now)
            {
                return Some(difference);
            }
        }
        None
    }

    /// The block that tells whether it is still the same chain, and which one it is, for the store.
    pub(in crate::app) fn ask_identity(
        &mut self,
        now: Timestamp,
        is_waiting: impl Fn(&Slot) -> bool,
    ) -> Vec<(Slot, Request)> {
        let mut asked = Vec::new();
        if !is_waiting(&Slot::Anchor)
            && let Some(height) = self.identity.take_question()
        {
            self.asked_anchor = Some(height);
            asked.push((Slot::Anchor, Request::Block(height)));
        }
        if !is_waiting(&Slot::Identity)
            && let Some(sighting) = self.identity.take_news(now)
        {
            asked.push((Slot::Identity, Request::Identify(sighting)));
        }
        asked
    }

    /// The block that was asked for to tell chains apart came or did not; its hash is compared already.
    pub(in crate::app) fn take_anchor(&mut self, result: &Result<Answer, ApiError>) {
        if let Some(asked) = self.asked_anchor.take()
            && result.as_ref().is_err_and(ApiError::is_not_found)
        {
            self.identity.miss_block(asked);
        }
    }

    /// What is to be said, once, where the server is behind and nobody can tell whether it is of the same chain.
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
            "the server answers with height {}, after {}; it has no block by which one could tell whether this is still \
             the same chain",
            text::group(height.get()),
            text::group(highest),
        ))
    }
}

impl App {
    /// Takes in a status, or its failure; whether the index grew. A status of another chain starts everything over and is
    /// the first of the new one.
    pub(in crate::app) fn take_chain_status(&mut self, result: Result<wire::Status, ApiError>) -> bool {
        let status = result.as_ref().ok().cloned();
        if status.as_ref().is_some_and(|status| self.refuse_other_chain(status)) {
            return false;
        }
        let StatusNews { has_grown, verdict } = self.context.chain.take_status(result, self.context.now);
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

    /// The store found under which chain all is kept: what was read before may have been of another one.
    pub(in crate::app) fn take_identified(&mut self, result: Result<Answer, ApiError>) {
        let Ok(Answer::Identified { is_news, wanted }) = result else { return };
        self.context.chain.identity.want(&wanted);
        if let Some(target) = self.last_view.resume(!is_news) {
            self.open_target(&target);
        }
        if is_news {
            self.requests.fetch(Slot::Recents, Request::Recents);
            self.requests.fetch(Slot::Transfers, Request::Transfers);
        }
    }

    /// Drops all that is of the chain before: lists, figures, previews, pages' records, answers on their way. What may
    /// have been sent is still waited for, and transfers are kept and marked.
    pub(in crate::app) fn start_over(&mut self, difference: &ChainDifference) {
        let gone = self.context.chain.identity.chain_id().cloned();
        let lower = self.context.chain.behind.and_then(|_| self.context.chain.told.take());
        self.requests.cancel_where(|_| true);
        self.context.chain = Chain { restarted: Some(self.now), ..Chain::new(self.now) };
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
            self.context.directory = Directory::new(&self.context.network);
        }
        self.restart_pages();
        if let Some(gone) = gone {
            self.with_transfers(|transfers, cx| transfers.part_with(&gone, cx));
            self.requests.instruct(Instruction::PartWithChain);
            self.requests.fetch(Slot::Recents, Request::Recents);
            self.requests.fetch(Slot::Transfers, Request::Transfers);
            self.toasts.warn(sentence(&gone, difference));
        }
        self.effects.redraw = true;
    }

    /// Every page forgets the chain before.
    pub(super) fn restart_pages(&mut self) {
        let ids: Vec<PageId> = self.navigation.pages().map(|(id, _)| id).collect();
        for id in ids {
            if let Some(destination) = self.navigation.page_mut(id).and_then(Page::restart) {
                let page = (self.open_with)(destination, &self.context);
                self.navigation.replace(id, page);
            }
        }
    }
}

fn sentence(gone: &ChainId, difference: &ChainDifference) -> String {
    let name = |id: &ChainId| text::clip(id.as_str(), NAME);
    match difference {
        ChainDifference::Hash { .. } => format!("the chain was restarted: {} began anew; lists start over", name(gone)),
        ChainDifference::ChainId { was, is } => {
            format!("another chain answers here: {} instead of {}; lists start over", name(is), name(was))
        }
    }
}
