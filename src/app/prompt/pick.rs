//! Choosing one of many by typing a part of it: a chain, an asset.

use crate::widgets::picker::{Pickable, Picker, SearchText};

/// What is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PickPurpose {
    SourceChain,
    SourceAsset,
    DestinationChain,
    DestinationAsset,
}

/// One of many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PickChoice {
    /// What it is called; cleaned.
    pub(crate) label: String,
    /// More on it, in muted letters; cleaned.
    pub(crate) detail: String,
    /// What it is: a chain's id, a denom.
    pub(crate) value: String,
}

impl Pickable for PickChoice {
    fn texts(&self) -> Vec<SearchText<'_>> {
        let detail = SearchText::Id(self.detail.as_str().into());
        vec![SearchText::Name(self.label.as_str().into()), SearchText::Id(self.value.as_str().into()), detail]
    }
}

/// Choosing one of them.
#[derive(Debug)]
pub(crate) struct Pick {
    pub(crate) purpose: PickPurpose,
    pub(crate) title: String,
    pub(crate) picker: Picker<PickChoice>,
}

impl Pick {
    /// With all of them, the present one marked.
    pub(crate) fn new(purpose: PickPurpose, title: impl Into<String>, choices: Vec<PickChoice>, present: &str) -> Self {
        let picker = Picker::new(choices).marking(|choice| choice.value == present);
        Self { purpose, title: title.into(), picker }
    }

    /// What was typed can be chosen where it is not one of them: routers know more than they list.
    pub(super) fn read_typed(&mut self) {
        let text = self.picker.text();
        let is_known = self.picker.choices().iter().any(|choice| choice.value == text);
        let is_fit = !text.is_empty() && text.len() <= 128 && !text.contains(char::is_whitespace);
        let typed = || PickChoice { label: String::new(), detail: String::new(), value: text.to_owned() };
        let typed = (is_fit && !is_known).then(typed);
        self.picker.set_typed(typed);
    }
}
