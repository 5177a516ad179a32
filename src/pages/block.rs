//! One block with its transactions.

mod draw;

use std::sync::Arc;

use crate::{
    app::{
        Context,
        hint::Hint,
        page::{Cx, Destination, Drawing, Export, Handled, Page, Surroundings, Tab, Wish, WordWork},
    },
    columns::List,
    config::{Command, KeyScope},
    domain::{Height, Target, Timestamp, TxHash, text},
    msg::{Answer, PageId, PageNeed, Remote, Request, TxQuery, TxScope},
    panes::{
        commands,
        lists::TxList,
        rows::TxRow,
        tx_list::{self, TX_CAPACITY},
        words::summarize_list,
    },
    widgets::{
        canvas::Canvas,
        cursor::Cursor,
        document::{Document, Lines, json::json_lines},
        layout::Regions,
        list::{ListWindow, QueriedList, RemoteList},
    },
    wire::{self, ApiError},
};

#[derive(Debug)]
pub(super) struct BlockPage {
    height: Height,
    block: Remote<Arc<wire::Block>>,
    /// Its transactions, in block order from the last.
    pub(super) txs: ListWindow<TxRow>,
    /// The block as JSON instead of its transactions.
    raw: Option<Document>,
}

impl BlockPage {
    /// With its record, where that is here.
    pub(super) fn new(height: Height, block: Option<Arc<wire::Block>>, now: Timestamp) -> Self {
        let block = block.map_or(Remote::Idle, |value| Remote::Ready { value, at: now });
        Self { block, ..Self::blank(height) }
    }

    fn blank(height: Height) -> Self {
        Self { height, block: Remote::Idle, txs: ListWindow::new(TX_CAPACITY), raw: None }
    }

    fn toggle_raw(&mut self) {
        self.raw = if self.raw.is_some() { None } else { Some(Document::default()) };
    }

    /// Shows another block, in the same form.
    fn turn(&mut self, height: Option<Height>, cx: &mut Cx<'_>) {
        let Some(height) = height else { return cx.refuse("this is the first block") };
        cx.wish(Wish::CancelAll);
        let raw = self.raw.is_some().then(Document::default);
        *self = Self { raw, ..Self::blank(height) };
    }

    fn make_raw(&mut self) {
        if let (Some(block), Some(document)) = (self.block.value(), &mut self.raw)
            && document.counts().1 == 0
        {
            *document = Document::new(json_lines(&serde_json::to_string(&**block).unwrap_or_default()));
        }
    }
}

impl Page for BlockPage {
    fn title(&self) -> String {
        format!("Block {}", text::group(self.height.get()))
    }

    fn tab(&self) -> Tab {
        Tab::Blocks
    }

    fn scope(&self) -> KeyScope {
        KeyScope::TxPage
    }

