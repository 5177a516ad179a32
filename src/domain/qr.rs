//! QR codes for a phone to scan from the screen.

use qrcode::{Color, EcLevel, QrCode};

/// Width of the light margin that scanners need, in modules.
const QUIET: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QrMatrix {
    width: usize,
    dark: Vec<bool>,
}

impl QrMatrix {
    /// Creates the smallest code for a text; `None` if the text is too long.
    pub fn new(text: &str) -> Option<Self> {
        let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
        let dark = code.to_colors().into_iter().map(|color| color == Color::Dark).collect();
        Some(Self { width: code.width(), dark })
    }

    /// Returns the number of modules per row, including the margin.
    pub fn columns(&self) -> usize {
        self.width + 2 * QUIET
    }

    /// Returns the number of rows of cells; a cell is two modules high.
    pub fn rows(&self) -> usize {
        self.columns().div_ceil(2)
    }

    /// Returns whether the upper and the lower module of a cell are dark. Modules outside of the code are light.
    pub fn cell(&self, column: usize, row: usize) -> (bool, bool) {
        (self.is_dark(column, 2 * row), self.is_dark(column, 2 * row + 1))
    }

    fn is_dark(&self, column: usize, row: usize) -> bool {
        let inner = |place: usize| place.checked_sub(QUIET).filter(|inner| *inner < self.width);
        let place = inner(column).zip(inner(row)).map(|(column, row)| row * self.width + column);
        place.and_then(|place| self.dark.get(place)).copied().unwrap_or(false)
    }

    /// Returns the character that draws the light modules of a cell in the foreground colour.
    pub fn symbol((upper, lower): (bool, bool)) -> char {
        match (upper, lower) {
            (false, false) => '█',
            (false, true) => '▀',
            (true, false) => '▄',
            (true, true) => ' ',
        }
    }

    /// Renders the code as lines of text. With colours it suits any terminal theme, without colours only a dark theme.
    pub fn text(&self, is_colored: bool) -> String {
        let line = |row| (0..self.columns()).map(|column| Self::symbol(self.cell(column, row))).collect::<String>();
        let lines = (0..self.rows()).map(line);
        // Use fixed white and black of the 256 colours: themes do not change these.
        let lines =
            lines.map(|line| if is_colored { format!("\u{1b}[38;5;231;48;5;16m{line}\u{1b}[0m") } else { line });
        lines.map(|line| line + "\n").collect()
    }
}
