use ratatui::layout::Rect;

use super::{OverviewPage, failures, index};
use crate::{
    app::page::Drawing,
    columns::List,
    config::Meaning,
    domain::text,
    panes::{block_list, rows::BlockRow, table::ListFrame, tx_list},
    widgets::{
        Hit,
        canvas::{Canvas, Part, row},
        layout::{Pane, Regions, Tier, cut_columns, cut_rows},
    },
};

/// Rows of the strips of bars.
const STRIPS: u16 = 2;

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Gauges and strips above, the newest blocks and transactions below.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &OverviewPage) {
    let regions = cx.regions;
    let (top, blocks, txs) = regions.overview(page.focus);
    if regions.tier == Tier::Compact && top.height > 0 {
        index::draw(canvas, cx, top);
    }
    if regions.tier > Tier::Compact && top.height > 3 {
        let (left, right) = cut_columns(top, top.width / 2);
        index::draw(canvas, cx, left);
        draw_activity(canvas, page, regions, right);
    }
    let listing = ListFrame {
        pane: blocks,
        place: 0,
        title: "Newest blocks".to_owned(),
        is_focused: page.focus == Pane::First && !page.types.has_focus,
        empty: "nothing is indexed yet",
        is_sifted: false,
    };
    block_list::draw_rows(canvas, cx, &page.blocks, &listing);
    let listing = ListFrame {
        pane: txs,
        place: 1,
        title: "Newest transactions".to_owned(),
        is_focused: page.focus == Pane::Second && !page.types.has_focus,
        empty: "no transactions yet",
        is_sifted: false,
    };
    tx_list::draw_rows(canvas, cx, &page.txs, List::Txs, &listing);
}

/// A line's name before what it says.
pub(super) fn label(name: &str) -> Part {
    (Meaning::Key, format!(" {name:<10} "))
}

fn draw_activity(canvas: &mut Canvas<'_>, page: &OverviewPage, regions: &Regions, area: Rect) {
    let title = vec![(Meaning::Heading, "Activity".to_owned())];
    canvas.frame(area, regions.tier, page.types.has_focus, title, Vec::new());
    let inside = regions.inner(area);
    if page.blocks.rows().is_empty() {
        return;
    }
    let millis = |block: &BlockRow| u64::try_from(block.0.block_time).unwrap_or(0);
    draw_strip(canvas, row(inside, 0), page, "block time", millis, |value| {
        let tenths = (value + 50) / 100;
        format!("{}.{} s", tenths / 10, tenths % 10)
    });
    draw_strip(canvas, row(inside, 1), page, "txs/block", |block| block.0.tx_count, text::group);
    failures::draw(canvas, cut_rows(inside, STRIPS).1, &page.txs, &page.types);
}

/// Where rate, causes and types stand below the strips, where there is room for them.
pub(super) fn activity(regions: &Regions, focus: Pane) -> Option<Rect> {
    let (top, ..) = regions.overview(focus);
    let is_shown = regions.tier > Tier::Compact && top.height > 3;
    is_shown.then(|| cut_rows(regions.inner(cut_columns(top, top.width / 2).1), STRIPS).1)
}

/// One bar a block, the newest at the right; the selected block's bar is marked and a click selects.
fn draw_strip(
    canvas: &mut Canvas<'_>,
    area: Rect,
    page: &OverviewPage,
    name: &str,
    value: impl Fn(&BlockRow) -> u64,
    write: impl Fn(u64) -> String,
) {
    let room = usize::from(area.width).saturating_sub(22);
    let blocks: Vec<Option<u64>> =
        page.blocks.rows().listed().take(room).map(|block| block.read().map(&value)).collect();
    let most = blocks.iter().flatten().max().copied().unwrap_or(0);
    canvas.parts(area, [label(name)]);
    for (place, block) in blocks.iter().enumerate() {
        let value = block.unwrap_or(0);
        let level = (value.saturating_mul(7)).checked_div(most).unwrap_or(0);
        let bar = if value == 0 { ' ' } else { BARS[usize::try_from(level).unwrap_or(0).min(7)] };
        let x = area.x + 12 + u16::try_from(blocks.len() - 1 - place).unwrap_or(0);
        let cell = Rect::new(x, area.y, 1, area.height.min(1));
        canvas.text(cell, Meaning::Link, &bar.to_string());
        if place == page.blocks.cursor() {
            canvas.mark_row(cell, true);
        }
        canvas.hit(cell, Hit::Row(0, place));
    }
    let newest = blocks.first().copied().flatten().map_or_else(String::new, |newest| format!("{} ", write(newest)));
    canvas.parts_right(area, vec![(Meaning::Muted, newest)]);
}
