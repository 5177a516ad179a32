//! Lines of the search for a transaction signed elsewhere.

use super::{
    line::{Line, SendLine},
    lines::SendFacts,
    sought::PACE,
};
use crate::{config::Meaning, domain::text, story::Names};

/// Maximum visible candidates.
const MOST: usize = 5;

impl SendFacts<'_> {
    /// Adds the search's criteria, start time and candidates.
    pub(super) fn push_search(&self, lines: &mut Vec<Line>) {
        let stage = &self.page.sought;
        let Some(sought) = &stage.sought else { return };
        let chain = Names::chain(self.names, &sought.chain_id);
        let words = format!(
            "searching the transactions of {} on {chain} since {}, every {} s",
            text::clip(&sought.signer, 64),
            self.zone.clock(sought.since),
            PACE.as_secs()
        );
        self.push_wrapped(lines, 1, Line::at(1).named(SendLine::Sought), Meaning::Muted, &words);
        if let Some(error) = &stage.error {
            lines.push(Line::at(1).with(Meaning::Warning, format!("! the last search failed: {error}")));
        }
        for (place, found) in stage.proposals().iter().enumerate().take(MOST) {
            let differs = match (found.differs.as_slice(), found.is_failed) {
                ([], false) => "same messages, one of several matches".to_owned(),
                ([], true) => "same messages, but it failed".to_owned(),
                (differs, is_failed) => {
                    let failed = if is_failed { "; it failed" } else { "" };
                    format!("differs in {}{failed}", text::clip(&differs.join(", "), 120))
                }
            };
            let words = format!("Enter: use {} of {}? {differs}", found.hash, self.zone.clock(found.at));
            let head = Line::at(1).named(SendLine::Found(place));
            self.push_wrapped(lines, 1, head, Meaning::Kind, &words);
        }
    }
}
