//! Overview, blocks, transactions, accounts, pasted things, the rich list.

use super::{
    Hint,
    cursor::{filter_lines, folds, open_line, open_row, words},
    of_tx,
};
use crate::{
    app::{
        account::{AccountPage, AccountTab},
        context::Context,
        results::{Lookup, ResultsView},
        rich_list::RichListView,
        tx_detail::TxDetail,
        view::{BlocksView, OverviewView, TxsView},
    },
    config::Command,
    msg::TxScope,
    panes::rows::{CollectionRow, TokenRow, TxRow},
    widgets::{
        layout::{Pane, Regions, Tier},
        list::ListWindow,
    },
};

const NO_PANE: &str = "there is no other pane here";
const NOT_OF_ACCOUNT: &str = "signer only works in an account's transactions: go to one with /";
const CUT_COLLECTION: &str = "this collection's address is cut: the server cannot find it by that";

/// Whether there is room beside a list for what is selected in it.
fn has_preview(cx: &Context) -> bool {
    Regions::of(cx.size).split().1.is_some()
}

/// What can be done with the transaction under a list's cursor.
fn of_selected(list: &ListWindow<TxRow>, cx: &Context) -> [Hint; 4] {
    of_tx(list.selected().is_some(), list.selected().map(|row| row.tx.txhash), cx)
}

pub(super) fn overview(view: &OverviewView, cx: &Context) -> Vec<Hint> {
    let pane = Hint::of(Command::NextPane);
    if view.focus == Pane::First {
        return vec![open_row(&view.blocks), pane];
    }
    let mut hints = vec![open_row(&view.txs), pane];
    hints.extend(of_selected(&view.txs, cx));
    hints
}

pub(super) fn blocks(view: &BlocksView, cx: &Context) -> Vec<Hint> {
    let pane = Hint::of(Command::NextPane).needs(has_preview(cx) && view.preview.is_some(), NO_PANE);
    match &view.preview {
        Some((_, document)) if view.focus == Pane::Second => {
            let document = Some(document);
            vec![open_line(document), filter_lines(document), Hint::of(Command::Back), pane]
        }
        _ => {
            let no_filter = "blocks have no filter; : and a number goes to a height";
            vec![open_row(&view.list), pane, Hint::of(Command::Filter).needs(false, no_filter)]
        }
    }
}

pub(super) fn txs(view: &TxsView, cx: &Context) -> Vec<Hint> {
    let detail = view.preview.as_ref().filter(|_| has_preview(cx)).map(|(_, detail)| detail);
    let tabs = |command| Hint::of(command).needs(detail.is_some(), "nothing is open that has tabs");
    let pane = Hint::of(Command::NextPane).needs(detail.is_some(), NO_PANE);
    let of_list =
        [Hint::of(Command::FailedOnly).called(if view.failed_only { "all" } else { "failed only" }), signer_only(view)];
    let of_preview = [tabs(Command::NextTab), tabs(Command::PreviousTab).spare(), tabs(Command::RawJson)];
    let mut hints = Vec::new();
    if let (Pane::Second, Some(detail)) = (view.focus, detail) {
        hints.extend(detail_commands(detail, of_preview));
        hints.insert(2, pane);
        hints.extend(of_selected(&view.list, cx));
        hints.extend(of_list);
        return hints;
    }
    let [compare, of_tx @ ..] = of_selected(&view.list, cx);
    hints.extend([open_row(&view.list), compare, Hint::of(Command::Filter), pane]);
    hints.extend(of_list);
    hints.extend(of_tx);
    hints.extend(words(detail));
    hints.extend(of_preview);
    hints.extend(folds(None));
    hints
}

fn signer_only(view: &TxsView) -> Hint {
    let is_on = matches!(view.query.scope, TxScope::Account { signer_only: true, .. });
    Hint::of(Command::SignerOnly)
        .called(if is_on { "all signers" } else { "signer only" })
        .needs(matches!(view.query.scope, TxScope::Account { .. }), NOT_OF_ACCOUNT)
}

/// What can be done in a transaction that is open in tabs.
pub(super) fn detail_commands(detail: &TxDetail, tabs: [Hint; 3]) -> Vec<Hint> {
    let [next_tab, previous_tab, raw] = tabs;
    let document = detail.document.as_ref();
    let [next_word, previous_word] = words(Some(detail));
    let [fold, fold_all, unfold_all] = folds(document);
    let leads = detail.leads();
    let open = if leads { Hint::of(Command::Open) } else { open_line(document) };
    vec![
        open,
        next_tab,
        next_word,
        Hint::of(Command::Filter).called("find").needs(document.is_some(), "nothing to filter here"),
        fold,
        raw,
        previous_tab,
        previous_word,
        fold_all,
        unfold_all,
    ]
}

