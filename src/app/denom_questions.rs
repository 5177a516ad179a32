//! Requests to the rollup's node for names and units of the denoms on screen.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use super::Context;
use crate::{
    domain::{Denom, Timestamp},
    story::Glossary,
    wire::{
        ApiError,
        node::{DenomFact, DenomReport, DenomReports},
    },
};

/// Maximum denoms per request, so that a batch with two calls per contract fits into every node's limit.
const AT_ONCE: usize = 40;

/// Maximum denoms to request in a session, since anyone can deploy contracts.
const MOST_ASKED: usize = 1_000;

/// Time before a failed request is repeated.
const AFTER_FAILURE: Duration = Duration::from_secs(600);

/// Time before an answered request is repeated: a token's owner may rename it.
const AFTER_ANSWER: Duration = Duration::from_secs(86_400);

/// Denoms that the screen showed without a certain name.
#[derive(Debug, Default)]
pub(super) struct DenomQuestions {
    /// Time of the next request by denom.
    due: BTreeMap<Denom, Timestamp>,
    under_way: Option<Arc<[Denom]>>,
    /// Time of the user's last refresh: earlier answers count no more.
    refreshed: Option<Timestamp>,
}

impl DenomQuestions {
    fn postpone<'a>(&mut self, denoms: impl IntoIterator<Item = &'a Denom>, until: Timestamp) {
        self.due.extend(denoms.into_iter().map(|denom| (denom.clone(), until)));
    }

    /// Makes every denom due, for the user's refresh.
    pub(super) fn ask_again(&mut self, now: Timestamp) {
        self.due.values_mut().for_each(|due| *due = now);
        self.refreshed = Some(now);
    }

    /// Makes the bridged tokens due again that have no name, because the hash of their origin needs the bridge's id.
    pub(super) fn ask_again_for_bridged(&mut self, names: &Glossary, now: Timestamp) {
        let is_open = |denom: &Denom| denom.is_bridged() && names.known_token(denom).is_none();
        self.due.iter_mut().filter(|(denom, _)| is_open(denom)).for_each(|(_, due)| *due = now);
    }
}

impl Context {
    /// Whether the rollup's node may be asked for names.
    pub(crate) fn has_node_to_ask(&self) -> bool {
        self.network.node.is_some() && self.own_chain().is_some()
    }

    /// Whether the screen showed denoms that the node can be asked for.
    pub(super) fn has_new_denoms(&self) -> bool {
        self.has_node_to_ask() && self.glossary.has_unnamed()
    }

    /// Returns the denoms for the next request for names, and since when a kept answer counts; `None` if none is due.
    pub(super) fn due_denoms(&mut self) -> Option<(Arc<[Denom]>, Timestamp)> {
        if !self.has_node_to_ask() {
            return None;
        }
        let (now, questions) = (self.now, &mut self.denom_questions);
        for denom in self.glossary.take_unnamed() {
            if questions.due.len() < MOST_ASKED && Denom::is_fit(denom.as_str()) {
                questions.due.entry(denom).or_insert(now);
            }
        }
        if questions.under_way.is_some() {
            return None;
        }
        let due = questions.due.iter().filter(|(_, due)| now >= **due).map(|(denom, _)| denom.clone());
        let denoms: Arc<[Denom]> = due.take(AT_ONCE).collect();
        if denoms.is_empty() {
            return None;
        }
        questions.under_way = Some(Arc::clone(&denoms));
        let since = questions.refreshed.max(Some(now.before(AFTER_ANSWER)))?;
        Some((denoms, since))
    }

    /// Takes what the chain says of the denoms in the request, or of some of them. Returns whether a name on screen may
    /// have changed.
    pub(super) fn take_denom_reports(&mut self, result: Result<Arc<DenomReports>, ApiError>) -> bool {
        let (own, now) = (self.own_chain(), self.now);
        let Some(denoms) = self.denom_questions.under_way.take() else { return false };
        let warn = |error: &ApiError| tracing::warn!("the node did not return names of tokens: {error}");
        let is_own = |found: &Arc<DenomReports>| own.is_some_and(|own| own.as_str() == found.chain_id);
        let found = result.inspect_err(warn).ok().filter(is_own);
        // The node's answer may name only denoms of the request.
        let asked: BTreeSet<&Denom> = denoms.iter().collect();
        let reports = found.iter().flat_map(|found| &found.reports);
        let reports: Vec<&DenomReport> = reports.filter(|report| asked.contains(&report.denom)).collect();
        if reports.is_empty() {
            self.denom_questions.postpone(denoms.iter(), now.after(AFTER_FAILURE));
            return false;
        }
        for report in &reports {
            // A clock that jumps must not make a request follow each answer.
            let due = report.at.min(now).after(AFTER_ANSWER).max(now.after(AFTER_FAILURE));
            self.denom_questions.postpone([&report.denom], due);
        }
        let fact =
            |report: &&DenomReport| Some(DenomFact { denom: report.denom.clone(), claim: report.claim.clone()? });
        let facts: Vec<DenomFact> = reports.iter().filter_map(fact).collect();
        !facts.is_empty() && Arc::make_mut(&mut self.glossary).add_facts(&facts)
    }
}
