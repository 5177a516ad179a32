//! NFTs: the collections, one collection, one token.

use std::sync::Arc;

use super::{
    App,
    layout::Regions,
    list::ListWindow,
    lists::AnyList,
    remote::Remote,
    rows::{CollectionRow, TokenRow, TxRow},
    view::{View, ViewId},
};
use crate::{
    domain::{Address, Target, Timestamp, text},
    msg::{
        Answer, CollectionScope, Order, Page, PageRequest, Request, TokenName, TokenOrder, TokenQuery, TokenScope,
        TxQuery, TxScope,
    },
    wire::{self, ApiError, ErrorKind},
};

/// Collections and tokens that a list keeps at the most.
const NFT_CAPACITY: usize = 2000;
/// Transactions of a token that its history keeps at the most.
const HISTORY_CAPACITY: usize = 300;

/// The list of collections.
#[derive(Debug)]
pub(crate) struct NftsView {
    /// Which ones.
    pub(crate) scope: CollectionScope,
    /// The collections.
    pub(crate) list: ListWindow<CollectionRow>,
}

impl NftsView {
    /// All collections.
    pub(crate) fn new(id: ViewId) -> Self {
        Self { scope: CollectionScope::All, list: ListWindow::new(id.list(0), NFT_CAPACITY) }
    }

    /// What it shows.
    pub(crate) fn title(&self) -> String {
        match &self.scope {
            CollectionScope::All => "NFTs · collections".to_owned(),
            CollectionScope::Owner(address) => format!("NFTs · collections of {}", address.short()),
            CollectionScope::Name(name) => format!("NFTs · “{}”", text::clip(name, 24)),
        }
    }

    /// Its lists.
    pub(super) fn lists(&mut self) -> Vec<AnyList<'_>> {
        vec![AnyList::Collections(&mut self.list, self.scope.clone())]
    }

    /// Gives it the room it has on the screen.
    pub(super) fn fit(&mut self, regions: &Regions) {
        self.list.set_viewport(usize::from(regions.list_rows(regions.body).height));
    }
}

/// The page of one collection.
#[derive(Debug)]
pub(crate) struct CollectionPage {
    /// Which one.
    pub(crate) address: Address,
    /// The collection.
    pub(crate) collection: Remote<Arc<wire::Collection>>,
    /// What its tokens are ordered by.
    pub(crate) order_by: TokenOrder,
    /// In which direction.
    pub(crate) order: Order,
    /// Its tokens.
    pub(crate) tokens: ListWindow<TokenRow>,
}

impl CollectionPage {
    /// The page before anything came.
    pub(crate) fn new(address: Address, id: ViewId) -> Self {
        Self {
            address,
            collection: Remote::Idle,
            order_by: TokenOrder::TokenId,
            order: Order::Ascending,
            tokens: ListWindow::new(id.list(0), NFT_CAPACITY),
        }
    }

    /// The collection's name, or its address while that is not known.
    pub(crate) fn title(&self) -> String {
        match self.collection.value() {
            Some(collection) => text::clip(&collection.collection.name, 32),
            None => format!("Collection {}", self.address.short()),
        }
    }

    /// Its lists.
    pub(super) fn lists(&mut self) -> Vec<AnyList<'_>> {
        let scope = TokenScope::Collection(self.address);
        let query = TokenQuery { scope, token_id: None, order_by: self.order_by };
        vec![AnyList::Tokens(&mut self.tokens, query, self.order)]
    }

    /// Gives it the room it has on the screen.
    pub(super) fn fit(&mut self, regions: &Regions) {
        self.tokens.set_viewport(usize::from(regions.list_rows(regions.body).height));
    }

    /// Whether something of it is awaited.
    pub(super) fn is_loading(&self) -> bool {
        self.collection.is_loading() || self.tokens.state.is_loading() || self.tokens.fetching.is_some()
    }
}

/// The page of one token.
#[derive(Debug)]
pub(crate) struct TokenPage {
    /// Which one.
    pub(crate) name: TokenName,
    /// The token.
    pub(crate) token: Remote<Arc<wire::Token>>,
    /// Its transactions.
    pub(crate) txs: ListWindow<TxRow>,
    /// The list it was opened from.
    pub(crate) origin: Option<ViewId>,
}

