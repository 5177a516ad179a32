use std::{collections::BTreeSet, sync::Arc, time::Duration};

use super::{Context, contract_units::ContractQuestions};
use crate::{
    config::{DEMO, Network, Networks},
    domain::{Address, ChainId, Denom},
    msg::{Answer, Remote, Request, Slot},
    story::{AbiRegistry, Glossary},
    wire::{ApiError, node::NodeNames, router::Asset},
};

/// After how long a node that failed is asked for names again.
const NAMES_AGAIN: Duration = Duration::from_secs(60);

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
        return add_l1_tokens(glossary, Some(l1));
    }
    let Some(chain_id) = network.chain_id.as_deref() else { return };
    for rollup in Networks::built_in().all().iter().filter(|rollup| rollup.l1.as_deref() == Some(chain_id)) {
        if let (Some(bridge_id), Some(rollup)) = (rollup.bridge_id, rollup.chain_id.as_deref()) {
            glossary.add_bridge(bridge_id, rollup);
        }
    }
}

/// The tokens that the built-in networks tell of an L1.
fn add_l1_tokens(glossary: &mut Glossary, l1: Option<&str>) {
    let known = Networks::built_in().all().iter().find(|known| l1.is_some() && known.chain_id.as_deref() == l1);
    for token in known.into_iter().flat_map(|known| &known.tokens) {
        glossary.add_l1_token(Denom::new(token.denom.as_str()), token.symbol.as_str(), token.decimals);
    }
}

/// Adds what a router lists of a chain's tokens, and of those of its L1; whether anything was news.
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
    /// What the router is to be asked for so that pages can name tokens and channels: its chains, then the tokens of this
    /// chain and of its L1. Nothing waits for the answers. The embedded rollup's own list names all there is.
    pub(super) fn ask_names(&mut self, own: Option<&ChainId>) -> Vec<(Slot, Request)> {
        let Some(own) = own.filter(|_| self.network.name != DEMO) else { return Vec::new() };
        let l1 = self.glossary.l1_chain_id.as_deref().map(ChainId::new);
        let named: BTreeSet<ChainId> = l1.into_iter().chain([own.clone()]).collect();
        self.directory.learn(named, self.now)
    }

    /// What the rollup's own node is to be asked for so that pages can name tokens and channels, once it is known which chain
    /// answers. The embedded rollup's own list names all there is.
    pub(super) fn ask_node_names(&mut self) -> Option<(Slot, Request)> {
        let is_wanted = self.network.node.is_some() && self.network.name != DEMO && self.own_chain().is_some();
        let is_due = match &self.node_names {
            Remote::Idle => true,
            Remote::Failed { .. } => self.now >= self.node_names_due,
            Remote::Loading { .. } | Remote::Ready { .. } | Remote::Stale { .. } => false,
        };
        (is_wanted && is_due).then(|| {
            self.node_names = Remote::Loading { since: self.now };
            (Slot::NodeNames, Request::NodeNames)
        })
    }

    /// The node's names came or did not; whether anything on screen may be called otherwise now. Those of another chain's
    /// node are not believed.
    pub(super) fn take_node_names(&mut self, result: Result<Answer, ApiError>) -> bool {
        let result = match result {
            Ok(Answer::NodeNames(names)) => Ok(names),
            Ok(_) => Err(ApiError::of_another_kind()),
            Err(error) => Err(error),
        };
        if let Err(error) = &result {
            tracing::warn!("the rollup's own node names nothing: {error}");
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

    /// Takes over names that the router gave since the last time: what is on screen is told anew with them.
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

    /// Forgets the names of a chain that is gone: those of the network's list stay.
    pub(super) fn forget_names(&mut self) {
        let mut glossary = glossary_of(&self.network, self.glossary.abi.clone());
        glossary.keep_personal_labels(&self.glossary);
        self.glossary = Arc::new(glossary);
        self.learned_names = None;
        self.node_names = Remote::Idle;
        self.contract_questions = ContractQuestions::default();
    }

    /// Learns from what was loaded what collections call themselves, for the stories that are told from now on.
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
