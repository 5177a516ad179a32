//! List of blocks, with a preview of the selected block on wide screens.

mod draw;

use std::sync::Arc;

use crate::{
    app::{
        Context,
        hint::Hint,
        page::{
            Drawing, Focus, FocusMut, Handled, Held, Page, PageCx, PageEvent, Place, Selection, Shows, Tab, TakeAway,
        },
    },
    columns::List,
    config::{Command, KeyScope},
    domain::Height,
    msg::{PageRequest, Request},
    panes::{
        block_list::{self, block_lines},
        commands,
        lists::{BlockList, unseen},
        rows::BlockRow,
    },
    story::Glossary,
    widgets::{
        canvas::Canvas,
        document::Document,
        layout::{Pane, Regions},
        list::{ListWindow, PAGE, QueriedList, RemoteList},
    },
};

/// Maximum blocks in memory.
const CAPACITY: usize = 2000;

#[derive(Debug)]
pub(super) struct BlocksPage {
    list: ListWindow<BlockRow>,
    focus: Pane,
    /// Height and lines of the selected block's preview, if the screen has room.
    preview: Option<(Height, Document)>,
    /// Names that the preview's lines show.
    names: Arc<Glossary>,
}

impl BlocksPage {
    pub(super) fn new() -> Self {
        let names = Arc::new(Glossary::default());
        Self { list: ListWindow::new(CAPACITY), focus: Pane::First, preview: None, names }
    }

    /// Builds the preview's lines if they are outdated.
    fn make_preview(&mut self, cx: &Context) {
        match block_list::selected(&self.list).filter(|_| has_room(cx)) {
            None => (self.preview, self.focus) = (None, Pane::First),
            Some(block) => {
                let lines = || block_lines(&block, &cx.glossary);
                let has_names = Arc::ptr_eq(&self.names, &cx.glossary);
                match &mut self.preview {
                    Some((height, _)) if *height == block.height && has_names => {}
                    Some((height, document)) if *height == block.height => {
                        document.update_lines(lines());
                    }
                    _ => self.preview = Some((block.height, Document::new(lines()))),
                }
                self.names = Arc::clone(&cx.glossary);
            }
        }
    }
}

/// Whether the screen has room for the preview.
fn has_room(cx: &Context) -> bool {
    Regions::new(cx.size).split().1.is_some()
}

impl BlocksPage {
    /// Returns the preview while it has the focus.
    fn read(&self) -> Option<&Document> {
        self.preview.as_ref().filter(|_| self.focus == Pane::Second).map(|(_, document)| document)
    }
}

impl Page for BlocksPage {
    fn title(&self) -> String {
        "Blocks".to_owned()
    }

    fn place(&self) -> Place {
        let scope = if self.focus == Pane::First { KeyScope::List } else { KeyScope::Page };
        Place {
            shows: &[Shows::NewBlocks],
            columns: self.read().is_none().then_some(List::Blocks),
            unseen: unseen(&self.list),
            is_loading: self.list.is_loading(),
            is_narrowed: self.focus == Pane::Second,
            ..Place::new(Tab::Blocks, scope)
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, _cx: &Context) -> Vec<Command> {
        match self.read() {
            Some(_) => vec![Command::Open, Command::Filter, Command::Back, Command::NextPane],
            None => vec![Command::Open, Command::NextPane, Command::Filter],
        }
    }

    fn hint(&self, hint: Hint, cx: &Context) -> Hint {
        match hint.command {
            Command::NextPane => hint.enabled_if(has_room(cx) && self.preview.is_some(), "this page has one pane"),
            Command::Filter if self.read().is_none() => {
                Hint::new(Command::Filter).enabled_if(false, "blocks have no filter; type : and a height to go there")
            }
            _ => hint,
        }
    }

    fn on(&mut self, event: PageEvent<'_>, _cx: &mut PageCx<'_>) {
        match event {
            PageEvent::ChainChanged => *self = Self::new(),
            PageEvent::Focus(pane) => self.focus = pane,
            _ => {}
        }
    }

    fn update(&mut self, cx: &mut PageCx<'_>) {
        self.make_preview(cx.context);
        // While the preview has the focus, new rows must not move the selection.
        self.list.follow(self.focus == Pane::Second);
        let (list, preview) = cx.regions.split();
        self.list.fit(cx.regions.list_rows(list));
        if let (Some(pane), Some((_, document))) = (preview, &mut self.preview) {
            document.fit(cx.regions.inner(pane));
        }
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        vec![QueriedList::boxed(&mut self.list, BlockList)]
    }

    fn focus(&self) -> Option<Focus<'_>> {
        Some(match self.read() {
            Some(document) => Focus::Lines(document),
            None => Focus::Cursor(&self.list),
        })
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        Some(match (&mut self.preview, self.focus) {
            (Some((_, document)), Pane::Second) => FocusMut::Lines(document),
            _ => FocusMut::Cursor(&mut self.list),
        })
    }

    fn act(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
        let is_filtered = self.read().is_some_and(|document| !document.filter().is_empty());
        match command {
            Command::NextPane if has_room(cx.context) => self.focus = self.focus.other(),
            Command::Open if self.read().is_none() => block_list::open_selected(&self.list, cx),
            Command::Back if self.focus == Pane::Second && !is_filtered => self.focus = Pane::First,
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn selection(&self) -> Selection {
        Selection { block: block_list::selected(&self.list), ..Selection::default() }
    }

    fn take_away<'a>(&'a self, cx: &'a Context) -> TakeAway<'a> {
        let request = Request::Blocks(PageRequest::newest(PAGE));
        let copies = move || commands::copy_request(&request, cx).into_iter().collect();
        TakeAway::new().copies(copies).rows("blocks.jsonl", &self.list, |row| &*row.0)
    }

    fn held(&self) -> Held<'_> {
        Held { blocks: block_list::records(&self.list).collect(), ..Held::default() }
    }
}
