//! Account page: history, NFTs, collections, balances, withdrawals and ranks in rich lists.

mod balance_history;
mod balances;
mod commands;
mod contract;
mod contract_lines;
mod draw;
mod holdings;
mod lines;
mod summary;
mod withdrawals;

use std::sync::Arc;

use self::{
    balance_history::BalanceHistory, balances::Balances, contract::AccountContract, holdings::Holdings,
    summary::HistorySummary, withdrawals::AccountWithdrawals,
};
use crate::{
    app::{
        Context,
        hint::Hint,
        known_denom::DenomSearchDepth,
        page::{
            Choice, Destination, Drawing, Export, Focus, FocusMut, Handled, Held, Neighbour, Page, PageCx, PageEvent,
            Place, Selection, Tab, TakeAway, WebSubject, WholeList,
        },
        prompt::{CopyChoice, Prompt},
    },
    columns::List,
    config::{Command, KeyScope},
    domain::{Address, Target, TxHash, TxView, Vm, natural, text},
    msg::{
        CollectionScope, Order, PageId, PageNeed, PageRequest, Request, TokenOrder, TokenQuery, TokenScope, TxQuery,
    },
    panes::{
        commands::{CUT_COLLECTION, copy_request},
        lists::{CollectionList, TokenList, unseen},
        nft_lists,
        rows::{CollectionRow, TokenRow},
        tx_list::{self, TxListPane},
        words::summarize_list,
    },
    story::{LabelSource, NameSource},
    widgets::{
        canvas::Canvas,
        list::{ListSource as _, ListWindow, PAGE, QueriedList, RemoteList},
    },
};

/// Maximum pages of history to search for the transaction that opened the page.
const PAGES_SOUGHT: usize = 5;
/// Maximum tokens, and maximum collections, in memory.
const CAPACITY: usize = 1000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display)]
enum AccountTab {
    #[default]
    Txs,
    /// What the account's contract is.
    Contract,
    /// Balances reported by the rollup's own node.
    Balances,
    #[strum(serialize = "NFTs")]
    Tokens,
    Collections,
    /// Ranks in the rich lists of the known denoms.
    #[strum(serialize = "Rich lists")]
    Holdings,
    Withdrawals,
}

#[derive(Debug)]
pub(super) struct AccountPage {
    address: Address,
    tab: AccountTab,
    pub(super) txs: TxListPane,
    /// Facts of the loaded transactions, while no filter hides some.
    summary: HistorySummary,
    tokens: ListWindow<TokenRow>,
    /// Collection that filters the NFTs: its address and name.
    of_collection: Option<(Address, String)>,
    collections: ListWindow<CollectionRow>,
    contract: AccountContract,
    balances: Balances,
    history: BalanceHistory,
    holdings: Holdings,
    withdrawals: AccountWithdrawals,
    name: Option<(String, LabelSource)>,
    /// Transaction to move the cursor to once it is loaded, and how many more pages to search.
    sought: Option<(TxHash, usize)>,
}

impl AccountPage {
    pub(super) fn new(address: Address) -> Self {
        Self {
            address,
            tab: AccountTab::default(),
            txs: TxListPane::new(TxQuery::history(address)),
            summary: HistorySummary::default(),
            tokens: ListWindow::new(CAPACITY),
            of_collection: None,
            collections: ListWindow::new(CAPACITY),
            contract: AccountContract::default(),
            balances: Balances::default(),
            history: BalanceHistory::default(),
            holdings: Holdings::default(),
            withdrawals: AccountWithdrawals::new(),
            name: None,
            sought: None,
        }
    }

    /// Opens the account with the cursor on this transaction once it is loaded.
    pub(super) fn at(address: Address, hash: TxHash) -> Self {
        Self { sought: Some((hash, PAGES_SOUGHT)), ..Self::new(address) }
    }

    /// Moves to the searched transaction if loaded; else to the last row, which requests the next page.
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

    /// Whether a filter hides transactions.
    fn is_history_narrowed(&self) -> bool {
        self.txs.failed_only || self.txs.query != TxQuery::history(self.address)
    }

