//! The first side of the Bridge tab: a form, and the routes for it side by side.

use super::pick::PickPurpose;
use crate::{
    app::{App, layout::Regions},
    msg::Answer,
    wire::{ApiError, router::AssetRelease},
};

/// The form and its routes.
#[derive(Debug, Default)]
pub(crate) struct QuoteSide {}

impl QuoteSide {
    /// Gives it its room.
    pub(crate) fn fit(&mut self, _regions: &Regions) {}

    /// Moves the cursor by so many rows; whether it moved.
    pub(crate) fn move_by(&mut self, _rows: isize) -> bool {
        false
    }

    /// Moves the cursor to a row; whether it moved.
    pub(crate) fn move_to(&mut self, _place: usize) -> bool {
        false
    }

    /// Moves by screens.
    pub(crate) fn page_by(&mut self, screens: isize) -> bool {
        self.move_by(screens * 4)
    }

    /// Moves by half a screen.
    pub(crate) fn half_page_by(&mut self, sign: isize) -> bool {
        self.move_by(sign * 2)
    }

    /// Whether the cursor is on this row.
    pub(crate) fn is_cursor_at(&self, _place: usize) -> bool {
        false
    }

    /// Whether a quote is awaited for the first time.
    pub(crate) fn is_loading(&self) -> bool {
        false
    }
}

impl App {
    /// An amount was typed.
    pub(in crate::app) fn enter_amount(&mut self, _text: &str) -> Result<(), String> {
        Ok(())
    }

    /// A chain or an asset was chosen.
    pub(in crate::app) fn take_choice(&mut self, _purpose: PickPurpose, _value: &str) {}

    /// Asks for quotes that are due.
    pub(in crate::app) fn meet_quote_needs(&mut self) {}

    /// A quote came.
    pub(in crate::app) fn take_quote(&mut self, _variant: u8, _result: Result<Answer, ApiError>) {}

    /// Enter on the form: edits the field, or goes on with the route.
    pub(in crate::app) fn open_in_quote(&mut self) {}

    /// Source and destination change places.
    pub(in crate::app) fn swap_ends(&mut self) {}

    /// Opens the form for a route from where funds were released.
    pub(in crate::app) fn open_quote_from(&mut self, _release: &AssetRelease) {}

    /// Until the next quote is due.
    pub(in crate::app) fn next_quote(&self, _now: crate::domain::Timestamp) -> Option<std::time::Duration> {
        None
    }
}
