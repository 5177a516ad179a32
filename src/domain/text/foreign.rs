//! Text that a router, contract, chain or wallet wrote.

use serde::{Deserialize, Serialize};

use super::{clip, quoted_within};

/// Text of others. It has no `Display`, `Deref` or `AsRef<str>`, so that no sentence takes it as its own words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
        clip(self.0.trim(), width)
    }

    /// Returns the text as received: for comparisons and for JSON, never for a sentence.
    pub fn as_received(&self) -> &str {
        &self.0
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
