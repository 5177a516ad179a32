//! Lists of transactions: which ones they hold, their rows, and what can be done with these.

use std::{borrow::Cow, sync::Arc};

use crate::{
    app::{
        Context,
        hint::Hint,
        page::{Cx, Destination, Drawing},
        prompt::TypeChoice,
    },
    columns::{List, TxFields, Txs},
    config::Command,
    domain::{
        MsgType, Target,
        text::{clip, group},
    },
    msg::{PageId, TxQuery, TxScope},
    panes::{
        lists::TxList,
        rows::TxRow,
        table::{self, ListFrame},
    },
    widgets::{
        canvas::Canvas,
        list::{ListWindow, QueriedList, RemoteList},
        picker::Picker,
    },
    wire,
};

/// Rows that a list of transactions holds at the most; each keeps its record of several kilobytes.
pub(crate) const TX_CAPACITY: usize = 600;
const NOT_OF_ACCOUNT: &str = "signer only works in an account's transactions: go to one with /";

/// Transactions that can be narrowed down.
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

    /// The list as the session sees it.
    pub(crate) fn listing(&mut self) -> Box<dyn RemoteList + '_> {
        let query = TxList { query: self.query.clone(), failed_only: self.failed_only };
        QueriedList::boxed(&mut self.list, query)
    }

    /// `Txs · MsgSend · signer`.
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
            TxScope::Token(token) => parts.push(format!("token {}", clip(&token.token_id, 24))),
        }
        match self.query.msgs.as_slice() {
            [] => {}
            [one] => parts.push(one.short().to_owned()),
            [first, rest @ ..] => parts.push(format!("{} +{} types", first.short(), rest.len())),
        }
        if self.failed_only {
            parts.push("failed only".to_owned());
        }
        parts.join(" · ")
    }

    /// Whether this list shows all of the chain.
    pub(crate) fn is_unfiltered(&self) -> bool {
        self.query == TxQuery::default() && !self.failed_only
    }

    pub(crate) fn change_query(&mut self, query: TxQuery) {
        self.query = query;
        self.list.clear();
    }

    /// Shows only these types; none of them: all.
    pub(crate) fn choose_types(&mut self, msgs: Vec<MsgType>) {
        self.change_query(TxQuery { msgs, ..self.query.clone() });
    }

    /// Shows what the account signed, or all that names it; an error says why that cannot be.
    pub(crate) fn toggle_signer_only(&mut self) -> Result<(), &'static str> {
        let TxScope::Account { signer_only, .. } = &mut self.query.scope else { return Err(NOT_OF_ACCOUNT) };
        *signer_only = !*signer_only;
        self.list.clear();
        Ok(())
    }

    /// Shows the failed ones alone, or all.
    pub(crate) fn toggle_failed_only(&mut self) {
        self.failed_only = !self.failed_only;
        self.list.clear();
    }

    /// Shows the same transactions of another chain.
    pub(crate) fn restart(&mut self) {
        *self = Self { failed_only: self.failed_only, ..Self::new(std::mem::take(&mut self.query)) };
    }

    /// The message types to choose from: the chosen ones first, then those that are most frequent here.
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

    pub(crate) fn signer_only_hint(&self) -> Hint {
        let is_on = matches!(self.query.scope, TxScope::Account { signer_only: true, .. });
        Hint::of(Command::SignerOnly)
            .called(if is_on { "all signers" } else { "signer only" })
            .needs(matches!(self.query.scope, TxScope::Account { .. }), NOT_OF_ACCOUNT)
    }

    pub(crate) fn failed_only_hint(&self) -> Hint {
        Hint::of(Command::FailedOnly).called(if self.failed_only { "all" } else { "failed only" })
    }
}

/// Signer only, where no account's transactions are on screen.
pub(crate) fn no_signer_only() -> Hint {
    Hint::of(Command::SignerOnly).needs(false, NOT_OF_ACCOUNT)
}

pub(crate) fn selected(list: &ListWindow<TxRow>) -> Option<Arc<wire::Tx>> {
    list.selected().map(|row| Arc::clone(&row.tx))
}

/// Opens the transaction under the cursor, as one of this page's list.
pub(crate) fn open_selected(list: &ListWindow<TxRow>, cx: &mut Cx<'_>) {
    if let Some(tx) = selected(list) {
        let origin = Some(cx.id);
        cx.open(Destination::loaded_tx(tx, origin));
    }
}

/// What lies `step` rows from a transaction, for its page to show instead; `origin` is the page with the list.
pub(crate) fn neighbour(
    list: &ListWindow<TxRow>,
    of: &Target,
    step: isize,
    origin: PageId,
) -> Option<Result<Destination, &'static str>> {
    let Target::Tx(hash) = of else { return None };
    let row = list.neighbour(hash, step)?;
    Some(Ok(Destination::loaded_tx(Arc::clone(&row.tx), Some(origin))))
}

pub(crate) fn select(list: &mut ListWindow<TxRow>, target: &Target) {
    if let Target::Tx(hash) = target {
        list.select(hash);
    }
}

pub(crate) fn records(list: &ListWindow<TxRow>) -> impl Iterator<Item = &Arc<wire::Tx>> {
    list.rows().iter().map(|row| &row.tx)
}

/// The transactions held, for go-to.
pub(crate) fn known(list: &ListWindow<TxRow>) -> Vec<(Target, Option<String>)> {
    records(list).map(|tx| (Target::Tx(tx.txhash), None)).collect()
}

/// Draws a list of transactions, wherever it is.
pub(crate) fn draw_rows(
    canvas: &mut Canvas<'_>,
    cx: &Drawing<'_>,
    list: &ListWindow<TxRow>,
    kind: List,
    listing: &ListFrame<'_>,
) {
    let (columns, forms) = (table::columns::<Txs>(cx, cx.regions, kind, listing.pane), cx.forms());
    table::draw(canvas, cx, cx.regions, list, listing, &columns.fitted, |row| columns.cells(&fields(cx, row), &forms));
}

/// The same of one block, whose height need not be repeated in every row.
pub(crate) fn draw_rows_of_block(
    canvas: &mut Canvas<'_>,
    cx: &Drawing<'_>,
    list: &ListWindow<TxRow>,
    listing: &ListFrame<'_>,
) {
    let (mut columns, forms) = (table::columns::<Txs>(cx, cx.regions, List::Txs, listing.pane), cx.forms());
    if cx.columns.chosen(List::Txs).is_none() {
        columns.take_out("height");
    }
    table::draw(canvas, cx, cx.regions, list, listing, &columns.fitted, |row| columns.cells(&fields(cx, row), &forms));
}

/// What the columns of a row are made from.
pub(crate) fn fields<'a>(cx: &Drawing<'_>, row: &'a TxRow) -> TxFields<'a> {
    let mut fields = TxFields::new(&row.tx).with_headline(&row.headline);
    fields.words = row.words().map(Cow::Borrowed);
    fields.direction = row.direction();
    fields.is_marked = cx.marked_hash() == Some(row.tx.txhash);
    fields
}
