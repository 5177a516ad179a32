//! State of the browser's signing page, as shown on the page that requested the signature.

use crate::{
    app::transfers::{BrowserSigning, BrowserStage},
    config::Meaning,
    domain::text,
    signing::{OfferLine, OfferLineKind},
    widgets::document::Line,
};

/// Columns of indent and name before a value.
const BESIDE: usize = 18;
/// Maximum rows of a value.
const ROWS: usize = 6;
/// Maximum rows of a question.
const QUESTION_ROWS: usize = 16;

/// Returns lines for the state of the signing page and its current request.
pub(crate) fn signing_lines<Id>(open: &BrowserSigning, width: usize) -> Vec<Line<Id>> {
    let line = |meaning, words: String| Line::at(1).with(meaning, words);
    let mut lines = Vec::new();
    if let Some(tunnel) = &open.tunnel {
        lines.push(line(Meaning::Warning, "first run this command on the machine of your browser:".to_owned()));
        lines.push(Line::at(2).with(Meaning::Kind, tunnel).copying(tunnel.as_str()));
    }
    if let Some(address) = open.address.as_ref().filter(|_| !open.is_opened) {
        lines.push(line(Meaning::Text, "open this one-time address in your browser to sign:".to_owned()));
        lines.push(Line::at(2).with(Meaning::Link, address).copying(address.as_str()));
    }
    if open.is_opened {
        lines.push(line(Meaning::Muted, "the signing page is open in your browser".to_owned()));
    }
    if let Some((wallet, account)) = &open.wallet {
        let words = format!("{} signs as {}", wallet.clipped(80), account.clipped(80));
        lines.push(line(Meaning::Text, words).copying(account.as_received()));
    }
    let approvals = open.approvals.iter();
    lines.extend(
        approvals.map(|(step, hash)| line(Meaning::Text, format!("{}: {hash}", step.words())).copying(hash.as_str())),
    );
    match &open.stage {
        BrowserStage::Preparing => {
            lines.push(line(Meaning::Muted, "reading account, gas and fee from the chain…".to_owned()));
        }
        BrowserStage::Asked(why) => {
            let asked = format!("! {why}: press a to continue, Esc to cancel");
            let rows = text::wrap(&asked, width.saturating_sub(4).max(16), QUESTION_ROWS);
            lines.extend(rows.into_iter().map(|row| line(Meaning::Warning, row)));
        }
        BrowserStage::Offered(words) => {
            lines.extend(words.note.clone().map(|note| line(Meaning::Warning, format!("! {note}"))));
            lines.push(line(Meaning::Heading, words.title.clone()));
            let room = width.saturating_sub(BESIDE).max(16);
            let letters = words.letters().map(|letters| OfferLine::new("LETTERS", OfferLineKind::Warning, &letters));
            for OfferLine { name, text, kind } in words.lines.iter().chain(&letters) {
                let meaning = match kind {
                    OfferLineKind::Plain => Meaning::Text,
                    OfferLineKind::Amount => Meaning::Number,
                    OfferLineKind::Warning => Meaning::Warning,
                };
                let rows = text::wrap(text, room, ROWS);
                lines.extend(rows.iter().enumerate().map(|(place, row)| {
                    let name = if place == 0 { name } else { "" };
                    let head = Line::at(2).with(Meaning::Key, format!("{name:<9} "));
                    head.with(meaning, row).copying(text.as_str())
                }));
            }
            lines.push(line(Meaning::Kind, "confirm in your wallet; Esc cancels".to_owned()));
        }
        BrowserStage::Sending(hash) => {
            lines.push(line(Meaning::Text, format!("signed {hash}; broadcasting")).copying(hash.as_str()));
        }
        BrowserStage::Waiting => {
            lines.push(line(Meaning::Muted, "keep the signing page open: another signature follows".to_owned()));
        }
    }
    lines
}
