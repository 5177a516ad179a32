//! The pages of a block and a transaction, and the comparison of two.

use super::{
    Hint,
    cursor::{filter_lines, folds, open_line, open_row},
    lists::detail_commands,
    of_tx,
};
use crate::{
    app::{
        App,
        compare::ComparePage,
        context::Context,
        page::{TxName, TxTab},
        view::{BlockPage, TxPage, View},
    },
    config::Command,
};

pub(super) fn block(page: &BlockPage, cx: &Context) -> Vec<Hint> {
    let raw = page.raw.as_ref();
    let open = if raw.is_some() { open_line(raw) } else { open_row(&page.txs) };
    let selected = page.txs.selected().filter(|_| raw.is_none()).map(|row| row.tx.txhash);
    let [compare, signer, of_block, mark] = of_tx(selected.is_some(), selected, cx);
    let mut hints = vec![
        open,
        compare,
        Hint::of(Command::PreviousSibling).called("newer"),
        Hint::of(Command::NextSibling)
            .called("older")
            .needs(page.height.previous().is_some(), "this is the first block"),
        Hint::of(Command::RawJson).called(if raw.is_some() { "transactions" } else { "JSON" }),
        filter_lines(raw),
        Hint::of(Command::Back),
        mark,
        signer,
        of_block.needs(false, "this is its block"),
        Hint::of(Command::NextTab).spare(),
        Hint::of(Command::PreviousTab).spare(),
        Hint::of(Command::NextPane).spare(),
    ];
    hints.extend(folds(raw));
    hints
}

/// `siblings`: whether the list it was opened from has a transaction before it, and one after it.
pub(super) fn tx(page: &TxPage, cx: &Context, siblings: Siblings) -> Vec<Hint> {
    let hash = page.tx.value().map(|tx| tx.txhash);
    let [compare, signer, block, mark] = of_tx(hash.is_some(), hash, cx);
    let tabs = [
        Hint::of(Command::NextTab),
        Hint::of(Command::PreviousTab).spare(),
        Hint::of(Command::RawJson).called(if page.detail.tab == TxTab::Raw { "story" } else { "JSON" }),
    ];
    let mut hints = detail_commands(&page.detail, tabs);
    hints.splice(1..1, [compare]);
    hints.splice(6..6, [Hint::of(Command::Copy), mark, Hint::of(Command::Back)]);
    hints.splice(9..9, siblings.hints("transaction"));
    hints.extend([block, signer, Hint::of(Command::NextPane).spare()]);
    // The session knows whether there is something to copy.
    hints.retain(|hint| hint.command != Command::Copy || hash.is_some());
    hints
}

pub(super) fn compare(page: &ComparePage, cx: &Context) -> Vec<Hint> {
    let document = Some(&page.document);
    let [compare, signer, block, mark] = of_tx(true, Some(page.chosen().txhash), cx);
    let open = if page.leads() { Hint::of(Command::Open) } else { open_line(document) };
    let side = |command| Hint::of(command).called("other side");
    let [fold, fold_all, unfold_all] = folds(document);
    vec![
        open,
        Hint::of(Command::Back),
        side(Command::NextTab),
        fold,
        filter_lines(document),
        fold_all,
        unfold_all,
        side(Command::PreviousTab).spare(),
        side(Command::NextPane).spare(),
        block,
        signer,
        mark,
        Hint { refusal: None, ..compare }.needs(false, "these two are compared here; Esc goes back"),
    ]
}

/// What lies before and after a page in the list it was opened from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Siblings {
    /// It was not opened from a list.
    NoList,
    /// Whether one lies before it, and one after it.
    Beside(bool, bool),
}

impl Siblings {
    /// The commands that go there; of `what` they are.
    pub(super) fn hints(self, what: &str) -> [Hint; 2] {
        let why = match self {
            Self::NoList => format!("this {what} was not opened from a list"),
            Self::Beside(..) => format!("no further {what} is loaded in this direction"),
        };
        let (before, after) = if let Self::Beside(before, after) = self { (before, after) } else { (false, false) };
        [
            Hint::of(Command::PreviousSibling).needs(before, why.clone()),
            Hint::of(Command::NextSibling).needs(after, why),
        ]
    }
}

impl App {
    /// The neighbours of a transaction in the list it was opened from.
    pub(super) fn tx_siblings(&self, page: &TxPage) -> Siblings {
        let list = match page.origin.and_then(|id| self.navigation.view(id)) {
            Some(View::Txs(view)) => &view.list,
            Some(View::Overview(view)) => &view.txs,
            Some(View::Block(page)) => &page.txs,
            Some(View::Token(page)) => &page.txs,
            Some(View::Account(page)) => &page.txs.list,
            _ => return Siblings::NoList,
        };
        let TxName::Cosmos(hash) = page.name else { return Siblings::NoList };
        Siblings::Beside(list.neighbour(&hash, -1).is_some(), list.neighbour(&hash, 1).is_some())
    }
}
