//! Rows of transactions in words: made for the rows on screen only, off the draw path, a few at a time.

use std::sync::Arc;

use ratatui::layout::Rect;

use crate::{
    app::{Context, page::WordWork},
    columns::List,
    domain::Address,
    panes::rows::{Telling, TxRow},
    widgets::list::ListWindow,
};

/// Puts the rows of a list that are on screen into words, where this room for rows has a column for them. Of the
/// history of `account` they say what happened to that.
pub(crate) fn tell_list(
    list: &mut ListWindow<TxRow>,
    room: Rect,
    account: Option<Address>,
    cx: &Context,
    work: &mut WordWork,
) {
    let kind = if account.is_some() { List::AccountTxs } else { List::Txs };
    if room.height > 0 && cx.columns.have_words(kind, room.width) {
        tell(list.visible_mut(), account, cx, work);
    }
}

/// Puts rows into words that are not yet, as many as there is work left for.
pub(crate) fn tell<'a>(
    rows: impl Iterator<Item = &'a mut TxRow>,
    account: Option<Address>,
    cx: &Context,
    work: &mut WordWork,
) {
    let telling = Telling { form: cx.address_form, glossary: Arc::clone(&cx.glossary), account };
    for row in rows.filter(|row| !row.is_told(&telling)) {
        if work.rows == 0 || work.bytes == 0 {
            work.is_left = true;
            return;
        }
        row.tell(&telling);
        work.rows -= 1;
        work.bytes = work.bytes.saturating_sub(row.weight());
        work.has_told = true;
    }
}
