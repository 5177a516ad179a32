//! Applies the user's `keymap.toml` to the built-in keys, line by line; rejects invalid lines with a warning.

use std::{collections::BTreeMap, str::FromStr as _};

use strum::IntoEnumIterator as _;
use toml::Spanned;

use super::{Binding, Keymap, KeymapError, nearest};
use crate::config::{Command, Key, Layer, table::line_of};

/// Warning about a rejected line of the user's keymap file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct KeymapWarning {
    /// Line number, counted from 1.
    pub line: usize,
    pub error: KeymapError,
}

type FileTable = BTreeMap<Spanned<String>, BTreeMap<Spanned<String>, Vec<String>>>;

/// Applied line with the data to revert it.
struct LaidLine {
    line: usize,
    layer: Layer,
    command: Command,
    before: Option<Binding>,
}

impl Keymap {
    /// Returns the built-in keys overridden by the text of `keymap.toml`, and a warning for each rejected line.
    pub fn with_user_file(text: &str) -> (Self, Vec<KeymapWarning>) {
        let mut map = Self::built_in();
        let table: FileTable = match toml::from_str(text) {
            Ok(table) => table,
            Err(error) => {
                let line = error.span().map_or(1, |span| line_of(text, span.start));
                let error = KeymapError::Syntax(error.message().to_owned());
                return (map, vec![KeymapWarning { line, error }]);
            }
        };
        let (mut warnings, mut laid) = (Vec::new(), Vec::new());
        for (layer_name, lines) in table {
            let Ok(layer) = Layer::from_str(layer_name.get_ref()) else {
                let known = Layer::iter().map(|layer| layer.to_string()).collect::<Vec<_>>().join(", ");
                let error = KeymapError::Layer { name: layer_name.get_ref().clone(), known };
                warnings.push(KeymapWarning { line: line_of(text, layer_name.span().start), error });
                continue;
            };
            for (name, keys) in lines {
                let line = line_of(text, name.span().start);
                match read_line(layer, name.get_ref(), &keys) {
                    Ok(binding) => laid.push(map.lay(line, binding)),
                    Err(error) => warnings.push(KeymapWarning { line, error }),
                }
            }
        }
        map.cede_further_keys(&laid);
        map.take_back_clashes(&mut laid, &mut warnings);
        warnings.sort_by_key(|warning| warning.line);
        (map, warnings)
    }

    fn lay(&mut self, line: usize, binding: Binding) -> LaidLine {
        let (layer, command) = (binding.layer, binding.command);
        let before = self.exchange(layer, command, Some(binding));
        LaidLine { line, layer, command, before }
    }

    /// Replaces a command's keys in a layer and returns the old binding.
    fn exchange(&mut self, layer: Layer, command: Command, with: Option<Binding>) -> Option<Binding> {
        let known = self.bindings.iter().position(|known| (known.layer, known.command) == (layer, command));
        let before = known.map(|place| self.bindings.remove(place));
        self.bindings.extend(with);
        self.bindings.sort_by_key(|binding| (binding.layer, binding.command));
        before
    }

    /// Takes a key that the user gave to another command from a built-in command that has further ones.
    fn cede_further_keys(&mut self, laid: &[LaidLine]) {
        let (users, built_in): (Vec<&mut Binding>, Vec<&mut Binding>) = self.bindings.iter_mut().partition(|binding| {
            laid.iter().any(|line| (line.layer, line.command) == (binding.layer, binding.command))
        });
        for binding in built_in {
            let is_ceded =
                |keys: &Vec<Key>| users.iter().any(|other| other.layer == binding.layer && other.keys.contains(keys));
            let kept: Vec<Vec<Key>> = binding.keys.iter().filter(|keys| !is_ceded(keys)).cloned().collect();
            if !kept.is_empty() {
                binding.keys = kept;
            }
        }
    }

    /// Reverts lines of the user's file, the last line first, until no two commands share a key.
    fn take_back_clashes(&mut self, laid: &mut Vec<LaidLine>, warnings: &mut Vec<KeymapWarning>) {
        laid.sort_by_key(|laid| laid.line);
        while let Err(error) = self.check() {
            let is_involved = |laid: &LaidLine| {
                error.clashing().is_some_and(|(layer, first, second)| {
                    laid.layer == layer && [first, second].contains(&laid.command)
                })
            };
            // The built-in keys have no clashes, so a line of the file is involved.
            let Some(place) = laid.iter().rposition(is_involved) else { return };
            let line = laid.remove(place);
            self.exchange(line.layer, line.command, line.before);
            warnings.push(KeymapWarning { line: line.line, error });
        }
    }
}

