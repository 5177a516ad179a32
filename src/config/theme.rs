/// Which looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum ThemeName {
    /// The terminal's own 16 colours on its own background.
    #[default]
    Ansi,
    /// Modifiers only; chosen under `NO_COLOR`.
    Mono,
}

/// The style of every meaning.
#[derive(Clone, Debug)]
pub struct Styles {}

impl Styles {
    /// The styles of a theme.
    pub fn new(theme: ThemeName) -> Self {
        let _ = theme;
        Self {}
    }
}
