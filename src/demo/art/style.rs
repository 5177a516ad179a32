use super::{
    TokenLook,
    draw::{PixelCanvas, SIDE, ink, square_distance},
};

pub(super) const EYES: [&str; 4] = ["Round", "Wide", "Sleepy", "Bright"];

/// Cells on each side of a figure, and pixels on each side of a cell.
const CELLS: usize = 12;
const CELL: usize = SIDE / CELLS;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArtStyle {
    Lantern,
    Glyph,
    Golem,
    Fox,
    Orbit,
    Bee,
    Chart,
    Cat,
}

/// Subject of a collection's pictures.
#[derive(Debug)]
pub(super) struct ArtSubject {
    style: ArtStyle,
    /// Part of a folder's name that selects this subject.
    keyword: &'static str,
    pub(super) noun: &'static str,
    /// Name and values of the trait that only this subject has.
    pub(super) feature: (&'static str, [&'static str; 3]),
    /// Position of an eye's cell: its row, and its distance from the axis.
    eyes: Option<(usize, usize)>,
}

const fn subject(
    style: ArtStyle,
    [keyword, noun, feature]: [&'static str; 3],
    values: [&'static str; 3],
    eyes: Option<(usize, usize)>,
) -> ArtSubject {
    ArtSubject { style, keyword, noun, feature: (feature, values), eyes }
}

static SUBJECTS: [ArtSubject; 8] = [
    subject(ArtStyle::Lantern, ["lantern", "A lantern", "Flame"], ["Low", "Steady", "High"], None),
    subject(ArtStyle::Glyph, ["glyph", "A glyph", "Strokes"], ["Fine", "Even", "Bold"], None),
    subject(ArtStyle::Golem, ["golem", "A golem", "Shoulders"], ["Narrow", "Square", "Broad"], Some((2, 0))),
    subject(ArtStyle::Fox, ["fox", "A fox", "Ears"], ["Short", "Pointed", "Long"], Some((5, 1))),
    subject(ArtStyle::Orbit, ["orbit", "A pass", "Moons"], ["One", "Two", "Three"], None),
    subject(ArtStyle::Bee, ["bee", "A bee", "Wings"], ["Folded", "Open", "Spread"], Some((3, 0))),
    subject(ArtStyle::Chart, ["chart", "A chart", "Depth"], ["Shoal", "Shelf", "Trench"], None),
    subject(ArtStyle::Cat, ["cat", "A cat", "Ears"], ["Short", "Pointed", "Long"], Some((5, 1))),
];

impl ArtSubject {
    /// Returns the subject for a folder's name; a random subject for an unknown name.
    pub(super) fn of(folder: &str) -> &'static Self {
        let any = folder.bytes().fold(7, |sum: usize, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
        let named = SUBJECTS.iter().find(|subject| folder.contains(subject.keyword));
        named.or_else(|| SUBJECTS.get(any % SUBJECTS.len())).unwrap_or(&SUBJECTS[0])
    }

    pub(super) fn has_eyes(&self) -> bool {
        self.eyes.is_some()
    }
}

pub(super) fn draw(canvas: &mut PixelCanvas, look: &TokenLook) {
    match look.subject.style {
        ArtStyle::Orbit => orbit(canvas, look),
        ArtStyle::Chart => chart(canvas, look),
        ArtStyle::Glyph => glyph(canvas, look),
        ArtStyle::Lantern | ArtStyle::Golem | ArtStyle::Fox | ArtStyle::Bee | ArtStyle::Cat => figure(canvas, look),
    }
}

/// Whether a cell belongs to the figure; `from_middle` is its distance from the axis.
fn is_inside(look: &TokenLook, from_middle: usize, row: usize) -> bool {
    let more = look.feature;
    match look.subject.style {
        ArtStyle::Lantern => match row {
            1 => from_middle == 0,
            2 | 10 => from_middle <= 1,
            3..=9 => from_middle <= 2 + usize::from((4..=8).contains(&row)),
            _ => false,
        },
        ArtStyle::Golem => match row {
            1..=3 => from_middle <= 1,
            4..=5 => from_middle <= 2 + more,
            6..=8 => from_middle <= 2,
            9..=10 => from_middle == 1 || from_middle == 2,
            _ => false,
        },
        ArtStyle::Fox | ArtStyle::Cat => match row {
            1..=3 => row + more >= 3 && (2..=3).contains(&from_middle) && from_middle + 3 >= row,
            4..=7 => from_middle <= 4 - usize::from(row == 4),
            8 => from_middle <= 3,
            9 => from_middle <= if look.subject.style == ArtStyle::Fox { 1 } else { 2 },
            10 => look.subject.style == ArtStyle::Fox && from_middle == 0,
            _ => false,
        },
        ArtStyle::Bee => match row {
            2 => from_middle == 1,
            3..=5 => from_middle <= 1 || (from_middle <= 3 + more && row != 3),
            6..=8 => from_middle <= 2,
            9 => from_middle <= 1,
            10 => from_middle == 0,
            _ => false,
        },
        ArtStyle::Glyph | ArtStyle::Orbit | ArtStyle::Chart => false,
    }
}

/// Draws a figure of cells, symmetric about its vertical axis.
fn figure(canvas: &mut PixelCanvas, look: &TokenLook) {
    for row in 0..CELLS {
        for from_middle in 0..CELLS / 2 {
            if !is_inside(look, from_middle, row) {
                let touches = [(0, 1), (1, 0), (1, 2), (2, 1)].into_iter().any(|(right, down)| {
                    let (near, beside) = ((from_middle + right).checked_sub(1), (row + down).checked_sub(1));
                    near.zip(beside).is_some_and(|(near, beside)| is_inside(look, near, beside))
                });
                if touches {
                    fill(canvas, from_middle, row, ink::OUTLINE);
                }
                continue;
            }
            fill(canvas, from_middle, row, cell_color(look, from_middle, row));
        }
    }
    if let Some(cell) = look.subject.eyes {
        eyes(canvas, look.eyes, cell);
    }
}

fn cell_color(look: &TokenLook, from_middle: usize, row: usize) -> u8 {
    match look.subject.style {
        ArtStyle::Bee if row >= 6 && row.is_multiple_of(2) => ink::OUTLINE,
        ArtStyle::Bee if from_middle > 1 && row < 6 => ink::WHITE,
        ArtStyle::Lantern if from_middle == 0 && (8 - look.feature * 2..=9).contains(&row) => ink::ACCENT,
        ArtStyle::Lantern if row < 4 || row == 10 => ink::DARK,
        _ if look.dice.cell(from_middle, row, 70) => ink::LIGHT,
        _ if look.dice.cell(row, from_middle + 3, 60) => ink::DARK,
        _ => ink::MIDDLE,
    }
}

/// Colours a cell on both sides of the axis.
fn fill(canvas: &mut PixelCanvas, from_middle: usize, row: usize, color: u8) {
    let left = (CELLS / 2 - 1 - from_middle) * CELL;
    for y in row * CELL..(row + 1) * CELL {
        for x in left..left + CELL {
            canvas.mirrored(x, y, color);
        }
    }
}

fn eyes(canvas: &mut PixelCanvas, kind: usize, (row, from_middle): (usize, usize)) {
    let left = (CELLS / 2 - 1 - from_middle) * CELL;
    for y in 0..CELL {
        for x in 0..CELL {
            let color = match kind {
                0 if (1..3).contains(&x) && (1..3).contains(&y) => ink::OUTLINE,
                1 if y > 0 => {
                    if (1..3).contains(&x) && y == 2 {
                        ink::OUTLINE
                    } else {
                        ink::WHITE
                    }
                }
                2 if y == 2 => ink::OUTLINE,
                3 if y > 0 && x > 0 => {
                    if x == 1 && y == 1 {
                        ink::WHITE
                    } else {
                        ink::ACCENT
                    }
                }
                _ => continue,
            };
            canvas.mirrored(left + x, row * CELL + y, color);
        }
    }
}

/// Draws a planet with its moons.
fn orbit(canvas: &mut PixelCanvas, look: &TokenLook) {
    let middle = SIDE / 2;
    let size = 6 + look.dice.roll(8, 4);
    let rings: Vec<usize> = (0..=look.feature).map(|ring| 13 + ring * 4).collect();
    canvas.paint(|x, y| {
        let distance = square_distance(x, y, middle, middle);
        if distance < size * size {
            let lit = square_distance(x, y, middle - 3, middle - 3) < size * size;
            return Some(if !lit {
                ink::DARK
            } else if ((y + look.dice.roll(9, 5)) / 3).is_multiple_of(2) {
                ink::LIGHT
            } else {
                ink::MIDDLE
            });
        }
        let is_ring = rings.iter().any(|ring| (ring * ring..ring * ring + ring * 2).contains(&distance));
        is_ring.then_some(ink::OUTLINE)
    });
    for (number, ring) in rings.iter().enumerate() {
        let (across, up) = match look.dice.roll(10 + number, 5) {
            0 => (10, 0),
            1 => (7, 7),
            2 => (0, 10),
            3 => (3, 9),
            _ => (9, 4),
        };
        let (x, y) = (middle + ring * across / 10, middle - ring * up / 10);
        canvas.paint(|at_x, at_y| (square_distance(at_x, at_y, x, y) < 6).then_some(ink::ACCENT));
    }
}

/// Draws the contour lines of hills.
fn chart(canvas: &mut PixelCanvas, look: &TokenLook) {
    let hills: Vec<(usize, usize, usize)> = (0..4)
        .map(|hill| {
            (look.dice.roll(8 + hill, SIDE), look.dice.roll(12 + hill, SIDE), 200 + look.dice.roll(16 + hill, 600))
        })
        .collect();
    let step = 60 - look.feature * 15;
    canvas.paint(|x, y| {
        let height: usize =
            hills.iter().map(|(at_x, at_y, size)| size * 200 / (square_distance(x, y, *at_x, *at_y) + 120)).sum();
        match (height / step, height % step < step / 4) {
            (_, true) => Some(ink::OUTLINE),
            (..4, false) => Some(ink::SHADE),
            (..8, false) => Some(ink::DARK),
            (..12, false) => Some(ink::MIDDLE),
            (12, false) => Some(ink::LIGHT),
            (_, false) => Some(ink::ACCENT),
        }
    });
}

/// Draws strokes with four-fold symmetry.
fn glyph(canvas: &mut PixelCanvas, look: &TokenLook) {
    let often = match look.feature {
        0 => 90,
        1 => 120,
        _ => 150,
    };
    let half = CELLS / 2;
    canvas.paint(|x, y| {
        let (column, row) = (x / CELL, y / CELL);
        let (across, down) = (column.min(CELLS - 1 - column), row.min(CELLS - 1 - row));
        if across == 0 || down == 0 {
            return None;
        }
        let (low, high) = (across.min(down), across.max(down));
        let is_set = look.dice.cell(low, high + 8, often);
        let color = if low + high > half + 2 {
            ink::ACCENT
        } else if high > 3 {
            ink::LIGHT
        } else {
            ink::MIDDLE
        };
        is_set.then_some(color)
    });
}
