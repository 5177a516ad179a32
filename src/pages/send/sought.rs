//! The transaction that a person signs somewhere else, looked for on its chain: the hash need not be typed.

use std::time::Duration;

use super::SendPage;
use crate::{
    app::{
        Context,
        page::{Cx, Wish},
        transfers::TransferWish,
    },
    domain::{BroadcastHash, Timestamp},
    msg::{Answer, PageNeed, PageRequest, Request, TxQuery, TxScope},
    signing::{FoundTx, SearchVerdict, SignableMessage, SoughtTx, account_of},
    wire::{ApiError, router::RouterTxKind},
};

/// Between two looks.
pub(super) const PACE: Duration = Duration::from_secs(10);
/// The signer's newest transactions that are looked through.
const LOOKED_THROUGH: u16 = 20;

/// How far the search is.
#[derive(Debug, Default)]
pub(super) struct SoughtStage {
    /// What is looked for, once it was taken away to be signed.
    pub(super) sought: Option<SoughtTx>,
    asked: Option<Timestamp>,
    is_awaited: bool,
    verdict: SearchVerdict,
    pub(super) error: Option<String>,
}

impl SoughtStage {
    /// What may be it.
    pub(super) fn proposals(&self) -> &[FoundTx] {
        match &self.verdict {
            SearchVerdict::Proposed(found) => found,
            SearchVerdict::Nothing | SearchVerdict::Exact(_) => &[],
        }
    }
}

impl SendPage {
    /// The messages are taken away: from now on they may be signed elsewhere. They can be seen again only where the chain
    /// is that of the indexer.
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
        let sought = SoughtTx::new(chain, messages, made).filter(|_| is_seen);
        let is_new = |sought: &SoughtTx| self.sought.sought.as_ref() != Some(sought);
        if let Some(sought) = sought.filter(is_new) {
            self.sought = SoughtStage { sought: Some(sought), ..SoughtStage::default() };
        }
    }

    /// The next look, where it is time for one.
    pub(super) fn need_search(&mut self, cx: &Context) -> Option<(PageNeed, Request)> {
        let stage = &mut self.sought;
        let sought = stage.sought.as_ref()?;
        let is_due = stage.asked.is_none_or(|asked| cx.now.since(asked) >= PACE);
        if self.sent.is_some() || stage.is_awaited || !is_due || cx.frozen {
            return None;
        }
        let address = account_of(&sought.signer)?;
        (stage.is_awaited, stage.asked) = (true, Some(cx.now));
        let scope = TxScope::Account { address, signer_only: true };
        let query = TxQuery { scope, msgs: Vec::new() };
        Some((PageNeed::Sought, Request::Txs(query, PageRequest::newest(LOOKED_THROUGH))))
    }

    /// The signer's newest transactions came: the one that was made is taken at once.
    pub(super) fn take_sought(&mut self, result: Result<Answer, ApiError>, cx: &mut Cx<'_>) {
        self.sought.is_awaited = false;
        let page = match result {
            Ok(Answer::Txs(page)) => page,
            Ok(_) => return,
            Err(error) => {
                self.sought.error = Some(error.brief());
                return;
            }
        };
        self.sought.error = None;
        let Some(sought) = &self.sought.sought else { return };
        // What is followed already is another transfer's.
        let is_new = |tx: &&crate::wire::Tx| {
            !cx.transfers.is_kept(&sought.chain_id, &BroadcastHash::from(tx.txhash).for_chain(&sought.chain_id))
        };
        self.sought.verdict = sought.search(page.items.iter().map(AsRef::as_ref).filter(is_new));
        if let SearchVerdict::Exact(found) = &self.sought.verdict {
            self.take_found(&found.clone(), cx);
        }
    }

    /// Takes one of what was proposed.
    pub(super) fn take_proposal(&mut self, place: usize, cx: &mut Cx<'_>) {
        if let Some(found) = self.sought.proposals().get(place).cloned() {
            self.take_found(&found, cx);
        }
    }

    fn take_found(&mut self, found: &FoundTx, cx: &mut Cx<'_>) {
        let departure = self.departure(cx.id);
        let hash = BroadcastHash::from(found.hash).for_chain(&departure.chain);
        self.sought = SoughtStage::default();
        cx.wish(Wish::Transfer(TransferWish::Begin(departure, hash)));
    }
}
