use ratatui::layout::Rect;

use super::BlockPage;
use crate::{
    app::{
        format::{age, age_at, fee_text, gas_share},
        page::Drawing,
    },
    columns::{proposer_details, proposer_name},
    config::{Command, Meaning},
    domain::{Height, text},
    msg::Remote,
    panes::{
        block_list::BlockRanks,
        hints::hints,
        table::{self, ListFrame, RowOrigin},
        tx_list,
    },
    widgets::{
        canvas::{Canvas, Part, row},
        document,
        layout::Tier,
    },
    wire,
};

/// Draws the block's facts beside its transactions or its JSON; on a narrow screen above them.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &BlockPage) {
    let regions = cx.regions;
    let (facts, below) = regions.block_page(page.block.value().is_some());
    let title = vec![(Meaning::Heading, format!("Block {}", text::group(page.height.get())))];
    canvas.frame(facts, regions.tier, false, title, Vec::new());
    if regions.tier == Tier::Wide && page.block.value().is_some() {
        document::draw::draw_still(canvas, regions.inner(facts), &page.facts);
    } else {
        draw_facts(canvas, cx, page, regions.inner(facts), regions.tier);
    }
    if let Some(raw) = &page.raw {
        canvas.frame(below, regions.tier, true, vec![(Meaning::Heading, "JSON".to_owned())], Vec::new());
        document::draw::draw(canvas, regions.inner(below), raw, true, 0);
        return;
    }
    let title = "Transactions in block order".to_owned();
    let empty = if page.block.error().is_some() { "" } else { "this block has no transactions" };
    let listing =
        ListFrame { pane: below, place: 0, title, is_focused: true, empty, origin: RowOrigin::Elsewhere, hidden: &[] };
    tx_list::draw_rows_of_block(canvas, cx, &page.txs, &listing);
}

fn draw_facts(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &BlockPage, area: Rect, tier: Tier) {
    let Some(block) = page.block.value() else {
        match page.block.error() {
            Some(error) if error.is_not_found() => draw_absent(canvas, cx, page, area),
            Some(error) => {
                canvas.text(row(area, 0), Meaning::Bad, &format!(" ✗ {}", error.brief()));
                canvas.text(
                    row(area, 1),
                    Meaning::Text,
                    &format!("   {}; {}", error.advice(), hints(cx, &[(Command::Refresh, "retry")])),
                );
            }
            None => {
                let since = if let Remote::Loading { since } = page.block { since } else { cx.context.now };
                canvas.text(row(area, 0), Meaning::Muted, &table::loading(cx, since));
            }
        }
        return;
    };
    for (place, line) in facts(cx, block, page.ranks().as_ref(), tier).into_iter().enumerate() {
        canvas.parts(row(area, u16::try_from(place).unwrap_or(u16::MAX)), line);
    }
}

/// Draws when to expect a height above the tip.
fn draw_absent(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &BlockPage, area: Rect) {
    let tip = cx.context.chain.height().map_or(0, Height::get);
    let ahead = page.height.get().saturating_sub(tip);
    let blocks = if ahead == 1 { "1 block".to_owned() } else { format!("{} blocks", text::group(ahead)) };
    let height = text::group(page.height.get());
    let sentence = match cx.context.chain.block_time() {
        _ if ahead == 0 => format!(" The index has no block {height}."),
        Some(time) => {
            let wait = time.saturating_mul(u32::try_from(ahead).unwrap_or(u32::MAX));
            format!(" Block {height} is {blocks} ahead: expected in about {}.", age(wait))
        }
        None => format!(" Block {height} is {blocks} ahead of the index."),
    };
    let lines = text::wrap(&sentence, usize::from(area.width.saturating_sub(2)), 2);
    for (place, line) in (0..).zip(&lines) {
        canvas.text(row(area, place), Meaning::Warning, &format!(" {line}"));
    }
    let keys = [
        (Command::Refresh, "retry"),
        (Command::PreviousSibling, "newer"),
        (Command::NextSibling, "older"),
        (Command::Back, "back"),
    ];
    let below = u16::try_from(lines.len()).unwrap_or_default();
    canvas.text(row(area, below), Meaning::Muted, &format!(" {}", hints(cx, &keys)));
}

fn txs(block: &wire::Block, thing: &str) -> String {
    text::count(usize::try_from(block.tx_count).unwrap_or(usize::MAX), thing)
}

fn facts(cx: &Drawing<'_>, block: &wire::Block, ranks: Option<&BlockRanks>, tier: Tier) -> Vec<Vec<Part>> {
    let rank = |say: fn(&BlockRanks) -> String| {
        (Meaning::Muted, ranks.map_or_else(String::new, |ranks| format!("{} of {}", say(ranks), ranks.of)))
    };
    let label = |name: &str| (Meaning::Key, format!(" {name:<9} "));
    let when = format!("{} UTC", block.timestamp.day_and_clock());
    let ago = if cx.context.has_ages() {
        format!("  {} ago", age_at(block.timestamp, cx.context.now))
    } else {
        String::new()
    };
    let after = format!("  {} after the previous block", block.interval_text());
    if tier <= Tier::Compact {
        let height = format!(" Block {}", text::group(block.height.get()));
        return vec![
            vec![(Meaning::Heading, height), (Meaning::Muted, format!("  {}{ago}", txs(block, "tx")))],
            vec![label("hash"), (Meaning::Link, block.hash.to_string())],
        ];
    }
    vec![
        vec![label("hash"), (Meaning::Link, block.hash.to_string())],
        vec![label("time"), (Meaning::Text, when), (Meaning::Muted, ago), (Meaning::Muted, after)],
        vec![
            label("proposer"),
            (Meaning::Text, text::clip(&proposer_name(&block.proposer), 58)),
            (Meaning::Muted, format!("  {}", proposer_details(&block.proposer))),
        ],
        vec![
            label("gas"),
            (Meaning::Number, text::group(block.gas_used)),
            (Meaning::Muted, gas_share(block.gas_used, block.gas_wanted)),
            rank(BlockRanks::of_gas),
        ],
        vec![
            label("fees"),
            (Meaning::Number, fee_text(&block.fees(), Some(&cx.context.glossary))),
            (Meaning::Muted, format!("   {}", txs(block, "transaction"))),
            rank(BlockRanks::of_txs),
        ],
    ]
}
