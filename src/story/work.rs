use std::cell::Cell;

/// Events of one transaction that are read at the most; a real one has a few hundred.
pub const MOST_EVENTS: usize = 20_000;
/// Messages within messages, calls within hooks and JSON within JSON that are opened, over a whole transaction.
pub const MOST_NESTED: usize = 512;
/// How deep they are opened.
pub const MOST_DEPTH: usize = 8;

/// Messages that are told of; real transactions have a few.
pub const MOST_SENTENCES: usize = 2_000;

/// Addresses that are tried as owners of stores on Move, over a whole transaction; each costs a hash.
pub const MOST_OWNER_TESTS: usize = 8_192;

/// What reading a transaction has cost so far, held under limits so that no record can stall a reader.
#[derive(Debug, Default)]
pub struct Work {
    events: Cell<usize>,
    nested: Cell<usize>,
    owner_tests: Cell<usize>,
    is_cut: Cell<bool>,
}

impl Work {
    /// Takes one event more to read; false when enough were read. Each pass over events counts for itself.
    pub fn takes_event(&self) -> bool {
        Self::takes(&self.events, MOST_EVENTS, &self.is_cut)
    }

    /// Takes one nested thing more to open at this depth, from 0; false when it stays closed.
    pub fn takes_nested(&self, depth: usize) -> bool {
        if depth >= MOST_DEPTH {
            self.is_cut.set(true);
            return false;
        }
        Self::takes(&self.nested, MOST_NESTED, &self.is_cut)
    }

    /// Takes one address more to try as an owner of stores; false when enough were tried.
    pub fn takes_owner_test(&self) -> bool {
        Self::takes(&self.owner_tests, MOST_OWNER_TESTS, &self.is_cut)
    }

    /// Whether the message at this place is told of, from 0.
    pub fn takes_sentence(&self, place: usize) -> bool {
        if place >= MOST_SENTENCES {
            self.is_cut.set(true);
        }
        place < MOST_SENTENCES
    }

    /// Events read.
    pub fn events(&self) -> usize {
        self.events.get()
    }

    /// Nested things opened.
    pub fn nested(&self) -> usize {
        self.nested.get()
    }

    /// Addresses tried as owners of stores.
    pub fn owner_tests(&self) -> usize {
        self.owner_tests.get()
    }

    /// Whether something was left unread.
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
