//! Requests of the lists on screen.

use super::{
    App,
    navigation::Navigation,
    page::{PageEvent, Tab},
};
use crate::{
    msg::{Answer, ListPage, PageId, Request, Slot, Total, TxQuery},
    wire::ApiError,
};

impl App {
    /// Requests the rows that visible lists lack, and cancels requests that they no longer need.
    pub(super) fn meet_list_needs(&mut self) {
        let (id, now) = (self.navigation.current_id(), self.context.now);
        let lists = self.navigation.current_mut().visible_lists();
        let wanted: Vec<Request> = lists.flat_map(|mut list| list.wanted(now)).collect();
        self.requests
            .cancel_where(|slot| matches!(slot, Slot::List(of, request) if *of == id && !wanted.contains(request)));
        for request in wanted {
            let slot = Slot::List(id, Box::new(request.clone()));
            if !self.requests.is_waiting(&slot) {
                let asked = request.clone();
                let take = move |app: &mut Self, result| app.take_for_page(id, &asked, result);
                self.requests.fetch_any(slot, request, Box::new(take));
            }
        }
    }

    /// Gives an answer to the list that requested it.
    fn take_for_page(&mut self, id: PageId, request: &Request, result: Result<Answer, ApiError>) {
        let (has_blocks, has_failed) = (matches!(&result, Ok(Answer::Blocks(_))), result.is_err());
        if let Ok(Answer::Blocks(page)) = &result {
            self.context.chain.saw_page(&page.items, !request.is_further());
        }
        let now = self.context.now;
        let Some(page) = self.navigation.page_mut(id) else { return };
        let Some(mut list) = page.lists().into_iter().find(|list| list.is_waiting_for(request)) else { return };
        let taken = list.take(request, result, now);
        drop(list);
        if has_blocks {
            let extent = &mut self.context.chain.extent;
            extent.see_repeated(taken.repeated);
            extent.see_rows(page.held().blocks.into_iter().map(|block| block.height.get()));
        }
        if has_failed {
            self.lend_rows(id, request);
        }
        let is_refresh = taken.is_refresh;
        self.with_page(id, |page, cx| page.on(PageEvent::ListChanged { is_refresh }, cx));
        self.context.see_types(&taken.types);
        self.needs_redraw |= taken.is_changed;
    }

    /// Shows the rows that the overview holds in a list that has no answer.
    fn lend_rows(&mut self, id: PageId, request: &Request) {
        if id == Navigation::root(Tab::Overview) {
            return;
        }
        let held = self.navigation.page(Navigation::root(Tab::Overview)).map(|overview| overview.held());
        let Some((held, at)) = held.and_then(|held| held.lent_at.map(|at| (held, at))) else { return };
        let rows = match request {
            Request::Blocks(_) => Answer::Blocks(page_of(held.blocks.into_iter().cloned().collect())),
            Request::Txs(query, _) if *query == TxQuery::default() => {
                Answer::Txs(page_of(held.txs.into_iter().cloned().collect()))
            }
            _ => return,
        };
        let Some(page) = self.navigation.page_mut(id) else { return };
        if let Some(mut list) = page.lists().into_iter().next() {
            list.borrow(rows, at);
        }
    }
}

fn page_of<T>(items: Vec<T>) -> ListPage<T> {
    ListPage { items, next: None, total: Total::Unknown, notes: Vec::new() }
}
