//! When the session asks for more of the lists that screens show.

use super::App;
use crate::{
    msg::{Answer, PageId, Request, Slot},
    wire::ApiError,
};

impl App {
    /// Asks for what the lists on screen lack, and no longer waits for what they lack no more.
    pub(super) fn meet_list_needs(&mut self) {
        let (id, now) = (self.navigation.current_id(), self.now);
        let lists = self.navigation.current_mut().visible_lists();
        let wanted: Vec<Request> = lists.into_iter().flat_map(|mut list| list.wanted(now)).collect();
        self.requests
            .cancel_where(|slot| matches!(slot, Slot::List(of, request) if *of == id && !wanted.contains(request)));
        for request in wanted {
            let slot = Slot::List(id, Box::new(request.clone()));
            if !self.requests.is_waiting(&slot) {
                self.requests.fetch(slot, request);
            }
        }
    }

    /// An answer to something that a page wanted.
    pub(super) fn take_for_page(&mut self, id: PageId, request: &Request, result: Result<Answer, ApiError>) {
        let has_blocks = matches!(&result, Ok(Answer::Blocks(_)));
        if let Ok(Answer::Blocks(page)) = &result {
            self.context.chain.saw_page(&page.items, !request.is_further());
        }
        let now = self.now;
        let Some(page) = self.navigation.page_mut(id) else { return };
        let Some(mut list) = page.lists().into_iter().find(|list| list.is_waiting_for(request)) else { return };
        let taken = list.take(request, result, now);
        drop(list);
        if has_blocks {
            let extent = &mut self.context.chain.extent;
            extent.see_repeated(taken.repeated);
            extent.see_rows(page.blocks().into_iter().map(|block| block.height.get()));
        }
        page.list_changed(taken.is_refresh, &self.context);
        self.see_types(&taken.types);
        self.effects.redraw |= taken.is_changed;
    }
}
