//! Search for the field with an address that a contract could not parse.

use std::fmt::Write;

use serde_json::Value;

use super::{Case, said};
use crate::{domain::Address, story::limits::MOST_DEPTH};

/// Maximum named fields.
const MOST_NAMED: usize = 3;
/// Maximum values examined.
const MOST_SEEN: usize = 4_096;

/// Returns "An address in the message is mistyped (`initial_balances[0].address`)."
pub(super) fn advice(case: &Case<'_>, words: &str) -> Option<String> {
    let message = case.context.decoded.messages.get(case.message.unwrap_or(0))?;
    // The contract parses the addresses in its own message; the chain has checked those outside.
    let own = message.fields.get("msg").filter(|inner| inner.is_object());
    let mut search = AddressSearch { ending: ending(words), seen: 0, found: Vec::new() };
    match own {
        Some(inner) => search.look(inner, &mut String::new(), 0),
        None => message.fields.iter().for_each(|(name, value)| search.look(value, &mut name.clone(), 0)),
    }
    match search.found.as_slice() {
        [] => None,
        [only] => Some(format!("An address in the message is mistyped ({only}).")),
        several => Some(format!("Addresses in the message are mistyped ({}).", several.join(", "))),
    }
}

/// Returns the checksum that the log quotes: `invalid checksum (expected 3fextf got ywycq0)`.
fn ending(words: &str) -> Option<&str> {
    let (_, rest) = words.split_once("invalid checksum (expected ")?;
    let (_, got) = rest.split_once(" got ")?;
    got.split_once(')').map(|(got, _)| got).filter(|got| !got.is_empty())
}

struct AddressSearch<'a> {
    ending: Option<&'a str>,
    seen: usize,
    found: Vec<String>,
}

impl AddressSearch<'_> {
    fn look(&mut self, value: &Value, path: &mut String, depth: usize) {
        self.seen += 1;
        if self.seen > MOST_SEEN || self.found.len() == MOST_NAMED || depth > MOST_DEPTH {
            return;
        }
        let length = path.len();
        match value {
            Value::String(text) if self.is_mistyped(text) => self.found.push(said(path)),
            Value::Array(items) => {
                for (place, item) in items.iter().enumerate().take(MOST_SEEN) {
                    write!(path, "[{place}]").unwrap_or_default();
                    self.look(item, path, depth + 1);
                    path.truncate(length);
                }
            }
            Value::Object(fields) => {
                for (name, item) in fields {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(name);
                    self.look(item, path, depth + 1);
                    path.truncate(length);
                }
            }
            _ => {}
        }
    }

    /// Whether a text looks like an account's address but is invalid, with the checksum in the log.
    fn is_mistyped(&self, text: &str) -> bool {
        let is_meant = text.len() < 200 && text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("init1"));
        is_meant && text.parse::<Address>().is_err() && self.ending.is_none_or(|ending| text.ends_with(ending))
    }
}
