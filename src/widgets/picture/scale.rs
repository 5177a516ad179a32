use std::sync::Arc;

use crate::msg::Picture;

/// Maximum side of a picture, in pixels; the worker returns no larger pictures.
const LARGEST: u32 = 512;

/// Scales a picture to fit into `width` by `height` pixels with its aspect ratio. Smaller pictures average the pixels,
/// weighted by opacity; larger ones repeat them.
pub(crate) fn shrink(picture: &Picture, width: u32, height: u32) -> Picture {
    let (from_width, from_height) = (picture.width.clamp(1, LARGEST), picture.height.clamp(1, LARGEST));
    let is_flat = u64::from(from_width) * u64::from(height) > u64::from(from_height) * u64::from(width);
    let scale =
        |side: u32, to: u32, of: u32| u32::try_from(u64::from(side) * u64::from(to) / u64::from(of)).unwrap_or(to);
    let (width, height) = if is_flat {
        (width, scale(from_height, width, from_width).max(1))
    } else {
        (scale(from_width, height, from_height).max(1), height)
    };
    let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
    for y in 0..height {
        let rows = span(y, height, from_height);
        for x in 0..width {
            rgba.extend(average(picture, span(x, width, from_width), rows.clone()));
        }
    }
    Picture { width, height, rgba: rgba.into() }
}

/// Returns the pixels of part `place` when `of` parts divide a side; never empty.
fn span(place: u32, of: u32, side: u32) -> std::ops::Range<u32> {
    let edge = |place: u32| u32::try_from(u64::from(place) * u64::from(side) / u64::from(of)).unwrap_or(side);
    let start = edge(place).min(side - 1);
    start..edge(place + 1).max(start + 1)
}

fn average(picture: &Picture, columns: std::ops::Range<u32>, rows: std::ops::Range<u32>) -> [u8; 4] {
    let (mut sums, mut opacity, mut count) = ([0_u64; 3], 0_u64, 0_u64);
    for y in rows {
        for [red, green, blue, alpha] in columns.clone().filter_map(|x| picture.pixel(x, y)) {
            let weight = u64::from(alpha);
            for (sum, part) in sums.iter_mut().zip([red, green, blue]) {
                *sum += u64::from(part) * weight;
            }
            opacity += weight;
            count += 1;
        }
    }
    let byte = |value: Option<u64>| u8::try_from(value.unwrap_or(0)).unwrap_or(u8::MAX);
    let [red, green, blue] = sums.map(|sum| byte(sum.checked_div(opacity)));
    [red, green, blue, byte(opacity.checked_div(count))]
}

/// Scales a picture for a gallery's card; the copy is cached.
pub(crate) fn thumbnail(picture: &Arc<Picture>, side: u32) -> Arc<Picture> {
    if picture.width <= side && picture.height <= side {
        return Arc::clone(picture);
    }
    Arc::new(shrink(picture, side, side))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Picture {
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Picture { width, height, rgba: places.flat_map(|(x, y)| pixel(x, y)).collect() }
    }

    #[test]
    fn a_pixel_is_the_average_of_its_box_and_clear_ones_have_no_colour() {
        let squares = of(4, 4, |x, _| if x < 2 { [200, 0, 0, 255] } else { [0, 100, 0, if x == 2 { 255 } else { 0 }] });
        let small = shrink(&squares, 2, 2);
        assert_eq!((small.width, small.height), (2, 2));
        assert_eq!(small.pixel(0, 0), Some([200, 0, 0, 255]));
        assert_eq!(small.pixel(1, 1), Some([0, 100, 0, 127]), "the clear half weighs nothing but opacity");
    }

    #[test]
    fn proportions_stay_and_no_side_vanishes() {
        for (from, room, expected) in [
            ((256, 128), (32, 32), (32, 16)),
            ((1, 256), (10, 40), (1, 40)),
            ((256, 1), (10, 40), (10, 1)),
            ((2, 2), (9, 7), (7, 7)),
        ] {
            let small = shrink(&of(from.0, from.1, |_, _| [1, 2, 3, 255]), room.0, room.1);
            assert_eq!((small.width, small.height), expected, "{from:?} in {room:?}");
            assert_eq!(small.rgba.len(), (expected.0 * expected.1 * 4) as usize);
            assert!(small.rgba.chunks(4).all(|pixel| pixel == [1, 2, 3, 255]));
        }
    }

    #[test]
    fn a_picture_that_lies_about_its_size_is_clear_where_it_has_nothing() {
        let lying = Picture { width: 100, height: 100, rgba: vec![255; 40].into() };
        assert_eq!(shrink(&lying, 10, 10).pixel(9, 9), Some([0, 0, 0, 0]));
    }
}
