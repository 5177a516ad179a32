use std::sync::{Arc, Weak};

use lru::LruCache;
use ratatui_image::protocol::Protocol;

use crate::{msg::Picture, widgets::PlacedPicture};

/// Maximum bytes of cached pictures, in addition to visible pictures.
const MOST_BYTES: usize = 16 << 20;
/// Maximum number of cached pictures, in addition to visible pictures.
const MOST: usize = 256;

/// Key of an encoded picture: the picture and its size in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PictureKey {
    address: usize,
    cells: (u16, u16),
}

impl PictureKey {
    pub(super) fn new(placed: &PlacedPicture) -> Self {
        let cells = (placed.area.width, placed.area.height);
        Self { address: Arc::as_ptr(&placed.picture).addr(), cells }
    }
}

pub(super) struct EncodedPicture {
    /// Encoded picture; `None` after a failure, so that no retry follows.
    pub(super) protocol: Option<Protocol>,
    bytes: usize,
    id: u32,
    /// Reserves the picture's address without keeping its pixels.
    picture: Weak<Picture>,
}

impl EncodedPicture {
    pub(super) fn new(picture: &Arc<Picture>, encoded: Option<(Protocol, usize)>, id: u32) -> Self {
        let (protocol, bytes) = encoded.map_or((None, 0), |(protocol, bytes)| (Some(protocol), bytes));
        Self { protocol, bytes, id, picture: Arc::downgrade(picture) }
    }

    /// Returns the id under which the terminal stores the picture; `None` if the terminal does not store it.
    fn number(&self) -> Option<u32> {
        matches!(self.protocol, Some(Protocol::Kitty(_))).then_some(self.id)
    }
}

impl std::fmt::Debug for EncodedPicture {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "EncodedPicture({} bytes)", self.bytes)
    }
}

/// Encoded pictures, most recently shown first.
#[derive(Debug)]
pub(super) struct PictureCache {
    entries: LruCache<PictureKey, EncodedPicture>,
    bytes: usize,
}

impl Default for PictureCache {
    fn default() -> Self {
        Self { entries: LruCache::unbounded(), bytes: 0 }
    }
}

impl PictureCache {
    pub(super) fn get(&mut self, key: &PictureKey) -> Option<&EncodedPicture> {
        self.entries.get(key)
    }

    pub(super) fn put(&mut self, key: PictureKey, entry: EncodedPicture) {
        self.bytes += entry.bytes;
        if let Some(before) = self.entries.put(key, entry) {
            self.bytes = self.bytes.saturating_sub(before.bytes);
        }
    }

    /// Drops pictures without another owner, and the least recently shown pictures beyond the limits; returns the ids
    /// that the terminal must delete.
    pub(super) fn tidy(&mut self, visible: &[PictureKey]) -> Vec<u32> {
        let is_gone = |entry: &EncodedPicture| entry.picture.strong_count() == 0;
        let mut gone: Vec<PictureKey> =
            self.entries.iter().filter(|(_, entry)| is_gone(entry)).map(|(key, _)| *key).collect();
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

    /// Drops all pictures; returns the ids that the terminal must delete.
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
        let mut cache = PictureCache::default();
        let pictures: Vec<Arc<Picture>> =
            (0..3).map(|_| Arc::new(Picture { width: 0, height: 0, rgba: [].into() })).collect();
        let key = |place: usize| PictureKey { address: place, cells: (1, 1) };
        for (place, picture) in pictures.iter().enumerate() {
            let entry = EncodedPicture { bytes: MOST_BYTES / 2, ..EncodedPicture::new(picture, None, 0) };
            cache.put(key(place), entry);
        }
        assert!(cache.get(&key(0)).is_some());
        cache.tidy(&[key(0)]);
        assert_eq!((cache.len(), cache.bytes), (2, MOST_BYTES / 2 * 2));
        assert!(cache.entries.contains(&key(0)) && !cache.entries.contains(&key(1)));
        let big = EncodedPicture { bytes: MOST_BYTES, ..EncodedPicture::new(&pictures[1], None, 0) };
        cache.put(key(1), big);
        cache.tidy(&[key(0), key(1), key(2)]);
        assert_eq!(cache.len(), 3, "what is on the screen stays");
        drop(pictures);
        cache.tidy(&[]);
        assert_eq!((cache.len(), cache.bytes), (0, 0));
    }
}
