//! The mouse: welcome, never needed; everything it does has a key.

use strum::IntoEnumIterator as _;

use super::{App, account::AccountTab, view::View};
use crate::{
    app::page::{Tab, TxTab},
    config::Command,
    widgets::{Hit, layout::Pane},
};

impl App {
    pub(super) fn click(&mut self, hit: Hit) {
        if self.modal.is_some() {
            return;
        }
        match hit {
            Hit::Tab(place) => {
                if let Some(tab) = Tab::iter().nth(place) {
                    self.open_tab(tab);
                }
            }
            Hit::PageTab(place) if matches!(self.navigation.current(), View::Account(_)) => {
                if let Some(tab) = AccountTab::iter().nth(place) {
                    self.show_account_tab(tab);
                }
            }
            Hit::PageTab(place) => {
                let has_evm = matches!(self.navigation.current(), View::Tx(page) if page.detail.has_evm);
                if let Some(tab) = TxTab::all(has_evm).get(place) {
                    self.show_tx_tab(*tab);
                }
            }
            Hit::Row(pane, place) => self.click_row(pane, place),
        }
    }

    /// The first click moves the cursor, one on the cursor opens.
    fn click_row(&mut self, pane: usize, place: usize) {
        self.focus(if pane == 0 { Pane::First } else { Pane::Second });
        if self.is_cursor_at(place) {
            self.act(Command::Open);
        } else {
            self.move_cursor_to(place);
        }
    }

    pub(super) fn scroll(&mut self, rows: i32, hit: Option<Hit>) {
        if let (Some(Hit::Row(pane, _)), None) = (hit, &self.modal) {
            self.focus(if pane == 0 { Pane::First } else { Pane::Second });
        }
        let step = isize::try_from(rows).unwrap_or(0);
        if self.modal.is_some() {
            self.move_in_modal(step);
        } else {
            self.move_cursor(step);
        }
    }
}
