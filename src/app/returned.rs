//! Requests for what the calls of failed transactions on screen returned.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use super::{App, Context, SessionRequest};
use crate::{
    domain::Timestamp,
    msg::{EvmTxScope, InternalTxScope, ListPage, PageRequest, Slot, TxQuery, TxScope, ask},
    story::{RevertedTx, returned_by},
    wire::{ApiError, EvmTx, Tx},
};

/// Time before the second request for a transaction, whose calls are traced some blocks later.
const AFTER_FAILURE: Duration = Duration::from_secs(10);
/// Factor of that time for each further request.
const SLOWER: u32 = 4;
/// Maximum transactions to request in a session.
const MOST_ASKED: usize = 500;

/// Failed transactions that the screen showed without a reason. One is requested at a time.
#[derive(Debug, Default)]
pub(super) struct RevertQuestions {
    /// Time of the next request by transaction, and the wait after it.
    due: BTreeMap<RevertedTx, (Timestamp, Duration)>,
    is_under_way: bool,
}

impl Context {
    /// Returns the request for the next reason, if one is due: for the receipts of its block.
    pub(super) fn ask_returned(&mut self) -> Option<SessionRequest> {
        let (now, questions) = (self.now, &mut self.revert_questions);
        for tx in self.glossary.take_reverted() {
            if questions.due.len() < MOST_ASKED {
                questions.due.entry(tx).or_insert((now, AFTER_FAILURE));
            }
        }
        let due = questions.due.iter().rev().find(|(_, (due, _))| now >= *due);
        let tx = due.map(|(tx, _)| *tx).filter(|_| !questions.is_under_way)?;
        questions.is_under_way = true;
        let ask = ask::evm_txs(EvmTxScope::Height(tx.height), PageRequest::whole());
        Some(SessionRequest::new(Slot::Returned, ask, move |app, receipts| app.find_receipt(tx, receipts)))
    }

    /// Makes every transaction due, for the user's refresh.
    pub(super) fn ask_returned_again(&mut self) {
        let now = self.now;
        self.revert_questions.due.values_mut().for_each(|(due, _)| *due = now);
    }

    fn take_returned(&mut self, tx: RevertedTx, data: Option<&[u8]>) {
        self.revert_questions.is_under_way = false;
        match data {
            Some(data) => {
                self.revert_questions.due.remove(&tx);
                Arc::make_mut(&mut self.glossary).add_returned(tx, data);
            }
            None => {
                if let Some((due, wait)) = self.revert_questions.due.get_mut(&tx) {
                    (*due, *wait) = (self.now.after(*wait), wait.saturating_mul(SLOWER));
                }
            }
        }
    }
}

impl App {
    fn find_receipt(&mut self, tx: RevertedTx, receipts: Result<ListPage<Arc<EvmTx>>, ApiError>) {
        let Some(receipts) = receipts.ok().and_then(ListPage::whole) else {
            return self.context.take_returned(tx, None);
        };
        let query = TxQuery { scope: TxScope::Height(tx.height), msgs: Vec::new() };
        self.requests.fetch(Slot::Returned, ask::txs(query, PageRequest::whole()), move |app, txs| {
            app.ask_calls(tx, txs, &receipts);
        });
    }

    fn ask_calls(&mut self, tx: RevertedTx, txs: Result<ListPage<Arc<Tx>>, ApiError>, receipts: &[Arc<EvmTx>]) {
        let txs = txs.ok().and_then(ListPage::whole);
        let Some(receipt) = txs.as_deref().and_then(|txs| tx.receipt(txs, receipts)) else {
            return self.context.take_returned(tx, None);
        };
        let ask = ask::internal_txs(InternalTxScope::Tx(receipt.transaction_hash), PageRequest::whole());
        self.requests.fetch(Slot::Returned, ask, move |app, calls| {
            let data = calls.ok().and_then(ListPage::whole).and_then(|calls| returned_by(&calls));
            app.needs_redraw |= data.is_some();
            app.context.take_returned(tx, data.as_deref());
        });
    }
}