    fn summarize(&mut self) {
        if !self.is_history_narrowed() {
            self.summary = HistorySummary::of(&self.txs.list);
        }
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

    /// Returns the request behind the current tab.
    fn request(&self) -> Request {
        let page = PageRequest::newest(PAGE);
        match self.tab {
            AccountTab::Tokens => self.token_list().ask(page).request().clone(),
            AccountTab::Collections => self.collection_list().ask(page).request().clone(),
            _ => Request::Txs(self.txs.query.clone(), page),
        }
    }

    /// Returns the copyable values of the selected NFT or collection.
    fn row_choices(&self) -> Vec<CopyChoice> {
        let choice = CopyChoice::value;
        match self.tab {
            AccountTab::Tokens => self.tokens.selected().map_or_else(Vec::new, |row| {
                vec![
                    choice('v', "token id", row.0.nft.token_id.as_received().to_owned()),
                    choice('a', "collection, 0x… form", row.0.collection_addr.clone()),
                    choice('m', "URI", row.0.nft.uri.as_received().to_owned()),
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
            _ => Vec::new(),
        }
    }

    /// Returns the tabs in order. Balances and withdrawals need a server that reports them, and the contract a proof
    /// that there is one.
    fn tabs(&self, cx: &Context) -> impl Iterator<Item = AccountTab> + use<> {
        let tabs: [AccountTab; 7] = [
            AccountTab::Txs,
            AccountTab::Contract,
            AccountTab::Balances,
            AccountTab::Tokens,
            AccountTab::Collections,
            AccountTab::Holdings,
            AccountTab::Withdrawals,
        ];
        let (has_node, has_executor) = (cx.network.node.is_some(), cx.executor().is_some());
        let is_contract = self.contract.is_proven(cx.own_chain().as_ref());
        tabs.into_iter().filter(move |tab| match tab {
            AccountTab::Contract => is_contract,
            AccountTab::Balances => has_node,
            AccountTab::Withdrawals => has_executor,
            _ => true,
        })
    }

    /// Asks what the account's contract is, and looks for it in the loaded transactions.
    fn learn_contract(&mut self, cx: &mut PageCx<'_>) {
        let (address, now, chain) = (self.address, cx.context.now, cx.context.own_chain());
        let vm = cx.context.glossary.vm.or(cx.context.network.vm);
        self.contract.look_at(self.txs.list.rows().iter().map(|row| &row.tx), address, vm);
        if cx.context.has_node_to_ask()
            && let Some(ask) = self.contract.next_question(address, vm, now)
        {
            cx.request(ask, |page: &mut Self, result, cx| page.contract.take(result, cx.context.now));
        }
        if let Some(ask) = self.contract.next_history(address, chain.as_ref(), now) {
            // The search for tokens requests lists of transactions too.
            cx.request_for(PageNeed::Record, ask, |page: &mut Self, result, cx| {
                page.contract.take_oldest(result, page.address, cx.context.now);
            });
        }
        if self.contract.is_proven(chain.as_ref()) {
            self.contract.make_lines(address, &Arc::clone(&cx.context.glossary), chain);
        } else if self.tab == AccountTab::Contract {
            self.tab = AccountTab::Txs;
        }
    }

    /// Requests the balances, and searches for the contract tokens among them.
    fn learn_balances(&mut self, cx: &mut PageCx<'_>) {
        let vm = cx.context.glossary.vm.or(cx.context.network.vm);
        self.balances.look_at(self.txs.list.rows().iter().map(|row| &row.tx), vm);
        let named = cx.context.glossary.named_by(&[NameSource::Bank, NameSource::Contract]);
        self.balances.see(named.cloned().collect());
        let is_whole = vm == Some(Vm::Move) || self.txs.list.has_ended() && !self.is_history_narrowed();
        // The status says whether the index lists the tokens.
        if let Some(status) = cx.context.chain.status.value().filter(|_| vm != Some(Vm::Move)) {
            self.balances.search_list(status);
        }
        if let Some(ask) = self.balances.next_page(self.address, is_whole) {
            cx.request(ask, move |page: &mut Self, result, _| page.balances.take_page(result, vm));
        }
        self.ask_balances(cx);
        self.balances.make_lines(&Arc::clone(&cx.context.glossary), cx.context.own_chain());
    }

    fn ask_balances(&mut self, cx: &mut PageCx<'_>) {
        if let Some(ask) = self.balances.next_request(self.address, cx.context.now) {
            cx.request(ask, |page: &mut Self, result, cx| page.balances.take(result, cx.context.now));
        }
    }

    /// Shows the transactions as a saved view filters them.
    fn show_view(&mut self, view: &TxView) {
        self.show(AccountTab::Txs);
        self.txs.show_view(view);
    }

    /// Returns the choice that copies the account's name, without the signs of the user's names.
    fn name_choice(&self) -> Option<CopyChoice> {
        let (name, source) = self.name.as_ref()?;
        let bare = name.trim_matches(text::PERSONAL_SIGNS).to_owned();
        Some(CopyChoice::value('n', format!("name, by {}", source.brief()), bare))
    }

    /// Requests what the current tab needs, rebuilds its lines, and lays it out.
    fn refresh(&mut self, cx: &mut PageCx<'_>) {
        self.learn_contract(cx);
        if self.tab == AccountTab::Balances {
            self.learn_balances(cx);
        } else if lines_across(cx.context) > 0 {
            self.ask_balances(cx);
        }
        self.withdrawals.executor = cx.context.executor().map(Into::into);
        self.holdings.make_lines(&Arc::clone(&cx.context.glossary));
        let label = cx.context.glossary.label(self.address).map(|label| text::clip(label, 34));
        self.name = label.zip(cx.context.glossary.label_source(self.address));
        let (_, below) = cx.regions.account_page(lines_across(cx.context));
        let (chart, of_txs) = self.chart_and_list(cx.context, &cx.regions);
        let (rows, of_txs) = (cx.regions.list_rows(below), cx.regions.list_rows(of_txs));
        self.txs.list.fit(of_txs);
        self.tokens.fit(rows);
        self.collections.fit(rows);
        self.withdrawals.list.fit(rows);
        self.contract.document.fit(cx.regions.inner(below));
        self.balances.document.fit(cx.regions.inner(below));
        self.holdings.document.fit(cx.regions.inner(below));
        if self.tab == AccountTab::Txs {
            summarize_list(&mut self.txs.list, of_txs, Some(self.address), cx);
            if chart.height > 0 {
                self.history.update(self.address, &self.txs.list, cx);
            }
        }
    }

    /// Selects the tab `step` places away, wrapping around.
    fn turn_tab(&mut self, step: isize, cx: &Context) {
        let tabs: Vec<AccountTab> = self.tabs(cx).collect();
        let place = tabs.iter().position(|tab| *tab == self.tab).unwrap_or_default();
        if let Some(tab) = tabs.get((place + tabs.len()).saturating_add_signed(step) % tabs.len()) {
            self.show(*tab);
        }
    }

    /// Selects a tab. Each visit requests the balances again, because they change with each block.
    fn show(&mut self, tab: AccountTab) {
        self.tab = tab;
        if tab == AccountTab::Balances {
            self.balances.ask_again();
        }
    }

    /// Filters the NFTs by collection; `None` shows all.
    fn narrow(&mut self, collection: Option<(Address, String)>) {
        if self.of_collection != collection {
            self.of_collection = collection;
            self.tokens.clear();
        }
        self.tab = AccountTab::Tokens;
    }

    fn open(&mut self, cx: &mut PageCx<'_>) -> Handled {
        match self.tab {
            AccountTab::Txs => tx_list::open_selected(&self.txs.list, cx),
            AccountTab::Tokens => nft_lists::open_selected_token(&self.tokens, cx),
            AccountTab::Collections => self.open_owned(cx),
            AccountTab::Withdrawals => self.withdrawals.open_selected(cx),
            AccountTab::Contract | AccountTab::Balances | AccountTab::Holdings => return Handled::Pass,
        }
        Handled::Done
    }

    /// Shows the account's NFTs of the selected collection.
    fn open_owned(&mut self, cx: &mut PageCx<'_>) {
        let Some(row) = self.collections.selected() else { return };
        match row.0.address() {
            Some(address) => self.narrow(Some((address, row.0.collection.name.as_received().to_owned()))),
            None => cx.refuse(CUT_COLLECTION),
        }
    }

    /// Esc: removes the tab's filter, or passes the key on.
    fn widen(&mut self) -> Handled {
        match self.tab {
            AccountTab::Txs if self.is_history_narrowed() => {
                self.txs.failed_only = false;
                self.txs.change_query(TxQuery::history(self.address));
            }
            AccountTab::Tokens if self.of_collection.is_some() => {
                self.narrow(None);
                self.tab = AccountTab::Collections;
            }
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn act_on_history(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
        match command {
            Command::Filter => cx.ask(Prompt::Types(self.txs.type_picker(cx.context))),
            Command::SignerOnly => {
                if let Err(why) = self.txs.toggle_signer_only() {
                    cx.refuse(why);
                }
            }
            Command::FailedOnly => self.txs.toggle_failed_only(),
            Command::PreviousSibling => return self.turn_denom(-1, cx),
            Command::NextSibling => return self.turn_denom(1, cx),
            _ => return Handled::Pass,
        }
        Handled::Done
    }
}

/// Returns the number of the head's lines across both halves: activity, and holdings if a node reports them.
fn lines_across(cx: &Context) -> u16 {
    1 + u16::from(cx.network.node.is_some())
}

impl Page for AccountPage {
    fn title(&self) -> String {
        match &self.name {
            Some((name, _)) => format!("Account {name}"),
            None => format!("Account {}", self.address.short()),
        }
    }

    fn place(&self) -> Place {
        // The page learns of token contracts from the account's transactions.
        let (columns, is_loading, visible_lists) = match self.tab {
            AccountTab::Txs => (Some(List::AccountTxs), self.txs.list.is_loading(), 0..1),
            AccountTab::Contract => (None, self.contract.is_loading(), 0..1),
            AccountTab::Balances => (None, self.balances.is_loading(), 0..1),
            AccountTab::Tokens => (Some(List::AccountNfts), self.tokens.is_loading(), 1..2),
            AccountTab::Collections => (Some(List::AccountCollections), self.collections.is_loading(), 2..3),
            AccountTab::Withdrawals => (Some(List::Withdrawals), self.withdrawals.list.is_loading(), 3..4),
            AccountTab::Holdings => (None, self.holdings.is_looking(), 0..0),
        };
        Place {
            columns,
            is_loading,
            visible_lists,
            is_narrowed: self.is_history_narrowed() || self.of_collection.is_some(),
            wanted_denoms: (self.tab == AccountTab::Holdings).then_some(DenomSearchDepth::Glance),
            view: self.txs.view().filter(|_| self.tab == AccountTab::Txs),
            unseen: unseen(&self.txs.list).filter(|_| self.tab == AccountTab::Txs),
            ..Place::new(Tab::Txs, KeyScope::TxPage)
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, _cx: &Context) -> Vec<Command> {
        commands::COMMANDS.concat()
    }

    fn hint(&self, hint: Hint, cx: &Context) -> Hint {
        commands::hint(self, hint, cx)
    }

    fn on(&mut self, event: PageEvent<'_>, cx: &mut PageCx<'_>) {
        match event {
            PageEvent::ChainChanged => {
                self.txs.restart();
                self.summary = HistorySummary::default();
                self.tokens = ListWindow::new(CAPACITY);
                self.collections = ListWindow::new(CAPACITY);
                (self.balances, self.holdings) = (Balances::default(), Holdings::default());
                self.history = BalanceHistory::default();
                self.contract = AccountContract::default();
                self.withdrawals = AccountWithdrawals::new();
            }
            PageEvent::ListChanged { .. } => {
                self.seek();
                self.summarize();
                self.tokens.arrange(|a, b| natural(a.0.nft.token_id.as_received(), b.0.nft.token_id.as_received()));
            }
            PageEvent::Retry => {
                self.contract.ask_again();
                self.balances.retry();
                self.holdings.retry();
            }
            PageEvent::Refresh => {
                self.contract.ask_again();
                self.balances.ask_again();
                self.holdings.ask_again();
            }
            PageEvent::ClickTab(place) => {
                self.tabs(cx.context).nth(place).into_iter().for_each(|tab| self.show(tab));
            }
            PageEvent::ShowView(view) => self.show_view(view),
            PageEvent::Chosen(Choice::Types(msgs)) if self.tab == AccountTab::Txs => self.txs.choose_types(msgs),
            PageEvent::KnowDenoms(known) => {
                self.holdings.know(known.into_iter().map(|known| known.denom));
                if let Some(ask) = self.holdings.next_request() {
                    cx.request(ask, |page: &mut Self, result, _| page.holdings.take(result, page.address));
                }
            }
            _ => {}
        }
    }

    fn update(&mut self, cx: &mut PageCx<'_>) {
        self.refresh(cx);
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        let (tokens, collections) = (self.token_list(), self.collection_list());
        let mut lists = vec![
            self.txs.listing(),
            QueriedList::boxed(&mut self.tokens, tokens),
            QueriedList::boxed(&mut self.collections, collections),
        ];
        lists.extend(self.withdrawals.listing(self.address));
        lists
    }

    fn focus(&self) -> Option<Focus<'_>> {
        Some(match self.tab {
            AccountTab::Txs => Focus::Cursor(&self.txs.list),
            AccountTab::Tokens => Focus::Cursor(&self.tokens),
            AccountTab::Collections => Focus::Cursor(&self.collections),
            AccountTab::Contract => Focus::Lines(&self.contract.document),
            AccountTab::Balances => Focus::Lines(&self.balances.document),
            AccountTab::Holdings => Focus::Lines(&self.holdings.document),
            AccountTab::Withdrawals => Focus::Cursor(&self.withdrawals.list),
        })
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        Some(match self.tab {
            AccountTab::Txs => FocusMut::Cursor(&mut self.txs.list),
            AccountTab::Tokens => FocusMut::Cursor(&mut self.tokens),
            AccountTab::Collections => FocusMut::Cursor(&mut self.collections),
            AccountTab::Contract => FocusMut::Lines(&mut self.contract.document),
            AccountTab::Balances => FocusMut::Lines(&mut self.balances.document),
            AccountTab::Holdings => FocusMut::Lines(&mut self.holdings.document),
            AccountTab::Withdrawals => FocusMut::Cursor(&mut self.withdrawals.list),
        })
    }

    fn act(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
        // Any other key ends the search.
        self.sought = None;
        match command {
            Command::Open => return self.open(cx),
            Command::NextTab | Command::NextPane => self.turn_tab(1, cx.context),
            Command::PreviousTab => self.turn_tab(-1, cx.context),
            Command::OwnedNfts => cx.open(Destination::CollectionsOf(self.address)),
            Command::Back => return self.widen(),
            _ if self.tab == AccountTab::Txs => return self.act_on_history(command, cx),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn neighbour(&self, of: &Target, step: isize, id: PageId) -> Neighbour {
        match of {
            Target::Tx(_) => Neighbour::among_txs(&self.held().txs, of, step, id),
            _ => nft_lists::neighbour_token(&self.tokens, of, step, id),
        }
    }

    fn selection(&self) -> Selection {
        Selection {
            tx: tx_list::selected(&self.txs.list).filter(|_| self.tab == AccountTab::Txs),
            account: Some(self.address),
            web: Some(WebSubject::Account(self.address)),
            ..Selection::default()
        }
    }

    fn take_away<'a>(&'a self, cx: &'a Context) -> TakeAway<'a> {
        let copies = move || {
            let choice = CopyChoice::value;
            let mut choices: Vec<CopyChoice> = copy_request(&self.request(), cx).into_iter().collect();
            choices.push(choice('1', "the account as init1…", self.address.bech32()));
            choices.push(choice('2', "the account as 0x…", self.address.checksummed()));
            choices.extend(self.name_choice());
            choices.extend(self.row_choices());
            choices
        };
        let (offer, name) = (TakeAway::new().copies(copies), |what: &str| format!("{what}-{}", self.address));
        let whole = || Some(WholeList::new(self.request()));
        match self.tab {
            AccountTab::Txs => offer.rows(name("txs"), &self.txs.list, |row| &*row.tx, Some(self.txs.whole())),
            AccountTab::Tokens => offer.rows(name("nfts"), &self.tokens, |row| &*row.0, whole()),
            AccountTab::Collections => offer.rows(name("collections"), &self.collections, |row| &*row.0, whole()),
            AccountTab::Contract => offer,
            AccountTab::Balances => {
                let known = self.balances.of_chain(cx.own_chain().as_ref());
                let held = known.filter(|known| !known.coins.is_empty() || !known.tokens.is_empty());
                let name = name("balances") + ".jsonl";
                offer.exports_if(held.is_some(), move || {
                    vec![Export::lines(name, held.into_iter().flat_map(balances::records))]
                })
            }
            AccountTab::Holdings => {
                let name = name("holdings") + ".jsonl";
                offer.exports_if(self.holdings.has_found(), move || vec![Export::lines(name, self.holdings.records())])
            }
            AccountTab::Withdrawals => offer.rows(name("withdrawals"), &self.withdrawals.list, |row| &*row.0, None),
        }
    }

    fn held(&self) -> Held<'_> {
        Held { txs: tx_list::records(&self.txs.list).collect(), ..Held::default() }
    }
}
