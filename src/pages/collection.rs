//! Collection page: facts, and tokens as a table or as cards.

mod cursor;
mod draw;
mod gallery;
mod state;

pub(super) use state::CollectionPage;
use state::card_picture;

use std::sync::Arc;

use crate::{
    app::{
        Context,
        hint::Hint,
        page::{
            Destination, Drawing, Focus, FocusMut, Handled, Held, Neighbour, Page, PageCx, PageEffect, PageEvent,
            Place, SearchStep, Selection, Tab, TakeAway, WebSubject, WholeList,
        },
        prompt::Prompt,
    },
    columns::List,
    config::{Command, KeyScope},
    domain::Target,
    msg::{PageId, PageNeed, PageRequest, Remote, Request, TokenQuery, TokenScope, ask},
    panes::{
        art::{ArtAsk, Reach},
        commands::{CUT_TOKEN, open_token},
        lists::TokenList,
        nft_lists::neighbour_token,
        nft_records::{self, choice},
    },
    widgets::{
        canvas::Canvas,
        list::{ListSource as _, PAGE, QueriedList, RemoteList},
    },
};

const COMMANDS: &[&[Command]] = &[
    &[Command::Open, Command::Gallery, Command::TokenOrder, Command::Filter],
    &[Command::Metadata, Command::OwnedNfts, Command::PreviousSibling],
    &[Command::NextSibling, Command::Back, Command::NextTab],
    &[Command::PreviousTab, Command::NextPane],
];
const NO_OWNER: &str = "select a token with an owner";

impl CollectionPage {
    fn open_selected(&self, cx: &mut PageCx<'_>) {
        let Some(row) = self.tokens.selected() else { return };
        match Destination::loaded_token(Arc::clone(&row.0), Some(cx.id)) {
            Some(Destination::Token { name, record, origin, .. }) => {
                cx.open(Destination::Token { name, record, origin, is_asked: self.is_asked });
            }
            _ => cx.refuse(CUT_TOKEN),
        }
    }

    fn open_owned(&self, cx: &mut PageCx<'_>) {
        match self.tokens.selected().and_then(|row| row.0.owner_address()) {
            Some(owner) => cx.open(Destination::CollectionsOf(owner)),
            None => cx.refuse(NO_OWNER),
        }
    }

    /// Moves to the next or previous card. A table has no cards to step through.
    fn step_card(&mut self, step: isize) {
        if self.is_gallery {
            self.tokens.move_by(step);
        }
    }

    fn request(&self) -> Request {
        Request::Collection(self.address)
    }

    /// Returns the source of the shown NFTs.
    fn source(&self) -> TokenList {
        let scope = match self.owner {
            Some(address) => TokenScope::Owner { address, collection: Some(self.address) },
            None => TokenScope::Collection(self.address),
        };
        let query = TokenQuery { scope, token_id: self.token_id.clone(), order_by: self.order_by };
        TokenList { query, order: self.order }
    }
}

impl CollectionPage {
    fn fetch_record(&self, cx: &mut PageCx<'_>) {
        let take = |page: &mut Self, result, cx: &mut PageCx<'_>| page.collection.settle(result, cx.context.now);
        cx.request_for(PageNeed::Record, ask::collection(self.address), take);
    }

    /// Asks the node once what the contract says about itself.
    fn ask_contract(&mut self, cx: &mut PageCx<'_>) {
        if matches!(self.contract, Remote::Idle) && cx.context.has_node_to_ask() {
            self.contract.ask(cx.context.now);
            cx.request(ask::contract(self.address), |page: &mut Self, result, cx| {
                page.contract.settle(result, cx.context.now);
            });
        }
    }

    fn retry(&mut self) {
        self.collection.forget_passing();
        self.contract.forget_passing();
    }
}