pub(super) fn account(page: &AccountPage, cx: &Context) -> Vec<Hint> {
    let open = match page.tab {
        AccountTab::Txs => open_row(&page.txs.list),
        AccountTab::Tokens => open_token(&page.tokens),
        AccountTab::Collections => open_collection(&page.collections),
        AccountTab::Holdings => open_line(Some(&page.holdings_document)),
    };
    let is_history = page.tab == AccountTab::Txs;
    let [compare, signer, block, mark] =
        if is_history { of_selected(&page.txs.list, cx) } else { of_tx(false, None, cx) };
    let failed = Hint::of(Command::FailedOnly)
        .called(if page.txs.failed_only { "all" } else { "failed only" })
        .needs(is_history, "only transactions fail: they are on the first tab");
    let filter = match page.tab {
        AccountTab::Txs => Hint::of(Command::Filter),
        AccountTab::Holdings => filter_lines(Some(&page.holdings_document)),
        AccountTab::Tokens | AccountTab::Collections => {
            Hint::of(Command::Filter).needs(false, "nothing to filter here")
        }
    };
    let signer_only =
        if is_history { signer_only(&page.txs) } else { Hint::of(Command::SignerOnly).needs(false, NOT_OF_ACCOUNT) };
    let mut hints = vec![
        open,
        compare,
        Hint::of(Command::NextTab),
        signer_only,
        filter,
        failed,
        Hint::of(Command::OwnedNfts),
        mark,
        signer,
        block,
        Hint::of(Command::NextPane).spare(),
        Hint::of(Command::PreviousTab).spare(),
    ];
    let document = (page.tab == AccountTab::Holdings).then_some(&page.holdings_document);
    hints.extend(folds(document));
    hints
}

/// Enter on a token: the server finds it by its collection, whose address may have come cut.
pub(super) fn open_token(list: &ListWindow<TokenRow>) -> Hint {
    let is_whole = list.selected().is_none_or(|row| row.0.collection().is_some());
    open_row(list).needs(is_whole, "this token's collection is cut: the server cannot find it by that")
}

/// Enter on a collection, whose address may have come cut.
pub(super) fn open_collection(list: &ListWindow<CollectionRow>) -> Hint {
    open_row(list).needs(list.selected().is_none_or(|row| row.0.address().is_some()), CUT_COLLECTION)
}

pub(super) fn results(view: &ResultsView) -> Vec<Hint> {
    let selected = view.list.selected();
    let why = match selected.map(|row| &row.state) {
        None => "nothing is selected",
        Some(Lookup::Absent) => "this was not found: nothing to open",
        Some(Lookup::NotUnderstood) => "this is no height, hash or address",
        Some(Lookup::Failed(_)) => "this could not be looked up; r asks again",
        Some(_) => "this is still being looked up",
    };
    let is_found = selected.is_some_and(|row| row.found().is_some());
    vec![Hint::of(Command::Open).needs(is_found, why), Hint::of(Command::Refresh)]
}

/// `siblings`: whether there is a denom before this one, and one after it.
pub(super) fn rich_list(view: &RichListView, cx: &Context, siblings: [bool; 2]) -> Vec<Hint> {
    let no_address = "this account's text is no address";
    let has_address = view.list.selected().is_none_or(|row| row.holder.address().is_some());
    let open = open_row(&view.list).needs(has_address, no_address);
    let pane = Hint::of(Command::NextPane)
        .called(if view.focus == Pane::First { "figures" } else { "holders" })
        .needs(Tier::of(cx.size) != Tier::Wide, NO_PANE);
    let no_denom = "no further denom is known in this direction";
    let [before, after] = siblings;
    let filter = Hint::of(Command::Filter).called("denom");
    let siblings = [
        Hint::of(Command::NextSibling).needs(after, no_denom),
        Hint::of(Command::PreviousSibling).needs(before, no_denom),
    ];
    let first = if view.focus == Pane::Second { [pane, filter, open] } else { [open, filter, pane] };
    first.into_iter().chain(siblings).collect()
}
