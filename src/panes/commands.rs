//! What can be done with what many pages have: rows, lines, folds, words, a transaction, siblings.

use crate::{
    app::{Context, hint::Hint, page::Siblings, prompt::CopyChoice},
    config::Command,
    msg::Request,
    panes::rows::{CollectionRow, TokenRow, TxRow},
    widgets::{
        document::Lines,
        list::{ListRow, ListWindow},
    },
};

pub(crate) const CUT_COLLECTION: &str = "this collection's address is cut: the server cannot find it by that";

/// Of a transaction that is selected or open.
pub(crate) fn of_tx(is_selected: bool, hash: Option<crate::domain::TxHash>, cx: &Context) -> [Hint; 4] {
    let marked = cx.marked.as_ref().map(|tx| tx.txhash);
    let is_marked = is_selected && marked.is_some() && marked == hash;
    let key = |command| cx.keymap.shown(crate::config::KeyScope::TxPage.layers(), command).unwrap_or_default();
    let (mark, compare) = (key(Command::Mark), key(Command::Compare));
    [
        Hint::of(Command::Compare)
            .needs(
                marked.is_some(),
                format!("nothing is marked: {mark} marks a transaction, {compare} on another compares"),
            )
            .needs(is_selected, "no transaction is selected to compare with the marked one")
            .needs(!is_marked, format!("this is the marked one: {compare} on another compares the two")),
        Hint::of(Command::OpenSigner).needs(is_selected, "no transaction with a signer is selected"),
        Hint::of(Command::OpenBlock).needs(is_selected, "no transaction is selected"),
        Hint::of(Command::Mark)
            .called(if is_marked { "unmark" } else { "mark" })
            .needs(is_selected, "no transaction is selected that could be marked"),
    ]
}

/// Enter on a line that leads somewhere, or folds what hangs below it.
pub(crate) fn open_line<L: Lines + ?Sized>(document: Option<&L>) -> Hint {
    let leads = document.is_some_and(|document| document.can_fold() || document.link().is_some());
    Hint::of(Command::Open).needs(leads, "nothing is behind this line")
}

/// Enter on a row of a list.
pub(crate) fn open_row<R: ListRow>(list: &ListWindow<R>) -> Hint {
    Hint::of(Command::Open).needs(list.selected().is_some(), "nothing is selected")
}

/// Looking for something in a document.
pub(crate) fn filter_lines<L: Lines + ?Sized>(document: Option<&L>) -> Hint {
    Hint::of(Command::Filter).called("find").needs(document.is_some(), "nothing to filter here")
}

pub(crate) fn folds<L: Lines + ?Sized>(document: Option<&L>) -> [Hint; 3] {
    const NOTHING: &str = "nothing can be folded here";
    let can_fold = document.is_some_and(Lines::can_fold_around);
    let has_folds = document.is_some_and(Lines::has_folds);
    [
        Hint::of(Command::ToggleFold).needs(can_fold, NOTHING),
        Hint::of(Command::FoldAll).needs(has_folds, NOTHING).spare(),
        Hint::of(Command::UnfoldAll).needs(has_folds, NOTHING).spare(),
    ]
}

impl Siblings {
    /// The commands that go there; of `what` they are.
    pub(crate) fn hints(self, what: &str) -> [Hint; 2] {
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

/// Enter on a token: the server finds it by its collection, whose address may have come cut.
pub(crate) fn open_token(list: &ListWindow<TokenRow>) -> Hint {
    let is_whole = list.selected().is_none_or(|row| row.0.collection().is_some());
    open_row(list).needs(is_whole, "this token's collection is cut: the server cannot find it by that")
}

/// Enter on a collection, whose address may have come cut.
pub(crate) fn open_collection(list: &ListWindow<CollectionRow>) -> Hint {
    open_row(list).needs(list.selected().is_none_or(|row| row.0.address().is_some()), CUT_COLLECTION)
}

/// What can be done with the transaction under a list's cursor.
pub(crate) fn of_selected(list: &ListWindow<TxRow>, cx: &Context) -> [Hint; 4] {
    of_tx(list.selected().is_some(), list.selected().map(|row| row.tx.txhash), cx)
}

/// The command that asks for what is on screen, to be copied.
pub(crate) fn copy_request(request: &Request, cx: &Context) -> CopyChoice {
    CopyChoice::value('u', "curl command of this screen", cx.curl(request))
}
