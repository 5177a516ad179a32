//! Layout of the quote side.

use ratatui::layout::Rect;

use super::offers::VARIANTS;
use crate::widgets::layout::{Regions, Tier, cut_rows};

const NAMES: u16 = 14;
/// Minimum columns of a route next to other routes.
const COLUMN_LEAST: u16 = 20;
/// Maximum columns of a route.
const COLUMN_MOST: u16 = 64;
/// Minimum rows of hops. With fewer, the table has fewer rows.
const ROUTE_LINES_LEAST: u16 = 3;
/// Number of table rows that come before the hops.
const MEASURES_LEAST: u16 = 4;
/// Minimum rows of form and routes. Further rows go to the lines below.
const QUOTE_LEAST: u16 = 26;
/// Rows of frame and column names in the transfers' pane.
const BESIDE_TRANSFERS: u16 = 3;
/// Maximum transfers below the routes.
const TRANSFERS_MOST: u16 = 12;
/// Minimum rows of the pane in which the hops have a heading.
const HEADING_FROM: u16 = 18;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QuoteLayout {
    pub(crate) form: Rect,
    /// Form, of three rows.
    pub(crate) fields: Rect,
    pub(crate) routes: Rect,
    /// Names of the routes, and the rows below them.
    pub(crate) table: Rect,
    /// Heading of the hops; empty if there is no room.
    pub(crate) heading: Rect,
    pub(crate) route_lines: Rect,
    /// First transfers; empty if there are none or no room.
    pub(crate) transfers: Rect,
    /// Columns of one route. All routes are shown if this is less than half of the table.
    pub(crate) column: u16,
    /// Whether the table only shows the selected route.
    pub(crate) is_single: bool,
}

impl QuoteLayout {
    /// Lays out the side for this number of table rows and transfers.
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

    /// Returns the column of the visible route at this index. The rows' names come before the first.
    pub(crate) fn column_at(&self, place: u16) -> Rect {
        let x = self.table.x + NAMES.min(self.table.width) + self.column * place;
        Rect { x, width: self.column.saturating_sub(1), ..self.table }
    }
}

/// Returns the area above the transfers, and the transfers' own.
fn with_transfers(regions: &Regions, count: usize) -> (Rect, Rect) {
    let body = regions.body;
    let room = body.height.saturating_sub(QUOTE_LEAST);
    let rows = u16::try_from(count).unwrap_or(u16::MAX).min(TRANSFERS_MOST);
    let is_shown = rows > 0 && room > BESIDE_TRANSFERS && regions.tier > Tier::Compact;
    let height = if is_shown { (rows + BESIDE_TRANSFERS).min(room) } else { 0 };
    cut_rows(body, body.height - height)
}
