//! The chain and its index at a glance.

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
        page::{Cx, Destination, Drawing, Handled, Page, Surroundings, Tab, Unseen, WordWork},
        prompt::CopyChoice,
    },
    columns::List,
    config::{Command, KeyScope},
    domain::Target,
    msg::{PageId, Request, TxQuery},
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
        layout::{Pane, Regions},
        list::{ListWindow, QueriedList, RemoteList},
    },
    wire,
};

/// Rows of each of the lists that are held at the most.
const CAPACITY: usize = 300;

/// Tab 1: gauges and strips above the newest blocks and transactions.
#[derive(Debug)]
pub(super) struct OverviewPage {
    blocks: ListWindow<BlockRow>,
    pub(super) txs: ListWindow<TxRow>,
    /// Blocks or transactions.
    focus: Pane,
    /// The message types among the transactions, where they are on screen.
    types: TypeCursor,
}

impl OverviewPage {
    pub(super) fn new() -> Self {
        Self {
            blocks: ListWindow::new(CAPACITY),
            txs: ListWindow::new(CAPACITY),
            focus: Pane::First,
            types: TypeCursor::default(),
        }
    }

    /// From the blocks to the transactions to the message types and around; back the other way.
    fn turn_pane(&mut self, is_back: bool) {
        let has_types = self.types.count > 0;
        (self.focus, self.types.has_focus) = match (self.types.has_focus, self.focus, is_back) {
            (true, _, true) | (false, Pane::First, false) => (Pane::Second, false),
            (true, _, false) | (false, Pane::Second, true) => (Pane::First, false),
            (false, Pane::Second, false) | (false, Pane::First, true) if has_types => (Pane::Second, true),
            (false, focus, _) => (focus.other(), false),
        };
    }

    fn open_selected(&self, cx: &mut Cx<'_>) {
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

    fn tab(&self) -> Tab {
        Tab::Overview
    }

    fn scope(&self) -> KeyScope {
        KeyScope::TxList
    }

    fn fit(&mut self, regions: &Regions, _cx: &Context) {
        let (_, blocks, txs) = regions.overview(self.focus);
        self.blocks.set_viewport(usize::from(regions.list_rows(blocks).height));
        self.txs.set_viewport(usize::from(regions.list_rows(txs).height));
        let sample = failures::Sample::of(self.txs.rows().iter());
        self.types.fit(draw::activity(regions, self.focus).map_or(0, |area| failures::types_shown(&sample, area)));
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        draw::draw(canvas, cx, self);
    }

    fn commands(&self, cx: &Context, _surroundings: &Surroundings) -> Vec<Hint> {
        let pane = Hint::of(Command::NextPane);
        if self.types.has_focus {
            return vec![Hint::of(Command::Open).called("its txs"), pane, Hint::of(Command::PreviousPane).spare()];
        }
        let pane = pane.called(if self.focus == Pane::Second && self.types.count > 0 { "types" } else { "pane" });
        if self.focus == Pane::First {
            return vec![commands::open_row(&self.blocks), pane, Hint::of(Command::PreviousPane).spare()];
        }
        let mut hints = vec![commands::open_row(&self.txs), pane, Hint::of(Command::PreviousPane).spare()];
        hints.extend(commands::of_selected(&self.txs, cx));
        hints
    }

    fn restart(&mut self) -> Option<Destination> {
        *self = Self::new();
        None
    }

    fn lists(&mut self) -> Vec<Box<dyn RemoteList + '_>> {
        vec![
            QueriedList::boxed(&mut self.blocks, BlockList),
            QueriedList::boxed(&mut self.txs, TxList::of(TxQuery::default())),
        ]
    }

    fn is_loading(&self) -> bool {
        self.blocks.state.is_loading() || self.txs.state.is_loading()
    }

    fn brings_blocks(&self) -> bool {
        true
    }

    fn column_list(&self) -> Option<List> {
        if self.types.has_focus {
            return None;
        }
        Some(match self.focus {
            Pane::First => List::Blocks,
            Pane::Second => List::Txs,
        })
    }

    fn cursor(&self) -> Option<&dyn Cursor> {
        if self.types.has_focus {
            return Some(&self.types);
        }
        Some(match self.focus {
            Pane::First => &self.blocks,
            Pane::Second => &self.txs,
        })
    }

    fn cursor_mut(&mut self) -> Option<&mut dyn Cursor> {
        if self.types.has_focus {
            return Some(&mut self.types);
        }
        Some(match self.focus {
            Pane::First => &mut self.blocks,
            Pane::Second => &mut self.txs,
        })
    }

    fn focus(&mut self, pane: Pane) {
        (self.focus, self.types.has_focus) = (pane, false);
    }

    fn click_tab(&mut self, place: usize, _cx: &Context) {
        self.types.has_focus = true;
        self.types.move_to(place);
    }

    fn is_narrowed(&self) -> bool {
        self.types.has_focus
    }

    fn act(&mut self, command: Command, cx: &mut Cx<'_>) -> Handled {
        match command {
            Command::NextPane => self.turn_pane(false),
            Command::PreviousPane => self.turn_pane(true),
            Command::Back if self.types.has_focus => self.types.has_focus = false,
            Command::Open => self.open_selected(cx),
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

    fn selected_tx(&self) -> Option<Arc<wire::Tx>> {
        tx_list::selected(&self.txs).filter(|_| self.focus == Pane::Second && !self.types.has_focus)
    }

    fn selected_block(&self) -> Option<Arc<wire::Block>> {
        block_list::selected(&self.blocks).filter(|_| self.focus == Pane::First && !self.types.has_focus)
    }

    fn copies(&self, cx: &Context) -> Vec<CopyChoice> {
        vec![commands::copy_request(&Request::Status, cx)]
    }

    fn blocks(&self) -> Vec<&Arc<wire::Block>> {
        block_list::records(&self.blocks).collect()
    }

    fn txs(&self) -> Vec<&Arc<wire::Tx>> {
        tx_list::records(&self.txs).collect()
    }

    fn known(&self) -> Vec<(Target, Option<String>)> {
        tx_list::known(&self.txs)
    }

    fn put_into_words(&mut self, cx: &Context, work: &mut WordWork) {
        let regions = Regions::of(cx.size);
        let room = regions.list_rows(regions.overview(self.focus).2);
        summarize_list(&mut self.txs, room, None, cx, work);
    }

    fn unseen(&self) -> Option<Unseen> {
        match self.focus {
            Pane::First => unseen(&self.blocks),
            Pane::Second => unseen(&self.txs),
        }
    }
}
