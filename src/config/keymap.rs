/// The keys of every action: the built-in ones with the user's laid over them.
#[derive(Clone, Debug)]
pub struct Keymap {}

/// stub
#[derive(Debug)]
pub struct Binding;
/// stub
#[derive(Debug)]
pub enum Lookup {}

/// Why a keymap file cannot be used, with line and key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct KeymapError(String);

impl Keymap {
    /// The built-in keys.
    pub fn built_in() -> Self {
        Self {}
    }

    /// The built-in keys with the text of the user's `keymap.toml` laid over them.
    pub fn with_user_file(text: &str) -> Result<Self, KeymapError> {
        let _ = text;
        Ok(Self {})
    }
}
