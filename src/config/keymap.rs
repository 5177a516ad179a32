mod overlay;

use std::{collections::BTreeMap, str::FromStr as _};

pub use overlay::KeymapWarning;

use super::{COMMANDS, Command, Key, Layer, nearest};

/// Keys of all commands: built-in keys, overridden by the user's.
#[derive(Clone, Debug)]
pub struct Keymap {
    bindings: Vec<Binding>,
}

/// Keys of one command in one layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    pub layer: Layer,
    pub command: Command,
    /// Key sequences of one or more keys each; footers show the first sequence.
    pub keys: Vec<Vec<Key>>,
}

/// Meaning of the typed keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyLookup {
    /// The keys are the complete sequence of this command.
    Command(Command),
    /// The keys start a longer sequence.
    Prefix,
    Nothing,
}

/// Reason for rejecting a line of a keymap file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeymapError {
    /// The TOML is invalid, or a value has the wrong type.
    #[error("{0}")]
    Syntax(String),
    #[error("unknown layer [{name}]; known layers: {known}")]
    Layer { name: String, known: String },
    #[error("[{layer}] {name}: unknown command{hint}")]
    Command {
        layer: Layer,
        name: String,
        /// Text ` (did you mean …?)`, or empty.
        hint: String,
    },
    #[error("[{layer}] {command}: {reason}")]
    Key { layer: Layer, command: Command, reason: String },
    #[error("[{layer}] {first} and {second} share the key {keys}")]
    Duplicate { layer: Layer, first: Command, second: Command, keys: String },
    /// A command's keys start another command's sequence, which the user could never complete.
    #[error("[{layer}] {second} is unreachable: {keys} of {longer} runs {first} first")]
    Hidden {
        layer: Layer,
        /// Command that runs after the first keys.
        first: Command,
        keys: String,
        second: Command,
        /// Key sequence of the unreachable command.
        longer: String,
    },
}

impl KeymapError {
    /// Returns the layer and the two commands whose keys clash in it; `None` for other errors.
    fn clashing(&self) -> Option<(Layer, Command, Command)> {
        match self {
            Self::Duplicate { layer, first, second, .. } | Self::Hidden { layer, first, second, .. } => {
                Some((*layer, *first, *second))
            }
            Self::Syntax(_) | Self::Layer { .. } | Self::Command { .. } | Self::Key { .. } => None,
        }
    }
}

impl Keymap {
    pub fn built_in() -> Self {
        // A test checks the whole registry, so users never see this error.
        Self::of_registry().unwrap_or(Self { bindings: Vec::new() })
    }

    fn of_registry() -> Result<Self, KeymapError> {
        let mut bindings = Vec::new();
        for entry in COMMANDS {
            for (layer, keys) in entry.keys {
                bindings.push(Binding::read(*layer, entry.command, keys)?);
            }
        }
        bindings.sort_by_key(|binding| (binding.layer, binding.command));
        let map = Self { bindings };
        map.check()?;
        Ok(map)
    }

    /// Checks that no layer has two equal sequences, or a sequence that starts another.
    fn check(&self) -> Result<(), KeymapError> {
        let mut seen: BTreeMap<(Layer, &[Key]), Command> = BTreeMap::new();
        for binding in &self.bindings {
            for keys in &binding.keys {
                if let Some(first) = seen.insert((binding.layer, keys), binding.command)
                    && first != binding.command
                {
                    let (layer, second, keys) = (binding.layer, binding.command, written(keys));
                    return Err(KeymapError::Duplicate { layer, first, second, keys });
                }
            }
        }
        for (&(layer, longer), &second) in &seen {
            let shorter = (1..longer.len()).find_map(|length| seen.get_key_value(&(layer, longer.get(..length)?)));
            if let Some((&(_, keys), &first)) = shorter {
                let (keys, longer) = (written(keys), written(longer));
                return Err(KeymapError::Hidden { layer, first, keys, second, longer });
            }
        }
        Ok(())
    }

    /// Looks up the typed keys in the active layers, innermost first.
    pub fn look_up(&self, layers: &[Layer], typed: &[Key]) -> KeyLookup {
        for &layer in layers {
            let mut prefix = false;
            for binding in self.bindings.iter().filter(|binding| binding.layer == layer) {
                for keys in &binding.keys {
                    if keys == typed {
                        return KeyLookup::Command(binding.command);
                    }
                    prefix |= keys.len() > typed.len() && keys.starts_with(typed);
                }
            }
            if prefix {
                return KeyLookup::Prefix;
            }
        }
        KeyLookup::Nothing
    }

