//! An account: its history, its NFTs, the collections it holds some of, its place in rich lists.

mod balances;
mod commands;
mod draw;
mod holdings;
mod lines;

use std::sync::Arc;

use self::{balances::Balances, holdings::Holdings};
use crate::{
    app::{
        Context,
        hint::Hint,
        known_denom::{DenomSearchDepth, KnownDenom},
        page::{
            Choice, Cx, Destination, Drawing, Export, Handled, Page, Surroundings, Tab, Unseen, WebSubject, WordWork,
        },
        prompt::{CopyChoice, Prompt},
    },
    columns::List,
    config::{Command, KeyScope},
    domain::{Address, Target, TxHash, text},
    msg::{
        Answer, CollectionScope, Order, PageId, PageNeed, PageRequest, Request, TokenOrder, TokenQuery, TokenScope,
        TxQuery, TxScope,
    },
    panes::{
        commands::{CUT_COLLECTION, copy_request},
        lists::{CollectionList, TokenList, unseen},
        nft_lists,
        rows::{CollectionRow, TokenRow},
        tx_list::{self, TxListPane},
        words::summarize_list,
    },
    story::LabelSource,
    widgets::{
        canvas::Canvas,
        cursor::Cursor,
        document::Lines,
        layout::Regions,
        list::{ListSource as _, ListWindow, PAGE, QueriedList, RemoteList},
    },
    wire::{self, ApiError},
};

/// Pages of an account's history that are looked through for the transaction that one comes from.
const PAGES_SOUGHT: usize = 5;
/// Tokens and collections of an account that are held at the most.
const CAPACITY: usize = 1000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display)]
enum AccountTab {
    #[default]
    Txs,
    /// What it holds by the rollup's own node.
    Balances,
    /// The NFTs it owns.
    #[strum(serialize = "NFTs")]
    Tokens,
    /// The collections of which it owns some.
    Collections,
    /// Its place in the rich lists of the denoms known so far.
    #[strum(serialize = "Rich lists")]
    Holdings,
}

impl AccountTab {
    /// The tabs in their order: balances only where somebody can be asked for them.
    fn all(cx: &Context) -> impl Iterator<Item = Self> {
        let tabs = [Self::Txs, Self::Balances, Self::Tokens, Self::Collections, Self::Holdings];
        let has_node = cx.network.node.is_some();
        tabs.into_iter().filter(move |tab| has_node || *tab != Self::Balances)
    }
}

#[derive(Debug)]
pub(super) struct AccountPage {
    address: Address,
    tab: AccountTab,
    pub(super) txs: TxListPane,
    /// Its NFTs.
    tokens: ListWindow<TokenRow>,
    /// The one collection that the NFTs are narrowed to.
    of_collection: Option<(Address, String)>,
    /// The collections of which it owns some.
    collections: ListWindow<CollectionRow>,
    balances: Balances,
    holdings: Holdings,
    /// What it is called, and who says so.
    name: Option<(String, LabelSource)>,
    /// The transaction that the cursor is to go to, and how many pages more are looked through for it.
    sought: Option<(TxHash, usize)>,
}

impl AccountPage {
    pub(super) fn new(address: Address) -> Self {
        Self {
            address,
            tab: AccountTab::default(),
            txs: TxListPane::new(history_of(address)),
            tokens: ListWindow::new(CAPACITY),
            of_collection: None,
            collections: ListWindow::new(CAPACITY),
            balances: Balances::default(),
            holdings: Holdings::default(),
            name: None,
            sought: None,
        }
    }

    /// With the cursor on this transaction, as soon as it is among the loaded ones.
    pub(super) fn at(address: Address, hash: TxHash) -> Self {
        Self { sought: Some((hash, PAGES_SOUGHT)), ..Self::new(address) }
    }

