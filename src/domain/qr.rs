//! A text as a QR code, for a telephone to read from the screen.

use qrcode::{Color, EcLevel, QrCode};

/// Light modules around a code, without which readers do not find it.
const QUIET: usize = 4;

/// The modules of a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QrMatrix {
    width: usize,
    dark: Vec<bool>,
}

impl QrMatrix {
    /// The smallest code of this text; `None` where it is too long for any.
    pub fn of(text: &str) -> Option<Self> {
        let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
        let dark = code.to_colors().into_iter().map(|color| color == Color::Dark).collect();
        Some(Self { width: code.width(), dark })
    }

    /// Modules in a row, the quiet zone at both ends among them.
    pub fn columns(&self) -> usize {
        self.width + 2 * QUIET
    }

    /// Rows of cells, two modules in each.
    pub fn rows(&self) -> usize {
        self.columns().div_ceil(2)
    }

    /// Whether the upper and the lower module of a cell are dark. What lies outside is light.
    pub fn cell(&self, column: usize, row: usize) -> (bool, bool) {
        (self.is_dark(column, 2 * row), self.is_dark(column, 2 * row + 1))
    }

    fn is_dark(&self, column: usize, row: usize) -> bool {
        let inner = |place: usize| place.checked_sub(QUIET).filter(|inner| *inner < self.width);
        let place = inner(column).zip(inner(row)).map(|(column, row)| row * self.width + column);
        place.and_then(|place| self.dark.get(place)).copied().unwrap_or(false)
    }

    /// The character of a cell that draws what is light in the foreground.
    pub fn symbol((upper, lower): (bool, bool)) -> char {
        match (upper, lower) {
            (false, false) => '█',
            (false, true) => '▀',
            (true, false) => '▄',
            (true, true) => ' ',
        }
    }

    /// The code as lines of text; with colours for a terminal of any theme, without them for a dark one.
    pub fn text(&self, is_colored: bool) -> String {
        let line = |row| (0..self.columns()).map(|column| Self::symbol(self.cell(column, row))).collect::<String>();
        let lines = (0..self.rows()).map(line);
        // White of the cube in front, its black behind: what a theme makes of the sixteen colours does not matter.
        let lines =
            lines.map(|line| if is_colored { format!("\u{1b}[38;5;231;48;5;16m{line}\u{1b}[0m") } else { line });
        lines.map(|line| line + "\n").collect()
    }
}
