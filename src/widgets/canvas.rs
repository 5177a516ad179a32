use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::{Modifier, Style},
    text::{Line, Span},
    widgets::{Block, Clear, Widget},
};
use unicode_width::UnicodeWidthStr as _;

use super::picture::PlacedPicture;
use crate::{
    config::{Command, Key, Meaning, Styles},
    domain::text,
    widgets::layout::Tier,
};

/// Minimum columns of a selected word that is marked elsewhere, too.
const LEAST_MARKED: usize = 4;

/// Part of the screen that reacts to the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// Tab of the header, from 0.
    Tab(usize),
    /// Tab of a page, from 0.
    PageTab(usize),
    /// Row of a list or document: the pane (0 or 1) and the row's index among the rows held.
    Row(usize, usize),
    /// Name above a column of a list: the pane (0 or 1) and the column's id.
    ColumnName(usize, &'static str),
    /// Key in the header or the footer.
    Key(Command),
    /// Key that an overlay or a typed prefix waits for.
    Press(Key),
}

/// Mouse targets of the last drawn screen, in drawing order.
#[derive(Debug, Default)]
pub struct HitMap(Vec<(Rect, Hit)>);

impl HitMap {
    /// Returns the target at a cell; the target drawn last wins.
    pub fn at(&self, column: u16, row: u16) -> Option<Hit> {
        self.0.iter().rev().find(|(area, _)| area.contains(Position::new(column, row))).map(|(_, hit)| *hit)
    }
}

/// Mouse targets and pictures of a drawn screen.
#[derive(Debug, Default)]
pub struct Drawn {
    pub hits: HitMap,
    /// Uncovered pictures. Their cells show half blocks; a terminal with a picture protocol may draw over them.
    pub pictures: Vec<PlacedPicture>,
    /// Text of the selected word.
    chosen: Option<String>,
}

/// Drawing surface: the cell buffer, the styles, and the mouse targets and pictures drawn so far.
pub(crate) struct Canvas<'a> {
    pub(crate) buffer: &'a mut Buffer,
    pub(crate) styles: &'a Styles,
    pub(crate) drawn: &'a mut Drawn,
}

pub(crate) type Part = (Meaning, String);

