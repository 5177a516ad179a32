use crate::domain::{PersonalEntry, PersonalKind, Target};

/// The user's notes, bookmarks and views, the oldest first. Names are in the glossary, which every list reads.
#[derive(Debug, Default)]
pub(crate) struct KeptEntries(Vec<PersonalEntry>);

impl KeptEntries {
    pub(crate) fn all(&self, kind: PersonalKind) -> impl DoubleEndedIterator<Item = &PersonalEntry> {
        self.0.iter().filter(move |entry| entry.kind == kind)
    }

    pub(crate) fn text(&self, kind: PersonalKind, subject: &Target) -> Option<&str> {
        self.all(kind).find(|entry| entry.target() == Some(subject)).map(|entry| entry.text.as_str())
    }

    /// Sets an entry; an empty text removes it.
    pub(super) fn set(&mut self, entry: PersonalEntry) {
        self.0.retain(|known| (known.kind, &known.subject) != (entry.kind, &entry.subject));
        if !entry.text.is_empty() {
            self.0.push(entry);
        }
    }
}
