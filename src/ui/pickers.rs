//! Draws prompts: text inputs and pickers.

use ratatui::layout::{Position, Rect};
use unicode_width::UnicodeWidthStr as _;

use crate::{
    app::{
        known_denom::{DenomLister, KnownDenom, Seen},
        prompt::{Entry, Pick, PickChoice, PickPurpose},
    },
    columns::ends,
    config::Meaning,
    domain::text::{clip, group, wrap},
    widgets::{
        canvas::{Canvas, Part, centered, row},
        input::draw_input,
        overlay::open,
        picker::{self, Picker, PickerLook},
    },
};

/// Maximum columns of an input's frame.
const WIDTH: u16 = 84;

/// Draws a text input; returns the cursor's position.
pub(super) fn draw_entry(canvas: &mut Canvas<'_>, area: Rect, entry: &Entry) -> Position {
    let inner = open(canvas, centered(area, WIDTH, 5), &entry.prompt, "Enter apply · Esc leave");
    let position = draw_input(canvas, row(inner, 0), "› ", &entry.input);
    let problem = entry.problem.as_deref().unwrap_or_default();
    for (place, line) in (1..).zip(wrap(problem, usize::from(inner.width), 2)) {
        canvas.text(row(inner, place), Meaning::Bad, &line);
    }
    position
}

/// Draws a picker; returns the cursor's position.
pub(super) fn draw_pick(canvas: &mut Canvas<'_>, area: Rect, pick: &Pick) -> Option<Position> {
    let mut below = match (&pick.refusal, pick.purpose) {
        (Some(refusal), _) => {
            let lines = wrap(refusal, usize::from(WIDTH) - 4, 3).into_iter();
            lines.map(|line| (Meaning::Warning, line)).collect()
        }
        (None, PickPurpose::OfferedNetwork) => {
            vec![(Meaning::Good, "Enter opens it until you quit, and saves nothing, except on keep".to_owned())]
        }
        (None, PickPurpose::Fault) => vec![(Meaning::Muted, "Enter starts a fault, or ends an active one".to_owned())],
        (None, _) if pick.picker.count() == 0 => {
            vec![(Meaning::Muted, "no suggestions: Enter uses the typed text".to_owned())]
        }
        (None, _) => vec![(Meaning::Muted, "Enter also accepts other text".to_owned())],
    };
    below.extend(pick.notes.iter().map(|note| (Meaning::Muted, note.clone())));
    let look = PickerLook { width: WIDTH, below, ..PickerLook::new(&pick.title, "Enter choose · Esc leave", "› ") };
    picker::draw(canvas, area, &pick.picker, &look, |row, width| {
        let parts = if row.is_typed {
            let typed = clip(&row.item.value, width.saturating_sub(14));
            vec![(Meaning::Muted, "  as typed  ".to_owned()), (Meaning::Kind, typed)]
        } else {
            parts(row.item, width)
        };
        (parts, Vec::new())
    })
}

fn parts(choice: &PickChoice, width: usize) -> Vec<Part> {
    let label = clip(&choice.label, 24);
    let room = width.saturating_sub(2 + 24 + 1);
    vec![(Meaning::Kind, format!("  {label:<24} ")), (Meaning::Muted, clip(&choice.detail, room))]
}

/// Draws the typed text, the matching denoms, and the typed text as a denom of its own.
pub(super) fn draw_denoms(canvas: &mut Canvas<'_>, area: Rect, picker: &Picker<KnownDenom>) -> Option<Position> {
    let hint = match picker.count() {
        0 => "type a denom such as uinit, l2/…, ibc/… or evm/…",
        _ => "known denoms; Enter also accepts others",
    };
    let look = PickerLook {
        below: vec![(Meaning::Muted, hint.to_owned())],
        ..PickerLook::new("Denoms", "Enter choose · Esc leave", "f ")
    };
    picker::draw(canvas, area, picker, &look, |row, width| {
        let parts = if row.is_typed {
            let name = clip(row.item.denom.as_str(), width.saturating_sub(16));
            vec![(Meaning::Muted, "  as typed  ".to_owned()), (Meaning::Kind, name)]
        } else {
            denom(row.item, width)
        };
        (parts, Vec::new())
    })
}

fn denom(known: &KnownDenom, width: usize) -> Vec<Part> {
    let symbol = known.symbol.as_deref().map_or_else(String::new, |symbol| clip(symbol, 12));
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

/// Formats how the client learned of a denom, as in `fees of 300 blocks · 12 txs`.
fn how(seen: Seen) -> String {
    let count = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{} {many}", group(count as u64))),
    };
    let mut parts: Vec<String> = Vec::new();
    parts.extend(count(seen.blocks, "block's fees", "blocks' fees"));
    parts.extend(count(seen.txs, "tx", "txs"));
    if seen.is_typed {
        parts.push("typed".to_owned());
    }
    let listed = seen.listed_by.filter(|_| parts.is_empty()).map(|by| match by {
        DenomLister::Network => "listed",
        DenomLister::Supply => "in the bank's supply",
        DenomLister::Router => "listed by the router",
    });
    parts.extend(listed.map(str::to_owned));
    parts.join(" · ")
}
