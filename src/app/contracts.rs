//! Known contracts, bridges and tokens: the registry's, and those of the networks.

use std::sync::LazyLock;

use crate::{
    config::{KnownTokens, Network, Networks},
    domain::{ChainId, ContractRole, Denom, text::clean},
    signing::{ContractSource, FeeUnit, KnownContracts},
    wire::router::Asset,
};

const TOKEN_PORT: &str = "transfer";

/// Returns the registry with wrappers, bridges and tokens of the built-in networks, and those of the user's network,
/// which win.
pub fn known_contracts(own: Option<(&Network, ChainId)>) -> KnownContracts {
    let listed = Networks::built_in().all().iter();
    let listed = listed.filter_map(|network| Some((network, ChainId::new(network.chain_id.as_deref()?))));
    listed
        .chain(own)
        .fold(KnownContracts::built_in().clone(), |known, (network, chain)| known_of(known, network, &chain))
}

/// Returns the contracts that [`known_contracts`] knows without a network of the user; built on first use.
pub(crate) fn listed_contracts() -> &'static KnownContracts {
    static LISTED: LazyLock<KnownContracts> = LazyLock::new(|| known_contracts(None));
    &LISTED
}

/// Returns the display units of a chain's denoms: the known ones, then those of the router's list.
pub fn fee_units<'a>(known: &KnownTokens, chain: &ChainId, listed: impl Iterator<Item = &'a Asset>) -> Vec<FeeUnit> {
    let unit = |denom: &str, symbol: &str, decimals, is_routed| FeeUnit {
        denom: Denom::new(denom),
        symbol: clean(symbol).into_owned(),
        decimals,
        is_routed,
    };
    let listed = listed.filter(|asset| !asset.symbol.is_empty() && known.token(chain, &asset.denom).is_none());
    let listed = listed.filter_map(|asset| Some(unit(asset.denom.as_str(), &asset.symbol, asset.decimals?, true)));
    known.all(chain).map(|token| unit(&token.denom, &token.symbol, token.decimals, false)).chain(listed).collect()
}

fn known_of(known: KnownContracts, network: &Network, chain: &ChainId) -> KnownContracts {
    let known = match network.bridge_id {
        Some(bridge_id) => known.with_bridge(chain.clone(), bridge_id),
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
