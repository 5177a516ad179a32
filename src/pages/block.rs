//! Block page: the block's facts and transactions.

mod draw;

use std::sync::Arc;

use crate::{
    app::{
        Context,
        format::age_at,
        hint::Hint,
        page::{
            Drawing, Export, Focus, FocusMut, Handled, Held, Page, PageCx, PageEffect, PageEvent, Place, Selection,
            Tab, TakeAway,
        },
    },
    columns::List,
    config::{Command, KeyScope},
    domain::{Height, Timestamp, text},
    msg::{ListPage, PageNeed, PageRequest, PageStart, Remote, TxQuery, TxScope, ask},
    panes::{
        block_list::{BlockRanks, RANKED, block_lines},
        commands::FOLDS,
        lists::TxList,
        rows::TxRow,
        tx_list::{self, TX_CAPACITY},
        words::summarize_list,
    },
    widgets::{
        canvas::Canvas,
        document::{Document, json::json_lines},
        list::{ListWindow, QueriedList, RemoteList},
    },
    wire::{self, ApiError},
};

const COMMANDS: &[&[Command]] = &[
    &[Command::Open, Command::Compare, Command::PreviousSibling],
    &[Command::NextSibling, Command::RawJson, Command::Filter, Command::Back],
    &[Command::Mark, Command::OpenSigner, Command::OpenBlock],
    &[Command::NextTab, Command::PreviousTab, Command::NextPane],
    FOLDS,
];
const FIRST: &str = "this is the first block";
/// Maximum newer blocks for requesting the earlier ones: a server counts through the newer ones.
const COUNTED_ABOVE: u64 = 10_000;

#[derive(Debug)]
pub(super) struct BlockPage {
    height: Height,
    block: Remote<Arc<wire::Block>>,
    /// Ranks among the blocks up to this one; `None` in an answer that does not prove them.
    ranks: Remote<Option<BlockRanks>>,
    /// Lines of the block's facts beside its transactions.
    facts: Document,
    /// Transactions, in block order.
    pub(super) txs: ListWindow<TxRow>,
    /// JSON of the block. While set, it replaces the transactions.
    raw: Option<Document>,
}

impl BlockPage {
    /// Creates the page; `block` is the record if it is loaded.
    pub(super) fn new(height: Height, block: Option<Arc<wire::Block>>, now: Timestamp) -> Self {
        let block = block.map_or(Remote::Idle, |value| Remote::Ready { value, at: now });
        Self { block, ..Self::blank(height) }
    }

    fn blank(height: Height) -> Self {
        let txs = ListWindow::new(TX_CAPACITY);
        Self { height, block: Remote::Idle, ranks: Remote::Idle, facts: Document::new(Vec::new()), txs, raw: None }
    }

    fn toggle_raw(&mut self) {
        self.raw = if self.raw.is_some() { None } else { Some(Document::default()) };
    }

