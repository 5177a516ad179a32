//! What the lists of screens are of: how each asks, and which rows an answer has.

use crate::{
    app::page::Unseen,
    domain::{Denom, MsgType},
    msg::{Answer, CollectionScope, ListPage, Note, Order, PageRequest, Request, TokenQuery, Total, TxQuery, TxScope},
    panes::rows::{BlockRow, CollectionRow, HolderRow, TokenRow, TxRow},
    widgets::list::{ListRow, ListSource, ListWindow, RowFilter},
};

/// Rows of a further page of holders: they are short, and a rollup may have a hundred thousand of them.
const HOLDERS_PAGE: u16 = 1000;

/// All blocks.
pub(crate) struct BlockList;

impl ListSource for BlockList {
    type Row = BlockRow;

    fn request(&self, page: PageRequest) -> Request {
        Request::Blocks(page)
    }

    fn rows(&self, answer: Answer) -> Option<ListPage<BlockRow>> {
        if let Answer::Blocks(page) = answer { Some(page.map(BlockRow)) } else { None }
    }

    fn is_live(&self) -> bool {
        true
    }
}

/// Transactions, all or only the failed ones.
pub(crate) struct TxList {
    pub(crate) query: TxQuery,
    pub(crate) failed_only: bool,
}

impl TxList {
    /// All transactions of a query.
    pub(crate) fn of(query: TxQuery) -> Self {
        Self { query, failed_only: false }
    }
}

impl ListSource for TxList {
    type Row = TxRow;

    fn request(&self, page: PageRequest) -> Request {
        // A block's transactions are shown in block order, everything else newest first.
        let order = match self.query.scope {
            TxScope::Height(_) => Order::Ascending,
            _ => Order::Descending,
        };
        Request::Txs(self.query.clone(), PageRequest { order, ..page })
    }

    fn rows(&self, answer: Answer) -> Option<ListPage<TxRow>> {
        let Answer::Txs(page) = answer else { return None };
        let mut page = page.map(TxRow::new);
        if let TxScope::Account { address, .. } = self.query.scope {
            page.items.iter_mut().for_each(|row| row.direct(address));
        }
        Some(if self.failed_only { filtered_here(page) } else { page })
    }

    fn is_live(&self) -> bool {
        !matches!(self.query.scope, TxScope::Height(_))
    }

    fn keep(&self) -> RowFilter<TxRow> {
        if self.failed_only { |row| !row.tx.is_success() } else { |_| true }
    }

    fn types(&self, rows: &[TxRow]) -> Vec<MsgType> {
        rows.iter().flat_map(|row| row.headline.types.iter().cloned()).collect()
    }
}

/// A page that is filtered on this side: its total is of the unfiltered list, and how much was looked through is told.
fn filtered_here(mut page: ListPage<TxRow>) -> ListPage<TxRow> {
    let scanned = page.scanned();
    page.total = Total::Unknown;
    page.notes.retain(|note| note.scanned().is_none());
    page.notes.push(Note::FilteredHere { scanned });
    page
}

pub(crate) struct CollectionList(pub(crate) CollectionScope);

impl ListSource for CollectionList {
    type Row = CollectionRow;

    fn request(&self, page: PageRequest) -> Request {
        Request::Collections(self.0.clone(), page)
    }

    fn rows(&self, answer: Answer) -> Option<ListPage<CollectionRow>> {
        if let Answer::Collections(page) = answer { Some(page.map(CollectionRow)) } else { None }
    }
}

/// NFTs in an order.
pub(crate) struct TokenList {
    pub(crate) query: TokenQuery,
    pub(crate) order: Order,
}

impl ListSource for TokenList {
    type Row = TokenRow;

    fn request(&self, page: PageRequest) -> Request {
        Request::Tokens(self.query.clone(), PageRequest { order: self.order, ..page })
    }

    fn rows(&self, answer: Answer) -> Option<ListPage<TokenRow>> {
        if let Answer::Tokens(page) = answer { Some(page.map(TokenRow)) } else { None }
    }
}

pub(crate) struct HolderList(pub(crate) Denom);

impl ListSource for HolderList {
    type Row = HolderRow;

    fn request(&self, page: PageRequest) -> Request {
        Request::Holders(self.0.clone(), page)
    }

    fn rows(&self, answer: Answer) -> Option<ListPage<HolderRow>> {
        if let Answer::Holders(page) = answer { Some(page.map(HolderRow::new)) } else { None }
    }

    fn page_size(&self) -> u16 {
        HOLDERS_PAGE
    }
}

/// What arrived above the rows on screen while they stood still.
pub(crate) fn unseen<R: ListRow>(list: &ListWindow<R>) -> Option<Unseen> {
    let rows = Some(list.unseen()).filter(|rows| *rows > 0)?;
    Some(Unseen { rows, is_least: list.has_uncounted(), is_far: list.is_too_far_down() })
}
