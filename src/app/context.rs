use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
    time::Duration,
};

use super::{chain::Chain, contract_units::ContractQuestions, format::TimeForm, transfers::Transfers};
use crate::{
    app::directory::Directory,
    columns::{Columns, Forms},
    config::{Keymap, Network},
    domain::{AddressForm, AddressStyle, ChainId, Denom, LocalZone, MsgType, Target, Timestamp, TxHash},
    msg::{Remote, Request},
    story::{Glossary, TokenUnit},
    wire::{self, Tx},
};

/// Message types remembered for the picker.
const SEEN_TYPES: usize = 300;

/// State that pages read and only the session changes.
#[derive(Debug)]
pub struct Context {
    pub(crate) network: Network,
    /// Names of the network's tokens, accounts and chains.
    pub(crate) glossary: Arc<Glossary>,
    /// Built-in keys, overridden by the user's.
    pub(crate) keymap: Keymap,
    /// Path of the log, for the help screen.
    pub(crate) log_file: Option<String>,
    /// The terminal's columns and rows.
    pub(crate) size: (u16, u16),
    /// Time of the last event.
    pub(crate) now: Timestamp,
    /// Head of the chain and health of its index.
    pub(crate) chain: Chain,
    /// Chains and assets by the router.
    pub(crate) directory: Directory,
    /// Names by the rollup's node, and when a failed request is due again.
    pub(super) node_names: Remote<Arc<wire::node::NodeNames>>,
    pub(super) node_names_due: Timestamp,
    /// Contracts whose token names are requested.
    pub(super) contract_questions: ContractQuestions,
    /// Chain and edition of the directory whose names the glossary holds.
    pub(super) learned_names: Option<(ChainId, u64)>,
    /// Names of the records opened in this session; hostile text.
    pub(super) opened_names: HashMap<Target, String>,
    /// Kept transfers, watched on every screen.
    pub(crate) transfers: Transfers,
    /// Transaction marked for comparison.
    pub(crate) marked: Option<Arc<Tx>>,
    /// Whether polls and clocks are stopped.
    pub(crate) frozen: bool,
    /// Form of accounts; short forms are unique on screen.
    pub(crate) address_style: AddressStyle,
    /// Chosen form of times; [`Self::shown_time_form`] is the form on screen.
    pub(crate) time_form: TimeForm,
    /// Chosen columns of lists.
    pub(crate) columns: Columns,
    /// Time zone of the person.
    pub(crate) zone: LocalZone,
    /// Path and query of an indexer request; `None` for other requests.
    pub(crate) path_of: fn(&Request) -> Option<String>,
    /// Message types seen in this session, for the picker.
    pub(crate) seen_types: BTreeSet<MsgType>,
    /// Whether the first blocks or transactions are loading.
    pub(crate) awaits_first_rows: bool,
}

impl Context {
    /// Returns the form of times on screen: a frozen screen shows the clock, since ages move.
    pub(crate) fn shown_time_form(&self) -> TimeForm {
        if self.frozen { TimeForm::Clock } else { self.time_form }
    }

    pub(crate) fn forms(&self) -> Forms<'_> {
        let (time, address) = (self.shown_time_form(), &self.address_style);
        Forms { time, address, now: self.now, glossary: Some(&self.glossary) }
    }

    pub(crate) fn address_form(&self) -> AddressForm {
        self.address_style.form()
    }

    /// Returns name and decimals of a denom, by the network's list or the router.
    pub(crate) fn token(&self, denom: &Denom) -> Option<&TokenUnit> {
        self.glossary.token(denom).map(Arc::as_ref)
    }

    pub(crate) fn marked_hash(&self) -> Option<TxHash> {
        self.marked.as_ref().map(|tx| tx.txhash)
    }

    /// Whether the network has a routing API.
    pub(crate) fn has_router(&self) -> bool {
        self.network.router.is_some()
    }

    /// Whether router and indexer are one server, as in the embedded rollup: then both restart together.
    pub(crate) fn has_own_router(&self) -> bool {
        self.network.router.as_deref().is_none_or(|router| router == self.network.indexer)
    }

    /// Remembers message types for the picker.
    pub(super) fn see_types(&mut self, types: &[MsgType]) {
        for kind in types {
            if self.seen_types.len() < SEEN_TYPES && !self.seen_types.contains(kind) {
                self.seen_types.insert(kind.clone());
            }
        }
    }

    /// Returns the URL of the bridge executor's API.
    pub(crate) fn executor(&self) -> Option<String> {
        let of_demo = || Some(format!("{}{}", self.network.router.as_deref()?, self.directory.executor_path()?));
        self.network.executor.clone().or_else(of_demo)
    }

    /// Returns the chain of the indexer.
    pub(crate) fn own_chain(&self) -> Option<ChainId> {
        let status = self.chain.status.value().map(|status| status.chain_id.as_str());
        status.or(self.network.chain_id.as_deref()).map(ChainId::new)
    }

    /// Returns the curl command of an indexer request; empty for other requests.
    pub(crate) fn curl(&self, request: &Request) -> String {
        (self.path_of)(request).map_or_else(String::new, |path| wire::curl(&format!("{}{path}", self.network.indexer)))
    }

    /// Whether the screen shows ages or countdowns.
    pub(super) fn shows_ages(&self) -> bool {
        !self.frozen && (self.time_form == TimeForm::Age || self.chain.failures > 0)
    }

    /// Returns the time until the next age on screen changes: at the full second.
    pub(super) fn next_age_step(&self, now: Timestamp) -> Option<Duration> {
        if !self.shows_ages() || self.chain.status.value().is_none() && self.chain.failures == 0 {
            return None;
        }
        let into_second = Duration::from_nanos(u64::try_from(now.as_nanos().rem_euclid(1_000_000_000)).unwrap_or(0));
        Some(Duration::from_secs(1).saturating_sub(into_second).max(Duration::from_millis(20)))
    }
}
