//! Lists of transactions: scope, rows and commands.

use std::{borrow::Cow, sync::Arc};

use crate::{
    app::{
        Context,
        hint::Hint,
        page::{Destination, Drawing, PageCx, WholeList},
        prompt::TypeChoice,
    },
    columns::{List, TxFields, Txs},
    config::Command,
    domain::{
        MsgType, RowsFilter, TxView,
        text::{clip, group},
    },
    msg::{ListedRow, PageRequest, TxQuery, TxScope},
    panes::{
        lists::TxList,
        rows::TxRow,
        table::{self, ListFrame},
    },
    widgets::{
        canvas::Canvas,
        list::{ListSource as _, ListWindow, PAGE, QueriedList, RemoteList},
        picker::Picker,
    },
    wire,
};

/// Maximum rows in memory. A row holds a record of several kilobytes.
pub(crate) const TX_CAPACITY: usize = 600;
pub(crate) const NOT_OF_ACCOUNT: &str = "this filter needs an account's transactions: / opens an account";

#[derive(Debug)]
pub(crate) struct TxListPane {
    pub(crate) query: TxQuery,
    pub(crate) list: ListWindow<TxRow>,
    pub(crate) failed_only: bool,
}

impl TxListPane {
    pub(crate) fn new(query: TxQuery) -> Self {
        Self { query, list: ListWindow::new(TX_CAPACITY), failed_only: false }
    }

    pub(crate) fn listing(&mut self) -> Box<dyn RemoteList + '_> {
        let query = TxList { query: self.query.clone(), failed_only: self.failed_only };
        QueriedList::boxed(&mut self.list, query)
    }

    /// Returns the list's title, as in `Txs · MsgSend · signer`.
    pub(crate) fn title(&self) -> String {
        let mut parts = vec!["Txs".to_owned()];
        match &self.query.scope {
            TxScope::All if self.query.msgs.is_empty() => parts.push("all".to_owned()),
            TxScope::All => {}
            TxScope::Account { address, signer_only } => {
                parts.push(address.short());
                if *signer_only {
                    parts.push("signer only".to_owned());
                }
            }
            TxScope::Height(height) => parts.push(format!("block {}", group(height.get()))),
            TxScope::Packet(packet) => parts.push(packet.to_string()),
            TxScope::Token(token) => parts.push(format!("token {}", clip(&token.token_id, 24))),
        }
        match self.query.msgs.as_slice() {
            [] => {}
            [one] => parts.push(one.short().to_owned()),
            [first, rest @ ..] => parts.push(format!("{} +{} types", first.short(), rest.len())),
        }
        if self.failed_only {
            parts.push(format!("failed only{}", self.failures()));
        }
        parts.join(" · ")
    }

    /// Counts the loaded transactions that failed, and those of which a part did: `: 66 failed, 16 partly`.
    fn failures(&self) -> String {
        let (mut failed, mut partly) = (0, 0);
        for row in self.list.rows().iter() {
            *(if row.tx.is_success() { &mut partly } else { &mut failed }) += 1;
        }
        match (failed, partly) {
            (0, 0) => String::new(),
            (failed, 0) => format!(": {} failed", group(failed)),
            (failed, partly) => format!(": {} failed, {} partly", group(failed), group(partly)),
        }
    }

    /// Returns the list with its filter, to write it to a file.
    pub(crate) fn whole(&self) -> WholeList {
        let request = TxList::of(self.query.clone()).ask(PageRequest::newest(PAGE)).request().clone();
        let filter = if self.failed_only { RowsFilter::FailedTxs } else { RowsFilter::All };
        WholeList { request, filter }
    }

    /// Returns the list's filter, to save it; `None` for a list that is not of the chain or of an account.
    pub(crate) fn view(&self) -> Option<TxView> {
        let (account, is_signer_only) = match self.query.scope {
            TxScope::All => (None, false),
            TxScope::Account { address, signer_only } => (Some(address), signer_only),
            _ => return None,
        };
        Some(TxView { account, is_signer_only, msgs: self.query.msgs.clone(), is_failed_only: self.failed_only })
    }

    /// Filters as a saved view of the same list does.
    pub(crate) fn show_view(&mut self, view: &TxView) {
        self.failed_only = view.is_failed_only;
        let mut query = TxQuery { msgs: view.msgs.clone(), ..self.query.clone() };
        if let TxScope::Account { signer_only, .. } = &mut query.scope {
            *signer_only = view.is_signer_only;
        }
        self.change_query(query);
    }

    /// Whether the list shows all transactions of the chain.
    pub(crate) fn is_unfiltered(&self) -> bool {
        self.query == TxQuery::default() && !self.failed_only
    }

    pub(crate) fn change_query(&mut self, query: TxQuery) {
        self.query = query;
        self.list.clear();
    }

    /// Filters by message types; an empty list removes the filter.
    pub(crate) fn choose_types(&mut self, msgs: Vec<MsgType>) {
        self.change_query(TxQuery { msgs, ..self.query.clone() });
    }

    /// Switches between the transactions that the account signed and all that name it. Fails, with the reason, if the
    /// list has no account.
    pub(crate) fn toggle_signer_only(&mut self) -> Result<(), &'static str> {
        let TxScope::Account { signer_only, .. } = &mut self.query.scope else { return Err(NOT_OF_ACCOUNT) };
        *signer_only = !*signer_only;
        self.list.clear();
        Ok(())
    }

    pub(crate) fn toggle_failed_only(&mut self) {
        self.failed_only = !self.failed_only;
        self.list.clear();
    }

    /// Empties the list after a chain change; the filter stays.
    pub(crate) fn restart(&mut self) {
        *self = Self { failed_only: self.failed_only, ..Self::new(std::mem::take(&mut self.query)) };
    }

    /// Returns the picker of message types: the selected types, then the most frequent types.
    pub(crate) fn type_picker(&self, cx: &Context) -> Picker<TypeChoice> {
        let is_asked = |kind: &MsgType| self.query.msgs.contains(kind);
        let unseen = self.query.msgs.iter().filter(|kind| !cx.seen_types.contains(*kind));
        let mut choices: Vec<TypeChoice> =
            cx.seen_types.iter().chain(unseen).map(|kind| TypeChoice { kind: kind.clone(), seen: 0 }).collect();
        for row in self.list.rows().iter() {
            for choice in choices.iter_mut().filter(|choice| row.headline.types.contains(&choice.kind)) {
                choice.seen += 1;
            }
        }
        choices.sort_by(|a, b| {
            let rank = |choice: &TypeChoice| (is_asked(&choice.kind), choice.seen);
            rank(b).cmp(&rank(a)).then_with(|| a.kind.cmp(&b.kind))
        });
        Picker::new(choices).ticking(|choice| is_asked(&choice.kind))
    }

    /// Adapts the hint of a filter command to the current filter.
    pub(crate) fn hint(&self, hint: Hint) -> Hint {
        match (hint.command, &self.query.scope) {
            (Command::SignerOnly, TxScope::Account { signer_only, .. }) => {
                hint.label(if *signer_only { "all signers" } else { "signer only" })
            }
            (Command::SignerOnly, _) => hint.enabled_if(false, NOT_OF_ACCOUNT),
            (Command::FailedOnly, _) => hint.label(if self.failed_only { "all" } else { "failed only" }),
            _ => hint,
        }
    }
}

