//! The list of collections, narrowed by name as one types, with a look into the selected one: the NFTs tab, and the
//! collections of an account.

mod draw;
mod state;

pub(super) use state::CollectionsPage;

use std::sync::Arc;

use tui_input::Input;

use self::state::CollectionSearch;
use crate::{
    app::{
        Context,
        hint::Hint,
        page::{Cx, Destination, Drawing, Export, Handled, Page, SearchStep, Surroundings, Tab, WebSubject},
        prompt::{CopyChoice, Prompt},
    },
    columns::List,
    config::{Command, KeyScope},
    domain::{Target, text},
    msg::{Answer, CollectionScope, PageId, PageNeed, PageRequest, Request},
    panes::{commands, lists::CollectionList, nft_records},
    widgets::{
        canvas::Canvas,
        cursor::Cursor,
        layout::Regions,
        list::{PAGE, QueriedList, RemoteList},
    },
    wire::{self, ApiError},
};

impl CollectionsPage {
    /// What opens a collection of the list; an error where it cannot be opened.
    fn destination(&self, collection: &Arc<wire::Collection>, id: PageId) -> Result<Destination, &'static str> {
        let Some(address) = collection.address() else {
            return Err("the next collection's address is cut: the server cannot find it by that");
        };
        let record = Some(Arc::clone(collection));
        Ok(Destination::Collection { address, record, owner: self.shown_owner(), origin: Some(id) })
    }

    fn open_selected(&self, cx: &mut Cx<'_>) {
        let selected = self.shown().selected().map(|row| self.destination(&row.0, cx.id));
        match selected {
            Some(Ok(destination)) => cx.open(destination),
            Some(Err(why)) => cx.refuse(why),
            None => {}
        }
    }

    /// What brings the first page of the list on screen.
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

    fn tab(&self) -> Tab {
        Tab::Nfts
    }

    fn scope(&self) -> KeyScope {
        KeyScope::List
    }

    fn fit(&mut self, regions: &Regions, _cx: &Context) {
        let rows = usize::from(regions.list_rows(regions.split().0).height);
        self.list.set_viewport(rows);
        self.shown_mut().set_viewport(rows);
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, _cx: &Context, _surroundings: &Surroundings) -> Vec<Hint> {
        vec![commands::open_collection(self.shown()), Hint::of(Command::Filter).called("search")]
    }

    fn restart(&mut self) -> Option<Destination> {
        *self = self.fresh();
        None
    }

    fn update(&mut self, cx: &mut Cx<'_>) {
        self.choose_again();
        if let Some(request) = self.want_sample(cx.size, cx.now) {
            cx.fetch(PageNeed::Sample, request);
        }
    }

    fn take(&mut self, _need: PageNeed, result: Result<Answer, ApiError>, cx: &mut Cx<'_>) {
        self.take_sample(result, cx.now);
        cx.redraw();
    }

    /// The server knows no names within one account's collections: those are only narrowed here.
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

    fn is_loading(&self) -> bool {
        let list = self.shown();
        list.state.is_loading() || list.fetching.is_some()
    }

    fn column_list(&self) -> Option<List> {
        Some(List::Collections)
    }

    fn cursor(&self) -> Option<&dyn Cursor> {
        Some(self.shown())
    }

    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor> {
        Some(self.shown_mut())
    }

    fn act(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
        match command {
            Command::Open => self.open_selected(cx),
            Command::Filter => {
                let input = Input::new(self.searched().unwrap_or_default().to_owned());
                cx.ask(Prompt::Search(" name or owner: ", input));
            }
            Command::Back if self.is_narrowed() => self.narrow(""),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn is_narrowed(&self) -> bool {
        self.search.is_some()
    }

    fn search(&mut self, text: &str, step: SearchStep) {
        match step {
            SearchStep::Typing => self.narrow(text),
            SearchStep::Submitted => self.look_deeper(),
            SearchStep::Abandoned => self.narrow(""),
        }
    }

    fn neighbour(&self, of: &Target, step: isize, id: PageId) -> Option<Result<Destination, &'static str>> {
        let Target::Collection(address) = of else { return None };
        let row = self.shown().neighbour(&address.hex(), step)?;
        Some(self.destination(&row.0, id))
    }

    fn has_list_of(&self, of: &Target) -> bool {
        matches!(of, Target::Collection(_))
    }

    fn select(&mut self, target: &Target) {
        if let Target::Collection(address) = target {
            self.shown_mut().select(&address.hex());
        }
    }

    fn copies(&self, cx: &Context) -> Vec<CopyChoice> {
        let selected = self.shown().selected();
        let mut choices = selected.map_or_else(Vec::new, |row| nft_records::of_collection(cx, &row.0));
        choices.extend(nft_records::curl(cx, 'u', "curl command of this screen", &self.request()));
        choices
    }

    fn export(&self, _cx: &Context) -> Vec<Export> {
        let collections = Export::lines("collections.jsonl", self.shown().rows().iter().map(|row| &*row.0));
        vec![collections.lacking(self.shown().rows().unreadable())]
    }

    fn has_export(&self, _cx: &Context) -> bool {
        !self.shown().rows().is_empty()
    }

    fn web_subject(&self) -> Option<WebSubject> {
        self.shown().selected()?.0.address().map(WebSubject::Account)
    }

    fn known(&self) -> Vec<(Target, Option<String>)> {
        let rows = self.shown().rows().iter();
        rows.filter_map(|row| Some((Target::Collection(row.0.address()?), Some(row.0.collection.name.clone()))))
            .collect()
    }

    fn shrink(&mut self) {
        self.list.shrink();
        self.samples.clear();
    }
}
