use std::io::Cursor;

use png::{ColorType, Decoder, DecodingError, Limits, Transformations};

use crate::{domain::text::clip, msg::Picture};

/// Maximum pixels per side of a file: 64 MiB decoded.
const LARGEST_SIDE: u32 = 4096;

/// Maximum pixels per side of the result: more than a terminal shows.
const SIDE: u32 = 256;

/// Magic bytes of file types.
const SIGNATURES: &[(&[u8], &str)] = &[
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
    (b"<svg", "image/svg+xml"),
    (b"<?xml", "image/svg+xml"),
];

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Decodes a picture of this media type and scales it down, in up to a second. The error is a sentence for the user.
pub(super) fn read(media: &str, bytes: &[u8]) -> Result<Picture, String> {
    if !bytes.starts_with(PNG) {
        let known = SIGNATURES.iter().find(|(start, _)| bytes.trim_ascii_start().starts_with(start));
        let media = known.map_or(if media.is_empty() { "data of unknown type" } else { media }, |(_, media)| media);
        return Err(format!("the picture is {}; rollscope shows only PNG", clip(media, 60)));
    }
    decode(bytes).map_err(|failure| match failure {
        PictureError::Size(width, height) => {
            format!("the picture has {width}×{height} pixels; at most {LARGEST_SIDE} per side")
        }
        PictureError::Png(error) => format!("the picture is not a valid PNG: {}", clip(&error.to_string(), 120)),
    })
}

enum PictureError {
    Size(u32, u32),
    Png(DecodingError),
}

impl From<DecodingError> for PictureError {
    fn from(error: DecodingError) -> Self {
        Self::Png(error)
    }
}

fn decode(bytes: &[u8]) -> Result<Picture, PictureError> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: 64 << 20 });
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    // Converts every pixel format to 8 bits of grey or colour with alpha.
    decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
    let (width, height) = decoder.read_header_info()?.size();
    if width > LARGEST_SIDE || height > LARGEST_SIDE {
        return Err(PictureError::Size(width, height));
    }
    let mut reader = decoder.read_info()?;
    let mut shrinking = Shrinking::new(width, height, reader.output_color_type().0);
    if reader.info().interlaced {
        // Interlaced rows arrive in seven passes, so buffer the whole picture.
        let mut frame = vec![0; reader.output_buffer_size().ok_or(PictureError::Size(width, height))?];
        let line = reader.next_frame(&mut frame)?.line_size;
        frame.chunks_exact(line.max(1)).for_each(|row| shrinking.add(row));
    } else {
        while let Some(row) = reader.next_row()? {
            shrinking.add(row.data());
        }
    }
    Ok(shrinking.finish())
}

/// Scales a picture down while it is decoded, by averaging pixels.
struct Shrinking {
    from: (u32, u32),
    to: (u32, u32),
    /// Bytes per pixel in a row: grey or colour, and alpha.
    samples: usize,
    row: u32,
    /// Per cell: sums of red, green and blue weighted by alpha, sum of alpha, and number of pixels.
    sums: Vec<[u64; 5]>,
}

impl Shrinking {
    fn new(width: u32, height: u32, color: ColorType) -> Self {
        let longest = width.max(height).max(SIDE);
        let fit = |side: u32| (side * SIDE / longest).max(1);
        let to = (fit(width), fit(height));
        let cells = to.0 as usize * to.1 as usize;
        Self { from: (width, height), to, samples: color.samples(), row: 0, sums: vec![[0; 5]; cells] }
    }

    fn add(&mut self, row: &[u8]) {
        let start = (self.row * self.to.1 / self.from.1) as usize * self.to.0 as usize;
        for (pixel, x) in row.chunks_exact(self.samples).zip(0..self.from.0) {
            let [red, green, blue, opacity] = match *pixel {
                [grey] => [grey, grey, grey, u8::MAX],
                [grey, opacity] => [grey, grey, grey, opacity],
                [red, green, blue] => [red, green, blue, u8::MAX],
                [red, green, blue, opacity, ..] => [red, green, blue, opacity],
                [] => continue,
            };
            let cell = self.sums.get_mut(start + (x * self.to.0 / self.from.0) as usize);
            if let Some(cell) = cell {
                let weight = u64::from(opacity);
                let parts = [u64::from(red) * weight, u64::from(green) * weight, u64::from(blue) * weight, weight, 1];
                cell.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
            }
        }
        self.row += 1;
    }

    fn finish(self) -> Picture {
        let mean =
            |sum: u64, count: u64| u8::try_from((sum + count / 2).checked_div(count).unwrap_or(0)).unwrap_or(u8::MAX);
        let pixels = self.sums.into_iter().flat_map(|[red, green, blue, opacity, count]| {
            [mean(red, opacity), mean(green, opacity), mean(blue, opacity), mean(opacity, count)]
        });
        Picture { width: self.to.0, height: self.to.1, rgba: pixels.collect() }
    }
}
