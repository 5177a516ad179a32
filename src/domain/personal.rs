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
    /// Filtered list, by a name; its text is a [`TxView`](super::TxView).
    View,
}

impl PersonalKind {
    /// Returns the maximum characters of the entry's text.
    pub fn most(self) -> usize {
        match self {
            Self::Name | Self::ImportedName => 32,
            Self::Note => 200,
            Self::Bookmark => 100,
            Self::View => 2000,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Self::Name | Self::ImportedName => "name",
            Self::Note => "note",
            Self::Bookmark => "bookmark",
            Self::View => "view",
        }
    }
}

/// What an entry is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonalSubject {
    Record(Target),
    /// Name of a view.
    View(String),
}

impl PersonalSubject {
    /// Maximum characters of a view's name.
    pub const VIEW: usize = 32;

    /// Returns the tagged target or the view's name.
    pub fn key(&self) -> String {
        match self {
            Self::Record(target) => target.tagged(),
            Self::View(name) => name.clone(),
        }
    }
}

/// Entry of a user, by kind and subject; an empty text deletes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalEntry {
    pub kind: PersonalKind,
    pub subject: PersonalSubject,
    pub text: String,
}

impl PersonalEntry {
    pub fn new(kind: PersonalKind, subject: Target, text: impl Into<String>) -> Self {
        Self { kind, subject: PersonalSubject::Record(subject), text: text.into() }
    }

    pub fn view(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { kind: PersonalKind::View, subject: PersonalSubject::View(name.into()), text: text.into() }
    }

    /// Returns the record that the entry is of; `None` for a view.
    pub fn target(&self) -> Option<&Target> {
        if let PersonalSubject::Record(target) = &self.subject { Some(target) } else { None }
    }

    /// Reads an entry by the key of its subject; `None` if the key is no tagged target.
    pub fn read(kind: PersonalKind, subject: &str, text: impl Into<String>) -> Option<Self> {
        if kind == PersonalKind::View {
            return Some(Self::view(subject, text));
        }
        let target = classify(subject).ok()?.into_iter().next()?;
        (target.tagged() == subject).then(|| Self::new(kind, target, text))
    }
}
