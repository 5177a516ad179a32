//! Two transactions side by side: one is marked, the other open or selected.

use super::App;

impl App {
    /// Marks the transaction that is open or selected.
    pub(super) fn mark_tx(&mut self) {
        self.effects.redraw = true;
    }

    /// Opens the comparison of the transaction that is open or selected with the marked one.
    pub(super) fn compare_txs(&mut self) {
        self.effects.redraw = true;
    }
}
