//! Names that the session learns from the router, from the rollup's node, and from answers.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use super::{
    Context, SessionRequest,
    denom_questions::DenomQuestions,
    glossary::{add_l1_tokens, add_router_names, glossary_of},
    lookups::Lookups,
};
use crate::{
    config::DEMO,
    domain::{Address, ChainId, Denom},
    msg::{Answer, Remote, Slot, ask},
    story::{self, Glossary},
    wire::{ApiError, ErrorKind, node::NodeNames},
};

/// Time before a failed request for the node's names is repeated.
const NAMES_AGAIN: Duration = Duration::from_secs(60);

/// Maximum transactions of a page whose fees are read: decoding one takes about 0.1 ms.
const MOST_FEES_READ: usize = 20;

impl Context {
    /// Returns the next request to the router for names of tokens and channels: for its chains, then for the tokens of
    /// this chain and its L1. No page waits for them. The embedded rollup needs none.
    pub(super) fn ask_names(&mut self, own: Option<&ChainId>) -> Vec<SessionRequest> {
        let Some(own) = own.filter(|_| self.network.name != DEMO) else { return Vec::new() };
        let l1 = self.glossary.l1_chain_id.as_deref().map(ChainId::new);
        let named: BTreeSet<ChainId> = l1.into_iter().chain([own.clone()]).collect();
        self.directory.learn(named, self.now)
    }

    /// Returns the request for the node's names, once the chain is known.
    pub(super) fn ask_node_names(&mut self) -> Option<SessionRequest> {
        let is_wanted = self.has_node_to_ask();
        let is_due = match &self.node_names {
            Remote::Idle => true,
            Remote::Failed { .. } => self.now >= self.node_names_due,
            Remote::Loading { .. } | Remote::Ready { .. } | Remote::Stale { .. } => false,
        };
        (is_wanted && is_due).then(|| {
            self.node_names = Remote::Loading { since: self.now };
            SessionRequest::new(Slot::NodeNames, ask::node_names(), |app, result| {
                if let Some(warning) = app.context.warning_of_node(&result) {
                    app.toasts.warn(warning);
                }
                app.needs_redraw |= app.context.take_node_names(result);
            })
        })
    }

    /// Returns the sentence about a node of another chain than the indexer's, unless it was shown before.
    fn warning_of_node(&self, result: &Result<Arc<NodeNames>, ApiError>) -> Option<String> {
        let error = result.as_ref().err().filter(|error| matches!(error.kind, ErrorKind::OtherChain(_)))?;
        let is_known = self.node_names.error().is_some_and(|known| known.kind == error.kind);
        (!is_known).then(|| format!("{}; {}", error.brief(), error.advice()))
    }

    /// Returns the next request to the node for names and units of the denoms on screen, if one is due.
    pub(super) fn ask_denom_reports(&mut self) -> Option<SessionRequest> {
        let (denoms, since) = self.due_denoms()?;
        Some(SessionRequest::new(Slot::DenomReports, ask::denom_reports(denoms, since), |app, result| {
            app.needs_redraw |= app.context.take_denom_reports(result);
        }))
    }

    /// Requests every name of the node again, for the user's refresh.
    pub(super) fn refresh_names(&mut self) {
        self.denom_questions.ask_again(self.now);
        self.reverted.ask_again(self.now);
        self.nameless.ask_again(self.now);
        if !self.node_names.is_loading() {
            self.node_names = Remote::Idle;
        }
    }

    /// Takes the node's names, unless the node belongs to another chain. Returns whether a name on screen may have
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
        self.denom_questions.ask_again_for_bridged(&glossary, self.now);
        self.glossary = Arc::new(glossary);
        is_news
    }

    /// Returns the first denoms of the bank's supply, by a node of this chain.
    pub(super) fn supply(&self) -> &[Denom] {
        let own = self.own_chain();
        let names = self.node_names.value().filter(|names| own.is_some_and(|own| own.as_str() == names.chain_id));
        names.map_or(&[], |names| &names.supply)
    }

    /// Takes new names from the router, and rebuilds what is on screen.
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

    /// Drops the previous chain's names, except those in the network file.
    pub(super) fn forget_names(&mut self) {
        let mut glossary = glossary_of(&self.network, self.glossary.abi.clone());
        glossary.keep_personal_names(&self.glossary);
        self.glossary = Arc::new(glossary);
        self.learned_names = None;
        self.node_names = Remote::Idle;
        self.denom_questions = DenomQuestions::default();
        self.reverted = Lookups::default();
        self.nameless = Lookups::default();
    }

    /// Takes the denoms in which transactions paid fees, on a chain whose state names no fee denom. Returns whether a
    /// name is new.
    pub(super) fn learn_fee_denoms(&mut self, answer: &Answer) -> bool {
        let Answer::Txs(page) = answer else { return false };
        if !self.node_names.value().is_some_and(|names| names.fee_denoms.is_empty()) {
            return false;
        }
        // A failed transaction may declare a fee that nobody paid.
        let txs = page.items.iter().filter(|tx| tx.is_success()).take(MOST_FEES_READ);
        let paid = txs.flat_map(|tx| story::decode(tx).fee).filter(|coin| !coin.amount.is_zero());
        let glossary = &self.glossary;
        let fresh: BTreeSet<Denom> =
            paid.map(|coin| coin.denom).filter(|denom| glossary.known_token(denom).is_none()).collect();
        !fresh.is_empty() && Arc::make_mut(&mut self.glossary).add_fee_denoms(&Vec::from_iter(fresh))
    }

    /// Takes the names of collections in an answer, for later stories.
    pub(super) fn learn_own_names(&mut self, answer: &Answer) {
        let mut names: Vec<(Address, &str)> = Vec::new();
        match answer {
            Answer::Collection(collection) => {
                names.extend(collection.address().map(|address| (address, collection.collection.name.as_received())));
            }
            Answer::Collections(page) => {
                let items = page.items.iter();
                names.extend(items.filter_map(|item| Some((item.address()?, item.collection.name.as_received()))));
            }
            Answer::Tokens(page) => {
                let items = page.items.iter();
                names.extend(items.filter_map(|item| Some((item.collection()?, item.collection_name.as_received()))));
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
