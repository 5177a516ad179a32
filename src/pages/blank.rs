//! A page that is not there yet.

use crate::{
    app::{
        Context,
        commands::Hint,
        page::{Destination, Drawing, Page, Surroundings, Tab},
    },
    config::KeyScope,
    widgets::{canvas::Canvas, cursor::Cursor, layout::Regions},
};

#[derive(Debug)]
pub(super) struct Blank(pub(super) Tab);

impl Page for Blank {
    fn title(&self) -> String {
        self.0.to_string()
    }

    fn tab(&self) -> Tab {
        self.0
    }

    fn scope(&self) -> KeyScope {
        KeyScope::List
    }

    fn fit(&mut self, _regions: &Regions, _cx: &Context) {}

    fn draw(&self, _canvas: &mut Canvas<'_>, _cx: &Drawing<'_>) {}

    fn commands(&self, _cx: &Context, _surroundings: &Surroundings) -> Vec<Hint> {
        Vec::new()
    }

    fn restart(&mut self) -> Option<Destination> {
        None
    }

    fn cursor(&self) -> Option<&dyn Cursor> {
        None
    }

    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor> {
        None
    }
}
