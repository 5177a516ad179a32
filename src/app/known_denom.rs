use crate::{
    domain::Denom,
    widgets::picker::{Pickable, Picker, SearchText},
};

/// How a denom came to be known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// In the fees of so many loaded blocks.
    pub(crate) blocks: usize,
    /// In the fees and events of so many of the newest loaded transactions.
    pub(crate) txs: usize,
    /// In the network file.
    pub(crate) is_listed: bool,
    /// In the router's list.
    pub(crate) is_routed: bool,
    /// Typed in this session.
    pub(crate) is_typed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownDenom {
    /// As the chain writes it.
    pub(crate) denom: Denom,
    /// Its symbol, where the network's list or the router's has one; hostile text.
    pub(crate) symbol: Option<String>,
    /// Decimals of its display unit, where these lists have them.
    pub(crate) decimals: Option<u8>,
    pub(crate) seen: Seen,
}

/// How closely one looks for denoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DenomSearchDepth {
    /// At the newest blocks, as for every key that is typed.
    Glance,
    /// At all blocks and at many transactions, as for a list to choose from.
    Search,
    /// The same, where anything was loaded since such a look.
    SearchNews,
}

impl KnownDenom {
    /// Its symbol, else the denom in short; hostile text.
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

/// What was typed as a denom, where it can be one and is not known as such.
pub(crate) fn typed_denom(picker: &Picker<KnownDenom>) -> Option<KnownDenom> {
    let text = picker.text();
    let is_known = || picker.choices().iter().any(|known| known.denom.as_str() == text);
    let seen = Seen { is_typed: true, ..Seen::default() };
    let typed = || KnownDenom { denom: Denom::new(text), symbol: None, decimals: None, seen };
    (Denom::is_fit(text) && !is_known()).then(typed)
}
