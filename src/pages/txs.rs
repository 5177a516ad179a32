//! All transactions, with a preview of the selected transaction on wide screens.

mod commands;
mod draw;
mod state;

pub(crate) use state::TxsPage;

use crate::{
    app::{
        Context,
        hint::Hint,
        page::{
            Choice, Destination, Drawing, Focus, FocusMut, Handled, Held, Page, PageCx, PageEvent, Place, Selection,
            Tab, TakeAway, TxTab,
        },
        prompt::Prompt,
    },
    columns::List,
    config::{Command, KeyScope},
    domain::TxView,
    msg::{PageRequest, Request},
    panes::{commands::copy_request, lists::unseen, tx_detail::TxDetail, tx_list, words},
    widgets::{
        canvas::Canvas,
        layout::Pane,
        list::{PAGE, RemoteList},
    },
};

impl Page for TxsPage {
    fn title(&self) -> String {
        self.txs.title()
    }

    fn place(&self) -> Place {
        let (list, is_read) = (&self.txs.list, self.focus == Pane::Second);
        Place {
            columns: self.read().is_none().then_some(List::Txs),
            unseen: unseen(list),
            is_loading: list.is_loading(),
            is_narrowed: is_read || !self.txs.is_unfiltered(),
            view: self.txs.view(),
            ..Place::new(Tab::Txs, if is_read { KeyScope::TxPage } else { KeyScope::TxList })
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, cx: &Context) -> Vec<Command> {
        commands::commands(self, cx)
    }

    fn hint(&self, hint: Hint, cx: &Context) -> Hint {
        commands::hint(self, hint, cx)
    }

    fn on(&mut self, event: PageEvent<'_>, _cx: &mut PageCx<'_>) {
        match event {
            PageEvent::ChainChanged => {
                self.txs.restart();
                self.preview = None;
            }
            PageEvent::Focus(pane) => self.focus = pane,
            PageEvent::TurnTo(Destination::TxsOf(kind)) => self.show_view(&TxView::of_type(kind)),
            PageEvent::ClickTab(place) => self.in_detail(|detail| detail.click_tab(place)),
            PageEvent::ShowView(view) => self.show_view(view),
            PageEvent::Chosen(Choice::Types(msgs)) => {
                self.txs.choose_types(msgs);
                self.preview = None;
            }
            PageEvent::Shrink => self.in_detail(TxDetail::shrink),
            _ => {}
        }
    }

    fn update(&mut self, cx: &mut PageCx<'_>) {
        self.refresh_preview(cx.context);
        // While the preview has the focus, new rows must not move the selection.
        self.txs.list.follow(self.focus == Pane::Second);
        let (list, preview) = cx.regions.split();
        let rows = cx.regions.list_rows(list);
        self.txs.list.fit(rows);
        if let Some(pane) = preview {
            self.in_detail(|detail| detail.fit(&cx.regions, pane));
        }
        words::summarize_list(&mut self.txs.list, rows, None, cx);
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        vec![self.txs.listing()]
    }

    fn focus(&self) -> Option<Focus<'_>> {
        Some(match self.read() {
            Some(document) => Focus::Lines(document),
            None => Focus::Cursor(&self.txs.list),
        })
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        match (self.focus, self.preview.as_mut().and_then(|(_, detail)| detail.document.as_mut())) {
            (Pane::Second, Some(document)) => Some(FocusMut::Lines(document)),
            _ => Some(FocusMut::Cursor(&mut self.txs.list)),
        }
    }

    fn act(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
        match command {
            Command::Open if self.read().is_none() => tx_list::open_selected(&self.txs.list, cx),
            Command::Back => return self.back(),
            Command::Filter if self.focus == Pane::First => cx.ask(Prompt::Types(self.txs.type_picker(cx.context))),
            Command::NextPane => self.focus = self.focus.other(),
            Command::FailedOnly => {
                self.txs.toggle_failed_only();
                self.preview = None;
            }
            Command::RawJson => self.in_detail(|detail| detail.show(TxTab::Raw)),
            Command::FlipAddress => {
                self.in_detail(TxDetail::rebuild);
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

    fn selection(&self) -> Selection {
        Selection { tx: tx_list::selected(&self.txs.list), ..Selection::default() }
    }

    fn take_away<'a>(&'a self, cx: &'a Context) -> TakeAway<'a> {
        let request = || Request::Txs(self.txs.query.clone(), PageRequest::newest(PAGE));
        let copies = move || copy_request(&request(), cx).into_iter().collect();
        TakeAway::new().copies(copies).rows("txs", &self.txs.list, |row| &*row.tx, Some(self.txs.whole()))
    }

    fn held(&self) -> Held<'_> {
        let accounts = self.preview.as_ref().map(|(_, detail)| detail.accounts().to_vec());
        let txs = tx_list::records(&self.txs.list).collect();
        Held { txs, accounts: accounts.unwrap_or_default(), ..Held::default() }
    }
}