impl TokenPage {
    /// The page before anything came.
    pub(crate) fn new(name: TokenName, origin: Option<ViewId>, id: ViewId) -> Self {
        Self { name, token: Remote::Idle, txs: ListWindow::new(id.list(0), HISTORY_CAPACITY), origin }
    }

    /// Collection and id.
    pub(crate) fn title(&self) -> String {
        let id = text::clip(&self.name.token_id, 24);
        match self.token.value() {
            Some(token) => format!("{} #{id}", text::clip(&token.collection_name, 32)),
            None => format!("Token #{id}"),
        }
    }

    /// What brings the token: the list of its collection, narrowed to its id.
    pub(super) fn request(&self) -> Request {
        let scope = TokenScope::Collection(self.name.collection);
        let token_id = Some(Arc::clone(&self.name.token_id));
        let query = TokenQuery { scope, token_id, order_by: TokenOrder::default() };
        Request::Tokens(query, PageRequest { count_total: false, ..PageRequest::newest(1) })
    }

    /// The narrowed list came: its only row is the token.
    pub(super) fn take(&mut self, tokens: Page<Arc<wire::Token>>, now: Timestamp) {
        let absent = || ApiError {
            kind: ErrorKind::NotFound("the collection has no such token: burned, or never minted".to_owned()),
            url: "".into(),
            body: None,
        };
        self.token.settle(tokens.items.into_iter().next().ok_or_else(absent), now);
    }

    /// Metadata or picture came.
    pub(super) fn take_extra(&mut self, _what: u8, _result: Result<Answer, ApiError>, _now: Timestamp) {}

    /// Its lists.
    pub(super) fn lists(&mut self) -> Vec<AnyList<'_>> {
        let query = TxQuery { scope: TxScope::Token(self.name.clone()), msgs: Vec::new() };
        vec![AnyList::Txs(&mut self.txs, query, false)]
    }

    /// Gives it the room it has on the screen.
    pub(super) fn fit(&mut self, regions: &Regions) {
        self.txs.set_viewport(usize::from(regions.list_rows(regions.body).height));
    }

    /// Whether something of it is awaited.
    pub(super) fn is_loading(&self) -> bool {
        self.token.is_loading() || self.txs.state.is_loading() || self.txs.fetching.is_some()
    }
}

impl App {
    /// Opens a collection by its address.
    pub(super) fn open_collection(&mut self, address: Address) {
        self.remember_target(&Target::Collection(address));
        self.navigation.open(|id| View::Collection(CollectionPage::new(address, id)));
        self.effects.redraw = true;
    }

    /// Opens a collection that a list holds.
    pub(super) fn open_loaded_collection(&mut self, collection: Arc<wire::Collection>) {
        let Some(address) = collection.address() else {
            return self.say("this collection's address is cut: the server cannot find it by that");
        };
        let now = self.now;
        self.open_collection(address);
        if let View::Collection(page) = self.navigation.current_mut() {
            page.collection = Remote::Ready { value: collection, at: now };
        }
    }

    /// Opens a token by its name.
    pub(super) fn open_token(&mut self, name: TokenName) {
        let token_id = Arc::clone(&name.token_id);
        self.remember_target(&Target::Token { collection: name.collection, token_id });
        self.navigation.open(|id| View::Token(TokenPage::new(name, None, id)));
        self.effects.redraw = true;
    }

    /// Opens a token that a list holds.
    pub(super) fn open_loaded_token(&mut self, token: Arc<wire::Token>, origin: Option<ViewId>) {
        let Some(collection) = token.collection() else {
            return self.say("this token's collection is cut: the server cannot find it by that");
        };
        let now = self.now;
        self.open_token(TokenName { collection, token_id: token.nft.token_id.as_str().into() });
        if let View::Token(page) = self.navigation.current_mut() {
            page.origin = origin;
            page.token = Remote::Ready { value: token, at: now };
        }
    }
}
