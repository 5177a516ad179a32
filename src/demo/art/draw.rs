pub(super) const SIDE: usize = 48;

/// Names of the backgrounds.
pub(super) const GROUNDS: [&str; 5] = ["Plain", "Stripes", "Dots", "Rings", "Checks"];

/// Palette indices of the colours.
pub(super) mod ink {
    pub(in crate::demo::art) const GROUND: u8 = 0;
    pub(in crate::demo::art) const SHADE: u8 = 1;
    pub(in crate::demo::art) const OUTLINE: u8 = 2;
    pub(in crate::demo::art) const DARK: u8 = 3;
    pub(in crate::demo::art) const MIDDLE: u8 = 4;
    pub(in crate::demo::art) const LIGHT: u8 = 5;
    pub(in crate::demo::art) const ACCENT: u8 = 6;
    pub(in crate::demo::art) const WHITE: u8 = 7;
}

/// Square canvas of palette indices.
#[derive(Clone, Debug)]
pub(super) struct PixelCanvas(Vec<u8>);

impl PixelCanvas {
    pub(super) fn new() -> Self {
        Self(vec![ink::GROUND; SIDE * SIDE])
    }

    /// Sets a pixel; ignores a position outside.
    pub(super) fn set(&mut self, x: usize, y: usize, color: u8) {
        if x < SIDE
            && let Some(pixel) = self.0.get_mut(y * SIDE + x)
        {
            *pixel = color;
        }
    }

    /// Sets a pixel and its mirror image on the other side of the vertical axis.
    pub(super) fn mirrored(&mut self, x: usize, y: usize, color: u8) {
        self.set(x, y, color);
        self.set((SIDE - 1).saturating_sub(x), y, color);
    }

    /// Sets every pixel for which `color` returns an index.
    pub(super) fn paint(&mut self, color: impl Fn(usize, usize) -> Option<u8>) {
        for y in 0..SIDE {
            for x in 0..SIDE {
                if let Some(color) = color(x, y) {
                    self.set(x, y, color);
                }
            }
        }
    }

    /// Encodes the picture as PNG; `colors` are 0xRRGGBB.
    pub(super) fn png(&self, colors: &[u32]) -> Option<Vec<u8>> {
        encode(SIDE, png::BitDepth::Eight, &self.0, colors)
    }

    /// Encodes the picture as PNG at half the resolution.
    pub(super) fn small_png(&self, colors: &[u32]) -> Option<Vec<u8>> {
        let rows = self.0.chunks(SIDE).step_by(2);
        let halved: Vec<u8> = rows.flat_map(|row| row.iter().step_by(2)).copied().collect();
        let pairs = halved.chunks(2).map(|pair| pair.iter().fold(0, |both, place| both << 4 | place));
        encode(SIDE / 2, png::BitDepth::Four, &pairs.collect::<Vec<u8>>(), colors)
    }
}

/// Encodes a square of palette indices as PNG, packed by bit depth.
fn encode(side: usize, depth: png::BitDepth, pixels: &[u8], colors: &[u32]) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let side = u32::try_from(side).ok()?;
    let mut encoder = png::Encoder::new(&mut file, side, side);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(depth);
    encoder.set_palette(colors.iter().flat_map(|color| color.to_be_bytes().into_iter().skip(1)).collect::<Vec<u8>>());
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(pixels).ok()?;
    writer.finish().ok()?;
    Some(file)
}

pub(super) fn ground(canvas: &mut PixelCanvas, kind: usize) {
    canvas.paint(|x, y| {
        let is_shaded = match kind {
            1 => ((x + y) / 6).is_multiple_of(2),
            2 => x % 8 < 2 && y % 8 < 2,
            3 => (square_distance(x, y, SIDE / 2, SIDE / 2) / 60).is_multiple_of(2),
            4 => (x / 8 + y / 8).is_multiple_of(2),
            _ => false,
        };
        is_shaded.then_some(ink::SHADE)
    });
}

/// Returns the squared distance between two pixels.
pub(super) fn square_distance(x: usize, y: usize, to_x: usize, to_y: usize) -> usize {
    let (across, down) = (x.abs_diff(to_x), y.abs_diff(to_y));
    across * across + down * down
}
