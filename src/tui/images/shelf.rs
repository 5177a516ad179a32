use std::sync::{Arc, Weak};

use lru::LruCache;
use ratatui_image::protocol::Protocol;

use crate::{msg::Picture, widgets::PlacedPicture};

/// Bytes of encoded pictures that are kept, beside those on the screen.
const MOST_BYTES: usize = 16 << 20;
/// Pictures that are kept, beside those on the screen.
const MOST: usize = 256;

/// Which picture, and in how many cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    address: usize,
    cells: (u16, u16),
}

impl Key {
    pub(super) fn of(placed: &PlacedPicture) -> Self {
        let cells = (placed.area.width, placed.area.height);
        Self { address: Arc::as_ptr(&placed.picture).addr(), cells }
    }
}

/// An encoded picture.
pub(super) struct Entry {
    /// What is drawn; nothing where it could not be encoded, so that it is not tried again.
    pub(super) protocol: Option<Protocol>,
    bytes: usize,
    /// Its number in the terminal.
    id: u32,
    /// Keeps its address from being used for another one, not its pixels.
    picture: Weak<Picture>,
}

impl Entry {
    pub(super) fn new(picture: &Arc<Picture>, encoded: Option<(Protocol, usize)>, id: u32) -> Self {
        let (protocol, bytes) = encoded.map_or((None, 0), |(protocol, bytes)| (Some(protocol), bytes));
        Self { protocol, bytes, id, picture: Arc::downgrade(picture) }
    }

    /// Its number, where the terminal keeps the picture itself.
    fn number(&self) -> Option<u32> {
        matches!(self.protocol, Some(Protocol::Kitty(_))).then_some(self.id)
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Entry({} bytes)", self.bytes)
    }
}

/// The encoded pictures, the most recently shown first.
#[derive(Debug)]
pub(super) struct Shelf {
    entries: LruCache<Key, Entry>,
    bytes: usize,
}

impl Default for Shelf {
    fn default() -> Self {
        Self { entries: LruCache::unbounded(), bytes: 0 }
    }
}

impl Shelf {
    pub(super) fn get(&mut self, key: &Key) -> Option<&Entry> {
        self.entries.get(key)
    }

    pub(super) fn put(&mut self, key: Key, entry: Entry) {
        self.bytes += entry.bytes;
        if let Some(before) = self.entries.put(key, entry) {
            self.bytes = self.bytes.saturating_sub(before.bytes);
        }
    }

    /// Lets go of pictures that nobody else has any more, and of the least recently shown where there are too many; the
    /// numbers that the terminal is to forget.
    pub(super) fn tidy(&mut self, visible: &[Key]) -> Vec<u32> {
        let is_gone = |entry: &Entry| entry.picture.strong_count() == 0;
        let mut gone: Vec<Key> = self.entries.iter().filter(|(_, entry)| is_gone(entry)).map(|(key, _)| *key).collect();
        let mut numbers = Vec::new();
        loop {
            let key = gone.pop().or_else(|| {
                let is_full = self.bytes > MOST_BYTES || self.entries.len() > MOST;
                self.entries.peek_lru().map(|(key, _)| *key).filter(|key| is_full && !visible.contains(key))
            });
            let Some(entry) = key.and_then(|key| self.entries.pop(&key)) else { return numbers };
            self.bytes = self.bytes.saturating_sub(entry.bytes);
            numbers.extend(entry.number());
        }
    }

    /// Lets go of everything; the numbers that the terminal is to forget.
    pub(super) fn empty(&mut self) -> Vec<u32> {
        let numbers = self.entries.iter().filter_map(|(_, entry)| entry.number()).collect();
        *self = Self::default();
        numbers
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_shown_goes_first_and_nothing_that_is_seen() {
        let mut shelf = Shelf::default();
        let pictures: Vec<Arc<Picture>> =
            (0..3).map(|_| Arc::new(Picture { width: 0, height: 0, rgba: [].into() })).collect();
        let key = |place: usize| Key { address: place, cells: (1, 1) };
        for (place, picture) in pictures.iter().enumerate() {
            let entry = Entry { bytes: MOST_BYTES / 2, ..Entry::new(picture, None, 0) };
            shelf.put(key(place), entry);
        }
        assert!(shelf.get(&key(0)).is_some());
        shelf.tidy(&[key(0)]);
        assert_eq!((shelf.len(), shelf.bytes), (2, MOST_BYTES / 2 * 2));
        assert!(shelf.entries.contains(&key(0)) && !shelf.entries.contains(&key(1)));
        let big = Entry { bytes: MOST_BYTES, ..Entry::new(&pictures[1], None, 0) };
        shelf.put(key(1), big);
        shelf.tidy(&[key(0), key(1), key(2)]);
        assert_eq!(shelf.len(), 3, "what is on the screen stays");
        drop(pictures);
        shelf.tidy(&[]);
        assert_eq!((shelf.len(), shelf.bytes), (0, 0));
    }
}
