//! Requests for what the screen's words lack: what the calls of failed transactions returned, and names of collections.

use std::sync::Arc;

use super::{App, Context, SessionRequest};
use crate::{
    msg::{EvmTxScope, InternalTxScope, ListPage, PageRequest, Slot, TxQuery, TxScope, ask},
    story::{RevertedTx, returned_by},
    wire::{ApiError, EvmTx, Tx},
};

impl Context {
    /// Returns the request for the next reason, if one is due: for the receipts of its block.
    pub(super) fn ask_returned(&mut self) -> Option<SessionRequest> {
        self.reverted.add(self.glossary.take_reverted(), self.now);
        let tx = self.reverted.begin(self.now)?;
        let ask = ask::evm_txs(EvmTxScope::Height(tx.height), PageRequest::whole());
        Some(SessionRequest::new(Slot::Returned, ask, move |app, receipts| app.find_receipt(tx, receipts)))
    }

    /// Returns the request for the next name of a collection, if one is due. Whatever brings a name teaches it.
    pub(super) fn ask_collection_name(&mut self) -> Option<SessionRequest> {
        self.nameless.add(self.glossary.take_nameless(), self.now);
        let address = self.nameless.begin(self.now)?;
        Some(SessionRequest::new(Slot::CollectionName, ask::collection(address), move |app, found| {
            let is_answered = found.is_ok_and(|found| found.address() == Some(address));
            app.needs_redraw |= is_answered;
            app.context.nameless.end(address, is_answered, app.context.now);
        }))
    }

    fn take_returned(&mut self, tx: RevertedTx, data: Option<&[u8]>) {
        self.reverted.end(tx, data.is_some(), self.now);
        if let Some(data) = data {
            Arc::make_mut(&mut self.glossary).add_returned(tx, data);
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
