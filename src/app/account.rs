//! The page of an account: its history, its NFTs, the collections it holds some of, its place in rich lists.

use std::{num::NonZeroU64, sync::Arc};

use super::{
    App,
    denoms::Look,
    modal::CopyChoice,
    view::{TxsView, View},
};
use crate::{
    config::{Meaning, Network},
    domain::{
        Address, Balance, Denom, Target,
        text::{clip, group},
    },
    msg::{
        Answer, CollectionScope, Order, PageNeed, PageRequest, Request, Slot, TokenOrder, TokenQuery, TokenScope,
        TxQuery, TxScope,
    },
    panes::{
        lists::{CollectionList, Lists, TokenList},
        rows::{CollectionRow, TokenRow},
    },
    widgets::{
        document::{Document, Line},
        layout::Regions,
        list::{ListWindow, QueriedList},
    },
    wire::{self, ApiError},
};

/// Tokens and collections of an account that are held at the most.
const CAPACITY: usize = 1000;
/// Holders of each denom that are looked through: the account's place is not asked of the server by name.
const LOOKED_THROUGH: u16 = 1000;
/// Denoms looked at for an account.
const MOST_DENOMS: usize = 24;

/// The tabs of an account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumIter, strum::Display)]
pub(crate) enum AccountTab {
    /// Its transactions.
    #[default]
    Txs,
    /// The NFTs it owns.
    #[strum(serialize = "NFTs")]
    Tokens,
    /// The collections of which it owns some.
    Collections,
    /// Its place in the rich lists of the denoms known so far.
    #[strum(serialize = "Rich lists")]
    Holdings,
}

/// The page of an account.
#[derive(Debug)]
pub(crate) struct AccountPage {
    /// Whose.
    pub(crate) address: Address,
    /// The tab one is in.
    pub(crate) tab: AccountTab,
    /// Its transactions.
    pub(crate) txs: TxsView,
    /// Its NFTs.
    pub(crate) tokens: ListWindow<TokenRow>,
    /// The one collection that the NFTs are narrowed to.
    pub(crate) of_collection: Option<(Address, String)>,
    /// The collections of which it owns some.
    pub(crate) collections: ListWindow<CollectionRow>,
    /// Its places in rich lists, in the order in which they were looked for.
    pub(crate) holdings: Vec<Holding>,
    /// The same in lines.
    pub(crate) holdings_document: Document,
    /// What the lines were made of is not what there is any more.
    is_stale: bool,
}

/// What the rich list of a denom says of an account.
#[derive(Clone, Debug)]
pub(crate) struct Holding {
    /// Of which denom.
    pub(crate) denom: Denom,
    /// What was found.
    pub(crate) place: Place,
}

/// Where an account is in a rich list.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// Not looked for yet.
    Waiting,
    /// Being looked for.
    Looking,
    /// Here.
    Found {
        /// 1 is the largest.
        rank: NonZeroU64,
        /// What it holds.
        amount: Balance,
    },
    /// Not among so many of the largest; `true` where that is all of them.
    Absent(usize, bool),
    /// It could not be found out.
    Failed(ApiError),
}

impl AccountPage {
    /// The page before anything came.
    pub(crate) fn new(address: Address) -> Self {
        let query = TxQuery { scope: TxScope::Account { address, signer_only: false }, msgs: Vec::new() };
        Self {
            address,
            tab: AccountTab::default(),
            txs: TxsView::new(query),
            tokens: ListWindow::new(CAPACITY),
            of_collection: None,
            collections: ListWindow::new(CAPACITY),
            holdings: Vec::new(),
            holdings_document: Document::new(Vec::new()),
            is_stale: true,
        }
    }

    /// `Account init1k…9qe`.
    pub(crate) fn title(&self) -> String {
        format!("Account {}", self.address.short())
    }

    /// Whether only some of its transactions are shown.
    pub(crate) fn is_narrowed(&self) -> bool {
        let is_signer_only = matches!(self.txs.query.scope, TxScope::Account { signer_only: true, .. });
        self.txs.failed_only || is_signer_only || !self.txs.query.msgs.is_empty()
    }

