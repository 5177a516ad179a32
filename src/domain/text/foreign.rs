//! Text that a router, contract, chain or wallet wrote.

use serde::{Deserialize, Serialize};

use super::{clean, clip, quoted_within};

/// Text of others. It has no `Display`, `Deref` or `AsRef<str>`, so that no sentence takes it as its own words.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Foreign(String);

impl Foreign {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the text in quotes, cleaned, and truncated to `width` terminal columns.
    pub fn quoted(&self, width: usize) -> String {
        quoted_within(&self.0, width)
    }

    /// Returns the text without quotes, cleaned and truncated, for a place that names its source.
    pub fn clipped(&self, width: usize) -> String {
        clip(clean(&self.0).trim(), width)
    }

    /// Returns the text as received: for comparisons, for JSON, and for a cell or a line, which cleans what it shows.
    /// Never for a sentence.
    pub fn as_received(&self) -> &str {
        &self.0
    }

    /// Returns the text as received, for a record that keeps it.
    pub fn into_received(self) -> String {
        self.0
    }
}

impl From<String> for Foreign {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Foreign {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<Foreign> for serde_json::Value {
    fn from(text: Foreign) -> Self {
        Self::String(text.0)
    }
}

impl PartialEq<String> for Foreign {
    fn eq(&self, other: &String) -> bool {
        self.0 == *other
    }
}

impl PartialEq<&str> for Foreign {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl PartialEq<str> for Foreign {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

/// Fails to compile if [`Foreign`] implements one of these traits: the choice would be ambiguous.
const _: fn() = || {
    trait Shown<By> {
        fn is_foreign() {}
    }
    struct ByDisplay;
    struct ByRef;
    struct ByDeref;
    impl<T: ?Sized> Shown<()> for T {}
    impl<T: ?Sized + std::fmt::Display> Shown<ByDisplay> for T {}
    impl<T: ?Sized + AsRef<str>> Shown<ByRef> for T {}
    impl<T: ?Sized + std::ops::Deref> Shown<ByDeref> for T {}
    <Foreign as Shown<_>>::is_foreign();
};
