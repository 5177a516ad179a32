//! Lines with a collection's facts, and the reason why data of an NFT is missing.

use ratatui::layout::Rect;

use crate::{
    app::{format::age_at, page::Drawing},
    config::{Command, Meaning},
    domain::{Address, Timestamp, text},
    msg::Remote,
    panes::{hints::hints, table},
    widgets::{
        canvas::{Canvas, Part, row},
        document::{self, Document, Line},
    },
    wire,
};

/// Pads a field's name to its column.
pub(crate) fn label(name: &str) -> Part {
    (Meaning::Key, format!(" {name:<9} "))
}

/// Shortens an account in the current address format; returns other text unchanged.
pub(crate) fn short(cx: &Drawing<'_>, address: Option<Address>, text: &str) -> String {
    address.map_or_else(|| text::clip(text, 24), |address| cx.context.address_style.short(address))
}

/// Formats a time as date and clock time, and as an age.
fn moment(cx: &Drawing<'_>, at: Timestamp) -> Vec<Part> {
    let ago = if cx.context.has_ages() { format!("  {} ago", age_at(at, cx.context.now)) } else { String::new() };
    vec![(Meaning::Text, format!("{} UTC", at.day_and_clock())), (Meaning::Muted, ago)]
}

pub(crate) fn facts(cx: &Drawing<'_>, address: Option<Address>, collection: &wire::Collection) -> Vec<Vec<Part>> {
    let facts = &collection.collection;
    let is_known = cx.context.chain.extent.begins_with_chain();
    let mut created = vec![label(if is_known { "created" } else { "seen" })];
    created.extend(moment(cx, collection.timestamp));
    let first = if is_known { "" } else { ", first in this index" };
    created.push((Meaning::Muted, format!("  block {}{first}", text::group(collection.height.get()))));
    let origin =
        (!facts.origin_name.is_empty()).then(|| vec![label("origin"), (Meaning::Text, facts.origin_name.clipped(60))]);
    let creator = facts
        .creator_address()
        .map_or_else(|| text::clip(&facts.creator, 66), |creator| cx.context.address_style.write(creator));
    let both = address.map_or_else(
        || vec![vec![label("address"), (Meaning::Bad, text::clip(&collection.object_addr, 66))]],
        |address| {
            vec![
                vec![label("address"), (Meaning::Link, address.bech32())],
                vec![label(""), (Meaning::Link, address.hex())],
            ]
        },
    );
    both.into_iter().chain([vec![label("creator"), (Meaning::Link, creator)], created]).chain(origin).collect()
}

/// Draws facts, each in as many rows as it needs; returns the number of rows.
pub(crate) fn draw_wrapped(canvas: &mut Canvas<'_>, area: Rect, facts: Vec<Vec<Part>>) -> u16 {
    let line = |fact: Vec<Part>| fact.into_iter().fold(Line::at(0), |line, (meaning, text)| line.with(meaning, text));
    let mut document: Document = Document::new(facts.into_iter().map(|fact| line(fact).hanging()).collect());
    document.fit(area);
    document::draw::draw_still(canvas, area, &document);
    u16::try_from(document.columns().iter().map(|column| column.rows.len()).sum::<usize>()).unwrap_or(area.height)
}

/// Draws two lines that say that data is loading, or why it is missing.
pub(crate) fn draw_absent<T>(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, remote: &Remote<T>, area: Rect) {
    if let Some(error) = remote.error() {
        canvas.text(row(area, 0), Meaning::Bad, &format!(" ✗ {}", error.brief()));
        let keys = hints(cx, &[(Command::Refresh, "retry"), (Command::Back, "back")]);
        canvas.text(row(area, 1), Meaning::Muted, &format!("   {} · {keys}", error.advice()));
    } else if let Remote::Loading { since } = remote {
        canvas.text(row(area, 0), Meaning::Muted, &table::loading(cx, *since));
    }
}