    /// Goes to the transaction that is sought, or to the last row, from where further ones are asked for.
    fn seek(&mut self) {
        let Some((hash, left)) = self.sought.take() else { return };
        let list = &mut self.txs.list;
        if list.rows().is_empty() {
            self.sought = Some((hash, left));
        } else if !list.select(&hash) {
            if left > 0 && !list.has_ended() {
                list.move_to(usize::MAX);
                self.sought = Some((hash, left - 1));
            } else {
                list.move_to(0);
            }
        }
    }

    /// Whether only some of its transactions are shown.
    fn is_history_narrowed(&self) -> bool {
        self.txs.failed_only || self.txs.query != history_of(self.address)
    }

    fn token_list(&self) -> TokenList {
        let collection = self.of_collection.as_ref().map(|(address, _)| *address);
        let scope = TokenScope::Owner { address: self.address, collection };
        let query = TokenQuery { scope, token_id: None, order_by: TokenOrder::TokenId };
        TokenList { query, order: Order::Ascending }
    }

    fn collection_list(&self) -> CollectionList {
        CollectionList(CollectionScope::Owner(self.address))
    }

    /// What the tab on screen was asked with.
    fn request(&self) -> Request {
        let page = PageRequest::newest(PAGE);
        match self.tab {
            AccountTab::Tokens => self.token_list().request(page),
            AccountTab::Collections => self.collection_list().request(page),
            AccountTab::Txs | AccountTab::Balances | AccountTab::Holdings => Request::Txs(self.txs.query.clone(), page),
        }
    }

    /// What can be copied of the NFT or collection under the cursor.
    fn row_choices(&self) -> Vec<CopyChoice> {
        let choice = CopyChoice::value;
        match self.tab {
            AccountTab::Tokens => self.tokens.selected().map_or_else(Vec::new, |row| {
                vec![
                    choice('v', "token id", row.0.nft.token_id.clone()),
                    choice('a', "collection, 0x… form", row.0.collection_addr.clone()),
                    choice('m', "URI", row.0.nft.uri.clone()),
                    CopyChoice::document(
                        'j',
                        "record as JSON",
                        serde_json::to_string_pretty(&*row.0).unwrap_or_default(),
                    ),
                ]
            }),
            AccountTab::Collections => self.collections.selected().map_or_else(Vec::new, |row| {
                vec![
                    choice('v', "collection, 0x… form", row.0.object_addr.clone()),
                    CopyChoice::document(
                        'j',
                        "record as JSON",
                        serde_json::to_string_pretty(&*row.0).unwrap_or_default(),
                    ),
                ]
            }),
            AccountTab::Txs | AccountTab::Balances | AccountTab::Holdings => Vec::new(),
        }
    }

    /// The tab so many steps from this one, around the end.
    fn turn_tab(&mut self, step: isize, cx: &Context) {
        let tabs: Vec<AccountTab> = AccountTab::all(cx).collect();
        let place = tabs.iter().position(|tab| *tab == self.tab).unwrap_or_default();
        self.show(tabs[(place + tabs.len()).saturating_add_signed(step) % tabs.len()]);
    }

