//! The lists that screens show: what each is of, and when the session asks for more of them.

use std::time::Duration;

use super::{
    App,
    rows::{BlockRow, CollectionRow, HolderRow, TokenRow, TxRow},
    view::View,
};
use crate::{
    domain::{Denom, MsgType},
    msg::{
        Answer, CollectionScope, Note, Order, Page, PageId, PageRequest, Request, Slot, TokenQuery, Total, TxQuery,
        TxScope,
    },
    widgets::list::{Keep, ListSource, QueriedList, RemoteList, Taken},
    wire::ApiError,
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

    fn rows(&self, answer: Answer) -> Option<Page<BlockRow>> {
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

    fn rows(&self, answer: Answer) -> Option<Page<TxRow>> {
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

    fn keep(&self) -> Keep<TxRow> {
        if self.failed_only { |row| !row.tx.is_success() } else { |_| true }
    }

    fn types(&self, rows: &[TxRow]) -> Vec<MsgType> {
        rows.iter().flat_map(|row| row.headline.types.iter().cloned()).collect()
    }
}

/// A page that is filtered on this side: its total is of the unfiltered list, and how much was looked through is told.
fn filtered_here(mut page: Page<TxRow>) -> Page<TxRow> {
    let scanned = page.scanned();
    page.total = Total::Unknown;
    page.notes.retain(|note| note.scanned().is_none());
    page.notes.push(Note::FilteredHere { scanned });
    page
}

/// NFT collections.
pub(crate) struct CollectionList(pub(crate) CollectionScope);

impl ListSource for CollectionList {
    type Row = CollectionRow;

    fn request(&self, page: PageRequest) -> Request {
        Request::Collections(self.0.clone(), page)
    }

    fn rows(&self, answer: Answer) -> Option<Page<CollectionRow>> {
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

    fn rows(&self, answer: Answer) -> Option<Page<TokenRow>> {
        if let Answer::Tokens(page) = answer { Some(page.map(TokenRow)) } else { None }
    }
}

/// The holders of a denom.
pub(crate) struct HolderList(pub(crate) Denom);

impl ListSource for HolderList {
    type Row = HolderRow;

    fn request(&self, page: PageRequest) -> Request {
        Request::Holders(self.0.clone(), page)
    }

    fn rows(&self, answer: Answer) -> Option<Page<HolderRow>> {
        if let Answer::Holders(page) = answer { Some(page.map(HolderRow::new)) } else { None }
    }

    fn page_size(&self) -> u16 {
        HOLDERS_PAGE
    }
}

/// Lists of a screen, whatever their rows are.
pub(crate) type Lists<'a> = Vec<Box<dyn RemoteList + 'a>>;

impl View {
    /// The view's lists.
    pub(super) fn lists(&mut self) -> Lists<'_> {
        match self {
            Self::Overview(view) => {
                vec![
                    QueriedList::boxed(&mut view.blocks, BlockList),
                    QueriedList::boxed(&mut view.txs, TxList::of(TxQuery::default())),
                ]
            }
            Self::Blocks(view) => vec![QueriedList::boxed(&mut view.list, BlockList)],
            Self::Txs(view) => vec![view.listing()],
            Self::Block(page) => {
                let query = TxQuery { scope: TxScope::Height(page.height), msgs: Vec::new() };
                vec![QueriedList::boxed(&mut page.txs, TxList::of(query))]
            }
            Self::Nfts(view) => view.lists(),
            Self::RichList(view) => view.lists(),
            Self::Collection(page) => page.lists(),
            Self::Token(page) => page.lists(),
            Self::Account(page) => page.lists(),
            Self::Tx(_)
            | Self::Compare(_)
            | Self::Results(_)
            | Self::Bridge(_)
            | Self::Prepare(_)
            | Self::Transfer(_) => Vec::new(),
        }
    }

    /// The lists that are on screen: what lies under another tab of a page is not asked for.
    fn visible_lists(&mut self) -> Lists<'_> {
        match self {
            Self::Account(page) => page.visible_lists(),
            other => other.lists(),
        }
    }
}

impl App {
    /// Asks for what the lists on screen lack, and no longer waits for what they lack no more.
    pub(super) fn meet_list_needs(&mut self) {
        let (id, now) = (self.navigation.current_id(), self.now);
        let lists = self.navigation.current_mut().visible_lists();
        let wanted: Vec<Request> = lists.into_iter().flat_map(|mut list| list.wanted(now)).collect();
        self.cancel_where(|slot| matches!(slot, Slot::List(of, request) if *of == id && !wanted.contains(request)));
        for request in wanted {
            let slot = Slot::List(id, Box::new(request.clone()));
            if !self.is_waiting(&slot) {
                self.fetch(slot, request);
            }
        }
    }

    fn each_visible_list(&mut self, act: impl FnMut(&mut Box<dyn RemoteList + '_>)) {
        self.navigation.current_mut().visible_lists().iter_mut().for_each(act);
    }

    /// The chain grew: what is on screen may have new rows.
    pub(super) fn poll_grown(&mut self) {
        self.each_visible_list(|list| list.poll());
    }

    /// Asks anew for short lists that do not grow at their top and that came a while ago.
    pub(super) fn refresh_old_lists(&mut self) {
        let now = self.now;
        self.each_visible_list(|list| list.refresh_if_old(now));
    }

    /// Starts the lists on screen anew.
    pub(super) fn refresh_lists(&mut self) {
        self.each_visible_list(|list| list.refresh());
    }

    /// What failed on screen is asked for again, when that was at least `patience` ago.
    pub(super) fn retry_lists(&mut self, patience: Duration) {
        let now = self.now;
        self.each_visible_list(|list| list.retry(patience, now));
    }

    /// An answer to something that a page wanted.
    pub(super) fn take_for_page(&mut self, id: PageId, request: &Request, result: Result<Answer, ApiError>) {
        if let Ok(Answer::Blocks(page)) = &result
            && let Some(first) = page.items.first()
        {
            self.chain.saw_block(first);
        }
        let now = self.now;
        let Some(view) = self.navigation.view_mut(id) else { return };
        let Some(mut list) = view.lists().into_iter().find(|list| list.is_waiting_for(request)) else { return };
        let taken = list.take(request, result, now);
        drop(list);
        self.see_types(&taken.types);
        self.effects.redraw |= taken.is_changed;
        self.list_taken(id, request, &taken);
    }

    /// What follows from a page of a list.
    fn list_taken(&mut self, id: PageId, request: &Request, taken: &Taken) {
        match request {
            Request::Tokens(..) => self.arrange_tokens(id),
            Request::Holders(..) => {
                if taken.is_refresh {
                    self.recount_holders(id);
                }
                self.count_holders(id);
            }
            _ => {}
        }
    }
}
