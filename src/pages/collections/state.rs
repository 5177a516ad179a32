//! State of the list of collections: search by name, and preview of the selected collection.

use std::{
    collections::{BTreeMap, HashSet, VecDeque},
    sync::Arc,
};

use crate::{
    domain::{Address, Timestamp, text},
    msg::{Ask, CollectionScope, ListPage, Order, PageRequest, Remote, TokenOrder, TokenQuery, TokenScope, ask},
    panes::rows::CollectionRow,
    widgets::{layout::Regions, list::ListWindow},
    wire::{self, ApiError},
};

/// Maximum collections in memory.
const CAPACITY: usize = 2000;
/// Minimum characters of a complete address. The page treats a shorter text as a name.
const ADDRESS: usize = 40;
/// Number of tokens in a collection's preview.
const SAMPLE: u16 = 20;
/// Maximum collections whose preview tokens are cached.
const SAMPLES: usize = 24;

pub(crate) type SampleTokens = Remote<Vec<Arc<wire::Token>>>;

#[derive(Debug)]
pub(crate) struct CollectionsPage {
    /// Which collections the list covers before the search by name.
    pub(super) scope: CollectionScope,
    pub(super) list: ListWindow<CollectionRow>,
    /// Search by name, if active.
    pub(super) search: Option<CollectionSearch>,
    /// Preview tokens by collection, the newest last.
    pub(super) samples: VecDeque<(Address, SampleTokens)>,
    names: BTreeMap<String, String>,
}

#[derive(Debug)]
pub(super) struct CollectionSearch {
    pub(super) name: Arc<str>,
    pub(super) list: ListWindow<CollectionRow>,
    /// Owner, if the user typed an address instead of a name.
    pub(super) owner: Option<Address>,
    /// Whether the client searches all collections, because the server found no match.
    pub(super) is_deep: bool,
    source: Option<ListSnapshot>,
}

/// State of a list: numbers of received and held rows, time of the first page, whether a page is loading, whether a
/// page failed.
type ListSnapshot = (usize, usize, Option<Timestamp>, bool, bool);

impl CollectionsPage {
    /// Creates a list of all collections, or of those with tokens of `owner`.
    pub(crate) fn new(owner: Option<Address>) -> Self {
        let (scope, list) = (owner.map_or(CollectionScope::All, CollectionScope::Owner), ListWindow::new(CAPACITY));
        Self { scope, list, search: None, samples: VecDeque::new(), names: BTreeMap::new() }
    }

    /// Returns an empty list after a chain change, with the current filter.
    pub(super) fn fresh(&self) -> Self {
        let mut fresh = Self::new(self.owner());
        if let Some(name) = self.searched() {
            fresh.narrow(name);
        }
        fresh
    }

    /// Returns the account whose collections the list shows; `None` for all collections.
    pub(crate) fn owner(&self) -> Option<Address> {
        match self.scope {
            CollectionScope::Owner(owner) => Some(owner),
            _ => None,
        }
    }

    /// Returns the owner of the listed tokens: the page's account, or an address that the user typed.
    pub(crate) fn shown_owner(&self) -> Option<Address> {
        self.owner().or(self.search.as_ref().and_then(|search| search.owner))
    }

    pub(crate) fn searched(&self) -> Option<&str> {
        self.search.as_ref().map(|search| &*search.name)
    }

    /// Whether Enter can extend the search to all collections.
    pub(crate) fn may_look_deeper(&self) -> bool {
        self.shown_owner().is_none() && self.search.as_ref().is_some_and(|search| !search.is_deep)
    }

    pub(crate) fn shown(&self) -> &ListWindow<CollectionRow> {
        self.search.as_ref().map_or(&self.list, |search| &search.list)
    }

    pub(crate) fn shown_mut(&mut self) -> &mut ListWindow<CollectionRow> {
        self.search.as_mut().map_or(&mut self.list, |search| &mut search.list)
    }

    /// Filters by name: loaded collections at once, others when the server answers.
    pub(crate) fn narrow(&mut self, name: &str) {
        let before = self.search.take();
        if name.trim().is_empty() {
            self.names.clear();
            return;
        }
        let owner = name.trim().parse().ok().filter(|_| self.owner().is_none() && name.trim().len() >= ADDRESS);
        if before.as_ref().and_then(|search| search.owner) != owner {
            self.samples.clear();
        }
        if owner.is_some() {
            let list = ListWindow::new(CAPACITY);
            self.search = Some(CollectionSearch { name: name.into(), list, owner, is_deep: false, source: None });
            return;
        }
        let known: Vec<CollectionRow> = before.iter().flat_map(|search| search.list.rows().iter()).cloned().collect();
        let rows = self.named(name, &known);
        let mut list = before.map_or_else(|| ListWindow::new(CAPACITY), |search| search.list);
        list.begin_with(rows);
        self.search = Some(CollectionSearch { name: name.into(), list, owner: None, is_deep: false, source: None });
        self.choose_again();
    }

