//! Opens pages: by destination, by target, and by neighbour in a list.

use super::{
    App,
    go_to::KnownNames,
    page::{Destination, Neighbour, PageEvent},
};
use crate::domain::Target;

/// Maximum names of opened targets to remember.
const MOST_NAMES: usize = 500;

impl App {
    /// Opens the neighbour of the page's record, in the list that opened the page.
    pub(super) fn open_sibling(&mut self, step: isize) {
        let kind = self.navigation.current().place().kind;
        match self.screen().sibling(step) {
            None | Some((_, Neighbour::NoList)) => {
                self.toasts.refuse(format!("open a {kind} from a list to go to the next"));
            }
            Some((_, Neighbour::End)) => self.toasts.refuse(format!("the list has loaded no further {kind}")),
            Some((_, Neighbour::Cut(why))) => self.toasts.refuse(why),
            Some((id, Neighbour::Page(destination))) => {
                if let Some(target) = destination.target() {
                    if let Some(page) = self.navigation.page_mut(id) {
                        page.lists().iter_mut().for_each(|list| list.select(&target));
                    }
                    self.navigation.note_target(target);
                }
                self.notify_page(PageEvent::TurnTo(destination));
                self.needs_redraw = true;
            }
        }
    }

    /// Opens a page, and adds its target to the recents.
    pub(crate) fn open_page(&mut self, destination: Destination) {
        self.needs_redraw = true;
        if let Some(target) = destination.target() {
            self.remember(&target);
            if let Some(name) = destination.record_name().filter(|_| self.context.opened_names.len() < MOST_NAMES) {
                self.context.opened_names.insert(target, name);
            }
        }
        if let Some(tab) = destination.home() {
            self.open_tab(tab);
            self.notify_page(PageEvent::TurnTo(destination));
            return;
        }
        if destination.plain_target().is_some_and(|target| self.navigation.shows(&target)) {
            return self.toasts.inform("this page is open");
        }
        if let Destination::Transfer(id) = &destination
            && !self.with_transfers(|transfers, cx| transfers.watch(id, cx))
        {
            return;
        }
        let target = destination.target();
        let page = (self.open_with)(destination, &self.context);
        self.cover_page();
        self.navigation.open(page);
        if let Some(target) = target {
            self.navigation.note_target(target);
        }
    }

    /// Opens the page of a target. A chain has no page, so it gets a message.
    pub(super) fn open_target(&mut self, target: &Target) {
        if let Some(destination) = Destination::of(target) {
            return self.open_page(destination);
        }
        let names = KnownNames::new(&self.context, &self.navigation, &self.recents, None);
        let sentence = names.describe_chain(&target.text());
        self.toasts.inform(sentence);
    }
}
