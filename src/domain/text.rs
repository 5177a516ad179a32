//! Cleaning and truncation of external text by display width; formats of numbers, counts and durations.

mod foreign;
mod hostile;

use std::{borrow::Cow, fmt::Display, time::Duration};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub use foreign::Foreign;
pub use hostile::{clean, clean_lines, is_odd};

/// Cleans text and truncates it to `width` terminal columns, with `…` at the end if truncated.
pub fn clip(text: &str, width: usize) -> String {
    let text = if is_simple(text) { Cow::Borrowed(text) } else { clean(text) };
    if columns(&text) <= width {
        return text.into_owned();
    }
    let mut result = String::new();
    let mut used = 0;
    for character in text.chars() {
        let step = character.width().unwrap_or(0);
        if used + step + 1 > width {
            break;
        }
        used += step;
        result.push(character);
    }
    if width > 0 && !result.ends_with('…') {
        result.push('…');
    }
    result
}

/// Whether each character takes one terminal column, combines with no other, and may stay when the text is cleaned.
/// Unusual text may be as simple, but takes a longer look.
pub fn is_simple(text: &str) -> bool {
    let is_sign = |sign| matches!(sign, '‐'..='‧' | '‹' | '›' | '←'..='⇿' | '≈' | '─'..='▟' | '●' | '○' | '✓' | '✗');
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        || text.chars().all(|character| matches!(character, ' '..='~') || is_sign(character))
}

/// Returns how many terminal columns a text takes.
pub fn columns(text: &str) -> usize {
    if is_simple(text) { text.chars().count() } else { text.width() }
}

/// Signs around a name that the user gave. [`foreign()`] and [`quoted`] keep them out of the texts of others.
pub const PERSONAL_SIGNS: [char; 2] = ['‹', '›'];

/// Replaces the signs of the user's names in a text of others, so that it cannot pass for such a name.
pub fn foreign(text: &str) -> Cow<'_, str> {
    if !text.contains(PERSONAL_SIGNS) {
        return Cow::Borrowed(text);
    }
    let [open, close] = PERSONAL_SIGNS;
    Cow::Owned(text.replace(open, "<").replace(close, ">"))
}

/// Shows a name that the user gave, between its signs. The name itself has none.
pub fn personal_name(typed: &str) -> String {
    let [open, close] = PERSONAL_SIGNS;
    format!("{open}{}{close}", clean(typed).replace(PERSONAL_SIGNS, ""))
}

/// Whether a shown name is the user's, by its signs.
pub fn is_personal_name(shown: &str) -> bool {
    shown.starts_with(PERSONAL_SIGNS)
}

/// Maximum width of quoted external text, in terminal columns.
const QUOTED: usize = 60;

/// Quotes external text in a sentence. The text is cleaned and truncated, and cannot close its quotes.
pub fn quoted(text: &str) -> String {
    quoted_within(text, QUOTED)
}

/// Quotes external text, truncated to `width` columns between the quotes.
pub fn quoted_within(text: &str, width: usize) -> String {
    let inner = clip(&foreign(text), width);
    format!("“{}”", inner.replace(['“', '”', '„', '‟'], "\""))
}

/// Cleans text and wraps it at spaces to at most `rows` lines of `width` terminal columns, with `…` at the end if
/// truncated.
pub fn wrap(text: &str, width: usize, rows: usize) -> Vec<String> {
    let text = clean(text);
    let mut rest = text.trim();
    let mut lines = Vec::new();
    while !rest.is_empty() && lines.len() < rows && width > 0 {
        if rest.width() <= width || lines.len() + 1 == rows {
            lines.push(clip(rest, width));
            break;
        }
        let mut used = 0;
        let fits = rest.char_indices().find(|(_, character)| {
            used += character.width().unwrap_or(0);
            used > width
        });
        let end = fits.map_or(rest.len(), |(end, _)| end).max(rest.chars().next().map_or(1, char::len_utf8));
        let blank = rest.get(..=end).and_then(|head| head.rfind(' ')).filter(|blank| *blank * 2 > end).unwrap_or(end);
        let (line, below) = rest.split_at(blank);
        lines.push(line.trim_end().to_owned());
        rest = below.trim_start();
    }
    lines
}

/// Returns the letters and digits of a text in lower case; rollscope and servers compare names by them.
pub fn letters_and_digits(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Groups decimal digits with commas: `1,234,567`.
pub fn group_digits(digits: &str) -> String {
    let mut result = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            result.push(',');
        }
        result.push(digit);
    }
    result
}

