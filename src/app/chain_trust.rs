//! Servers and fees of a chain that no router named.

use crate::{
    config::{Network, Networks},
    domain::ChainId,
    signing::ChainTrust,
    wire::router::ChainInfo,
};

/// Network that the user chose, and the chain of its indexer or node, if known.
#[derive(Clone, Copy, Debug)]
pub struct OwnNetwork<'a> {
    pub network: &'a Network,
    pub chain: Option<&'a ChainId>,
}

/// Returns what the user's network and the named networks know about a chain. `listed` is the router's entry, whose
/// servers count if the user's own indexer serves them, as the embedded rollup does. A simulation answers under the ids
/// of real chains, so the registry's servers are of other chains.
pub fn chain_trust(
    chain: &ChainId,
    (networks, own): (&Networks, Option<OwnNetwork<'_>>),
    listed: Option<&ChainInfo>,
    is_simulated: bool,
) -> ChainTrust {
    let here = own.filter(|own| own.chain == Some(chain)).map(|own| own.network);
    let mut registered = networks.all().iter();
    let registered = registered.find(|network| network.chain_id.as_deref() == Some(chain.as_str()));
    let servers = || here.into_iter().chain(registered.filter(|_| !is_simulated));
    let rest_of = |network: &Network| network.node.as_ref()?.rest.clone();
    let json_rpc_of = |network: &Network| network.node.as_ref()?.json_rpc.clone();
    let indexer_of = |network: &Network| Some(network.indexer.clone()).filter(|url| !url.is_empty());
    let served = |url: fn(&ChainInfo) -> &String| {
        listed.map(url).filter(|url| own.is_some_and(|own| is_within(url, &own.network.indexer))).cloned()
    };
    let fees = here.into_iter().chain(registered).map(|network| &network.fees).find(|fees| !fees.is_empty());
    ChainTrust {
        rest: here.and_then(rest_of).or_else(|| served(|it| &it.rest)).or_else(|| servers().find_map(rest_of)),
        json_rpc: here
            .and_then(json_rpc_of)
            .or_else(|| served(|it| &it.json_rpc))
            .or_else(|| servers().find_map(json_rpc_of)),
        indexer: servers().find_map(indexer_of),
        fees: fees.cloned().unwrap_or_default(),
    }
}

/// Whether a URL is of the server at this base URL.
fn is_within(url: &str, base: &str) -> bool {
    let rest = url.strip_prefix(base).filter(|_| !base.is_empty());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
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
        let trust = |own, listed, is_simulated| chain_trust(&l1, (Networks::built_in(), own), listed, is_simulated);
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
        for (rest, is_own) in [("http://mine/node/rest", true), ("http://mine", true), ("http://mine.evil/rest", false)]
        {
            let listed = listed(rest);
            let found = chain_trust(&l1, (Networks::built_in(), own(None)), Some(&listed), true);
            assert_eq!(found.rest.is_some(), is_own, "{rest}");
        }
    }

    #[test]
    fn a_router_cannot_name_a_chain_after_a_network() {
        assert_eq!(
            chain_trust(&ChainId::new("initia"), (Networks::built_in(), None), None, false),
            ChainTrust::default()
        );
    }
}
