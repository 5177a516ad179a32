//! Mouse input. Each action also has a key.

use strum::IntoEnumIterator as _;

use super::{
    App, list_columns,
    page::{PageEvent, Tab},
};
use crate::{
    config::Command,
    widgets::{Hit, layout::Pane},
};

impl App {
    pub(super) fn click(&mut self, hit: Hit) {
        if let Hit::Press(key) = hit {
            return self.press(key);
        }
        if self.modal.is_some() {
            return;
        }
        match hit {
            Hit::Tab(place) => {
                if let Some(tab) = Tab::iter().nth(place) {
                    self.open_tab(tab);
                }
            }
            Hit::PageTab(place) => {
                self.notify_page(PageEvent::ClickTab(place));
                self.needs_redraw = true;
            }
            Hit::Key(command) => {
                self.pending_keys.clear();
                self.act(command);
            }
            Hit::ColumnName(pane, column) => {
                self.notify_page(PageEvent::Focus(pane_of(pane)));
                list_columns::turn(self, column);
            }
            Hit::Press(_) => {}
            Hit::Row(pane, place) => self.click_row(pane, place),
        }
    }

    /// Moves the cursor to a row. A click on the selected row opens it.
    fn click_row(&mut self, pane: usize, place: usize) {
        self.notify_page(PageEvent::Focus(pane_of(pane)));
        self.needs_redraw = true;
        if self.navigation.current().cursor().is_some_and(|cursor| cursor.is_at(place)) {
            self.act(Command::Open);
        } else {
            self.move_cursor(|cursor| cursor.move_to(place));
        }
    }

    pub(super) fn scroll(&mut self, rows: i32, hit: Option<Hit>) {
        if let (Some(Hit::Row(pane, _)), None) = (hit, &self.modal) {
            self.notify_page(PageEvent::Focus(pane_of(pane)));
            self.needs_redraw = true;
        }
        let step = isize::try_from(rows).unwrap_or(0);
        match &mut self.modal {
            Some(modal) => {
                modal.scroll(step, self.context.exchanges.len());
                self.needs_redraw = true;
            }
            None => self.move_cursor(|cursor| cursor.move_by(step)),
        }
    }
}

fn pane_of(place: usize) -> Pane {
    if place == 0 { Pane::First } else { Pane::Second }
}
