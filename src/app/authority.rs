//! Who may say what of a chain: the user's network, the other networks of the settings, the registry, and last the
//! router, which proves nothing.

use crate::{
    config::{DEMO, KnownTokens, Network, Networks, shown_url},
    domain::{ChainId, ContractRole, Denom, text::clean},
    signing::{ChainTrust, ContractSource, FeeUnit, KnownContracts},
    story::routed_symbol,
    wire::router::{Asset, ChainInfo, DemoInfo},
};

const TOKEN_PORT: &str = "transfer";

/// Network that the user chose, and the chain of its indexer or node, if known.
#[derive(Clone, Copy, Debug)]
pub struct OwnNetwork<'a> {
    pub network: &'a Network,
    pub chain: Option<&'a ChainId>,
}

/// Judge of statements about chains.
#[derive(Clone, Copy, Debug)]
pub struct Authority<'a> {
    /// Registry with the settings of all networks.
    pub networks: &'a Networks,
    pub own: Option<OwnNetwork<'a>>,
    /// Whether the user's own server simulates chains under the ids of real ones, so that the registry's servers are of
    /// other chains: see [`is_own_simulation`].
    pub is_simulated: bool,
}

impl<'a> Authority<'a> {
    /// Returns the networks of a chain, the most trusted first.
    fn of(&self, chain: &ChainId) -> impl Iterator<Item = &'a Network> + use<'a> {
        let (id, all) = (chain.clone(), self.networks.all());
        let named = all.iter().rev().filter(move |network| network.chain_id.as_deref() == Some(id.as_str()));
        self.here(chain).into_iter().chain(named)
    }

    /// Returns the user's network if it is this chain's.
    fn here(&self, chain: &ChainId) -> Option<&'a Network> {
        self.own.filter(|own| own.chain == Some(chain)).map(|own| own.network)
    }

    /// Returns servers, fees and name of a chain that no router told. `listed` is the router's entry, whose servers
    /// count if the user's own indexer serves them, as the embedded rollup does.
    pub fn trust(&self, chain: &ChainId, listed: Option<&ChainInfo>) -> ChainTrust {
        let here = self.here(chain);
        let servers = || self.of(chain).filter(|network| !self.is_simulated || here.is_some_and(|own| own == *network));
        let rest_of = |network: &Network| network.node.as_ref()?.rest.clone();
        let json_rpc_of = |network: &Network| network.node.as_ref()?.json_rpc.clone();
        let rpc_of = |network: &Network| {
            let node = network.node.as_ref()?;
            // With the other URLs set, the node is the RPC.
            (node.rest.is_some() && node.rest.as_ref() != Some(&node.node)).then(|| node.node.clone())
        };
        let indexer_of = |network: &Network| Some(network.indexer.clone()).filter(|url| !url.is_empty());
        let served = |url: fn(&ChainInfo) -> &String| {
            listed.map(url).filter(|url| self.own.is_some_and(|own| is_within(url, &own.network.indexer))).cloned()
        };
        let fees = self.of(chain).map(|network| &network.fees).find(|fees| !fees.is_empty());
        ChainTrust {
            name: self.name(chain).map(str::to_owned),
            rpc: here.and_then(rpc_of).or_else(|| served(|it| &it.rpc)).or_else(|| servers().find_map(rpc_of)),
            rest: here.and_then(rest_of).or_else(|| served(|it| &it.rest)).or_else(|| servers().find_map(rest_of)),
            json_rpc: here
                .and_then(json_rpc_of)
                .or_else(|| served(|it| &it.json_rpc))
                .or_else(|| servers().find_map(json_rpc_of)),
            indexer: servers().find_map(indexer_of),
            fees: fees.cloned().unwrap_or_default(),
        }
    }

    /// Returns the name that settings or registry give a chain.
    pub fn name(&self, chain: &ChainId) -> Option<&'a str> {
        // A network without a name is called by its server.
        let is_named = |network: &&Network| {
            let node = network.node.as_ref().map(|node| shown_url(&node.node));
            !network.name.is_empty() && !network.is_unnamed() && node != Some(network.name.as_str())
        };
        self.of(chain).find(is_named).map(|network| network.name.as_str())
    }

    /// Returns a rollup's L1 and its bridge's id there.
    pub fn settlement(&self, rollup: &ChainId) -> (Option<ChainId>, Option<u64>) {
        let l1 = self.of(rollup).find_map(|network| network.l1.as_deref()).map(ChainId::new);
        (l1, self.of(rollup).find_map(|network| network.bridge_id))
    }

    /// Returns the registry with wrappers, bridges, channels and tokens of all networks. The more trusted win.
    pub fn known_contracts(&self) -> KnownContracts {
        let named = self.networks.all().iter();
        let named = named.filter_map(|network| Some((network, ChainId::new(network.chain_id.as_deref()?))));
        let own = self.own.and_then(|own| Some((own.network, own.chain?.clone())));
        named
            .chain(own)
            .fold(KnownContracts::built_in().clone(), |known, (network, chain)| known_of(known, network, &chain))
    }
}

/// Whether a router's description of itself as a simulation counts: it has the origin of the user's own indexer, and
/// its chain, or the user chose the embedded rollup.
pub fn is_own_simulation(router: &str, network: &Network, info: &DemoInfo) -> bool {
    let is_own_chain =
        network.chain_id.as_deref().is_none_or(|chain| info.chain_id.is_empty() || chain == info.chain_id);
    network.name == DEMO || !network.indexer.is_empty() && origin(router) == origin(&network.indexer) && is_own_chain
}

/// Returns scheme, host and port of a URL.
fn origin(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    Some(format!("{scheme}://{}", rest.split(['/', '?', '#']).next()?).to_ascii_lowercase())
}

