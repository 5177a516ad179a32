//! Overview: the state of the chain and its index, and the newest rows.

mod activity;
mod draw;
mod failures;
mod index;
mod node;
mod types;

use std::sync::Arc;

use self::types::TypeCursor;
use crate::{
    app::{
        Context,
        hint::Hint,
        page::{
            Destination, Drawing, Focus, FocusMut, Handled, Held, Page, PageCx, PageEvent, Place, Selection, Shows,
            Tab, TakeAway,
        },
    },
    columns::List,
    config::{Command, KeyScope},
    msg::{Remote, Request, TxQuery, ask},
    panes::{
        block_list, commands,
        lists::{BlockList, TxList, unseen},
        rows::{BlockRow, TxRow},
        tx_list,
        words::summarize_list,
    },
    widgets::{
        canvas::Canvas,
        cursor::Cursor,
        layout::Pane,
        list::{ListWindow, PAGE, Prefetch, QueriedList, RemoteList},
    },
    wire::opinit::RollupBridge,
};

/// Maximum rows of each list in memory.
const CAPACITY: usize = 300;
/// Transactions to count for the failures by type, while these have the focus; the list holds a page more.
const SAMPLE: usize = 1000;

/// Overview tab: gauges and charts above the newest blocks and transactions.
#[derive(Debug)]
pub(super) struct OverviewPage {
    blocks: ListWindow<BlockRow>,
    pub(super) txs: ListWindow<TxRow>,
    /// OPinit bridge of the rollup, if the network names a node.
    bridge: Remote<Option<Arc<RollupBridge>>>,
    focus: Pane,
    /// Cursor among the message types of the transactions, while they are shown.
    types: TypeCursor,
}

impl OverviewPage {
    pub(super) fn new() -> Self {
        Self {
            blocks: ListWindow::new(CAPACITY),
            txs: ListWindow::new(CAPACITY),
            bridge: Remote::Idle,
            focus: Pane::First,
            types: TypeCursor::default(),
        }
    }

    /// Moves the focus from blocks to transactions to message types, wrapping around; `is_back` reverses the direction.
    fn turn_pane(&mut self, is_back: bool) {
        let has_types = self.types.count > 0;
        (self.focus, self.types.has_focus) = match (self.types.has_focus, self.focus, is_back) {
            (true, _, true) | (false, Pane::First, false) => (Pane::Second, false),
            (true, _, false) | (false, Pane::Second, true) => (Pane::First, false),
            (false, Pane::Second, false) | (false, Pane::First, true) if has_types => (Pane::Second, true),
            (false, focus, _) => (focus.other(), false),
        };
    }

    fn open_selected(&self, cx: &mut PageCx<'_>) {
        if self.types.has_focus {
            let kind = failures::Sample::of(self.txs.rows().iter()).type_at(self.types.place);
            return kind.map_or((), |kind| cx.open(Destination::TxsOf(kind)));
        }
        match self.focus {
            Pane::First => block_list::open_selected(&self.blocks, cx),
            Pane::Second => tx_list::open_selected(&self.txs, cx),
        }
    }
}

impl Page for OverviewPage {
    fn title(&self) -> String {
        "Overview".to_owned()
    }

