use crate::{
    config::{DEMO, Network, Networks},
    domain::{ChainId, Denom},
    story::{AbiRegistry, Glossary},
    wire::router::Asset,
};

/// Builds the glossary of a network from its tokens, accounts and channels, and from its L1's tokens. On an L1, adds
/// the rollups behind its bridges.
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

/// Adds names of neighbouring chains from the built-in networks. The chain ID must match, so only public chains get
/// names.
fn add_sisters(glossary: &mut Glossary, network: &Network) {
    // The embedded rollup names all its tokens, and the first frame must not wait for a file.
    if network.name == DEMO {
        return;
    }
    if let Some(l1) = network.l1.as_deref() {
        return add_l1_tokens(glossary, Some(l1));
    }
    let Some(chain_id) = network.chain_id.as_deref() else { return };
    for rollup in Networks::built_in().all().iter().filter(|rollup| rollup.l1.as_deref() == Some(chain_id)) {
        if let (Some(bridge_id), Some(rollup)) = (rollup.bridge_id, rollup.chain_id.as_deref()) {
            glossary.add_bridge(bridge_id, rollup);
        }
    }
}

/// Adds an L1's tokens from the built-in networks.
pub(super) fn add_l1_tokens(glossary: &mut Glossary, l1: Option<&str>) {
    let known = Networks::built_in().all().iter().find(|known| l1.is_some() && known.chain_id.as_deref() == l1);
    for token in known.into_iter().flat_map(|known| &known.tokens) {
        glossary.add_l1_token(Denom::new(token.denom.as_str()), token.symbol.as_str(), token.decimals);
    }
}

/// Adds the router's names for the tokens of a chain and of its L1. Returns whether a name is new.
pub fn add_router_names<'a>(
    glossary: &mut Glossary,
    own: &ChainId,
    assets: impl Fn(&ChainId) -> Option<&'a [Asset]>,
) -> bool {
    let mut is_news = assets(own).is_some_and(|assets| glossary.add_assets(assets));
    if let Some(l1) = glossary.l1_chain_id.as_deref().map(ChainId::new) {
        is_news |= assets(&l1).is_some_and(|assets| glossary.add_l1_assets(assets));
    }
    is_news
}
