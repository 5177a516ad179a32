use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use super::{
    chain::Chain, denom_questions::DenomQuestions, format::TimeForm, kept_entries::KeptEntries, kept_name::KeptName,
    lookups::Lookups, node_curl::node_curl, prompt::CopyChoice, server_state::ServerStates, transfers::Transfers,
};
use crate::{
    app::directory::Directory,
    columns::{Columns, Forms},
    config::{Keymap, Network},
    domain::{
        Address, AddressForm, AddressStyle, ChainId, Denom, LocalZone, MsgType, Target, Timestamp, TxHash,
        secret::join_url,
    },
    msg::{Remote, Request},
    story::{Glossary, RevertedTx, TokenUnit},
    wire::{self, Exchange, Tx},
};

/// Maximum message types to remember for the picker.
const SEEN_TYPES: usize = 300;

/// State that pages read. Only the session changes it.
#[derive(Debug)]
pub struct Context {
    pub(crate) network: Network,
    /// Networks that the user left, the last first.
    pub(super) kept_networks: Vec<KeptName>,
    /// Names of tokens, accounts and chains of the network.
    pub(crate) glossary: Arc<Glossary>,
    /// Keys, from the defaults and the user's settings.
    pub(crate) keymap: Keymap,
    /// Path of the log file, for the help screen.
    pub(crate) log_file: Option<String>,
    /// Folder to which the explorer writes files, without control characters.
    pub(crate) folder: String,
    /// Columns and rows of the terminal.
    pub(crate) size: (u16, u16),
    /// Time of the current event.
    pub(crate) now: Timestamp,
    /// State of the chain and its index.
    pub(crate) chain: Chain,
    /// Chains and assets that the router lists.
    pub(crate) directory: Directory,
    pub(super) node_names: Remote<Arc<wire::node::NodeNames>>,
    pub(super) node_names_due: Timestamp,
    /// Requests for names and units of the denoms on screen.
    pub(super) denom_questions: DenomQuestions,
    /// Failed transactions whose reason is to be looked up.
    pub(super) reverted: Lookups<RevertedTx>,
    /// Collections whose name is to be looked up.
    pub(super) nameless: Lookups<Address>,
    /// Chain and directory version whose names the glossary contains.
    pub(super) learned_names: Option<(ChainId, u64)>,
    /// The user's notes and bookmarks.
    pub(crate) personal: KeptEntries,
    /// Names of records that the user opened in this session. Servers chose them, so they are untrusted.
    pub(super) opened_names: HashMap<Target, String>,
    /// Kept transfers. The session watches them on every screen.
    pub(crate) transfers: Transfers,
    pub(crate) marked: Option<Arc<Tx>>,
    /// Whether the user froze polls and clocks.
    pub(crate) frozen: bool,
    /// Address format, which keeps the shortened addresses on screen distinct.
    pub(crate) address_style: AddressStyle,
    /// Time format that the user chose. [`Self::shown_time_form`] returns the format on screen.
    pub(crate) time_form: TimeForm,
    /// Columns of lists that the user chose.
    pub(crate) columns: Columns,
    pub(crate) zone: LocalZone,
    /// Returns the path and query of a request to the indexer; `None` for other requests, and for all requests to an
    /// index of this process.
    pub(crate) path_of: fn(&Request) -> Option<String>,
    /// Message types in this session's transactions, for the picker.
    pub(crate) seen_types: BTreeSet<MsgType>,
    /// Whether the first blocks or transactions are loading.
    pub(crate) awaits_first_rows: bool,
    pub(crate) servers: ServerStates,
    /// Configured URL of the node, of several, that answered the explorer last.
    pub(super) answering_node: Option<String>,
    /// Newest exchanges with servers, newest first.
    pub(crate) exchanges: VecDeque<Arc<Exchange>>,
}

impl Context {
    /// Whether ages may be shown. On a frozen screen they would move; after somebody set the clock they would be wrong.
    pub(crate) fn has_ages(&self) -> bool {
        !self.frozen && self.chain.clock_shift.is_none()
    }

    /// Returns the time format on screen: clock times where no ages may be shown.
    pub(crate) fn shown_time_form(&self) -> TimeForm {
        if self.has_ages() { self.time_form } else { TimeForm::Clock }
    }

    pub(crate) fn forms(&self) -> Forms<'_> {
        let (time, address) = (self.shown_time_form(), &self.address_style);
        Forms { time, address, now: self.now, zone: &self.zone, glossary: Some(&self.glossary) }
    }

    pub(crate) fn address_form(&self) -> AddressForm {
        self.address_style.form()
    }

    /// Returns name and decimals of a denom.
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

    /// Whether nobody is there to say symbols and decimals of tokens.
    pub(crate) fn lacks_units(&self) -> bool {
        let is_known = self.chain.status.value().is_some();
        is_known && !self.has_router() && self.network.node.is_none() && self.network.tokens.is_empty()
    }

    /// Whether router and indexer are one server, as in the embedded rollup. Then they restart together.
    pub(crate) fn has_own_router(&self) -> bool {
        self.network.router.as_deref().is_none_or(|router| router == self.network.indexer)
    }

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

    /// Returns the configured URL of the node that took over from the first one: the node of this process's index, else
    /// the node that answered the explorer last. `None` while the first one answers.
    pub(crate) fn next_node_in_use(&self) -> Option<&str> {
        let others = &self.network.node.as_ref()?.others;
        let is_own_index = (self.path_of)(&Request::Status).is_none();
        let status = self.chain.status.value().filter(|_| is_own_index);
        let indexed = status.and_then(|status| status.node.as_ref()?.url.as_deref());
        let url = indexed.or(self.answering_node.as_deref())?;
        others.iter().map(String::as_str).find(|other| *other == url)
    }

    /// Returns the chain that the indexer serves.
    pub(crate) fn own_chain(&self) -> Option<ChainId> {
        let status = self.chain.status.value().map(|status| status.chain_id.as_str());
        status.or(self.network.chain_id.as_deref()).map(ChainId::new)
    }

    /// Returns the copy choice with the curl command of a request: to the indexer, or to the node whose index ends with
    /// this process. `None` if neither answers the request.
    pub(crate) fn curl(&self, key: char, label: &'static str, request: &Request) -> Option<CopyChoice> {
        let path = (self.path_of)(request);
        let of_indexer = path.map(|path| wire::curl(&join_url(&self.network.indexer, &path)));
        let command = of_indexer.or_else(|| node_curl(self.network.node.as_ref()?, request));
        command.map(|command| CopyChoice::value(key, label, command))
    }

    /// Whether the screen shows an age or a countdown.
    pub(super) fn shows_ages(&self) -> bool {
        !self.frozen && (self.shown_time_form() == TimeForm::Age || self.chain.failures > 0)
    }

    /// Returns the time until the next age on screen changes, at the next full second.
    pub(super) fn next_age_step(&self, now: Timestamp) -> Option<Duration> {
        if !self.shows_ages() || self.chain.status.value().is_none() && self.chain.failures == 0 {
            return None;
        }
        let into_second = Duration::from_nanos(u64::try_from(now.as_nanos().rem_euclid(1_000_000_000)).unwrap_or(0));
        Some(Duration::from_secs(1).saturating_sub(into_second).max(Duration::from_millis(20)))
    }
}