    /// Shows another block and keeps the view: transactions or JSON.
    fn turn(&mut self, height: Option<Height>, cx: &mut PageCx<'_>) {
        let Some(height) = height else { return cx.refuse(FIRST) };
        cx.emit(PageEffect::CancelPage(cx.id));
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

impl BlockPage {
    fn take_block(&mut self, result: Result<Arc<wire::Block>, ApiError>, cx: &mut PageCx<'_>) {
        if let Ok(block) = &result {
            cx.emit(PageEffect::SawBlock(Arc::clone(block)));
        }
        self.block.settle(result, cx.context.now);
    }

    /// Asks once for the blocks up to a recent one.
    fn ask_ranks(&mut self, cx: &mut PageCx<'_>) {
        let above = cx.context.chain.height().and_then(|tip| tip.get().checked_sub(self.height.get()));
        let Some(above) = above.filter(|above| *above <= COUNTED_ABOVE) else { return };
        if self.block.value().is_none() || !matches!(self.ranks, Remote::Idle) {
            return;
        }
        self.ranks.ask(cx.context.now);
        let request =
            PageRequest { cursor: PageStart::Offset(above), count_total: false, ..PageRequest::newest(RANKED) };
        cx.request_for(PageNeed::Neighbours, ask::blocks(request), |page: &mut Self, result, cx| {
            let ranks = |blocks: ListPage<_>| BlockRanks::among_earlier(page.block.value()?, &blocks.items);
            let result = result.map(ranks);
            page.ranks.settle(result, cx.context.now);
        });
    }

    fn forget_passing(&mut self) {
        self.block.forget_passing();
        self.ranks.forget_passing();
    }

    fn ranks(&self) -> Option<BlockRanks> {
        self.ranks.value().copied().flatten()
    }
}

impl Page for BlockPage {
    fn title(&self) -> String {
        format!("Block {}", text::group(self.height.get()))
    }

    fn place(&self) -> Place {
        Place {
            kind: "block",
            columns: (self.raw.is_none() && self.block.value().is_some()).then_some(List::Txs),
            is_loading: self.block.is_loading() || self.txs.is_loading(),
            ..Place::new(Tab::Blocks, KeyScope::TxPage)
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
            Command::PreviousSibling => Hint::new(Command::PreviousSibling).label("newer"),
            Command::NextSibling => {
                Hint::new(Command::NextSibling).label("older").enabled_if(self.height.previous().is_some(), FIRST)
            }
            Command::RawJson => hint.label(if self.raw.is_some() { "transactions" } else { "JSON" }),
            Command::OpenBlock => hint.enabled_if(false, "this block is open"),
            Command::NextTab | Command::NextPane => hint.hidden_in_footer(),
            _ => hint,
        }
    }

    fn on(&mut self, event: PageEvent<'_>, _cx: &mut PageCx<'_>) {
        match event {
            PageEvent::ChainChanged => *self = Self::blank(self.height),
            PageEvent::Retry => self.forget_passing(),
            PageEvent::Grew(reached) => {
                let is_absent = self.block.error().is_some_and(ApiError::is_not_found);
                if is_absent && reached.is_some_and(|height| height >= self.height) {
                    self.block = Remote::Idle;
                    self.txs.clear();
                }
            }
            PageEvent::Refresh if self.block.value().is_none() => self.block = Remote::Idle,
            _ => {}
        }
    }

    fn update(&mut self, cx: &mut PageCx<'_>) {
        if matches!(self.block, Remote::Idle) {
            self.block.ask(cx.context.now);
            cx.request_for(PageNeed::Record, ask::block(self.height), Self::take_block);
        }
        self.ask_ranks(cx);
        self.make_raw();
        let (facts, below) = cx.regions.block_page(self.block.value().is_some());
        if let Some(block) = self.block.value() {
            let age = cx.context.has_ages().then(|| age_at(block.timestamp, cx.context.now));
            self.facts.update_lines(block_lines(block, &cx.context.glossary, age, self.ranks()));
            self.facts.fit(cx.regions.inner(facts));
        }
        let rows = cx.regions.list_rows(below);
        self.txs.fit(rows);
        match &mut self.raw {
            Some(raw) => raw.fit(cx.regions.inner(below)),
            None => summarize_list(&mut self.txs, rows, None, cx),
        }
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        let query = TxQuery { scope: TxScope::Height(self.height), msgs: Vec::new() };
        vec![QueriedList::boxed(&mut self.txs, TxList::of(query))]
    }

    fn focus(&self) -> Option<Focus<'_>> {
        Some(match &self.raw {
            Some(raw) => Focus::Lines(raw),
            None => Focus::Cursor(&self.txs),
        })
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        Some(match &mut self.raw {
            Some(raw) => FocusMut::Lines(raw),
            None => FocusMut::Cursor(&mut self.txs),
        })
    }

    fn act(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
        match command {
            Command::Open if self.raw.is_none() => tx_list::open_selected(&self.txs, cx),
            Command::RawJson | Command::NextTab | Command::PreviousTab | Command::NextPane => self.toggle_raw(),
            Command::PreviousSibling => self.turn(Some(self.height.next()), cx),
            Command::NextSibling => self.turn(self.height.previous(), cx),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn selection(&self) -> Selection {
        let tx = tx_list::selected(&self.txs).filter(|_| self.raw.is_none());
        Selection { tx, block: self.block.value().map(Arc::clone), ..Selection::default() }
    }

    fn take_away<'a>(&'a self, _cx: &'a Context) -> TakeAway<'a> {
        let block = self.block.value();
        TakeAway::new().exports_if(block.is_some(), move || {
            block.map(|block| Export::record(format!("block-{}.json", self.height), &**block)).into_iter().collect()
        })
    }

    fn held(&self) -> Held<'_> {
        Held { txs: tx_list::records(&self.txs).collect(), ..Held::default() }
    }
}
