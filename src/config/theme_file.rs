//! User themes: `themes/NAME.toml` in the config folder.

use std::str::FromStr as _;

use ratatui::style::{Color, Modifier, Style};
use strum::IntoEnumIterator as _;

use super::{Meaning, Styles, ThemeName, table::TableReader};

/// Key that names the theme to override.
const BASE: &str = "base";

impl Styles {
    /// Parses a theme file, called `file` in warnings. Each line gives one meaning a colour (a name, `#rrggbb` or 0 to
    /// 255) and modifiers; other meanings come from the theme in `base`. Skips invalid entries with a warning that
    /// names line and key.
    pub fn of_theme_file(file: &str, text: &str) -> (Self, Vec<String>) {
        let mut reader = TableReader::new(file, text);
        let table = reader.top();
        let base = table.iter().find(|(key, _)| key.get_ref() == BASE);
        let base = base.and_then(|(key, value)| reader.text(key.get_ref(), value, built_in)).unwrap_or_default();
        let mut styles = Self::new(base);
        let names: Vec<String> = Meaning::iter().map(|meaning| meaning.to_string()).collect();
        let mut lines: Vec<_> = table.iter().filter(|(key, _)| key.get_ref() != BASE).collect();
        lines.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in lines {
            let Ok(meaning) = Meaning::from_str(key.get_ref()) else {
                let known: Vec<&str> = names.iter().map(String::as_str).chain([BASE]).collect();
                reader.unknown(key, &known);
                continue;
            };
            if let Some(style) = reader.text(key.get_ref(), value, style) {
                styles = styles.with(meaning, style);
            }
        }
        (styles, reader.warnings)
    }
}

fn built_in(name: &str) -> Result<ThemeName, String> {
    name.parse().map_err(|_| "expected a built-in theme: ansi, dark, light, colour-blind or mono".to_owned())
}

/// Parses a style such as `bold #ffaf00`, `dim` or `underlined cyan on 236`.
fn style(text: &str) -> Result<Style, String> {
    let mut style = Style::new();
    let mut is_background = false;
    for word in text.split_whitespace() {
        let modifier = match word {
            "bold" => Some(Modifier::BOLD),
            "dim" => Some(Modifier::DIM),
            "italic" => Some(Modifier::ITALIC),
            "underlined" => Some(Modifier::UNDERLINED),
            "reversed" => Some(Modifier::REVERSED),
            _ => None,
        };
        if let Some(modifier) = modifier {
            style = style.add_modifier(modifier);
        } else if word == "on" {
            is_background = true;
        } else {
            let color = Color::from_str(word).map_err(|_| {
                format!(
                    "unknown “{word}”: write a colour (red, #rrggbb, 0 to 255) or bold, dim, \
                 italic, underlined, reversed"
                )
            })?;
            style = if std::mem::take(&mut is_background) { style.bg(color) } else { style.fg(color) };
        }
    }
    if is_background { Err("write a colour after “on”".to_owned()) } else { Ok(style) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_laid_over_its_base_and_each_mistake_names_line_and_key() {
        let text = "base = \"light\"\nlink = \"bold #ff8800 on 236\"\nbad = \"purpel\"\nlnk = \"red\"\ngood = 7\n";
        let (styles, warnings) = Styles::of_theme_file("sea.toml", text);
        let link = Style::new().fg(Color::Rgb(0xff, 0x88, 0)).bg(Color::Indexed(236)).add_modifier(Modifier::BOLD);
        assert_eq!(styles.of(Meaning::Link), link);
        let light = Styles::new(ThemeName::Light);
        assert_eq!(
            (styles.of(Meaning::Bad), styles.of(Meaning::Kind)),
            (light.of(Meaning::Bad), light.of(Meaning::Kind))
        );
        assert_eq!(warnings.len(), 3, "{warnings:?}");
        assert!(warnings[0].starts_with("sea.toml line 3, bad: unknown “purpel”: write a colour"), "{warnings:?}");
        assert_eq!(warnings[1], "sea.toml line 4, lnk: unknown setting; did you mean link?");
        assert!(warnings[2].starts_with("sea.toml line 5, good: expected text in quotes"), "{warnings:?}");
    }

    #[test]
    fn a_base_that_is_none_is_told_and_what_is_no_toml_is_ignored() {
        let (styles, warnings) = Styles::of_theme_file("x.toml", "base = \"night\"\nlink = \"red on\"\n");
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        assert_eq!(styles.of(Meaning::Link), Styles::new(ThemeName::Ansi).of(Meaning::Link));
        assert!(Styles::of_theme_file("x.toml", "link = ?").1[0].contains("line 1"));
    }

    #[test]
    fn themes_differ_and_tell_good_from_bad() {
        for theme in ThemeName::iter().filter(|theme| *theme != ThemeName::Mono) {
            let styles = Styles::new(theme);
            assert_ne!(styles.of(Meaning::Good), styles.of(Meaning::Bad), "{theme}");
            assert_ne!(styles.of(Meaning::Link), styles.of(Meaning::Text), "{theme}");
        }
        assert!(Meaning::iter().all(|meaning| {
            let style = Styles::new(ThemeName::Mono).of(meaning);
            style.fg.is_none_or(|color| color == Color::Reset) && style.bg.is_none_or(|color| color == Color::Reset)
        }));
    }
}
