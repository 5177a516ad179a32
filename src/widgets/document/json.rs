//! JSON as lines to read: pretty, foldable, with the path or value of each line to copy.

use serde_json::Value;

use crate::{
    config::Meaning,
    domain::{TargetKind, classify},
    widgets::document::Line,
};

/// The lines of a JSON text; a text that is not JSON is shown as it is.
pub(crate) fn json_lines<Id>(json: &str) -> Vec<Line<Id>> {
    match serde_json::from_str::<Value>(json) {
        Ok(value) => {
            let mut lines = Vec::new();
            push_value(&mut lines, 0, None, &value, "");
            lines
        }
        Err(_) => json.lines().map(|line| Line::at(0).with(Meaning::Text, line).copying(line)).collect(),
    }
}

/// Adds a value under a name, as deep as it goes.
pub(crate) fn push_value<Id>(lines: &mut Vec<Line<Id>>, depth: u16, name: Option<&str>, value: &Value, comma: &str) {
    let head = || match name {
        Some(name) => Line::at(depth).with(Meaning::Key, format!("\"{name}\"")).with(Meaning::Muted, ": "),
        None => Line::at(depth),
    };
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            lines.push(head().with(Meaning::Muted, "{"));
            let last = fields.len() - 1;
            for (place, (key, child)) in fields.iter().enumerate() {
                push_value(lines, depth + 1, Some(key), child, if place == last { "" } else { "," });
            }
            lines.push(Line::at(depth).with(Meaning::Muted, format!("}}{comma}")));
        }
        Value::Array(items) if !items.is_empty() => {
            lines.push(head().with(Meaning::Muted, "["));
            let last = items.len() - 1;
            for (place, child) in items.iter().enumerate() {
                push_value(lines, depth + 1, None, child, if place == last { "" } else { "," });
            }
            lines.push(Line::at(depth).with(Meaning::Muted, format!("]{comma}")));
        }
        scalar => {
            let (meaning, copy) = match scalar {
                Value::String(text) => (Meaning::Text, text.clone()),
                Value::Number(_) => (Meaning::Number, scalar.to_string()),
                _ => (Meaning::Kind, scalar.to_string()),
            };
            let link = scalar.as_str().and_then(link_of);
            let meaning = if link.is_some() { Meaning::Link } else { meaning };
            lines.push(
                head().with(meaning, scalar.to_string()).with(Meaning::Muted, comma).copying(copy).leading_to(link),
            );
        }
    }
}

/// Where a value leads: an address or a hash; never a bare number, which could be anything.
pub(crate) fn link_of(text: &str) -> Option<crate::domain::Target> {
    let is_candidate =
        matches!(text.len(), 40..=66) && (text.starts_with("init1") || text.starts_with("0x") || text.len() == 64);
    if !is_candidate {
        return None;
    }
    let targets = classify(text).ok()?;
    targets.into_iter().find(|target| match target.kind() {
        TargetKind::Tx => text.len() == 64,
        kind => kind == TargetKind::Account,
    })
}
