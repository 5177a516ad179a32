//! Tab 3: all transactions, and beside them the selected one where there is room.

mod commands;
mod draw;
mod state;

pub(crate) use state::TxsPage;

use std::sync::Arc;

use crate::{
    app::{
        Context,
        hint::Hint,
        page::{Choice, Cx, Destination, Drawing, Export, Handled, Page, Surroundings, Tab, TxTab, Unseen, WordWork},
        prompt::{CopyChoice, Prompt},
    },
    columns::List,
    config::{Command, KeyScope},
    domain::{Address, Target},
    msg::{PageId, PageRequest, Request},
    panes::{commands::copy_request, lists::unseen, tx_list, words},
    widgets::{
        canvas::Canvas,
        cursor::Cursor,
        document::Lines,
        layout::{Pane, Regions},
        list::{PAGE, RemoteList},
    },
    wire,
};

impl Page for TxsPage {
    fn title(&self) -> String {
        self.txs.title()
    }

    fn tab(&self) -> Tab {
        Tab::Txs
    }

    fn scope(&self) -> KeyScope {
        if self.focus == Pane::Second { KeyScope::TxPage } else { KeyScope::TxList }
    }

    fn fit(&mut self, regions: &Regions, _cx: &Context) {
        let (list, preview) = regions.split();
        self.txs.list.set_viewport(usize::from(regions.list_rows(list).height));
        if let (Some(pane), Some(detail)) = (preview, self.detail_mut()) {
            detail.fit(regions, pane);
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
        self.preview = None;
        None
    }

    fn update(&mut self, cx: &mut Cx<'_>) {
        self.refresh_preview(cx);
        // While the preview is read a row that arrives must not put another text there.
        self.txs.list.follow(self.focus == Pane::Second);
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        vec![self.txs.listing()]
    }

    fn is_loading(&self) -> bool {
        self.txs.list.state.is_loading() || self.txs.list.fetching.is_some()
    }

    fn column_list(&self) -> Option<List> {
        self.read().is_none().then_some(List::Txs)
    }

    fn cursor(&self) -> Option<&dyn Cursor> {
        match self.read() {
            Some(document) => Some(document),
            None => Some(&self.txs.list),
        }
    }

    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor> {
        if self.read().is_some() {
            return self.read_mut().map(|document| document as _);
        }
        Some(&mut self.txs.list)
    }

    fn document(&self) -> Option<&dyn Lines> {
        self.read().map(|document| document as &dyn Lines)
    }

    fn document_mut(&mut self) -> Option<&mut dyn Lines> {
        self.read_mut().map(|document| document as &mut dyn Lines)
    }

    fn focus(&mut self, pane: Pane) {
        self.focus = pane;
    }

    fn turn_to(&mut self, destination: Destination, _cx: &mut Cx<'_>) {
        if let Destination::TxsOf(kind) = destination {
            (self.focus, self.preview, self.txs.failed_only) = (Pane::First, None, false);
            self.txs.choose_types(vec![kind]);
        }
    }

    fn act(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
        match command {
            Command::Open if self.read().is_none() => tx_list::open_selected(&self.txs.list, cx),
            Command::Back => return self.back(),
            Command::Filter if self.focus == Pane::First => {
                let picker = self.txs.type_picker(cx);
                cx.ask(Prompt::Types(picker));
            }
            Command::NextPane => self.focus = self.focus.other(),
            Command::FailedOnly => {
                self.txs.toggle_failed_only();
                self.preview = None;
            }
            Command::RawJson => {
                if let Some(detail) = self.detail_mut() {
                    detail.show(TxTab::Raw);
                }
            }
            Command::FlipAddress => {
                if let Some(detail) = self.detail_mut() {
                    detail.rebuild();
                }
                return Handled::Pass;
            }
            Command::Open | Command::NextTab | Command::PreviousTab | Command::NextWord | Command::PreviousWord => {
                let Some((hash, detail)) = &mut self.preview else { return Handled::Pass };
                if matches!(command, Command::NextWord | Command::PreviousWord) {
                    self.focus = Pane::Second;
                }
                return detail.act(command, Some(*hash), cx);
            }
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn click_tab(&mut self, place: usize, _cx: &Context) {
        if let Some(detail) = self.detail_mut() {
            detail.click_tab(place);
        }
    }

    fn is_narrowed(&self) -> bool {
        self.focus == Pane::Second || !self.txs.is_unfiltered()
    }

    fn chosen(&mut self, choice: Choice, _cx: &mut Cx<'_>) {
        if let Choice::Types(msgs) = choice {
            self.txs.choose_types(msgs);
            self.preview = None;
        }
    }

    fn neighbour(&self, of: &Target, step: isize, id: PageId) -> Option<Result<Destination, &'static str>> {
        tx_list::neighbour(&self.txs.list, of, step, id)
    }

    fn has_list_of(&self, of: &Target) -> bool {
        matches!(of, Target::Tx(_))
    }

    fn select(&mut self, target: &Target) {
        tx_list::select(&mut self.txs.list, target);
    }

    fn selected_tx(&self) -> Option<Arc<wire::Tx>> {
        tx_list::selected(&self.txs.list)
    }

    fn copies(&self, cx: &Context) -> Vec<CopyChoice> {
        let request = Request::Txs(self.txs.query.clone(), PageRequest::newest(PAGE));
        vec![copy_request(&request, cx)]
    }

    fn export(&self, _cx: &Context) -> Vec<Export> {
        let txs = Export::lines("txs.jsonl", tx_list::records(&self.txs.list).map(|tx| &**tx));
        vec![txs.lacking(self.txs.list.rows().unreadable())]
    }

    fn has_export(&self, _cx: &Context) -> bool {
        !self.txs.list.rows().is_empty()
    }

    fn txs(&self) -> Vec<&Arc<wire::Tx>> {
        tx_list::records(&self.txs.list).collect()
    }

    fn known(&self) -> Vec<(Target, Option<String>)> {
        tx_list::known(&self.txs.list)
    }

    fn accounts(&self) -> Vec<Address> {
        self.preview.as_ref().map(|(_, detail)| detail.accounts().to_vec()).unwrap_or_default()
    }

    fn put_into_words(&mut self, cx: &Context, work: &mut WordWork) {
        let regions = Regions::of(cx.size);
        words::summarize_list(&mut self.txs.list, regions.list_rows(regions.split().0), None, cx, work);
    }

    fn unseen(&self) -> Option<Unseen> {
        unseen(&self.txs.list)
    }

    fn shrink(&mut self) {
        self.txs.list.shrink();
        if let Some(detail) = self.detail_mut() {
            detail.shrink();
        }
    }
}
