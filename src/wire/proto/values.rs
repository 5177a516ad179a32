//! Conversion of single values between bytes and proto JSON.

use jiff::{
    Span,
    civil::{Date, DateTime, date},
};

use crate::wire::protobuf::{ProtoFields, ProtoWriter};

/// Fraction digits of a Cosmos decimal.
const DECIMALS: usize = 18;
const DAY: i64 = 86_400;
const EPOCH: Date = date(1970, 1, 1);
/// 0001-01-01T00:00:00Z, Go's zero time, as Unix seconds.
const FIRST_SECOND: i64 = -62_135_596_800;
/// 9999-12-31T23:59:59Z, as Unix seconds.
const LAST_SECOND: i64 = 253_402_300_799;
/// Maximum seconds of a protobuf duration, about ten thousand years.
const LONGEST_SECONDS: u64 = 315_576_000_000;

pub(super) const NO_TIME: &str = "0001-01-01T00:00:00Z";

/// Decodes seconds and nanoseconds of a `Timestamp` or `Duration`.
pub(super) fn clock_of(message: &[u8]) -> Option<(i64, i32)> {
    let (mut seconds, mut nanos) = (0, 0);
    for field in ProtoFields::new(message) {
        let field = field?;
        let value = || field.number_value.map(u64::cast_signed);
        match field.number {
            1 => seconds = value()?,
            2 => nanos = i32::try_from(value()?).ok()?,
            _ => return None,
        }
    }
    Some((seconds, nanos))
}

/// Encodes a `Timestamp` or `Duration`.
pub(super) fn clock_bytes((seconds, nanos): (i64, i32)) -> Vec<u8> {
    ProtoWriter::new().uint(1, seconds.cast_unsigned()).uint(2, i64::from(nanos).cast_unsigned()).finish()
}

/// Formats RFC 3339 with 0, 3, 6 or 9 fraction digits.
pub(super) fn time_text((seconds, nanos): (i64, i32)) -> Option<String> {
    if !(FIRST_SECOND..=LAST_SECOND).contains(&seconds) || !(0..1_000_000_000).contains(&nanos) {
        return None;
    }
    let day = EPOCH.checked_add(Span::new().try_days(seconds.div_euclid(DAY)).ok()?).ok()?;
    let second = seconds.rem_euclid(DAY);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    Some(format!("{day}T{hour:02}:{minute:02}:{second:02}{}Z", fraction(nanos.unsigned_abs())))
}

/// Parses RFC 3339 in UTC to seconds and nanoseconds.
pub(super) fn time_of(text: &str) -> Option<(i64, i32)> {
    let time: DateTime = text.strip_suffix('Z')?.parse().ok()?;
    let days = i64::from(EPOCH.until(time.date()).ok()?.get_days());
    let (hour, minute) = (i64::from(time.hour()), i64::from(time.minute()));
    let seconds = days * DAY + hour * 3_600 + minute * 60 + i64::from(time.second());
    (FIRST_SECOND..=LAST_SECOND).contains(&seconds).then(|| (seconds, time.subsec_nanosecond()))
}

/// Formats a duration such as `3600s` or `-1.500s`.
pub(super) fn duration_text((seconds, nanos): (i64, i32)) -> Option<String> {
    let is_mixed = seconds > 0 && nanos < 0 || seconds < 0 && nanos > 0;
    if is_mixed || seconds.unsigned_abs() > LONGEST_SECONDS || nanos.unsigned_abs() >= 1_000_000_000 {
        return None;
    }
    let sign = if seconds < 0 || nanos < 0 { "-" } else { "" };
    Some(format!("{sign}{}{}s", seconds.unsigned_abs(), fraction(nanos.unsigned_abs())))
}

/// Parses a duration such as `3600s` to seconds and nanoseconds.
pub(super) fn duration_of(text: &str) -> Option<(i64, i32)> {
    let text = text.strip_suffix('s')?;
    let (text, sign) = text.strip_prefix('-').map_or((text, 1), |text| (text, -1));
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if !is_digits(whole) || part.len() > 9 || !part.is_empty() && !is_digits(part) {
        return None;
    }
    let seconds: i64 = whole.parse().ok().filter(|seconds: &i64| seconds.unsigned_abs() <= LONGEST_SECONDS)?;
    let nanos: i32 = format!("{part:0<9}").parse().ok()?;
    Some((sign * seconds, i32::try_from(sign).ok()? * nanos))
}

fn fraction(nanos: u32) -> String {
    match nanos {
        0 => String::new(),
        _ if nanos.is_multiple_of(1_000_000) => format!(".{:03}", nanos / 1_000_000),
        _ if nanos.is_multiple_of(1_000) => format!(".{:06}", nanos / 1_000),
        _ => format!(".{nanos:09}"),
    }
}