pub(crate) fn selected(list: &ListWindow<TxRow>) -> Option<Arc<wire::Tx>> {
    list.selected().map(|row| Arc::clone(&row.tx))
}

/// Opens the selected transaction. `[` and `]` on its page move in this page's list.
pub(crate) fn open_selected(list: &ListWindow<TxRow>, cx: &mut PageCx<'_>) {
    if let Some(tx) = selected(list) {
        let origin = Some(cx.id);
        cx.open(Destination::loaded_tx(tx, origin));
    }
}

/// Returns the loaded transactions in the order shown.
pub(crate) fn records(list: &ListWindow<TxRow>) -> impl Iterator<Item = &Arc<wire::Tx>> {
    list.shown(0..usize::MAX).filter_map(ListedRow::read).map(|row| &row.tx)
}

pub(crate) fn draw_rows(
    canvas: &mut Canvas<'_>,
    cx: &Drawing<'_>,
    list: &ListWindow<TxRow>,
    kind: List,
    listing: &ListFrame<'_>,
) {
    let (mut columns, forms) = (table::columns::<Txs>(cx, cx.regions, kind, listing.pane), cx.context.forms());
    columns.hug(&list.on_screen().map(|row| fields(cx, row)).collect::<Vec<_>>(), &forms);
    table::draw(canvas, cx, cx.regions, list, listing, &columns.fitted, |row| columns.cells(&fields(cx, row), &forms));
}

/// Draws the transactions of one block, without a height column.
pub(crate) fn draw_rows_of_block(
    canvas: &mut Canvas<'_>,
    cx: &Drawing<'_>,
    list: &ListWindow<TxRow>,
    listing: &ListFrame<'_>,
) {
    let (mut columns, forms) = (table::columns::<Txs>(cx, cx.regions, List::Txs, listing.pane), cx.context.forms());
    if cx.context.columns.chosen(List::Txs).is_none() {
        columns.take_out("height");
    }
    columns.hug(&list.on_screen().map(|row| fields(cx, row)).collect::<Vec<_>>(), &forms);
    table::draw(canvas, cx, cx.regions, list, listing, &columns.fitted, |row| columns.cells(&fields(cx, row), &forms));
}

/// Returns the data of a row's columns.
pub(crate) fn fields<'a>(cx: &Drawing<'_>, row: &'a TxRow) -> TxFields<'a> {
    let mut fields = TxFields::new(&row.tx).with_headline(&row.headline);
    fields.words = row.words().map(Cow::Borrowed);
    fields.direction = row.direction();
    fields.is_marked = cx.context.marked_hash() == Some(row.tx.txhash);
    fields
}
