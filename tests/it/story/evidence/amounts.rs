//! Puts an amount that no event has in the place of one that a transaction's messages ask for.

use std::collections::BTreeSet;

use base64::{Engine, prelude::BASE64_STANDARD};

/// In no record.
pub(super) const ODD: &str = "867530986753";
const NUMBER: u64 = 867_530_986_753;

/// Every way to put it in the place of one amount: as text under its usual names, as a word of a call's input, as an
/// argument of Move.
pub(super) fn instead(messages: &str) -> Vec<String> {
    let mut all = BTreeSet::new();
    for name in ["amount", "value", "token_id", "tokens"] {
        let begin = format!("\"{name}\":\"");
        for (place, _) in messages.match_indices(&begin) {
            let start = place + begin.len();
            let Some(length) = messages[start..].find('"').filter(|length| *length > 0) else { continue };
            let written = &messages[start..start + length];
            if written.bytes().all(|digit| digit.is_ascii_digit()) && written != "0" {
                all.insert(format!("{}{ODD}{}", &messages[..start], &messages[start + length..]));
            }
        }
    }
    for word in messages.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| word.len() > 74) {
        let Some(digits) = word.strip_prefix("0x") else { continue };
        for start in (8..digits.len().saturating_sub(63)).step_by(64) {
            // Small numbers are places and lengths; what has its upper half set is an account or a hash.
            let is_amount = digits[start..start + 32].bytes().all(|digit| digit == b'0')
                && digits[start + 32..start + 56].bytes().any(|digit| digit != b'0');
            if is_amount {
                let changed = format!("0x{}{NUMBER:064x}{}", &digits[..start], &digits[start + 64..]);
                all.insert(messages.replace(word, &changed));
            }
        }
    }
    let is_base64 = |sign: char| sign.is_ascii_alphanumeric() || "+/=".contains(sign);
    for word in messages.split(|sign: char| !is_base64(sign)).filter(|word| word.len() == 12 && word.ends_with('=')) {
        if BASE64_STANDARD.decode(word).is_ok_and(|bytes| bytes.len() == 8) {
            all.insert(messages.replace(word, &BASE64_STANDARD.encode(NUMBER.to_le_bytes())));
        }
    }
    all.into_iter().collect()
}
