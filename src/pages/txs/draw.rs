//! Draws the list and, if there is room, the selected transaction beside it.

use super::TxsPage;
use crate::{
    app::page::Drawing,
    columns::List,
    config::Meaning,
    panes::{
        table::{ListFrame, RowOrigin},
        tx_detail::DetailFrame,
        tx_list::draw_rows,
    },
    widgets::{canvas::Canvas, layout::Pane},
};

pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &TxsPage) {
    let (left, right) = cx.regions.split();
    let empty = if page.txs.is_unfiltered() {
        "no transactions yet"
    } else {
        "no match for the filter; f edits it, Esc clears it"
    };
    let listing = ListFrame {
        pane: left,
        place: 0,
        title: page.txs.title(),
        is_focused: page.focus == Pane::First,
        empty,
        origin: RowOrigin::filtered_if(page.txs.failed_only),
        hidden: &[],
    };
    draw_rows(canvas, cx, &page.txs.list, List::Txs, &listing);
    if let (Some(right), Some((hash, detail))) = (right, &page.preview) {
        let title = vec![(Meaning::Heading, hash.short())];
        let is_focused = page.focus == Pane::Second;
        detail.draw(canvas, cx, DetailFrame { pane: right, place: 1, title, is_focused });
    }
}