impl Canvas<'_> {
    pub(crate) fn style(&self, meaning: Meaning) -> Style {
        self.styles.of(meaning)
    }

    /// Joins parts to one line and removes control characters, which a server may have sent.
    pub(crate) fn line(&self, parts: impl IntoIterator<Item = Part>) -> Line<'static> {
        parts
            .into_iter()
            .map(|(meaning, text)| Span::styled(text::clean(&text).into_owned(), self.style(meaning)))
            .collect()
    }

    /// Draws one line of text, cut at the area's end.
    pub(crate) fn text(&mut self, area: Rect, meaning: Meaning, content: &str) {
        if area.height > 0 && area.width > 0 {
            let width = usize::from(area.width);
            self.buffer.set_stringn(area.x, area.y, text::clip(content, width), width, self.styles.of(meaning));
        }
    }

    /// Draws one line of parts, cut at the area's end.
    pub(crate) fn parts(&mut self, area: Rect, parts: impl IntoIterator<Item = Part>) {
        if area.height > 0 && area.width > 0 {
            let line = self.line(clip_parts(parts.into_iter().collect(), usize::from(area.width)));
            self.buffer.set_line(area.x, area.y, &line, area.width);
        }
    }

    /// Draws one line of parts right-aligned, or nothing if it does not fit. Returns the columns used.
    pub(crate) fn parts_right(&mut self, area: Rect, parts: Vec<Part>) -> u16 {
        let width = width_of(&parts);
        if width > area.width || area.height == 0 {
            return 0;
        }
        self.parts(Rect { x: area.x + area.width - width, width, ..area }, parts);
        width
    }

    /// Draws a frame with titles at its left and right, except on compact screens. The right title's first parts give
    /// way to the left one's name.
    pub(crate) fn frame(&mut self, pane: Rect, tier: Tier, is_focused: bool, left: Vec<Part>, mut right: Vec<Part>) {
        if tier <= Tier::Compact || pane.width < 4 || pane.height < 2 {
            return;
        }
        let meaning = if is_focused { Meaning::FocusedFrame } else { Meaning::Frame };
        Block::bordered().border_style(self.style(meaning)).render(pane, self.buffer);
        let room = Rect::new(pane.x + 1, pane.y, pane.width - 2, 1);
        let name = width_of(left.get(..1).unwrap_or_default());
        while right.len() > 1 && width_of(&right).saturating_add(name + 4) > room.width {
            right.remove(0);
        }
        let right_width = self.parts_right(room, padded(right));
        let left_room = Rect { width: room.width - right_width, ..room };
        self.parts(left_room, padded(clip_parts(left, usize::from(left_room.width).saturating_sub(2))));
    }

    pub(crate) fn clear(&mut self, area: Rect) {
        Clear.render(area, self.buffer);
        self.drawn.pictures.retain(|placed| !placed.area.intersects(area));
    }

    /// Dims what is drawn, except pictures, whose half blocks need both of their colours.
    pub(crate) fn dim(&mut self, area: Rect) {
        let style = self.styles.behind_dialog();
        for position in area.intersection(self.buffer.area).positions() {
            if let Some(cell) = self.buffer.cell_mut(position)
                && !matches!(cell.symbol(), "▀" | "▄")
            {
                cell.set_style(style);
            }
        }
    }

    pub(crate) fn place(&mut self, picture: PlacedPicture) {
        self.drawn.pictures.push(picture);
    }

    /// Applies the cursor's style to a row.
    pub(crate) fn mark_row(&mut self, row: Rect, is_focused: bool) {
        self.buffer.set_style(row, self.styles.cursor(is_focused));
    }

    /// Restores the style of the chosen word under the cursor's style.
    pub(crate) fn mark_chosen(&mut self, row: Rect, parts: &[Part]) {
        let mut x = row.x;
        for (meaning, text) in parts {
            let width = u16::try_from(text.width()).unwrap_or(u16::MAX).min(row.right().saturating_sub(x));
            if *meaning == Meaning::Chosen {
                self.buffer.set_style(Rect { x, width, ..row }, self.styles.of(Meaning::Chosen));
                self.drawn.chosen = Some(text.clone());
            }
            x += width;
        }
    }

    /// Underlines the selected word wherever else it stands in an area, so that equal accounts and amounts are seen.
    pub(crate) fn mark_equal(&mut self, area: Rect) {
        let Some(word) = self.drawn.chosen.take().filter(|word| word.width() >= LEAST_MARKED) else { return };
        let style = Style::new().add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED));
        // A row's text, and the column of each of its bytes, since a cell may hold several.
        let (mut text, mut columns) = (String::new(), Vec::new());
        for y in area.top()..area.bottom() {
            text.clear();
            columns.clear();
            for x in area.left()..area.right() {
                let symbol = self.buffer.cell((x, y)).map_or(" ", |cell| cell.symbol());
                columns.extend(std::iter::repeat_n(x, symbol.len()));
                text.push_str(symbol);
            }
            for (start, found) in text.match_indices(word.as_str()) {
                let is_end = |beside: Option<char>| !beside.is_some_and(char::is_alphanumeric);
                let (before, after) = (text.get(..start), text.get(start + found.len()..));
                let (before, after) =
                    (before.and_then(|text| text.chars().next_back()), after.and_then(|text| text.chars().next()));
                if let Some(x) = columns.get(start).filter(|_| is_end(before) && is_end(after)) {
                    let width = u16::try_from(found.width()).unwrap_or(u16::MAX).min(area.right() - x);
                    self.buffer.set_style(Rect { x: *x, y, width, height: 1 }, style);
                }
            }
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

/// Returns the total width of the parts, in terminal columns.
pub(crate) fn width_of(parts: &[Part]) -> u16 {
    u16::try_from(parts.iter().map(|(_, text)| text.width()).sum::<usize>()).unwrap_or(u16::MAX)
}

/// Returns the first of the texts that fits in these columns, else the last one.
pub(crate) fn fitting(width: usize, texts: &[String]) -> String {
    texts.iter().find(|text| text.width() <= width).or(texts.last()).cloned().unwrap_or_default()
}

/// Cuts parts to `width` terminal columns.
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

/// Returns line `place` of an area, or an empty area below its end.
pub(crate) fn row(area: Rect, place: u16) -> Rect {
    if place >= area.height {
        return Rect { height: 0, ..area };
    }
    Rect::new(area.x, area.y + place, area.width, 1)
}

/// Centres a box of this size in an area.
pub(crate) fn centered(area: Rect, width: u16, height: u16) -> Rect {
    let width = width.min(area.width);
    let height = height.min(area.height);
    Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height)
}
