use crate::{
    config::{DEMO, Network, Networks},
    domain::Denom,
    story::{AbiRegistry, Glossary},
};

/// What is known by name on a network, for its stories: its own tokens, accounts and channels, the tokens of its L1, and
/// on an L1 the rollups behind its bridges.
pub fn glossary_of(network: &Network, abi: AbiRegistry) -> Glossary {
    let mut glossary = Glossary::default();
    glossary.chain_id.clone_from(&network.chain_id);
    glossary.l1_chain_id.clone_from(&network.l1);
    (glossary.vm, glossary.bridge_id, glossary.abi) = (network.vm, network.bridge_id, abi);
    for token in &network.tokens {
        glossary.add_token(Denom::new(token.denom.as_str()), token.symbol.as_str(), token.decimals);
    }
    for channel in &network.channels {
        glossary.add_channel(channel.port.as_str(), channel.channel.as_str(), channel.chain.as_str());
    }
    for account in &network.accounts {
        glossary.add_label(account.address, account.name.as_str());
        if let Some(role) = account.role {
            glossary.add_role(account.address, role);
        }
    }
    add_sisters(&mut glossary, network);
    glossary
}

/// What the built-in networks tell of the chains next to this one: by chain id, so only of public chains.
fn add_sisters(glossary: &mut Glossary, network: &Network) {
    // The embedded rollup knows all of its tokens, and its first frame must not wait for a file to be read.
    if network.name == DEMO {
        return;
    }
    if let Some(l1) = network.l1.as_deref() {
        let known = Networks::built_in().all().iter().find(|known| known.chain_id.as_deref() == Some(l1));
        for token in known.into_iter().flat_map(|known| &known.tokens) {
            glossary.add_l1_token(Denom::new(token.denom.as_str()), token.symbol.as_str(), token.decimals);
        }
        return;
    }
    let Some(chain_id) = network.chain_id.as_deref() else { return };
    for rollup in Networks::built_in().all().iter().filter(|rollup| rollup.l1.as_deref() == Some(chain_id)) {
        if let (Some(bridge_id), Some(rollup)) = (rollup.bridge_id, rollup.chain_id.as_deref()) {
            glossary.add_bridge(bridge_id, rollup);
        }
    }
}
