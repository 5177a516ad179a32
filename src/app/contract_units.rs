//! What contracts are asked for how they call their tokens: those that were seen and that nobody else has a name for.

use std::{collections::BTreeSet, sync::Arc};

use super::Context;
use crate::{
    config::DEMO,
    domain::{Denom, Timestamp},
    msg::{Answer, Request, Slot},
    story::contract_tokens,
    wire::{ApiError, node::NodeUnits},
};
use std::time::Duration;

/// Denoms in one request.
const AT_ONCE: usize = 40;

/// Denoms that are asked for in a session: contracts of no worth are without number.
const MOST_ASKED: usize = 1_000;

/// After how long a node that failed is asked again.
const AGAIN: Duration = Duration::from_secs(60);

/// The contracts that were asked how they call their tokens, and those that are to be.
#[derive(Debug, Default)]
pub(super) struct ContractQuestions {
    wanted: BTreeSet<Denom>,
    asked: BTreeSet<Denom>,
    /// What is under way.
    under_way: Option<Arc<[Denom]>>,
    due: Option<Timestamp>,
}

impl Context {
    /// Takes note of tokens without a name in what was loaded.
    pub(super) fn want_contract_units(&mut self, answer: &Answer) {
        if self.network.node.is_none() || self.network.name == DEMO {
            return;
        }
        let Some(vm) = self.glossary.vm.or(self.network.vm) else { return };
        let denoms: BTreeSet<Denom> = match answer {
            Answer::Tx(tx) => contract_tokens(tx, Some(vm)),
            Answer::Balances(balances) => {
                let coins = balances.coins.iter().map(|coin| &coin.denom);
                let coins = coins.filter(|denom| denom.as_str().starts_with("evm/"));
                coins.chain(balances.tokens.iter().map(|token| &token.denom)).cloned().collect()
            }
            _ => return,
        };
        let questions = &mut self.contract_questions;
        for denom in denoms {
            if questions.asked.len() + questions.wanted.len() >= MOST_ASKED {
                break;
            }
            if self.glossary.token(&denom).is_none() && !questions.asked.contains(&denom) {
                questions.wanted.insert(denom);
            }
        }
    }

    /// What the node is to be asked for of contracts now.
    pub(super) fn ask_contract_units(&mut self) -> Option<(Slot, Request)> {
        let now = self.now;
        let questions = &mut self.contract_questions;
        let is_due = questions.due.is_none_or(|due| now >= due);
        if questions.under_way.is_some() || questions.wanted.is_empty() || !is_due {
            return None;
        }
        let denoms: Arc<[Denom]> = questions.wanted.iter().take(AT_ONCE).cloned().collect();
        questions.under_way = Some(Arc::clone(&denoms));
        Some((Slot::ContractUnits, Request::ContractUnits(denoms)))
    }

    /// What contracts call themselves came or did not; whether anything on screen may be called otherwise now.
    pub(super) fn take_contract_units(&mut self, result: Result<Answer, ApiError>) -> bool {
        let own = self.own_chain();
        let questions = &mut self.contract_questions;
        let Some(denoms) = questions.under_way.take() else { return false };
        let found: Arc<NodeUnits> = match result {
            Ok(Answer::ContractUnits(found)) => found,
            Ok(_) => return false,
            Err(error) => {
                tracing::warn!("the rollup's own node names no contracts: {error}");
                questions.due = Some(self.now.after(AGAIN));
                return false;
            }
        };
        for denom in denoms.iter() {
            questions.wanted.remove(denom);
            questions.asked.insert(denom.clone());
        }
        if own.is_none_or(|own| own.as_str() != found.chain_id) || found.units.is_empty() {
            return false;
        }
        // A node answers of what it was asked.
        let asked = |denom: &Denom| denoms.contains(denom);
        let units: Vec<_> = found.units.iter().filter(|unit| asked(&unit.denom)).cloned().collect();
        Arc::make_mut(&mut self.glossary).add_contract_units(&units)
    }
}
