//! Rows of block lists, and the preview of a block.

use std::sync::Arc;

use ratatui::layout::Rect;

use crate::{
    app::{
        chain::extent::IndexExtent,
        format::{fee_text, gas_share},
        page::{Destination, Drawing, PageCx},
    },
    columns::{Blocks, List, proposer_details, proposer_name},
    config::Meaning,
    domain::text,
    msg::ListedRow,
    panes::{
        rows::BlockRow,
        table::{self, ListFrame},
    },
    story::Glossary,
    widgets::{canvas::Canvas, document::Line, list::ListWindow},
    wire,
};

pub(crate) fn selected(list: &ListWindow<BlockRow>) -> Option<Arc<wire::Block>> {
    list.selected().map(|row| Arc::clone(&row.0))
}

pub(crate) fn open_selected(list: &ListWindow<BlockRow>, cx: &mut PageCx<'_>) {
    if let Some(block) = selected(list) {
        cx.open(Destination::Block(block.height, Some(block)));
    }
}

pub(crate) fn records(list: &ListWindow<BlockRow>) -> impl Iterator<Item = &Arc<wire::Block>> {
    list.rows().iter().map(|row| &row.0)
}

pub(crate) fn draw_rows(
    canvas: &mut Canvas<'_>,
    cx: &Drawing<'_>,
    list: &ListWindow<BlockRow>,
    listing: &ListFrame<'_>,
) {
    let (mut columns, forms) =
        (table::columns::<Blocks>(cx, cx.regions, List::Blocks, listing.pane), cx.context.forms());
    columns.hug(&list.on_screen().map(|row| &*row.0).collect::<Vec<_>>(), &forms);
    let title = format!("{}{}", listing.title, faults(cx));
    let listing = &ListFrame { title, ..*listing };
    table::draw(canvas, cx, cx.regions, list, listing, &columns.fitted, |row| columns.cells(&&*row.0, &forms));
}

/// Counts, below each visible row, the blocks up to the next row that are known to be empty; nothing in a sorted list.
pub(crate) fn empty_below(list: &ListWindow<BlockRow>, extent: &IndexExtent) -> Vec<u64> {
    if list.sorting().is_some() {
        return Vec::new();
    }
    let (first, visible) = list.visible();
    let rows: Vec<&ListedRow<BlockRow>> = list.shown(first..first + visible.count() + 1).collect();
    let between = |pair: &[&ListedRow<BlockRow>]| match pair {
        [ListedRow::Read(above), ListedRow::Read(below)] => extent.empty_between(below.0.height, above.0.height),
        _ => 0,
    };
    rows.windows(2).map(between).collect()
}

/// Fits the rows to an area where lines between them tell of empty blocks.
pub(crate) fn fit_with_empty(list: &mut ListWindow<BlockRow>, area: Rect, extent: &IndexExtent) {
    let mut height = area.height;
    loop {
        list.fit(Rect { height, ..area });
        let (rows, below) = (usize::from(height), empty_below(list, extent));
        let lines = below.iter().take(rows.saturating_sub(1)).filter(|empty| **empty > 0).count();
        let excess = (rows + lines).saturating_sub(usize::from(area.height));
        if excess == 0 || height <= 1 {
            return;
        }
        // Without a row, at most two lines are gone.
        height = height.saturating_sub(u16::try_from(excess.div_ceil(2)).unwrap_or(u16::MAX)).max(1);
    }
}

/// Describes gaps and duplicates among the listed heights; empty if there are none.
fn faults(cx: &Drawing<'_>) -> String {
    let faults = cx.context.chain.extent.faults();
    let highest = faults.highest_missing.map(text::group);
    let missing = highest.map(|highest| match faults.missing {
        1 => format!(" · ! {highest} missing"),
        missing => format!(" · ! {highest} and {} more missing", text::group(missing - 1)),
    });
    let doubled = (faults.doubled > 0).then(|| format!(" · ! {} duplicate", text::group(faults.doubled as u64)));
    missing.into_iter().chain(doubled).collect()
}

