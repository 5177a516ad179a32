//! Rows of the indexer's lists at certain heights, without reading the whole list. Pages are taken as they come: a
//! client's workaround would leave out rows that the indexer has.

use std::{collections::BTreeSet, sync::Arc};

use super::{CheckSession, listing};
use crate::{
    check::{CheckedPart, CheckedRecord, Findings, SideDifference},
    client::ListEndpoint,
    domain::{EvmTxHash, Height, TxHash},
    msg::{Order, PageRequest, PageStart},
    wire::{ApiError, Block, EvmTx, InternalTx, Tx},
};

/// Rows of a list's first page; its newest rows usually suffice.
const FIRST_PAGE: u16 = 100;

const PAGE: u16 = 200;

/// Maximum blocks to read through; for a longer distance, the check searches for the next requested block.
const NEAR: u64 = 50;

/// Row that names its block.
pub(super) trait PlacedRow {
    type Name: Ord + ToString;

    /// Returns the block; `None` if the row does not name it.
    fn block(&self) -> Option<Height>;
    fn name(&self) -> Self::Name;
}

impl PlacedRow for Tx {
    type Name = TxHash;

    fn block(&self) -> Option<Height> {
        Some(self.height)
    }

    fn name(&self) -> TxHash {
        self.txhash
    }
}

impl PlacedRow for EvmTx {
    type Name = EvmTxHash;

    fn block(&self) -> Option<Height> {
        self.height()
    }

    fn name(&self) -> EvmTxHash {
        self.transaction_hash
    }
}

impl PlacedRow for InternalTx {
    /// Name of a call frame, as `hash#index`.
    type Name = String;

    fn block(&self) -> Option<Height> {
        Some(self.height)
    }

    fn name(&self) -> String {
        format!("{}#{}", self.hash, self.index)
    }
}

impl PlacedRow for Block {
    type Name = Height;

    fn block(&self) -> Option<Height> {
        Some(self.height)
    }

    fn name(&self) -> Height {
        self.height
    }
}

impl CheckSession {
    /// Compares a list's rows at these heights with the expected rows; with `has_others` the list may have more.
    pub(super) async fn check_members<Q>(
        &self,
        (part, record): (CheckedPart, CheckedRecord),
        query: &Q,
        (expected, has_others): (&BTreeSet<<Q::Item as PlacedRow>::Name>, bool),
        heights: &BTreeSet<Height>,
    ) -> Findings
    where
        Q: ListEndpoint<Item: PlacedRow>,
    {
        let mut findings = Findings::default();
        let found = match self.rows_of(query, heights).await {
            Ok(found) => found,
            Err(error) => {
                findings.not_asked(part, record, format!("the indexer: {error}"));
                return findings;
            }
        };
        findings.compared(part, 1);
        for name in expected.difference(&found) {
            findings.differs(part, record.clone(), SideDifference::Missing { node: name.to_string().into() });
        }
        for name in found.difference(expected).filter(|_| !has_others) {
            findings.differs(part, record.clone(), SideDifference::Unfounded { indexer: name.to_string().into() });
        }
        findings
    }

    /// Returns the names of a list's rows at these heights.
    pub(super) async fn rows_of<Q>(
        &self,
        query: &Q,
        heights: &BTreeSet<Height>,
    ) -> Result<BTreeSet<<Q::Item as PlacedRow>::Name>, ApiError>
    where
        Q: ListEndpoint<Item: PlacedRow>,
    {
        let mut found = BTreeSet::new();
        let first = PageRequest { count_total: false, ..PageRequest::newest(FIRST_PAGE) };
        let page = self.indexer.page::<Q, Q::Item>(query, &first).await?;
        let is_whole = page.next.is_none();
        let edge = page.items.last().and_then(|row| row.block());
        keep(&page.items, heights, &mut found);
        // The block at the edge of the page may continue on the next page.
        let left = heights.iter().copied().filter(|height| !is_whole && edge.is_some_and(|edge| *height <= edge));
        self.rows_upwards(query, left.collect(), &mut found).await?;
        Ok(found)
    }

    /// Adds the names of a list's rows at these heights, in the list's order.
    pub(super) async fn rows_upwards<Q>(
        &self,
        query: &Q,
        mut left: BTreeSet<Height>,
        found: &mut impl Extend<<Q::Item as PlacedRow>::Name>,
    ) -> Result<(), ApiError>
    where
        Q: ListEndpoint<Item: PlacedRow>,
    {
        while let Some(lowest) = left.first().copied() {
            let read = self.read_from(query, lowest, &left, found).await?;
            left.retain(|height| read.is_some_and(|read| *height > read));
        }
        Ok(())
    }

    /// Reads upwards from a height while requested heights are near. Returns the last complete height; `None` at the
    /// list's end. Offsets stay valid, because the list grows at the other end.
    async fn read_from<Q>(
        &self,
        query: &Q,
        lowest: Height,
        wanted: &BTreeSet<Height>,
        found: &mut impl Extend<<Q::Item as PlacedRow>::Name>,
    ) -> Result<Option<Height>, ApiError>
    where
        Q: ListEndpoint<Item: PlacedRow>,
    {
        let place = self.place_of(query, lowest).await?;
        let mut page =
            PageRequest { cursor: PageStart::Offset(place), limit: PAGE, order: Order::Ascending, count_total: false };
        loop {
            let answer = self.indexer.page::<Q, Q::Item>(query, &page).await?;
            keep(&answer.items, wanted, found);
            let Some((next, last)) = answer.next.zip(answer.items.last().and_then(|row| row.block())) else {
                return Ok(None);
            };
            let further = wanted.range(last..).next();
            if further.is_none_or(|further| further.get() - last.get() > NEAR) {
                return Ok(Some(last.max(lowest)));
            }
            page = PageRequest { cursor: PageStart::Key(next), ..page };
        }
    }

    /// Counts the rows of a list below a height, by bisection.
    async fn place_of<Q>(&self, query: &Q, height: Height) -> Result<u64, ApiError>
    where
        Q: ListEndpoint<Item: PlacedRow>,
    {
        let one = |place| PageRequest {
            cursor: PageStart::Offset(place),
            limit: 1,
            order: Order::Ascending,
            count_total: false,
        };
        let counted = PageRequest { count_total: true, ..one(0) };
        let (_, body) = self.indexer.list_and_body(query, &counted).await?;
        // If the indexer stopped counting, bisection finds the end too.
        let (mut low, mut high) = (0, body.as_deref().and_then(listing::total_of).unwrap_or(u64::from(u32::MAX)));
        while low < high {
            let middle = low + (high - low) / 2;
            let row = self.indexer.page::<Q, Q::Item>(query, &one(middle)).await?;
            match row.items.first().and_then(|row| row.block()) {
                Some(at) if at < height => low = middle + 1,
                _ => high = middle,
            }
        }
        Ok(low)
    }
}

fn keep<R: PlacedRow>(rows: &[Arc<R>], heights: &BTreeSet<Height>, found: &mut impl Extend<R::Name>) {
    let is_wanted = |row: &&Arc<R>| row.block().is_some_and(|at| heights.contains(&at));
    found.extend(rows.iter().filter(is_wanted).map(|row| row.name()));
}
