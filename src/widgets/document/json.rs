//! JSON as a document: pretty-printed, foldable, with the path or value of each line to copy.

use serde_json::Value;

use crate::{
    config::Meaning,
    domain::{TargetKind, classify},
    widgets::document::{Document, Line, LineName},
};

/// Step of the path from a JSON text to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JsonStep {
    Field(Box<str>),
    /// Index in a list, from 0.
    Item(usize),
}

impl JsonStep {
    /// Formats the step for `jq`: `.tx`, `."@type"`, `[0]`.
    fn written(&self) -> String {
        let is_plain = |name: &str| {
            name.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '_')
                && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
        };
        match self {
            Self::Field(name) if is_plain(name) => format!(".{name}"),
            Self::Field(name) => format!(".{}", Value::from(&**name)),
            Self::Item(place) => format!("[{place}]"),
        }
    }
}

impl<Id: LineName> Document<Id> {
    /// Returns the path of the cursor's value for `jq`: `.tx.body.messages[0]."@type"`.
    pub(crate) fn json_path(&self) -> Option<String> {
        let place = self.selected_place()?;
        let mut steps = vec![self.lines.get(place)?.step.as_ref()?];
        let mut depth = self.lines.get(place)?.depth;
        for line in self.lines.get(..place)?.iter().rev() {
            if line.depth < depth {
                depth = line.depth;
                steps.extend(line.step.as_ref());
            }
        }
        let path: String = steps.iter().rev().map(|step| step.written()).collect();
        Some(if path.starts_with('.') { path } else { format!(".{path}") })
    }
}

/// Returns the lines of a JSON text; other text is shown unchanged.
pub(crate) fn json_lines<Id>(json: &str) -> Vec<Line<Id>> {
    match serde_json::from_str::<Value>(json) {
        Ok(value) => {
            let mut lines = Vec::new();
            push_value(&mut lines, 0, None, &value, false);
            lines
        }
        Err(_) => json.lines().map(|line| Line::at(0).with(Meaning::Text, line).copying(line)).collect(),
    }
}

/// Appends a value and its children, followed by a comma if it is not the last.
pub(crate) fn push_value<Id>(
    lines: &mut Vec<Line<Id>>,
    depth: u16,
    step: Option<JsonStep>,
    value: &Value,
    is_followed: bool,
) {
    let comma = if is_followed { "," } else { "" };
    let head = match &step {
        Some(JsonStep::Field(name)) => {
            Line::at(depth).with(Meaning::Key, format!("\"{name}\"")).with(Meaning::Muted, ": ")
        }
        Some(JsonStep::Item(_)) | None => Line::at(depth),
    };
    let head = Line { step, ..head };
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            lines.push(head.with(Meaning::Muted, "{"));
            let last = fields.len() - 1;
            for (place, (key, child)) in fields.iter().enumerate() {
                push_value(lines, depth + 1, Some(JsonStep::Field(key.as_str().into())), child, place < last);
            }
            lines.push(Line::at(depth).with(Meaning::Muted, format!("}}{comma}")));
        }
        Value::Array(items) if !items.is_empty() => {
            lines.push(head.with(Meaning::Muted, "["));
            let last = items.len() - 1;
            for (place, child) in items.iter().enumerate() {
                push_value(lines, depth + 1, Some(JsonStep::Item(place)), child, place < last);
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
                head.with(meaning, scalar.to_string()).with(Meaning::Muted, comma).copying(copy).leading_to(link),
            );
        }
    }
}

/// Returns the link of an address or hash. A bare number has none: it could be a height, an ID or an amount.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_its_path_and_a_closing_bracket_has_none() {
        let json = r#"{"tx":{"body":{"messages":[{"@type":"/a.b","n":1},[2]]}},"code":0}"#;
        let mut document: Document<()> = Document::new(json_lines(json));
        let mut paths = Vec::new();
        loop {
            paths.push(document.json_path());
            if document.is_cursor_at_end() {
                break;
            }
            document.move_by(1);
        }
        let expected = [
            None,
            Some(".tx"),
            Some(".tx.body"),
            Some(".tx.body.messages"),
            Some(".tx.body.messages[0]"),
            Some(".tx.body.messages[0].\"@type\""),
            Some(".tx.body.messages[0].n"),
            None,
            Some(".tx.body.messages[1]"),
            Some(".tx.body.messages[1][0]"),
            None,
            None,
            None,
            None,
            Some(".code"),
            None,
        ];
        assert_eq!(paths, expected.map(|path| path.map(str::to_owned)));
        let mut list: Document<()> = Document::new(json_lines("[1]"));
        list.move_by(1);
        assert_eq!(list.json_path().as_deref(), Some(".[0]"));
    }
}
