use super::{
    lists::Lists,
    paging::{KeyKind, Paging},
    query::Query,
    reply::{Refusal, Reply},
    value,
};
use crate::{
    domain::EvmTxHash,
    rollup::index::{InternalTxScope, Neighbours, TxScope},
    wire::{EvmTxResponse, EvmTxsResponse, InternalTxsResponse, Pagination},
};

/// A route of an EVM rollup, after `/indexer/tx/v1`.
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

/// Reads what follows `/indexer/tx/v1`; `None` where nothing is served.
pub(super) fn route<'a>(parts: &[&'a str]) -> Option<EvmRoute<'a>> {
    let (list, rest) = parts.split_first()?;
    let is_internal = list.eq_ignore_ascii_case("evm-internal-txs");
    if !is_internal && !list.eq_ignore_ascii_case("evm-txs") {
        return None;
    }
    let is = |part: &str, name: &str| part.eq_ignore_ascii_case(name);
    Some(match rest {
        [] if is_internal => EvmRoute::InternalTxs,
        [] => EvmRoute::Txs,
        [hash] if is_internal && !hash.is_empty() => EvmRoute::InternalTxsOfTx(hash),
        [hash] if !hash.is_empty() => EvmRoute::Tx(hash),
        [by, account] if is(by, "by_account") && !account.is_empty() => {
            if is_internal {
                EvmRoute::InternalTxsByAccount(account)
            } else {
                EvmRoute::TxsByAccount(account)
            }
        }
        [by, height] if is(by, "by_height") && !height.is_empty() => {
            if is_internal {
                EvmRoute::InternalTxsByHeight(height)
            } else {
                EvmRoute::TxsByHeight(height)
            }
        }
        _ => return None,
    })
}

/// The answer of every EVM route where the virtual machine is another, whatever the method.
pub(super) fn unavailable() -> Refusal {
    Refusal::NotFound("evm routes are not available on this chain".to_owned())
}

impl Lists<'_> {
    /// Receipts and call frames (`wire/indexer.md` §5.4, §5.5).
    pub(super) fn evm(&self, route: EvmRoute<'_>, query: &Query) -> Result<Reply, Refusal> {
        match route {
            EvmRoute::Txs => self.evm_txs(TxScope::Chain, query),
            EvmRoute::TxsByAccount(account) => {
                let account = value::account(&self.parameter(account))?;
                let signed = query.first("is_signer") == Some("true");
                self.evm_txs(if signed { TxScope::Signer(account) } else { TxScope::Account(account) }, query)
            }
            EvmRoute::TxsByHeight(height) => {
                self.evm_txs(TxScope::Height(value::height(&self.parameter(height))?), query)
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

    fn evm_txs(&self, scope: TxScope, query: &Query) -> Result<Reply, Refusal> {
        let paging = Paging::read(query, KeyKind::Sequence)?;
        let page = self.index.evm_txs(scope, &paging.range, paging.count_total)?;
        let highest = (scope == TxScope::Chain).then_some(page.highest);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_read_in_any_case_and_nothing_else_is_one() {
        for (parts, expected) in [
            (&["evm-txs"][..], Some(EvmRoute::Txs)),
            (&["EVM-Txs", "0xab"], Some(EvmRoute::Tx("0xab"))),
            (&["evm-txs", "by_account"], Some(EvmRoute::Tx("by_account"))),
            (&["evm-txs", "By_Account", "0x1"], Some(EvmRoute::TxsByAccount("0x1"))),
            (&["evm-txs", "by_height", "7"], Some(EvmRoute::TxsByHeight("7"))),
            (&["evm-internal-txs"], Some(EvmRoute::InternalTxs)),
            (&["evm-internal-txs", "0xab"], Some(EvmRoute::InternalTxsOfTx("0xab"))),
            (&["evm-internal-txs", "by_account", "0x1"], Some(EvmRoute::InternalTxsByAccount("0x1"))),
            (&["evm-internal-txs", "by_height", "7"], Some(EvmRoute::InternalTxsByHeight("7"))),
            (&["evm-txs", ""], None),
            (&["evm-txs", "by_height", ""], None),
            (&["evm-txs", "by_name", "x"], None),
            (&["evm-tx"], None),
            (&[], None),
        ] {
            assert_eq!(route(parts), expected, "{parts:?}");
        }
    }
}
