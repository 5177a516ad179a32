//! The picker of denoms.

use ratatui::layout::{Position, Rect};
use unicode_width::UnicodeWidthStr as _;

use crate::{
    app::denoms::{KnownDenom, Seen},
    columns::ends,
    config::Meaning,
    domain::text,
    widgets::{
        canvas::{Canvas, Part},
        picker::{self, Picker, PickerLook},
    },
};

/// What was typed, the denoms that match it, and what was typed as a denom of its own.
pub(crate) fn draw_picker(canvas: &mut Canvas<'_>, area: Rect, picker: &Picker<KnownDenom>) -> Option<Position> {
    let hint = match picker.count() {
        0 => "a denom such as uinit, l2/…, ibc/… or evm/… is taken as typed",
        _ => "seen or listed; any other is taken as typed",
    };
    let look = PickerLook {
        below: vec![(Meaning::Muted, hint.to_owned())],
        ..PickerLook::new("Denoms", "Enter chooses · Esc leaves", "f ")
    };
    picker::draw(canvas, area, picker, &look, |row, width| {
        let parts = if row.is_typed {
            let name = text::clip(row.item.denom.as_str(), width.saturating_sub(16));
            vec![(Meaning::Muted, "  as typed  ".to_owned()), (Meaning::Kind, name)]
        } else {
            choice(row.item, width)
        };
        (parts, Vec::new())
    })
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