    /// All of its lists.
    pub(super) fn lists(&mut self) -> Lists<'_> {
        let collection = self.of_collection.as_ref().map(|(address, _)| *address);
        let scope = TokenScope::Owner { address: self.address, collection };
        let tokens = TokenQuery { scope, token_id: None, order_by: TokenOrder::TokenId };
        vec![
            self.txs.listing(),
            QueriedList::boxed(&mut self.tokens, TokenList { query: tokens, order: Order::Ascending }),
            QueriedList::boxed(&mut self.collections, CollectionList(CollectionScope::Owner(self.address))),
        ]
    }

    /// The list of the tab one is in.
    pub(super) fn visible_lists(&mut self) -> Lists<'_> {
        let place = match self.tab {
            AccountTab::Txs => 0,
            AccountTab::Tokens => 1,
            AccountTab::Collections => 2,
            AccountTab::Holdings => return Vec::new(),
        };
        self.lists().into_iter().nth(place).into_iter().collect()
    }

    /// Gives it the room it has on the screen.
    pub(super) fn fit(&mut self, regions: &Regions) {
        let (_, below) = regions.account_page();
        let rows = usize::from(regions.list_rows(below).height);
        self.txs.list.set_viewport(rows);
        self.tokens.set_viewport(rows);
        self.collections.set_viewport(rows);
        let inner = regions.inner(below);
        self.holdings_document.set_room(usize::from(inner.width), usize::from(inner.height));
    }

    /// Gives back what can be fetched again.
    pub(super) fn shrink(&mut self) {
        self.txs.list.shrink();
        self.tokens.shrink();
        self.collections.shrink();
    }

    /// Whether something that is on screen is awaited.
    pub(super) fn is_loading(&self) -> bool {
        match self.tab {
            AccountTab::Txs => self.txs.list.is_loading(),
            AccountTab::Tokens => self.tokens.is_loading(),
            AccountTab::Collections => self.collections.is_loading(),
            AccountTab::Holdings => self.holdings.iter().any(|holding| matches!(holding.place, Place::Looking)),
        }
    }

    /// What the tab on screen was asked with, for copying.
    pub(super) fn request(&self) -> Request {
        let page = PageRequest::newest(crate::widgets::list::PAGE);
        let collection = self.of_collection.as_ref().map(|(address, _)| *address);
        match self.tab {
            AccountTab::Tokens => {
                let scope = TokenScope::Owner { address: self.address, collection };
                let query = TokenQuery { scope, token_id: None, order_by: TokenOrder::TokenId };
                Request::Tokens(query, PageRequest { order: Order::Ascending, ..page })
            }
            AccountTab::Collections => Request::Collections(CollectionScope::Owner(self.address), page),
            AccountTab::Txs | AccountTab::Holdings => Request::Txs(self.txs.query.clone(), page),
        }
    }

    /// What can be copied of the NFT or collection under the cursor.
    pub(super) fn row_choices(&self) -> Vec<CopyChoice> {
        let choice = |key, label, text: String| CopyChoice { key, label, text };
        match self.tab {
            AccountTab::Tokens => self.tokens.selected().map_or_else(Vec::new, |row| {
                vec![
                    choice('v', "token id", row.0.nft.token_id.clone()),
                    choice('a', "collection, 0x… form", row.0.collection_addr.clone()),
                    choice('m', "URI", row.0.nft.uri.clone()),
                    choice('j', "record as JSON", serde_json::to_string_pretty(&*row.0).unwrap_or_default()),
                ]
            }),
            AccountTab::Collections => self.collections.selected().map_or_else(Vec::new, |row| {
                vec![
                    choice('v', "collection, 0x… form", row.0.object_addr.clone()),
                    choice('j', "record as JSON", serde_json::to_string_pretty(&*row.0).unwrap_or_default()),
                ]
            }),
            AccountTab::Txs | AccountTab::Holdings => Vec::new(),
        }
    }

    /// Whether a place was found.
    pub(super) fn has_holdings(&self) -> bool {
        self.holdings.iter().any(|holding| matches!(holding.place, Place::Found { .. }))
    }

    /// The places found, one JSON object a line; amounts are exact, in the smallest unit.
    pub(super) fn holdings_jsonl(&self) -> String {
        let found = self.holdings.iter().filter_map(|holding| match &holding.place {
            Place::Found { rank, amount } => Some(serde_json::json!({
                "denom": holding.denom.as_str(), "rank": rank, "amount": amount.to_string(),
            })),
            _ => None,
        });
        found.fold(String::new(), |all, line| all + &line.to_string() + "\n")
    }

    /// Adds denoms that were not known before.
    fn know(&mut self, denoms: impl IntoIterator<Item = Denom>) {
        for denom in denoms {
            if self.holdings.len() < MOST_DENOMS && !self.holdings.iter().any(|holding| holding.denom == denom) {
                self.holdings.push(Holding { denom, place: Place::Waiting });
                self.is_stale = true;
            }
        }
    }

    /// The next rich list to look through; one after the other.
    fn next_holding(&mut self) -> Option<Request> {
        if self.tab != AccountTab::Holdings || self.is_loading() {
            return None;
        }
        let waiting = self.holdings.iter_mut().find(|holding| matches!(holding.place, Place::Waiting))?;
        waiting.place = Place::Looking;
        self.is_stale = true;
        let page = PageRequest { count_total: false, ..PageRequest::newest(LOOKED_THROUGH) };
        Some(Request::Holders(waiting.denom.clone(), page))
    }

    /// A rich list came.
    pub(super) fn take_extra(&mut self, result: Result<Answer, ApiError>) {
        let address = self.address;
        self.is_stale = true;
        let Some(holding) = self.holdings.iter_mut().find(|holding| matches!(holding.place, Place::Looking)) else {
            return;
        };
        holding.place = match result {
            Ok(Answer::Holders(page)) => {
                let ranked = (1..).filter_map(NonZeroU64::new).zip(&page.items);
                let found = ranked.into_iter().find(|(_, holder)| holder.address() == Some(address));
                match found {
                    Some((rank, holder)) => Place::Found { rank, amount: holder.amount },
                    None => Place::Absent(page.items.len(), page.next.is_none()),
                }
            }
            Ok(_) => return,
            Err(error) => Place::Failed(error),
        };
    }

    /// Looks once more for what a failing server kept back.
    pub(super) fn retry(&mut self) {
        for holding in &mut self.holdings {
            if matches!(&holding.place, Place::Failed(error) if error.is_transient()) {
                holding.place = Place::Waiting;
                self.is_stale = true;
            }
        }
    }

    /// Looks for everything that could not be found out once more.
    pub(super) fn ask_again(&mut self) {
        self.is_stale = true;
        for holding in self.holdings.iter_mut().filter(|holding| !matches!(holding.place, Place::Looking)) {
            holding.place = Place::Waiting;
        }
    }

    /// Makes the lines of its places where they changed.
    pub(super) fn make_lines(&mut self, network: &Network) {
        if std::mem::take(&mut self.is_stale) {
            let mut lines: Vec<Line> = self.holdings.iter().map(|holding| holding.line(network)).collect();
            let depth = group(u64::from(LOOKED_THROUGH));
            let note = format!(
                "Looked for among the {depth} largest holders of each denom known so far. Enter shows the list."
            );
            lines.insert(0, Line::at(0).with(Meaning::Muted, note));
            self.holdings_document.show_instead(lines);
        }
    }

    /// Shows only the NFTs of one collection, or all again.
    fn narrow(&mut self, collection: Option<(Address, String)>) {
        if self.of_collection != collection {
            self.of_collection = collection;
            self.tokens.clear();
        }
        self.tab = AccountTab::Tokens;
    }
}

