//! Requests to contracts for symbol and decimals of their tokens, if no other source names them.

use std::{collections::BTreeSet, sync::Arc};

use super::Context;
use crate::{
    config::DEMO,
    domain::{Denom, Timestamp},
    msg::Answer,
    story::contract_tokens,
    wire::{ApiError, node::NodeUnits},
};
use std::time::Duration;

/// Maximum denoms in one request.
const AT_ONCE: usize = 40;

/// Maximum denoms to request in a session, since anyone can deploy contracts.
const MOST_ASKED: usize = 1_000;

/// Time before a failed request is repeated.
const AGAIN: Duration = Duration::from_secs(60);

/// Contracts whose units rollscope has requested, and contracts to request.
#[derive(Debug, Default)]
pub(super) struct ContractQuestions {
    wanted: BTreeSet<Denom>,
    asked: BTreeSet<Denom>,
    under_way: Option<Arc<[Denom]>>,
    due: Option<Timestamp>,
}

impl Context {
    /// Queues the unnamed tokens of an answer.
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

    /// Returns the denoms for the next request to the node, and marks them as requested; `None` if nothing is due.
    pub(super) fn due_contract_units(&mut self) -> Option<Arc<[Denom]>> {
        let now = self.now;
        let questions = &mut self.contract_questions;
        let is_due = questions.due.is_none_or(|due| now >= due);
        if questions.under_way.is_some() || questions.wanted.is_empty() || !is_due {
            return None;
        }
        let denoms: Arc<[Denom]> = questions.wanted.iter().take(AT_ONCE).cloned().collect();
        questions.under_way = Some(Arc::clone(&denoms));
        Some(denoms)
    }

    /// Stores the units from contracts. Returns whether a name on screen may have changed.
    pub(super) fn take_contract_units(&mut self, result: Result<Arc<NodeUnits>, ApiError>) -> bool {
        let own = self.own_chain();
        let questions = &mut self.contract_questions;
        let Some(denoms) = questions.under_way.take() else { return false };
        let found = match result {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!("the node did not return contract names: {error}");
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
        // The node's answer may name only denoms of the request.
        let asked = |denom: &Denom| denoms.contains(denom);
        let units: Vec<_> = found.units.iter().filter(|unit| asked(&unit.denom)).cloned().collect();
        Arc::make_mut(&mut self.glossary).add_contract_units(&units)
    }
}
