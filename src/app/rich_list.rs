//! The rich list: who holds how much of a denom.

use super::{App, layout::Regions, list::ListWindow, lists::AnyList, rows::HolderRow, view::ViewId};
use crate::domain::Denom;

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
    /// A page of holders was taken in.
    pub(super) fn count_holders(&mut self, _list: u32) {}
}
