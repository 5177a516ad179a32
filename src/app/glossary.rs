use std::{collections::BTreeSet, sync::Arc, time::Duration};

use super::{Context, contract_units::ContractQuestions, requests::SlotRequest};
use crate::{
    config::{DEMO, Network, Networks},
    domain::{Address, ChainId, Denom},
    msg::{Answer, Remote, Slot, ask},
    story::{AbiRegistry, Glossary},
    wire::{ApiError, node::NodeNames, router::Asset},
};

/// Delay before a failed request for the node's names is repeated.
const NAMES_AGAIN: Duration = Duration::from_secs(60);

/// Builds the glossary of a network: its tokens, accounts and channels, the tokens of its L1, and on an L1 the rollups
/// behind its bridges.
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

/// Adds names of neighbouring chains from the built-in networks; they match by chain id, so only public chains get
/// them.
fn add_sisters(glossary: &mut Glossary, network: &Network) {
    // The embedded rollup names all of its tokens, and the first frame must not wait for a file.
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

/// Adds the tokens of an L1 from the built-in networks.
fn add_l1_tokens(glossary: &mut Glossary, l1: Option<&str>) {
    let known = Networks::built_in().all().iter().find(|known| l1.is_some() && known.chain_id.as_deref() == l1);
    for token in known.into_iter().flat_map(|known| &known.tokens) {
        glossary.add_l1_token(Denom::new(token.denom.as_str()), token.symbol.as_str(), token.decimals);
    }
}

/// Adds the router's names for the tokens of a chain and of its L1. Returns whether any is new.
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

impl Context {
    /// Returns the next request to the router for names of tokens and channels: its chains, then the tokens of this
    /// chain and of its L1. No page waits for them, and the embedded rollup needs none.
    pub(super) fn ask_names(&mut self, own: Option<&ChainId>) -> Vec<SlotRequest> {
        let Some(own) = own.filter(|_| self.network.name != DEMO) else { return Vec::new() };
        let l1 = self.glossary.l1_chain_id.as_deref().map(ChainId::new);
        let named: BTreeSet<ChainId> = l1.into_iter().chain([own.clone()]).collect();
        self.directory.learn(named, self.now)
    }

    /// Returns the request to the rollup's node for names, once the chain is known. The embedded rollup needs none.
    pub(super) fn ask_node_names(&mut self) -> Option<SlotRequest> {
        let is_wanted = self.network.node.is_some() && self.network.name != DEMO && self.own_chain().is_some();
        let is_due = match &self.node_names {
            Remote::Idle => true,
            Remote::Failed { .. } => self.now >= self.node_names_due,
            Remote::Loading { .. } | Remote::Ready { .. } | Remote::Stale { .. } => false,
        };
        (is_wanted && is_due).then(|| {
            self.node_names = Remote::Loading { since: self.now };
            SlotRequest::new(Slot::NodeNames, ask::node_names(), |app, result| {
                app.needs_redraw |= app.context.take_node_names(result);
            })
        })
    }

    /// Applies the node's names unless the node belongs to another chain. Returns whether names on screen may have
    /// changed.
    pub(super) fn take_node_names(&mut self, result: Result<Arc<NodeNames>, ApiError>) -> bool {
        if let Err(error) = &result {
            tracing::warn!("the node did not return the names: {error}");
            self.node_names_due = self.now.after(NAMES_AGAIN);
        }
        self.node_names.settle(result, self.now);
        let own = self.own_chain();
        let is_own = |names: &&Arc<NodeNames>| own.as_ref().is_some_and(|own| own.as_str() == names.chain_id);
        let Some(names) = self.node_names.value().filter(is_own) else { return false };
        let mut glossary = Glossary::clone(&self.glossary);
        glossary.add_bridge_of_chain(names);
        if self.network.l1.is_none() {
            let l1 = glossary.l1_chain_id.clone();
            add_l1_tokens(&mut glossary, l1.as_deref());
        }
        let is_news = glossary.add_chain_names(names);
        self.glossary = Arc::new(glossary);
        is_news
    }

    /// Applies new names from the router and rebuilds what is on screen.
    pub(super) fn learn_names(&mut self) {
        let Some(own) = self.own_chain() else { return };
        let learned = (own, self.directory.edition);
        if self.learned_names.as_ref() == Some(&learned) {
            return;
        }
        let assets = |chain: &ChainId| self.directory.assets.get(chain).and_then(Remote::value);
        let mut glossary = Glossary::clone(&self.glossary);
        if add_router_names(&mut glossary, &learned.0, |chain| assets(chain).map(|assets| assets.as_slice())) {
            self.glossary = Arc::new(glossary);
        }
        self.learned_names = Some(learned);
    }

    /// Drops names of the previous chain, except for the network's own list.
    pub(super) fn forget_names(&mut self) {
        let mut glossary = glossary_of(&self.network, self.glossary.abi.clone());
        glossary.keep_personal_labels(&self.glossary);
        self.glossary = Arc::new(glossary);
        self.learned_names = None;
        self.node_names = Remote::Idle;
        self.contract_questions = ContractQuestions::default();
    }

    /// Takes the names of collections from a loaded answer for later stories.
    pub(super) fn learn_own_names(&mut self, answer: &Answer) {
        let mut names: Vec<(Address, &str)> = Vec::new();
        match answer {
            Answer::Collection(collection) => {
                names.extend(collection.address().map(|address| (address, collection.collection.name.as_str())));
            }
            Answer::Collections(page) => {
                let items = page.items.iter();
                names.extend(items.filter_map(|item| Some((item.address()?, item.collection.name.as_str()))));
            }
            Answer::Tokens(page) => {
                let items = page.items.iter();
                names.extend(items.filter_map(|item| Some((item.collection()?, item.collection_name.as_str()))));
            }
            _ => return,
        }
        let glossary = &self.glossary;
        names.retain(|(address, name)| !name.is_empty() && !glossary.has_own_name(*address, name));
        if names.is_empty() {
            return;
        }
        let glossary = Arc::make_mut(&mut self.glossary);
        for (address, name) in names {
            glossary.add_own_name(address, name);
        }
    }
}
