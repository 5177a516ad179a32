//! The search for what is signed elsewhere in lines.

use super::{
    line::{Line, SendLine},
    lines::SendFacts,
    sought::PACE,
};
use crate::{config::Meaning, domain::text, story::transfer::Names};

/// Proposals that are shown.
const MOST: usize = 5;

impl SendFacts<'_> {
    /// What is looked for, since when, and what may be it.
    pub(super) fn push_search(&self, lines: &mut Vec<Line>) {
        let stage = &self.page.sought;
        let Some(sought) = &stage.sought else { return };
        let chain = Names::chain(self.names, &sought.chain_id);
        let words = format!(
            "looking for it among the transactions of {} on {chain} since {}, every {} s",
            text::clip(&sought.signer, 64),
            self.zone.clock(sought.since),
            PACE.as_secs()
        );
        self.push_wrapped(lines, 1, Line::at(1).named(SendLine::Sought), Meaning::Muted, &words);
        if let Some(error) = &stage.error {
            lines.push(Line::at(1).with(Meaning::Warning, format!("! the last look failed: {error}")));
        }
        for (place, found) in stage.proposals().iter().enumerate().take(MOST) {
            let differs = match (found.differs.as_slice(), found.is_failed) {
                ([], false) => "the same messages, and it is not the only one".to_owned(),
                ([], true) => "the same messages, and it failed".to_owned(),
                (differs, is_failed) => {
                    let failed = if is_failed { "; it failed" } else { "" };
                    format!("other values in {}{failed}", text::clip(&differs.join(", "), 120))
                }
            };
            let words = format!("Enter: is it {} of {}? {differs}", found.hash, self.zone.clock(found.at));
            let head = Line::at(1).named(SendLine::Found(place));
            self.push_wrapped(lines, 1, head, Meaning::Kind, &words);
        }
    }
}
