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

/// What every page may read and none may change: the session changes it, pages are handed it.
#[derive(Debug)]
pub struct Context {
    pub(crate) network: Network,
    /// What is known by name on the network.
    pub(crate) glossary: Arc<Glossary>,
    /// The keys in force, the user's laid over the built-in ones.
    pub(crate) keymap: Keymap,
    /// Where the log goes, for the help screen.
    pub(crate) log_file: Option<String>,
    /// The terminal's columns and rows.
    pub(crate) size: (u16, u16),
    /// The moment of the last event.
    pub(crate) now: Timestamp,
    /// The chain's head and how its index stands.
    pub(crate) chain: Chain,
    /// What the router says of chains and assets.
    pub(crate) directory: Directory,
    /// What the rollup's own node told of names, and when it is asked again where it failed.
    pub(super) node_names: Remote<Arc<wire::node::NodeNames>>,
    pub(super) node_names_due: Timestamp,
    /// Contracts that are asked how they call their tokens.
    pub(super) contract_questions: ContractQuestions,
    /// Of which chain, and of which edition of the directory, the glossary has the names.
    pub(super) learned_names: Option<(ChainId, u64)>,
    /// What was opened in this session is called, where its record said so; hostile text.
    pub(super) opened_names: HashMap<Target, String>,
    /// The transfers that are kept: watched on every screen.
    pub(crate) transfers: Transfers,
    /// The transaction that is marked to be compared with another; its record is kept, wherever one goes.
    pub(crate) marked: Option<Arc<Tx>>,
    /// Whether nothing is polled and nothing ticks.
    pub(crate) frozen: bool,
    /// How accounts are written, so that no two on screen look alike.
    pub(crate) address_style: AddressStyle,
    /// The form that was chosen; [`Self::shown_time_form`] is the one on screen.
    pub(crate) time_form: TimeForm,
    /// The columns of lists, where somebody chose them.
    pub(crate) columns: Columns,
    /// The time zone of who looks.
    pub(crate) zone: LocalZone,
    /// Path and query of what a request asks the indexer; `None` for other requests.
    pub(crate) path_of: fn(&Request) -> Option<String>,
    /// Message types that went by in this session, for the picker.
    pub(crate) seen_types: BTreeSet<MsgType>,
    /// Whether the first blocks or transactions are still on their way.
    pub(crate) awaits_first_rows: bool,
}

impl Context {
    /// Time form on screen: frozen screens show the clock, so that nothing moves.
    pub(crate) fn shown_time_form(&self) -> TimeForm {
        if self.frozen { TimeForm::Clock } else { self.time_form }
    }

    /// How the cells of lists are written now.
    pub(crate) fn forms(&self) -> Forms<'_> {
        let (time, address) = (self.shown_time_form(), &self.address_style);
        Forms { time, address, now: self.now, glossary: Some(&self.glossary) }
    }

    /// The form in which accounts are written.
    pub(crate) fn address_form(&self) -> AddressForm {
        self.address_style.form()
    }

    /// What a denom is called, by the network's list or by the router's.
    pub(crate) fn token(&self, denom: &Denom) -> Option<&TokenUnit> {
        self.glossary.token(denom).map(Arc::as_ref)
    }

    pub(crate) fn marked_hash(&self) -> Option<TxHash> {
        self.marked.as_ref().map(|tx| tx.txhash)
    }

    /// Whether a routing API is known for this network.
    pub(crate) fn has_router(&self) -> bool {
        self.network.router.is_some()
    }

    /// Whether the router is the indexer's own server, as that of the embedded rollup: then it begins anew with it.
    pub(crate) fn has_own_router(&self) -> bool {
        self.network.router.as_deref().is_none_or(|router| router == self.network.indexer)
    }

    /// The API of the executor of its bridge, where that is known.
    pub(crate) fn executor(&self) -> Option<String> {
        let of_demo = || Some(format!("{}{}", self.network.router.as_deref()?, self.directory.executor_path()?));
        self.network.executor.clone().or_else(of_demo)
    }

    /// The chain of the indexer that is asked.
    pub(crate) fn own_chain(&self) -> Option<ChainId> {
        let status = self.chain.status.value().map(|status| status.chain_id.as_str());
        status.or(self.network.chain_id.as_deref()).map(ChainId::new)
    }

    /// The curl command of what a request asks the indexer; empty for other requests.
    pub(crate) fn curl(&self, request: &Request) -> String {
        (self.path_of)(request).map_or_else(String::new, |path| wire::curl(&format!("{}{path}", self.network.indexer)))
    }

    /// Whether the screen shows how long ago something was, or counts down.
    pub(super) fn shows_ages(&self) -> bool {
        !self.frozen && (self.time_form == TimeForm::Age || self.chain.failures > 0)
    }

    /// Until the next age on screen changes: seconds while anything is younger than a minute.
    pub(super) fn next_age_step(&self, now: Timestamp) -> Option<Duration> {
        if !self.shows_ages() || self.chain.status.value().is_none() && self.chain.failures == 0 {
            return None;
        }
        let into_second = Duration::from_nanos(u64::try_from(now.as_nanos().rem_euclid(1_000_000_000)).unwrap_or(0));
        Some(Duration::from_secs(1).saturating_sub(into_second).max(Duration::from_millis(20)))
    }
}
