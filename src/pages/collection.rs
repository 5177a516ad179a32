//! The page of one collection: its facts, its tokens as a table or as cards.

mod cursor;
mod draw;
mod gallery;
mod natural;
mod state;

pub(super) use state::CollectionPage;

use std::sync::Arc;

use tui_input::Input;

use crate::{
    app::{
        Context,
        hint::Hint,
        page::{Cx, Destination, Drawing, Export, Handled, Page, SearchStep, Surroundings, Tab, WebSubject, Wish},
        prompt::{CopyChoice, Prompt},
    },
    columns::List,
    config::{Command, KeyScope},
    domain::{Target, text},
    msg::{Answer, PageId, PageNeed, Remote, Request, TokenQuery, TokenScope},
    panes::{
        art::Reach,
        commands::open_token,
        lists::TokenList,
        nft_lists::{neighbour_token, select_token},
        nft_records::{self, choice},
    },
    widgets::{
        canvas::Canvas,
        cursor::Cursor,
        layout::Regions,
        list::{QueriedList, RemoteList},
    },
    wire::ApiError,
};

impl CollectionPage {
    fn open_selected(&self, cx: &mut Cx<'_>) {
        let Some(row) = self.tokens.selected() else { return };
        match Destination::loaded_token(Arc::clone(&row.0), Some(cx.id)) {
            Some(Destination::Token { name, record, origin, .. }) => {
                cx.open(Destination::Token { name, record, origin, is_asked: self.is_asked });
            }
            _ => cx.refuse("this token's collection is cut: the server cannot find it by that"),
        }
    }

    fn open_owned(&self, cx: &mut Cx<'_>) {
        match self.tokens.selected().and_then(|row| row.0.owner_address()) {
            Some(owner) => cx.open(Destination::CollectionsOf(owner)),
            None => cx.refuse("no token with an owner is selected"),
        }
    }

    /// From card to card; a table has no tabs.
    fn step_card(&mut self, step: isize) {
        if self.is_gallery {
            self.tokens.move_by(step);
        }
    }

    fn request(&self) -> Request {
        Request::Collection(self.address)
    }
}

impl Page for CollectionPage {
    /// The collection's name, or its address while that is not known.
    fn title(&self) -> String {
        match self.collection.value() {
            Some(collection) if !text::clean(&collection.collection.name).trim().is_empty() => {
                text::clip(&collection.collection.name, 32)
            }
            _ => format!("Collection {}", self.address.short()),
        }
    }

    fn tab(&self) -> Tab {
        Tab::Nfts
    }

    fn scope(&self) -> KeyScope {
        KeyScope::NftPage
    }

    fn fit(&mut self, regions: &Regions, _cx: &Context) {
        self.make_room(regions);
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, _cx: &Context, surroundings: &Surroundings) -> Vec<Hint> {
        let has_owner = self.tokens.selected().is_some_and(|row| row.0.owner_address().is_some());
        let card = |command: Command| Hint::of(command).needs(self.is_gallery, "a table has no tabs; v shows cards");
        let [before, after] = surroundings.siblings.hints(self.kind());
        vec![
            open_token(&self.tokens),
            Hint::of(Command::Gallery).called(if self.is_gallery { "table" } else { "gallery" }),
            Hint::of(Command::TokenOrder).called("order"),
            Hint::of(Command::Filter).called("token id"),
            Hint::of(Command::Metadata),
            Hint::of(Command::OwnedNfts).called("owner's NFTs").needs(has_owner, "no token with an owner is selected"),
            before,
            after,
            Hint::of(Command::Back),
            card(Command::NextTab).spare(),
            card(Command::PreviousTab).spare(),
            card(Command::NextPane).spare(),
        ]
    }

    fn restart(&mut self) -> Option<Destination> {
        *self = self.fresh();
        None
    }

    fn update(&mut self, cx: &mut Cx<'_>) {
        let is_unknown = matches!(self.collection, Remote::Idle);
        if std::mem::take(&mut self.is_record_old) || is_unknown {
            self.collection.ask(cx.now);
            cx.fetch(PageNeed::Record, self.request());
        }
        // What is asked for depends on which cards there is room for.
        self.make_room(&Regions::of(cx.size));
        for (need, request) in self.want_art(Reach::of(cx), cx.now) {
            cx.fetch(need, request);
        }
    }

    fn take(&mut self, need: PageNeed, result: Result<Answer, ApiError>, cx: &mut Cx<'_>) {
        match (need, result) {
            (PageNeed::Record, Ok(Answer::Collection(collection))) => self.collection.settle(Ok(collection), cx.now),
            (PageNeed::Record, Ok(_)) => {}
            (PageNeed::Record, Err(error)) => self.collection.settle(Err(error), cx.now),
            (_, result) => self.take_art(need, result, cx.now),
        }
        cx.redraw();
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        let scope = match self.owner {
            Some(address) => TokenScope::Owner { address, collection: Some(self.address) },
            None => TokenScope::Collection(self.address),
        };
        let query = TokenQuery { scope, token_id: self.token_id.clone(), order_by: self.order_by };
        vec![QueriedList::boxed(&mut self.tokens, TokenList { query, order: self.order })]
    }

