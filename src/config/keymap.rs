use std::{collections::BTreeMap, str::FromStr as _};

use strum::IntoEnumIterator as _;

use super::{Command, Key, Layer};

/// The built-in keys; also what `rollscope` prints as an example.
const BUILT_IN: &str = include_str!("../../assets/keymap.toml");

/// The keys of every action: the built-in ones with the user's laid over them.
#[derive(Clone, Debug)]
pub struct Keymap {
    bindings: Vec<Binding>,
}

/// One action's keys in one layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Where it is in force.
    pub layer: Layer,
    /// What it does.
    pub action: Command,
    /// Each a sequence of one or more keys; the first is the one that is shown.
    pub keys: Vec<Vec<Key>>,
}

/// What a key sequence means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// This action.
    Command(Command),
    /// The beginning of a longer sequence.
    Prefix,
    /// Nothing.
    Nothing,
}

/// Why a keymap file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeymapError {
    /// Not TOML, or of another form; the message names line and column.
    #[error("{0}")]
    Syntax(String),
    /// A table that is no layer.
    #[error("[{name}] is no layer; there are {known}")]
    Layer {
        /// What was written.
        name: String,
        /// What could have been.
        known: String,
    },
    /// A line whose name is no action.
    #[error("[{layer}] {name}: no such action{hint}")]
    Command {
        /// In which layer.
        layer: Layer,
        /// What was written.
        name: String,
        /// ` (did you mean …?)`, or nothing.
        hint: String,
    },
    /// A key that cannot be read.
    #[error("[{layer}] {action}: {reason}")]
    Key {
        /// In which layer.
        layer: Layer,
        /// For which action.
        action: Command,
        /// Why.
        reason: String,
    },
    /// Two actions on one key.
    #[error("[{layer}] {first} and {second} both have the key {keys}")]
    Duplicate {
        /// In which layer.
        layer: Layer,
        /// One of them.
        first: Command,
        /// The other.
        second: Command,
        /// The key.
        keys: String,
    },
}

type Table = BTreeMap<String, BTreeMap<String, Vec<String>>>;

impl Keymap {
    /// The built-in keys.
    pub fn built_in() -> Self {
        Self::read(BUILT_IN).unwrap_or(Self { bindings: Vec::new() })
    }

    /// The built-in keys with the text of the user's `keymap.toml` laid over them.
    pub fn with_user_file(text: &str) -> Result<Self, KeymapError> {
        let mut map = Self::built_in();
        for binding in parse(text)? {
            match map.bindings.iter_mut().find(|known| (known.layer, known.action) == (binding.layer, binding.action)) {
                Some(known) => known.keys = binding.keys,
                None => map.bindings.push(binding),
            }
        }
        map.check()?;
        Ok(map)
    }

    /// Reads a whole keymap without laying it over anything.
    fn read(text: &str) -> Result<Self, KeymapError> {
        let map = Self { bindings: parse(text)? };
        map.check()?;
        Ok(map)
    }

    fn check(&self) -> Result<(), KeymapError> {
        let mut seen: BTreeMap<(Layer, &[Key]), Command> = BTreeMap::new();
        for binding in &self.bindings {
            for keys in &binding.keys {
                if let Some(first) = seen.insert((binding.layer, keys), binding.action)
                    && first != binding.action
                {
                    let keys = keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
                    return Err(KeymapError::Duplicate { layer: binding.layer, first, second: binding.action, keys });
                }
            }
        }
        Ok(())
    }

    /// What these keys mean where these layers are in force, innermost first.
    pub fn look_up(&self, layers: &[Layer], typed: &[Key]) -> Lookup {
        for &layer in layers {
            let mut prefix = false;
            for binding in self.bindings.iter().filter(|binding| binding.layer == layer) {
                for keys in &binding.keys {
                    if keys == typed {
                        return Lookup::Command(binding.action);
                    }
                    prefix |= keys.len() > typed.len() && keys.starts_with(typed);
                }
            }
            if prefix {
                return Lookup::Prefix;
            }
        }
        Lookup::Nothing
    }

