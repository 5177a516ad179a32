//! Comparison of the totals of the chain's lists, as far as the node proves them.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{Stream, StreamExt as _, TryStreamExt as _, stream};

use super::{CheckSession, RECORDS_AT_ONCE, listing};
use crate::{
    check::{CheckedPart, CheckedRecord, Findings, KnownWay, SideDifference, UnprovenClaim},
    client::{BlocksQuery, ListEndpoint, NodeClient},
    domain::{Address, Height, MsgType, TxHash},
    msg::{Order, PageRequest, PageStart, TxQuery, TxScope},
    wire::{ApiError, Status, node::BlockMeta},
};

/// Maximum headers that the check requests to add up their transactions.
const HEADERS: u64 = 20_000;

/// Maximum accounts whose totals the check requests.
const ACCOUNTS: usize = 20_000;

/// Maximum new transactions during a check; a larger surplus is an error.
const NEWER: u64 = 1_000;

/// List of an account: all transactions, or only those that it signed.
pub(super) type AccountList = (Address, bool);

/// Lengths of lists according to the checked blocks; `None` if unknown.
#[derive(Debug)]
pub(super) struct ListSums {
    accounts: Option<BTreeMap<AccountList, u64>>,
    types: Option<BTreeMap<MsgType, u64>>,
}

impl Default for ListSums {
    fn default() -> Self {
        Self { accounts: Some(BTreeMap::new()), types: Some(BTreeMap::new()) }
    }
}

impl ListSums {
    /// Adds the account lists of some blocks; `None` means that the requests failed.
    pub(super) fn add_accounts(&mut self, lists: Option<Vec<(AccountList, u64)>>) {
        self.accounts = self.accounts.take().zip(lists).map(|(mut sums, lists)| {
            for (list, count) in lists {
                *sums.entry(list).or_default() += count;
            }
            sums
        });
        self.accounts.take_if(|sums| sums.len() > ACCOUNTS);
    }

    /// Adds the type filter's results for a block; `None` means that the requests failed.
    pub(super) fn add_types(&mut self, found: Option<&BTreeMap<MsgType, BTreeSet<TxHash>>>) {
        self.types = self.types.take().zip(found).map(|(mut sums, found)| {
            for (kind, txs) in found {
                *sums.entry(kind.clone()).or_default() += txs.len() as u64;
            }
            sums
        });
    }
}

impl CheckSession {
    /// Compares the totals of blocks and transactions; if every block was checked, also the totals of each account and
    /// type.
    pub(super) async fn check_totals(&self, sums: ListSums, checked: usize, has_accounts: bool) -> Findings {
        let mut findings = Findings::default();
        if let Err(cause) = self.compare_block_total(&mut findings).await {
            findings.not_asked(CheckedPart::Totals, CheckedRecord::AllBlocks, cause);
        }
        self.check_average(&mut findings).await;
        let all = TxQuery { scope: TxScope::All, msgs: Vec::new() };
        match self.txs_by_headers().await {
            Some(expected) => findings.take(self.compare_total(CheckedRecord::AllTxs, &all, expected).await),
            None => findings.unproven(UnprovenClaim::TxTotal, CheckedRecord::AllTxs),
        }
        let is_whole = match self.lowest_indexed() {
            Some(oldest) => {
                let held = held(oldest, self.common.highest);
                checked as u64 == held && self.common.lowest == oldest && self.keeps_its_oldest().await
            }
            None => false,
        };
        let ListSums { accounts, types } = if is_whole { sums } else { ListSums { accounts: None, types: None } };
        let mut lists: Vec<(CheckedRecord, TxQuery, u64)> = Vec::new();
        match accounts {
            _ if !has_accounts => {}
            None => findings.unproven(UnprovenClaim::AccountTotals, CheckedRecord::Chain),
            Some(accounts) => lists.extend(accounts.into_iter().map(|((address, is_signer), count)| {
                let scope = TxScope::Account { address, signer_only: is_signer };
                (CheckedRecord::Account { address, is_signer }, TxQuery { scope, msgs: Vec::new() }, count)
            })),
        }
        match types {
            None => findings.unproven(UnprovenClaim::TypeTotals, CheckedRecord::Chain),
            Some(types) => lists.extend(types.into_iter().filter(|(_, count)| *count > 0).map(|(kind, count)| {
                let query = TxQuery { scope: TxScope::All, msgs: vec![kind.clone()] };
                (CheckedRecord::TxsOfType(kind), query, count)
            })),
        }
        let asked = stream::iter(lists)
            .map(|(record, query, count)| async move { self.compare_total(record, &query, count).await });
        let mut asked = asked.buffered(RECORDS_AT_ONCE);
        while let Some(found) = asked.next().await {
            findings.take(found);
        }
        findings
    }

    /// Whether the indexer still has the block that was its oldest at the start of the check: an indexer in memory
    /// drops old blocks.
    async fn keeps_its_oldest(&self) -> bool {
        let oldest = self.indexer.oldest_block().await;
        oldest.is_ok_and(|block| block.is_none_or(|block| self.lowest_indexed() == Some(block.height)))
    }