    /// Goes to a tab. Balances are asked for each time that one comes to them: they are of a moment.
    fn show(&mut self, tab: AccountTab) {
        self.tab = tab;
        if tab == AccountTab::Balances {
            self.balances.ask_again();
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

    fn open(&mut self, cx: &mut Cx<'_>) -> Handled {
        match self.tab {
            AccountTab::Txs => tx_list::open_selected(&self.txs.list, cx),
            AccountTab::Tokens => nft_lists::open_selected_token(&self.tokens, cx),
            AccountTab::Collections => self.open_owned(cx),
            AccountTab::Balances | AccountTab::Holdings => return Handled::Pass,
        }
        Handled::Done
    }

    /// Shows its NFTs of the collection under the cursor.
    fn open_owned(&mut self, cx: &mut Cx<'_>) {
        let Some(row) = self.collections.selected() else { return };
        match row.0.address() {
            Some(address) => self.narrow(Some((address, row.0.collection.name.clone()))),
            None => cx.refuse(CUT_COLLECTION),
        }
    }

    /// Esc: all of the tab again; passed on where it was not narrowed.
    fn widen(&mut self) -> Handled {
        match self.tab {
            AccountTab::Txs if self.is_history_narrowed() => {
                self.txs.failed_only = false;
                self.txs.change_query(history_of(self.address));
            }
            AccountTab::Tokens if self.of_collection.is_some() => {
                self.narrow(None);
                self.tab = AccountTab::Collections;
            }
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn act_on_history(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
        match command {
            Command::Filter => cx.ask(Prompt::Types(self.txs.type_picker(cx))),
            Command::SignerOnly => {
                if let Err(why) = self.txs.toggle_signer_only() {
                    cx.refuse(why);
                }
            }
            Command::FailedOnly => self.txs.toggle_failed_only(),
            _ => return Handled::Pass,
        }
        Handled::Done
    }
}

/// All transactions of an account.
fn history_of(address: Address) -> TxQuery {
    TxQuery { scope: TxScope::Account { address, signer_only: false }, msgs: Vec::new() }
}

impl Page for AccountPage {
    fn title(&self) -> String {
        match &self.name {
            Some((name, _)) => format!("Account {name}"),
            None => format!("Account {}", self.address.short()),
        }
    }

    fn tab(&self) -> Tab {
        Tab::Txs
    }

    fn scope(&self) -> KeyScope {
        KeyScope::TxPage
    }

    fn fit(&mut self, regions: &Regions, _cx: &Context) {
        let (_, below) = regions.account_page();
        let rows = usize::from(regions.list_rows(below).height);
        self.txs.list.set_viewport(rows);
        self.tokens.set_viewport(rows);
        self.collections.set_viewport(rows);
        let inner = regions.inner(below);
        for document in [&mut self.balances.document, &mut self.holdings.document] {
            document.set_room(usize::from(inner.width), usize::from(inner.height));
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, cx: &Context, _surroundings: &Surroundings) -> Vec<Hint> {
        commands::commands(self, cx)
    }

    fn restart(&mut self) -> Option<Destination> {
        self.txs.restart();
        self.tokens = ListWindow::new(CAPACITY);
        self.collections = ListWindow::new(CAPACITY);
        self.balances = Balances::default();
        self.holdings = Holdings::default();
        None
    }

    fn update(&mut self, cx: &mut Cx<'_>) {
        if self.tab == AccountTab::Balances {
            let vm = cx.glossary.vm.or(cx.network.vm);
            self.balances.look_at(self.txs.list.rows().iter().map(|row| &row.tx), vm);
            if let Some(request) = self.balances.next_request(self.address, cx.now) {
                cx.fetch(PageNeed::Balances, request);
            }
            self.balances.make_lines(&Arc::clone(&cx.glossary), cx.own_chain());
        }
        self.holdings.make_lines(&Arc::clone(&cx.glossary));
        let label = cx.glossary.label(self.address).map(|label| text::clip(label, 32));
        self.name = label.zip(cx.glossary.label_source(self.address));
    }

    fn take(&mut self, need: PageNeed, result: Result<Answer, ApiError>, cx: &mut Cx<'_>) {
        match need {
            PageNeed::Balances => self.balances.take(result, cx.now),
            _ => self.holdings.take(result, self.address),
        }
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        let (tokens, collections) = (self.token_list(), self.collection_list());
        vec![
            self.txs.listing(),
            QueriedList::boxed(&mut self.tokens, tokens),
            QueriedList::boxed(&mut self.collections, collections),
        ]
    }

    fn visible_lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        let place = match self.tab {
            // Tokens of contracts are found in its transactions.
            AccountTab::Txs | AccountTab::Balances => 0,
            AccountTab::Tokens => 1,
            AccountTab::Collections => 2,
            AccountTab::Holdings => return Vec::new(),
        };
        self.lists().into_iter().nth(place).into_iter().collect()
    }

    fn list_changed(&mut self, _is_refresh: bool, _cx: &Context) {
        self.seek();
    }

    fn retry(&mut self) {
        self.balances.retry();
        self.holdings.retry();
    }

    fn refresh(&mut self, _cx: &mut Cx<'_>) {
        self.balances.ask_again();
        self.holdings.ask_again();
    }

    fn is_loading(&self) -> bool {
        match self.tab {
            AccountTab::Txs => self.txs.list.is_loading(),
            AccountTab::Tokens => self.tokens.is_loading(),
            AccountTab::Collections => self.collections.is_loading(),
            AccountTab::Balances => self.balances.is_loading(),
            AccountTab::Holdings => self.holdings.is_looking(),
        }
    }

    fn column_list(&self) -> Option<List> {
        match self.tab {
            AccountTab::Txs => Some(List::AccountTxs),
            AccountTab::Tokens => Some(List::AccountNfts),
            AccountTab::Collections => Some(List::AccountCollections),
            AccountTab::Balances | AccountTab::Holdings => None,
        }
    }

    fn cursor(&self) -> Option<&dyn Cursor> {
        Some(match self.tab {
            AccountTab::Txs => &self.txs.list,
            AccountTab::Tokens => &self.tokens,
            AccountTab::Collections => &self.collections,
            AccountTab::Balances => &self.balances.document,
            AccountTab::Holdings => &self.holdings.document,
        })
    }

    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor> {
        Some(match self.tab {
            AccountTab::Txs => &mut self.txs.list,
            AccountTab::Tokens => &mut self.tokens,
            AccountTab::Collections => &mut self.collections,
            AccountTab::Balances => &mut self.balances.document,
            AccountTab::Holdings => &mut self.holdings.document,
        })
    }

    fn document(&self) -> Option<&dyn Lines> {
        match self.tab {
            AccountTab::Balances => Some(&self.balances.document),
            AccountTab::Holdings => Some(&self.holdings.document),
            AccountTab::Txs | AccountTab::Tokens | AccountTab::Collections => None,
        }
    }

    fn document_mut(&mut self) -> Option<&mut dyn Lines> {
        match self.tab {
            AccountTab::Balances => Some(&mut self.balances.document),
            AccountTab::Holdings => Some(&mut self.holdings.document),
            AccountTab::Txs | AccountTab::Tokens | AccountTab::Collections => None,
        }
    }

    fn act(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
        // Whoever acts has looked elsewhere by then.
        self.sought = None;
        match command {
            Command::Open => return self.open(cx),
            Command::NextTab | Command::NextPane => self.turn_tab(1, cx),
            Command::PreviousTab => self.turn_tab(-1, cx),
            Command::OwnedNfts => cx.open(Destination::CollectionsOf(self.address)),
            Command::Back => return self.widen(),
            _ if self.tab == AccountTab::Txs => return self.act_on_history(command, cx),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn click_tab(&mut self, place: usize, cx: &Context) {
        if let Some(tab) = AccountTab::all(cx).nth(place) {
            self.show(tab);
        }
    }

    fn is_narrowed(&self) -> bool {
        let is_filtered = self.document().is_some_and(|document| !document.filter().is_empty());
        is_filtered || self.is_history_narrowed() || self.of_collection.is_some()
    }

    fn chosen(&mut self, choice: Choice, _cx: &mut Cx<'_>) {
        if let (Choice::Types(msgs), AccountTab::Txs) = (choice, self.tab) {
            self.txs.choose_types(msgs);
        }
    }

    fn neighbour(&self, of: &Target, step: isize, id: PageId) -> Option<Result<Destination, &'static str>> {
        match of {
            Target::Tx(_) => tx_list::neighbour(&self.txs.list, of, step, id),
            _ => nft_lists::neighbour_token(&self.tokens, of, step, id),
        }
    }

    fn has_list_of(&self, of: &Target) -> bool {
        matches!(of, Target::Tx(_) | Target::Token { .. })
    }

    fn select(&mut self, target: &Target) {
        tx_list::select(&mut self.txs.list, target);
        nft_lists::select_token(&mut self.tokens, target);
    }

    fn selected_tx(&self) -> Option<Arc<wire::Tx>> {
        tx_list::selected(&self.txs.list).filter(|_| self.tab == AccountTab::Txs)
    }

    fn selected_account(&self) -> Option<Address> {
        Some(self.address)
    }

    fn copies(&self, cx: &Context) -> Vec<CopyChoice> {
        let choice = CopyChoice::value;
        let mut choices = vec![
            copy_request(&self.request(), cx),
            choice('1', "the account, init1… form", self.address.bech32()),
            choice('2', "the account, 0x… form", self.address.checksummed()),
        ];
        choices.extend(self.name.as_ref().map(|(name, source)| {
            let label = match source {
                LabelSource::Person => "name, by you",
                LabelSource::Network => "name, by the network's list",
                LabelSource::Address => "name, by what its address is",
            };
            choice('n', label, name.clone())
        }));
        choices.extend(self.row_choices());
        choices
    }

    fn export(&self, cx: &Context) -> Vec<Export> {
        let name = |what: &str| format!("{what}-{}.jsonl", self.address);
        vec![match self.tab {
            AccountTab::Txs => Export::lines(name("txs"), self.txs.list.rows().iter().map(|row| &*row.tx))
                .lacking(self.txs.list.rows().unreadable()),
            AccountTab::Tokens => Export::lines(name("nfts"), self.tokens.rows().iter().map(|row| &*row.0))
                .lacking(self.tokens.rows().unreadable()),
            AccountTab::Collections => {
                Export::lines(name("collections"), self.collections.rows().iter().map(|row| &*row.0))
                    .lacking(self.collections.rows().unreadable())
            }
            AccountTab::Balances => {
                let known = self.balances.of_chain(cx.own_chain().as_ref());
                Export::lines(name("balances"), known.into_iter().flat_map(balances::records))
            }
            AccountTab::Holdings => Export::lines(name("holdings"), self.holdings.records()),
        }]
    }

    fn has_export(&self, cx: &Context) -> bool {
        match self.tab {
            AccountTab::Txs => !self.txs.list.rows().is_empty(),
            AccountTab::Tokens => !self.tokens.rows().is_empty(),
            AccountTab::Collections => !self.collections.rows().is_empty(),
            AccountTab::Balances => {
                let known = self.balances.of_chain(cx.own_chain().as_ref());
                known.is_some_and(|balances| !balances.coins.is_empty() || !balances.tokens.is_empty())
            }
            AccountTab::Holdings => self.holdings.has_found(),
        }
    }

    fn web_subject(&self) -> Option<WebSubject> {
        Some(WebSubject::Account(self.address))
    }

    fn txs(&self) -> Vec<&Arc<wire::Tx>> {
        tx_list::records(&self.txs.list).collect()
    }

    fn wanted_denoms(&self, _cx: &Context) -> Option<DenomSearchDepth> {
        (self.tab == AccountTab::Holdings).then_some(DenomSearchDepth::Glance)
    }

    fn know_denoms(&mut self, known: Vec<KnownDenom>, cx: &mut Cx<'_>) {
        self.holdings.know(known.into_iter().map(|known| known.denom));
        if let Some(request) = self.holdings.next_request() {
            cx.fetch(PageNeed::Holdings, request);
        }
    }

    fn put_into_words(&mut self, cx: &Context, work: &mut WordWork) {
        if self.tab == AccountTab::Txs {
            let regions = Regions::of(cx.size);
            let room = regions.list_rows(regions.account_page().1);
            summarize_list(&mut self.txs.list, room, Some(self.address), cx, work);
        }
    }

    fn unseen(&self) -> Option<Unseen> {
        unseen(&self.txs.list).filter(|_| self.tab == AccountTab::Txs)
    }

    fn shrink(&mut self) {
        self.txs.list.shrink();
        self.tokens.shrink();
        self.collections.shrink();
    }
}
