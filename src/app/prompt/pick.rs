//! Picker of a chain or an asset.

use crate::{
    config::{DEMO, Network, Networks},
    domain::text,
    widgets::picker::{Pickable, Picker, SearchText},
};

/// Maximum bytes of a typed network: a link has some hundred.
const LONGEST_NETWORK: usize = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PickPurpose {
    SourceChain,
    SourceAsset,
    DestinationChain,
    DestinationAsset,
    /// Network to show instead of this one.
    Network,
    /// Network that a link or file describes.
    OfferedNetwork,
    /// Fault of the embedded rollup, to start or end.
    Fault,
}

/// Returns the question for another network, with this text typed. Kept networks come first, and the first is marked.
pub(in crate::app) fn pick_network(networks: &Networks, kept: Vec<PickChoice>, present: &Network, text: &str) -> Pick {
    let choice = |name: &str, detail: &str| PickChoice {
        label: text::clean(name).into_owned(),
        detail: text::clean(detail).into_owned(),
        value: name.to_owned(),
    };
    let named =
        networks.all().iter().map(|network| choice(&network.name, network.chain_id.as_deref().unwrap_or_default()));
    let named = named.chain([choice(DEMO, "the embedded rollup")]);
    let others: Vec<_> = named.filter(|choice| kept.iter().all(|kept| kept.value != choice.value)).collect();
    let marked = kept.first().map_or_else(|| present.name.clone(), |kept| kept.value.clone());
    let mut pick = Pick::new(PickPurpose::Network, "Network", [kept, others].concat(), &marked);
    if !text.is_empty() {
        pick.picker = pick.picker.with_text(text.to_owned());
        pick.picker.search();
    }
    pick
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PickChoice {
    /// Label, without control characters.
    pub(crate) label: String,
    /// Detail, without control characters.
    pub(crate) detail: String,
    /// Chain ID or denom.
    pub(crate) value: String,
}

impl Pickable for PickChoice {
    fn texts(&self) -> Vec<SearchText<'_>> {
        let detail = SearchText::Id(self.detail.as_str().into());
        vec![SearchText::Name(self.label.as_str().into()), SearchText::Id(self.value.as_str().into()), detail]
    }
}

#[derive(Debug)]
pub(crate) struct Pick {
    pub(crate) purpose: PickPurpose,
    pub(crate) title: String,
    pub(crate) picker: Picker<PickChoice>,
    /// Reason why nothing can be chosen now.
    pub(crate) refusal: Option<String>,
    /// Lines below the choices.
    pub(crate) notes: Vec<String>,
}

impl Pick {
    pub(crate) fn new(purpose: PickPurpose, title: impl Into<String>, choices: Vec<PickChoice>, present: &str) -> Self {
        let picker = Picker::new(choices).marking(|choice| choice.value == present);
        Self { purpose, title: title.into(), picker, refusal: None, notes: Vec::new() }
    }

    /// Offers the typed text as a choice, since routers support more than they list.
    pub(super) fn read_typed(&mut self) {
        let text = self.picker.text();
        let is_known = self.picker.choices().iter().any(|choice| choice.value == text);
        let longest = if self.purpose == PickPurpose::Network { LONGEST_NETWORK } else { 128 };
        let is_fit = !text.is_empty() && text.len() <= longest && !text.contains(char::is_whitespace);
        let typed = || PickChoice { label: String::new(), detail: String::new(), value: text.to_owned() };
        let typed = (is_fit && !is_known).then(typed);
        self.picker.set_typed(typed);
    }
}