impl Page for CollectionPage {
    /// Returns the collection's name, or its address until the name is known.
    fn title(&self) -> String {
        let name = self.collection.value().map(|collection| collection.collection.name.clipped(32));
        name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("Collection {}", self.address.short()))
    }

    fn place(&self) -> Place {
        Place {
            kind: "collection",
            origin: self.origin.map(|id| (id, Target::Collection(self.address))),
            columns: (!self.is_gallery).then_some(List::Nfts),
            is_loading: self.collection.is_loading() || self.tokens.is_loading() || self.is_art_awaited(),
            is_narrowed: self.token_id.is_some(),
            ..Place::new(Tab::Nfts, KeyScope::NftPage)
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, _cx: &Context) -> Vec<Command> {
        COMMANDS.concat()
    }

    fn hint(&self, hint: Hint, _cx: &Context) -> Hint {
        match hint.command {
            Command::Open => open_token(hint, &self.tokens),
            Command::Gallery => hint.label(if self.is_gallery { "table" } else { "gallery" }),
            Command::TokenOrder => hint.label("order"),
            Command::Filter => Hint::new(Command::Filter).label("token id"),
            Command::OwnedNfts => {
                let has_owner = self.tokens.selected().is_some_and(|row| row.0.owner_address().is_some());
                hint.label("owner's NFTs").enabled_if(has_owner, NO_OWNER)
            }
            Command::NextTab | Command::PreviousTab | Command::NextPane => {
                hint.enabled_if(self.is_gallery, "the table has no tabs; v shows cards").hidden_in_footer()
            }
            _ => hint,
        }
    }

    fn on(&mut self, event: PageEvent<'_>, cx: &mut PageCx<'_>) {
        match event {
            PageEvent::ChainChanged => *self = self.fresh(),
            PageEvent::ListChanged { .. } => self.arrange(),
            PageEvent::Retry => self.retry(),
            // The old record stays on screen until the new one arrives.
            PageEvent::Refresh => self.fetch_record(cx),
            // The server filters by token ID only after Enter; typing moves the cursor.
            PageEvent::Search(text, SearchStep::Typing) => self.point_at(text),
            PageEvent::Search(text, SearchStep::Submitted) => self.narrow(text),
            PageEvent::Search(_, SearchStep::Abandoned) if self.token_id.is_some() => self.narrow(""),
            PageEvent::TurnTo(Destination::Collection { address, record, owner, origin }) => {
                let is_gallery = self.is_gallery;
                *self = Self::open(address, record, owner, origin, cx.context.now);
                (self.is_gallery, self.is_record_old) = (is_gallery, false);
                cx.emit(PageEffect::CancelPage(cx.id));
            }
            PageEvent::Shrink => self.drop_arts(),
            _ => {}
        }
    }

    fn update(&mut self, cx: &mut PageCx<'_>) {
        let is_unknown = matches!(self.collection, Remote::Idle);
        if std::mem::take(&mut self.is_record_old) || is_unknown {
            self.collection.ask(cx.context.now);
            self.fetch_record(cx);
        }
        self.ask_contract(cx);
        // The number of visible cards determines the requests.
        self.make_room(&cx.regions);
        for (lane, ask) in self.want_art(Reach::of(cx.context), cx.context.now) {
            match ask {
                ArtAsk::Metadata(ask) => {
                    cx.request_for(PageNeed::Art(lane), ask, move |page: &mut Self, result, cx| {
                        page.in_lane(lane, |art| art.take_metadata(result, cx.context.now));
                    });
                }
                ArtAsk::Picture(ask) => {
                    cx.request_for(PageNeed::Art(lane), ask, move |page: &mut Self, result, cx| {
                        let result = result.map(|picture| card_picture(&picture));
                        page.in_lane(lane, |art| art.take_picture(result, cx.context.now));
                    });
                }
            }
        }
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        let source = self.source();
        vec![QueriedList::boxed(&mut self.tokens, source)]
    }

    fn focus(&self) -> Option<Focus<'_>> {
        Some(Focus::Cursor(self))
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        Some(FocusMut::Cursor(self))
    }

    fn act(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
        match command {
            Command::Open => self.open_selected(cx),
            Command::Gallery => self.is_gallery = !self.is_gallery,
            Command::TokenOrder => self.turn_order(),
            Command::Filter => cx.ask(Prompt::search(" token id: ", self.token_id.as_deref())),
            Command::Metadata => {
                self.ask_anew();
                cx.emit(PageEffect::CancelExtras(cx.id));
            }
            Command::OwnedNfts => self.open_owned(cx),
            Command::NextTab | Command::NextPane => self.step_card(1),
            Command::PreviousTab => self.step_card(-1),
            Command::Back if self.token_id.is_some() => self.narrow(""),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn neighbour(&self, of: &Target, step: isize, id: PageId) -> Neighbour {
        neighbour_token(&self.tokens, of, step, id)
    }

    fn selection(&self) -> Selection {
        Selection { web: Some(WebSubject::Account(self.address)), ..Selection::default() }
    }

    fn take_away<'a>(&'a self, cx: &'a Context) -> TakeAway<'a> {
        let copies = move || {
            let mut choices = self.tokens.selected().map_or_else(Vec::new, |row| nft_records::of_token(&row.0));
            choices.push(choice('h', "collection, 0x…", self.address.hex()));
            choices.push(choice('i', "collection, init1…", self.address.bech32()));
            choices.extend(cx.curl('c', "curl command of the collection", &self.request()));
            choices
        };
        let whole = WholeList::new(self.source().ask(PageRequest::newest(PAGE)).request().clone());
        TakeAway::new().copies(copies).rows("tokens", &self.tokens, |row| &*row.0, Some(whole))
    }

    fn held(&self) -> Held<'_> {
        let named = self.tokens.rows().iter().filter_map(|row| {
            let (collection, token_id) = (row.0.collection()?, row.0.nft.token_id.as_received());
            let name = format!("{} #{}", row.0.collection_name.clipped(160), row.0.nft.token_id.clipped(160));
            Some((Target::Token { collection, token_id: token_id.into() }, Some(name)))
        });
        Held { targets: named.collect(), ..Held::default() }
    }
}
