use super::{KnownToken, Network, Networks};
use crate::domain::{ChainId, Denom};

/// Tokens of the user's network, of the other networks of the settings, and of the registry: all win over a router's
/// list.
#[derive(Clone, Debug, Default)]
pub struct KnownTokens {
    /// Chain of the user's network, with its tokens.
    own: Option<(ChainId, Vec<KnownToken>)>,
    /// Chains of the other networks with their tokens, the most trusted first.
    named: Vec<(ChainId, Vec<KnownToken>)>,
}

impl KnownTokens {
    /// Returns the tokens of all networks; `own` is the one that the user chose.
    pub fn new(networks: &Networks, own: Option<&Network>) -> Self {
        let of = |network: &Network| {
            let chain = network.chain_id.as_deref().map(ChainId::new)?;
            Some((chain, network.tokens.clone()))
        };
        Self { own: own.and_then(of), named: networks.or_built_in().all().iter().rev().filter_map(of).collect() }
    }

    /// Returns the tokens of the user's network on a chain.
    pub fn own(&self, chain: &ChainId) -> &[KnownToken] {
        self.own.as_ref().filter(|(own, _)| own == chain).map_or(&[], |(_, tokens)| tokens)
    }

    /// Returns all known tokens of a chain, the user's first.
    pub fn all<'a>(&'a self, chain: &ChainId) -> impl Iterator<Item = &'a KnownToken> + use<'a> {
        let id = chain.clone();
        let named = self.named.iter().filter(move |(chain, _)| *chain == id);
        self.own(chain).iter().chain(named.flat_map(|(_, tokens)| tokens))
    }

    /// Returns a chain's token; hex digits of the denom match in either case.
    pub fn token(&self, chain: &ChainId, denom: &Denom) -> Option<&KnownToken> {
        self.all(chain).find(|token| token.denom.eq_ignore_ascii_case(denom.as_str()))
    }

    /// Whether a known token of the chain has this symbol.
    pub fn has_symbol(&self, chain: &ChainId, symbol: &str) -> bool {
        self.all(chain).any(|token| token.symbol.eq_ignore_ascii_case(symbol))
    }
}
