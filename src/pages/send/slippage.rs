//! Slippage of the route.

use super::SendPage;
use crate::{
    app::prompt::{Entry, EntryPurpose},
    domain::Slippage,
};

impl SendPage {
    pub(super) fn slippage_entry(&self) -> Entry {
        Entry::new(EntryPurpose::Slippage, "Slippage in percent", &self.slippage.to_string())
    }

    pub(super) fn enter_slippage(&mut self, text: &str) -> Result<(), String> {
        self.slippage = text.parse::<Slippage>().map_err(|error| error.to_string())?;
        Ok(())
    }

    /// Selects the next preset of real clients. Enter on the line accepts any value.
    pub(super) fn turn_slippage(&mut self) {
        let place = Slippage::PRESETS.iter().position(|preset| *preset == self.slippage);
        let next = place.map_or(0, |place| (place + 1) % Slippage::PRESETS.len());
        self.slippage = Slippage::PRESETS.get(next).copied().unwrap_or_default();
    }
}