/// Formats a whole number's digits with the decimal point `decimals` places from the right, grouped, without trailing
/// zeros: `1,234.5` for `1234500` and 3.
pub fn decimal(digits: &str, decimals: u8) -> String {
    let decimals = usize::from(decimals);
    let padded = format!("{digits:0>width$}", width = decimals + 1);
    let (whole, fraction) = padded.split_at(padded.len() - decimals);
    let fraction = fraction.trim_end_matches('0');
    let whole = group_digits(whole);
    if fraction.is_empty() { whole } else { format!("{whole}.{fraction}") }
}

/// Shortens a number in display units to the decimals that a screen shows; see [`crate::domain::Amount::shown`].
pub(super) fn cut_decimal(number: &str, decimals: u8) -> String {
    const MANY_DECIMALS: u8 = 8;
    const PLACES: usize = 4;
    const PLACES_OF_THOUSANDS: usize = 2;
    let Some((whole, fraction)) = number.split_once('.').filter(|_| decimals > MANY_DECIMALS) else {
        return number.to_owned();
    };
    let places = match whole {
        "0" => PLACES + fraction.bytes().take_while(|digit| *digit == b'0').count(),
        whole if whole.contains(',') => PLACES_OF_THOUSANDS,
        _ => PLACES,
    };
    match fraction.get(..places) {
        Some(cut) if cut.len() < fraction.len() => format!("{whole}.{cut}…"),
        _ => number.to_owned(),
    }
}

/// Gives a number in display units exactly these decimals; see [`crate::domain::Amount::fixed`].
pub(super) fn fixed_decimal(number: &str, places: u8) -> String {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let places = usize::from(places);
    let shown = fraction.get(..places).unwrap_or(fraction);
    if whole == "0" && !fraction.is_empty() && shown.bytes().all(|digit| digit == b'0') {
        return if places == 0 { "<1".to_owned() } else { format!("<0.{:0>places$}", 1) };
    }
    if places == 0 { whole.to_owned() } else { format!("{whole}.{shown:0<places$}") }
}

/// Formats a whole number with grouped digits.
pub fn group(number: u64) -> String {
    group_digits(&number.to_string())
}

/// Pads text with spaces to `width` terminal columns; longer text stays unchanged.
pub fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// Cleans text, and truncates or pads it to exactly `width` terminal columns.
pub fn fit(text: &str, width: usize) -> String {
    pad(&clip(text, width), width)
}

/// Formats a count with a regular plural and grouped digits: `1 event`, `1,234 events`.
pub fn count(number: usize, thing: &str) -> String {
    count_large(u64::try_from(number).unwrap_or(u64::MAX), thing)
}

/// Formats a count given as `u64`.
pub fn count_large(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", group(number), if number == 1 { "" } else { "s" })
}

/// Formats a count with a singular and a plural word: `1 child`, `2 children`.
pub fn count_of(number: usize, one: impl Display, many: impl Display) -> String {
    if number == 1 {
        format!("1 {one}")
    } else {
        format!("{} {many}", group(u64::try_from(number).unwrap_or(u64::MAX)))
    }
}

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Formats an age in one whole unit: `3 s`, `12 min`, `83 min`, `5 h`, `40 d`. Hours and days start at two, so that
/// rows of one afternoon do not all show one hour.
pub fn age(span: Duration) -> String {
    match span.as_secs() {
        seconds @ 0..MINUTE => format!("{seconds} s"),
        seconds if seconds < 2 * HOUR => format!("{} min", seconds / MINUTE),
        seconds if seconds < 2 * DAY => format!("{} h", seconds / HOUR),
        seconds => format!("{} d", seconds / DAY),
    }
}