/// Whether a URL is of the server at this base URL.
fn is_within(url: &str, base: &str) -> bool {
    let rest = url.strip_prefix(base).filter(|_| !base.is_empty());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the display units of a chain's denoms: the known ones, then those of the router's list.
pub fn fee_units<'a>(known: &KnownTokens, chain: &ChainId, listed: impl Iterator<Item = &'a Asset>) -> Vec<FeeUnit> {
    let unit = |denom: &str, symbol: &str, decimals, is_routed| FeeUnit {
        denom: Denom::new(denom),
        symbol: clean(symbol).into_owned(),
        decimals,
        is_routed,
    };
    let listed = listed.filter(|asset| known.token(chain, &asset.denom).is_none());
    let listed = listed.filter_map(|asset| {
        let symbol = routed_symbol(asset.symbol.as_received()).filter(|symbol| !known.has_symbol(chain, symbol))?;
        Some(unit(asset.denom.as_str(), symbol, asset.decimals?, true))
    });
    known.all(chain).map(|token| unit(&token.denom, &token.symbol, token.decimals, false)).chain(listed).collect()
}

fn known_of(known: KnownContracts, network: &Network, chain: &ChainId) -> KnownContracts {
    let known = match network.bridge_id {
        Some(bridge_id) => known.with_bridge(chain.clone(), bridge_id),
        None => known,
    };
    let known = match &network.l1 {
        Some(l1) => known.with_l1(chain.clone(), ChainId::new(l1.as_str())),
        None => known,
    };
    let channels = network.channels.iter().filter(|channel| channel.port == TOKEN_PORT);
    let known = channels.fold(known, |known, channel| {
        known.with_channel(chain.clone(), &channel.channel, ChainId::new(channel.chain.as_str()))
    });
    let known = network
        .tokens
        .iter()
        .fold(known, |known, token| known.with_decimals(chain.clone(), &token.denom, token.decimals));
    let wrappers = network.accounts.iter().filter(|account| account.role == Some(ContractRole::Wrapper));
    wrappers.fold(known, |known, wrapper| {
        known.with(chain.clone(), wrapper.address, &wrapper.name, ContractSource::Registry)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{config::NodeLocation, domain::GasPrice};

    fn listed(rest: &str) -> ChainInfo {
        let info = serde_json::json!({"chain_id": "interwoven-1", "chain_type": "cosmos", "rest": rest});
        serde_json::from_value(info).unwrap()
    }

    #[test]
    fn the_persons_own_server_comes_before_the_registrys_and_the_routers_never_counts() {
        let l1 = ChainId::new("interwoven-1");
        let trust = |own, listed, is_simulated| {
            Authority { networks: Networks::built_in(), own, is_simulated }.trust(&l1, listed)
        };
        let of_router = listed("https://evil.example/rest");
        let alone = trust(None, Some(&of_router), false);
        assert_eq!(alone.rest.as_deref(), Some("https://rest.initia.xyz"));
        let price = GasPrice::new(crate::domain::Denom::new("uinit"), "0.015").unwrap();
        assert_eq!(alone.fees.first(), Some(&price.into()));
        let simulated = trust(None, Some(&of_router), true);
        assert_eq!((simulated.rest, simulated.indexer, simulated.fees), (None, None, alone.fees));
        let node = NodeLocation { rest: Some("http://mine/rest".to_owned()), ..NodeLocation::default() };
        let mine = Network { node: Some(node), indexer: "http://mine".to_owned(), ..Network::default() };
        let own = |chain| Some(OwnNetwork { network: &mine, chain });
        assert_eq!(trust(own(Some(&l1)), Some(&of_router), false).rest.as_deref(), Some("http://mine/rest"));
        assert_eq!(trust(own(None), Some(&of_router), true).rest, None, "the node is of another chain");
        let servers = [("http://mine/node/rest", true), ("http://mine", true), ("http://mine.evil/rest", false)]
            .map(|(rest, is_own)| (listed(rest), is_own));
        for (server, is_own) in &servers {
            let found = trust(own(None), Some(server), true);
            assert_eq!(found.rest.is_some(), *is_own, "{:?}", server.rest);
        }
    }

    #[test]
    fn a_router_cannot_name_a_chain_after_a_network() {
        let judge = Authority { networks: Networks::built_in(), own: None, is_simulated: false };
        assert_eq!(judge.trust(&ChainId::new("initia"), None), ChainTrust::default());
    }

    #[test]
    fn a_simulation_counts_only_from_the_persons_own_server() {
        let info = |chain: &str| DemoInfo { chain_id: chain.to_owned(), ..DemoInfo::default() };
        let mine = Network {
            name: "mine".to_owned(),
            chain_id: Some("mine-1".to_owned()),
            indexer: "http://127.0.0.1:8080/api".to_owned(),
            ..Network::default()
        };
        assert!(is_own_simulation("http://127.0.0.1:8080", &mine, &info("mine-1")));
        for (router, chain) in [
            ("http://127.0.0.1:8081", "mine-1"),
            ("https://127.0.0.1:8080", "mine-1"),
            ("http://127.0.0.1:8080", "other-1"),
            ("http://127.0.0.1:8080.evil.example", "mine-1"),
            ("127.0.0.1:8080", "mine-1"),
        ] {
            assert!(!is_own_simulation(router, &mine, &info(chain)), "{router} {chain}");
        }
        let no_indexer = Network { indexer: String::new(), ..mine };
        assert!(!is_own_simulation("", &no_indexer, &info("mine-1")));
        let embedded = Network { name: DEMO.to_owned(), ..no_indexer };
        assert!(is_own_simulation("http://127.0.0.1:9", &embedded, &info("mine-1")));
    }
}
