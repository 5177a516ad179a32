use std::{
    fmt::Write as _,
    io::{self, IsTerminal, Write},
};

use super::{CommandError, arguments::Format};
use crate::{
    columns::{CsvCell, csv_line},
    config::Settings,
    domain::text::clean,
};

/// Standard output with its format, and the terminal's width and colours.
pub(super) struct CommandOutput {
    sink: Box<dyn Write>,
    pub(super) format: Format,
    pub(super) colored: bool,
    /// Width of the terminal in columns; `None` for other outputs, where no text is truncated.
    pub(super) width: Option<usize>,
    pub(super) is_terminal: bool,
}

impl CommandOutput {
    /// Opens standard output. The default format is a table on a terminal and JSON elsewhere.
    pub(super) fn new(format: Option<Format>, settings: &Settings) -> Self {
        let is_terminal = io::stdout().is_terminal();
        Self {
            sink: Box::new(io::BufWriter::new(io::stdout())),
            format: format.unwrap_or(if is_terminal { Format::Table } else { Format::Json }),
            colored: settings.is_colored(is_terminal),
            width: is_terminal.then(terminal_width).flatten(),
            is_terminal,
        }
    }

    /// Writes text unchanged.
    pub(super) fn text(&mut self, text: &str) -> Result<(), CommandError> {
        Ok(self.sink.write_all(text.as_bytes())?)
    }

    pub(super) fn line(&mut self, text: &str) -> Result<(), CommandError> {
        self.text(text)?;
        self.text("\n")
    }

    /// Writes JSON unchanged; on a terminal, replaces control characters by `\u` escapes.
    pub(super) fn json(&mut self, json: &str) -> Result<(), CommandError> {
        if self.is_terminal { self.text(&escape(json)) } else { self.text(json) }
    }

    /// Writes a record of this program as JSON, on one line or several, without control characters anywhere: what
    /// servers and terminals call themselves stands in it.
    pub(super) fn record<T: serde::Serialize + ?Sized>(
        &mut self,
        record: &T,
        is_pretty: bool,
    ) -> Result<(), CommandError> {
        let json = if is_pretty { serde_json::to_string_pretty(record) } else { serde_json::to_string(record) };
        self.text(&escape(&json.map_err(CommandError::failed)?))
    }

    /// Writes a line of CSV.
    pub(super) fn csv(&mut self, cells: impl IntoIterator<Item = impl Into<CsvCell>>) -> Result<(), CommandError> {
        self.text(&csv_line(cells))
    }

    /// Closes a JSON array. Writes nothing for an array that failed before its first row.
    pub(super) fn end_array(&mut self, has_begun: bool, is_whole: bool) -> Result<(), CommandError> {
        match (has_begun, is_whole) {
            (true, _) => self.text("\n]\n"),
            (false, true) => self.text("[]\n"),
            (false, false) => Ok(()),
        }
    }

    pub(super) fn flush(&mut self) -> Result<(), CommandError> {
        Ok(self.sink.flush()?)
    }
}

/// Returns the width of the terminal at standard output, in columns; `None` for other outputs.
fn terminal_width() -> Option<usize> {
    crossterm::terminal::size().ok().map(|(columns, _)| usize::from(columns)).filter(|&columns| columns > 0)
}

/// Escapes control characters in JSON without a change of its value. Outside of strings, only line breaks and spaces
/// occur.
fn escape(json: &str) -> String {
    let mut result = String::with_capacity(json.len());
    let mut buffer = [0; 4];
    for character in json.chars() {
        let text: &str = character.encode_utf8(&mut buffer);
        if matches!(character, '\n' | '\t' | '\r') || clean(text) == text {
            result.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(result, "\\u{unit:04x}");
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn escaped_json_has_the_same_value_and_no_hostile_character() {
        let json = "{\n \"a\": \"\u{9b}2J \u{202e}abc \u{e0041} é日\"\n}";
        let escaped = escape(json);
        assert!(!escaped.contains(['\u{9b}', '\u{202e}', '\u{e0041}']), "{escaped}");
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&escaped), value(json));
    }
}
