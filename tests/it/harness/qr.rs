//! Reading a QR code from text: light is what is drawn, as on a dark screen.

/// Pixels of a module's side.
const SIDE: usize = 4;

/// What the codes say that a telephone would find in these lines of half blocks.
pub(crate) fn read(text: &str) -> Vec<String> {
    let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let is_light = |x: usize, y: usize| match lines.get(y / 2).and_then(|line| line.get(x)) {
        Some('█') => true,
        Some('▀') => y.is_multiple_of(2),
        Some('▄') => !y.is_multiple_of(2),
        _ => false,
    };
    let pixel = |x: usize, y: usize| if is_light(x / SIDE, y / SIDE) { 255 } else { 0 };
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(columns * SIDE, lines.len() * 2 * SIDE, pixel);
    image.detect_grids().iter().filter_map(|grid| Some(grid.decode().ok()?.1)).collect()
}
