//! Calendar entry that reminds the user to claim a withdrawal (RFC 5545).

use std::time::Duration;

use super::{Phase, TransferStatusView};
use crate::{
    domain::{Timestamp, TransferRecord, text},
    story::Names,
    story::WithdrawalStage,
    wire::router::Route,
};

const LENGTH: Duration = Duration::from_secs(1800);
/// Maximum bytes of a line. A longer line continues after a line break and a space.
const LINE: usize = 74;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoReminder {
    #[error("no withdrawal is in its challenge period")]
    NotFinalizing,
    /// Neither the L1 nor the quote names a time.
    #[error("the claim time is unknown")]
    Unknown,
    #[error("the withdrawal is already claimable")]
    Past,
}

/// Returns the calendar file for a withdrawal that is not claimable yet. The file says if the time is an estimate, not
/// the L1's.
pub fn claim_reminder(
    record: &TransferRecord,
    view: &TransferStatusView,
    route: Option<&Route>,
    names: &dyn Names,
    now: Timestamp,
) -> Result<String, NoReminder> {
    if view.phase != Phase::Finalizing {
        return Err(NoReminder::NotFinalizing);
    }
    let mut stages = view.hops.iter().filter_map(|hop| hop.stage.as_ref());
    // A proof that contradicts the L1's output allows no claim, whatever the quote says.
    if stages.clone().any(|stage| matches!(stage, WithdrawalStage::Disproven(_))) {
        return Err(NoReminder::Unknown);
    }
    let from = view.expected.ok_or(NoReminder::Unknown)?;
    if from <= now {
        return Err(NoReminder::Past);
    }
    let chain = route.map(|route| names.chain(&route.dest_asset_chain_id));
    let place = chain.map(|chain| format!(" on {chain}")).unwrap_or_default();
    let id = &record.id;
    let proposal = stages.find_map(|stage| match stage {
        WithdrawalStage::Proposed { index, proposed, period: Some(period), .. } => Some((*index, *proposed, *period)),
        _ => None,
    });
    let (estimate, source) = match proposal {
        Some((index, proposed, period)) => {
            let (time, span) = (proposed.cut_to_seconds(), text::span(period.as_secs()));
            ("", format!("From the L1: output {index} of {time} plus a challenge period of {span}."))
        }
        None => (" (estimate)", "Estimate: the time of the transaction plus the quoted duration.".to_owned()),
    };
    let name = id.to_string();
    let description: Vec<&str> =
        [&source, &record.label, &name].into_iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    let lines = [
        "BEGIN:VCALENDAR".to_owned(),
        "VERSION:2.0".to_owned(),
        "PRODID:-//rollscope//transfers//EN".to_owned(),
        "BEGIN:VEVENT".to_owned(),
        format!("UID:{}@rollscope", escaped(&name)),
        format!("DTSTAMP:{}", basic(now)),
        format!("DTSTART:{}", basic(from)),
        format!("DTEND:{}", basic(from.after(LENGTH))),
        format!("SUMMARY:{}", escaped(&format!("Withdrawal claimable{place}{estimate}"))),
        format!("DESCRIPTION:{}", escaped(&description.join(" "))),
        "BEGIN:VALARM".to_owned(),
        "ACTION:DISPLAY".to_owned(),
        "DESCRIPTION:Claim the withdrawal".to_owned(),
        "TRIGGER:PT0M".to_owned(),
        "END:VALARM".to_owned(),
        "END:VEVENT".to_owned(),
        "END:VCALENDAR".to_owned(),
    ];
    Ok(lines.iter().map(|line| folded(line) + "\r\n").collect())
}

/// Formats a time as in `20260131T120000Z`.
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