    pub(super) fn lowest_indexed(&self) -> Option<Height> {
        self.common.oldest_indexed.as_ref().ok().copied()
    }

    async fn compare_block_total(&self, findings: &mut Findings) -> Result<(), String> {
        let of_indexer = |error: ApiError| format!("the indexer: {error}");
        let before: Status = self.indexer.status().await.map_err(of_indexer)?;
        let total = self.total_of(&BlocksQuery).await.map_err(of_indexer)?;
        let after: Status = self.indexer.status().await.map_err(of_indexer)?;
        let node = self.node.status().await.map_err(|error| format!("the node: {error}"))?.sync_info;
        let record = CheckedRecord::AllBlocks;
        let oldest = self.lowest_indexed().filter(|_| total.is_some());
        let (Some(total), Some(oldest), true) = (total, oldest, self.keeps_its_oldest().await) else {
            findings.unproven(UnprovenClaim::UncountedTotal, record);
            return Ok(());
        };
        if node.latest_block_height < after.height.get() {
            findings.unproven(UnprovenClaim::BlockTotal, record);
            return Ok(());
        }
        findings.compared(CheckedPart::Totals, 1);
        if (held(oldest, before.height)..=held(oldest, after.height)).contains(&total) {
            return Ok(());
        }
        if (before.height.get()..=after.height.get()).contains(&total) {
            findings.known(KnownWay::HeightAsTotal, record);
        } else {
            let difference = SideDifference::Total { node: held(oldest, after.height), indexer: total };
            findings.differs(CheckedPart::Totals, record, difference);
        }
        Ok(())
    }

    /// Adds up the transactions of all blocks that the indexer had at the start, from their headers; `None` if the node
    /// lacks headers.
    async fn txs_by_headers(&self) -> Option<u64> {
        let oldest = self.lowest_indexed()?;
        let (low, high) = (oldest.get(), self.common.highest.get());
        if self.common.lowest != oldest || high.saturating_sub(low) >= HEADERS {
            return None;
        }
        let sums = self.header_chunks(low, high).map_ok(|metas| metas.iter().map(|meta| meta.num_txs).sum::<u64>());
        sums.try_fold(0, |all, sum| async move { Ok(all + sum) }).await.ok()
    }

    /// Requests the headers from one height to another, in ascending order; an item fails if the node lacks some.
    pub(super) fn header_chunks(&self, low: u64, high: u64) -> impl Stream<Item = Result<Vec<BlockMeta>, ()>> {
        let heights = (low..=high).step_by(usize::try_from(NodeClient::HEADERS_AT_ONCE).unwrap_or(1));
        let asked = stream::iter(heights).map(move |from| async move {
            let to = high.min(from + NodeClient::HEADERS_AT_ONCE - 1);
            let metas = self.node.headers(Height::new(from).ok_or(())?, Height::new(to).ok_or(())?).await;
            metas.ok().filter(|metas| metas.len() as u64 == to - from + 1).ok_or(())
        });
        asked.buffered(RECORDS_AT_ONCE)
    }

    /// Compares a list's total with the expected total at the newest block of the start.
    async fn compare_total(&self, record: CheckedRecord, query: &TxQuery, expected: u64) -> Findings {
        let mut findings = Findings::default();
        match self.is_total(query, expected).await {
            Ok(None) => findings.unproven(UnprovenClaim::UncountedTotal, record),
            Ok(Some((total, is_right))) => {
                findings.compared(CheckedPart::Totals, 1);
                if !is_right {
                    let difference = SideDifference::Total { node: expected, indexer: total };
                    findings.differs(CheckedPart::Totals, record, difference);
                }
            }
            Err(error) => findings.not_asked(CheckedPart::Totals, record, format!("the indexer: {error}")),
        }
        findings
    }

    /// Returns the total of a list, and whether it is correct: any surplus must be from newer blocks.
    async fn is_total(&self, query: &TxQuery, expected: u64) -> Result<Option<(u64, bool)>, ApiError> {
        let Some(total) = self.total_of(query).await? else { return Ok(None) };
        let newer = match total.checked_sub(expected) {
            Some(0) => return Ok(Some((total, true))),
            Some(newer) if newer <= NEWER => newer,
            _ => return Ok(Some((total, false))),
        };
        let limit = u16::try_from(newer).unwrap_or(u16::MAX);
        let page =
            PageRequest { cursor: PageStart::Offset(expected), limit, order: Order::Ascending, count_total: false };
        let rows = self.indexer.list(query, &page).await?.items;
        let is_right = rows.len() as u64 == newer && rows.iter().all(|tx| tx.height > self.common.highest);
        Ok(Some((total, is_right)))
    }

    async fn total_of<Q: ListEndpoint>(&self, query: &Q) -> Result<Option<u64>, ApiError> {
        let (_, body) = self.indexer.list_and_body(query, &PageRequest::newest(1)).await?;
        Ok(body.as_deref().and_then(listing::total_of))
    }
}

/// Returns the number of blocks from the lowest to the highest.
fn held(lowest: Height, highest: Height) -> u64 {
    highest.get().saturating_sub(lowest.get()) + 1
}
