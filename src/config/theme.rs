use ratatui::style::{Color, Modifier, Style};
use strum::IntoEnumIterator as _;

/// A theme that is built in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display, strum::EnumString, strum::EnumIter)]
#[strum(serialize_all = "lowercase")]
pub enum ThemeName {
    /// The terminal's own 16 colours on its own background.
    #[default]
    Ansi,
    /// Fixed colours for a dark background.
    Dark,
    /// Fixed colours for a light background.
    Light,
    /// Modifiers only; chosen under `NO_COLOR`.
    Mono,
}

/// What a piece of text means; widgets and documents name meanings, never colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::Display, strum::EnumString, strum::EnumIter)]
#[strum(serialize_all = "kebab-case")]
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
    by_meaning: [Style; MEANINGS],
    is_colored: bool,
    true_color: bool,
}

const MEANINGS: usize = Meaning::Chosen as usize + 1;

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
    pub fn new(theme: ThemeName) -> Self {
        let of: fn(Meaning) -> Style = match theme {
            ThemeName::Ansi => ansi,
            ThemeName::Dark => |meaning| fixed(meaning, &DARK),
            ThemeName::Light => |meaning| fixed(meaning, &LIGHT),
            ThemeName::Mono => mono,
        };
        let mut styles = [Style::new(); MEANINGS];
        for (style, meaning) in styles.iter_mut().zip(Meaning::iter()) {
            *style = of(meaning);
        }
        Self { by_meaning: styles, is_colored: theme != ThemeName::Mono, true_color: false }
    }

    /// On a terminal that shows any colour, or only those of its palette.
    #[must_use]
    pub const fn with_true_color(self, true_color: bool) -> Self {
        Self { true_color, ..self }
    }

    /// With another style for one meaning.
    #[must_use]
    pub(super) fn with(mut self, meaning: Meaning, style: Style) -> Self {
        if let Some(known) = self.by_meaning.get_mut(meaning as usize) {
            *known = style;
        }
        self
    }

    /// In which colours pictures are shown.
    pub fn picture_colors(&self) -> PictureColors {
        match (self.is_colored, self.true_color) {
            (false, _) => PictureColors::None,
            (true, true) => PictureColors::True,
            (true, false) => PictureColors::Indexed,
        }
    }

    /// The style of a meaning.
    pub fn of(&self, meaning: Meaning) -> Style {
        self.by_meaning.get(meaning as usize).copied().unwrap_or_default()
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

/// Colours of a theme for one kind of background, of the fixed 240 that nearly all terminals have.
struct FixedColors {
    muted: u8,
    frame: u8,
    link: u8,
    kind: u8,
    good: u8,
    warning: u8,
    bad: u8,
    accent: u8,
    /// On the accent.
    contrast: u8,
}

const DARK: FixedColors = FixedColors {
    muted: 246,
    frame: 241,
    link: 80,
    kind: 176,
    good: 114,
    warning: 221,
    bad: 203,
    accent: 117,
    contrast: 16,
};

const LIGHT: FixedColors = FixedColors {
    muted: 242,
    frame: 248,
    link: 25,
    kind: 90,
    good: 28,
    warning: 130,
    bad: 160,
    accent: 24,
    contrast: 231,
};

fn fixed(meaning: Meaning, colors: &FixedColors) -> Style {
    let in_color = |color| Style::new().fg(Color::Indexed(color));
    match meaning {
        Meaning::Text | Meaning::Number => Style::new(),
        Meaning::Muted | Meaning::Key => in_color(colors.muted),
        Meaning::Frame => in_color(colors.frame),
        Meaning::Heading => Style::new().add_modifier(Modifier::BOLD),
        Meaning::Link => in_color(colors.link),
        Meaning::Kind => in_color(colors.kind),
        Meaning::Good => in_color(colors.good),
        Meaning::Warning => in_color(colors.warning),
        Meaning::Bad => in_color(colors.bad),
        Meaning::Shortcut | Meaning::FocusedFrame => in_color(colors.accent).add_modifier(Modifier::BOLD),
        Meaning::ActiveTab => in_color(colors.contrast).bg(Color::Indexed(colors.accent)).add_modifier(Modifier::BOLD),
        Meaning::Match => in_color(colors.warning).add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED)),
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
