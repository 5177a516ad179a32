use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::{Color, Modifier, Style},
    widgets::{Clear, Widget},
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

    /// Draws one line of text, cut at the area's end.
    pub(crate) fn text(&mut self, area: Rect, meaning: Meaning, content: &str) {
        if area.height > 0 && area.width > 0 {
            self.write(area, self.style(meaning), &text::clip(content, usize::from(area.width)));
        }
    }

    /// Draws one line of parts, cut at the area's end and without control characters, which a server may have sent.
    pub(crate) fn parts(&mut self, area: Rect, parts: impl IntoIterator<Item = Part>) {
        if area.height > 0 && area.width > 0 {
            let mut rest = area;
            for (meaning, text) in clip_parts(parts.into_iter().collect(), usize::from(area.width)) {
                rest.x = self.write(rest, self.style(meaning), &text);
                rest.width = area.right().saturating_sub(rest.x);
            }
        }
    }

    /// Writes clean text into an area's first line, and returns the column after it. Most texts have one character in
    /// each cell, which needs no search for the ends of graphemes.
    pub(crate) fn write(&mut self, area: Rect, style: Style, text: &str) -> u16 {
        let room = area.width.min(self.buffer.area.right().saturating_sub(area.x));
        let start = Position::new(area.x, area.y);
        if !text::is_simple(text) || room == 0 || !self.buffer.area.contains(start) {
            return self.buffer.set_stringn(area.x, area.y, text, usize::from(area.width), style).0;
        }
        let first = self.buffer.index_of(start.x, start.y);
        let cells = self.buffer.content.get_mut(first..first + usize::from(room)).unwrap_or_default();
        let mut column = area.x;
        for (cell, character) in cells.iter_mut().zip(text.chars()) {
            cell.set_char(character).set_style(style);
            column += 1;
        }
        column
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
        self.borders(pane, if is_focused { Meaning::FocusedFrame } else { Meaning::Frame });
        let room = Rect::new(pane.x + 1, pane.y, pane.width - 2, 1);
        let name = width_of(left.get(..1).unwrap_or_default());
        while right.len() > 1 && width_of(&right).saturating_add(name + 4) > room.width {
            right.remove(0);
        }
        let right_width = self.parts_right(room, padded(right));
        let left_room = Rect { width: room.width - right_width, ..room };
        self.parts(left_room, padded(clip_parts(left, usize::from(left_room.width).saturating_sub(2))));
    }

    /// Draws a border along the inside of an area, and leaves the cells within it alone.
    fn borders(&mut self, area: Rect, meaning: Meaning) {
        let (style, last) = (self.style(meaning), area.height.saturating_sub(1));
        let line = "─".repeat(usize::from(area.width.saturating_sub(2)));
        self.write(row(area, 0), style, &format!("┌{line}┐"));
        self.write(row(area, last), style, &format!("└{line}┘"));
        for side in (1..last).map(|place| row(area, place)) {
            self.write(side, style, "│");
            self.write(Rect { x: side.right().saturating_sub(1), width: 1, ..side }, style, "│");
        }
    }

    pub(crate) fn clear(&mut self, area: Rect) {
        Clear.render(area, self.buffer);
        self.drawn.pictures.retain(|placed| !placed.area.intersects(area));
    }

    /// Dims what is drawn, except pictures, whose half blocks need both of their colours; those of bars have one.
    pub(crate) fn dim(&mut self, area: Rect) {
        let style = self.styles.behind_dialog();
        for position in area.intersection(self.buffer.area).positions() {
            if let Some(cell) = self.buffer.cell_mut(position)
                && (cell.bg == Color::Reset || !matches!(cell.symbol(), "▀" | "▄"))
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
    u16::try_from(parts.iter().map(|(_, text)| text::columns(text)).sum::<usize>()).unwrap_or(u16::MAX)
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
        left = left.saturating_sub(text::columns(&part));
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::widgets::Block;

    use super::*;

    /// Draws on a canvas of 12 by 4 cells, and with ratatui alone.
    fn drawn(draw: impl FnOnce(&mut Canvas<'_>), expected: impl FnOnce(&mut Buffer, Style)) -> [Buffer; 2] {
        let styles = Styles::new(crate::config::ThemeName::Dark);
        let mut buffers = [(); 2].map(|()| Buffer::filled(Rect::new(0, 0, 12, 4), ratatui::buffer::Cell::new("x")));
        let [buffer, other] = &mut buffers;
        draw(&mut Canvas { buffer, styles: &styles, drawn: &mut Drawn::default() });
        expected(other, styles.of(Meaning::Good));
        buffers
    }

    #[test]
    fn bars_are_dimmed_and_pictures_are_not() {
        let picture = Style::new().fg(Color::Red).bg(Color::Blue);
        let [dimmed, expected] = drawn(
            |canvas| {
                canvas.buffer.set_string(0, 0, "▄", picture);
                canvas.buffer.set_string(1, 0, "▄", Style::new().fg(Color::Red));
                canvas.dim(Rect::new(0, 0, 2, 1));
            },
            |buffer, _| {
                buffer.set_string(0, 0, "▄", picture);
                buffer.set_string(1, 0, "▄", Styles::new(crate::config::ThemeName::Dark).behind_dialog());
            },
        );
        assert_eq!(dimmed, expected);
    }

    proptest! {
        #[test]
        fn text_is_written_as_ratatui_writes_it(
            text in "([a-z0-9 ]|[‐-‧]|[─-▟]|[‹›←≈●○✓✗]|[漢é🎉]|\u{301}|\u{fe0f}|\u{1f3fd}){0,16}",
            (x, width) in (0..14_u16, 0..14_u16),
        ) {
            let area = Rect { x, y: 1, width, height: 1 };
            let text = text::clean(&text).into_owned();
            let [written, expected] = drawn(
                |canvas| {
                    canvas.write(area, canvas.style(Meaning::Good), &text);
                },
                |buffer, style| {
                    buffer.set_stringn(x, 1, &text, usize::from(width), style);
                },
            );
            prop_assert_eq!(written, expected);
        }
    }

    #[test]
    fn a_border_is_drawn_as_ratatui_draws_it() {
        for (width, height) in [(12, 4), (5, 3), (4, 2)] {
            let area = Rect { x: 0, y: 0, width, height };
            let [written, expected] = drawn(
                |canvas| canvas.borders(area, Meaning::Good),
                |buffer, style| Block::bordered().border_style(style).render(area, buffer),
            );
            assert_eq!(written, expected);
        }
    }
}
