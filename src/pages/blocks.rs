//! The list of blocks, with the selected one in lines beside it where there is room.

mod draw;

use std::sync::Arc;

use crate::{
    app::{
        Context,
        hint::Hint,
        page::{Cx, Destination, Drawing, Export, Handled, Page, Surroundings, Tab, Unseen},
        prompt::CopyChoice,
    },
    columns::List,
    config::{Command, KeyScope},
    domain::{Height, Target},
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
        cursor::Cursor,
        document::{Document, Lines},
        layout::{Pane, Regions},
        list::{ListWindow, PAGE, QueriedList, RemoteList},
    },
    wire,
};

/// Rows that are held at the most.
const CAPACITY: usize = 2000;

#[derive(Debug)]
pub(super) struct BlocksPage {
    list: ListWindow<BlockRow>,
    /// The list or the preview.
    focus: Pane,
    /// The selected block in lines, where the screen has room.
    preview: Option<(Height, Document)>,
    /// The names that its lines were made with.
    names: Arc<Glossary>,
}

impl BlocksPage {
    pub(super) fn new() -> Self {
        let names = Arc::new(Glossary::default());
        Self { list: ListWindow::new(CAPACITY), focus: Pane::First, preview: None, names }
    }

    /// Makes the lines of what is selected, where they are not made yet.
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

/// Whether there is room beside the list for what is selected in it.
fn has_room(cx: &Context) -> bool {
    Regions::of(cx.size).split().1.is_some()
}

impl Page for BlocksPage {
    fn title(&self) -> String {
        "Blocks".to_owned()
    }

    fn tab(&self) -> Tab {
        Tab::Blocks
    }

    fn scope(&self) -> KeyScope {
        match self.focus {
            Pane::First => KeyScope::List,
            Pane::Second => KeyScope::Page,
        }
    }

    fn fit(&mut self, regions: &Regions, _cx: &Context) {
        let (list, preview) = regions.split();
        self.list.set_viewport(usize::from(regions.list_rows(list).height));
        if let (Some(pane), Some((_, document))) = (preview, &mut self.preview) {
            let inner = regions.inner(pane);
            document.set_room(usize::from(inner.width), usize::from(inner.height));
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, cx: &Context, _surroundings: &Surroundings) -> Vec<Hint> {
        let has_preview = has_room(cx) && self.preview.is_some();
        let pane = Hint::of(Command::NextPane).needs(has_preview, "there is no other pane here");
        let document = self.document();
        if document.is_some() {
            return vec![
                commands::open_line(document),
                commands::filter_lines(document),
                Hint::of(Command::Back),
                pane,
            ];
        }
        let no_filter = "blocks have no filter; : and a number goes to a height";
        vec![commands::open_row(&self.list), pane, Hint::of(Command::Filter).needs(false, no_filter)]
    }

    fn restart(&mut self) -> Option<Destination> {
        *self = Self::new();
        None
    }

    fn update(&mut self, cx: &mut Cx<'_>) {
        self.make_preview(cx);
        // While the preview is read the list stands still: a row that arrives must not put another text there.
        self.list.follow(self.focus == Pane::Second);
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        vec![QueriedList::boxed(&mut self.list, BlockList)]
    }

    fn is_loading(&self) -> bool {
        self.list.is_loading()
    }

    fn brings_blocks(&self) -> bool {
        true
    }

    fn column_list(&self) -> Option<List> {
        self.document().is_none().then_some(List::Blocks)
    }

    fn cursor(&self) -> Option<&dyn Cursor> {
        match self.document() {
            Some(document) => Some(document),
            None => Some(&self.list),
        }
    }

    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor> {
        match (&mut self.preview, self.focus) {
            (Some((_, document)), Pane::Second) => Some(document),
            _ => Some(&mut self.list),
        }
    }

    fn document(&self) -> Option<&dyn Lines> {
        self.preview.as_ref().filter(|_| self.focus == Pane::Second).map(|(_, document)| document as &dyn Lines)
    }

    fn document_mut(&mut self) -> Option<&mut dyn Lines> {
        self.preview.as_mut().filter(|_| self.focus == Pane::Second).map(|(_, document)| document as &mut dyn Lines)
    }

    fn focus(&mut self, pane: Pane) {
        self.focus = pane;
    }

    fn act(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
        let is_filtered = self.document().is_some_and(|document| !document.filter().is_empty());
        match command {
            Command::NextPane if has_room(cx) => self.focus = self.focus.other(),
            Command::Open if self.document().is_none() => block_list::open_selected(&self.list, cx),
            Command::Back if self.focus == Pane::Second && !is_filtered => self.focus = Pane::First,
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn is_narrowed(&self) -> bool {
        self.focus == Pane::Second
    }

    fn selected_block(&self) -> Option<Arc<wire::Block>> {
        block_list::selected(&self.list)
    }

    fn copies(&self, cx: &Context) -> Vec<CopyChoice> {
        vec![commands::copy_request(&Request::Blocks(PageRequest::newest(PAGE)), cx)]
    }

    fn export(&self, _cx: &Context) -> Vec<Export> {
        let blocks = Export::lines("blocks.jsonl", block_list::records(&self.list).map(AsRef::as_ref));
        vec![blocks.lacking(self.list.rows().unreadable())]
    }

    fn has_export(&self, _cx: &Context) -> bool {
        !self.list.rows().is_empty()
    }

    fn blocks(&self) -> Vec<&Arc<wire::Block>> {
        block_list::records(&self.list).collect()
    }

    fn known(&self) -> Vec<(Target, Option<String>)> {
        block_list::records(&self.list).map(|block| (Target::Block(block.height), None)).collect()
    }

    fn unseen(&self) -> Option<Unseen> {
        unseen(&self.list)
    }

    fn shrink(&mut self) {
        self.list.shrink();
    }
}
