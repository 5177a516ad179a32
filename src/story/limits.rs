use std::cell::Cell;

/// Maximum events read of a transaction; real transactions have a few hundred.
pub const MOST_EVENTS: usize = 20_000;
/// Maximum nested messages, calls and JSON strings opened per transaction.
pub const MOST_NESTED: usize = 512;
/// Maximum depth of opened values.
pub const MOST_DEPTH: usize = 8;

/// Maximum messages with a sentence; real transactions have a few.
pub const MOST_SENTENCES: usize = 2_000;

/// Maximum addresses tried as owners of Move stores per transaction; each costs a hash.
pub const MOST_OWNER_TESTS: usize = 8_192;

/// Cost counters of reading a transaction; their limits keep a record from stalling a reader.
#[derive(Debug, Default)]
pub struct Work {
    events: Cell<usize>,
    nested: Cell<usize>,
    owner_tests: Cell<usize>,
    is_cut: Cell<bool>,
}

impl Work {
    /// Counts an event; false beyond the limit. Each pass over the events counts again.
    pub fn takes_event(&self) -> bool {
        Self::takes(&self.events, MOST_EVENTS, &self.is_cut)
    }

    /// Counts a nested value at this depth, from 0; false beyond the limits.
    pub fn takes_nested(&self, depth: usize) -> bool {
        if depth >= MOST_DEPTH {
            self.is_cut.set(true);
            return false;
        }
        Self::takes(&self.nested, MOST_NESTED, &self.is_cut)
    }

    /// Counts an address tried as an owner of stores; false beyond the limit.
    pub fn takes_owner_test(&self) -> bool {
        Self::takes(&self.owner_tests, MOST_OWNER_TESTS, &self.is_cut)
    }

    /// Whether the message at this index, from 0, gets a sentence.
    pub fn takes_sentence(&self, place: usize) -> bool {
        if place >= MOST_SENTENCES {
            self.is_cut.set(true);
        }
        place < MOST_SENTENCES
    }

    pub fn events(&self) -> usize {
        self.events.get()
    }

    pub fn nested(&self) -> usize {
        self.nested.get()
    }

    /// Returns the number of addresses tried as owners.
    pub fn owner_tests(&self) -> usize {
        self.owner_tests.get()
    }

    /// Whether a limit cut off data.
    pub fn is_cut(&self) -> bool {
        self.is_cut.get()
    }

    fn takes(count: &Cell<usize>, most: usize, is_cut: &Cell<bool>) -> bool {
        let is_left = count.get() < most;
        if is_left {
            count.set(count.get() + 1);
        } else {
            is_cut.set(true);
        }
        is_left
    }
}
