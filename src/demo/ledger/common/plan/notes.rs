//! Memos that users write.

use crate::demo::ledger::{
    common::{record::PartyId, world::WALLET},
    rng::mix,
};

/// One in this many transfers has a memo.
const EVERY: u64 = 5;

/// Memos in many scripts, some with characters that JSON and HTML must escape.
const NOTES: [&str; 16] = [
    "rent for March",
    "thanks! 🙏",
    "Grüße aus Köln, für Zoë",
    "お誕生日おめでとう 🎂",
    "<b>50% off</b> & more",
    "R&D <refund> \"Q3\"",
    "за обед",
    "점심값",
    "a\\b/c 'quoted'",
    "👩‍👩‍👧 family plan",
    "شكرا جزيلا",
    "déjà payé — merci",
    "1 < 2 && 3 > 2",
    "🧡🧡🧡",
    "invoice #2041: 12×4 hrs @ 30",
    "先月の分です。遅くなってすみません、よろしくお願いします",
];

/// Memo by its index; 0 for no memo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct MemoNumber(u8);

impl MemoNumber {
    /// Returns the memo of a sender's transaction. The demo wallet writes none.
    pub(crate) fn of(sender: PartyId, number: u64) -> Self {
        let drawn = mix(number ^ 0x6d65_6d6f);
        if sender.0 == WALLET || !drawn.is_multiple_of(EVERY) {
            return Self::default();
        }
        Self(u8::try_from(1 + drawn / EVERY % NOTES.len() as u64).unwrap_or(0))
    }

    pub(crate) fn text(self) -> &'static str {
        usize::from(self.0).checked_sub(1).and_then(|place| NOTES.get(place)).copied().unwrap_or("")
    }
}