    /// Returns each possible rest of the typed sequence, as footers show it, with the command that it completes.
    pub fn continuations(&self, layers: &[Layer], typed: &[Key]) -> Vec<(String, Command)> {
        let mut found: Vec<(&[Key], Command)> = Vec::new();
        for &layer in layers {
            for binding in self.bindings.iter().filter(|binding| binding.layer == layer) {
                let rests = binding.keys.iter().filter_map(|keys| keys.strip_prefix(typed));
                for rest in rests.filter(|rest| !rest.is_empty()) {
                    // Keys of an inner layer hide equal keys of outer layers.
                    if !found.iter().any(|(known, _)| *known == rest) {
                        found.push((rest, binding.command));
                    }
                }
            }
        }
        found.into_iter().map(|(rest, command)| (symbols(rest), command)).collect()
    }

    /// Returns all bindings by layer, in the registry's order.
    pub fn bindings(&self) -> impl Iterator<Item = &Binding> {
        self.bindings.iter()
    }

    /// Formats all keys of a command in the active layers, as help shows them: `gg home`.
    pub fn all_shown(&self, layers: &[Layer], command: Command) -> String {
        let is_of = |binding: &&Binding| layers.contains(&binding.layer) && binding.command == command;
        self.bindings.iter().filter(is_of).map(Binding::shown).collect::<Vec<_>>().join(" ")
    }

    /// Formats a command's first key sequence in the active layers, as footers show it: `↵`, `gg`.
    pub fn shown(&self, layers: &[Layer], command: Command) -> Option<String> {
        layers.iter().find_map(|&layer| {
            let binding = self.bindings.iter().find(|binding| binding.layer == layer && binding.command == command)?;
            binding.keys.first().map(|keys| symbols(keys))
        })
    }
}

impl Binding {
    fn read<K: AsRef<str>>(layer: Layer, command: Command, keys: &[K]) -> Result<Self, KeymapError> {
        let sequence = |keys: &K| keys.as_ref().split_whitespace().map(Key::from_str).collect::<Result<Vec<_>, _>>();
        let keys = keys.iter().map(sequence).collect::<Result<Vec<_>, _>>().map_err(|error| KeymapError::Key {
            layer,
            command,
            reason: error.to_string(),
        })?;
        Ok(Self { layer, command, keys: keys.into_iter().filter(|keys| !keys.is_empty()).collect() })
    }

    /// Formats all key sequences as help shows them: `gg home`.
    pub fn shown(&self) -> String {
        self.keys.iter().map(|keys| symbols(keys)).collect::<Vec<_>>().join(" ")
    }
}

/// Formats a key sequence as footers show it: `gg`.
fn symbols(keys: &[Key]) -> String {
    keys.iter().map(|key| key.symbol()).collect()
}

/// Formats a key sequence as keymap files write it: `g g`.
fn written(keys: &[Key]) -> String {
    keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator as _;

    use super::{super::KeyScope, *};

    #[test]
    fn the_registry_s_keys_can_be_read_and_none_is_bound_twice_where_they_are_in_force_together() {
        let map = Keymap::of_registry().unwrap();
        assert_eq!(map.bindings.len(), COMMANDS.iter().map(|entry| entry.keys.len()).sum::<usize>());
        for scope in KeyScope::iter() {
            let mut seen: BTreeMap<&[Key], Command> = BTreeMap::new();
            for binding in map.bindings().filter(|binding| scope.layers().contains(&binding.layer)) {
                assert!(!binding.keys.is_empty(), "{}", binding.command);
                for keys in &binding.keys {
                    let other = seen.insert(keys, binding.command);
                    assert_eq!(other, None, "{} also has {} in {scope:?}", binding.command, written(keys));
                }
            }
            for keys in seen.keys() {
                let cut = (1..keys.len()).find(|length| seen.contains_key(&keys[..*length]));
                assert_eq!(cut, None, "{} is never typed to its end in {scope:?}", written(keys));
            }
        }
    }

    #[test]
    fn what_may_follow_a_key_is_known() {
        let map = Keymap::built_in();
        let follow = |scope: KeyScope, key| map.continuations(scope.layers(), &[Key::char(key)]);
        assert_eq!(follow(KeyScope::List, 'g'), [("g".to_owned(), Command::Top)]);
        assert_eq!(
            follow(KeyScope::TxPage, 'z'),
            [("a", Command::ToggleFold), ("M", Command::FoldAll), ("R", Command::UnfoldAll)]
                .map(|(key, command)| (key.to_owned(), command))
        );
        assert_eq!(follow(KeyScope::NftPage, 'z'), []);
    }

    #[test]
    fn sequences_are_found_key_by_key() {
        let map = Keymap::built_in();
        let g = Key::char('g');
        assert_eq!(map.look_up(&[Layer::Motion, Layer::Global], &[g]), KeyLookup::Prefix);
        assert_eq!(map.look_up(&[Layer::Motion, Layer::Global], &[g, g]), KeyLookup::Command(Command::Top));
        assert_eq!(map.look_up(&[Layer::Global], &[g]), KeyLookup::Nothing);
    }
}
