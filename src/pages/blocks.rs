//! List of blocks; on wide screens with the selected block's facts and transactions.

mod draw;

use std::time::Duration;

use crate::{
    app::{
        Context,
        hint::Hint,
        page::{
            Drawing, Focus, FocusMut, Handled, Held, Page, PageCx, PageEvent, Place, Selection, Shows, Tab, TakeAway,
            WholeList,
        },
    },
    columns::List,
    config::{Command, KeyScope},
    domain::{Height, RowsFilter, Timestamp},
    msg::{PageRequest, Request, TxQuery, TxScope},
    panes::{
        block_list::{self, BlockRanks, block_lines},
        commands,
        lists::{BlockList, TxList, unseen},
        rows::{BlockRow, TxRow},
        tx_list::{self, TX_CAPACITY},
        words::summarize_list,
    },
    widgets::{
        canvas::Canvas,
        document::Document,
        layout::{Pane, Regions},
        list::{ListWindow, PAGE, QueriedList, RemoteList},
    },
};

/// Maximum blocks in memory.
const CAPACITY: usize = 2000;

/// Time for which a block is selected before its transactions are requested.
const REST: Duration = Duration::from_millis(200);

#[derive(Debug)]
pub(super) struct BlocksPage {
    list: ListWindow<BlockRow>,
    /// Whether the list leaves out blocks without transactions.
    leaves_out_empty: bool,
    focus: Pane,
    /// Selected block, if the screen has room.
    preview: Option<BlockPreview>,
}

#[derive(Debug)]
struct BlockPreview {
    height: Height,
    /// When the block was selected.
    since: Timestamp,
    /// Whether the selection rests, so that the transactions are requested.
    is_due: bool,
    facts: Document,
    txs: ListWindow<TxRow>,
}

impl BlockPreview {
    fn new(height: Height, since: Timestamp) -> Self {
        Self { height, since, is_due: false, facts: Document::new(Vec::new()), txs: ListWindow::new(TX_CAPACITY) }
    }
}

impl BlocksPage {
    pub(super) fn new() -> Self {
        Self { list: ListWindow::new(CAPACITY), leaves_out_empty: false, focus: Pane::First, preview: None }
    }

    /// Leaves out blocks without transactions, or shows all again.
    fn turn_filter(&mut self) {
        self.leaves_out_empty = !self.leaves_out_empty;
        self.list.clear();
    }

    /// Shows the selected block if there is room.
    fn make_preview(&mut self, cx: &mut PageCx<'_>) {
        let (Some(block), (_, Some((facts, txs)))) = (block_list::selected(&self.list), cx.regions.blocks_page())
        else {
            (self.preview, self.focus) = (None, Pane::First);
            return;
        };
        let now = cx.context.now;
        let preview = self.preview.take().filter(|preview| preview.height == block.height);
        let preview = self.preview.insert(preview.unwrap_or_else(|| BlockPreview::new(block.height, now)));
        preview.is_due |= now.since(preview.since) >= REST;
        // A filtered list does not hold the blocks to compare with.
        let ranks = if self.leaves_out_empty { None } else { BlockRanks::among_newest(&block, &self.list) };
        preview.facts.update_lines(block_lines(&block, &cx.context.glossary, None, ranks));
        preview.facts.fit(cx.regions.inner(facts));
        let rows = cx.regions.list_rows(txs);
        preview.txs.fit(rows);
        summarize_list(&mut preview.txs, rows, None, cx);
    }
}

/// Whether the screen has room for the preview.
fn has_room(cx: &Context) -> bool {
    Regions::new(cx.size).split().1.is_some()
}

impl BlocksPage {
    /// Returns the selected block's transactions while they have the focus.
    fn read(&self) -> Option<&ListWindow<TxRow>> {
        self.preview.as_ref().filter(|_| self.focus == Pane::Second).map(|preview| &preview.txs)
    }
}

impl Page for BlocksPage {
    fn title(&self) -> String {
        "Blocks".to_owned()
    }

