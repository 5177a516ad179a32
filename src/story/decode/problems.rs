use super::loose::MOST_ITEMS;
use crate::domain::text::clip;

/// So many are named; the rest are counted.
const NAMED: usize = 3;

/// What of a record could not be read.
#[derive(Default)]
pub(super) struct Problems {
    named: Vec<String>,
    more: usize,
}

impl Problems {
    /// Adds a part, named so that it fits after "cannot be read: ".
    pub(super) fn add(&mut self, part: impl FnOnce() -> String) {
        if self.named.len() < NAMED {
            self.named.push(clip(&part(), 80));
        } else {
            self.more += 1;
        }
    }

    /// Cuts a list to the items that are kept, and says so.
    pub(super) fn cut<T>(&mut self, list: &mut Vec<T>, what: &str) {
        if list.len() > MOST_ITEMS {
            list.truncate(MOST_ITEMS);
            self.add(|| format!("its {what} after the first {MOST_ITEMS}"));
        }
    }

    /// All of them in a sentence without a full stop; nothing where there are none.
    pub(super) fn sentence(&self) -> Option<String> {
        let more = if self.more == 0 { String::new() } else { format!(" and {} more", self.more) };
        (!self.named.is_empty()).then(|| format!("parts of the record cannot be read: {}{more}", self.named.join(", ")))
    }
}