fn read_line(layer: Layer, name: &str, keys: &[String]) -> Result<Binding, KeymapError> {
    let command =
        Command::from_str(name).map_err(|_| KeymapError::Command { layer, hint: hint(name), name: name.to_owned() })?;
    Binding::read(layer, command, keys)
}

fn hint(name: &str) -> String {
    let names: Vec<String> = Command::iter().map(|command| command.to_string()).collect();
    let near = nearest(name, names.iter().map(String::as_str));
    // Edit distance misses a part of a long name, so search for parts too.
    let part = || names.iter().map(String::as_str).find(|known| known.contains(&name.to_lowercase()));
    near.or_else(part).map_or_else(String::new, |known| format!("; did you mean {known}?"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::KeyLookup;

    fn warnings(text: &str) -> Vec<String> {
        Keymap::with_user_file(text).1.iter().map(ToString::to_string).collect()
    }

    fn means(map: &Keymap, layer: Layer, key: char) -> KeyLookup {
        map.look_up(&[layer], &[Key::char(key)])
    }

    #[test]
    fn a_clash_names_line_and_both_actions_and_takes_back_that_line_alone() {
        let text = "[global]\nquit = [\"y\"]\nhelp = [\"ctrl-h\"]\n";
        let (map, told) = Keymap::with_user_file(text);
        assert_eq!(
            told.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["line 2: [global] copy and quit share the key y"]
        );
        assert_eq!(means(&map, Layer::Global, 'q'), KeyLookup::Command(Command::Quit));
        assert_eq!(means(&map, Layer::Global, 'y'), KeyLookup::Command(Command::Copy));
        assert_eq!(map.look_up(&[Layer::Global], &[Key::ctrl('h')]), KeyLookup::Command(Command::Help));
    }

    #[test]
    fn a_further_key_of_a_built_in_command_is_the_users_to_give() {
        let (map, told) = Keymap::with_user_file("[global]\ngo-to = [\"ctrl-o\"]\n");
        assert_eq!(told, []);
        assert_eq!(map.look_up(&[Layer::Global], &[Key::ctrl('o')]), KeyLookup::Command(Command::GoTo));
        assert_eq!(means(&map, Layer::Global, 'H'), KeyLookup::Command(Command::HistoryBack));
    }

    #[test]
    fn two_commands_may_exchange_their_keys() {
        let (map, told) = Keymap::with_user_file("[global]\nquit = [\"y\"]\ncopy = [\"q\"]\n");
        assert_eq!((told, means(&map, Layer::Global, 'q')), (Vec::new(), KeyLookup::Command(Command::Copy)));
    }

    #[test]
    fn a_key_that_cuts_a_sequence_short_is_told() {
        assert_eq!(
            warnings("[motion]\nbottom = [\"g\"]"),
            ["line 2: [motion] top is unreachable: g of g g runs bottom first"]
        );
    }

    #[test]
    fn every_mistake_is_told_with_its_line_and_what_may_be_meant() {
        let text = "[global]\nhepl = []\n\n[tx]\nword = []\n[page]\nxyzzy = []\nopen-block = [\"ctrl-\"]\n[pages]\nopen = []\n";
        let told = warnings(text);
        assert_eq!(told.len(), 5, "{told:?}");
        assert_eq!(told[0], "line 2: [global] hepl: unknown command; did you mean help?");
        assert_eq!(told[1], "line 5: [tx] word: unknown command; did you mean next-word?");
        assert_eq!(told[2], "line 7: [page] xyzzy: unknown command");
        assert!(told[3].starts_with("line 8: [page] open-block: "), "{told:?}");
        assert!(told[4].starts_with("line 9: unknown layer [pages]; known layers: global, motion, list"), "{told:?}");
    }

    #[test]
    fn what_is_no_toml_is_told_with_its_line_and_the_built_in_keys_count() {
        let (map, told) = Keymap::with_user_file("[global]\nquit = [\"y\"]\nhelp = ?\n");
        assert!(matches!(told.as_slice(), [KeymapWarning { line: 3, error: KeymapError::Syntax(_) }]), "{told:?}");
        assert_eq!(means(&map, Layer::Global, 'q'), KeyLookup::Command(Command::Quit));
    }

    #[test]
    fn a_user_file_replaces_and_unbinds() {
        let (map, told) = Keymap::with_user_file("[global]\nquit = []\nhelp = [\"ctrl-h\"]");
        assert_eq!(told, []);
        assert_eq!(means(&map, Layer::Global, 'q'), KeyLookup::Nothing);
        assert_eq!(map.look_up(&[Layer::Global], &[Key::ctrl('h')]), KeyLookup::Command(Command::Help));
        assert_eq!(means(&map, Layer::Global, '?'), KeyLookup::Nothing);
    }
}
