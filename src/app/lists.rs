//! The lists of a view by their slot number, whatever their rows are.

use std::time::Duration;

use super::{
    App,
    rows::{BlockRow, CollectionRow, HolderRow, TokenRow, TxRow},
    view::{View, ViewId},
};
use crate::{
    domain::{Denom, Timestamp},
    msg::{
        CollectionScope, Cursor, Note, Order, Page, PageRequest, Request, Slot, TokenQuery, Total, TxQuery, TxScope,
    },
    widgets::list::{Keep, ListWindow, NewestOutcome, PAGE, PageOutcome, Row},
    wire::ApiError,
};

/// Rows of a poll's page at the least.
const FEWEST: usize = 8;
/// Rows of a further page of holders: they are short, and a rollup may have a hundred thousand of them.
const HOLDERS_PAGE: u16 = 1000;

/// After this long a list that is not polled is asked for again when its screen comes back.
const OLD: Duration = Duration::from_secs(20);

/// A list that a view holds, with what it lists.
pub(super) enum AnyList<'a> {
    /// Blocks.
    Blocks(&'a mut ListWindow<BlockRow>),
    /// Transactions of this query; `bool` is whether only failed ones are kept.
    Txs(&'a mut ListWindow<TxRow>, TxQuery, bool),
    /// NFT collections.
    Collections(&'a mut ListWindow<CollectionRow>, CollectionScope),
    /// NFTs in this order.
    Tokens(&'a mut ListWindow<TokenRow>, TokenQuery, Order),
    /// Holders of a denom.
    Holders(&'a mut ListWindow<HolderRow>, Denom),
}

/// What a list needs to be asked for.
pub(super) struct ListNeed {
    slot: Slot,
    request: Request,
}

impl AnyList<'_> {
    fn request(&self, page: PageRequest) -> Request {
        match self {
            Self::Blocks(_) => Request::Blocks(page),
            Self::Txs(_, query, _) => Request::Txs(query.clone(), PageRequest { order: order(query), ..page }),
            Self::Collections(_, scope) => Request::Collections(scope.clone(), page),
            Self::Tokens(_, query, order) => Request::Tokens(query.clone(), PageRequest { order: *order, ..page }),
            Self::Holders(_, denom) => Request::Holders(denom.clone(), page),
        }
    }

    /// Rows of a further page.
    fn page(&self) -> u16 {
        match self {
            Self::Holders(..) => HOLDERS_PAGE,
            _ => PAGE,
        }
    }

    /// Whether rows can still arrive at its top.
    fn is_live(&self) -> bool {
        match self {
            Self::Blocks(_) => true,
            Self::Txs(_, query, _) => !matches!(query.scope, TxScope::Height(_)),
            Self::Collections(..) | Self::Tokens(..) | Self::Holders(..) => false,
        }
    }
}

/// A block's transactions are shown in block order, everything else newest first.
fn order(query: &TxQuery) -> Order {
    match query.scope {
        TxScope::Height(_) => Order::Ascending,
        _ => Order::Descending,
    }
}

/// Runs the same code on a list of any rows.
macro_rules! on_list {
    ($any:expr, $list:ident => $body:expr) => {
        match $any {
            AnyList::Blocks($list) => $body,
            AnyList::Txs($list, ..) => $body,
            AnyList::Collections($list, ..) => $body,
            AnyList::Tokens($list, ..) => $body,
            AnyList::Holders($list, ..) => $body,
        }
    };
}

impl View {
    /// The view's lists.
    pub(super) fn lists(&mut self) -> Vec<AnyList<'_>> {
        match self {
            Self::Overview(view) => {
                vec![AnyList::Blocks(&mut view.blocks), AnyList::Txs(&mut view.txs, TxQuery::default(), false)]
            }
            Self::Blocks(view) => vec![AnyList::Blocks(&mut view.list)],
            Self::Txs(view) => vec![AnyList::Txs(&mut view.list, view.query.clone(), view.failed_only)],
            Self::Block(page) => {
                let query = TxQuery { scope: TxScope::Height(page.height), msgs: Vec::new() };
                vec![AnyList::Txs(&mut page.txs, query, false)]
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
    fn visible_lists(&mut self) -> Vec<AnyList<'_>> {
        match self {
            Self::Account(page) => page.visible_lists(),
            other => other.lists(),
        }
    }

    fn list(&mut self, id: u32) -> Option<AnyList<'_>> {
        self.lists().into_iter().find(|list| on_list!(list, list => list.id == id))
    }
}

impl App {
    /// Asks for what the lists on screen lack: their first page, or a further one.
    pub(super) fn meet_list_needs(&mut self) {
        let now = self.now;
        let mut needs = Vec::new();
        for list in self.navigation.current_mut().visible_lists() {
            needs.extend(first_need(&list));
            needs.extend(
                on_list!(&list, window => window.wanted().map(|(direction, cursor)| (window.id, direction, cursor)))
                    .map(|(id, _, cursor)| ListNeed {
                        slot: Slot::Page(id),
                        request: list.request(PageRequest {
                            cursor,
                            limit: list.page(),
                            order: Order::Descending,
                            count_total: false,
                        }),
                    }),
            );
            mark_asked(list, now);
        }
        for need in needs {
            self.fetch_list(need.slot, need.request);
        }
    }

    /// The chain grew: what is on screen may have new rows.
    pub(super) fn poll_grown(&mut self) {
        self.poll_lists(Poll::Arrivals);
    }

    fn poll_lists(&mut self, poll: Poll) {
        let mut polls = Vec::new();
        for list in self.navigation.current_mut().visible_lists() {
            let Some((id, limit)) = on_list!(&list, window => poll_limit(window, poll).map(|limit| (window.id, limit)))
            else {
                continue;
            };
            if list.is_live() || poll == Poll::Anew {
                let count_total = poll == Poll::Anew;
                let page = PageRequest { cursor: Cursor::Start, limit, order: Order::Descending, count_total };
                polls.push((Slot::Newest(id), list.request(page)));
            }
        }
        for (slot, request) in polls {
            if !self.is_waiting(slot) {
                self.fetch_list(slot, request);
            }
        }
    }

    /// Asks anew for short lists that do not grow at their top and that came a while ago.
    pub(super) fn refresh_old_lists(&mut self) {
        let now = self.now;
        let mut asked = Vec::new();
        for list in self.navigation.current_mut().visible_lists() {
            let old = on_list!(&list, window => {
                let is_old = window.state.at().is_some_and(|at| now.since(at) >= OLD);
                let is_short = window.rows().len() <= usize::from(PAGE) && !window.has_rows_above();
                (is_old && is_short).then_some(window.id)
            });
            if let Some(id) = old.filter(|_| !list.is_live()) {
                asked.push((Slot::Newest(id), list.request(PageRequest::newest(PAGE))));
            }
        }
        for (slot, request) in asked {
            if !self.is_waiting(slot) {
                self.fetch_list(slot, request);
            }
        }
    }

    /// Starts the lists on screen anew.
    pub(super) fn refresh_lists(&mut self) {
        for list in self.navigation.current_mut().visible_lists() {
            on_list!(list, window => {
                window.resume();
                if window.state.value().is_none() || window.rows().is_empty() {
                    window.state = crate::msg::Remote::Idle;
                }
            });
        }
        self.poll_lists(Poll::Anew);
    }

    /// What failed on screen is asked for again, when that was at least `patience` ago.
    pub(super) fn retry_lists(&mut self, patience: Duration) {
        let now = self.now;
        for list in self.navigation.current_mut().visible_lists() {
            on_list!(list, window => {
                if window.failed_at.is_some_and(|at| now.since(at) >= patience) {
                    window.failed_at = None;
                    window.page_error = None;
                    if window.state.value().is_none() && window.state.error().is_some() {
                        window.state = crate::msg::Remote::Idle;
                    }
                }
            });
        }
    }

    /// A page of blocks came.
    pub(super) fn take_blocks(&mut self, slot: Slot, result: Result<Page<BlockRow>, ApiError>) {
        if let Ok(page) = &result
            && let Some(first) = page.items.first()
        {
            self.chain.saw_block(&first.0);
        }
        let (Slot::Newest(id) | Slot::Page(id)) = slot else { return };
        let now = self.now;
        let Some(AnyList::Blocks(list)) = self.list_mut(id) else {
            return;
        };
        let follow_up = take(list, slot, result, |_| true, now);
        self.follow_up(id, follow_up);
    }

    /// A page of NFT collections came.
    pub(super) fn take_collections(&mut self, slot: Slot, result: Result<Page<CollectionRow>, ApiError>) {
        let (Slot::Newest(id) | Slot::Page(id)) = slot else { return };
        let now = self.now;
        let Some(AnyList::Collections(list, _)) = self.list_mut(id) else { return };
        let follow_up = take_still(list, slot, result, now);
        self.follow_up(id, follow_up);
    }

    /// A page of NFTs came.
    pub(super) fn take_tokens(&mut self, slot: Slot, result: Result<Page<TokenRow>, ApiError>) {
        let (Slot::Newest(id) | Slot::Page(id)) = slot else { return };
        let now = self.now;
        let Some(AnyList::Tokens(list, ..)) = self.list_mut(id) else { return };
        let follow_up = take_still(list, slot, result, now);
        self.arrange_tokens(id);
        self.follow_up(id, follow_up);
    }

    /// A page of holders came.
    pub(super) fn take_holders(&mut self, slot: Slot, result: Result<Page<HolderRow>, ApiError>) {
        let (Slot::Newest(id) | Slot::Page(id)) = slot else { return };
        let now = self.now;
        let Some(AnyList::Holders(list, _)) = self.list_mut(id) else { return };
        let is_refresh = matches!(slot, Slot::Newest(_)) && list.state.value().is_some() && result.is_ok();
        let follow_up = take_still(list, slot, result, now);
        self.follow_up(id, follow_up);
        if is_refresh {
            self.recount_holders(id);
        }
        self.count_holders(id);
    }

    fn list_mut(&mut self, id: u32) -> Option<AnyList<'_>> {
        self.navigation.view_mut(ViewId::of_list(id)).and_then(|view| view.list(id))
    }

    /// A page of transactions came.
    pub(super) fn take_txs(&mut self, slot: Slot, result: Result<Page<TxRow>, ApiError>) {
        let (Slot::Newest(id) | Slot::Page(id)) = slot else { return };
        if let Ok(page) = &result {
            self.see_types(&page.items);
        }
        let now = self.now;
        let Some(AnyList::Txs(list, query, failed_only)) = self.list_mut(id) else { return };
        let result = result.map(|mut page| {
            if let TxScope::Account { address, .. } = query.scope {
                page.items.iter_mut().for_each(|row| row.direct(address));
            }
            page
        });
        let (keep, result): (Keep<TxRow>, _) =
            if failed_only { (|row| !row.tx.is_success(), result.map(filtered_here)) } else { (|_| true, result) };
        let follow_up = take(list, slot, result, keep, now);
        self.follow_up(id, follow_up);
    }

    fn follow_up(&mut self, id: u32, follow_up: FollowUp) {
        let (cursor, slot) = match follow_up {
            FollowUp::Nothing => return,
            FollowUp::Redraw => {
                self.effects.redraw = true;
                return;
            }
            FollowUp::LargerNewest => (Cursor::Start, Slot::Newest(id)),
            FollowUp::Further(cursor) => (cursor, Slot::Page(id)),
        };
        let count_total = matches!(slot, Slot::Newest(_));
        let request = self.list_mut(id).map(|list| {
            let limit = if count_total { PAGE } else { list.page() };
            list.request(PageRequest { cursor, limit, order: Order::Descending, count_total })
        });
        if let Some(request) = request {
            self.fetch_list(slot, request);
        }
    }

    /// Sends a list's request; the list remembers how large a newest page it waits for.
    fn fetch_list(&mut self, slot: Slot, request: Request) {
        if let (
            Slot::Newest(id),
            Request::Blocks(page)
            | Request::Txs(_, page)
            | Request::Collections(_, page)
            | Request::Tokens(_, page)
            | Request::Holders(_, page),
        ) = (slot, &request)
            && let Some(list) = self.list_mut(id)
        {
            on_list!(list, window => window.newest_limit = page.limit);
        }
        self.fetch(slot, request);
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

/// Why the newest rows are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Poll {
    /// For what came since the last time; not counted, which costs the server most.
    Arrivals,
    /// To see everything anew.
    Anew,
}

/// Rows to ask for: twice what came the last time. A list that is filtered on this side sees only some of the rows that
/// came, so it asks for all it can.
fn poll_limit<R: Row>(list: &ListWindow<R>, poll: Poll) -> Option<u16> {
    list.state.value()?;
    let is_filtered_here = list.notes.iter().any(|note| note.scanned().is_some());
    if poll == Poll::Anew || is_filtered_here {
        return Some(PAGE);
    }
    let rows = (2 * list.arrivals + 2).clamp(FEWEST, usize::from(PAGE));
    Some(u16::try_from(rows).unwrap_or(PAGE))
}

fn first_need(list: &AnyList<'_>) -> Option<ListNeed> {
    let id = on_list!(list, window => matches!(window.state, crate::msg::Remote::Idle).then_some(window.id))?;
    Some(ListNeed { slot: Slot::Newest(id), request: list.request(PageRequest::newest(PAGE)) })
}

fn mark_asked(list: AnyList<'_>, now: Timestamp) {
    on_list!(list, window => {
        if matches!(window.state, crate::msg::Remote::Idle) {
            window.state.ask(now);
        } else if window.fetching.is_none() {
            window.begin_fetch();
        }
    });
}

/// What remains to be done after a page was taken in.
enum FollowUp {
    Nothing,
    Redraw,
    LargerNewest,
    Further(Cursor),
}

/// The same for a list that does not grow at its top: a newest page is a refresh and takes the place of all rows.
fn take_still<R: Row>(
    list: &mut ListWindow<R>,
    slot: Slot,
    result: Result<Page<R>, ApiError>,
    now: Timestamp,
) -> FollowUp {
    match (slot, result) {
        (Slot::Newest(_), Ok(page)) => {
            list.replace(page, |_| true, now);
            FollowUp::Redraw
        }
        (slot, result) => take(list, slot, result, |_| true, now),
    }
}

fn take<R: Row>(
    list: &mut ListWindow<R>,
    slot: Slot,
    result: Result<Page<R>, ApiError>,
    keep: Keep<R>,
    now: Timestamp,
) -> FollowUp {
    match (slot, result) {
        (Slot::Newest(_), Ok(page)) => match (list.state.error().is_some(), list.take_newest(page, keep, now)) {
            (false, NewestOutcome::Same) => FollowUp::Nothing,
            (_, NewestOutcome::Same | NewestOutcome::Changed) => FollowUp::Redraw,
            // Not by the rows that came: a server that fails on large pages is asked for smaller ones.
            (_, NewestOutcome::Gap(page)) if list.newest_limit >= PAGE => {
                list.take_gap(page, keep);
                FollowUp::Redraw
            }
            (_, NewestOutcome::Gap(_)) => FollowUp::LargerNewest,
        },
        (Slot::Newest(_), Err(error)) => {
            list.state.settle(Err(error), now);
            list.failed_at = Some(now);
            FollowUp::Redraw
        }
        (_, Ok(page)) => match list.take_page(page, keep) {
            PageOutcome::Done => FollowUp::Redraw,
            PageOutcome::Further(next) => FollowUp::Further(Cursor::Key(next)),
        },
        (_, Err(error)) => {
            list.fail_fetch(error, now);
            FollowUp::Redraw
        }
    }
}
