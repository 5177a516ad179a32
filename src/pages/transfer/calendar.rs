//! A reminder for a calendar: when a withdrawal should be claimable (RFC 5545).

use std::time::Duration;

use crate::{
    app::transfers::WatchedTransfer,
    domain::{Timestamp, text},
    story::WithdrawalStage,
    story::transfer::{Names, Phase},
};

/// How long the entry lasts in the calendar.
const LENGTH: Duration = Duration::from_secs(1800);
/// Bytes of a line at the most; longer ones go on behind a line break and a blank.
const LINE: usize = 74;

/// The calendar file of a withdrawal that cannot be claimed yet.
pub(super) fn reminder(transfer: &WatchedTransfer, names: &dyn Names, now: Timestamp) -> Option<String> {
    let from =
        transfer.status_view.expected.filter(|at| transfer.status_view.phase == Phase::Finalizing && *at > now)?;
    let chain = transfer.route().map(|route| names.chain(&route.dest_asset_chain_id));
    let place = chain.map(|chain| format!(" on {chain}")).unwrap_or_default();
    let id = &transfer.record.id;
    let mut stages = transfer.status_view.hops.iter().filter_map(|hop| hop.stage.as_ref());
    let proposal = stages.find_map(|stage| match stage {
        WithdrawalStage::Proposed { index, proposed, period: Some(period), .. } => Some((*index, *proposed, *period)),
        _ => None,
    });
    let (estimate, source) = match proposal {
        Some((index, proposed, period)) => {
            let (time, span) = (proposed.cut_to_seconds(), text::span(period.as_secs()));
            ("", format!("By the L1: output {index} of {time} and {span} in which it can be challenged."))
        }
        None => (" (estimate)", "An estimate: the time of the transaction and the quoted duration.".to_owned()),
    };
    let lines = [
        "BEGIN:VCALENDAR".to_owned(),
        "VERSION:2.0".to_owned(),
        "PRODID:-//rollscope//transfers//EN".to_owned(),
        "BEGIN:VEVENT".to_owned(),
        format!("UID:{}@rollscope", escaped(&id.to_string())),
        format!("DTSTAMP:{}", basic(now)),
        format!("DTSTART:{}", basic(from)),
        format!("DTEND:{}", basic(from.after(LENGTH))),
        format!("SUMMARY:{}", escaped(&format!("Withdrawal claimable{place}{estimate}"))),
        format!("DESCRIPTION:{}", escaped(format!("{source} {} {id}", transfer.record.label).trim())),
        "BEGIN:VALARM".to_owned(),
        "ACTION:DISPLAY".to_owned(),
        "DESCRIPTION:Claim the withdrawal".to_owned(),
        "TRIGGER:PT0M".to_owned(),
        "END:VALARM".to_owned(),
        "END:VEVENT".to_owned(),
        "END:VCALENDAR".to_owned(),
    ];
    Some(lines.iter().map(|line| folded(line) + "\r\n").collect())
}

/// `20260131T120000Z`
fn basic(at: Timestamp) -> String {
    at.day_and_clock().replace(['-', ':'], "").replace(' ', "T") + "Z"
}

fn escaped(value: &str) -> String {
    text::clean(value).replace('\\', "\\\\").replace(';', "\\;").replace(',', "\\,")
}

fn folded(line: &str) -> String {
    let mut result = String::new();
    let mut length = 0;
    for sign in line.chars() {
        if length + sign.len_utf8() > LINE {
            result.push_str("\r\n ");
            length = 1;
        }
        length += sign.len_utf8();
        result.push(sign);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_lines_and_signs_are_those_of_calendars() {
        assert_eq!(basic("2026-01-31T12:00:05Z".parse().unwrap()), "20260131T120005Z");
        assert_eq!(escaped("a,b;c\\d\n"), "a\\,b\\;c\\\\d ");
        let long = folded(&"x".repeat(200));
        assert!(long.split("\r\n").all(|line| line.len() <= 75) && long.replace("\r\n ", "").len() == 200);
    }
}