/// Formats a decimal from its digits times 10^18: `1500000000000000000` is `1.500000000000000000`.
pub(super) fn decimal_text(digits: &str) -> Option<String> {
    let (sign, digits) = signed_digits(digits)?;
    let padded = format!("{digits:0>width$}", width = DECIMALS + 1);
    let (whole, part) = padded.split_at_checked(padded.len() - DECIMALS)?;
    Some(format!("{sign}{whole}.{part}"))
}

/// Returns the digits of a decimal, multiplied by 10^18.
pub(super) fn decimal_digits(text: &str) -> Option<String> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if part.len() > DECIMALS || !part.is_empty() && !is_digits(part) || whole.trim_start_matches('-').is_empty() {
        return None;
    }
    let digits = format!("{whole}{part:0<DECIMALS$}");
    let (sign, digits) = signed_digits(&digits)?;
    Some(format!("{sign}{digits}"))
}

/// Returns sign and digits without leading zeros; zero has no sign.
fn signed_digits(text: &str) -> Option<(&'static str, &str)> {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    if !is_digits(digits) {
        return None;
    }
    let short = digits.trim_start_matches('0');
    Some(if short.is_empty() { ("", "0") } else { (sign, short) })
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Decodes text as Go does: U+FFFD replaces each invalid byte.
pub(super) fn lossy_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(std::iter::repeat_n(char::REPLACEMENT_CHARACTER, chunk.invalid().len()));
    }
    text
}

/// Removes whitespace between JSON tokens; strings and numbers stay unchanged.
pub(super) fn compact_json(json: &str) -> String {
    let mut compact = String::with_capacity(json.len());
    let (mut is_text, mut is_escaped) = (false, false);
    for letter in json.chars() {
        if is_text {
            is_text = letter != '"' || is_escaped;
            is_escaped = letter == '\\' && !is_escaped;
        } else if letter == '"' {
            is_text = true;
        } else if letter.is_ascii_whitespace() {
            continue;
        }
        compact.push(letter);
    }
    compact
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_as_many_digits_as_they_need_in_groups() {
        for (clock, text) in [
            ((0, 0), "1970-01-01T00:00:00Z"),
            ((FIRST_SECOND, 0), NO_TIME),
            ((1_827_619_200, 0), "2027-12-01T00:00:00Z"),
            ((1, 500_000_000), "1970-01-01T00:00:01.500Z"),
            ((1, 500), "1970-01-01T00:00:01.000000500Z"),
            ((-1, 1_000), "1969-12-31T23:59:59.000001Z"),
            ((LAST_SECOND, 999_999_999), "9999-12-31T23:59:59.999999999Z"),
        ] {
            assert_eq!(time_text(clock).as_deref(), Some(text));
            assert_eq!(time_of(text), Some(clock), "{text}");
            assert_eq!(clock_of(&clock_bytes(clock)), Some(clock));
        }
        for clock in [(FIRST_SECOND - 1, 0), (LAST_SECOND + 1, 0), (i64::MAX, 0), (0, -1), (0, 1_000_000_000)] {
            assert_eq!(time_text(clock), None, "{clock:?}");
        }
    }

    #[test]
    fn durations_are_seconds() {
        for (clock, text) in
            [((604_800, 0), "604800s"), ((0, 0), "0s"), ((-1, -500_000_000), "-1.500s"), ((0, -1), "-0.000000001s")]
        {
            assert_eq!(duration_text(clock).as_deref(), Some(text));
            assert_eq!(duration_of(text), Some(clock));
        }
        for text in ["", "s", "1", "-s", "1.s5", "1..5s", "+1s", "1.0000000000s", "999999999999999s"] {
            assert_eq!(duration_of(text), None, "{text}");
        }
        assert_eq!(duration_text((1, -1)), None);
    }

    #[test]
    fn decimals_have_eighteen_digits_behind_the_point() {
        for (digits, text) in [
            ("150000000000000000", "0.150000000000000000"),
            ("1000000000000000000000000000", "1000000000.000000000000000000"),
            ("0", "0.000000000000000000"),
            ("-5", "-0.000000000000000005"),
        ] {
            assert_eq!(decimal_text(digits).as_deref(), Some(text));
            assert_eq!(decimal_digits(text).as_deref(), Some(digits));
        }
        assert_eq!(decimal_digits("2").as_deref(), Some("2000000000000000000"));
        assert_eq!(decimal_text("-000").as_deref(), Some("0.000000000000000000"));
        for text in ["", "-", ".", ".5", "1.2.3", "1e5", "0.0000000000000000001", "1.-5", "--1"] {
            assert_eq!(decimal_digits(text), None, "{text}");
        }
    }

    #[test]
    fn text_in_json_keeps_its_blanks() {
        assert_eq!(compact_json("{ \"a b\" : [ 1.50 ,\t\"\\\" \\\\\" ]\n}"), r#"{"a b":[1.50,"\" \\"]}"#);
        assert_eq!(lossy_text(b"a\xf0\x9fb"), "a\u{fffd}\u{fffd}b");
    }
}
