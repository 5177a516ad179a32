use image::{DynamicImage, RgbaImage, imageops};
use ratatui::layout::Size;
use ratatui_image::protocol::{Protocol as Encoded, iterm2::Iterm2, kitty::Kitty, sixel::Sixel};

use crate::{msg::Picture, widgets::picture::shrink};

/// Plausible width and height of a character, in pixels.
const CHARACTER: std::ops::RangeInclusive<u16> = 4..=128;
/// Maximum pixels of a picture on the screen; a larger picture stays in half blocks.
const MOST_PIXELS: u32 = 4_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Kitty's protocol, with placeholders in the cells.
    Kitty {
        /// Whether the terminal accepts compressed pixels.
        inflates: bool,
    },
    Sixel,
    /// PNG file, as iTerm2 expects.
    Iterm2,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Graphics {
    pub(super) protocol: Protocol,
    pub(super) character: Size,
    /// Character size that the system reports, in pixels; it may differ from the terminal's.
    pub(super) system: Option<Size>,
}

impl Graphics {
    /// Creates graphics with this character size; `None` if the size is implausible.
    pub fn new(protocol: Protocol, character: Size) -> Option<Self> {
        let is_likely = CHARACTER.contains(&character.width) && CHARACTER.contains(&character.height);
        is_likely.then_some(Self { protocol, character, system: None })
    }

    /// Updates the character size from the system.
    pub(super) fn measure(&mut self) {
        let now = system_character();
        if let Some(character) = now.filter(|_| self.system.is_some() && self.system != now)
            && let Some(graphics) = Self::new(self.protocol, character)
        {
            *self = Self { system: now, ..graphics };
        }
    }
}

/// Returns the character size that the system reports, in pixels; `None` if unknown.
pub(super) fn system_character() -> Option<Size> {
    let window = crossterm::terminal::window_size().ok()?;
    let character = Size::new(window.width.checked_div(window.columns)?, window.height.checked_div(window.rows)?);
    (character.width > 0 && character.height > 0).then_some(character)
}

/// Encodes a picture, centred in its cells with its aspect ratio; returns it with its approximate bytes, or `None` on
/// failure.
pub(super) fn encode(graphics: Graphics, id: u32, picture: &Picture, cells: Size) -> Option<(Encoded, usize)> {
    let width = u32::from(cells.width) * u32::from(graphics.character.width);
    let height = u32::from(cells.height) * u32::from(graphics.character.height);
    // With a single column, the backend would not position the cursor after the picture.
    if cells.width < 2 || cells.height == 0 || width.saturating_mul(height) > MOST_PIXELS {
        return None;
    }
    let small = shrink(picture, width, height);
    let small = RgbaImage::from_raw(small.width, small.height, small.rgba.into_vec())?;
    let mut whole = RgbaImage::new(width, height);
    let (left, top) = (width.saturating_sub(small.width()) / 2, height.saturating_sub(small.height()) / 2);
    imageops::replace(&mut whole, &small, left.into(), top.into());
    let image = DynamicImage::from(whole);
    let encoded = match graphics.protocol {
        Protocol::Kitty { inflates } => {
            let bytes = image.as_bytes().len() / 3 * 4;
            Kitty::new(image, cells, id, false, inflates).map(|kitty| (Encoded::Kitty(kitty), bytes))
        }
        Protocol::Sixel => Sixel::new(image, cells, false).map(|sixel| {
            let bytes = sixel.data.len();
            (Encoded::Sixel(sixel), bytes)
        }),
        Protocol::Iterm2 => Iterm2::new(image, cells, false).map(|file| {
            let bytes = file.data.len();
            (Encoded::ITerm2(file), bytes)
        }),
    };
    encoded.inspect_err(|error| tracing::warn!(%error, "cannot encode the picture")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_is_not_tried() {
        for (width, height) in [(0, 0), (3, 20), (10, 3), (10, 5_000), (u16::MAX, u16::MAX)] {
            assert_eq!(Graphics::new(Protocol::Sixel, Size::new(width, height)), None, "{width}×{height}");
        }
        let graphics = Graphics::new(Protocol::Sixel, Size::new(10, 20)).unwrap();
        let picture = Picture { width: 1, height: 1, rgba: [1, 2, 3, 255].into() };
        for cells in [Size::new(1, 5), Size::new(5, 0), Size::new(9_000, 9_000)] {
            assert!(encode(graphics, 1, &picture, cells).is_none(), "{cells}");
        }
        let lying = Picture { width: 500, height: 500, rgba: [1, 2, 3].into() };
        assert!(encode(graphics, 1, &lying, Size::new(8, 4)).is_some(), "what it lacks is clear");
    }
}
