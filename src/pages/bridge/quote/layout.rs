//! Where the parts of the side are.

use ratatui::layout::Rect;

use super::offers::VARIANTS;
use crate::widgets::layout::{Regions, Tier, cut_rows};

/// Columns of the names of measures.
const NAMES: u16 = 14;
/// Columns that a route needs beside others.
const COLUMN_LEAST: u16 = 20;
/// Columns that a route fills at the most.
const COLUMN_MOST: u16 = 64;
/// Rows of the hops that are worth giving up measures for.
const ROUTE_LINES_LEAST: u16 = 3;
/// Measures that are shown before any hop.
const MEASURES_LEAST: u16 = 4;
/// Rows that form and routes need before anything stands below them.
const QUOTE_LEAST: u16 = 26;
/// Rows beside those of transfers in their pane: its frame and the names of its columns.
const BESIDE_TRANSFERS: u16 = 3;
/// Transfers that stand below the routes at the most.
const TRANSFERS_MOST: u16 = 12;
/// From so many rows within the pane on the hops have a heading.
const HEADING_FROM: u16 = 18;

/// The parts of the side on a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QuoteLayout {
    pub(crate) form: Rect,
    /// The three rows of the form.
    pub(crate) fields: Rect,
    pub(crate) routes: Rect,
    /// The names of the routes, and the measures below them.
    pub(crate) table: Rect,
    /// The line above the hops; empty where there is little room.
    pub(crate) heading: Rect,
    /// The hops of the chosen route.
    pub(crate) route_lines: Rect,
    /// Where the first transfers stand; empty where there are none, or little room.
    pub(crate) transfers: Rect,
    /// Columns of one route; all of them are beside each other where this is less than half of the table.
    pub(crate) column: u16,
    /// Whether only the chosen route is in the table.
    pub(crate) is_single: bool,
}

impl QuoteLayout {
    /// Cuts a screen for a table of so many measures, and for so many transfers below it.
    pub(crate) fn of(regions: &Regions, measures: usize, transfers: usize) -> Self {
        let frame = if regions.tier <= Tier::Compact { 0 } else { 2 };
        let (body, transfers) = with_transfers(regions, transfers);
        let height = (3 + frame).min(body.height);
        let form = Rect { height, ..body };
        let routes = Rect { y: body.y + height, height: body.height - height, ..body };
        let inner = regions.inner(routes);
        let measures = u16::try_from(measures).unwrap_or(u16::MAX);
        let most = 1 + measures;
        let rows = most.min(inner.height.saturating_sub(ROUTE_LINES_LEAST).max((1 + MEASURES_LEAST).min(inner.height)));
        let heading = u16::from(inner.height >= HEADING_FROM);
        let named = regions.list_names(routes);
        let room = named.width.saturating_sub(NAMES);
        let count = u16::try_from(VARIANTS).unwrap_or(1);
        let is_single = room / count < COLUMN_LEAST;
        Self {
            form,
            fields: regions.list_names(form),
            routes,
            table: Rect { height: rows, ..named },
            heading: Rect { y: named.y + rows, height: heading, ..named },
            transfers,
            route_lines: Rect { y: inner.y + rows + heading, height: inner.height - rows - heading, ..inner },
            column: if is_single { room } else { (room / count).min(COLUMN_MOST) },
            is_single,
        }
    }

    /// The columns of the route at this place among those shown; the measures' names stand before the first one.
    pub(crate) fn column_at(&self, place: u16) -> Rect {
        let x = self.table.x + NAMES.min(self.table.width) + self.column * place;
        Rect { x, width: self.column.saturating_sub(1), ..self.table }
    }
}

/// The body without, and with, what stands below form and routes.
fn with_transfers(regions: &Regions, count: usize) -> (Rect, Rect) {
    let body = regions.body;
    let room = body.height.saturating_sub(QUOTE_LEAST);
    let rows = u16::try_from(count).unwrap_or(u16::MAX).min(TRANSFERS_MOST);
    let is_shown = rows > 0 && room > BESIDE_TRANSFERS && regions.tier > Tier::Compact;
    let height = if is_shown { (rows + BESIDE_TRANSFERS).min(room) } else { 0 };
    cut_rows(body, body.height - height)
}
