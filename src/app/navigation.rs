use std::collections::BTreeMap;

use strum::IntoEnumIterator as _;

use super::view::{PageId, View};
use crate::app::page::Tab;

/// Places that history remembers.
const HISTORY: usize = 60;

/// Every view that can still be gone back to, and the way one came.
#[derive(Debug)]
pub(crate) struct Navigation {
    views: BTreeMap<PageId, View>,
    trail: Vec<PageId>,
    position: usize,
    next_id: u32,
    forgotten: Vec<PageId>,
}

impl Navigation {
    /// All tabs, with the first one shown.
    pub(crate) fn new() -> Self {
        let views: BTreeMap<_, _> =
            Tab::iter().map(|tab| (Self::root(tab), View::of_tab(tab, Self::root(tab)))).collect();
        let next_id = u32::try_from(views.len()).unwrap_or(u32::MAX);
        Self { views, trail: vec![Self::root(Tab::Overview)], position: 0, next_id, forgotten: Vec::new() }
    }

    /// Whether this is a tab's own page.
    fn is_root(id: PageId) -> bool {
        id.0 <= Tab::Bridge as u32
    }

    /// The view of a tab.
    pub(crate) fn root(tab: Tab) -> PageId {
        PageId(tab as u32)
    }

    /// The view on screen.
    pub(crate) fn current_id(&self) -> PageId {
        self.trail[self.position]
    }

    /// The view on screen.
    pub(crate) fn current(&self) -> &View {
        &self.views[&self.current_id()]
    }

    /// The view on screen, to change it.
    pub(crate) fn current_mut(&mut self) -> &mut View {
        let id = self.current_id();
        self.views.entry(id).or_insert(View::of_tab(Tab::Overview, Self::root(Tab::Overview)))
    }

    /// The tabs' own views.
    pub(crate) fn roots(&self) -> impl Iterator<Item = &View> {
        Tab::iter().filter_map(|tab| self.view(Self::root(tab)))
    }

    /// A view by its id, while it is remembered.
    pub(crate) fn view(&self, id: PageId) -> Option<&View> {
        self.views.get(&id)
    }

    /// A view by its id, to change it.
    pub(crate) fn view_mut(&mut self, id: PageId) -> Option<&mut View> {
        self.views.get_mut(&id)
    }

    /// Opens a new page after the current place; what lay ahead in history is forgotten.
    pub(crate) fn open(&mut self, make: impl FnOnce(PageId) -> View) -> PageId {
        let id = PageId(self.next_id);
        self.next_id += 1;
        self.views.insert(id, make(id));
        self.go(id);
        id
    }

    /// Goes to a tab.
    pub(crate) fn open_tab(&mut self, tab: Tab) -> bool {
        let id = Self::root(tab);
        if id == self.current_id() {
            return false;
        }
        self.go(id);
        true
    }

    fn go(&mut self, id: PageId) {
        self.current_mut().shrink();
        self.trail.truncate(self.position + 1);
        self.trail.push(id);
        if self.trail.len() > HISTORY {
            self.trail.remove(0);
        }
        self.position = self.trail.len() - 1;
        let (trail, forgotten) = (&self.trail, &mut self.forgotten);
        self.views.retain(|id, _| {
            let stays = Self::is_root(*id) || trail.contains(id);
            if !stays {
                forgotten.push(*id);
            }
            stays
        });
    }

    /// Puts another view in the place of each one; where one is does not change.
    pub(crate) fn replace_all(&mut self, make: impl Fn(PageId, View) -> View) {
        self.views = std::mem::take(&mut self.views).into_iter().map(|(id, view)| (id, make(id, view))).collect();
    }

    /// The views that fell out of history since the last call: nobody waits for their answers any more.
    pub(crate) fn take_forgotten(&mut self) -> Vec<PageId> {
        std::mem::take(&mut self.forgotten)
    }

    /// Goes one place back; false at the beginning.
    pub(crate) fn back(&mut self) -> bool {
        self.step(self.position.checked_sub(1))
    }

    /// Whether history goes on before this place.
    pub(crate) fn has_back(&self) -> bool {
        self.position > 0
    }

    /// Whether history goes on after this place.
    pub(crate) fn has_forward(&self) -> bool {
        self.position + 1 < self.trail.len()
    }

    /// The tab whose own view is on screen.
    pub(crate) fn shown_root(&self) -> Option<Tab> {
        Tab::iter().find(|tab| Self::root(*tab) == self.current_id())
    }

    /// Goes one place forward; false at the end.
    pub(crate) fn forward(&mut self) -> bool {
        self.step(Some(self.position + 1).filter(|&place| place < self.trail.len()))
    }

    fn step(&mut self, place: Option<usize>) -> bool {
        let Some(place) = place else { return false };
        self.current_mut().shrink();
        self.position = place;
        true
    }

    /// Whether the view on screen is a tab's own.
    pub(crate) fn is_at_root(&self) -> bool {
        Self::is_root(self.current_id())
    }

    /// The titles of the way back, nearest last, for the crumbs.
    pub(crate) fn crumbs(&self) -> Vec<String> {
        let start = self.position.saturating_sub(2);
        self.trail[start..=self.position].iter().filter_map(|id| self.views.get(id)).map(View::title).collect()
    }
}
