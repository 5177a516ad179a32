//! Search for a transaction that the user signs elsewhere, so that the user need not type its hash.

use std::{sync::Arc, time::Duration};

use super::SendPage;
use crate::{
    app::{
        Context,
        page::{PageCx, PageEffect},
    },
    domain::{BroadcastHash, Timestamp},
    msg::{ListPage, PageRequest, TxQuery, TxScope, ask},
    signing::{FoundTx, SearchVerdict, SignableMessage, SignedElsewhereSearch, account_of},
    wire::{ApiError, Tx, router::RouterTxKind},
};

pub(super) const PACE: Duration = Duration::from_secs(10);
/// Number of the signer's newest transactions to search.
const LOOKED_THROUGH: u16 = 20;

#[derive(Debug, Default)]
pub(super) struct SearchStage {
    /// The search; it starts when the user exports or copies the messages.
    pub(super) sought: Option<SignedElsewhereSearch>,
    asked: Option<Timestamp>,
    is_awaited: bool,
    verdict: SearchVerdict,
    pub(super) error: Option<String>,
}

impl SearchStage {
    /// Returns the transactions that another program may have sent for this quote.
    pub(super) fn proposals(&self) -> &[FoundTx] {
        match &self.verdict {
            SearchVerdict::Proposed(found) => found,
            SearchVerdict::Nothing | SearchVerdict::Exact(_) => &[],
        }
    }
}

impl SendPage {
    /// Starts the search when the messages leave the page. Only the indexer's chain can be searched.
    pub(super) fn begin_search(&mut self, cx: &Context) {
        let chain_and_messages = self.messages.txs().get(self.tx()).and_then(|tx| match &tx.kind {
            RouterTxKind::Cosmos { chain_id, msgs, .. } => {
                let messages: Result<Vec<_>, _> = msgs.iter().map(SignableMessage::of_router).collect();
                Some((chain_id.clone(), messages.ok()?))
            }
            _ => None,
        });
        let (Some((chain, messages)), Some(made), None) = (chain_and_messages, self.messages.at(), &self.sent) else {
            return;
        };
        let is_seen = cx.own_chain().as_ref() == Some(&chain);
        let sought = SignedElsewhereSearch::new(chain, messages, made).filter(|_| is_seen);
        let is_new = |sought: &SignedElsewhereSearch| self.sought.sought.as_ref() != Some(sought);
        if let Some(sought) = sought.filter(is_new) {
            self.sought = SearchStage { sought: Some(sought), ..SearchStage::default() };
        }
    }

    /// Repeats the search when it is due.
    pub(super) fn search_again(&mut self, cx: &mut PageCx<'_>) {
        let stage = &mut self.sought;
        let Some(sought) = stage.sought.as_ref() else { return };
        let is_due = stage.asked.is_none_or(|asked| cx.context.now.since(asked) >= PACE);
        if self.sent.is_some() || stage.is_awaited || !is_due || cx.context.frozen {
            return;
        }
        let Some(address) = account_of(&sought.signer) else { return };
        (stage.is_awaited, stage.asked) = (true, Some(cx.context.now));
        let scope = TxScope::Account { address, signer_only: true };
        let query = TxQuery { scope, msgs: Vec::new() };
        cx.request(ask::txs(query, PageRequest::newest(LOOKED_THROUGH)), |page: &mut Self, result, cx| {
            page.take_sought(result, cx);
            page.drive(cx);
        });
    }

    /// Searches the signer's newest transactions. An exact match needs no confirmation.
    fn take_sought(&mut self, result: Result<ListPage<Arc<Tx>>, ApiError>, cx: &mut PageCx<'_>) {
        self.sought.is_awaited = false;
        let page = match result {
            Ok(page) => page,
            Err(error) => {
                self.sought.error = Some(error.brief());
                return;
            }
        };
        self.sought.error = None;
        let Some(sought) = &self.sought.sought else { return };
        // A transaction that rollscope already tracks belongs to another transfer.
        let is_new = |tx: &&crate::wire::Tx| {
            !cx.context.transfers.is_kept(&sought.chain_id, &BroadcastHash::from(tx.txhash).for_chain(&sought.chain_id))
        };
        self.sought.verdict = sought.search(page.items.iter().map(AsRef::as_ref).filter(is_new));
        if let SearchVerdict::Exact(found) = &self.sought.verdict {
            self.take_found(&found.clone(), cx);
        }
    }

    /// Accepts the candidate with this index.
    pub(super) fn take_proposal(&mut self, place: usize, cx: &mut PageCx<'_>) {
        if let Some(found) = self.sought.proposals().get(place).cloned() {
            self.take_found(&found, cx);
        }
    }

    fn take_found(&mut self, found: &FoundTx, cx: &mut PageCx<'_>) {
        let departure = self.departure(cx.id);
        let hash = BroadcastHash::from(found.hash).for_chain(&departure.chain);
        self.sought = SearchStage::default();
        cx.emit(PageEffect::KeepSent(departure, hash));
    }
}
