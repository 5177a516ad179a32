use ratatui::style::{Color, Modifier, Style};
use strum::IntoEnumIterator as _;

use crate::domain::text::is_personal_name;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display, strum::EnumString, strum::EnumIter)]
#[strum(serialize_all = "kebab-case")]
pub enum ThemeName {
    /// The terminal's 16 colours on its own background.
    #[default]
    Ansi,
    /// Fixed colours for a dark background.
    Dark,
    /// Fixed colours for a light background.
    Light,
    /// Fixed colours for both backgrounds that people who confuse red and green, or blue and yellow, tell apart.
    #[strum(to_string = "colour-blind", serialize = "color-blind")]
    ColorBlind,
    /// Modifiers without colours; the default under `NO_COLOR`.
    Mono,
}

impl ThemeName {
    /// Whether the theme's colours are from the palette of 256.
    pub(super) fn needs_palette(self) -> bool {
        matches!(self, Self::Dark | Self::Light | Self::ColorBlind)
    }
}

/// Meaning of a piece of text. Widgets and documents name meanings, never colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::Display, strum::EnumString, strum::EnumIter)]
#[strum(serialize_all = "kebab-case")]
pub enum Meaning {
    Text,
    Muted,
    Heading,
    Key,
    /// Value, its bar, or the curve of several.
    Number,
    /// Hash or address that the user can open.
    Link,
    /// Message type or function name.
    Kind,
    /// Name that the user gave, between signs of its own.
    PersonalName,
    Good,
    Warning,
    Bad,
    Shortcut,
    Frame,
    FocusedFrame,
    ActiveTab,
    Match,
    /// Selected word in the cursor's line: underlined, without the cursor's bar.
    Chosen,
}