    fn fit(&mut self, regions: &Regions, _cx: &Context) {
        let (_, below) = regions.block_page();
        self.txs.set_viewport(usize::from(regions.list_rows(below).height));
        if let Some(raw) = &mut self.raw {
            let inner = regions.inner(below);
            raw.set_room(usize::from(inner.width), usize::from(inner.height));
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, cx: &Context, _surroundings: &Surroundings) -> Vec<Hint> {
        let raw = self.raw.as_ref();
        let open = if raw.is_some() { commands::open_line(raw) } else { commands::open_row(&self.txs) };
        let selected = self.txs.selected().filter(|_| raw.is_none()).map(|row| row.tx.txhash);
        let [compare, signer, of_block, mark] = commands::of_tx(selected.is_some(), selected, cx);
        let mut hints = vec![
            open,
            compare,
            Hint::of(Command::PreviousSibling).called("newer"),
            Hint::of(Command::NextSibling)
                .called("older")
                .needs(self.height.previous().is_some(), "this is the first block"),
            Hint::of(Command::RawJson).called(if raw.is_some() { "transactions" } else { "JSON" }),
            commands::filter_lines(raw),
            Hint::of(Command::Back),
            mark,
            signer,
            of_block.needs(false, "this is its block"),
            Hint::of(Command::NextTab).spare(),
            Hint::of(Command::PreviousTab).spare(),
            Hint::of(Command::NextPane).spare(),
        ];
        hints.extend(commands::folds(raw));
        hints
    }

    fn restart(&mut self) -> Option<Destination> {
        *self = Self::blank(self.height);
        None
    }

    fn update(&mut self, cx: &mut Cx<'_>) {
        if matches!(self.block, Remote::Idle) {
            self.block.ask(cx.now);
            cx.fetch(PageNeed::Record, Request::Block(self.height));
        }
        self.make_raw();
    }

    fn take(&mut self, _need: PageNeed, result: Result<Answer, ApiError>, cx: &mut Cx<'_>) {
        match result {
            Ok(Answer::Block(block)) => {
                self.block.settle(Ok(Arc::clone(&block)), cx.now);
                cx.wish(Wish::SawBlock(block));
            }
            Ok(_) => {}
            Err(error) => self.block.settle(Err(error), cx.now),
        }
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        let query = TxQuery { scope: TxScope::Height(self.height), msgs: Vec::new() };
        vec![QueriedList::boxed(&mut self.txs, TxList::of(query))]
    }

    fn retry(&mut self) {
        self.block.forget_passing();
    }

    fn grow(&mut self, reached: Option<Height>) {
        let is_absent = self.block.error().is_some_and(ApiError::is_not_found);
        if is_absent && reached.is_some_and(|height| height >= self.height) {
            self.block = Remote::Idle;
            self.txs.clear();
        }
    }

    fn refresh(&mut self, _cx: &mut Cx<'_>) {
        if self.block.value().is_none() {
            self.block = Remote::Idle;
        }
    }

    fn is_loading(&self) -> bool {
        self.block.is_loading() || self.txs.is_loading()
    }

    fn column_list(&self) -> Option<List> {
        (self.raw.is_none() && self.block.value().is_some()).then_some(List::Txs)
    }

    fn cursor(&self) -> Option<&dyn Cursor> {
        match &self.raw {
            Some(raw) => Some(raw),
            None => Some(&self.txs),
        }
    }

    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor> {
        match &mut self.raw {
            Some(raw) => Some(raw),
            None => Some(&mut self.txs),
        }
    }

    fn document(&self) -> Option<&dyn Lines> {
        self.raw.as_ref().map(|document| document as &dyn Lines)
    }

    fn document_mut(&mut self) -> Option<&mut dyn Lines> {
        self.raw.as_mut().map(|document| document as &mut dyn Lines)
    }

    fn act(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
        match command {
            Command::Open if self.raw.is_none() => tx_list::open_selected(&self.txs, cx),
            Command::RawJson | Command::NextTab | Command::PreviousTab | Command::NextPane => self.toggle_raw(),
            Command::PreviousSibling => self.turn(Some(self.height.next()), cx),
            Command::NextSibling => self.turn(self.height.previous(), cx),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn neighbour(&self, of: &Target, step: isize, id: PageId) -> Option<Result<Destination, &'static str>> {
        tx_list::neighbour(&self.txs, of, step, id)
    }

    fn has_list_of(&self, of: &Target) -> bool {
        matches!(of, Target::Tx(_))
    }

    fn select(&mut self, target: &Target) {
        tx_list::select(&mut self.txs, target);
    }

    fn place_in_block(&self, hash: &TxHash) -> Option<(usize, usize)> {
        let count = usize::try_from(self.block.value()?.tx_count).ok()?;
        // The list has the last of the block first.
        let (from_last, _) = self.txs.rows().places().find(|(_, row)| row.tx.txhash == *hash)?;
        (self.txs.rows().len() == count).then(|| (count - 1 - from_last, count))
    }

    fn selected_tx(&self) -> Option<Arc<wire::Tx>> {
        tx_list::selected(&self.txs).filter(|_| self.raw.is_none())
    }

    fn selected_block(&self) -> Option<Arc<wire::Block>> {
        self.block.value().map(Arc::clone)
    }

    fn has_copies(&self, _cx: &Context) -> bool {
        self.block.value().is_some() || self.txs.selected().is_some()
    }

    fn export(&self, _cx: &Context) -> Vec<Export> {
        let block = self.block.value();
        block.map(|block| Export::record(format!("block-{}.json", self.height), &**block)).into_iter().collect()
    }

    fn has_export(&self, _cx: &Context) -> bool {
        self.block.value().is_some()
    }

    fn txs(&self) -> Vec<&Arc<wire::Tx>> {
        tx_list::records(&self.txs).collect()
    }

    fn known(&self) -> Vec<(Target, Option<String>)> {
        tx_list::known(&self.txs)
    }

    fn put_into_words(&mut self, cx: &Context, work: &mut WordWork) {
        let regions = Regions::of(cx.size);
        if self.raw.is_none() {
            summarize_list(&mut self.txs, regions.list_rows(regions.block_page().1), None, cx, work);
        }
    }

    fn shrink(&mut self) {
        self.txs.shrink();
    }
}
