use crate::{
    config::Network,
    domain::Denom,
    story::{AbiBook, Glossary},
};

/// What is known by name on a network, for its stories.
pub fn glossary_of(network: &Network, abi: AbiBook) -> Glossary {
    let mut glossary = Glossary::default();
    glossary.chain_id.clone_from(&network.chain_id);
    (glossary.vm, glossary.abi) = (network.vm, abi);
    for token in &network.tokens {
        glossary.add_token(Denom::new(token.denom.as_str()), token.symbol.as_str(), token.decimals);
    }
    glossary
}