impl Meaning {
    /// Returns the meaning of a shown name: this, unless the user gave the name.
    #[must_use]
    pub fn of_name(self, shown: &str) -> Self {
        if is_personal_name(shown) { Self::PersonalName } else { self }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Styles {
    by_meaning: [Style; MEANINGS],
    /// Style of the cursor's row in a pane without the focus.
    resting_cursor: Style,
    is_colored: bool,
    true_color: bool,
    is_ascii: bool,
}

const MEANINGS: usize = Meaning::Chosen as usize + 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureColors {
    True,
    /// The 240 fixed colours of the 256-colour palette.
    Indexed,
    /// No colours: the density of characters shows brightness.
    None,
}

impl Styles {
    pub fn new(theme: ThemeName) -> Self {
        let of: fn(Meaning) -> Style = match theme {
            ThemeName::Ansi => ansi,
            ThemeName::Dark => |meaning| fixed(meaning, &DARK),
            ThemeName::Light => |meaning| fixed(meaning, &LIGHT),
            ThemeName::ColorBlind => |meaning| fixed(meaning, &COLOR_BLIND),
            ThemeName::Mono => mono,
        };
        let mut styles = [Style::new(); MEANINGS];
        for (style, meaning) in styles.iter_mut().zip(Meaning::iter()) {
            *style = of(meaning);
        }
        let resting_cursor = match theme {
            ThemeName::Dark => Style::new().bg(Color::Indexed(237)),
            ThemeName::Light => Style::new().bg(Color::Indexed(254)),
            ThemeName::Ansi | ThemeName::ColorBlind | ThemeName::Mono => {
                Style::new().add_modifier(Modifier::UNDERLINED)
            }
        };
        Self {
            by_meaning: styles,
            resting_cursor,
            is_colored: theme != ThemeName::Mono,
            true_color: false,
            is_ascii: false,
        }
    }

    /// Sets whether the terminal shows 24-bit colour.
    #[must_use]
    pub const fn with_true_color(self, true_color: bool) -> Self {
        Self { true_color, ..self }
    }

    /// Sets whether screens consist of ASCII characters only.
    #[must_use]
    pub const fn with_ascii(self, is_ascii: bool) -> Self {
        Self { is_ascii, ..self }
    }

    pub const fn is_ascii(&self) -> bool {
        self.is_ascii
    }

    #[must_use]
    pub(super) fn with(mut self, meaning: Meaning, style: Style) -> Self {
        if let Some(known) = self.by_meaning.get_mut(meaning as usize) {
            *known = style;
        }
        self
    }

    pub fn picture_colors(&self) -> PictureColors {
        match (self.is_colored && !self.is_ascii, self.true_color) {
            (false, _) => PictureColors::None,
            (true, true) => PictureColors::True,
            (true, false) => PictureColors::Indexed,
        }
    }

    pub fn of(&self, meaning: Meaning) -> Style {
        self.by_meaning.get(meaning as usize).copied().unwrap_or_default()
    }

    /// Returns the style of the cursor's row: an even bar, or a quiet mark in a pane without the focus.
    pub fn cursor(&self, is_focused: bool) -> Style {
        if !is_focused {
            return self.resting_cursor;
        }
        let bar = Style::new().fg(Color::Reset).bg(Color::Reset).add_modifier(Modifier::REVERSED);
        bar.remove_modifier(Modifier::DIM)
    }

    /// Returns the style of the page behind a dialog.
    pub fn behind_dialog(&self) -> Style {
        let quiet = Style::new().fg(Color::Reset).bg(Color::Reset);
        let emphasis = Modifier::BOLD.union(Modifier::REVERSED).union(Modifier::UNDERLINED);
        quiet.patch(self.of(Meaning::Frame)).remove_modifier(emphasis)
    }
}

/// Returns a meaning's colours in the terminal's palette, on the terminal's own background. Avoids white and black,
/// which vanish on one kind of background, and blue and bright black, which are unreadable in many dark palettes; dims
/// muted text instead.
fn ansi(meaning: Meaning) -> Style {
    let style = Style::new();
    match meaning {
        Meaning::Text | Meaning::Number => style,
        Meaning::Muted | Meaning::Frame | Meaning::Key => style.add_modifier(Modifier::DIM),
        Meaning::Heading => style.add_modifier(Modifier::BOLD),
        Meaning::Link => style.fg(Color::Cyan),
        Meaning::Kind => style.fg(Color::Magenta),
        Meaning::PersonalName => style.fg(Color::Cyan).add_modifier(Modifier::ITALIC),
        Meaning::Good => style.fg(Color::Green),
        Meaning::Warning => style.fg(Color::Yellow),
        Meaning::Bad => style.fg(Color::Red),
        Meaning::Shortcut | Meaning::FocusedFrame => style.fg(Color::Cyan).add_modifier(Modifier::BOLD),
        Meaning::ActiveTab => style.fg(Color::Cyan).add_modifier(Modifier::BOLD.union(Modifier::REVERSED)),
        Meaning::Match => style.fg(Color::Yellow).add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED)),
        Meaning::Chosen => chosen(),
    }
}

/// Colours of a theme for one kind of background, from the 240 fixed colours of the 256-colour palette.
struct FixedColors {
    muted: u8,
    frame: u8,
    link: u8,
    kind: u8,
    good: u8,
    warning: u8,
    bad: u8,
    accent: u8,
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

/// Each has a contrast of 3 or more to black and to white; a test simulates three deficiencies.
const COLOR_BLIND: FixedColors = FixedColors {
    muted: 243,
    frame: 243,
    link: 69,
    kind: 126,
    good: 93,
    warning: 136,
    bad: 161,
    accent: 69,
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
        Meaning::PersonalName => in_color(colors.link).add_modifier(Modifier::ITALIC),
        Meaning::Good => in_color(colors.good),
        Meaning::Warning => in_color(colors.warning),
        Meaning::Bad => in_color(colors.bad),
        Meaning::Shortcut | Meaning::FocusedFrame => in_color(colors.accent).add_modifier(Modifier::BOLD),
        Meaning::ActiveTab => in_color(colors.contrast).bg(Color::Indexed(colors.accent)).add_modifier(Modifier::BOLD),
        Meaning::Match => in_color(colors.warning).add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED)),
        Meaning::Chosen => chosen(),
    }
}

