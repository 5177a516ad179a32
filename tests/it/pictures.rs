//! The pictures of `docs/pictures`, drawn by the program. `ROLLSCOPE_REGENERATE=1 cargo test --test it pictures::`
//! writes them; otherwise a picture that is out of date fails.

use std::fmt::Write as _;

use ratatui::{
    buffer::{Buffer, Cell},
    style::{Color, Modifier},
    text::Span,
};
use rollscope::config::ThemeName;

use crate::{commands::compare, snapshots::on_chain};

/// The keys that lead to each picture's screen.
const PICTURES: [(&str, &str); 3] = [("overview", ""), ("transaction", "3 j j enter"), ("rich-list", "5")];
/// Size of the terminal.
const SIZE: (u16, u16) = (120, 36);
/// Size of a cell in pixels.
const CELL: (u16, u16) = (9, 19);
const FOREGROUND: &str = "#d0d0d0";
const BACKGROUND: &str = "#14161b";
/// The first 16 colours of a terminal.
const NAMED: [&str; 16] = [
    "#1d1f21", "#cc6666", "#8fbf6a", "#e0b552", "#6f9fd8", "#b294bb", "#70c0ba", "#c5c8c6", "#7d828c", "#ff7b72",
    "#a8d98a", "#f0cf7a", "#8fb8f0", "#cfa8dd", "#8fdcd6", "#ffffff",
];

/// Colour in hexadecimal; `None` for the terminal's own.
fn hex(color: Color) -> Option<String> {
    let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * u32::from(step) };
    match color {
        Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
        Color::Indexed(index @ 16..=231) => {
            let (red, green, blue) = ((index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6);
            Some(format!("#{:02x}{:02x}{:02x}", level(red), level(green), level(blue)))
        }
        Color::Indexed(index @ 232..) => Some(format!("#{0:02x}{0:02x}{0:02x}", 8 + 10 * u32::from(index - 232))),
        Color::Indexed(index) => NAMED.get(usize::from(index)).map(|&name| name.to_owned()),
        named => {
            let order = [
                Color::Black,
                Color::Red,
                Color::Green,
                Color::Yellow,
                Color::Blue,
                Color::Magenta,
                Color::Cyan,
                Color::Gray,
                Color::DarkGray,
                Color::LightRed,
                Color::LightGreen,
                Color::LightYellow,
                Color::LightBlue,
                Color::LightMagenta,
                Color::LightCyan,
                Color::White,
            ];
            Some(NAMED[order.iter().position(|color| *color == named)?].to_owned())
        }
    }
}

/// Attributes of a cell's text, and its background.
fn style(cell: &Cell) -> (String, Option<String>) {
    let (mut text, mut behind) = (hex(cell.fg).unwrap_or_else(|| FOREGROUND.to_owned()), hex(cell.bg));
    if cell.modifier.contains(Modifier::REVERSED) {
        let before = behind.unwrap_or_else(|| BACKGROUND.to_owned());
        behind = Some(std::mem::replace(&mut text, before));
    }
    let mut attributes = format!(r#" fill="{text}""#);
    for (modifier, attribute) in [
        (Modifier::BOLD, r#" font-weight="bold""#),
        (Modifier::DIM, r#" opacity="0.6""#),
        (Modifier::UNDERLINED, r#" text-decoration="underline""#),
        (Modifier::ITALIC, r#" font-style="italic""#),
    ] {
        if cell.modifier.contains(modifier) {
            attributes.push_str(attribute);
        }
    }
    (attributes, behind)
}

/// Cells of equal style in a row: first column, columns, text.
struct Run {
    first: u16,
    columns: u16,
    text: String,
    style: (String, Option<String>),
}

fn runs(buffer: &Buffer, row: u16) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut column = 0;
    while column < buffer.area.width {
        let cell = &buffer[(column, row)];
        let width = u16::try_from(Span::raw(cell.symbol()).width()).map_or(1, |width| width.max(1));
        let style = style(cell);
        match runs.last_mut().filter(|run| run.style == style) {
            Some(run) => {
                run.text.push_str(cell.symbol());
                run.columns += width;
            }
            None => runs.push(Run { first: column, columns: width, text: cell.symbol().to_owned(), style }),
        }
        column += width;
    }
    runs
}

fn svg(buffer: &Buffer) -> String {
    let (width, height) = (buffer.area.width * CELL.0, buffer.area.height * CELL.1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"ui-monospace, \
         'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"15\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{BACKGROUND}\"/>\n"
    );
    for row in 0..buffer.area.height {
        let (top, line) = (row * CELL.1, row * CELL.1 + 14);
        for Run { first, columns, text, style: (attributes, behind) } in runs(buffer, row) {
            let (left, length) = (first * CELL.0, columns * CELL.0);
            if let Some(behind) = behind {
                let size = format!(r#"width="{length}" height="{}""#, CELL.1);
                let _ = writeln!(svg, r#"<rect x="{left}" y="{top}" {size} fill="{behind}"/>"#);
            }
            if !text.trim().is_empty() {
                let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace(' ', "\u{a0}");
                let _ =
                    writeln!(svg, r#"<text x="{left}" y="{line}" textLength="{length}"{attributes}>{escaped}</text>"#);
            }
        }
    }
    svg + "</svg>\n"
}

#[test]
fn pictures_are_what_the_program_draws() {
    for (name, keys) in PICTURES {
        let explorer = on_chain(SIZE.0, SIZE.1).theme(ThemeName::Dark).start();
        explorer.settle();
        for key in keys.split_whitespace() {
            explorer.press(key).settle();
        }
        compare(&format!("docs/pictures/{name}.svg"), |_| svg(&explorer.buffer()));
        explorer.quit();
    }
}
