//! When the session asks for more of the lists that screens show.

use std::time::Duration;

use super::App;
use crate::{
    msg::{Answer, PageId, Request, Slot},
    widgets::list::RemoteList,
    wire::ApiError,
};

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
        let Some(page) = self.navigation.page_mut(id) else { return };
        let Some(mut list) = page.lists().into_iter().find(|list| list.is_waiting_for(request)) else { return };
        let taken = list.take(request, result, now);
        drop(list);
        page.list_changed(taken.is_refresh, &self.context);
        self.see_types(&taken.types);
        self.effects.redraw |= taken.is_changed;
    }
}
