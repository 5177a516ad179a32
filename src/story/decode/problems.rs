use super::loose::MOST_ITEMS;
use crate::domain::text::clip;

/// Maximum problems named; the rest are counted.
const NAMED: usize = 3;

/// Unreadable parts of a record.
#[derive(Default)]
pub(super) struct Problems {
    named: Vec<String>,
    more: usize,
}

impl Problems {
    /// Adds a part, worded to follow "cannot be read: ".
    pub(super) fn add(&mut self, part: impl FnOnce() -> String) {
        if self.named.len() < NAMED {
            self.named.push(clip(&part(), 80));
        } else {
            self.more += 1;
        }
    }

    /// Cuts a list to the maximum, and records the cut.
    pub(super) fn cut<T>(&mut self, list: &mut Vec<T>, what: &str) {
        if list.len() > MOST_ITEMS {
            list.truncate(MOST_ITEMS);
            self.add(|| format!("the {what} after the first {MOST_ITEMS}"));
        }
    }

    /// Returns all in a sentence without a full stop; `None` without any.
    pub(super) fn sentence(&self) -> Option<String> {
        let more = if self.more == 0 { String::new() } else { format!(" and {} more", self.more) };
        (!self.named.is_empty()).then(|| format!("unreadable parts of the record: {}{more}", self.named.join(", ")))
    }
}
