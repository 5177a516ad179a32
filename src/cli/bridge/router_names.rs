use std::{collections::HashMap, time::Duration};

use futures_util::future::join_all;

use super::Router;
use crate::{
    config::{KnownToken, Network, Networks},
    domain::{
        Amount, ChainId, Denom,
        text::{clean, group_digits},
    },
    signing::FeeUnit,
    story::{Names, known_chain},
    wire::{
        ApiError,
        router::{Asset, ChainInfo},
    },
};

/// Maximum chains in a request.
const CHAINS: usize = 16;

/// Time limit for a list of names.
const PATIENCE: Duration = Duration::from_secs(3);

/// Returns a response that arrives within the time limit and succeeds.
async fn in_time<T>(answer: impl Future<Output = Result<T, ApiError>>) -> Option<T> {
    tokio::time::timeout(PATIENCE, answer).await.ok()?.ok()
}

/// Names of chains and tokens from the router. Unlisted chains and tokens show their ids.
#[derive(Default)]
pub(super) struct RouterNames {
    chains: HashMap<ChainId, ChainInfo>,
    assets: HashMap<(ChainId, Denom), Asset>,
    /// Tokens of the chosen network, which win over all lists.
    own: HashMap<(ChainId, String), KnownToken>,
}

impl RouterNames {
    /// Requests the router's lists for these chains. Names are optional: a failure only omits names, and the time limit
    /// is short.
    pub(super) async fn fetch(router: &Router, chains: &[ChainId]) -> Self {
        if chains.is_empty() {
            return Self::default();
        }
        let mut wanted = chains.to_vec();
        wanted.sort();
        wanted.dedup();
        wanted.truncate(CHAINS);
        // One request per chain, so that a failure loses the names of one chain only.
        let assets = wanted.iter().map(|chain| in_time(router.client.assets(std::slice::from_ref(chain))));
        let (chains, lists) = tokio::join!(in_time(router.client.chains()), join_all(assets));
        let chains = chains.unwrap_or_default().into_iter().map(|chain| (chain.chain_id.clone(), chain)).collect();
        let lists = lists.into_iter().flatten().flat_map(|answer| answer.chain_to_assets_map);
        let assets = lists.flat_map(|(chain, list)| {
            list.assets.into_iter().map(move |asset| ((chain.clone(), asset.denom.clone()), asset))
        });
        let own = router.network.iter().flat_map(own_tokens).collect();
        Self { chains, assets: assets.collect(), own }
    }

    /// Returns the router's entry of a chain; `None` if not listed.
    pub(super) fn info(&self, chain: &ChainId) -> Option<&ChainInfo> {
        self.chains.get(chain)
    }

    /// Returns the REST URLs of the listed chains that are L1s with optimistic bridges.
    pub(super) fn l1s(&self) -> Vec<(ChainId, String)> {
        let hosts = self.chains.values().filter(|chain| self.is_settlement(&chain.chain_id) && !chain.rest.is_empty());
        let mut l1s: Vec<(ChainId, String)> = hosts.map(|chain| (chain.chain_id.clone(), chain.rest.clone())).collect();
        l1s.sort();
        l1s
    }

    /// Formats name and id of a chain, such as `Initia (interwoven-1)`.
    pub(super) fn full_chain(&self, chain: &ChainId) -> String {
        match self.chains.get(chain).map(ChainInfo::name) {
            Some(name) if name != chain.as_str() => format!("{} ({})", clean(name), clean(chain.as_str())),
            _ => clean(chain.as_str()).into_owned(),
        }
    }

    /// Returns the display units of a chain's listed assets.
    pub(super) fn units(&self, chain: &ChainId) -> Vec<FeeUnit> {
        let here = self.assets.iter().filter(|((on, _), asset)| on == chain && !asset.symbol.is_empty());
        let unit = |((_, denom), asset): (&(ChainId, Denom), &Asset)| {
            let (decimals, denom) = (self.decimals(chain, denom)?, denom.clone());
            Some(FeeUnit { denom, symbol: clean(&asset.symbol).into_owned(), decimals })
        };
        here.filter_map(unit).collect()
    }

    /// Returns the decimals in the router's list.
    pub(super) fn listed_decimals(&self, chain: &ChainId, denom: &Denom) -> Option<u8> {
        self.asset(chain, denom)?.decimals
    }

    /// Returns a token of the settings or the registry.
    fn known(&self, chain: &ChainId, denom: &Denom) -> Option<&KnownToken> {
        let own = self.own.get(&(chain.clone(), denom.as_str().to_ascii_lowercase()));
        own.or_else(|| Networks::built_in().token(chain, denom))
    }

    fn decimals(&self, chain: &ChainId, denom: &Denom) -> Option<u8> {
        let known = self.known(chain, denom).map(|token| token.decimals);
        known.or_else(|| self.listed_decimals(chain, denom))
    }

    fn asset(&self, chain: &ChainId, denom: &Denom) -> Option<&Asset> {
        self.assets.get(&(chain.clone(), denom.clone()))
    }
}

/// Returns the tokens of a network's own chain, by denom in lower case.
fn own_tokens(network: &Network) -> impl Iterator<Item = ((ChainId, String), KnownToken)> {
    let chain = network.chain_id.as_deref().map(ChainId::new);
    network
        .tokens
        .iter()
        .filter_map(move |token| Some(((chain.clone()?, token.denom.to_ascii_lowercase()), token.clone())))
}

impl Names for RouterNames {
    fn chain(&self, chain: &ChainId) -> String {
        let named = self.chains.get(chain).map(ChainInfo::name).filter(|name| *name != chain.as_str());
        let name = named.or_else(|| known_chain(chain)).unwrap_or(chain.as_str());
        clean(name).into_owned()
    }

    fn amount(&self, chain: &ChainId, denom: &Denom, amount: Amount) -> String {
        if let Some(decimals) = self.decimals(chain, denom) {
            format!("{} {}", amount.display(decimals), self.denom(chain, denom))
        } else {
            let amount = group_digits(&amount.to_string());
            format!("{amount} smallest units of {}", self.denom(chain, denom))
        }
    }

    fn denom(&self, chain: &ChainId, denom: &Denom) -> String {
        if let Some(token) = self.known(chain, denom) {
            return clean(&token.symbol).into_owned();
        }
        match self.asset(chain, denom).map(|asset| clean(&asset.symbol)) {
            Some(symbol) if !symbol.is_empty() => symbol.into_owned(),
            _ => denom.short(),
        }
    }
}
