use std::{fmt, str::FromStr};

/// Key press, independent of the terminal library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    pub code: KeyCode,
    pub ctrl: bool,
    pub alt: bool,
}

/// Key without modifiers. Shift is part of the character, or of `BackTab`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyCode {
    Char(char),
    F(u8),
    Enter,
    Esc,
    Backspace,
    Delete,
    Tab,
    BackTab,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown key “{0}”: write a character, enter, esc, tab, space, f1 to f12, up, pgdn, ctrl-x or alt-x")]
pub struct KeyError(String);

const NAMES: &[(&str, KeyCode)] = &[
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("backspace", KeyCode::Backspace),
    ("del", KeyCode::Delete),
    ("tab", KeyCode::Tab),
    ("shift-tab", KeyCode::BackTab),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
    ("space", KeyCode::Char(' ')),
];

impl Key {
    pub const fn plain(code: KeyCode) -> Self {
        Self { code, ctrl: false, alt: false }
    }

    pub const fn char(character: char) -> Self {
        Self::plain(KeyCode::Char(character))
    }

    pub const fn ctrl(character: char) -> Self {
        Self { code: KeyCode::Char(character), ctrl: true, alt: false }
    }

    /// Formats the key as footers show it: `^d`, `↵`, `space`.
    pub fn symbol(self) -> String {
        let base = match self.code {
            KeyCode::Enter => "↵".to_owned(),
            KeyCode::Up => "↑".to_owned(),
            KeyCode::Down => "↓".to_owned(),
            KeyCode::Left => "←".to_owned(),
            KeyCode::Right => "→".to_owned(),
            KeyCode::Tab => "Tab".to_owned(),
            KeyCode::Esc => "Esc".to_owned(),
            KeyCode::Delete => "Del".to_owned(),
            KeyCode::F(number) => format!("F{number}"),
            _ => Self { ctrl: false, alt: false, ..self }.to_string(),
        };
        match (self.ctrl, self.alt) {
            (true, _) => format!("^{base}"),
            (_, true) => format!("alt-{base}"),
            _ => base,
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            formatter.write_str("ctrl-")?;
        }
        if self.alt {
            formatter.write_str("alt-")?;
        }
        if let Some((name, _)) = NAMES.iter().find(|(_, code)| *code == self.code) {
            return formatter.write_str(name);
        }
        match self.code {
            KeyCode::Char(character) => write!(formatter, "{character}"),
            KeyCode::F(number) => write!(formatter, "f{number}"),
            _ => Ok(()),
        }
    }
}

impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let mut rest = text;
        let (mut ctrl, mut alt) = (false, false);
        while let Some((prefix, tail)) = rest.split_once('-').filter(|(_, tail)| !tail.is_empty()) {
            match prefix {
                "ctrl" => ctrl = true,
                "alt" => alt = true,
                _ => break,
            }
            rest = tail;
        }
        let code = if let Some((_, code)) = NAMES.iter().find(|(name, _)| *name == rest) {
            *code
        } else if let Some(number) =
            rest.strip_prefix('f').and_then(|digits| digits.parse().ok()).filter(|number| (1..=12).contains(number))
        {
            KeyCode::F(number)
        } else {
            let mut characters = rest.chars();
            match (characters.next(), characters.next()) {
                (Some(character), None) if !character.is_control() => KeyCode::Char(character),
                _ => return Err(KeyError(crate::domain::text::clip(text, 30))),
            }
        };
        Ok(Self { code, ctrl, alt })
    }
}
