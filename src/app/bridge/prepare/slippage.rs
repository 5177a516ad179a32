//! How much less than quoted may arrive.

use crate::{
    app::{App, modal::EntryPurpose},
    domain::Slippage,
};

impl App {
    /// The slippage was typed.
    pub(in crate::app) fn enter_slippage(&mut self, text: &str) -> Result<(), String> {
        let slippage = text.parse::<Slippage>().map_err(|error| error.to_string())?;
        if let Some(page) = self.prepare_page() {
            page.slippage = slippage;
        }
        Ok(())
    }

    /// Asks for any slippage.
    pub(super) fn ask_slippage(&mut self) {
        let Some(page) = self.prepare_page().filter(|page| page.sent.is_none()) else { return };
        let text = page.slippage.to_string();
        self.ask_for(EntryPurpose::Slippage, "How much less may arrive, in percent", &text);
    }

    /// The next of the slippages that real clients offer; Enter on the line takes any other.
    pub(in crate::app) fn edit_slippage(&mut self) {
        let Some(page) = self.prepare_page() else {
            return self.refuse("the slippage is chosen where a route is sent");
        };
        if page.sent.is_none() {
            let place = Slippage::PRESETS.iter().position(|preset| *preset == page.slippage);
            let next = place.map_or(0, |place| (place + 1) % Slippage::PRESETS.len());
            page.slippage = Slippage::PRESETS.get(next).copied().unwrap_or_default();
        }
        self.effects.redraw = true;
    }
}
