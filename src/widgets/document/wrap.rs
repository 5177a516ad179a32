use unicode_width::UnicodeWidthChar as _;

use super::TextSpan;
use crate::config::Meaning;

/// Wraps pieces at blanks into rows of `width` columns, at most `limit`; `…` marks cut text.
pub(crate) fn wrap(pieces: &[TextSpan], width: usize, limit: usize) -> Vec<Vec<TextSpan>> {
    let mut rows = Vec::new();
    let mut row: Vec<(Meaning, char)> = Vec::new();
    let mut used = 0;
    for (meaning, character) in pieces.iter().flat_map(|piece| piece.text.chars().map(|sign| (piece.meaning, sign))) {
        let step = columns_of(character);
        if used + step > width {
            if rows.len() + 1 >= limit {
                while used + 1 > width
                    && let Some((_, last)) = row.pop()
                {
                    used -= columns_of(last);
                }
                row.push((meaning, '…'));
                break;
            }
            let tail = tail_of(&mut row, character);
            rows.push(joined(&row));
            used = tail.iter().map(|(_, sign)| columns_of(*sign)).sum();
            row = tail;
            if character == ' ' && row.is_empty() {
                continue;
            }
        }
        used += step;
        row.push((meaning, character));
    }
    rows.push(joined(&row));
    rows
}

fn columns_of(character: char) -> usize {
    character.width().unwrap_or(0)
}

/// Splits an unfinished word off the end of a full row, unless it fills most of the row.
fn tail_of(row: &mut Vec<(Meaning, char)>, next: char) -> Vec<(Meaning, char)> {
    if next == ' ' {
        return Vec::new();
    }
    let blank = row.iter().rposition(|(_, sign)| *sign == ' ').filter(|blank| blank * 2 > row.len());
    blank.map(|blank| row.split_off(blank + 1)).unwrap_or_default()
}

/// Joins characters to one piece per run of equal meaning.
pub(crate) fn joined(row: &[(Meaning, char)]) -> Vec<TextSpan> {
    let runs = row.chunk_by(|(one, _), (other, _)| one == other);
    let piece = |run: &[(Meaning, char)]| {
        Some(TextSpan { meaning: run.first()?.0, text: run.iter().map(|(_, sign)| sign).collect() })
    };
    runs.filter_map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_breaks_at_blanks() {
        let rows = |text: &str, limit| -> Vec<String> {
            let pieces = [
                TextSpan { meaning: Meaning::Warning, text: "• ".to_owned() },
                TextSpan { meaning: Meaning::Text, text: text.to_owned() },
            ];
            let rows = wrap(&pieces, 12, limit);
            rows.iter().map(|row| row.iter().map(|piece| piece.text.as_str()).collect()).collect()
        };
        assert_eq!(rows("one two three four", 4), ["• one two ", "three four"]);
        assert_eq!(rows("one two three four", 1), ["• one two t…"]);
        assert_eq!(rows("abcdefghij klm", 4), ["• abcdefghij", "klm"]);
        assert_eq!(rows(&"x".repeat(20), 4), [format!("• {}", "x".repeat(10)), "x".repeat(10)]);
    }
}
