//! Another chain answers at the network's address: what was shown of the one before is dropped and asked for anew.

use super::{Chain, ChainDifference, ChainVerdict, StatusNews, anchor_of};
use crate::{
    app::{App, directory::Directory, modal::Modal},
    domain::{ChainId, Height, text},
    msg::{Answer, Instruction, PageId, Request, Slot},
    wire::{self, ApiError},
};

/// Columns of a chain's id in a sentence.
const NAME: usize = 40;

impl App {
    /// Takes in a status, or its failure. A status of another chain starts everything over and is the first of the new
    /// one.
    pub(in crate::app) fn take_chain_status(&mut self, result: Result<wire::Status, ApiError>) -> bool {
        let status = result.as_ref().ok().cloned();
        let StatusNews { has_grown, verdict } = self.context.chain.take_status(result, self.context.now);
        if let ChainVerdict::Another(difference) = verdict {
            self.start_over(&difference);
            if let Some(status) = status {
                self.context.chain.take_status(Ok(status), self.context.now);
            }
            return true;
        }
        self.say_undecidable();
        has_grown
    }

    /// Looks at the blocks of an answer; whether they are of another chain, in which case everything has started over.
    pub(in crate::app) fn is_of_another_chain(&mut self, answer: &Answer) -> bool {
        let blocks = match answer {
            Answer::Blocks(page) => page.items.as_slice(),
            Answer::Block(block) | Answer::OldestBlock(Some(block)) => std::slice::from_ref(block),
            _ => return false,
        };
        let last = blocks.len().saturating_sub(1);
        let Some(highest) = blocks.iter().map(|block| block.height).max() else { return false };
        for (place, block) in blocks.iter().enumerate() {
            let anchor = anchor_of(block);
            // The ends of a page are kept; what lies between is only compared.
            if place != 0 && place != last && !self.context.chain.identity.knows(anchor.height) {
                continue;
            }
            if let ChainVerdict::Another(difference) = self.context.chain.identity.see_block(anchor, highest)
                && !self.context.chain.has_just_restarted(self.now)
            {
                self.start_over(&difference);
                return true;
            }
        }
        false
    }

    /// Asks for the block that tells whether it is still the same chain, and tells the store which one it is.
    pub(in crate::app) fn meet_identity_needs(&mut self) {
        if !self.is_waiting(&Slot::Anchor)
            && let Some(height) = self.context.chain.identity.take_question()
        {
            self.context.chain.asked_anchor = Some(height);
            self.fetch(Slot::Anchor, Request::Block(height));
        }
        if !self.is_waiting(&Slot::Identity)
            && let Some(sighting) = self.context.chain.identity.take_news(self.context.now)
        {
            self.fetch(Slot::Identity, Request::Identify(sighting));
        }
    }

    /// The block that was asked for to tell chains apart came or did not; its hash is compared already.
    pub(in crate::app) fn take_anchor(&mut self, result: &Result<Answer, ApiError>) {
        let Some(asked) = self.context.chain.asked_anchor.take() else { return };
        if result.as_ref().is_err_and(ApiError::is_not_found) {
            self.context.chain.identity.miss_block(asked);
        }
        self.say_undecidable();
    }

    /// The store found under which chain all is kept: what was read before may have been of another one.
    pub(in crate::app) fn take_identified(&mut self, result: Result<Answer, ApiError>) {
        let Ok(Answer::Identified { is_news, wanted }) = result else { return };
        self.context.chain.identity.want(&wanted);
        if is_news {
            self.fetch(Slot::Recents, Request::Recents);
            self.fetch(Slot::Transfers, Request::Transfers);
        }
    }

    /// Drops all that is of the chain before: lists, figures, previews, pages' records, answers on their way. What may
    /// have been sent is still waited for, and transfers are kept and marked.
    pub(in crate::app) fn start_over(&mut self, difference: &ChainDifference) {
        let gone = self.context.chain.identity.chain_id().cloned();
        let lower = self.context.chain.behind.and_then(|_| self.context.chain.told.take());
        self.cancel_all_but_broadcasts();
        self.context.chain = Chain { restarted: Some(self.now), ..Chain::new(self.now) };
        if let (ChainDifference::Hash { .. }, Some(status)) = (difference, lower) {
            self.context.chain.take_status(Ok(status), self.context.now);
        }
        (self.context.marked, self.has_untold_rows) = (None, false);
        self.context.seen_types.clear();
        if matches!(&self.modal, Some(Modal::GoTo(go_to)) if go_to.is_waiting())
            || matches!(&self.modal, Some(Modal::Copy(_) | Modal::Types(_) | Modal::Denoms(_)))
        {
            self.modal = None;
        }
        if self.is_router_gone() {
            self.context.directory = Directory::new(&self.context.network);
        }
        self.restart_pages();
        if let Some(gone) = gone {
            self.with_transfers(|transfers, cx| transfers.part_with(&gone, cx));
            self.effects.instructions.push(Instruction::PartWithChain);
            self.fetch(Slot::Recents, Request::Recents);
            self.fetch(Slot::Transfers, Request::Transfers);
            self.warnings.push_back(sentence(&gone, difference));
        }
        self.effects.redraw = true;
    }

    /// Every page forgets the chain before.
    fn restart_pages(&mut self) {
        let ids: Vec<PageId> = self.navigation.pages().map(|(id, _)| id).collect();
        for id in ids {
            if let Some(destination) = self.navigation.page_mut(id).and_then(|page| page.restart()) {
                let page = (self.open_with)(destination, &self.context);
                self.navigation.replace(id, page);
            }
        }
    }

    /// Whether the router is the indexer's own server, as that of the embedded rollup: then it began anew as well.
    pub(in crate::app) fn is_router_gone(&self) -> bool {
        self.context.network.router.as_deref().is_none_or(|router| router == self.context.network.indexer)
    }

    fn cancel_all_but_broadcasts(&mut self) {
        self.cancel_where(|_| true);
    }

    /// Says once that the server is behind and nobody can tell whether it is of the same chain.
    fn say_undecidable(&mut self) {
        if !self.context.chain.identity.is_behind() {
            self.context.chain.is_doubt_said = false;
        }
        let Some((_, height)) = self.context.chain.behind.filter(|_| self.context.chain.identity.is_undecidable())
        else {
            return;
        };
        if !std::mem::replace(&mut self.context.chain.is_doubt_said, true) {
            let highest = self.context.chain.identity.highest().map_or(0, Height::get);
            self.warnings.push_back(format!(
                "the server answers with height {}, after {}; it has no block by which one could tell whether this is still \
                 the same chain",
                text::group(height.get()),
                text::group(highest),
            ));
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
