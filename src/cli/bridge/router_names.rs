use std::{collections::HashMap, time::Duration};

use futures_util::future::join_all;

use super::Router;
use crate::{
    app::{Authority, OwnNetwork, fee_units},
    config::KnownTokens,
    domain::{
        Amount, ChainId, Denom,
        text::{clean, group_digits},
    },
    signing::FeeUnit,
    story::{Names, UnitSource, known_chain, routed_symbol, settled_name},
    wire::{
        ApiError,
        router::{Asset, ChainInfo},
    },
};

/// Maximum chains in a request.
const CHAINS: usize = 16;
/// Maximum columns of a chain's name.
const NAME: usize = 40;

const PATIENCE: Duration = Duration::from_secs(3);

/// Returns a response that arrives within the time limit and succeeds.
async fn in_time<T>(answer: impl Future<Output = Result<T, ApiError>>) -> Option<T> {
    tokio::time::timeout(PATIENCE, answer).await.ok()?.ok()
}

/// Names of chains and tokens from the router. Unlisted chains and tokens show their ids.
#[derive(Default)]
pub(super) struct RouterNames {
    chains: HashMap<ChainId, ChainInfo>,
    assets: HashMap<ChainId, Vec<Asset>>,
    known: KnownTokens,
    /// Names of chains by the settings and the registry.
    settled: HashMap<ChainId, String>,
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
        let known = KnownTokens::new(&router.networks, router.network.as_ref());
        let own_chain = router.network.as_ref().and_then(|network| network.chain_id.as_deref()).map(ChainId::new);
        let own = router.network.as_ref().map(|network| OwnNetwork { network, chain: own_chain.as_ref() });
        let judge = Authority { networks: &router.networks, own, is_simulated: false };
        let name = |chain: &ChainId| Some((chain.clone(), judge.name(chain)?.to_owned()));
        let settled = wanted.iter().filter_map(name).collect();
        let Ok(client) = router.client() else { return Self { known, settled, ..Self::default() } };
        let assets = wanted.iter().map(|chain| in_time(client.assets(std::slice::from_ref(chain))));
        let (chains, lists) = tokio::join!(in_time(client.chains()), join_all(assets));
        let chains = chains.unwrap_or_default().into_iter().map(|chain| (chain.chain_id.clone(), chain)).collect();
        let lists = lists.into_iter().flatten().flat_map(|answer| answer.chain_to_assets_map);
        let assets = lists.map(|(chain, list)| (chain, list.assets)).collect();
        Self { chains, assets, known, settled }
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
        match self.chains.get(chain).and_then(ChainInfo::name) {
            Some(name) if name.as_received() != chain.as_str() => {
                format!("{} ({})", name.clipped(NAME), clean(chain.as_str()))
            }
            _ => clean(chain.as_str()).into_owned(),
        }
    }

    /// Returns the display units of a chain's known and listed assets.
    pub(super) fn units(&self, chain: &ChainId) -> Vec<FeeUnit> {
        fee_units(&self.known, chain, self.assets.get(chain).into_iter().flatten())
    }

    pub(super) fn listed_decimals(&self, chain: &ChainId, denom: &Denom) -> Option<u8> {
        self.asset(chain, denom)?.decimals
    }

    /// Returns the router's symbol of a denom that no other source knows.
    fn routed_symbol(&self, chain: &ChainId, denom: &Denom) -> Option<&str> {
        let symbol = routed_symbol(self.asset(chain, denom)?.symbol.as_received())?;
        Some(symbol).filter(|symbol| !self.known.has_symbol(chain, symbol))
    }

    fn decimals(&self, chain: &ChainId, denom: &Denom) -> Option<u8> {
        let known = self.known.token(chain, denom).map(|token| token.decimals);
        known.or_else(|| self.listed_decimals(chain, denom).filter(|_| self.routed_symbol(chain, denom).is_some()))
    }

    fn asset(&self, chain: &ChainId, denom: &Denom) -> Option<&Asset> {
        self.assets.get(chain)?.iter().find(|asset| asset.denom.is_same(denom))
    }
}

impl Names for RouterNames {
    fn chain(&self, chain: &ChainId) -> String {
        let listed = || Some(self.chains.get(chain)?.name()?.clipped(NAME));
        let name = known_chain(chain).map(str::to_owned).or_else(listed);
        name.unwrap_or_else(|| clean(chain.as_str()).into_owned())
    }

    fn settled_chain(&self, chain: &ChainId) -> Option<String> {
        let listed = self.chains.get(chain).and_then(ChainInfo::name);
        settled_name(chain, self.settled.get(chain).map(String::as_str), listed)
    }

    fn amount(&self, chain: &ChainId, denom: &Denom, amount: Amount) -> String {
        if let Some(decimals) = self.decimals(chain, denom) {
            format!("{} {}", amount.display(decimals), self.denom(chain, denom))
        } else {
            let amount = group_digits(&amount.to_string());
            format!("{amount} smallest units of {}", self.denom(chain, denom))
        }
    }

    fn unit_source(&self, chain: &ChainId, denom: &Denom) -> UnitSource {
        let known = self.known.token(chain, denom).is_some();
        UnitSource::of(known, self.decimals(chain, denom).is_some())
    }

    fn denom(&self, chain: &ChainId, denom: &Denom) -> String {
        if let Some(token) = self.known.token(chain, denom) {
            return clean(&token.symbol).into_owned();
        }
        self.routed_symbol(chain, denom).map_or_else(|| denom.short(), str::to_owned)
    }
}