/// Ranks of a block among other blocks, 1 for the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockRanks {
    interval: usize,
    txs: usize,
    gas: usize,
    /// Number of blocks, this one included.
    pub(crate) of: usize,
    /// Words for the blocks.
    those: &'static str,
}

/// Blocks among which a block has its ranks.
pub(crate) const RANKED: u16 = 100;

impl BlockRanks {
    /// Returns the ranks among the chain's newest blocks; `None` if the block is not one of them, or the only one, or
    /// if the list no longer holds them.
    pub(crate) fn among_newest(block: &wire::Block, list: &ListWindow<BlockRow>) -> Option<Self> {
        if list.has_rows_above() {
            return None;
        }
        Self::among(block, &records(list).take(usize::from(RANKED)).collect::<Vec<_>>(), "newest blocks")
    }

    /// Returns the ranks among the block and those before it, up to a gap; `None` without a block before it.
    pub(crate) fn among_earlier(block: &wire::Block, blocks: &[Arc<wire::Block>]) -> Option<Self> {
        let older = blocks.iter().skip_while(|other| other.height > block.height);
        let run = (0..).zip(older).take_while(|(place, other)| other.height.get() + place == block.height.get());
        let up_to_it: Vec<_> = run.map(|(_, other)| other).collect();
        Self::among(block, &up_to_it, "blocks up to it")
    }

    fn among(block: &wire::Block, blocks: &[&Arc<wire::Block>], those: &'static str) -> Option<Self> {
        let of = blocks.len();
        let is_one = of > 1 && blocks.iter().any(|other| other.height == block.height);
        let rank = |value: fn(&wire::Block) -> u64| 1 + blocks.iter().filter(|one| value(one) > value(block)).count();
        let millis = |block: &wire::Block| u64::try_from(block.block_time).unwrap_or(0);
        is_one.then(|| Self {
            interval: rank(millis),
            txs: rank(|block| block.tx_count),
            gas: rank(|block| block.gas_used),
            of,
            those,
        })
    }

    pub(crate) fn of_txs(&self) -> String {
        format!("  rank {}", self.txs)
    }

    pub(crate) fn of_gas(&self) -> String {
        format!("  rank {}", self.gas)
    }
}

/// Returns a line per fact of a block, with its age and its ranks if there are any.
pub(crate) fn block_lines(
    block: &wire::Block,
    glossary: &Glossary,
    age: Option<String>,
    ranks: Option<BlockRanks>,
) -> Vec<Line> {
    let rank = |say: fn(&BlockRanks) -> String| ranks.as_ref().map_or_else(String::new, say);
    let field = |name: &str| Line::at(0).with(Meaning::Key, format!("{name:<9} "));
    let age = age.map(|age| format!("  {age} ago")).unwrap_or_default();
    let lines = [
        field("time").with(Meaning::Text, format!("{} UTC", block.timestamp.day_and_clock())).with(Meaning::Muted, age),
        field("after")
            .with(Meaning::Number, block.interval_text())
            .with(Meaning::Muted, "  since the previous")
            .with(Meaning::Muted, rank(|ranks| format!("  rank {}", ranks.interval))),
        field("txs").with(Meaning::Number, text::group(block.tx_count)).with(Meaning::Muted, rank(BlockRanks::of_txs)),
        field("gas")
            .with(Meaning::Number, text::group(block.gas_used))
            .with(Meaning::Muted, gas_share(block.gas_used, block.gas_wanted))
            .with(Meaning::Muted, rank(BlockRanks::of_gas)),
        field("fees").with(Meaning::Number, fee_text(&block.fees(), Some(glossary))),
        field("proposer")
            .with(Meaning::Text, proposer_name(&block.proposer))
            .with(Meaning::Muted, format!("  {}", proposer_details(&block.proposer))),
        field("hash").with(Meaning::Link, block.hash.to_string()),
    ];
    let ranks =
        ranks.map(|ranks| field("ranks").with(Meaning::Muted, format!("among the {} {}", ranks.of, ranks.those)));
    lines.into_iter().chain(ranks).map(Line::hanging).collect()
}
