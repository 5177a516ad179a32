//! What the contract of an account is: from the rollup's node, from the transaction that deployed it, and from its
//! calls.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use super::contract_lines::lines;
use crate::{
    domain::{Address, ChainId, Timestamp, TxHash, Vm},
    msg::{Ask, ListPage, PageRequest, Remote, TxQuery, ask},
    story::{ContractDeployment, Glossary, called_functions, deployment},
    widgets::document::Document,
    wire::{
        ApiError, Tx,
        node::{ContractFacts, NodeContract},
    },
};

/// Number of newest transactions to search for calls.
const LOOKED_AT: usize = 300;

/// Number of oldest transactions to search for the deployment: an address may be paid before it has code.
const OLDEST: u16 = 10;

/// State of the questions about an account's contract, and the lines that show the answers.
#[derive(Debug)]
pub(super) struct AccountContract {
    pub(super) facts: Remote<Arc<ContractFacts>>,
    /// Whether the page asks the node; again after a refresh.
    is_due: bool,
    /// Number of oldest transactions in the answer.
    pub(super) oldest: Remote<usize>,
    pub(super) deployment: Option<ContractDeployment>,
    /// Number of messages by the function of the contract that they call.
    pub(super) calls: BTreeMap<String, usize>,
    pub(super) looked_at: HashSet<TxHash>,
    pub(super) document: Document,
    /// Whether the lines are older than the answers.
    is_stale: bool,
    /// Names and chain that the current lines show.
    made_with: Option<(Arc<Glossary>, Option<ChainId>)>,
}

impl Default for AccountContract {
    fn default() -> Self {
        Self {
            facts: Remote::default(),
            is_due: true,
            oldest: Remote::default(),
            deployment: None,
            calls: BTreeMap::new(),
            looked_at: HashSet::new(),
            document: Document::new(Vec::new()),
            is_stale: true,
            made_with: None,
        }
    }
}

/// Whether an account with this form of address may be a contract; on Move, code lives in modules.
fn may_be_contract(account: Address, vm: Option<Vm>) -> bool {
    match (vm, account) {
        (Some(Vm::Evm), Address::Short(_)) | (Some(Vm::Wasm), Address::Long(_)) | (None, _) => true,
        (Some(Vm::Evm | Vm::Wasm | Vm::Move), _) => false,
    }
}

impl AccountContract {
    /// Searches the account's transactions for its deployment and for calls of it.
    pub(super) fn look_at<'a>(&mut self, txs: impl Iterator<Item = &'a Arc<Tx>>, account: Address, vm: Option<Vm>) {
        if !may_be_contract(account, vm) {
            return;
        }
        for tx in txs.take(LOOKED_AT) {
            if self.looked_at.len() < LOOKED_AT && self.looked_at.insert(tx.txhash) {
                self.is_stale = true;
                self.find_deployment(tx, account);
                called_functions(tx, account).for_each(|function| *self.calls.entry(function).or_default() += 1);
            }
        }
    }

    fn find_deployment(&mut self, tx: &Tx, account: Address) {
        self.deployment = self.deployment.take().or_else(|| deployment(tx, account));
    }

    /// Returns the question to the node if it is due.
    pub(super) fn next_question(
        &mut self,
        account: Address,
        vm: Option<Vm>,
        now: Timestamp,
    ) -> Option<Ask<Arc<ContractFacts>>> {
        (may_be_contract(account, vm) && std::mem::take(&mut self.is_due)).then(|| {
            self.facts.ask(now);
            ask::contract(account)
        })
    }

    /// Returns the request for the account's oldest transactions if the account seems to be a contract whose deployment
    /// no loaded transaction shows.
    pub(super) fn next_history(
        &mut self,
        account: Address,
        chain: Option<&ChainId>,
        now: Timestamp,
    ) -> Option<Ask<ListPage<Arc<Tx>>>> {
        let seems_one = self.of_chain(chain).is_some() || !self.calls.is_empty();
        let is_due = seems_one && self.deployment.is_none() && matches!(self.oldest, Remote::Idle);
        is_due.then(|| {
            self.oldest.ask(now);
            ask::txs(TxQuery::history(account), PageRequest { limit: OLDEST, ..PageRequest::oldest() })
        })
    }

    pub(super) fn take(&mut self, result: Result<Arc<ContractFacts>, ApiError>, now: Timestamp) {
        self.facts.settle(result, now);
        self.is_stale = true;
    }

    pub(super) fn take_oldest(
        &mut self,
        result: Result<ListPage<Arc<Tx>>, ApiError>,
        account: Address,
        now: Timestamp,
    ) {
        if let Ok(page) = &result {
            page.items.iter().for_each(|tx| self.find_deployment(tx, account));
        }
        self.oldest.settle(result.map(|page| page.items.len()), now);
        self.is_stale = true;
    }

    /// Asks the node again, and the index if it failed.
    pub(super) fn ask_again(&mut self) {
        self.is_due = true;
        self.oldest.forget_failure();
    }

    pub(super) fn is_loading(&self) -> bool {
        self.facts.is_loading() || self.oldest.is_loading()
    }

    /// Returns the node's answer if the node belongs to this chain.
    pub(super) fn of_chain(&self, chain: Option<&ChainId>) -> Option<&NodeContract> {
        let facts = self.facts.value().filter(|facts| chain.is_some_and(|chain| chain.as_str() == facts.chain_id))?;
        facts.contract.as_ref()
    }

    /// Whether the chain's state or an event of the chain proves that the account is a contract.
    pub(super) fn is_proven(&self, chain: Option<&ChainId>) -> bool {
        self.deployment.is_some() || self.of_chain(chain).is_some()
    }

    /// Rebuilds the lines if they are outdated.
    pub(super) fn make_lines(&mut self, account: Address, glossary: &Arc<Glossary>, chain: Option<ChainId>) {
        let is_same = self.made_with.as_ref().is_some_and(|(names, of)| Arc::ptr_eq(names, glossary) && *of == chain);
        if std::mem::take(&mut self.is_stale) || !is_same {
            self.document.replace_lines(lines(self, account, glossary, chain.as_ref()));
            self.made_with = Some((Arc::clone(glossary), chain));
        }
    }
}
