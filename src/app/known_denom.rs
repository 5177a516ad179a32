use crate::{
    domain::Denom,
    widgets::picker::{Pickable, Picker, SearchText},
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Number of loaded blocks with the denom in their fees.
    pub(crate) blocks: usize,
    /// Number of loaded transactions with the denom in fees or events.
    pub(crate) txs: usize,
    /// Best of the lists that have the denom.
    pub(crate) listed_by: Option<DenomLister>,
    pub(crate) is_typed: bool,
}

/// List that has a denom, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DenomLister {
    /// The network file.
    Network,
    /// The supply of the chain's bank.
    Supply,
    Router,
}

impl Seen {
    pub(crate) fn list(&mut self, by: DenomLister) {
        self.listed_by = Some(self.listed_by.map_or(by, |known| known.min(by)));
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownDenom {
    /// Denom, as the chain writes it.
    pub(crate) denom: Denom,
    /// Symbol from the network file or the router; untrusted text.
    pub(crate) symbol: Option<String>,
    /// Decimals of the display unit, from the network file or the router.
    pub(crate) decimals: Option<u8>,
    pub(crate) seen: Seen,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DenomSearchDepth {
    /// Only the newest blocks: fast enough for every key press.
    Glance,
    /// All blocks and many transactions, for the picker.
    Search,
    /// Like [`Search`](Self::Search), but only after new records loaded.
    SearchNews,
}

impl KnownDenom {
    /// Returns the symbol without the quotes around a name that the chain tells; untrusted text.
    pub(crate) fn bare_symbol(&self) -> Option<&str> {
        self.symbol.as_deref().map(|symbol| symbol.trim_matches(['“', '”']))
    }

    /// Returns the symbol, else the shortened denom; untrusted text.
    pub(crate) fn name(&self) -> String {
        self.symbol.clone().unwrap_or_else(|| self.denom.short())
    }
}

impl Pickable for KnownDenom {
    fn texts(&self) -> Vec<SearchText<'_>> {
        let symbol = self.symbol.as_deref().map(|symbol| SearchText::Name(symbol.into()));
        symbol.into_iter().chain([SearchText::Id(self.denom.as_str().into())]).collect()
    }
}

/// Returns the typed text as a denom, if it is a valid one that the picker does not list.
pub(crate) fn typed_denom(picker: &Picker<KnownDenom>) -> Option<KnownDenom> {
    let text = picker.text();
    let is_known = || picker.choices().iter().any(|known| known.denom.as_str() == text);
    let seen = Seen { is_typed: true, ..Seen::default() };
    let typed = || KnownDenom { denom: Denom::new(text), symbol: None, decimals: None, seen };
    (Denom::is_fit(text) && !is_known()).then(typed)
}
