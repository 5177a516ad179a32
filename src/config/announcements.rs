use std::time::Duration;

use toml::{Spanned, de::DeValue};

use super::{
    table::{TableReader, article},
    value::parse_duration,
};

const KEYS: &[&str] = &["bell", "title", "on_end", "on_end_timeout"];
/// Default time limit of the `on_end` program.
const LIMIT: Duration = Duration::from_secs(30);

/// Settings for announcing that a watched transfer ended or needs the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcements {
    pub bell: bool,
    /// Whether to set the terminal's title; the next key press restores it.
    pub title: bool,
    /// Program that rollscope runs once for each outcome.
    pub on_end: Option<EndCommand>,
}

/// Program and arguments that rollscope runs when a transfer ends, without a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndCommand {
    /// Path, or name of a program in `PATH`; never empty.
    pub program: String,
    pub arguments: Vec<String>,
    /// Time limit, after which rollscope kills the program.
    pub limit: Duration,
}

impl Default for Announcements {
    fn default() -> Self {
        Self { bell: true, title: true, on_end: None }
    }
}

impl Announcements {
    /// Reads the `[transfers]` table; missing keys keep their defaults.
    pub(super) fn read(reader: &mut TableReader<'_>, value: &Spanned<DeValue<'_>>) -> Self {
        let mut result = Self::default();
        let Some(table) = value.get_ref().as_table() else {
            reader.warn(value, "transfers", format_args!("expected a table, found {}", article(value.get_ref())));
            return result;
        };
        let mut limit = LIMIT;
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "bell" => result.bell = reader.switch("transfers.bell", value).unwrap_or(result.bell),
                "title" => result.title = reader.switch("transfers.title", value).unwrap_or(result.title),
                "on_end" => result.on_end = read_command(reader, value),
                "on_end_timeout" => {
                    limit = reader.text("transfers.on_end_timeout", value, parse_duration).unwrap_or(limit);
                }
                _ => reader.unknown(key, KEYS),
            }
        }
        result.on_end.iter_mut().for_each(|command| command.limit = limit);
        result
    }
}

/// Reads a program with its arguments; an empty list means no program.
fn read_command(reader: &mut TableReader<'_>, value: &Spanned<DeValue<'_>>) -> Option<EndCommand> {
    const KEY: &str = "transfers.on_end";
    let Some(items) = value.get_ref().as_array() else {
        let found = article(value.get_ref());
        reader.warn(value, KEY, format_args!("expected [\"program\", \"argument\", …], found {found}"));
        return None;
    };
    let words: Option<Vec<String>> =
        items.iter().map(|item| reader.text(KEY, item, |text| Ok::<_, String>(text.to_owned()))).collect();
    let mut words = words?.into_iter();
    let program = words.next()?;
    if program.trim().is_empty() {
        reader.warn(value, KEY, "the program name is empty; write a path or name first");
        return None;
    }
    Some(EndCommand { program, arguments: words.collect(), limit: LIMIT })
}
