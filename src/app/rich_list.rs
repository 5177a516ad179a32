//! The rich list: who holds how much of a denom.

use super::{
    App,
    layout::Regions,
    list::ListWindow,
    lists::AnyList,
    rows::HolderRow,
    view::{Tab, View, ViewId},
};
use crate::domain::{Denom, Target};

/// Holders that the list keeps at the most.
const HOLDER_CAPACITY: usize = 2000;

/// The holders of one denom.
#[derive(Debug)]
pub(crate) struct RichListView {
    /// Of which denom; `None` until one is known.
    pub(crate) denom: Option<Denom>,
    /// The holders, the largest first.
    pub(crate) list: ListWindow<HolderRow>,
}

impl RichListView {
    /// Nothing chosen yet.
    pub(crate) fn new(id: ViewId) -> Self {
        Self { denom: None, list: ListWindow::new(id.list(0), HOLDER_CAPACITY) }
    }

    /// `Rich list · GAS`.
    pub(crate) fn title(&self) -> String {
        match &self.denom {
            Some(denom) => format!("Rich list · {}", denom.short()),
            None => "Rich list".to_owned(),
        }
    }

    /// Its lists.
    pub(super) fn lists(&mut self) -> Vec<AnyList<'_>> {
        let Some(denom) = self.denom.clone() else { return Vec::new() };
        vec![AnyList::Holders(&mut self.list, denom)]
    }

    /// Gives it the room it has on the screen.
    pub(super) fn fit(&mut self, regions: &Regions) {
        self.list.set_viewport(usize::from(regions.list_rows(regions.body).height));
    }
}

impl App {
    /// Shows the holders of a denom in its tab.
    pub(super) fn open_rich_list(&mut self, denom: Denom) {
        self.remember_target(&Target::Denom(denom.clone()));
        self.open_tab(Tab::RichList);
        let View::RichList(view) = self.navigation.current_mut() else { return };
        if view.denom.as_ref() != Some(&denom) {
            view.denom = Some(denom);
            view.list.clear();
            let id = view.list.id;
            self.cancel_list(id);
        }
        self.effects.redraw = true;
    }

    /// A page of holders was taken in.
    pub(super) fn count_holders(&mut self, _list: u32) {}
}
