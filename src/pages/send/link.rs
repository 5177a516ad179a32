//! Link to a web bridge with this route, and its QR code.

use ratatui::{layout::Rect, style::Style};

use super::{
    SendPage,
    line::{Line, SendLine},
};
use crate::{
    app::Context,
    config::{Meaning, PictureColors},
    domain::{QrMatrix, text, web_bridge_link},
    widgets::{canvas::Canvas, document, layout::Regions, picture::plain_color},
};

impl SendPage {
    /// Returns the link, with both ends of the route.
    pub(super) fn web_link(&self) -> String {
        let route = &self.route.value;
        web_bridge_link(
            (&route.source_asset_chain_id, &route.source_asset_denom),
            (&route.dest_asset_chain_id, &route.dest_asset_denom),
        )
    }

    /// Returns the lines above the QR code.
    pub(super) fn link_lines(&self, cx: &Context) -> Vec<Line> {
        let regions = Regions::new(cx.size);
        let width = usize::from(regions.inner(regions.body).width).saturating_sub(2).max(16);
        let link = self.web_link();
        let named = |meaning, words: &str| Line::at(0).named(SendLine::Link).with(meaning, words).copying(&*link);
        let mut lines: Vec<Line> = text::wrap(&link, width, 16).iter().map(|row| named(Meaning::Link, row)).collect();
        let words = "Skip's web bridge supports the chains of Skip's router. The link selects both chains and assets, but \
         not the amount. y copies the link, Esc goes back. After sending there, type the hash here.";
        lines.extend(text::wrap(words, width, 8).iter().map(|row| named(Meaning::Muted, row)));
        lines
    }

    /// Draws the link and, if there is room, its QR code.
    pub(super) fn draw_link(&self, canvas: &mut Canvas<'_>, room: Rect) {
        let rows = u16::try_from(self.document.counts().1).unwrap_or(u16::MAX).min(room.height);
        document::draw::draw(canvas, Rect { height: rows, ..room }, &self.document, true, 0);
        let rest = Rect { y: room.y + rows, height: room.height - rows, ..room };
        if canvas.styles.is_ascii() {
            return canvas.text(rest, Meaning::Muted, "The QR code needs Unicode: ascii = false shows it.");
        }
        let Some(code) = QrMatrix::new(&self.web_link()) else { return };
        let (Ok(columns), Ok(height)) = (u16::try_from(code.columns()), u16::try_from(code.rows())) else { return };
        if columns > rest.width || height > rest.height {
            let words = format!("A terminal of {} × {} also shows the QR code.", columns + 4, height + rows + 8);
            return canvas.text(rest, Meaning::Muted, &words);
        }
        let colors = canvas.styles.picture_colors();
        let style = if colors == PictureColors::None {
            Style::reset()
        } else {
            Style::reset().fg(plain_color([255; 3], colors)).bg(plain_color([0; 3], colors))
        };
        for row in 0..height {
            for column in 0..columns {
                let symbol = QrMatrix::symbol(code.cell(usize::from(column), usize::from(row)));
                if let Some(cell) = canvas.buffer.cell_mut((rest.x + column, rest.y + row)) {
                    cell.set_char(symbol).set_style(style);
                }
            }
        }
    }
}
