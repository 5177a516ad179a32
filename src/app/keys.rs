//! From keys to actions: the open modal first, then the keymap's layers.

use super::{App, commands::ShownPage, hint::Hint};
use crate::config::{Command, Key, KeyLookup, Layer};

/// The layers in force in help and inspector.
pub(super) const READER_LAYERS: &[Layer] = &[Layer::Motion, Layer::Global];

impl App {
    pub(super) fn press(&mut self, key: Key) {
        if key == Key::ctrl('c') || self.look_up_alone(key) == Some(Command::ForceQuit) {
            self.act(Command::ForceQuit);
            return;
        }
        if self.modal.is_some() {
            self.press_in_modal(key);
            return;
        }
        let layers = self.layers();
        if let Some(action) = self.complete(layers, key) {
            self.toasts.take_back();
            self.act(action);
        }
    }

    /// Adds a key to the sequence being typed, and gives the action that it completes. A key that does not go on with
    /// the sequence begins another.
    pub(super) fn complete(&mut self, layers: &[Layer], key: Key) -> Option<Command> {
        self.pending_keys.push(key);
        match self.keymap.look_up(layers, &self.pending_keys) {
            KeyLookup::Command(action) => {
                // What was typed so far is on screen.
                self.effects.redraw |= self.pending_keys.len() > 1;
                self.pending_keys.clear();
                Some(action)
            }
            KeyLookup::Prefix => {
                self.effects.redraw = true;
                None
            }
            KeyLookup::Nothing => {
                let was_sequence = self.pending_keys.len() > 1;
                self.pending_keys.clear();
                self.effects.redraw = true;
                if was_sequence { self.complete(layers, key) } else { None }
            }
        }
    }

    /// What a single key means in a layer where no input takes it.
    pub(super) fn look_up_alone(&self, key: Key) -> Option<Command> {
        match self.keymap.look_up(READER_LAYERS, &[key]) {
            KeyLookup::Command(action) => Some(action),
            _ => None,
        }
    }

    /// The layers in force on the screen, innermost first.
    pub(crate) fn layers(&self) -> &'static [Layer] {
        let page = self.navigation.current();
        let has_matches = page.document().is_some_and(|document| !document.filter().is_empty());
        if has_matches { page.scope().layers_with_matches() } else { page.scope().layers() }
    }

    /// The page on screen and its context.
    pub(crate) fn screen(&self) -> ShownPage<'_> {
        ShownPage { context: &self.context, navigation: &self.navigation }
    }

    /// The commands that the keys after those typed so far run, of those that can be done: `a fold`, `M fold all`.
    pub(crate) fn continuations(&self) -> Vec<(String, &'static str)> {
        let layers = if self.modal.is_some() { READER_LAYERS } else { self.layers() };
        let hints = self.screen().commands();
        let follow = self.keymap.continuations(layers, &self.pending_keys);
        let known = |command: Command| hints.iter().find(|hint| hint.command == command && hint.is_available());
        let label = |command: Command| {
            if self.modal.is_some() { Some(command.label()) } else { known(command).map(Hint::label) }
        };
        follow.into_iter().filter_map(|(keys, command)| Some((keys, label(command)?))).collect()
    }
}
