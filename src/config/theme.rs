use ratatui::style::{Color, Modifier, Style};

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

/// What a piece of text means; widgets and documents name meanings, never colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::EnumIter)]
pub enum Meaning {
    /// Ordinary text.
    Text,
    /// Less important: labels, separators, hints.
    Muted,
    /// A heading or a column's name.
    Heading,
    /// The name of a field.
    Key,
    /// A number or amount.
    Number,
    /// A hash or address that can be opened.
    Link,
    /// A message type or function name.
    Kind,
    /// It worked, it is live.
    Good,
    /// Look at this: stale, frozen, filtered.
    Warning,
    /// It failed.
    Bad,
    /// The key of a hint.
    Shortcut,
    /// The frame of a pane.
    Frame,
    /// The frame of the pane that has the focus.
    FocusedFrame,
    /// The tab one is in.
    ActiveTab,
    /// What a search found.
    Match,
    /// The word of the cursor's line that one is on: out of the bar, underlined.
    Chosen,
}

/// The style of every meaning.
#[derive(Clone, Copy, Debug)]
pub struct Styles {
    theme: ThemeName,
    true_color: bool,
}

/// In which colours pictures can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureColors {
    /// Any.
    True,
    /// The fixed 240 of the 256 that nearly all terminals have.
    Indexed,
    /// None: light and dark by how full a character is.
    None,
}

impl Styles {
    /// The styles of a theme.
    pub const fn new(theme: ThemeName) -> Self {
        Self { theme, true_color: false }
    }

    /// On a terminal that shows any colour, or only those of its palette.
    #[must_use]
    pub const fn with_true_color(self, true_color: bool) -> Self {
        Self { true_color, ..self }
    }

    /// In which colours pictures are shown.
    pub fn picture_colors(&self) -> PictureColors {
        match (self.theme, self.true_color) {
            (ThemeName::Mono, _) => PictureColors::None,
            (ThemeName::Ansi, true) => PictureColors::True,
            (ThemeName::Ansi, false) => PictureColors::Indexed,
        }
    }

    /// The style of a meaning.
    pub fn of(&self, meaning: Meaning) -> Style {
        match self.theme {
            ThemeName::Ansi => ansi(meaning),
            ThemeName::Mono => mono(meaning),
        }
    }

    /// What lies over the row of the cursor: one even bar, dimmed in the pane that has not the focus.
    pub fn cursor(&self, is_focused: bool) -> Style {
        let bar = Style::new().fg(Color::Reset).bg(Color::Reset).add_modifier(Modifier::REVERSED);
        if is_focused { bar.remove_modifier(Modifier::DIM) } else { bar.add_modifier(Modifier::DIM) }
    }
}

/// Colours of the terminal's own palette on its own background. Neither white nor black, which one kind of background
/// swallows; nor blue and bright black, which many dark palettes make unreadable: what matters less is dimmed.
fn ansi(meaning: Meaning) -> Style {
    let style = Style::new();
    match meaning {
        Meaning::Text | Meaning::Number => style,
        Meaning::Muted | Meaning::Frame | Meaning::Key => style.add_modifier(Modifier::DIM),
        Meaning::Heading => style.add_modifier(Modifier::BOLD),
        Meaning::Link => style.fg(Color::Cyan),
        Meaning::Kind => style.fg(Color::Magenta),
        Meaning::Good => style.fg(Color::Green),
        Meaning::Warning => style.fg(Color::Yellow),
        Meaning::Bad => style.fg(Color::Red),
        Meaning::Shortcut | Meaning::FocusedFrame => style.fg(Color::Cyan).add_modifier(Modifier::BOLD),
        Meaning::ActiveTab => style.fg(Color::Cyan).add_modifier(Modifier::BOLD.union(Modifier::REVERSED)),
        Meaning::Match => style.fg(Color::Yellow).add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED)),
        Meaning::Chosen => chosen(),
    }
}

/// Modifiers only: the cursor line survives on terminals and under settings without colour.
fn mono(meaning: Meaning) -> Style {
    let style = Style::new();
    match meaning {
        Meaning::Text | Meaning::Number | Meaning::Kind | Meaning::Good | Meaning::Link => style,
        Meaning::Muted | Meaning::Frame | Meaning::Key => style.add_modifier(Modifier::DIM),
        Meaning::Heading | Meaning::Shortcut | Meaning::FocusedFrame | Meaning::Warning | Meaning::Bad => {
            style.add_modifier(Modifier::BOLD)
        }
        Meaning::ActiveTab => style.add_modifier(Modifier::BOLD.union(Modifier::REVERSED)),
        Meaning::Match => style.add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED)),
        Meaning::Chosen => chosen(),
    }
}

/// Seen without colours: it lies over the cursor's bar and takes it away.
fn chosen() -> Style {
    let plain = Style::new().fg(Color::Reset).bg(Color::Reset);
    plain
        .add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED))
        .remove_modifier(Modifier::REVERSED.union(Modifier::DIM))
}
