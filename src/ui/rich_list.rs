//! The rich list tab.

use super::{
    pane::Canvas,
    table::{self, Column, Listing},
};
use crate::{
    app::{App, layout::Regions, rich_list::RichListView},
    config::Meaning,
    domain::text,
};

const COLUMNS: [Column; 3] = [
    Column::new("rank", 7).right(),
    Column::new("account", 44).growing(),
    Column::new("amount, smallest unit", 40).right(),
];

/// The holders of a denom.
pub(super) fn draw(canvas: &mut Canvas<'_>, app: &App, view: &RichListView, regions: &Regions) {
    let listing = Listing {
        pane: regions.body,
        place: 0,
        title: view.title(),
        is_focused: true,
        columns: &COLUMNS,
        empty: "nobody holds this, or the server keeps no rich list",
        is_sifted: false,
    };
    table::draw(canvas, app, regions, &view.list, &listing, |row| {
        vec![
            (Meaning::Muted, text::group(row.rank.get())),
            (Meaning::Link, text::clip(&row.holder.account, 70)),
            (Meaning::Text, row.holder.amount.to_string()),
        ]
    });
}
