//! Sentences of transaction rows. The client computes them before drawing, for visible rows only, a few at a time.

use std::sync::Arc;

use ratatui::layout::Rect;

use crate::{
    app::page::PageCx,
    columns::List,
    domain::Address,
    panes::rows::{SummaryContext, TxRow},
    widgets::list::ListWindow,
};

/// Computes the sentences of a list's visible rows, if the area has room. In the history of `account`, the sentences
/// describe the effect on this account.
pub(crate) fn summarize_list(list: &mut ListWindow<TxRow>, room: Rect, account: Option<Address>, cx: &mut PageCx<'_>) {
    let kind = if account.is_some() { List::AccountTxs } else { List::Txs };
    if room.height > 0 && cx.context.columns.have_words(kind, room.width) {
        summarize(list.visible_mut(), account, cx);
    }
}

/// Computes missing sentences until the work budget is spent.
pub(crate) fn summarize<'a>(rows: impl Iterator<Item = &'a mut TxRow>, account: Option<Address>, cx: &mut PageCx<'_>) {
    let (style, glossary) = (cx.context.address_style.clone(), Arc::clone(&cx.context.glossary));
    let (context, work) = (SummaryContext { style, glossary, account }, &mut cx.words);
    for row in rows.filter(|row| !row.has_summary(&context)) {
        if work.rows == 0 || work.bytes == 0 {
            work.is_left = true;
            return;
        }
        row.summarize(&context);
        work.rows -= 1;
        work.bytes = work.bytes.saturating_sub(row.weight());
        work.has_changed = true;
    }
}
