//! Sources of lists: the requests for their pages, and the rows in the answers.

use std::sync::Arc;

use crate::{
    app::page::Unseen,
    columns::ListRecord as _,
    domain::{Denom, MsgType, RowsFilter},
    msg::{Ask, CollectionScope, ListPage, Note, Order, PageRequest, TokenQuery, Total, TxQuery, TxScope, ask},
    panes::rows::{BlockRow, CollectionRow, HolderRow, TokenRow, TxRow},
    widgets::list::{ListRow, ListSource, ListWindow, RowFilter},
    wire,
};

/// Rows of a further page of holders. It is large because rows are short and a rollup may have 100,000 holders.
const HOLDERS_PAGE: u16 = 1000;

/// Source of a block list; may leave out blocks without transactions.
#[derive(Default)]
pub(crate) struct BlockList {
    pub(crate) leaves_out_empty: bool,
}

impl ListSource for BlockList {
    type Row = BlockRow;
    type Item = Arc<wire::Block>;

    fn ask(&self, page: PageRequest) -> Ask<ListPage<Self::Item>> {
        ask::blocks(page)
    }

    fn rows(&self, page: ListPage<Self::Item>) -> ListPage<BlockRow> {
        let page = page.map(BlockRow);
        if self.leaves_out_empty { filtered_here(page) } else { page }
    }

    fn is_live(&self) -> bool {
        true
    }

    fn keep(&self) -> RowFilter<BlockRow> {
        if self.leaves_out_empty { |row| row.0.is_kept(RowsFilter::BlocksWithTxs) } else { |_| true }
    }
}

/// Source of a transaction list; may show only transactions with a failure.
pub(crate) struct TxList {
    pub(crate) query: TxQuery,
    pub(crate) failed_only: bool,
}

impl TxList {
    /// Creates a source of all transactions that the query matches.
    pub(crate) fn of(query: TxQuery) -> Self {
        Self { query, failed_only: false }
    }
}

impl ListSource for TxList {
    type Row = TxRow;
    type Item = Arc<wire::Tx>;

    fn ask(&self, page: PageRequest) -> Ask<ListPage<Self::Item>> {
        // A block's list keeps the block's order; other lists start with the newest transaction.
        let order = match self.query.scope {
            TxScope::Height(_) => Order::Ascending,
            _ => Order::Descending,
        };
        ask::txs(self.query.clone(), PageRequest { order, ..page })
    }

    fn rows(&self, page: ListPage<Self::Item>) -> ListPage<TxRow> {
        let mut page = page.map(TxRow::new);
        if let TxScope::Account { address, .. } = self.query.scope {
            page.items.iter_mut().for_each(|row| row.attribute(address));
        }
        if self.failed_only { filtered_here(page) } else { page }
    }

    fn is_live(&self) -> bool {
        !matches!(self.query.scope, TxScope::Height(_))
    }

    fn keep(&self) -> RowFilter<TxRow> {
        if self.failed_only { |row| row.headline.has_failure(&row.tx) } else { |_| true }
    }

    fn types(&self, rows: &[TxRow]) -> Vec<MsgType> {
        rows.iter().flat_map(|row| row.headline.types.iter().cloned()).collect()
    }
}

/// Adapts a page that the client filters: drops the total, which counts unfiltered rows, and notes the scanned rows.
fn filtered_here<R>(mut page: ListPage<R>) -> ListPage<R> {
    let scanned = page.scanned();
    page.total = Total::Unknown;
    page.notes.retain(|note| note.scanned().is_none());
    page.notes.push(Note::FilteredHere { scanned });
    page
}

pub(crate) struct CollectionList(pub(crate) CollectionScope);

impl ListSource for CollectionList {
    type Row = CollectionRow;
    type Item = Arc<wire::Collection>;

    fn ask(&self, page: PageRequest) -> Ask<ListPage<Self::Item>> {
        ask::collections(self.0.clone(), page)
    }

    fn rows(&self, page: ListPage<Self::Item>) -> ListPage<CollectionRow> {
        page.map(CollectionRow)
    }
}

pub(crate) struct TokenList {
    pub(crate) query: TokenQuery,
    pub(crate) order: Order,
}

impl ListSource for TokenList {
    type Row = TokenRow;
    type Item = Arc<wire::Token>;

    fn ask(&self, page: PageRequest) -> Ask<ListPage<Self::Item>> {
        ask::tokens(self.query.clone(), PageRequest { order: self.order, ..page })
    }

    fn rows(&self, page: ListPage<Self::Item>) -> ListPage<TokenRow> {
        page.map(TokenRow)
    }
}

pub(crate) struct HolderList(pub(crate) Denom);

impl ListSource for HolderList {
    type Row = HolderRow;
    type Item = Arc<wire::Holder>;

    fn ask(&self, page: PageRequest) -> Ask<ListPage<Self::Item>> {
        ask::holders(self.0.clone(), page)
    }

    fn rows(&self, page: ListPage<Self::Item>) -> ListPage<HolderRow> {
        page.map(HolderRow::new)
    }

    fn page_size(&self) -> u16 {
        HOLDERS_PAGE
    }
}

/// Returns the number of rows that arrived above a view that stands still.
pub(crate) fn unseen<R: ListRow>(list: &ListWindow<R>) -> Option<Unseen> {
    let rows = Some(list.unseen()).filter(|rows| *rows > 0)?;
    Some(Unseen { rows, is_least: list.has_uncounted(), is_far: list.is_too_far_down() })
}
