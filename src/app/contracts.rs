//! Which contracts are known here: those of the registry, and the wrappers that the networks name.

use crate::{
    config::{Network, Networks},
    domain::{ChainId, ContractRole},
    signing::{ContractSource, KnownContracts},
};

/// The registry's contracts with the wrappers of the built-in networks, and of this one: its file is the person's own.
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
