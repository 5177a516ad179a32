use super::{
    lists::Lists,
    paging::{KeyKind, Paging},
    query::Query,
    reply::{Refusal, Reply},
    value,
};
use crate::{
    domain::EvmTxHash,
    indexer::index::{InternalTxScope, Neighbours, ReceiptScope},
    wire::{EvmTxResponse, EvmTxsResponse, InternalTxsResponse, Pagination},
};

/// A route that only EVM rollups have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EvmRoute<'a> {
    Txs,
    TxsByAccount(&'a str),
    TxsByHeight(&'a str),
    Tx(&'a str),
    InternalTxs,
    InternalTxsByAccount(&'a str),
    InternalTxsByHeight(&'a str),
    InternalTxsOfTx(&'a str),
}

/// The answer of every EVM route where the virtual machine is another, whatever the method.
pub(super) fn unavailable() -> Refusal {
    Refusal::NotFound("evm routes are not available on this chain".to_owned())
}

impl Lists<'_> {
    /// Receipts and call frames (`wire/indexer.md` §5.4, §5.5).
    pub(super) fn evm(&self, route: EvmRoute<'_>, query: &Query) -> Result<Reply, Refusal> {
        match route {
            EvmRoute::Txs => self.evm_txs(ReceiptScope::Chain, query),
            EvmRoute::TxsByAccount(account) => {
                let account = value::account(&self.parameter(account))?;
                let signed = query.first("is_signer") == Some("true");
                self.evm_txs(if signed { ReceiptScope::Signer(account) } else { ReceiptScope::Account(account) }, query)
            }
            EvmRoute::TxsByHeight(height) => {
                self.evm_txs(ReceiptScope::Height(value::height(&self.parameter(height))?), query)
            }
            EvmRoute::Tx(hash) => self.evm_tx(hash),
            EvmRoute::InternalTxs => self.internal_txs(InternalTxScope::Chain, query),
            EvmRoute::InternalTxsByAccount(account) => {
                self.internal_txs(InternalTxScope::Account(value::account(&self.parameter(account))?), query)
            }
            EvmRoute::InternalTxsByHeight(height) => {
                self.internal_txs(InternalTxScope::Height(value::height(&self.parameter(height))?), query)
            }
            EvmRoute::InternalTxsOfTx(hash) => match self.evm_hash(hash)? {
                Some(hash) => self.internal_txs(InternalTxScope::Tx(hash), query),
                None => Err(unknown_tx()),
            },
        }
    }

    /// A hash in a path; `None` for bytes that are a hash of nothing.
    fn evm_hash(&self, raw: &str) -> Result<Option<EvmTxHash>, Refusal> {
        Ok(value::tx_hash(&self.parameter(raw))?.map(|hash| EvmTxHash::new(*hash.bytes())))
    }

    fn evm_tx(&self, hash: &str) -> Result<Reply, Refusal> {
        let tx = match self.evm_hash(hash)? {
            Some(hash) => self.index.evm_tx(&hash)?,
            None => None,
        };
        match tx {
            Some(tx) => Reply::json(&EvmTxResponse { tx }),
            None => Err(Refusal::NotFound("tx not found".to_owned())),
        }
    }

    fn evm_txs(&self, scope: ReceiptScope, query: &Query) -> Result<Reply, Refusal> {
        let paging = Paging::read(query, KeyKind::Sequence)?;
        let page = self.index.evm_txs(scope, &paging.range, paging.count_total)?;
        let highest = (scope == ReceiptScope::Chain).then_some(page.highest);
        let pagination = self.pagination(&paging, &page.neighbours, page.txs.len(), page.total, highest);
        Reply::json(&EvmTxsResponse { txs: page.txs, pagination })
    }

    fn internal_txs(&self, scope: InternalTxScope, query: &Query) -> Result<Reply, Refusal> {
        let paging = Paging::read(query, KeyKind::Sequence)?;
        let page = self.index.internal_txs(scope, &paging.range, paging.count_total)?.ok_or_else(unknown_tx)?;
        let highest = (scope == InternalTxScope::Chain).then_some(page.highest);
        let pagination = self.pagination(&paging, &page.neighbours, page.txs.len(), page.total, highest);
        Reply::json(&InternalTxsResponse { internal_txs: page.txs, pagination })
    }

    /// The pagination object; the real server's total of an unfiltered list is the highest sequence.
    fn pagination(
        &self,
        paging: &Paging,
        neighbours: &Neighbours,
        rows: usize,
        total: Option<i64>,
        highest: Option<i64>,
    ) -> Pagination {
        if self.quirks {
            let total = total.map_or(0, |count| highest.unwrap_or(count));
            return paging.by_real_server(neighbours, rows, total);
        }
        paging.by_specification(neighbours, total.unwrap_or(0))
    }
}

fn unknown_tx() -> Refusal {
    Refusal::NotFound("transaction not found".to_owned())
}