    /// Every binding, layer by layer in file order.
    pub fn bindings(&self) -> impl Iterator<Item = &Binding> {
        Layer::iter().flat_map(|layer| self.bindings.iter().filter(move |binding| binding.layer == layer))
    }

    /// The key that footers show for an action where these layers are in force: `↵`, `gg`.
    pub fn shown(&self, layers: &[Layer], action: Command) -> Option<String> {
        layers.iter().find_map(|&layer| {
            let binding = self.bindings.iter().find(|binding| binding.layer == layer && binding.action == action)?;
            binding.keys.first().map(|keys| keys.iter().map(|key| key.symbol()).collect())
        })
    }
}

fn parse(text: &str) -> Result<Vec<Binding>, KeymapError> {
    let table: Table = toml::from_str(text).map_err(|error| KeymapError::Syntax(error.to_string()))?;
    let mut bindings = Vec::new();
    for (layer_name, lines) in table {
        let Ok(layer) = Layer::from_str(&layer_name) else {
            let known = Layer::iter().map(|layer| layer.to_string()).collect::<Vec<_>>().join(", ");
            return Err(KeymapError::Layer { name: layer_name, known });
        };
        for (name, keys) in lines {
            let action =
                Command::from_str(&name).map_err(|_| KeymapError::Command { layer, hint: hint(&name), name })?;
            let keys = keys
                .iter()
                .map(|sequence| sequence.split_whitespace().map(Key::from_str).collect::<Result<Vec<_>, _>>())
                .collect::<Result<Vec<_>, _>>()
                .map_err(|error| KeymapError::Key { layer, action, reason: error.to_string() })?;
            bindings.push(Binding { layer, action, keys: keys.into_iter().filter(|keys| !keys.is_empty()).collect() });
        }
    }
    bindings.sort_by_key(|binding| (binding.layer, binding.action));
    Ok(bindings)
}

fn hint(name: &str) -> String {
    let needle = name.to_lowercase();
    Command::iter()
        .map(|action| action.to_string())
        .find(|known| known.contains(&needle) || needle.contains(known.as_str()))
        .map_or_else(String::new, |known| format!("; did you mean {known}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_keys_are_valid_and_every_action_has_one() {
        let map = Keymap::read(BUILT_IN).unwrap();
        for action in Command::iter() {
            assert!(
                map.bindings.iter().any(|binding| binding.action == action && !binding.keys.is_empty()),
                "{action}"
            );
        }
    }

    #[test]
    fn duplicate_keys_name_both_actions() {
        let error = Keymap::with_user_file("[global]\nquit = [\"y\"]").unwrap_err();
        assert_eq!(error.to_string(), "[global] copy and quit both have the key y");
    }

    #[test]
    fn sequences_are_found_key_by_key() {
        let map = Keymap::built_in();
        let g = Key::char('g');
        assert_eq!(map.look_up(&[Layer::Motion, Layer::Global], &[g]), Lookup::Prefix);
        assert_eq!(map.look_up(&[Layer::Motion, Layer::Global], &[g, g]), Lookup::Command(Command::Top));
        assert_eq!(map.look_up(&[Layer::Global], &[g]), Lookup::Nothing);
    }

    #[test]
    fn a_user_file_replaces_and_unbinds() {
        let map = Keymap::with_user_file("[global]\nquit = []\nhelp = [\"ctrl-h\"]").unwrap();
        assert_eq!(map.look_up(&[Layer::Global], &[Key::char('q')]), Lookup::Nothing);
        assert_eq!(map.look_up(&[Layer::Global], &[Key::ctrl('h')]), Lookup::Command(Command::Help));
        assert_eq!(map.look_up(&[Layer::Global], &[Key::char('?')]), Lookup::Nothing);
    }
}
