//! EVM receipts and call frames.

use super::{
    api::{Api, absent},
    paging::UNKNOWN_TOTAL,
    reply::{HttpRefusal, Reply},
    request::{HttpRequest, QueryString},
    value,
};
use crate::{
    domain::EvmTxHash,
    indexer::index::{InternalTxSelection, ReceiptSelection, RecordKind},
    wire::{BlockPart, EvmTxResponse, EvmTxsResponse, InternalTx, InternalTxsResponse},
};

const UNKNOWN_TX: &str = "transaction not found";

/// Returns the response of every EVM route on a rollup without an EVM, for any method.
pub(super) fn unavailable() -> HttpRefusal {
    HttpRefusal::NotFound("evm routes are not available on this chain".to_owned())
}

impl Api {
    /// Handles `GET /indexer/tx/v1/evm-txs` (`docs/apis/indexer.md` §5.4).
    pub(super) fn all_evm_txs(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        self.evm_txs(ReceiptSelection::Chain, &request.query)
    }

    /// Handles `GET /indexer/tx/v1/evm-txs/by_account/{account}`.
    pub(super) fn evm_txs_by_account(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let account = value::account(&self.value(request.parameter(0)))?;
        let signed = self.asks_for_signer(&request.query);
        let scope = if signed { ReceiptSelection::Signer(account) } else { ReceiptSelection::Account(account) };
        self.evm_txs(scope, &request.query)
    }

    /// Handles `GET /indexer/tx/v1/evm-txs/by_height/{height}`.
    pub(super) fn evm_txs_by_height(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let height = value::height(&self.value(request.parameter(0)))?;
        self.needs_block(height)?;
        self.needs_part(height, BlockPart::Receipts, None)?;
        self.evm_txs(ReceiptSelection::Height(height), &request.query)
    }

    /// Handles `GET /indexer/tx/v1/evm-internal-txs` (`docs/apis/indexer.md` §5.5).
    pub(super) fn all_internal_txs(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        self.internal_txs(InternalTxSelection::Chain, &request.query)
    }

    /// Handles `GET /indexer/tx/v1/evm-internal-txs/by_account/{account}`.
    pub(super) fn internal_txs_by_account(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let account = value::account(&self.value(request.parameter(0)))?;
        self.internal_txs(InternalTxSelection::Account(account), &request.query)
    }

    /// Handles `GET /indexer/tx/v1/evm-internal-txs/by_height/{height}`.
    pub(super) fn internal_txs_by_height(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let height = value::height(&self.value(request.parameter(0)))?;
        self.needs_block(height)?;
        self.needs_part(height, BlockPart::CallFrames, None)?;
        self.internal_txs(InternalTxSelection::Height(height), &request.query)
    }

    /// Handles `GET /indexer/tx/v1/evm-internal-txs/{tx_hash}`.
    pub(super) fn internal_txs_of_tx(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        match self.evm_hash(request.parameter(0))? {
            Some(hash) => self.internal_txs(InternalTxSelection::Tx(hash), &request.query),
            None => Err(absent(UNKNOWN_TX, None)),
        }
    }

    /// Parses a hash from a path; `None` if it does not have 32 bytes.
    fn evm_hash(&self, raw: &str) -> Result<Option<EvmTxHash>, HttpRefusal> {
        Ok(value::tx_hash(&self.value(raw))?.map(|hash| EvmTxHash::new(*hash.bytes())))
    }

    /// Handles `GET /indexer/tx/v1/evm-txs/{tx_hash}`.
    pub(super) fn evm_tx(&self, request: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let oldest = self.filling()?;
        let tx = match self.evm_hash(request.parameter(0))? {
            Some(hash) => self.index.evm_tx(&hash)?,
            None => None,
        };
        match tx {
            Some(tx) => Reply::json(&EvmTxResponse { tx }),
            None => Err(absent("tx not found", oldest)),
        }
    }

    fn evm_txs(&self, scope: ReceiptSelection, query: &QueryString) -> Result<Reply, HttpRefusal> {
        let (paging, keys) = self.record_paging(query, RecordKind::Receipt)?;
        let page = self.index.evm_txs(scope, &paging.range, paging.count_total)?;
        let pagination = if self.quirks {
            let highest = (scope == ReceiptSelection::Chain).then_some(page.highest);
            let is_whole = matches!(scope, ReceiptSelection::Height(_)) || page.offset.is_some();
            let total = known_total(page.total, highest, page.offset, is_whole);
            paging.by_real_server(&page.neighbours, page.txs.len(), total)
        } else {
            paging.by_specification(&page.neighbours, page.total.unwrap_or(0), page.oldest, &keys)?
        };
        Reply::json(&EvmTxsResponse { txs: page.txs, pagination })
    }

    fn internal_txs(&self, scope: InternalTxSelection, query: &QueryString) -> Result<Reply, HttpRefusal> {
        let (paging, keys) = self.record_paging(query, RecordKind::Frame)?;
        let filling = self.filling()?;
        let page = self.index.internal_txs(scope, &paging.range, paging.count_total)?;
        let mut page = page.ok_or_else(|| absent(UNKNOWN_TX, filling))?;
        // Not traced, not traced yet and without calls are three answers.
        if let InternalTxSelection::Tx(hash) = scope
            && page.txs.is_empty()
            && let Some((height, place)) = self.index.receipt_place(&hash)?
        {
            self.needs_part(height, BlockPart::CallFrames, Some(place))?;
        }
        let pagination = if self.quirks {
            page.txs.iter_mut().for_each(InternalTx::remove_additions);
            let highest = (scope == InternalTxSelection::Chain).then_some(page.highest);
            let is_block = matches!(scope, InternalTxSelection::Height(_) | InternalTxSelection::Tx(_));
            let total = known_total(page.total, highest, page.offset, is_block || page.offset.is_some());
            paging.by_real_server(&page.neighbours, page.txs.len(), total)
        } else {
            paging.by_specification(&page.neighbours, page.total.unwrap_or(0), page.oldest, &keys)?
        };
        Reply::json(&InternalTxsResponse { internal_txs: page.txs, pagination })
    }
}

/// Returns the total as the real server does: the highest sequence number for an unfiltered list; unknown until the
/// list reaches the first block.
fn known_total(total: Option<i64>, highest: Option<i64>, offset: Option<i64>, is_whole: bool) -> i64 {
    match (total, highest) {
        (None, _) => 0,
        (Some(_), _) if !is_whole => UNKNOWN_TOTAL,
        (Some(_), Some(highest)) => highest - offset.unwrap_or(0),
        (Some(count), None) => count,
    }
}
