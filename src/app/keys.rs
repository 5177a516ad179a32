//! Maps keys to commands: first in the open overlay, then in the keymap's layers.

use super::{App, commands::ShownPage, hint::Hint};
use crate::config::{Command, Key, KeyLookup, Keymap, Layer};

pub(super) const READER_LAYERS: &[Layer] = &[Layer::Motion, Layer::Global];

impl App {
    pub(super) fn press(&mut self, key: Key) {
        let alone = self.context.keymap.look_up(READER_LAYERS, &[key]);
        if key == Key::ctrl('c') || matches!(alone, KeyLookup::Command(Command::ForceQuit)) {
            self.act(Command::ForceQuit);
            return;
        }
        if self.modal.is_some() {
            self.press_in_modal(key);
            return;
        }
        let (layers, was_typing) = (self.screen().layers(), !self.pending_keys.is_empty());
        let command = complete(&mut self.pending_keys, &self.context.keymap, layers, key);
        // The footer shows the typed prefix.
        self.needs_redraw |= was_typing || command.is_none();
        match command {
            Some(command) => {
                self.toasts.take_back();
                self.act(command);
            }
            None => answer_unbound_key(self),
        }
    }

    pub(crate) fn screen(&self) -> ShownPage<'_> {
        ShownPage { context: &self.context, navigation: &self.navigation }
    }
}

/// Says that the key does nothing, unless it is the first of a sequence.
pub(super) fn answer_unbound_key(app: &mut App) {
    if app.pending_keys.is_empty() {
        let help = app.context.keymap.shown(READER_LAYERS, Command::Help).unwrap_or_default();
        app.toasts.refuse(format!("no such key; {help} lists keys"));
    }
}

/// Appends a key to the typed sequence and returns the command that it completes. A key that does not continue the
/// sequence begins a new one.
pub(super) fn complete(typed: &mut Vec<Key>, keymap: &Keymap, layers: &[Layer], key: Key) -> Option<Command> {
    typed.push(key);
    let lookup = keymap.look_up(layers, typed);
    if let KeyLookup::Prefix = lookup {
        return None;
    }
    let was_sequence = typed.len() > 1;
    typed.clear();
    match lookup {
        KeyLookup::Command(command) => Some(command),
        _ if was_sequence => complete(typed, keymap, layers, key),
        _ => None,
    }
}

impl ShownPage<'_> {
    /// Returns the keymap layers of the screen, innermost first.
    pub(crate) fn layers(&self) -> &'static [Layer] {
        let page = self.navigation.current();
        let scope = page.place().scope;
        if page.is_filtered() { scope.layers_with_matches() } else { scope.layers() }
    }

    /// Returns the available commands that continue the typed prefix, as in `a fold`, `M fold all`. An overlay takes
    /// all keys itself.
    pub(crate) fn continuations(&self, typed: &[Key], is_covered: bool) -> Vec<(String, &'static str)> {
        let (layers, commands) = (if is_covered { READER_LAYERS } else { self.layers() }, self.commands());
        let label = |command: Command| {
            if is_covered {
                return Some(command.label());
            }
            let hint = commands.contains(&command).then(|| self.hint(command)).filter(Hint::is_available);
            hint.map(|hint| hint.shown_label())
        };
        let follow = self.context.keymap.continuations(layers, typed);
        follow.into_iter().filter_map(|(keys, command)| Some((keys, label(command)?))).collect()
    }
}
