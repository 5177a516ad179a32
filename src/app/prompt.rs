//! Questions of a page: a search text, a line, one or several choices. The page gets the answer.

mod entry;
mod pick;

pub(crate) use entry::{Entry, EntryPurpose};
pub(super) use pick::pick_network;
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
    /// Text to search in a document (`f`).
    Find(Input),
    /// Name or ID to search in a list of NFTs (`f`), with the prompt.
    Search(&'static str, Input),
    /// Message types to filter transactions by (`f`).
    Types(Picker<TypeChoice>),
    /// Denom for the rich list (`f`).
    Denoms(Picker<KnownDenom>),
    /// Line for a bridge page.
    Entry(Entry),
    /// Chain or asset for a bridge page.
    Pick(Pick),
}

impl Prompt {
    pub(crate) fn search(prompt: &'static str, text: Option<&str>) -> Self {
        Self::Search(prompt, Input::new(text.unwrap_or_default().to_owned()))
    }

    pub(super) fn picker_mut(&mut self) -> Option<&mut dyn AnyPicker> {
        match self {
            Self::Types(picker) => Some(picker),
            Self::Denoms(picker) => Some(picker),
            Self::Pick(pick) => Some(&mut pick.picker),
            Self::Find(_) | Self::Search(..) | Self::Entry(_) => None,
        }
    }

    /// Returns the text input; `None` for a prompt that has a picker.
    pub(super) fn input_mut(&mut self) -> Option<&mut Input> {
        match self {
            Self::Find(input) | Self::Search(_, input) => Some(input),
            Self::Entry(entry) => Some(&mut entry.input),
            Self::Types(_) | Self::Denoms(_) | Self::Pick(_) => None,
        }
    }

    /// Offers the typed text as a choice, if it is valid.
    pub(super) fn read_typed(&mut self) {
        match self {
            Self::Types(picker) => picker.set_typed(TypeChoice::typed(picker)),
            Self::Denoms(picker) => picker.set_typed(typed_denom(picker)),
            Self::Pick(pick) => pick.read_typed(),
            Self::Find(_) | Self::Search(..) | Self::Entry(_) => {}
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct TypeChoice {
    pub(crate) kind: MsgType,
    /// Number of loaded transactions that have this type.
    pub(crate) seen: usize,
}

impl TypeChoice {
    /// Returns the typed text as a type, if it looks like a full name that the picker does not list.
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CopyChoice {
    pub(crate) key: char,
    pub(crate) label: Cow<'static, str>,
    pub(crate) text: String,
    /// Request whose response body is copied instead of the text.
    pub(crate) asks: Option<Request>,
}

impl CopyChoice {
    /// Creates a choice of a value in one line, without control characters.
    pub(crate) fn value(key: char, label: impl Into<Cow<'static, str>>, text: String) -> Self {
        let text = if let Cow::Owned(cleaned) = text::clean(&text) { cleaned } else { text };
        Self { key, label: label.into(), text, asks: None }
    }

    /// Creates a choice that keeps its line breaks. The text must be escaped JSON, or values that contain none.
    pub(crate) fn document(key: char, label: impl Into<Cow<'static, str>>, text: String) -> Self {
        Self { key, label: label.into(), text, asks: None }
    }

    /// Creates a choice that requests a response body and copies it byte for byte.
    pub(crate) fn body(key: char, request: Request) -> Self {
        let text = "rollscope requests the body after your choice".to_owned();
        Self { key, label: "exact response body".into(), text, asks: Some(request) }
    }
}

impl Pickable for CopyChoice {
    fn texts(&self) -> Vec<SearchText<'_>> {
        Vec::new()
    }
}
