//! Contracts that rollscope knows: the registry's, and the wrappers in network files.

use crate::{
    config::{Network, Networks},
    domain::{ChainId, ContractRole},
    signing::{ContractSource, KnownContracts},
};

/// Returns the registry, with the wrappers of built-in networks and of the user's network file.
pub fn known_contracts(own: Option<(&Network, ChainId)>) -> KnownContracts {
    let listed = Networks::built_in().all().iter();
    let listed = listed.filter_map(|network| Some((ChainId::new(network.chain_id.as_deref()?), &network.accounts)));
    let wrappers = listed.chain(own.map(|(network, chain)| (chain, &network.accounts)));
    wrappers.fold(KnownContracts::built_in().clone(), |known, (chain, accounts)| {
        let wrappers = accounts.iter().filter(|account| account.role == Some(ContractRole::Wrapper));
        wrappers.fold(known, |known, wrapper| {
            known.with(chain.clone(), wrapper.address, &wrapper.name, ContractSource::Registry)
        })
    })
}
