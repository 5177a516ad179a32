use std::collections::BTreeMap;

use strum::IntoEnumIterator as _;

use super::page::{Destination, Page, Shows, Tab};
use crate::{domain::Target, msg::PageId, widgets::list::RemoteList};

/// Maximum places in the history.
const HISTORY: usize = 60;

/// Pages, and the user's way through them.
#[derive(Debug)]
pub(crate) struct Navigation {
    /// Root pages of the tabs, in the order of [`Tab`].
    tabs: [Box<dyn Page>; Tab::COUNT],
    opened: BTreeMap<PageId, Box<dyn Page>>,
    /// Targets of opened pages. A page without a target is not in the map.
    targets: BTreeMap<PageId, Target>,
    trail: Vec<PageId>,
    position: usize,
    next_id: u32,
    forgotten: Vec<PageId>,
}

impl Navigation {
    pub(crate) fn new(make: impl Fn(Destination) -> Box<dyn Page>) -> Self {
        let tabs = Tab::ALL.map(|tab| make(Destination::Tab(tab)));
        let next_id = u32::try_from(Tab::COUNT).unwrap_or(u32::MAX);
        let trail = vec![Self::root(Tab::Overview)];
        Self {
            tabs,
            opened: BTreeMap::new(),
            targets: BTreeMap::new(),
            trail,
            position: 0,
            next_id,
            forgotten: Vec::new(),
        }
    }

    fn is_root(id: PageId) -> bool {
        id.0 <= Tab::Bridge as u32
    }

    pub(crate) fn root(tab: Tab) -> PageId {
        PageId(tab as u32)
    }

    pub(crate) fn current_id(&self) -> PageId {
        self.trail.get(self.position).copied().unwrap_or(Self::root(Tab::Overview))
    }

    pub(crate) fn current(&self) -> &dyn Page {
        let id = self.current_id();
        self.page(id).unwrap_or(&*self.tabs[0])
    }

    pub(crate) fn current_mut(&mut self) -> &mut dyn Page {
        let id = self.current_id();
        let [overview, others @ ..] = &mut self.tabs;
        let tab = (id.0 as usize).checked_sub(1).and_then(|place| others.get_mut(place));
        self.opened.get_mut(&id).or(tab).unwrap_or(overview).as_mut()
    }

    pub(crate) fn roots(&self) -> impl Iterator<Item = &dyn Page> {
        self.tabs.iter().map(AsRef::as_ref)
    }

    /// Whether the first blocks or transactions are loading.
    pub(crate) fn awaits_first_rows(&mut self) -> bool {
        let of_chain = self.tabs.iter_mut().filter(|page| page.place().shows(Shows::WholeChain));
        of_chain.into_iter().any(|page| page.lists().iter().any(|list| list.is_loading()))
    }

    pub(crate) fn pages(&self) -> impl Iterator<Item = (PageId, &dyn Page)> {
        let tabs = Tab::iter().map(Self::root).zip(self.roots());
        tabs.chain(self.opened.iter().map(|(id, page)| (*id, page.as_ref())))
    }

    /// Returns a page; `None` if the history has dropped it.
    pub(crate) fn page(&self, id: PageId) -> Option<&dyn Page> {
        let tab = || self.tabs.get(id.0 as usize);
        self.opened.get(&id).or_else(tab).map(AsRef::as_ref)
    }

    pub(crate) fn page_mut(&mut self, id: PageId) -> Option<&mut dyn Page> {
        let page = if Self::is_root(id) { self.tabs.get_mut(id.0 as usize) } else { self.opened.get_mut(&id) };
        page.map(|page| page.as_mut() as _)
    }

