//! Pictures in terminal cells: each cell shows two pixels, one above the other.

mod scale;

pub(crate) use scale::{shrink, thumbnail};

use std::sync::Arc;

use ratatui::{
    layout::Rect,
    style::{Color, Style},
};

use crate::{
    config::PictureColors,
    msg::Picture,
    widgets::canvas::{Canvas, centered},
};

/// Minimum opacity of a drawn pixel. Below it the terminal's background shows.
const SEEN: u8 = 128;
/// Characters from dark to light for terminals without colour.
const RAMP: [char; 9] = ['·', ':', '-', '=', '+', '*', '#', '%', '@'];

#[derive(Clone, Debug)]
pub struct PlacedPicture {
    pub picture: Arc<Picture>,
    /// Cells of the picture. Drawing assumes that a cell is twice as high as wide.
    pub area: Rect,
}

/// Colour of a pixel; `None` for a transparent pixel.
type Pixel = Option<[u8; 3]>;

/// Draws a picture in the centre of `room`, as large as fits, with its aspect ratio.
pub(crate) fn draw(canvas: &mut Canvas<'_>, room: Rect, picture: &Arc<Picture>) {
    if room.is_empty() || picture.width == 0 || picture.height == 0 {
        return;
    }
    let colors = canvas.styles.picture_colors();
    let small = shrink(picture, u32::from(room.width), 2 * u32::from(room.height));
    let cells = |pixels: u32| u16::try_from(pixels).unwrap_or(u16::MAX);
    let area = centered(room, cells(small.width), cells(small.height.div_ceil(2)));
    for (y, row) in (area.y..area.bottom()).zip((0..).step_by(2)) {
        for (x, column) in (area.x..area.right()).zip(0..) {
            let pixel = |row| small.pixel(column, row).and_then(seen);
            let (symbol, style) = cell(pixel(row), pixel(row + 1), colors);
            if let Some(cell) = canvas.buffer.cell_mut((x, y)) {
                cell.set_char(symbol).set_style(style);
            }
        }
    }
    canvas.place(PlacedPicture { picture: Arc::clone(picture), area });
}

fn seen([red, green, blue, opacity]: [u8; 4]) -> Pixel {
    (opacity >= SEEN).then_some([red, green, blue])
}

/// Returns the character for two pixels, one above the other; transparent pixels show the terminal's background.
fn cell(upper: Pixel, lower: Pixel, colors: PictureColors) -> (char, Style) {
    let style = Style::reset();
    if colors == PictureColors::None {
        return (shade(upper, lower), style);
    }
    let color = |pixel| if colors == PictureColors::True { exact(pixel) } else { indexed(pixel) };
    match (upper, lower) {
        (None, None) => (' ', style),
        (Some(upper), None) => ('▀', style.fg(color(upper))),
        (None, Some(lower)) => ('▄', style.fg(color(lower))),
        (Some(upper), Some(lower)) => ('▀', style.fg(color(upper)).bg(color(lower))),
    }
}

/// Returns a colour as near to the pixel's as the terminal supports, independent of the theme.
pub(crate) fn plain_color(pixel: [u8; 3], colors: PictureColors) -> Color {
    if colors == PictureColors::True { exact(pixel) } else { indexed(pixel) }
}

fn exact([red, green, blue]: [u8; 3]) -> Color {
    Color::Rgb(red, green, blue)
}

/// Returns the nearest of the 216 colours and 24 greys of the xterm palette.
fn indexed(pixel: [u8; 3]) -> Color {
    let level = |part: u8| match part {
        0..48 => 0,
        48..115 => 1,
        _ => (part - 35) / 40,
    };
    let shown = |level: u8| if level == 0 { 0 } else { 55 + 40 * level };
    let levels = pixel.map(level);
    let cube = levels.map(shown);
    let mean = pixel.iter().map(|&part| u16::from(part)).sum::<u16>() / 3;
    let step = u8::try_from((mean.saturating_sub(3) / 10).min(23)).unwrap_or(23);
    let grey = [8 + 10 * step; 3];
    if distance(pixel, grey) < distance(pixel, cube) {
        return Color::Indexed(232 + step);
    }
    let [red, green, blue] = levels;
    Color::Indexed(16 + 36 * red + 6 * green + blue)
}

fn distance(one: [u8; 3], other: [u8; 3]) -> u32 {
    one.iter().zip(other).map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

/// Returns a character whose density matches the brightness of the visible pixels.
fn shade(upper: Pixel, lower: Pixel) -> char {
    let lights: Vec<u32> = [upper, lower].into_iter().flatten().map(light).collect();
    let Some(mean) = lights.iter().sum::<u32>().checked_div(u32::try_from(lights.len()).unwrap_or(1)) else {
        return ' ';
    };
    RAMP.get(mean as usize * RAMP.len() / 256).or(RAMP.last()).copied().unwrap_or_default()
}

/// Returns the perceived brightness of a colour, 0 to 255.
fn light([red, green, blue]: [u8; 3]) -> u32 {
    (u32::from(red) * 54 + u32::from(green) * 183 + u32::from(blue) * 19) / 256
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Pixel = Some([255, 0, 0]);

    #[test]
    fn what_is_not_seen_is_the_background() {
        for colors in [PictureColors::True, PictureColors::Indexed] {
            assert_eq!(cell(None, None, colors), (' ', Style::reset()));
            let (symbol, style) = cell(None, RED, colors);
            assert_eq!((symbol, style.bg), ('▄', Some(Color::Reset)));
            let (symbol, style) = cell(RED, None, colors);
            assert_eq!((symbol, style.bg), ('▀', Some(Color::Reset)));
        }
        assert_eq!(cell(None, None, PictureColors::None).0, ' ');
    }

    #[test]
    fn colours_are_the_nearest_that_there_are() {
        assert_eq!(cell(RED, RED, PictureColors::True).1.fg, Some(Color::Rgb(255, 0, 0)));
        for (pixel, index) in [
            ([255, 0, 0], 196),
            ([0, 0, 0], 16),
            ([255, 255, 255], 231),
            ([128, 128, 128], 244),
            ([95, 135, 175], 67),
            ([9, 9, 9], 232),
        ] {
            assert_eq!(indexed(pixel), Color::Indexed(index), "{pixel:?}");
        }
    }

    #[test]
    fn without_colours_light_is_fullness() {
        let shades: Vec<char> = [0, 60, 128, 255].map(|part| shade(Some([part; 3]), None)).into();
        let places: Vec<_> = shades.iter().map(|shade| RAMP.iter().position(|known| known == shade)).collect();
        assert!(places.is_sorted() && places[0] == Some(0) && places[3] == Some(8), "{shades:?}");
        assert_eq!(cell(RED, RED, PictureColors::None).1, Style::reset());
    }
}
