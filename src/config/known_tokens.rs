use super::{KnownToken, Network, Networks};
use crate::domain::{ChainId, Denom};

/// Tokens of the user's network and of the registry: both win over a router's list.
#[derive(Clone, Debug, Default)]
pub struct KnownTokens {
    /// Chain of the user's network, with its tokens.
    own: Option<(ChainId, Vec<KnownToken>)>,
}

impl KnownTokens {
    pub fn of(network: &Network) -> Self {
        let chain = network.chain_id.as_deref().map(ChainId::new);
        Self { own: chain.map(|chain| (chain, network.tokens.clone())) }
    }

    /// Returns the tokens of the user's network on a chain.
    pub fn own(&self, chain: &ChainId) -> &[KnownToken] {
        self.own.as_ref().filter(|(own, _)| own == chain).map_or(&[], |(_, tokens)| tokens)
    }

    /// Returns all known tokens of a chain, the user's first.
    pub fn all<'a>(&'a self, chain: &ChainId) -> impl Iterator<Item = &'a KnownToken> + use<'a> {
        let (registered, id) = (Networks::built_in().all().iter(), chain.clone());
        let registered = registered.filter(move |network| network.chain_id.as_deref() == Some(id.as_str()));
        self.own(chain).iter().chain(registered.flat_map(|network| &network.tokens))
    }

    /// Returns a chain's token; hex digits of the denom match in either case.
    pub fn token(&self, chain: &ChainId, denom: &Denom) -> Option<&KnownToken> {
        self.all(chain).find(|token| token.denom.eq_ignore_ascii_case(denom.as_str()))
    }
}
