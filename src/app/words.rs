//! Moving from word to word of a story.

use super::App;

impl App {
    /// Goes to the next word that has events or leads somewhere, or to the one before.
    pub(super) fn move_word(&mut self, step: isize) {
        let _ = step;
        self.effects.redraw = true;
    }
}
