use std::fmt;

use toml::{
    Spanned,
    de::{DeString, DeTable, DeValue},
};

use super::nearest::nearest;
use crate::domain::text::clip;

/// Value with its line in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    pub value: T,
    /// Line number, counted from 1.
    pub line: usize,
}

/// Lenient TOML reader: turns an unusable value into a warning with file, line and key.
pub(super) struct TableReader<'a> {
    file: &'a str,
    text: &'a str,
    pub(super) warnings: Vec<String>,
}

impl<'a> TableReader<'a> {
    /// Creates a reader; `file` is the file's name in warnings.
    pub(super) fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, text, warnings: Vec::new() }
    }

    /// Returns the top-level table; if the text is not TOML, returns an empty table and warns.
    pub(super) fn top(&mut self) -> DeTable<'a> {
        match DeTable::parse(self.text) {
            Ok(table) => table.into_inner(),
            Err(error) => {
                let line = self.line(error.span().map_or(0, |span| span.start));
                let content = self.text.lines().nth(line - 1).unwrap_or_default();
                let key = content.split('=').next().unwrap_or_default().trim();
                self.push(line, key, format_args!("{}; rollscope ignores the whole file", error.message()));
                DeTable::new()
            }
        }
    }

    /// Returns the line number of a byte position, counted from 1.
    pub(super) fn line(&self, position: usize) -> usize {
        line_of(self.text, position)
    }

    pub(super) fn warn(&mut self, value: &Spanned<DeValue<'_>>, key: &str, message: impl fmt::Display) {
        self.push(self.line(value.span().start), key, message);
    }

    /// Records a warning about a line.
    pub(super) fn push(&mut self, line: usize, key: &str, message: impl fmt::Display) {
        let message = message.to_string().replace('\n', " ");
        self.warnings.push(format!("{} line {line}, {}: {}", self.file, clip(key, 40), clip(message.trim(), 200)));
    }

    /// Records a warning about an unknown key and suggests the nearest known key.
    pub(super) fn unknown(&mut self, key: &Spanned<DeString<'_>>, known: &[&str]) {
        let line = self.line(key.span().start);
        let meant = nearest(key.get_ref(), known.iter().copied());
        match meant {
            Some(name) => self.push(line, key.get_ref(), format_args!("unknown setting; did you mean {name}?")),
            None => self.push(line, key.get_ref(), format_args!("unknown setting; known: {}", known.join(", "))),
        }
    }

    /// Reads a boolean; warns and returns `None` for another value.
    pub(super) fn switch(&mut self, key: &str, value: &Spanned<DeValue<'_>>) -> Option<bool> {
        let switch = value.get_ref().as_bool();
        if switch.is_none() {
            self.warn(value, key, format_args!("expected true or false, found {}", article(value.get_ref())));
        }
        switch
    }

    /// Parses a text value; warns and returns `None` if the value is not text or `parse` fails.
    pub(super) fn text<T, E: fmt::Display>(
        &mut self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let Some(text) = value.get_ref().as_str() else {
            self.warn(value, key, format_args!("expected text in quotes, found {}", article(value.get_ref())));
            return None;
        };
        parse(text).map_err(|error| self.warn(value, key, error)).ok()
    }

    /// Parses a text value, or each text of an array; warns of the others and leaves them out.
    pub(super) fn texts<T, E: fmt::Display>(
        &mut self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Vec<T> {
        let one = std::slice::from_ref(value);
        let values = value.get_ref().as_array().map_or(one, |array| array.as_ref());
        values.iter().filter_map(|value| self.text(key, value, &parse)).collect()
    }
}

/// Returns the line number of a byte position in a text, counted from 1.
pub(super) fn line_of(text: &str, position: usize) -> usize {
    let mut end = 0;
    let lines = text.split_inclusive('\n').take_while(|line| {
        end += line.len();
        end <= position && line.ends_with('\n')
    });
    1 + lines.count()
}

/// Returns a value's TOML type with its article: “an integer”.
pub(super) fn article(value: &DeValue<'_>) -> String {
    match value {
        DeValue::Integer(_) | DeValue::Array(_) => format!("an {}", value.type_str()),
        DeValue::Boolean(_) => "true or false".to_owned(),
        _ => format!("a {}", value.type_str()),
    }
}
