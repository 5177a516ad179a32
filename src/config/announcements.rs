use toml::{Spanned, de::DeValue};

use super::table::{TableReader, article};

const KEYS: &[&str] = &["bell", "title"];

/// How the explorer tells that a watched transfer ended, or needs somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Announcements {
    /// By the terminal's bell.
    pub bell: bool,
    /// In the terminal's title, until a key is pressed.
    pub title: bool,
}

impl Default for Announcements {
    fn default() -> Self {
        Self { bell: true, title: true }
    }
}

impl Announcements {
    /// Reads the `[transfers]` table; what it does not state is as by default.
    pub(super) fn read(reader: &mut TableReader<'_>, value: &Spanned<DeValue<'_>>) -> Self {
        let mut result = Self::default();
        let Some(table) = value.get_ref().as_table() else {
            reader.warn(value, "transfers", format_args!("a table is needed, not {}", article(value.get_ref())));
            return result;
        };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "bell" => result.bell = reader.switch("transfers.bell", value).unwrap_or(result.bell),
                "title" => result.title = reader.switch("transfers.title", value).unwrap_or(result.title),
                _ => reader.unknown(key, KEYS),
            }
        }
        result
    }
}
