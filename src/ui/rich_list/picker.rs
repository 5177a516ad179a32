//! The picker of denoms.

use ratatui::layout::{Position, Rect};
use unicode_width::UnicodeWidthStr as _;

use crate::{
    app::{
        denoms::{KnownDenom, Seen},
        rich_list::DenomPicker,
    },
    columns::ends,
    config::Meaning,
    domain::text,
    ui::modal::{draw_input, open},
    widgets::canvas::{Canvas, Part, centered, row},
};

/// What was typed, the denoms that match it, and what was typed as a denom of its own.
pub(crate) fn draw_picker(canvas: &mut Canvas<'_>, area: Rect, picker: &DenomPicker) -> Position {
    let height = u16::try_from(picker.rows()).unwrap_or(u16::MAX).saturating_add(4);
    let place = centered(area, 84, height.clamp(6, area.height.saturating_sub(2).max(6)));
    let inner = open(canvas, place, "Denoms", "Enter chooses · Esc leaves");
    let position = draw_input(canvas, row(inner, 0), "f ", &picker.input);
    let rows = usize::from(inner.height.saturating_sub(2));
    let first = (picker.marked + 1).saturating_sub(rows);
    let known = picker.matching().map(|known| choice(known, usize::from(inner.width)));
    let typed = picker.typed().map(|denom| {
        let name = text::clip(denom.as_str(), usize::from(inner.width).saturating_sub(16));
        vec![(Meaning::Muted, "  as typed  ".to_owned()), (Meaning::Kind, name)]
    });
    for (index, parts) in known.chain(typed).enumerate().skip(first).take(rows) {
        let line = row(inner, u16::try_from(index - first + 1).unwrap_or(u16::MAX));
        canvas.parts(line, parts);
        if index == picker.marked {
            canvas.mark_row(line, true);
        }
    }
    let hint = match picker.rows() {
        0 => "a denom such as uinit, l2/…, ibc/… or evm/… is taken as typed",
        _ => "seen or listed; any other is taken as typed",
    };
    canvas.text(row(inner, inner.height.saturating_sub(1)), Meaning::Muted, hint);
    position
}

fn choice(known: &KnownDenom, width: usize) -> Vec<Part> {
    let symbol = known.symbol.as_deref().map_or_else(String::new, |symbol| text::clip(symbol, 12));
    let decimals = known.decimals.map_or_else(String::new, |decimals| format!("{decimals:>2} decimals"));
    let seen = how(known.seen);
    let room = width.saturating_sub(2 + 12 + 1 + 1 + 11 + 2 + 24).max(12);
    vec![
        (Meaning::Kind, format!("  {symbol:<12} ")),
        (Meaning::Text, pad(&ends(known.denom.as_str(), room), room)),
        (Meaning::Muted, format!(" {decimals:<11}  {seen}")),
    ]
}

fn pad(name: &str, room: usize) -> String {
    let used = name.width();
    format!("{name}{}", " ".repeat(room.saturating_sub(used)))
}

/// `fees of 300 blocks · 12 txs`
fn how(seen: Seen) -> String {
    let count = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{} {many}", text::group(count as u64))),
    };
    let mut parts: Vec<String> = Vec::new();
    parts.extend(count(seen.blocks, "block's fees", "blocks' fees"));
    parts.extend(count(seen.txs, "tx", "txs"));
    if seen.is_typed {
        parts.push("typed".to_owned());
    }
    if parts.is_empty() && seen.is_listed {
        parts.push("listed".to_owned());
    }
    parts.join(" · ")
}
