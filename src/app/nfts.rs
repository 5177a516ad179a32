//! NFTs: the collections, one collection, one token.

mod art;
mod collection_page;
mod collections;
mod gallery;
mod natural;
mod records;
mod token_page;

pub(crate) use art::Art;
pub(super) use art::Reach;
pub(crate) use collection_page::{CollectionPage, OwnerSpread};
pub(crate) use collections::{NftsView, Sample};
pub(crate) use gallery::Gallery;
pub(crate) use token_page::{TokenPage, TokenTab};

use std::sync::Arc;

use super::{
    App,
    view::{PageId, View},
};
use crate::{
    config::{Command, DEMO},
    domain::{Address, Target},
    msg::{Answer, CollectionScope, PageNeed, Remote, Request, Slot, TokenName},
    widgets::{layout::Regions, list::Row as _},
    wire::{self, ApiError},
};

/// Collections and tokens that a list keeps at the most.
const NFT_CAPACITY: usize = 2000;

impl App {
    /// Opens a collection by its address.
    pub(super) fn open_collection(&mut self, address: Address) {
        self.remember_target(&Target::Collection(address));
        self.navigation.open(|_| View::Collection(CollectionPage::new(address)));
        self.effects.redraw = true;
    }

    /// Opens a collection that a list holds; in a list of somebody's collections only that account's tokens of it.
    pub(super) fn open_loaded_collection(&mut self, collection: Arc<wire::Collection>) {
        let Some(address) = collection.address() else {
            return self.refuse("this collection's address is cut: the server cannot find it by that");
        };
        let (now, origin) = (self.now, self.navigation.current_id());
        let owner = match self.navigation.current() {
            View::Nfts(view) => view.owner(),
            _ => None,
        };
        self.open_collection(address);
        if let View::Collection(page) = self.navigation.current_mut() {
            (page.origin, page.owner) = (Some(origin), owner);
            page.collection = Remote::Ready { value: collection, at: now };
            // The list's row may be of a while ago: its size may have changed.
            let id = self.navigation.current_id();
            self.fetch(Slot::Page(id, PageNeed::Record), Request::Collection(address));
        }
    }

    /// Opens a token by its name.
    pub(super) fn open_token(&mut self, name: TokenName) {
        let token_id = Arc::clone(&name.token_id);
        self.remember_target(&Target::Token { collection: name.collection, token_id });
        self.navigation.open(|_| View::Token(TokenPage::new(name, None)));
        self.effects.redraw = true;
    }

    /// Opens a token that a list holds.
    pub(super) fn open_loaded_token(&mut self, token: Arc<wire::Token>, origin: Option<PageId>) {
        let Some(collection) = token.collection() else {
            return self.refuse("this token's collection is cut: the server cannot find it by that");
        };
        let now = self.now;
        let is_asked = matches!(self.navigation.current(), View::Collection(page) if page.is_asked);
        self.open_token(TokenName { collection, token_id: token.nft.token_id.as_str().into() });
        if let View::Token(page) = self.navigation.current_mut() {
            (page.origin, page.is_asked) = (origin, is_asked);
            page.show(token, now);
        }
    }

    /// Opens the collections of which an account owns tokens.
    fn open_collections_of(&mut self, owner: Address) {
        self.navigation.open(|_| View::Nfts(NftsView::new(CollectionScope::Owner(owner))));
        self.effects.redraw = true;
    }

    /// The NFTs of the account on screen: the one whose transactions are shown, or the owner of the token.
    pub(super) fn open_owned_nfts(&mut self) {
        let owner = match self.navigation.current() {
            View::Account(page) => Some(page.address),
            View::Collection(page) => page.tokens.selected().and_then(|row| row.0.owner_address()),
            View::Token(page) => page.token.value().and_then(|token| token.owner_address()),
            _ => None,
        };
        match owner {
            Some(owner) => self.open_collections_of(owner),
            None => self.refuse("no account or token with an owner is selected"),
        }
    }

    /// The collection before or after the one on screen, in the list it was opened from.
    pub(super) fn open_sibling_collection(&mut self, step: isize) {
        let id = self.navigation.current_id();
        let View::Collection(page) = self.navigation.current() else { return };
        let (key, origin) = (page.address.hex(), page.origin);
        let Some(View::Nfts(view)) = origin.and_then(|id| self.navigation.view_mut(id)) else {
            return self.refuse("this collection was not opened from a list");
        };
        let owner = view.owner();
        let list = view.shown_mut();
        let Some(sibling) = list.neighbour(&key, step).map(|row| Arc::clone(&row.0)) else {
            return self.refuse("no further collection is loaded in this direction");
        };
        list.select(&sibling.object_addr);
        let Some(address) = sibling.address() else {
            return self.refuse("the next collection's address is cut: the server cannot find it by that");
        };
        self.forget_requests(id);
        let now = self.now;
        if let View::Collection(page) = self.navigation.current_mut() {
            let is_gallery = page.is_gallery;
            *page = CollectionPage::new(address);
            (page.origin, page.owner, page.is_gallery) = (origin, owner, is_gallery);
            page.collection = Remote::Ready { value: sibling, at: now };
        }
        self.effects.redraw = true;
    }

