//! Screens for terminals and fonts without Unicode: every cell becomes one ASCII character.

use ratatui::buffer::Buffer;
use unicode_width::UnicodeWidthStr as _;

/// Characters that rollscope draws, by their ASCII stand-in.
const STAND_INS: &[(char, &str)] = &[
    ('-', "─—–−▃"),
    ('|', "│┤├·"),
    ('+', "┌┐└┘┼┬┴"),
    ('~', "…≈"),
    ('"', "“”„‟"),
    ('\'', "’‘"),
    ('>', "→›»▸▶↳"),
    ('<', "←‹«↵↩"),
    ('^', "↑▲"),
    ('v', "↓▾▼✓"),
    ('x', "✗×"),
    ('*', "●•◆▪"),
    ('o', "○◌◇◔∅"),
    ('!', "≠‼"),
    ('=', "⇄▄▅▌▋▍▀"),
    ('#', "█▇▉▊▆▰■"),
    ('.', "░▁▂▏▎▱"),
    ('@', "↺"),
    ('u', "µ"),
];

/// Replaces what is not ASCII, also in texts of others: what has no stand-in becomes `?`, one for each column.
pub(crate) fn replace(buffer: &mut Buffer) {
    let mut columns_left = 0;
    for cell in &mut buffer.content {
        if columns_left > 0 {
            columns_left -= 1;
            cell.set_char('?');
        } else if !cell.symbol().is_ascii() {
            columns_left = cell.symbol().width().saturating_sub(1);
            let sign = stand_in(cell.symbol());
            cell.set_char(sign);
        }
    }
}

fn stand_in(symbol: &str) -> char {
    let Some(sign) = symbol.chars().next() else { return ' ' };
    if ('\u{2800}'..='\u{28ff}').contains(&sign) {
        // Braille: points of a curve, or the turning sign of a wait.
        return if sign == '\u{2800}' { ' ' } else { '*' };
    }
    let found = STAND_INS.iter().find(|(_, signs)| signs.contains(sign));
    found.map_or('?', |(stand_in, _)| *stand_in)
}

#[cfg(test)]
mod tests {
    use ratatui::{layout::Rect, style::Style};

    use super::*;

    #[test]
    fn cells_become_ascii_and_keep_their_columns() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 1));
        buffer.set_string(0, 0, "│ 漢字é → 5…", Style::new());
        replace(&mut buffer);
        let row: String = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert_eq!(row, "| ????? > 5~");
    }

    /// Whatever a recorded screen shows is in the table, except letters of others.
    #[test]
    fn all_signs_of_the_recorded_screens_have_stand_ins() {
        let tests = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
        let folders = ["snapshots", "explorer/snapshots"].map(|folder| std::fs::read_dir(tests.join(folder)).unwrap());
        let screens: Vec<String> =
            folders.into_iter().flatten().map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect();
        assert!(screens.len() > 50);
        let signs = screens.iter().flat_map(|screen| screen.chars());
        let lost: String = signs
            .filter(|sign| !sign.is_ascii() && !sign.is_alphabetic())
            .filter(|sign| stand_in(&sign.to_string()) == '?')
            .collect();
        assert_eq!(lost, "");
    }

    #[test]
    fn each_sign_has_one_stand_in() {
        let signs: Vec<char> = STAND_INS.iter().flat_map(|(_, signs)| signs.chars()).collect();
        let different: std::collections::BTreeSet<char> = signs.iter().copied().collect();
        assert_eq!(different.len(), signs.len());
    }
}
