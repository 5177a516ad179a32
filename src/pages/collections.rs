//! List of collections with a search by name and a preview. It serves the NFTs tab and an account's collections.

mod draw;
mod state;

pub(super) use state::CollectionsPage;

use std::sync::Arc;

use self::state::CollectionSearch;
use crate::{
    app::{
        Context,
        hint::Hint,
        page::{
            Destination, Drawing, Focus, FocusMut, Handled, Held, Neighbour, Page, PageCx, PageEvent, Place,
            SearchStep, Selection, Tab, TakeAway, WebSubject, WholeList,
        },
        prompt::Prompt,
    },
    columns::List,
    config::{Command, KeyScope},
    domain::{Target, text},
    msg::{CollectionScope, PageId, PageRequest, Request},
    panes::{
        commands::{self, copy_request},
        lists::CollectionList,
        nft_records,
    },
    widgets::{
        canvas::Canvas,
        list::{PAGE, QueriedList, RemoteList},
    },
    wire,
};

impl CollectionsPage {
    fn destination(&self, collection: &Arc<wire::Collection>, id: PageId) -> Result<Destination, &'static str> {
        let Some(address) = collection.address() else {
            return Err("the server shortened the next collection's address");
        };
        let record = Some(Arc::clone(collection));
        Ok(Destination::Collection { address, record, owner: self.shown_owner(), origin: Some(id) })
    }

    fn open_selected(&self, cx: &mut PageCx<'_>) {
        let selected = self.shown().selected().map(|row| self.destination(&row.0, cx.id));
        match selected {
            Some(Ok(destination)) => cx.open(destination),
            Some(Err(why)) => cx.refuse(why),
            None => {}
        }
    }

    /// Returns the request for the list's first page.
    fn request(&self) -> Request {
        let scope = match (self.shown_owner(), self.searched()) {
            (Some(owner), _) => CollectionScope::Owner(owner),
            (None, Some(name)) => CollectionScope::Name(name.into()),
            (None, None) => CollectionScope::All,
        };
        Request::Collections(scope, PageRequest::newest(PAGE))
    }
}

impl Page for CollectionsPage {
    fn title(&self) -> String {
        let whose = self.shown_owner().map(|owner| format!(" of {}", owner.short())).unwrap_or_default();
        match self.search.as_ref().filter(|search| search.owner.is_none()) {
            None if whose.is_empty() => "NFTs · collections".to_owned(),
            None => format!("NFTs{whose}"),
            Some(search) => format!("NFTs{whose} · “{}”{}", text::clip(&search.name, 24), search.progress_words()),
        }
    }

    fn place(&self) -> Place {
        let list = self.shown();
        Place {
            columns: Some(List::Collections),
            is_loading: list.is_loading(),
            is_narrowed: self.search.is_some(),
            ..Place::new(Tab::Nfts, KeyScope::List)
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, _cx: &Context) -> Vec<Command> {
        vec![Command::Open, Command::Filter]
    }

    fn hint(&self, hint: Hint, _cx: &Context) -> Hint {
        match hint.command {
            Command::Open => commands::open_collection(hint, self.shown()),
            Command::Filter => Hint::new(Command::Filter).label("search"),
            _ => hint,
        }
    }

    fn on(&mut self, event: PageEvent<'_>, _cx: &mut PageCx<'_>) {
        match event {
            PageEvent::ChainChanged => *self = self.fresh(),
            PageEvent::Search(text, SearchStep::Typing) => self.narrow(text),
            PageEvent::Search(_, SearchStep::Submitted) => self.look_deeper(),
            PageEvent::Search(_, SearchStep::Abandoned) => self.narrow(""),
            PageEvent::Shrink => self.samples.clear(),
            _ => {}
        }
    }

    fn update(&mut self, cx: &mut PageCx<'_>) {
        self.choose_again();
        if let Some(ask) = self.want_sample(cx.context.size, cx.context.now) {
            cx.request(ask, |page: &mut Self, result, cx| page.take_sample(result, cx.context.now));
        }
        let rows = cx.regions.list_rows(cx.regions.split().0);
        self.list.fit(rows);
        self.shown_mut().fit(rows);
    }

    /// Returns the list. The client filters one account's collections by name, because the server cannot.
    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        let mut lists = vec![QueriedList::boxed(&mut self.list, CollectionList(self.scope.clone()))];
        if let (CollectionScope::All, Some(CollectionSearch { name, list, owner, is_deep, .. })) =
            (&self.scope, &mut self.search)
        {
            let name = Arc::clone(name);
            let scope = match owner {
                Some(owner) => CollectionScope::Owner(*owner),
                None if *is_deep => CollectionScope::Name(name),
                None => CollectionScope::NameAtServer(name),
            };
            lists.push(QueriedList::boxed(list, CollectionList(scope)));
        }
        lists
    }

    fn focus(&self) -> Option<Focus<'_>> {
        Some(Focus::Cursor(self.shown()))
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        Some(FocusMut::Cursor(self.shown_mut()))
    }

    fn act(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
        match command {
            Command::Open => self.open_selected(cx),
            Command::Filter => cx.ask(Prompt::search(" name or owner: ", self.searched())),
            Command::Back if self.search.is_some() => self.narrow(""),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn neighbour(&self, of: &Target, step: isize, id: PageId) -> Neighbour {
        let Target::Collection(address) = of else { return Neighbour::NoList };
        match self.shown().neighbour(&address.hex(), step).map(|row| self.destination(&row.0, id)) {
            None => Neighbour::End,
            Some(Ok(destination)) => Neighbour::Page(destination),
            Some(Err(why)) => Neighbour::Cut(why),
        }
    }

    fn selection(&self) -> Selection {
        let address = self.shown().selected().and_then(|row| row.0.address());
        Selection { web: address.map(WebSubject::Account), ..Selection::default() }
    }

    fn take_away<'a>(&'a self, cx: &'a Context) -> TakeAway<'a> {
        let copies = move || {
            let selected = self.shown().selected();
            let mut choices = selected.map_or_else(Vec::new, |row| nft_records::of_collection(cx, &row.0));
            choices.extend(copy_request(&self.request(), cx));
            choices
        };
        TakeAway::new().copies(copies).rows(
            "collections",
            self.shown(),
            |row| &*row.0,
            Some(WholeList::new(self.request())),
        )
    }

    fn held(&self) -> Held<'_> {
        let rows = self.shown().rows().iter();
        let named = rows.filter_map(|row| {
            Some((Target::Collection(row.0.address()?), Some(row.0.collection.name.as_received().to_owned())))
        });
        Held { targets: named.collect(), ..Held::default() }
    }
}