    /// The token before or after the one on screen, in the list it was opened from.
    pub(super) fn open_sibling_token(&mut self, step: isize) {
        let id = self.navigation.current_id();
        let View::Token(page) = self.navigation.current() else { return };
        let (key, origin) = (page.key(), page.origin);
        let list = match origin.and_then(|id| self.navigation.view_mut(id)) {
            Some(View::Collection(page)) => &mut page.tokens,
            Some(View::Account(page)) => &mut page.tokens,
            _ => return self.refuse("this token was not opened from a list"),
        };
        let Some(sibling) = list.neighbour(&key, step).map(|row| Arc::clone(&row.0)) else {
            return self.refuse("no further token is loaded in this direction");
        };
        list.select(&crate::panes::rows::TokenRow(Arc::clone(&sibling)).key());
        let Some(collection) = sibling.collection() else { return };
        self.forget_requests(id);
        let now = self.now;
        if let View::Token(page) = self.navigation.current_mut() {
            let name = TokenName { collection, token_id: sibling.nft.token_id.as_str().into() };
            let (focus, tab, is_asked) = (page.focus, page.tab, page.is_asked);
            *page = TokenPage::new(name, origin);
            (page.focus, page.tab, page.is_asked) = (focus, tab, is_asked);
            page.show(sibling, now);
        }
        self.effects.redraw = true;
    }

    /// The facts of the collection or token on screen are asked for again; what is known stays meanwhile.
    pub(super) fn refresh_nft_page(&mut self) {
        let request = match self.navigation.current() {
            View::Collection(page) => Request::Collection(page.address),
            View::Token(page) => page.request(),
            _ => return,
        };
        let slot = Slot::Page(self.navigation.current_id(), PageNeed::Record);
        self.fetch(slot, request);
    }

    /// What the page on screen asked for is not waited for any more: another takes its place.
    fn forget_requests(&mut self, id: PageId) {
        self.cancel_page(id);
    }

    /// `v`: table or gallery.
    pub(super) fn toggle_gallery(&mut self) {
        match self.navigation.current_mut() {
            View::Collection(page) => page.is_gallery = !page.is_gallery,
            _ => return self.refuse("the gallery is for the tokens of a collection"),
        }
        self.effects.redraw = true;
    }

    /// `O`: the next order of a collection's tokens.
    pub(super) fn turn_token_order(&mut self) {
        let View::Collection(page) = self.navigation.current_mut() else {
            return self.refuse("only the tokens of a collection have orders");
        };
        page.turn_order();
        self.effects.redraw = true;
    }

    /// `m`: metadata and picture of the token, or of the tokens in the gallery, from wherever they lie.
    pub(super) fn ask_metadata(&mut self) {
        match self.navigation.current_mut() {
            View::Token(page) if page.uri().is_none() => return self.refuse("this token names no metadata"),
            View::Token(page) => page.ask_anew(),
            View::Collection(page) => page.ask_anew(),
            _ => return self.refuse("metadata is of a token, or of those in a collection's gallery"),
        }
        self.cancel_extras();
        self.effects.redraw = true;
    }

    /// Narrows the collections by name, or the tokens to one id, while it is typed.
    pub(super) fn search_nfts(&mut self, text: &str) {
        match self.navigation.current_mut() {
            View::Nfts(view) => view.search(text),
            View::Collection(page) => page.point_at(text),
            _ => {}
        }
    }

    /// Enter in the search: one token's id narrows the list at the server; a name that it does not find is looked for in
    /// all collections.
    pub(super) fn submit_nft_search(&mut self, text: &str) {
        match self.navigation.current_mut() {
            View::Collection(page) => page.narrow(text),
            View::Nfts(view) => view.search_deeply(),
            _ => {}
        }
    }

    /// Takes back what narrows the list on screen; false where nothing does.
    pub(super) fn widen_nfts(&mut self) -> bool {
        match self.navigation.current_mut() {
            View::Nfts(view) if view.searched().is_some() => view.search(""),
            View::Collection(page) if page.token_id.is_some() => page.narrow(""),
            _ => return false,
        }
        self.effects.redraw = true;
        true
    }

    /// Asks for what the NFT screens show beside their lists: a preview's tokens, metadata, pictures.
    pub(super) fn meet_nft_needs(&mut self) {
        let (id, now, size) = (self.navigation.current_id(), self.now, self.size);
        let reach = match &self.network {
            network if network.fetches_metadata => Reach::Everywhere,
            network if network.name == DEMO => Reach::Embedded,
            _ => Reach::Inline,
        };
        let hint = self.keymap.shown(self.layers(), Command::Metadata).unwrap_or_default();
        let form = self.address_form;
        let (mut asked, mut outdated, mut drops_art) = (Vec::new(), None, false);
        match self.navigation.current_mut() {
            View::Nfts(view) => {
                view.search_again();
                asked.extend(view.want_sample(size, now).map(|request| (PageNeed::Sample, request)));
            }
            View::Collection(page) => {
                page.fit(&Regions::of(size));
                asked = page.want_art(reach, now);
            }
            View::Token(page) => {
                drops_art = page.drops_art();
                asked.extend(page.want_art(reach, now));
                page.refresh(size, form, &hint);
                outdated = page.is_outdated().then(|| page.request());
            }
            _ => {}
        }
        if let Some(request) = outdated {
            self.fetch(Slot::Page(id, PageNeed::Record), request);
        }
        if drops_art {
            self.cancel_extras();
        }
        for (what, request) in asked {
            self.fetch(Slot::Page(id, what), request);
        }
    }

    /// A second thing of an NFT screen came.
    pub(super) fn take_nft_extra(&mut self, id: PageId, need: PageNeed, result: Result<Answer, ApiError>) {
        let now = self.now;
        match self.navigation.view_mut(id) {
            Some(View::Nfts(view)) => view.take_sample(result, now),
            Some(View::Collection(page)) => page.take_art(need, result, now),
            Some(View::Token(page)) => page.take_art(need, result, now),
            _ => return,
        }
        self.effects.redraw = true;
    }

    /// A page of tokens was taken in: their order and their owners follow.
    pub(super) fn arrange_tokens(&mut self, page: PageId) {
        if let Some(View::Collection(page)) = self.navigation.view_mut(page) {
            page.arrange();
        }
    }
}
