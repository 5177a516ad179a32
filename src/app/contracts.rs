//! Known contracts, bridges and tokens: the registry's, and those of the networks.

use std::sync::LazyLock;

use crate::{
    config::{Network, Networks},
    domain::{ChainId, ContractRole, Denom},
    signing::{ContractSource, FeeUnit, KnownContracts},
};

/// Returns the registry with wrappers, bridges and tokens of the built-in networks, and those of the user's network,
/// which win.
pub fn known_contracts(own: Option<(&Network, ChainId)>) -> KnownContracts {
    let listed = Networks::built_in().all().iter();
    let listed = listed.filter_map(|network| Some((network, ChainId::new(network.chain_id.as_deref()?))));
    listed
        .chain(own)
        .fold(KnownContracts::built_in().clone(), |known, (network, chain)| known_of(known, network, &chain))
}

/// Returns what [`known_contracts`] knows without a network of the user; made once, on first use.
pub(crate) fn listed_contracts() -> &'static KnownContracts {
    static LISTED: LazyLock<KnownContracts> = LazyLock::new(|| known_contracts(None));
    &LISTED
}

fn known_of(known: KnownContracts, network: &Network, chain: &ChainId) -> KnownContracts {
    let known = match network.bridge_id {
        Some(bridge_id) => known.with_bridge(chain.clone(), bridge_id),
        None => known,
    };
    let known = network.tokens.iter().fold(known, |known, token| {
        let (denom, symbol) = (Denom::new(token.denom.as_str()), token.symbol.clone());
        known.with_unit(chain.clone(), FeeUnit { denom, symbol, decimals: token.decimals })
    });
    let wrappers = network.accounts.iter().filter(|account| account.role == Some(ContractRole::Wrapper));
    wrappers.fold(known, |known, wrapper| {
        known.with(chain.clone(), wrapper.address, &wrapper.name, ContractSource::Registry)
    })
}
