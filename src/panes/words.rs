//! Rows of transactions in words: made for the rows on screen only, off the draw path, a few at a time.

use std::sync::Arc;

use ratatui::layout::Rect;

use crate::{
    app::{Context, page::WordWork},
    columns::List,
    domain::Address,
    panes::rows::{SummaryContext, TxRow},
    widgets::list::ListWindow,
};

/// Puts the rows of a list that are on screen into words, where this room for rows has a column for them. Of the
/// history of `account` they say what happened to that.
pub(crate) fn summarize_list(
    list: &mut ListWindow<TxRow>,
    room: Rect,
    account: Option<Address>,
    cx: &Context,
    work: &mut WordWork,
) {
    let kind = if account.is_some() { List::AccountTxs } else { List::Txs };
    if room.height > 0 && cx.columns.have_words(kind, room.width) {
        summarize(list.visible_mut(), account, cx, work);
    }
}

/// Puts rows into words that are not yet, as many as there is work left for.
pub(crate) fn summarize<'a>(
    rows: impl Iterator<Item = &'a mut TxRow>,
    account: Option<Address>,
    cx: &Context,
    work: &mut WordWork,
) {
    let context = SummaryContext { style: cx.address_style.clone(), glossary: Arc::clone(&cx.glossary), account };
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
