use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::Style,
    text::{Line, Span},
    widgets::{Block, Clear, Widget},
};
use unicode_width::UnicodeWidthStr as _;

use super::picture::PlacedPicture;
use crate::{
    config::{Meaning, Styles},
    domain::text,
    widgets::layout::Tier,
};

/// Something on the screen that the mouse can hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// A tab of the top line, from 0.
    Tab(usize),
    /// A tab of a page, from 0.
    PageTab(usize),
    /// A row of a list or document: the pane (0 or 1) and the row's place among the rows held.
    Row(usize, usize),
}

/// What the mouse can hit on the screen that was drawn.
#[derive(Debug, Default)]
pub struct HitMap(Vec<(Rect, Hit)>);

impl HitMap {
    /// What lies at this cell; the last one drawn there wins.
    pub fn at(&self, column: u16, row: u16) -> Option<Hit> {
        self.0.iter().rev().find(|(area, _)| area.contains(Position::new(column, row))).map(|(_, hit)| *hit)
    }
}

/// What a drawn screen is besides its cells.
#[derive(Debug, Default)]
pub struct Drawn {
    /// What the mouse can hit.
    pub hits: HitMap,
    /// The pictures that no other thing covers. Their cells show them in half blocks; a terminal that can do better may.
    pub pictures: Vec<PlacedPicture>,
}

/// What is drawn on: cells, looks, and what else becomes of a screen.
pub(crate) struct Canvas<'a> {
    pub(crate) buffer: &'a mut Buffer,
    pub(crate) styles: &'a Styles,
    pub(crate) drawn: &'a mut Drawn,
}

/// A piece of text with a meaning.
pub(crate) type Part = (Meaning, String);

impl Canvas<'_> {
    pub(crate) fn style(&self, meaning: Meaning) -> Style {
        self.styles.of(meaning)
    }

    /// Parts as one line, cleaned: whatever came over the wire, no control character reaches a cell.
    pub(crate) fn line(&self, parts: impl IntoIterator<Item = Part>) -> Line<'static> {
        parts
            .into_iter()
            .map(|(meaning, text)| Span::styled(text::clean(&text).into_owned(), self.style(meaning)))
            .collect()
    }

    /// One line of text, cut at the area's end.
    pub(crate) fn text(&mut self, area: Rect, meaning: Meaning, content: &str) {
        if area.height > 0 && area.width > 0 {
            let width = usize::from(area.width);
            self.buffer.set_stringn(area.x, area.y, text::clip(content, width), width, self.styles.of(meaning));
        }
    }

    /// One line of parts, cut at the area's end.
    pub(crate) fn parts(&mut self, area: Rect, parts: impl IntoIterator<Item = Part>) {
        if area.height > 0 && area.width > 0 {
            let line = self.line(clip_parts(parts.into_iter().collect(), usize::from(area.width)));
            self.buffer.set_line(area.x, area.y, &line, area.width);
        }
    }

    /// One line of parts that ends at the area's end; nothing when it does not fit. Gives the columns used.
    pub(crate) fn parts_right(&mut self, area: Rect, parts: Vec<Part>) -> u16 {
        let width = width_of(&parts);
        if width > area.width || area.height == 0 {
            return 0;
        }
        self.parts(Rect { x: area.x + area.width - width, width, ..area }, parts);
        width
    }

    /// A frame with titles at its left and right; compact screens go without.
    pub(crate) fn frame(&mut self, pane: Rect, tier: Tier, is_focused: bool, left: Vec<Part>, right: Vec<Part>) {
        if tier <= Tier::Compact || pane.width < 4 || pane.height < 2 {
            return;
        }
        let meaning = if is_focused { Meaning::FocusedFrame } else { Meaning::Frame };
        Block::bordered().border_style(self.style(meaning)).render(pane, self.buffer);
        let room = Rect::new(pane.x + 1, pane.y, pane.width - 2, 1);
        let right_width = self.parts_right(room, padded(right));
        let left_room = Rect { width: room.width - right_width, ..room };
        self.parts(left_room, padded(clip_parts(left, usize::from(left_room.width).saturating_sub(2))));
    }

    /// Empties an area for something that lies over the rest.
    pub(crate) fn clear(&mut self, area: Rect) {
        Clear.render(area, self.buffer);
        self.drawn.pictures.retain(|placed| !placed.area.intersects(area));
    }

    /// Tells that a picture lies here.
    pub(crate) fn place(&mut self, picture: PlacedPicture) {
        self.drawn.pictures.push(picture);
    }

    /// Lays the cursor's style over a row.
    pub(crate) fn mark_row(&mut self, row: Rect, is_focused: bool) {
        self.buffer.set_style(row, self.styles.cursor(is_focused));
    }

    /// Lays the style of the chosen word over its parts, which the cursor's style has covered.
    pub(crate) fn mark_chosen(&mut self, row: Rect, parts: &[Part]) {
        let mut x = row.x;
        for (meaning, text) in parts {
            let width = u16::try_from(text.width()).unwrap_or(u16::MAX).min(row.right().saturating_sub(x));
            if *meaning == Meaning::Chosen {
                self.buffer.set_style(Rect { x, width, ..row }, self.styles.of(Meaning::Chosen));
            }
            x += width;
        }
    }

    pub(crate) fn hit(&mut self, area: Rect, hit: Hit) {
        self.drawn.hits.0.push((area, hit));
    }
}

fn padded(mut parts: Vec<Part>) -> Vec<Part> {
    if !parts.is_empty() {
        parts.insert(0, (Meaning::Text, " ".to_owned()));
        parts.push((Meaning::Text, " ".to_owned()));
    }
    parts
}

/// The terminal columns that parts take together.
pub(crate) fn width_of(parts: &[Part]) -> u16 {
    u16::try_from(parts.iter().map(|(_, text)| text.width()).sum::<usize>()).unwrap_or(u16::MAX)
}

/// Parts cut to this many columns.
pub(crate) fn clip_parts(parts: Vec<Part>, width: usize) -> Vec<Part> {
    let mut left = width;
    let mut result = Vec::with_capacity(parts.len());
    for (meaning, part) in parts {
        let part = text::clip(&part, left);
        left = left.saturating_sub(part.width());
        result.push((meaning, part));
    }
    result
}

/// The line at this place of an area, empty below its end.
pub(crate) fn row(area: Rect, place: u16) -> Rect {
    if place >= area.height {
        return Rect { height: 0, ..area };
    }
    Rect::new(area.x, area.y + place, area.width, 1)
}

/// An area in the middle of another.
pub(crate) fn centered(area: Rect, width: u16, height: u16) -> Rect {
    let width = width.min(area.width);
    let height = height.min(area.height);
    Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height)
}
