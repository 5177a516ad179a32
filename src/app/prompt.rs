//! What a page asks of a person: a text to find, a line, one or several of many. What is answered goes to the page.

mod entry;
mod pick;

pub(crate) use entry::{Entry, EntryPurpose};
pub(crate) use pick::{Pick, PickChoice, PickPurpose};

use std::borrow::Cow;

use tui_input::Input;

use super::known_denom::{KnownDenom, typed_denom};
use crate::{
    domain::{MsgType, text},
    msg::Request,
    widgets::picker::{AnyPicker, Pickable, Picker, SearchText},
};

#[derive(Debug)]
pub(crate) enum Prompt {
    /// `f` in a document: text to find.
    Find(Input),
    /// `f` in a list of NFTs: a name or an id, after these words.
    Search(&'static str, Input),
    /// `f` in a list of transactions: message types.
    Types(Picker<TypeChoice>),
    /// `f` in the rich list: a denom.
    Denoms(Picker<KnownDenom>),
    /// A line for a bridge screen.
    Entry(Entry),
    /// A chain or an asset for a bridge screen.
    Pick(Pick),
}

impl Prompt {
    /// What is picked in.
    pub(super) fn picker_mut(&mut self) -> Option<&mut dyn AnyPicker> {
        match self {
            Self::Types(picker) => Some(picker),
            Self::Denoms(picker) => Some(picker),
            Self::Pick(pick) => Some(&mut pick.picker),
            Self::Find(_) | Self::Search(..) | Self::Entry(_) => None,
        }
    }

    /// The line that is typed where nothing is picked.
    pub(super) fn input_mut(&mut self) -> Option<&mut Input> {
        match self {
            Self::Find(input) | Self::Search(_, input) => Some(input),
            Self::Entry(entry) => Some(&mut entry.input),
            Self::Types(_) | Self::Denoms(_) | Self::Pick(_) => None,
        }
    }

    /// What was typed as a choice of its own, where it can be one.
    pub(super) fn read_typed(&mut self) {
        match self {
            Self::Types(picker) => picker.set_typed(TypeChoice::typed(picker)),
            Self::Denoms(picker) => picker.set_typed(typed_denom(picker)),
            Self::Pick(pick) => pick.read_typed(),
            Self::Find(_) | Self::Search(..) | Self::Entry(_) => {}
        }
    }
}

/// A message type in the picker.
#[derive(Clone, Debug)]
pub(crate) struct TypeChoice {
    pub(crate) kind: MsgType,
    /// In how many transactions of this list it was seen.
    pub(crate) seen: usize,
}

impl TypeChoice {
    /// What was typed as a type, where it looks like a full name and is not among those seen.
    fn typed(picker: &Picker<Self>) -> Option<Self> {
        let text = picker.text();
        let is_known = picker.choices().iter().any(|choice| choice.kind.as_str() == text);
        let is_full = text.contains('.') && !text.contains(char::is_whitespace);
        (is_full && !is_known).then(|| Self { kind: MsgType::new(text), seen: 0 })
    }
}

impl Pickable for TypeChoice {
    fn texts(&self) -> Vec<SearchText<'_>> {
        vec![SearchText::Name(self.kind.short().into()), SearchText::Id(self.kind.as_str().into())]
    }
}

/// Something that can be copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CopyChoice {
    /// The key that chooses it.
    pub(crate) key: char,
    pub(crate) label: &'static str,
    pub(crate) text: String,
    /// What is asked for when it is chosen: its answer is copied, and the text only says so.
    pub(crate) asks: Option<Request>,
}

impl CopyChoice {
    /// One value, which may be anybody's text: one line.
    pub(crate) fn value(key: char, label: &'static str, text: String) -> Self {
        let text = if let Cow::Owned(cleaned) = text::clean(&text) { cleaned } else { text };
        Self { key, label, text, asks: None }
    }

    /// What keeps its lines: JSON, in which texts are escaped, or values of one line each.
    pub(crate) fn document(key: char, label: &'static str, text: String) -> Self {
        Self { key, label, text, asks: None }
    }

    /// The body that the server answers this request with, to the byte.
    pub(crate) fn body(key: char, request: Request) -> Self {
        let text = "asked for anew when this is chosen".to_owned();
        Self { key, label: "the server's answer, to the byte", text, asks: Some(request) }
    }
}

impl Pickable for CopyChoice {
    fn texts(&self) -> Vec<SearchText<'_>> {
        Vec::new()
    }
}