/// Returns a meaning's style without colours; the cursor's row stays visible.
fn mono(meaning: Meaning) -> Style {
    let style = Style::new();
    match meaning {
        Meaning::Text | Meaning::Number | Meaning::Kind | Meaning::Good | Meaning::Link => style,
        Meaning::Muted | Meaning::Frame | Meaning::Key => style.add_modifier(Modifier::DIM),
        Meaning::PersonalName => style.add_modifier(Modifier::ITALIC),
        Meaning::Heading | Meaning::Shortcut | Meaning::FocusedFrame | Meaning::Warning | Meaning::Bad => {
            style.add_modifier(Modifier::BOLD)
        }
        Meaning::ActiveTab => style.add_modifier(Modifier::BOLD.union(Modifier::REVERSED)),
        Meaning::Match => style.add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED)),
        Meaning::Chosen => chosen(),
    }
}

/// Returns the style of the selected word without colours: it cancels the cursor's bar.
fn chosen() -> Style {
    let plain = Style::new().fg(Color::Reset).bg(Color::Reset);
    plain
        .add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED))
        .remove_modifier(Modifier::REVERSED.union(Modifier::DIM))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Matrix = [[f64; 3]; 3];

    /// What people without long, middle or short cones see of linear RGB, after Machado and others (2009).
    const VISIONS: [Matrix; 3] = [
        [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
        [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
        [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
    ];
    const FULL: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    fn linear(index: u8) -> [f64; 3] {
        let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
        let cube = index.saturating_sub(16);
        let parts =
            if index >= 232 { [8 + 10 * (index - 232); 3] } else { [cube / 36, cube / 6 % 6, cube % 6].map(level) };
        parts.map(|part| ((f64::from(part) / 255.0 + 0.055) / 1.055).powf(2.4))
    }

    fn times(matrix: &Matrix, color: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(color).map(|(factor, part)| factor * part).sum())
    }

    /// Distance of two colours in CIELAB, as one kind of vision shows them.
    fn distance(one: u8, other: u8, vision: &Matrix) -> f64 {
        let lab = |index| {
            let seen = times(vision, linear(index)).map(|part| part.clamp(0.0, 1.0));
            let xyz = [[0.434, 0.376, 0.190], [0.213, 0.715, 0.072], [0.018, 0.109, 0.873]];
            let [x, y, z] = times(&xyz, seen).map(f64::cbrt);
            [116.0 * y, 500.0 * (x - y), 200.0 * (y - z)]
        };
        let (one, other): ([f64; 3], [f64; 3]) = (lab(one), lab(other));
        one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    fn least_distance(colors: &FixedColors) -> f64 {
        let FixedColors { link, kind, good, warning, bad, .. } = *colors;
        let told = [link, kind, good, warning, bad];
        let pairs =
            told.iter().enumerate().flat_map(|(place, one)| told[..place].iter().map(move |other| (*one, *other)));
        let seen = pairs
            .flat_map(|(one, other)| VISIONS.iter().chain([&FULL]).map(move |vision| distance(one, other, vision)));
        seen.fold(f64::MAX, f64::min)
    }

    #[test]
    fn three_color_deficiencies_tell_the_meanings_of_the_theme_for_them_apart_on_both_backgrounds() {
        assert!(least_distance(&COLOR_BLIND) > 25.0, "{}", least_distance(&COLOR_BLIND));
        assert!(least_distance(&LIGHT) < 10.0, "red and green are one for some");
        let FixedColors { muted, link, kind, good, warning, bad, .. } = COLOR_BLIND;
        for index in [muted, link, kind, good, warning, bad] {
            let [_, light, _] = times(&[[0.0; 3], [0.213, 0.715, 0.072], [0.0; 3]], linear(index));
            let contrasts = [1.05 / (light + 0.05), (light + 0.05) / 0.05];
            assert!(contrasts.iter().all(|contrast| *contrast >= 3.0), "{index}: {contrasts:?}");
        }
    }
}
