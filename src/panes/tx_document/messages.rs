//! Messages of a transaction as foldable trees.

use serde_json::{Map, Value};

use super::{
    Line, TxSheet,
    tree::{Tree, ValuePlace},
};
use crate::{
    app::page::TxLine,
    config::Meaning,
    story::{DecodedMessage, Sentence, Style, diff::ValuePath, text_of},
};

/// What the first line of a message says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MessageTitle {
    /// Place and type.
    Kind,
    /// Also the sentence.
    Sentence,
}

pub(crate) fn message_lines(sheet: &TxSheet<'_>, said: MessageTitle) -> Vec<Line> {
    let decoded = &sheet.story.decoded;
    let mut tree = Tree::new(sheet);
    if let Some(problem) = &decoded.problem {
        tree.push(super::field(0, "note").with(Meaning::Warning, problem));
    }
    let is_noise = |index: usize| sentence(sheet, index).is_some_and(|sentence| sentence.is_noise);
    // The only relevant message is unfolded; several are folded.
    let shown = (0..decoded.messages.len()).filter(|index| !is_noise(*index)).count();
    for (index, message) in decoded.messages.iter().enumerate() {
        let is_open = shown == 1 && !is_noise(index) || decoded.messages.len() == 1;
        let head = head(sheet, index, message, said);
        push_message(&mut tree, index, message, if is_open { head } else { head.folded() });
    }
    if tree.is_empty() {
        tree.push(Line::at(0).with(Meaning::Muted, "This transaction holds no messages."));
    }
    tree.done()
}

/// Returns the first line of a message, which copies the whole message.
fn head(sheet: &TxSheet<'_>, index: usize, message: &DecodedMessage, said: MessageTitle) -> Line {
    let decoded = &sheet.story.decoded;
    let failed = decoded.failure.as_ref().is_some_and(|failure| failure.message_index == Some(index));
    let (meaning, mark) = if failed { (Meaning::Bad, "✗ ") } else { (Meaning::Heading, "") };
    let mut head = Line::at(0)
        .with(meaning, format!("{mark}{} of {}  ", index + 1, decoded.messages.len()))
        .with(Meaning::Kind, message.kind.short())
        .named(TxLine::Message(index));
    if let Some(sentence) = sentence(sheet, index).filter(|_| said == MessageTitle::Sentence) {
        let style = Style::Screen(&sheet.style);
        let meaning = if sentence.is_noise { Meaning::Muted } else { Meaning::Text };
        head = head.with(meaning, format!("  {}", text_of(&sentence.phrases, style)));
    }
    let record = std::iter::once(("@type".to_owned(), Value::from(type_url(message))));
    let record: Map<_, _> = record.chain(message.fields.clone()).collect();
    head.copying(Value::Object(record).to_string())
}

fn type_url(message: &DecodedMessage) -> String {
    format!("/{}", message.kind)
}

fn push_message(tree: &mut Tree<'_>, index: usize, message: &DecodedMessage, head: Line) {
    tree.push(head);
    tree.begin(Some(index));
    let width = message.fields.keys().map(|name| name.chars().count()).max().unwrap_or(0).clamp(4, 22);
    let line = Line::at(1).with(Meaning::Key, format!("{:<width$} ", "type"));
    let kind = type_url(message);
    tree.push(line.with(Meaning::Text, &kind).copying(kind));
    tree.fields(ValuePlace { depth: 1, path: &ValuePath::default(), nesting: 0 }, &message.fields);
}

fn sentence<'a>(sheet: &TxSheet<'a>, index: usize) -> Option<&'a Sentence> {
    sheet.story.sentences.iter().find(|sentence| sentence.message == index)
}
