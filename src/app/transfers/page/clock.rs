//! Spans as a clock shows them.

use std::time::Duration;

const DAY: u64 = 86_400;

/// `0:40`, `1:02:03`, `6 d 4:12:09`.
pub(crate) fn span(span: Duration) -> String {
    let seconds = span.as_secs();
    let (days, hours, minutes, rest) = (seconds / DAY, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    match (days, hours) {
        (0, 0) => format!("{minutes}:{rest:02}"),
        (0, _) => format!("{hours}:{minutes:02}:{rest:02}"),
        _ => format!("{days} d {hours}:{minutes:02}:{rest:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_grow_from_minutes_to_days() {
        let of = |seconds| span(Duration::from_secs(seconds));
        assert_eq!([of(0), of(40), of(90), of(3723)], ["0:00", "0:40", "1:30", "1:02:03"]);
        assert_eq!(of(6 * DAY + 4 * 3600 + 12 * 60 + 9), "6 d 4:12:09");
    }
}
