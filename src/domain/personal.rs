use super::{Target, classify};

/// What a user attached to a record. No entry proves anything, and none gives a permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::Display, strum::EnumString, strum::EnumIter)]
#[strum(serialize_all = "kebab-case")]
pub enum PersonalKind {
    /// Name that the user typed.
    Name,
    /// Name from a file that the user imported.
    ImportedName,
    Note,
    /// Page to come back to; its text is the page's title.
    Bookmark,
}

impl PersonalKind {
    /// Returns the maximum characters of the entry's text.
    pub fn most(self) -> usize {
        match self {
            Self::Name | Self::ImportedName => 32,
            Self::Note => 200,
            Self::Bookmark => 100,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Self::Name | Self::ImportedName => "name",
            Self::Note => "note",
            Self::Bookmark => "bookmark",
        }
    }
}

/// Entry of a user, by kind and subject; an empty text deletes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalEntry {
    pub kind: PersonalKind,
    pub subject: Target,
    pub text: String,
}

impl PersonalEntry {
    pub fn new(kind: PersonalKind, subject: Target, text: impl Into<String>) -> Self {
        Self { kind, subject, text: text.into() }
    }

    /// Reads an entry whose subject is a tagged target; `None` if it is none.
    pub fn read(kind: PersonalKind, subject: &str, text: impl Into<String>) -> Option<Self> {
        let target = classify(subject).ok()?.into_iter().next()?;
        (target.tagged() == subject).then(|| Self::new(kind, target, text))
    }
}
