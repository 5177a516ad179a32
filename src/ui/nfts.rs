//! The NFTs tab and its pages.

mod collection;
mod collections;
mod token;

pub(super) use collection::draw as draw_collection;
pub(super) use collections::draw as draw_collections;
pub(super) use token::draw as draw_token;

use super::{chrome::hints, table};
use crate::{
    app::{App, format::age},
    config::{Command, Meaning},
    domain::{Address, Timestamp, text},
    msg::Remote,
    widgets::canvas::{Canvas, Part, row},
    wire,
};

/// Eighths of a cell, from the left.
const BAR: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// A field's name before its value.
fn label(name: &str) -> Part {
    (Meaning::Key, format!(" {name:<9} "))
}

/// An account in the form that is shown, or the text that is none.
fn short(app: &App, address: Option<Address>, text: &str) -> String {
    address.map_or_else(|| text::clip(text, 12), |address| app.address_form.short(address))
}

/// `value` of `most` as a bar of so many cells; nothing is empty, and something is seen.
fn bar(value: u64, most: u64, cells: u16) -> String {
    let eighths = u128::from(value) * u128::from(cells) * 8;
    let filled =
        eighths.checked_div(u128::from(most)).unwrap_or(0).max(u128::from(value > 0)).min(u128::from(cells) * 8);
    let mut text = BAR[7].to_string().repeat(usize::try_from(filled / 8).unwrap_or(0));
    let rest = usize::try_from(filled % 8).unwrap_or(0);
    text.extend(rest.checked_sub(1).and_then(|place| BAR.get(place)));
    text
}

/// When something was, on the clock and ago.
fn moment(app: &App, at: Timestamp) -> Vec<Part> {
    let ago = if app.frozen { String::new() } else { format!("  {} ago", age(app.now.since(at))) };
    vec![(Meaning::Text, format!("{} UTC", at.day_and_clock())), (Meaning::Muted, ago)]
}

/// A collection's facts, line by line.
fn facts(app: &App, address: Option<Address>, collection: &wire::Collection) -> Vec<Vec<Part>> {
    let facts = &collection.collection;
    let mut created = vec![label("created")];
    created.extend(moment(app, collection.timestamp));
    created.push((Meaning::Muted, format!("  block {}", text::group(collection.height.get()))));
    if !facts.origin_name.is_empty() {
        created.push((Meaning::Muted, "  came from ".to_owned()));
        created.push((Meaning::Text, text::clip(&facts.origin_name, 40)));
    }
    let creator = facts
        .creator_address()
        .map_or_else(|| text::clip(&facts.creator, 66), |creator| app.address_form.write(creator));
    let both = address.map_or_else(
        || vec![vec![label("address"), (Meaning::Bad, text::clip(&collection.object_addr, 66))]],
        |address| {
            vec![
                vec![label("address"), (Meaning::Link, address.bech32())],
                vec![label(""), (Meaning::Link, address.hex())],
            ]
        },
    );
    both.into_iter().chain([vec![label("creator"), (Meaning::Link, creator)], created]).collect()
}

/// Why something is not here, over two lines; or that it is awaited.
fn draw_absent<T>(canvas: &mut Canvas<'_>, app: &App, remote: &Remote<T>, area: ratatui::layout::Rect) {
    if let Some(error) = remote.error() {
        canvas.text(row(area, 0), Meaning::Bad, &format!(" ✗ {}", error.brief()));
        let keys = hints(app, &[(Command::Refresh, "asks again"), (Command::Back, "back")]);
        canvas.text(row(area, 1), Meaning::Muted, &format!("   {} · {keys}", error.advice()));
    } else if let Remote::Loading { since } = remote {
        canvas.text(row(area, 0), Meaning::Muted, &table::loading(app, *since));
    }
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn a_bar_is_as_long_as_its_share() {
        assert_eq!(bar(8, 8, 2), "██");
        assert_eq!(bar(0, 8, 2), "");
        assert_eq!(bar(1, 1_000_000, 2), "▏");
        assert_eq!(bar(9, 16, 2), "█▏");
        assert_eq!(bar(u64::MAX, 1, 2), "██", "never longer than its room");
        assert_eq!(bar(0, 0, 2), "");
    }
}
