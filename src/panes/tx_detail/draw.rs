//! Draws a transaction with tabs.

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use super::TxDetail;
use crate::{
    app::page::{Drawing, TxTab},
    config::Meaning,
    domain::text,
    widgets::{
        Hit,
        canvas::{Canvas, Part, row},
        document::draw as document,
        layout::Tier,
    },
};

/// Where to draw a transaction with tabs.
pub(crate) struct DetailFrame {
    pub(crate) pane: Rect,
    /// Index of the pane, 0 or 1, for mouse clicks.
    pub(crate) place: usize,
    pub(crate) title: Vec<Part>,
    pub(crate) is_focused: bool,
}

impl TxDetail {
    pub(crate) fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>, frame: DetailFrame) {
        let (DetailFrame { pane, place, title, is_focused }, regions) = (frame, cx.regions);
        let filtered = self.document.as_ref().filter(|document| !document.filter().is_empty());
        let right = match filtered {
            Some(document) => {
                let counts = document.unit_counts().map(|counts| (counts, "events"));
                let ((shown, all), noun) = counts.unwrap_or((document.counts(), "lines"));
                vec![(Meaning::Heading, format!("“{}” {shown} of {all} {noun}", text::clip(document.filter(), 24)))]
            }
            None => word(self),
        };
        canvas.frame(pane, regions.tier, is_focused, title, right);
        let inner = regions.inner(pane);
        draw_tabs(canvas, row(inner, 0), self);
        if filtered.is_some() && regions.tier <= Tier::Compact {
            canvas.parts_right(row(inner, 0), vec![(Meaning::Heading, "filtered ".to_owned())]);
        }
        if let Some(lines) = &self.document {
            document::draw(canvas, regions.document_rows(pane), lines, is_focused, place);
        }
    }
}

/// Describes the selected word and its evidence, or names the word whose events are shown.
fn word(detail: &TxDetail) -> Vec<Part> {
    let Some(document) = &detail.document else { return Vec::new() };
    let events = |count: usize| if count == 1 { "1 event".to_owned() } else { format!("{count} events") };
    if let Some(word) = detail.traced_word() {
        let count = events(document.marked().len());
        return vec![(Meaning::Heading, format!("→ {count} behind “{}”", text::clip(word, 24)))];
    }
    let (Some(word_ref), Some(word)) = (document.chosen(), document.meant_text()) else { return Vec::new() };
    let behind = if word_ref.events.is_empty() { "opens".to_owned() } else { events(word_ref.events.len()) };
    vec![(Meaning::Heading, format!("“{}” ↵ {behind}", text::clip(&word, 24)))]
}

fn draw_tabs(canvas: &mut Canvas<'_>, area: Rect, detail: &TxDetail) {
    let mut x = area.x;
    for (place, &tab) in TxTab::all(detail.has_evm).iter().enumerate() {
        let (meaning, label) = if tab == detail.tab {
            (Meaning::ActiveTab, format!("[{tab}]"))
        } else {
            (Meaning::Muted, format!(" {tab} "))
        };
        let width = u16::try_from(label.width()).unwrap_or(u16::MAX);
        if x + width > area.right() || area.height == 0 {
            return;
        }
        let cell = Rect::new(x, area.y, width, 1);
        canvas.text(cell, meaning, &label);
        canvas.hit(cell, Hit::PageTab(place));
        x += width;
    }
}
