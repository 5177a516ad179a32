use crate::{
    app::page::TxLine,
    config::Meaning,
    domain::{Address, Target, short_address, text},
    panes::tx_document::{Line, TxSheet},
    widgets::document::WordRef,
};

/// Lines of one kind that stay visible; the rest is folded.
pub(super) const SHOWN: usize = 12;

pub(super) fn heading(name: TxLine, title: &str) -> Line {
    Line::at(0).with(Meaning::Heading, title).named(name)
}

/// Appends lines of one kind; those beyond [`SHOWN`] are folded below their count.
pub(super) fn push_folding<T>(
    lines: &mut Vec<Line>,
    depth: u16,
    items: &[T],
    line: impl Fn(u16, &T) -> Line,
    what: &str,
) {
    // A single line is not worth a fold.
    let shown = if items.len() <= SHOWN + 1 { items.len() } else { SHOWN };
    lines.extend(items.iter().take(shown).map(|item| line(depth, item)));
    if items.len() > shown {
        let more = format!("{} more", text::count(items.len() - shown, what));
        lines.push(Line::at(depth).with(Meaning::Muted, more).folded());
        lines.extend(items.iter().skip(shown).map(|item| line(depth + 1, item)));
    }
}

/// Shortens the hexadecimal address of an object or store.
pub(super) fn short_hex(text: &str) -> String {
    text::clip(&short_address(text), 42)
}

/// Returns an account's name, else its shortened address.
pub(super) fn account_text(address: Address, sheet: &TxSheet<'_>) -> String {
    let label = sheet.glossary.label(address).map(|label| text::clip(label, 32));
    label.unwrap_or_else(|| sheet.style.short(address))
}

/// Adds an account by name; Enter opens it.
pub(super) fn with_account(line: Line, address: Address, sheet: &TxSheet<'_>) -> Line {
    let word_ref = WordRef::default().leading_to(Some(Target::Account(address))).copying(sheet.style.write(address));
    let text = account_text(address, sheet);
    line.with_word(Meaning::Link.of_name(&text), text, word_ref)
}