    /// Calls `act` for every list of every page, also of covered pages.
    pub(crate) fn each_list(&mut self, mut act: impl FnMut(&mut Box<dyn RemoteList + '_>)) {
        let pages = self.tabs.iter_mut().chain(self.opened.values_mut());
        pages.for_each(|page| page.lists().iter_mut().for_each(&mut act));
    }

    pub(crate) fn each_visible_list(&mut self, mut act: impl FnMut(&mut Box<dyn RemoteList + '_>)) {
        self.current_mut().visible_lists().for_each(|mut list| act(&mut list));
    }

    /// Opens a page after the current place. Drops the places that were ahead.
    pub(crate) fn open(&mut self, page: Box<dyn Page>) -> PageId {
        let id = PageId(self.next_id);
        self.next_id += 1;
        self.opened.insert(id, page);
        self.go(id);
        id
    }

    pub(crate) fn begin_with(&mut self, tab: Tab) {
        (self.trail, self.position) = (vec![Self::root(tab)], 0);
    }

    /// Sets the target of the current page.
    pub(crate) fn note_target(&mut self, target: Target) {
        self.targets.insert(self.current_id(), target);
    }

    /// Returns the target of the current page; `None` on a root page.
    pub(crate) fn shown_target(&self) -> Option<&Target> {
        self.targets.get(&self.current_id())
    }

    /// Whether the current page was opened for this target, or shows it under another name.
    pub(crate) fn shows(&self, target: &Target) -> bool {
        let is_shown = || self.current().place().targets.contains(target);
        !self.is_at_root() && (self.shown_target() == Some(target) || is_shown())
    }

    pub(crate) fn replace(&mut self, id: PageId, page: Box<dyn Page>) {
        if let Some(known) = self.opened.get_mut(&id) {
            *known = page;
        }
    }

    /// Goes to a tab; false if the tab is already on screen.
    pub(crate) fn open_tab(&mut self, tab: Tab) -> bool {
        let id = Self::root(tab);
        if id == self.current_id() {
            return false;
        }
        self.go(id);
        true
    }

    fn go(&mut self, id: PageId) {
        self.trail.truncate(self.position + 1);
        self.trail.push(id);
        if self.trail.len() > HISTORY {
            self.trail.remove(0);
        }
        self.position = self.trail.len() - 1;
        let (trail, forgotten) = (&self.trail, &mut self.forgotten);
        self.targets.retain(|id, _| trail.contains(id));
        self.opened.retain(|id, _| {
            let stays = trail.contains(id);
            if !stays {
                forgotten.push(*id);
            }
            stays
        });
    }

    /// Returns the pages that were dropped since the last call. The session cancels their requests.
    pub(crate) fn take_forgotten(&mut self) -> Vec<PageId> {
        std::mem::take(&mut self.forgotten)
    }

    /// Goes back by one place; false at the first.
    pub(crate) fn back(&mut self) -> bool {
        self.step(self.position.checked_sub(1))
    }

    pub(crate) fn has_back(&self) -> bool {
        self.position > 0
    }

    pub(crate) fn has_forward(&self) -> bool {
        self.position + 1 < self.trail.len()
    }

    pub(crate) fn shown_root(&self) -> Option<Tab> {
        Tab::iter().find(|tab| Self::root(*tab) == self.current_id())
    }

    /// Goes forward by one place; false at the last.
    pub(crate) fn forward(&mut self) -> bool {
        self.step(Some(self.position + 1).filter(|&place| place < self.trail.len()))
    }

    fn step(&mut self, place: Option<usize>) -> bool {
        let Some(place) = place else { return false };
        self.position = place;
        true
    }

    /// Whether a root page is on screen.
    pub(crate) fn is_at_root(&self) -> bool {
        Self::is_root(self.current_id())
    }

    /// Returns the titles of at most three places from the last tab on, the current place last.
    pub(crate) fn crumbs(&self) -> Vec<String> {
        let is_tab = |place: &usize| self.trail.get(*place).is_some_and(|id| Self::is_root(*id));
        let tab = (0..=self.position).rev().find(is_tab).unwrap_or_default();
        let start = self.position.saturating_sub(2).max(tab);
        self.trail.iter().take(self.position + 1).skip(start).filter_map(|id| self.page(*id)).map(Page::title).collect()
    }
}