impl Holding {
    /// Symbol, rank and amount, or why there are none.
    fn line(&self, network: &Network) -> Line {
        let token = network.tokens.iter().find(|token| token.denom == self.denom.as_str());
        let symbol = token.map_or_else(String::new, |token| clip(&token.symbol, 10));
        let line = Line::at(0)
            .with(Meaning::Kind, format!("{symbol:<11}"))
            .with(Meaning::Muted, format!("{:<24} ", self.denom.short()))
            .leading_to(Some(Target::Denom(self.denom.clone())));
        match &self.place {
            Place::Waiting => line.with(Meaning::Muted, "…"),
            Place::Looking => line.with(Meaning::Muted, "looking…"),
            Place::Found { rank, amount } => {
                let shown = token.map_or_else(|| amount.to_string(), |token| amount.display(token.decimals));
                line.with(Meaning::Key, format!("{:>8}  ", format!("#{}", group(rank.get()))))
                    .with(Meaning::Number, shown)
                    .with(Meaning::Muted, if token.is_none() { "  smallest unit" } else { "" })
                    .copying(amount.to_string())
            }
            Place::Absent(0, _) => {
                line.with(Meaning::Muted, "no holders known: the server keeps no list of this denom")
            }
            Place::Absent(_, true) => line.with(Meaning::Muted, "not a holder"),
            Place::Absent(count, false) => {
                line.with(Meaning::Muted, format!("not among the {} largest", group(*count as u64)))
            }
            Place::Failed(error) => line.with(Meaning::Bad, format!("✗ {}", error.brief())),
        }
    }
}

impl App {
    /// Opens the page of an account.
    pub(super) fn open_account(&mut self, address: Address) {
        self.remember_target(&Target::Account(address));
        self.navigation.open(|_| View::Account(AccountPage::new(address)));
        self.effects.redraw = true;
    }

    /// Asks for the next rich list that an account's place is looked for in.
    pub(super) fn meet_account_needs(&mut self) {
        let denoms = match self.navigation.current() {
            View::Account(page) if page.tab == AccountTab::Holdings => self.known_denoms(Look::Glance),
            _ => return,
        };
        let id = self.navigation.current_id();
        let View::Account(page) = self.navigation.current_mut() else { return };
        page.know(denoms.into_iter().map(|known| known.denom));
        if let Some(request) = page.next_holding() {
            self.fetch(Slot::Page(id, PageNeed::Holdings), request);
        }
    }

    /// In an account's collections, Enter shows its NFTs of that one.
    pub(super) fn open_owned(&mut self, collection: &Arc<wire::Collection>) {
        let Some(address) = collection.address() else {
            return self.refuse("this collection's address is cut: the server cannot find it by that");
        };
        if let View::Account(page) = self.navigation.current_mut() {
            page.narrow(Some((address, collection.collection.name.clone())));
        }
        self.effects.redraw = true;
    }

    /// Esc shows all of an account's tab again; false when it was not narrowed.
    pub(super) fn widen_owned(&mut self) -> bool {
        let View::Account(page) = self.navigation.current_mut() else { return false };
        if page.tab == AccountTab::Txs && page.is_narrowed() {
            let address = page.address;
            page.txs.failed_only = false;
            let scope = TxScope::Account { address, signer_only: false };
            self.change_query(TxQuery { scope, msgs: Vec::new() });
            return true;
        }
        if page.tab != AccountTab::Tokens || page.of_collection.is_none() {
            return false;
        }
        page.narrow(None);
        page.tab = AccountTab::Collections;
        true
    }
}