    fn list_changed(&mut self, _is_refresh: bool, _cx: &Context) {
        self.arrange();
    }

    fn retry(&mut self) {
        self.collection.forget_passing();
    }

    /// What is known stays meanwhile.
    fn refresh(&mut self, cx: &mut Cx<'_>) {
        cx.fetch(PageNeed::Record, self.request());
    }

    fn is_loading(&self) -> bool {
        self.collection.is_loading()
            || self.tokens.state.is_loading()
            || self.tokens.fetching.is_some()
            || self.is_art_awaited()
    }

    fn column_list(&self) -> Option<List> {
        (!self.is_gallery).then_some(List::Nfts)
    }

    fn cursor(&self) -> Option<&dyn Cursor> {
        Some(self)
    }

    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor> {
        Some(self)
    }

    fn act(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
        match command {
            Command::Open => self.open_selected(cx),
            Command::Gallery => self.is_gallery = !self.is_gallery,
            Command::TokenOrder => self.turn_order(),
            Command::Filter => {
                let input = Input::new(self.token_id.as_deref().unwrap_or_default().to_owned());
                cx.ask(Prompt::Search(" token id: ", input));
            }
            Command::Metadata => {
                self.ask_anew();
                cx.wish(Wish::CancelExtras);
            }
            Command::OwnedNfts => self.open_owned(cx),
            Command::NextTab | Command::NextPane => self.step_card(1),
            Command::PreviousTab => self.step_card(-1),
            Command::Back if self.is_narrowed() => self.narrow(""),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn is_narrowed(&self) -> bool {
        self.token_id.is_some()
    }

    /// One token's id narrows the list at the server, once it is typed.
    fn search(&mut self, text: &str, step: SearchStep) {
        match step {
            SearchStep::Typing => self.point_at(text),
            SearchStep::Submitted => self.narrow(text),
            SearchStep::Abandoned if self.is_narrowed() => self.narrow(""),
            SearchStep::Abandoned => {}
        }
    }

    fn turn_to(&mut self, destination: Destination, cx: &mut Cx<'_>) {
        if let Destination::Collection { address, record, owner, origin } = destination {
            let is_gallery = self.is_gallery;
            *self = Self::open(address, record, owner, origin, cx.now);
            (self.is_gallery, self.is_record_old) = (is_gallery, false);
            cx.wish(Wish::CancelAll);
        }
    }

    fn kind(&self) -> &'static str {
        "collection"
    }

    fn origin(&self) -> Option<(PageId, Target)> {
        Some((self.origin?, Target::Collection(self.address)))
    }

    fn neighbour(&self, of: &Target, step: isize, id: PageId) -> Option<Result<Destination, &'static str>> {
        neighbour_token(&self.tokens, of, step, id)
    }

    fn has_list_of(&self, of: &Target) -> bool {
        matches!(of, Target::Token { .. })
    }

    fn select(&mut self, target: &Target) {
        select_token(&mut self.tokens, target);
    }

    fn copies(&self, cx: &Context) -> Vec<CopyChoice> {
        let mut choices = self.tokens.selected().map_or_else(Vec::new, |row| nft_records::of_token(&row.0));
        choices.push(choice('h', "collection, 0x…", self.address.hex()));
        choices.push(choice('i', "collection, init1…", self.address.bech32()));
        choices.extend(nft_records::curl(cx, 'c', "curl command of the collection", &self.request()));
        choices
    }

    fn export(&self, _cx: &Context) -> Vec<Export> {
        let tokens = Export::lines("tokens.jsonl", self.tokens.rows().iter().map(|row| &*row.0));
        vec![tokens.lacking(self.tokens.rows().unreadable())]
    }

    fn has_export(&self, _cx: &Context) -> bool {
        !self.tokens.rows().is_empty()
    }

    fn web_subject(&self) -> Option<WebSubject> {
        Some(WebSubject::Account(self.address))
    }

    fn known(&self) -> Vec<(Target, Option<String>)> {
        let rows = self.tokens.rows().iter().filter_map(|row| {
            let (collection, token_id) = (row.0.collection()?, row.0.nft.token_id.as_str());
            let name = format!("{} #{token_id}", row.0.collection_name);
            Some((Target::Token { collection, token_id: token_id.into() }, Some(name)))
        });
        rows.collect()
    }

    fn shrink(&mut self) {
        self.tokens.shrink();
        self.drop_arts();
    }
}