    fn place(&self) -> Place {
        let (columns, unseen) = match self.focus {
            Pane::First => (List::Blocks, unseen(&self.blocks)),
            Pane::Second => (List::Txs, unseen(&self.txs)),
        };
        let columns = Some(columns).filter(|_| !self.types.has_focus);
        Place {
            shows: &[Shows::NewBlocks, Shows::WholeChain, Shows::Claims],
            columns,
            unseen,
            is_loading: self.blocks.state.is_loading() || self.txs.state.is_loading(),
            is_narrowed: self.types.has_focus,
            ..Place::new(Tab::Overview, KeyScope::TxList)
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, _cx: &Context) -> Vec<Command> {
        let has_txs = self.focus == Pane::Second && !self.types.has_focus;
        let of_txs = if has_txs { commands::OF_TX } else { &[] };
        [&[Command::Open, Command::NextPane, Command::PreviousPane], of_txs].concat()
    }

    fn hint(&self, hint: Hint, _cx: &Context) -> Hint {
        match hint.command {
            Command::Open if self.types.has_focus => hint.label("txs of this type"),
            Command::NextPane if !self.types.has_focus => {
                hint.label(if self.focus == Pane::Second && self.types.count > 0 { "types" } else { "pane" })
            }
            _ => hint,
        }
    }

    fn update(&mut self, cx: &mut PageCx<'_>) {
        if cx.context.network.node.is_some() && matches!(self.bridge, Remote::Idle) {
            self.bridge.ask(cx.context.now);
            cx.request(ask::bridge_info(), |page: &mut Self, result, cx| page.bridge.settle(result, cx.context.now));
        }
        let (_, blocks, txs) = cx.regions.overview(self.focus);
        let (blocks, txs) = (cx.regions.list_rows(blocks), cx.regions.list_rows(txs));
        self.blocks.fit(blocks);
        self.txs.fit(txs);
        let sample = failures::Sample::of(self.txs.rows().iter());
        let shown =
            activity::failures_area(&cx.regions, self.focus).map_or(0, |area| failures::types_shown(&sample, area));
        self.types.fit(shown);
        let (rows, prefetch) = if self.types.has_focus {
            (SAMPLE + usize::from(PAGE), Prefetch::Rows(SAMPLE))
        } else {
            (CAPACITY, Prefetch::Near)
        };
        self.txs.set_capacity(rows);
        self.txs.prefetch = prefetch;
        summarize_list(&mut self.txs, txs, None, cx);
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        vec![
            QueriedList::boxed(&mut self.blocks, BlockList::default()),
            QueriedList::boxed(&mut self.txs, TxList::of(TxQuery::default())),
        ]
    }

    fn focus(&self) -> Option<Focus<'_>> {
        Some(match self.focus {
            _ if self.types.has_focus => Focus::Cursor(&self.types),
            Pane::First => Focus::Cursor(&self.blocks),
            Pane::Second => Focus::Cursor(&self.txs),
        })
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        Some(match self.focus {
            _ if self.types.has_focus => FocusMut::Cursor(&mut self.types),
            Pane::First => FocusMut::Cursor(&mut self.blocks),
            Pane::Second => FocusMut::Cursor(&mut self.txs),
        })
    }

    fn act(&mut self, command: Command, cx: &mut PageCx<'_>) -> Handled {
        match command {
            Command::NextPane => self.turn_pane(false),
            Command::PreviousPane => self.turn_pane(true),
            Command::Back if self.types.has_focus => self.types.has_focus = false,
            Command::Open => self.open_selected(cx),
            _ => return Handled::Pass,
        }
        Handled::Done
    }

    fn on(&mut self, event: PageEvent<'_>, _cx: &mut PageCx<'_>) {
        match event {
            PageEvent::ChainChanged => *self = Self::new(),
            PageEvent::Retry | PageEvent::Refresh => self.bridge.forget_failure(),
            PageEvent::Focus(pane) => (self.focus, self.types.has_focus) = (pane, false),
            PageEvent::ClickTab(place) => {
                self.types.has_focus = true;
                self.types.move_to(place);
            }
            _ => {}
        }
    }

    fn selection(&self) -> Selection {
        match self.focus {
            _ if self.types.has_focus => Selection::default(),
            Pane::First => Selection { block: block_list::selected(&self.blocks), ..Selection::default() },
            Pane::Second => Selection { tx: tx_list::selected(&self.txs), ..Selection::default() },
        }
    }

    fn take_away<'a>(&'a self, cx: &'a Context) -> TakeAway<'a> {
        TakeAway::new().copies(move || commands::copy_request(&Request::Status, cx).into_iter().collect())
    }

    fn held(&self) -> Held<'_> {
        let (blocks, txs) = (block_list::records(&self.blocks).collect(), tx_list::records(&self.txs).collect());
        Held { blocks, txs, lent_at: self.txs.state.at(), ..Held::default() }
    }
}
