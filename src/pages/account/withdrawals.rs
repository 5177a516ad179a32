//! Optimistic withdrawals to an account, newest first, from the bridge executor's API.

use std::sync::Arc;

use ratatui::layout::Rect;

use crate::{
    app::page::{Destination, Drawing, PageCx},
    columns::{self, List, Resource as _},
    domain::{Address, RowSortKey, Target},
    msg::{Ask, ListPage, PageRequest, ask},
    panes::table::{self, ListFrame, RowOrigin},
    widgets::{
        canvas::Canvas,
        list::{ListRow, ListSource, ListWindow, QueriedList, RemoteList},
    },
    wire::opinit::ExecutorWithdrawal,
};

#[derive(Clone, Debug)]
pub(super) struct WithdrawalRow(pub(super) Arc<ExecutorWithdrawal>);

impl ListRow for WithdrawalRow {
    type Key = u64;

    fn key(&self) -> u64 {
        self.0.sequence
    }

    fn sort_key(&self, column: &str) -> Option<RowSortKey> {
        columns::Withdrawals::sort_key(column, &&*self.0)
    }

    fn each_account(&self, see: &mut dyn FnMut(Address)) {
        self.0.from.parse().into_iter().for_each(see);
    }
}

struct WithdrawalList {
    executor: Arc<str>,
    account: Address,
}

impl ListSource for WithdrawalList {
    type Row = WithdrawalRow;
    type Item = Arc<ExecutorWithdrawal>;

    fn ask(&self, page: PageRequest) -> Ask<ListPage<Self::Item>> {
        ask::withdrawals(Arc::clone(&self.executor), self.account, page)
    }

    fn rows(&self, page: ListPage<Self::Item>) -> ListPage<WithdrawalRow> {
        page.map(WithdrawalRow)
    }
}

#[derive(Debug)]
pub(super) struct AccountWithdrawals {
    /// URL of the bridge executor's API, if the network names one.
    pub(super) executor: Option<Arc<str>>,
    pub(super) list: ListWindow<WithdrawalRow>,
}

impl AccountWithdrawals {
    pub(super) fn new() -> Self {
        Self { executor: None, list: ListWindow::new(super::CAPACITY) }
    }

    pub(super) fn listing(&mut self, account: Address) -> Option<Box<dyn RemoteList + '_>> {
        let executor = Arc::clone(self.executor.as_ref()?);
        Some(QueriedList::boxed(&mut self.list, WithdrawalList { executor, account }))
    }

    /// Opens the rollup transaction that began the selected withdrawal.
    pub(super) fn open_selected(&self, cx: &mut PageCx<'_>) {
        let Some(row) = self.list.selected() else { return };
        let hash = row.0.tx_hash.as_deref().and_then(|hash| hash.parse().ok());
        match hash.and_then(|hash| Destination::of(&Target::Tx(hash))) {
            Some(destination) => cx.open(destination),
            None => cx.refuse("the executor does not name the transaction"),
        }
    }

    pub(super) fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>, pane: Rect) {
        let frame = ListFrame {
            pane,
            place: 0,
            title: "L1 withdrawals to this account · source: the bridge's executor".to_owned(),
            is_focused: true,
            empty: "no withdrawals to this account",
            origin: RowOrigin::Elsewhere,
            hidden: &[],
        };
        let columns = table::columns::<columns::Withdrawals>(cx, cx.regions, List::Withdrawals, pane);
        let forms = cx.context.forms();
        table::draw(canvas, cx, cx.regions, &self.list, &frame, &columns.fitted, |row| columns.cells(&&*row.0, &forms));
    }
}
