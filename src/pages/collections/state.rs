//! The list of collections, narrowed by name as one types, with a look into the selected one.

use std::{
    collections::{BTreeMap, HashSet, VecDeque},
    sync::Arc,
};

use crate::{
    domain::{Address, Timestamp, text},
    msg::{Answer, CollectionScope, Order, PageRequest, Remote, Request, TokenOrder, TokenQuery, TokenScope},
    panes::rows::CollectionRow,
    widgets::{layout::Regions, list::ListWindow},
    wire::{self, ApiError},
};

/// Collections that a list keeps at the most.
const CAPACITY: usize = 2000;
/// Characters of a whole address at the least: shorter texts are names.
const ADDRESS: usize = 40;
/// Tokens of a collection that are shown before it is opened.
const SAMPLE: u16 = 20;
/// Collections whose first tokens are kept.
const SAMPLES: usize = 24;

/// The first tokens of a collection.
pub(crate) type SampleTokens = Remote<Vec<Arc<wire::Token>>>;

#[derive(Debug)]
pub(crate) struct CollectionsPage {
    /// Which ones, before they are narrowed by name.
    pub(super) scope: CollectionScope,
    pub(super) list: ListWindow<CollectionRow>,
    /// Those with a name that was typed.
    pub(super) search: Option<CollectionSearch>,
    /// The first tokens of collections looked at, the newest last.
    pub(super) samples: VecDeque<(Address, SampleTokens)>,
    /// What the names of collections are compared by, while one is searched.
    names: BTreeMap<String, String>,
}

#[derive(Debug)]
pub(super) struct CollectionSearch {
    pub(super) name: Arc<str>,
    pub(super) list: ListWindow<CollectionRow>,
    /// The account that was typed instead of a name: its collections are listed.
    pub(super) owner: Option<Address>,
    /// Whether all collections are looked through where the server finds none.
    pub(super) is_deep: bool,
    /// What the rows were chosen from.
    source: Option<ListSnapshot>,
}

/// A list as it was: how many rows had come and were held, when the first page came, whether one is awaited or failed.
type ListSnapshot = (usize, usize, Option<Timestamp>, bool, bool);

impl CollectionsPage {
    /// All collections, or those of which this account owns tokens.
    pub(crate) fn new(owner: Option<Address>) -> Self {
        let (scope, list) = (owner.map_or(CollectionScope::All, CollectionScope::Owner), ListWindow::new(CAPACITY));
        Self { scope, list, search: None, samples: VecDeque::new(), names: BTreeMap::new() }
    }

    /// The same ones of another chain, narrowed in the same way.
    pub(super) fn fresh(&self) -> Self {
        let mut fresh = Self::new(self.owner());
        if let Some(name) = self.searched() {
            fresh.narrow(name);
        }
        fresh
    }

    /// Whose collections these are, where they are somebody's.
    pub(crate) fn owner(&self) -> Option<Address> {
        match self.scope {
            CollectionScope::Owner(owner) => Some(owner),
            _ => None,
        }
    }

    /// Whose tokens the list on screen is about: of the page, or as typed.
    pub(crate) fn shown_owner(&self) -> Option<Address> {
        self.owner().or(self.search.as_ref().and_then(|search| search.owner))
    }

    /// The name that was typed.
    pub(crate) fn searched(&self) -> Option<&str> {
        self.search.as_ref().map(|search| &*search.name)
    }

    /// Whether only the server was asked for the name that was typed: further ones are found on Enter.
    pub(crate) fn may_look_deeper(&self) -> bool {
        self.shown_owner().is_none() && self.search.as_ref().is_some_and(|search| !search.is_deep)
    }

    /// The list on screen.
    pub(crate) fn shown(&self) -> &ListWindow<CollectionRow> {
        self.search.as_ref().map_or(&self.list, |search| &search.list)
    }

    /// The list on screen, to change it.
    pub(crate) fn shown_mut(&mut self) -> &mut ListWindow<CollectionRow> {
        self.search.as_mut().map_or(&mut self.list, |search| &mut search.list)
    }

    /// Narrows the list to names that hold this text; what is loaded at once, what the server has when it answers.
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

    /// Enter: where nothing was found so far, all collections are looked through.
    pub(crate) fn look_deeper(&mut self) {
        let may = self.may_look_deeper();
        if let Some(search) = self.search.as_mut().filter(|search| may && search.list.rows().is_empty()) {
            search.is_deep = true;
            search.list.clear();
        }
    }

    /// Chooses again among the loaded collections where they are all there is to choose from: within one account's, and
    /// where the server found none.
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

    /// The loaded collections with such a name, and those of `further`, each once.
    fn named(&mut self, name: &str, further: &[CollectionRow]) -> Vec<CollectionRow> {
        let needle = text::letters_and_digits(name);
        let mut seen = HashSet::new();
        let mut rows = Vec::new();
        for row in self.list.rows().iter().chain(further) {
            let facts = &row.0.collection;
            let compared = self.names.entry(row.0.object_addr.clone()).or_insert_with(|| {
                [&facts.name, &facts.origin_name].map(|name| text::letters_and_digits(name)).join(" ")
            });
            if compared.contains(&needle) && seen.insert(row.0.object_addr.as_str()) {
                rows.push(row.clone());
            }
        }
        rows
    }

    /// The first tokens of the selected collection, where they were asked for.
    pub(crate) fn sample(&self) -> Option<&SampleTokens> {
        let address = self.shown().selected()?.0.address()?;
        self.samples.iter().find(|(known, _)| *known == address).map(|(_, sample)| sample)
    }

    /// The request for the selected collection's first tokens, where there is room for them and none is under way: a
    /// cursor that runs down the list asks for the collections it rests on.
    pub(crate) fn want_sample(&mut self, size: (u16, u16), now: Timestamp) -> Option<Request> {
        Regions::of(size).split().1?;
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
        Some(Request::Tokens(query, page))
    }

    /// The first tokens of a collection came.
    pub(crate) fn take_sample(&mut self, result: Result<Answer, ApiError>, now: Timestamp) {
        let Some((_, sample)) = self.samples.iter_mut().find(|(_, sample)| sample.is_loading()) else { return };
        match result {
            Ok(Answer::Tokens(page)) => sample.settle(Ok(page.items), now),
            Ok(_) => {}
            Err(error) => sample.settle(Err(error), now),
        }
    }
}

impl CollectionSearch {
    /// What the title says while the server has not answered, or when it cannot.
    pub(super) fn progress_words(&self) -> &'static str {
        match self.list.state {
            _ if self.owner.is_some() => "",
            Remote::Ready { .. } => "",
            Remote::Failed { .. } | Remote::Stale { .. } => " · only loaded ones",
            Remote::Idle | Remote::Loading { .. } => " · searching…",
        }
    }
}

fn source_of(list: &ListWindow<CollectionRow>) -> ListSnapshot {
    let state = &list.state;
    (list.scanned, list.rows().len(), state.at(), state.is_loading(), state.error().is_some())
}