/// Formats a planned duration in its two largest units: `45 s`, `1 min 30 s`, `2 h 5 min`, `6 d 4 h`, `7 d`.
pub fn span(seconds: u64) -> String {
    let units = [(DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (1, "s")];
    let first = units.iter().position(|(size, _)| seconds >= *size).unwrap_or(units.len() - 1);
    let mut rest = seconds;
    let mut parts = Vec::new();
    for (size, unit) in units.iter().skip(first).take(2) {
        if rest >= *size || seconds == 0 {
            parts.push(format!("{} {unit}", rest / size));
        }
        rest %= size;
    }
    parts.join(" ")
}

/// Formats a duration as a clock with seconds: `0:40`, `1:02:03`, `6 d 4:12:09`.
pub fn stopwatch(span: Duration) -> String {
    let seconds = span.as_secs();
    let (days, hours, minutes, rest) = (seconds / DAY, seconds % DAY / HOUR, seconds % HOUR / MINUTE, seconds % MINUTE);
    match (days, hours) {
        (0, 0) => format!("{minutes}:{rest:02}"),
        (0, _) => format!("{hours}:{minutes:02}:{rest:02}"),
        _ => format!("{days} d {hours}:{minutes:02}:{rest:02}"),
    }
}

/// Formats a running duration for one line of text: with seconds up to an hour, then in its two largest units without
/// seconds: `0:40`, `1 h 5 min`, `6 d 4 h`.
pub fn elapsed(span: Duration) -> String {
    let seconds = span.as_secs();
    if seconds < HOUR { stopwatch(span) } else { self::span(seconds - seconds % MINUTE) }
}

/// Formats a duration in seconds with two decimals, halves rounded up: `0.97 s`.
pub fn hundredths(span: Duration) -> String {
    let hundredths = (span.as_millis() + 5) / 10;
    format!("{}.{:02} s", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_its_two_largest_units() {
        for (seconds, text) in [
            (0, "0 s"),
            (1, "1 s"),
            (45, "45 s"),
            (59, "59 s"),
            (60, "1 min"),
            (90, "1 min 30 s"),
            (245, "4 min 5 s"),
            (3601, "1 h"),
            (7500, "2 h 5 min"),
            (86_400 + 59, "1 d"),
            (90_000, "1 d 1 h"),
            (90_061, "1 d 1 h"),
            (604_800, "7 d"),
        ] {
            assert_eq!(span(seconds), text);
        }
    }

    #[test]
    fn simple_characters_take_a_column_each_and_combine_with_none() {
        let simple: Vec<char> = ('\0'..=char::MAX).filter(|character| is_simple(&character.to_string())).collect();
        assert!(simple.len() > 300 && simple.contains(&'…') && !simple.contains(&'漢'), "{}", simple.len());
        for character in &simple {
            let among = format!("a{character}a{character}{character}");
            assert_eq!((character.width(), among.width()), (Some(1), 5), "{character:?}");
            assert_eq!(clean(&among), among);
        }
        let all: String = simple.iter().collect();
        assert_eq!((columns(&all), all.width()), (simple.len(), simple.len()));
    }

    #[test]
    fn lines_break_at_blanks_and_the_last_one_is_cut() {
        assert_eq!(wrap("one two three", 8, 3), ["one two", "three"]);
        assert_eq!(wrap("one two three four", 8, 2), ["one two", "three f…"]);
        assert_eq!(wrap("abcdefghij", 4, 9), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("漢字漢字", 5, 9), ["漢字", "漢字"]);
        assert_eq!(wrap("漢字", 1, 9).len(), 2, "a column too narrow still ends");
        assert!(wrap("", 5, 3).is_empty() && wrap("a", 0, 3).is_empty());
    }

    #[test]
    fn foreign_words_cannot_leave_their_quotes() {
        let hostile = "you”. Then the foundation sent 5 INIT to “me \u{1b}[2J";
        assert_eq!(quoted(hostile), "“you\". Then the foundation sent 5 INIT to \"me ”");
        let long = quoted(&"wide ".repeat(50));
        assert!(long.width() <= QUOTED + 2 && long.ends_with("…”"), "{long}");
    }

    #[test]
    fn names_are_compared_without_signs_and_case() {
        assert_eq!(letters_and_digits(" Über-FOO #1 "), "überfoo1");
        assert_eq!(letters_and_digits("--- "), "");
    }

    #[test]
    fn spans_are_written_for_ages_clocks_and_lines() {
        let all = |seconds| {
            let span = Duration::from_secs(seconds);
            [age(span), stopwatch(span), elapsed(span)]
        };
        assert_eq!(all(0), ["0 s", "0:00", "0:00"]);
        assert_eq!(all(90), ["1 min", "1:30", "1:30"]);
        assert_eq!(all(3723), ["62 min", "1:02:03", "1 h 2 min"]);
        assert_eq!(all(6 * DAY + 4 * HOUR + 12 * MINUTE + 9), ["6 d", "6 d 4:12:09", "6 d 4 h"]);
        assert_eq!(hundredths(Duration::from_millis(966)), "0.97 s");
        assert_eq!(
            [935, 934, 1995].map(|span| hundredths(Duration::from_millis(span))),
            ["0.94 s", "0.93 s", "2.00 s"]
        );
    }

    #[test]
    fn counts_have_their_plural() {
        assert_eq!(
            [count(0, "event"), count(1, "event"), count(1234, "event")],
            ["0 events", "1 event", "1,234 events"]
        );
        assert_eq!([count_of(1, "child", "children"), count_of(2, "child", "children")], ["1 child", "2 children"]);
    }

    #[test]
    fn a_cut_behind_a_cut_is_marked_once() {
        assert_eq!([clip("init1l2345…67890x", 12), clip("init1l2345…67890x", 13)], ["init1l2345…", "init1l2345…6…"]);
    }

    #[test]
    fn columns_are_filled_by_display_width() {
        assert_eq!([pad("漢", 4), pad("abcdef", 4)], ["漢  ", "abcdef"]);
        assert_eq!([fit("漢字漢", 4), fit("a\u{7}b", 4)], ["漢… ", "ab  "]);
    }
}
