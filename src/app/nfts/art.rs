//! What lies behind a token's URI: its metadata, and the picture that the metadata names.

use std::sync::Arc;

use crate::{
    app::remote::Remote,
    domain::Timestamp,
    msg::{Answer, Metadata, Picture, Request},
    wire::{ApiError, RawJson},
};

/// Metadata and picture of a token, as far as they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Art {
    /// What the token's URI leads to.
    pub(crate) metadata: Remote<Arc<Metadata>>,
    /// What the metadata's image leads to.
    pub(crate) picture: Remote<Arc<Picture>>,
}

/// Which URIs are followed without being asked to. Token makers choose the hosts in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Only what lies in the URI itself.
    Inline,
    /// What the embedded rollup serves too: everything that is named by content.
    Embedded,
    /// All of them: asked for, or switched on.
    Everywhere,
}

impl Reach {
    fn may(self, uri: &str) -> bool {
        let is_content = || uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("ipfs:"));
        match self {
            Self::Inline => is_inline(uri),
            Self::Embedded => is_inline(uri) || is_content(),
            Self::Everywhere => true,
        }
    }
}

impl Art {
    /// The next thing to ask for, and from now on awaited: the metadata, then its picture.
    pub(super) fn want(&mut self, uri: &str, reach: Reach, now: Timestamp) -> Option<Request> {
        let may = |uri: &str| reach.may(uri);
        if is_image(uri) && matches!(self.picture, Remote::Idle) {
            self.picture.ask(now);
            return Some(Request::Picture(uri.into()));
        }
        if matches!(self.metadata, Remote::Idle) && !uri.is_empty() && !is_image(uri) && may(uri) {
            self.metadata.ask(now);
            return Some(Request::Metadata(uri.into()));
        }
        let image = self.metadata.value()?.image.clone().filter(|image| may(image))?;
        if !matches!(self.picture, Remote::Idle) {
            return None;
        }
        self.picture.ask(now);
        Some(Request::Picture(image))
    }

    /// What was asked for came, or cannot be had.
    pub(super) fn take(&mut self, result: Result<Answer, ApiError>, now: Timestamp) {
        match result {
            Ok(Answer::Metadata(metadata)) => self.metadata.settle(Ok(metadata), now),
            Ok(Answer::Picture(picture)) => self.picture.settle(Ok(picture), now),
            Ok(_) => {}
            Err(error) if self.picture.is_loading() => self.picture.settle(Err(error), now),
            Err(error) => self.metadata.settle(Err(error), now),
        }
    }

    /// Lets go of what a card does not show: of many tokens that would be a lot.
    pub(super) fn slim(&mut self) {
        let Remote::Ready { value, .. } = &mut self.metadata else { return };
        let is_done = !matches!(self.picture, Remote::Idle | Remote::Loading { .. });
        let image = value.image.clone().filter(|_| !is_done);
        let Ok(raw) = RawJson::parse("null".to_owned()) else { return };
        *value =
            Arc::new(Metadata { name: value.name.clone(), description: String::new(), image, traits: Vec::new(), raw });
    }

    /// Whether something of it is awaited.
    pub(crate) fn is_loading(&self) -> bool {
        self.metadata.is_loading() || self.picture.is_loading()
    }

    /// Whether there is a picture, or one may still come from this URI.
    pub(super) fn may_have_picture(&self, uri: &str, reach: Reach) -> bool {
        match (&self.picture, &self.metadata) {
            (Remote::Ready { .. } | Remote::Stale { .. } | Remote::Loading { .. }, _)
            | (Remote::Idle, Remote::Loading { .. }) => true,
            (Remote::Idle, Remote::Idle) => !uri.is_empty() && reach.may(uri),
            _ => false,
        }
    }
}

/// Whether reading it asks nobody.
fn is_inline(uri: &str) -> bool {
    uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Whether the URI is a picture itself, with no metadata around it.
fn is_image(uri: &str) -> bool {
    uri.get(..11).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:image/"))
}
