//! What the page in the browser is doing, as the explorer tells it on the page that gave what is signed.

use crate::{
    app::transfers::{BrowserSigning, BrowserStage},
    config::Meaning,
    domain::text,
    widgets::document::Line,
};

/// Columns beside a value: two steps inwards and its name.
const BESIDE: usize = 18;
/// Rows of one value at the most.
const ROWS: usize = 6;

/// What the page in the browser is doing, with what is signed there at this moment.
pub(crate) fn signing_lines<Id>(open: &BrowserSigning, width: usize) -> Vec<Line<Id>> {
    let line = |meaning, words: String| Line::at(1).with(meaning, words);
    let mut lines = Vec::new();
    if let Some(tunnel) = &open.tunnel {
        lines.push(line(Meaning::Warning, "this is another machine: first run there, beside the browser:".to_owned()));
        lines.push(Line::at(2).with(Meaning::Kind, tunnel).copying(tunnel.as_str()));
    }
    if let Some(address) = open.address.as_ref().filter(|_| !open.is_opened) {
        lines.push(line(Meaning::Text, "sign in your browser, at this address, which works once:".to_owned()));
        lines.push(Line::at(2).with(Meaning::Link, address).copying(address.as_str()));
    }
    if open.is_opened {
        lines.push(line(Meaning::Muted, "the page is open in the browser".to_owned()));
    }
    if let Some((wallet, account)) = &open.wallet {
        let words = format!("{wallet} signs as {account}");
        lines.push(line(Meaning::Text, words).copying(account.as_str()));
    }
    let approvals =
        open.approvals.iter().map(|hash| line(Meaning::Text, format!("approval sent: {hash}")).copying(hash.as_str()));
    lines.extend(approvals);
    match &open.stage {
        BrowserStage::Preparing => {
            lines.push(line(Meaning::Muted, "asking the chain for account, gas and fee…".to_owned()));
        }
        BrowserStage::Asked(why) => {
            lines.push(line(Meaning::Warning, format!("! {why}: a says yes, Esc takes it back")));
        }
        BrowserStage::Offered(words) => {
            lines.push(line(Meaning::Heading, words.title.clone()));
            let room = width.saturating_sub(BESIDE).max(16);
            for (name, value) in &words.lines {
                let rows = text::wrap(value, room, ROWS);
                lines.extend(rows.iter().enumerate().map(|(place, row)| {
                    let name = if place == 0 { name.as_str() } else { "" };
                    let head = Line::at(2).with(Meaning::Key, format!("{name:<9} "));
                    head.with(Meaning::Text, row).copying(value.as_str())
                }));
            }
            lines.push(line(Meaning::Kind, "confirm it in your wallet; Esc takes it back".to_owned()));
        }
        BrowserStage::Sending(hash) => {
            lines.push(line(Meaning::Text, format!("signed as {hash}; it is being sent")).copying(hash.as_str()));
        }
        BrowserStage::Waiting => {
            lines
                .push(line(Meaning::Muted, "the page in the browser waits for what follows: leave it open".to_owned()));
        }
    }
    lines
}
