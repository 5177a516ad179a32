//! The story of a transaction as lines to read.

use super::{
    document::Line,
    format::{fee_text, gas_share},
    tx_document::{TxSheet, address_line, field},
};
use crate::{
    config::Meaning,
    domain::{Address, Target, text},
};

/// The lines of the story.
pub(super) fn story_lines(sheet: &TxSheet<'_>) -> Vec<Line> {
    let (tx, decoded, form) = (sheet.tx, &sheet.story.decoded, sheet.form);
    let mut lines = Vec::new();
    match &decoded.failure {
        None => lines.push(field(0, "result").with(Meaning::Good, "✓ success")),
        Some(failure) => {
            let place = failure
                .message_index
                .map_or_else(|| "before any message ran".to_owned(), |index| format!("message {}", index + 1));
            lines.push(
                field(0, "result")
                    .with(Meaning::Bad, format!("✗ failed, {place} ({})", failure.code))
                    .copying(tx.raw_log.clone()),
            );
            lines.push(field(0, "reason").with(Meaning::Bad, &failure.detail).copying(tx.raw_log.clone()));
        }
    }
    lines.push(field(0, "hash").with(Meaning::Link, tx.txhash.to_string()).copying(tx.txhash.to_string()));
    lines.extend(sheet.beside.clone());
    lines.push(
        field(0, "block")
            .with(Meaning::Link, text::group(tx.height.get()))
            .copying(tx.height.to_string())
            .leading_to(Some(Target::Block(tx.height))),
    );
    lines.push(
        field(0, "time")
            .with(Meaning::Text, format!("{} UTC", tx.timestamp.day_and_clock()))
            .copying(tx.timestamp.to_string()),
    );
    if let Some(signer) = decoded.signer {
        let note = if decoded.is_ethereum_signed { "  signed by an Ethereum wallet" } else { "" };
        lines.push(address_line(field(0, "signer"), signer, form).with(Meaning::Muted, note));
    }
    let fee = fee_text(&decoded.fee, sheet.network);
    let payer = decoded
        .fee_payer
        .as_deref()
        .and_then(|text| text.parse::<Address>().ok())
        .filter(|payer| decoded.signer != Some(*payer));
    let paid_by = payer.map(|payer| format!("  paid by {}", form.write(payer))).unwrap_or_default();
    lines.push(field(0, "fee").with(Meaning::Number, fee).with(Meaning::Muted, paid_by));
    let used = text::group(tx.gas_used);
    lines.push(field(0, "gas").with(Meaning::Number, used).with(Meaning::Muted, gas_share(tx.gas_used, tx.gas_wanted)));
    if let Some(memo) = &decoded.memo {
        lines.push(field(0, "memo").with(Meaning::Text, memo).copying(memo.clone()));
    }
    lines
}