    fn place(&self) -> Place {
        let scope = if self.focus == Pane::First { KeyScope::List } else { KeyScope::TxPage };
        Place {
            shows: &[Shows::NewBlocks],
            columns: Some(if self.read().is_none() { List::Blocks } else { List::Txs }),
            unseen: unseen(&self.list),
            is_loading: self.list.is_loading(),
            is_narrowed: self.focus == Pane::Second || self.leaves_out_empty,
            visible_lists: 0..1 + usize::from(self.preview.as_ref().is_some_and(|preview| preview.is_due)),
            ..Place::new(Tab::Blocks, scope)
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, _cx: &Context) -> Vec<Command> {
        match self.read() {
            Some(_) => vec![Command::Open, Command::Back, Command::NextPane, Command::Mark, Command::OpenSigner],
            None if self.leaves_out_empty => {
                vec![Command::Open, Command::NextPane, Command::Filter, Command::Back]
            }
            None => vec![Command::Open, Command::NextPane, Command::Filter],
        }
    }

    fn hint(&self, hint: Hint, cx: &Context) -> Hint {
        match hint.command {
            Command::NextPane => hint.enabled_if(has_room(cx) && self.preview.is_some(), "this page has one pane"),
            Command::Filter if self.read().is_some() => hint.enabled_if(false, "this list has no filter"),
            Command::Filter => {
                Hint::new(Command::Filter).label(if self.leaves_out_empty { "all blocks" } else { "hide empty" })
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
        self.make_preview(cx);
        // While the preview has the focus, new rows must not move the selection.
        self.list.follow(self.focus == Pane::Second);
        let (list, _) = cx.regions.blocks_page();
        let (rows, extent) = (cx.regions.list_rows(list), &cx.context.chain.extent);
        if self.leaves_out_empty {
            block_list::fit_with_empty(&mut self.list, rows, extent);
        } else {
            self.list.fit(rows);
        }
    }

    fn wake_in(&self, _cx: &Context, now: Timestamp) -> Option<Duration> {
        let waiting = self.preview.as_ref().filter(|preview| !preview.is_due)?;
        Some(REST.saturating_sub(now.since(waiting.since)))
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        let blocks = BlockList { leaves_out_empty: self.leaves_out_empty };
        let mut lists: Vec<Box<dyn RemoteList + '_>> = vec![QueriedList::boxed(&mut self.list, blocks)];
        if let Some(BlockPreview { height, txs, .. }) = &mut self.preview {
            let query = TxQuery { scope: TxScope::Height(*height), msgs: Vec::new() };
            lists.push(QueriedList::boxed(txs, TxList::of(query)));
        }
        lists
    }

    fn focus(&self) -> Option<Focus<'_>> {
        Some(match self.read() {
            Some(txs) => Focus::Cursor(txs),
            None => Focus::Cursor(&self.list),
        })
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        Some(match (&mut self.preview, self.focus) {
            (Some(preview), Pane::Second) => FocusMut::Cursor(&mut preview.txs),
            _ => FocusMut::Cursor(&mut self.list),
        })
    }

    fn act(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
        match command {
            Command::NextPane if has_room(cx.context) => self.focus = self.focus.other(),
            Command::Open => match self.read() {
                Some(txs) => tx_list::open_selected(txs, cx),
                None => block_list::open_selected(&self.list, cx),
            },
            Command::Back if self.focus == Pane::Second => self.focus = Pane::First,
            Command::Back if self.leaves_out_empty => self.turn_filter(),
            Command::Filter if self.read().is_none() => self.turn_filter(),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn selection(&self) -> Selection {
        let tx = self.read().and_then(tx_list::selected);
        Selection { tx, block: block_list::selected(&self.list), ..Selection::default() }
    }

    fn take_away<'a>(&'a self, cx: &'a Context) -> TakeAway<'a> {
        let request = Request::Blocks(PageRequest::newest(PAGE));
        let filter = if self.leaves_out_empty { RowsFilter::BlocksWithTxs } else { RowsFilter::All };
        let whole = WholeList { request: request.clone(), filter };
        let copies = move || commands::copy_request(&request, cx).into_iter().collect();
        TakeAway::new().copies(copies).rows("blocks", &self.list, |row| &*row.0, Some(whole))
    }

    fn held(&self) -> Held<'_> {
        let txs = self.read().into_iter().flat_map(tx_list::records).collect();
        Held { blocks: block_list::records(&self.list).collect(), txs, ..Held::default() }
    }
}
