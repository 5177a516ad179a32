use super::{OverviewPage, activity, index};
use crate::{
    app::page::Drawing,
    columns::List,
    config::Meaning,
    panes::{
        block_list,
        table::{ListFrame, RowOrigin},
        tx_list,
    },
    widgets::{
        canvas::{Canvas, Part},
        layout::{Pane, Tier, cut_columns},
    },
};

/// Draws gauges and charts above the newest blocks and transactions.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &OverviewPage) {
    let regions = cx.regions;
    let (top, blocks, txs) = regions.overview(page.focus);
    if regions.tier == Tier::Compact && top.height > 0 {
        index::draw(canvas, cx, page, top);
    }
    if regions.tier > Tier::Compact && top.height > 3 {
        let (left, right) = cut_columns(top, top.width / 2);
        index::draw(canvas, cx, page, left);
        activity::draw(canvas, cx, page, right);
    }
    let listing = ListFrame {
        pane: blocks,
        place: 0,
        title: "Newest blocks".to_owned(),
        is_focused: page.focus == Pane::First && !page.types.has_focus,
        empty: "no block in the index yet",
        origin: RowOrigin::History,
        hidden: &[],
    };
    block_list::draw_rows(canvas, cx, &page.blocks, &listing);
    let listing = ListFrame {
        pane: txs,
        place: 1,
        title: "Newest transactions".to_owned(),
        is_focused: page.focus == Pane::Second && !page.types.has_focus,
        empty: "no transactions yet",
        origin: RowOrigin::History,
        hidden: &[],
    };
    tx_list::draw_rows(canvas, cx, &page.txs, List::Txs, &listing);
}

pub(super) fn label(name: &str) -> Part {
    (Meaning::Key, format!(" {name:<10} "))
}