    /// Searches all collections if no loaded collection matches; the effect of Enter.
    pub(crate) fn look_deeper(&mut self) {
        let may = self.may_look_deeper();
        if let Some(search) = self.search.as_mut().filter(|search| may && search.list.rows().is_empty()) {
            search.is_deep = true;
            search.list.clear();
        }
    }

    /// Filters the loaded collections again. Only an account's list and a deep search need this; otherwise the server
    /// searches.
    pub(crate) fn choose_again(&mut self) {
        let is_owned = self.owner().is_some();
        let Some(search) = &self.search else { return };
        if search.owner.is_some() {
            return;
        }
        let is_bare = search.list.state.value().is_some() && search.list.rows().is_empty();
        let source = source_of(&self.list);
        if search.source == Some(source) || !(is_owned || is_bare) {
            return;
        }
        let state = if is_owned { self.list.state.clone() } else { search.list.state.clone() };
        let name = Arc::clone(&search.name);
        let rows = self.named(&name, &[]);
        let Some(CollectionSearch { list, source: chosen_from, .. }) = &mut self.search else { return };
        *chosen_from = (is_owned || rows.is_empty()).then_some(source);
        if rows.is_empty() && !is_owned {
            return;
        }
        let selected = list.selected().map(|row| row.0.object_addr.clone());
        list.begin_with(rows);
        list.state = state;
        list.end();
        if let Some(key) = selected {
            list.select(&key);
        }
    }

    /// Returns the loaded collections with this name, then those in `further` that are not among them.
    fn named(&mut self, name: &str, further: &[CollectionRow]) -> Vec<CollectionRow> {
        let needle = text::letters_and_digits(name);
        let mut seen = HashSet::new();
        let mut rows = Vec::new();
        for row in self.list.rows().iter().chain(further) {
            let facts = &row.0.collection;
            let compared = self.names.entry(row.0.object_addr.clone()).or_insert_with(|| {
                [&facts.name, &facts.origin_name].map(|name| text::letters_and_digits(name.as_received())).join(" ")
            });
            if compared.contains(&needle) && seen.insert(row.0.object_addr.as_str()) {
                rows.push(row.clone());
            }
        }
        rows
    }

    /// Returns the preview tokens of the selected collection, if requested.
    pub(crate) fn sample(&self) -> Option<&SampleTokens> {
        let address = self.shown().selected()?.0.address()?;
        self.samples.iter().find(|(known, _)| *known == address).map(|(_, sample)| sample)
    }

    /// Returns the request for the selected collection's preview, if the screen has room. Waits for a pending request,
    /// so that a fast cursor skips collections.
    pub(crate) fn want_sample(&mut self, size: (u16, u16), now: Timestamp) -> Option<Ask<ListPage<Arc<wire::Token>>>> {
        Regions::new(size).split().1?;
        let address = self.shown().selected()?.0.address()?;
        let is_known = self.samples.iter().any(|(known, _)| *known == address);
        if is_known || self.samples.iter().any(|(_, sample)| sample.is_loading()) {
            return None;
        }
        while self.samples.len() >= SAMPLES {
            self.samples.pop_front();
        }
        self.samples.push_back((address, Remote::Loading { since: now }));
        let scope = match self.shown_owner() {
            Some(owner) => TokenScope::Owner { address: owner, collection: Some(address) },
            None => TokenScope::Collection(address),
        };
        let query = TokenQuery { scope, token_id: None, order_by: TokenOrder::TokenId };
        let page = PageRequest { order: Order::Ascending, count_total: false, ..PageRequest::newest(SAMPLE) };
        Some(ask::tokens(query, page))
    }

    pub(crate) fn take_sample(&mut self, result: Result<ListPage<Arc<wire::Token>>, ApiError>, now: Timestamp) {
        let Some((_, sample)) = self.samples.iter_mut().find(|(_, sample)| sample.is_loading()) else { return };
        sample.settle(result.map(|page| page.items), now);
    }
}

impl CollectionSearch {
    /// Returns the words on the search's progress for the title.
    pub(super) fn progress_words(&self) -> &'static str {
        match self.list.state {
            _ if self.owner.is_some() => "",
            Remote::Ready { .. } => "",
            Remote::Failed { .. } | Remote::Stale { .. } => " · loaded only",
            Remote::Idle | Remote::Loading { .. } => " · searching…",
        }
    }
}

fn source_of(list: &ListWindow<CollectionRow>) -> ListSnapshot {
    let state = &list.state;
    (list.scanned, list.rows().len(), state.at(), state.is_loading(), state.error().is_some())
}
